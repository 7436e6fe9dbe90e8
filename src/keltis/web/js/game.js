/** What the page knows of the two games: numbers to show. No rules are decided here. */

/**
 * @typedef {import("./types.js").Colour} Colour
 * @typedef {import("./types.js").Tile} Tile
 * @typedef {import("./types.js").Step} Step
 * @typedef {import("./types.js").View} View
 * @typedef {import("./types.js").BoardView} BoardView
 */

/** Left to right on the board; rows, piles and hands stand in the same order. @type {Colour[]} */
export const COLOURS = ["G", "Y", "R", "B", "V"];

/** Of stones 0 (the start) to 9. */
export const STONE_VALUES = [0, -4, -3, -2, 1, 2, 3, 6, 7, 10];
export const GOAL = 7;
export const END_STONE = 9;
export const FIGURES_TO_END = 5;
/** Decisions after which the server ends a game that would not end by itself. */
export const DECISION_LIMIT = 10_000;
const WISHING_VALUES = [-4, -3, 2, 3, 6, 10];
const ROW_VALUES = [0, -4, -3, 2, 3, 6, 10];

/** @type {Record<Colour, number[]>} */
export const DARK_STONES = {
  G: [3, 5, 6, 7],
  Y: [2, 4, 6, 7],
  R: [2, 3, 5, 7],
  B: [2, 4, 5, 7],
  V: [3, 4, 6, 7],
};

/** Symbols of the tiles of `stones`. @type {Record<string, Tile>} */
export const SYMBOLS = {
  V1: "W",
  V4: "W",
  V2: "C",
  V9: "C",
  V5: "1",
  V7: "3",
  B2: "W",
  B3: "W",
  B5: "C",
  B6: "C",
  B9: "1",
  B8: "3",
  R4: "W",
  R7: "W",
  R5: "C",
  R8: "C",
  R6: "1",
  R2: "3",
  G6: "W",
  G9: "W",
  G3: "C",
  G4: "C",
  G1: "1",
  G5: "3",
  Y6: "W",
  Y8: "W",
  Y1: "C",
  Y7: "C",
  Y4: "1",
  Y3: "3",
};

/** @param {string} card @returns {Colour} */
export const colourOf = (card) => /** @type {Colour} */ (card[0]);
/** @param {string} card */
export const numberOf = (card) => Number(card.slice(1));

/** Cards in the order of the board's colours. @param {string[]} cards */
export const inBoardOrder = (cards) =>
  [...cards].sort(
    (a, b) =>
      COLOURS.indexOf(colourOf(a)) - COLOURS.indexOf(colourOf(b)) || numberOf(a) - numberOf(b),
  );

/** @param {number} count */
export const wishingWorth = (count) => WISHING_VALUES[Math.min(count, 5)];
/** @param {number} length */
export const rowWorth = (length) => ROW_VALUES[Math.min(length, 6)];

/** 1 rising, −1 falling, 0 still open. @param {number[]} row */
export function direction(row) {
  const second = row.find((number) => number !== row[0]);
  return second === undefined ? 0 : Math.sign(second - row[0]);
}

/**
 * What a path (board) or row (stones) counts for a seat now.
 * @param {View} view
 * @param {number} seat
 * @param {Colour} colour
 */
export function worth(view, seat, colour) {
  if (view.game === "stones") return rowWorth(view.rows[seat][colour].length);
  const double = view.large[seat] === colour ? 2 : 1;
  return STONE_VALUES[view.figures[seat][colour]] * double;
}

/**
 * Why a card can't be laid on its row; null if it fits.
 * @param {View} view @param {number} seat @param {string} card
 * @returns {null | {up: boolean, last: number}}
 */
export function misfit(view, seat, card) {
  const row = view.rows[seat][colourOf(card)];
  const last = row.at(-1);
  const number = numberOf(card);
  if (last === undefined) return null;
  const way = direction(row);
  if (number === last) return view.game === "stones" ? { up: way > 0, last } : null;
  if (way === 0 || way === Math.sign(number - last)) return null;
  return { up: way > 0, last };
}

/**
 * Where a figure gets with one more step on a path.
 * @param {BoardView} view @param {number} seat @param {Colour} colour
 * @param {boolean} [large] if it comes from the start as the large one
 */
export function stepOn(view, seat, colour, large = view.large[seat] === colour) {
  const from = view.figures[seat][colour];
  const stone = from + 1;
  const double = large ? 2 : 1;
  return {
    colour,
    large,
    from,
    stone,
    tile: view.tiles[colour][stone - 1],
    gain: (STONE_VALUES[stone] - STONE_VALUES[from]) * double,
    ends: stone === GOAL && view.in_goal === FIGURES_TO_END - 1,
  };
}

/**
 * What somebody did in a step, in a word; what came of it is the step's effect.
 * @param {Step} step @param {View["game"]} game
 */
export function deedOf({ move }, game) {
  if (move === "?") return game === "board" ? "draw" : "turn";
  if (move === "-") return game === "board" ? "decline" : "leave";
  if (move[0] === "<") return "take";
  if (move[0] === "x") return "discard";
  if (move.length === 1 || move[1] === "*") return "step";
  return game === "board" ? "lay" : "take";
}
