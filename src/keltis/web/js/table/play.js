/** What a player is about to do: the selected card, a move to be confirmed, the hint on show. */
import { useEffect, useState } from "../../vendor/index.js";
import { play as ring } from "../sound.js";
import { confirmMoves } from "../settings.js";

/**
 * @typedef {object} Play
 * @property {string | null} selected card or tile
 * @property {(card: string | null) => void} select the same again: no longer
 * @property {string | null} asked a move that is to be confirmed
 * @property {(move: string) => void} choose a legal move
 * @property {() => void} confirm
 * @property {() => void} cancel
 * @property {boolean} waiting a decision is under way
 * @property {string | null} advised the move that a hint names
 * @property {import("../live.js").Live} live
 * @property {import("../types.js").View} view
 * @property {boolean} mine
 */

/**
 * @param {import("../live.js").Live} live
 * @param {import("../types.js").View} view
 * @param {boolean} mine
 * @returns {Play}
 */
export function usePlay(live, view, mine) {
  const [selected, setSelected] = useState(/** @type {string | null} */ (null));
  const [asked, setAsked] = useState(/** @type {string | null} */ (null));
  const seq = live.shown.value.seq;
  useEffect(() => {
    setSelected(null);
    setAsked(null);
  }, [seq, mine, view.you]);
  const hint = live.hint.value;

  const send = (/** @type {string} */ move) => {
    setAsked(null);
    setSelected(null);
    live.decide(move);
  };
  return {
    selected,
    select: (card) => {
      ring("card");
      live.refused.value = null;
      setAsked(null);
      setSelected((old) => (old === card ? null : card));
    },
    asked,
    choose: (move) => {
      if (!mine || live.sending.value || !view.legal_moves.includes(move)) return;
      if (confirmMoves.value) setAsked(move);
      else send(move);
    },
    confirm: () => asked && send(asked),
    cancel: () => {
      setAsked(null);
      setSelected(null);
    },
    waiting: live.sending.value,
    advised: hint && hint !== "asked" && mine ? hint.move : null,
    live,
    view,
    mine,
  };
}
