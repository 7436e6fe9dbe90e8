/** A hint in words: what it does, why, and its figures. */
import { colourOf, END_STONE, misfit, numberOf, rowWorth } from "../game.js";
import { decimal, list, number, plusDecimal, t } from "../i18n.js";
import { moveWords, stepWords } from "../words.js";

/**
 * @typedef {import("../types.js").View} View
 * @typedef {import("../types.js").BoardView} BoardView
 * @typedef {import("../types.js").StonesView} StonesView
 */

/**
 * The view after a card was laid on a row, as far as what fits it is concerned.
 * @param {BoardView} view
 * @param {number} seat
 * @param {string} card
 */
function laid(view, seat, card) {
  const rows = [...view.rows];
  rows[seat] = { ...rows[seat], [colourOf(card)]: [...rows[seat][colourOf(card)], numberOf(card)] };
  return { ...view, rows };
}

/** @param {BoardView} view @param {number} seat @param {string} move @returns {string[]} */
function boardReasons(view, seat, move) {
  const reasons = [];
  const colour = colourOf(move);
  if (/^[RYVGB]/.test(move)) {
    const large = move[1] === "*" || undefined;
    if (view.figures[seat][colour] < END_STONE)
      reasons.push(t("hint.leads", { step: stepWords(view, seat, colour, large) }));
    if (/\d/.test(move)) {
      const hand = [...(view.hand ?? [])];
      hand.splice(hand.indexOf(move), 1);
      const after = laid(view, seat, move);
      reasons.push(
        t("hint.keep", {
          n: hand.filter((card) => colourOf(card) === colour && !misfit(after, seat, card)).length,
        }),
      );
    }
  } else if (move[0] === "x") {
    const card = move.slice(1);
    const users = view.players.filter((_, other) => other !== seat && !misfit(view, other, card));
    reasons.push(users.length ? t("hint.useful", { names: list(users) }) : t("hint.useless"));
  } else if (move[0] === "<") {
    const card = view.piles[/** @type {import("../types.js").Colour} */ (move[1])].at(-1);
    if (card && !misfit(view, seat, card)) reasons.push(t("hint.fits"));
  }
  return reasons;
}

/** @param {StonesView} view @param {number} seat @param {string} move @returns {string[]} */
function stonesReasons(view, seat, move) {
  if (move === "?" || move === "-") return [];
  const length = view.rows[seat][colourOf(move)].length;
  return [t("hint.row", { before: number(rowWorth(length)), after: number(rowWorth(length + 1)) })];
}

/** @param {import("../types.js").Hint} hint @param {View} view */
export function hintWords(hint, view) {
  const { move, moves, seat } = hint;
  const parts = [t("hint.says", { move: moveWords(move, view) })];
  parts.push(
    ...(view.game === "board" ? boardReasons(view, seat, move) : stonesReasons(view, seat, move)),
  );
  const best = moves.find((one) => one.move === move);
  if (best)
    parts.push(
      t(best.value >= 0 ? "hint.lead" : "hint.behind", {
        value: decimal(Math.abs(best.value)),
        error: decimal(best.error),
      }),
    );
  const next = moves.find((one) => one.move !== move);
  if (best && next)
    parts.push(
      t("hint.next", {
        move: moveWords(next.move, view),
        less: plusDecimal(next.value - best.value),
      }),
    );
  return parts.join(" ");
}
