/** A hint in words: what to do and one reason; its figures for those who ask. */
import { colourOf, END_STONE, misfit, numberOf, rowWorth, stepOn } from "../game.js";
import { decimal, list, number, t } from "../i18n.js";
import { moveWords, sentence, stepWords } from "../words.js";

/**
 * @typedef {import("../types.js").View} View
 * @typedef {import("../types.js").Hint} Hint
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

/**
 * Why to lay a card or make a step: what it brings at once, else what follows.
 * @param {BoardView} view
 * @param {number} seat
 * @param {string} move
 */
function stepReason(view, seat, move) {
  const colour = colourOf(move);
  const isCard = /\d/.test(move);
  if (view.figures[seat][colour] < END_STONE) {
    const large = move[1] === "*" || undefined;
    const { tile, ends } = stepOn(view, seat, colour, large);
    if (tile || ends || !isCard) return `${sentence(stepWords(view, seat, colour, large))}.`;
  }
  const hand = [...(view.hand ?? [])];
  hand.splice(hand.indexOf(move), 1);
  const after = laid(view, seat, move);
  const n = hand.filter((card) => colourOf(card) === colour && !misfit(after, seat, card)).length;
  return n ? t("hint.keep", { n }) : t("hint.keep.none");
}

/** @param {BoardView} view @param {number} seat @param {string} move */
function boardReason(view, seat, move) {
  if (/^[RYVGB]/.test(move)) return stepReason(view, seat, move);
  if (move[0] === "x") {
    const card = move.slice(1);
    const users = view.players.filter((_, other) => other !== seat && !misfit(view, other, card));
    return users.length ? t("hint.useful", { names: list(users) }) : t("hint.useless");
  }
  const tops = Object.values(view.piles).flatMap((pile) => pile.at(-1) ?? []);
  const fitting = tops.filter((card) => !misfit(view, seat, card));
  if (move === "?") return tops.length && !fitting.length ? t("hint.nothing") : "";
  const card = view.piles[/** @type {import("../types.js").Colour} */ (move[1])]?.at(-1);
  return card && fitting.includes(card) ? t("hint.fits") : "";
}

/** @param {StonesView} view @param {number} seat @param {string} move */
function stonesReason(view, seat, move) {
  if (move === "?" || move === "-") return "";
  const length = view.rows[seat][colourOf(move)].length;
  return t("hint.row", { before: number(rowWorth(length)), after: number(rowWorth(length + 1)) });
}

/** @param {Hint} hint @param {View} view */
export function hintWords({ move, seat }, view) {
  const reason =
    view.game === "board" ? boardReason(view, seat, move) : stonesReason(view, seat, move);
  return [t("hint.says", { move: moveWords(move, view) }), reason].filter(Boolean).join(" ");
}

/** Of 100 games, how many are won. @param {Hint["moves"][number]} one */
const wins = (one) => (one.wins === undefined ? null : Math.round(100 * one.wins));

/**
 * What the bot expects of its advice, and what comes next.
 * @param {Hint} hint
 * @param {View} view
 */
export function hintFigures({ move, moves }, view) {
  const best = moves.find((one) => one.move === move);
  if (!best) return hintWords(/** @type {Hint} */ ({ move, moves, seat: view.you ?? 0 }), view);
  const parts = [];
  const chance = wins(best);
  if (chance !== null) parts.push(t("hint.wins", { n: chance }));
  parts.push(
    t(best.value >= 0 ? "hint.lead" : "hint.behind", {
      value: decimal(Math.abs(best.value)),
      error: decimal(best.error),
    }),
  );
  // The best is what wins most often, not what leads by most; and the others were tried in fewer
  // deals, so by chance one may look a little better. None is called worse unless it looks so.
  const next = moves.find((one) => one.move !== move);
  const less = next ? wins(next) : null;
  if (next && chance !== null && less !== null)
    parts.push(
      t(less < chance ? "hint.next" : "hint.same", { move: moveWords(next.move, view), n: less }),
    );
  return parts.join(" ");
}
