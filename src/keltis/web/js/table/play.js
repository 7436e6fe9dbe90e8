/** What a player is about to do: the selected card, a move to be confirmed, the hint on show. */
import { useEffect, useState } from "../../vendor/index.js";
import { landed } from "../flights.js";
import { play as ring } from "../sound.js";
import { autoMoves, confirmMoves, stepTime } from "../settings.js";

/**
 * @typedef {import("../types.js").Colour} Colour
 * @typedef {import("../types.js").View} View
 *
 * @typedef {object} Play
 * @property {boolean} watching nobody here has a seat
 * @property {string | null} selected card or tile
 * @property {(card: string | null) => void} select the same again: no longer
 * @property {(card: string) => void} hold it is dragged: selected whatever was before
 * @property {Colour | null} entering the path onto which the small or the large figure is to come
 * @property {(path: Colour) => void} enter asks which of the two
 * @property {string | null} asked a move that is to be confirmed
 * @property {(move: string) => void} choose a legal move
 * @property {(move: string) => void} drop choose it by a drag: what was dragged is there already
 * @property {() => void} confirm
 * @property {() => void} cancel
 * @property {boolean} waiting a decision is under way
 * @property {string | null} leaving the card or tile that was dragged to its place by it
 * @property {string | null} forced the only move there is, which is made in a moment
 * @property {string | null} advised the move that a hint names
 * @property {import("../live.js").Live} live
 * @property {View} view
 * @property {boolean} mine
 */

/** Milliseconds that a decision which can still be taken back waits before it makes itself. */
const LAST_CHANCE = 2500;
const SHORTEST_LOOK = 500;

/** The card or tile that a move takes away from where it was. @param {string} move */
const cardOf = (move) => move.replace("x", "");

/** The only move there is, where nothing is left to think about. @param {View} view */
function onlyMove(view) {
  const [move, ...others] = view.legal_moves;
  return !others.length && (view.phase === "draw" || view.phase === "tile") ? move : null;
}

/**
 * Makes the only move there is, after a moment to see it; unless one has just come back to it: then
 * one wants to go back further.
 * @param {import("../live.js").Live} live @param {string | null} forced
 */
function useForced(live, forced) {
  const { seq, what } = live.shown.value;
  useEffect(() => {
    if (!forced) return undefined;
    const mayTakeBack = live.you.peek()?.may.take_back;
    if (what?.kind === "taken back") {
      if (mayTakeBack) live.takeBack();
      return undefined;
    }
    const wait =
      mayTakeBack && !live.table.peek()?.practice
        ? LAST_CHANCE
        : Math.max(SHORTEST_LOOK, 1.6 * stepTime());
    const timer = setTimeout(() => live.decide(forced), wait);
    return () => clearTimeout(timer);
  }, [forced, seq]);
}

/**
 * @param {import("../live.js").Live} live
 * @param {View} view
 * @param {boolean} mine
 * @returns {Play}
 */
export function usePlay(live, view, mine) {
  const [selected, setSelected] = useState(/** @type {string | null} */ (null));
  const [entering, setEntering] = useState(/** @type {Colour | null} */ (null));
  const [asked, setAsked] = useState(/** @type {string | null} */ (null));
  const [leaving, setLeaving] = useState(/** @type {string | null} */ (null));
  const { seq } = live.shown.value;
  const nothing = () => {
    setAsked(null);
    setSelected(null);
    setEntering(null);
  };
  useEffect(nothing, [seq, mine, view.you]);
  const hint = live.hint.value;
  const forced = mine && autoMoves.value ? onlyMove(view) : null;
  useForced(live, forced);

  const may = (/** @type {string} */ move) =>
    mine && !live.sending.value && view.legal_moves.includes(move);
  const send = (/** @type {string} */ move) => {
    nothing();
    live.decide(move);
  };
  const choose = (/** @type {string} */ move) => {
    if (!may(move)) return;
    setLeaving(null);
    if (confirmMoves.value) setAsked(move);
    else send(move);
  };
  return {
    watching: !live.you.value?.seats.length,
    selected,
    select: (card) => {
      ring("card");
      live.refused.value = null;
      setAsked(null);
      setSelected((old) => (old === card ? null : card));
    },
    hold: (card) => {
      if (selected !== card) ring("card");
      live.refused.value = null;
      setAsked(null);
      setSelected(card);
    },
    entering,
    enter: setEntering,
    asked,
    choose,
    drop: (move) => {
      const now = may(move) && !confirmMoves.value;
      choose(move);
      if (!now) return;
      landed(move);
      setLeaving(cardOf(move));
    },
    confirm: () => asked && send(asked),
    cancel: nothing,
    waiting: live.sending.value,
    leaving: live.sending.value ? leaving : null,
    forced,
    advised: hint && hint !== "asked" && mine ? hint.move : null,
    live,
    view,
    mine,
  };
}
