/** What the others have done since one's own last decision: it stays marked until the next. */
import { colourOf, deedOf } from "./game.js";

/**
 * @typedef {import("./types.js").Colour} Colour
 * @typedef {import("./types.js").View} View
 *
 * @typedef {object} Recent
 * @property {Map<string, number>} rows how many cards or tiles are new, by "seat-colour"
 * @property {Set<string>} figures that moved, as "seat-colour"
 * @property {Set<string>} piles that were discarded on or taken from
 * @property {Set<string>} tiles that were turned over and left
 */

/** @type {WeakMap<View, Recent>} */
const found = new WeakMap();

/** @param {View} view @returns {Recent} */
export function recent(view) {
  let known = found.get(view);
  if (!known) {
    known = look(view);
    found.set(view, known);
  }
  return known;
}

/** @param {View} view @returns {Recent} */
function look(view) {
  const rows = new Map();
  const figures = new Set();
  const piles = new Set();
  const tiles = new Set();
  // A picture in the rules has no history.
  const all = view.history ?? [];
  const last = all.at(-1);
  // Those who watch see the last turn; who plays, all since the own last decision.
  const ends = (/** @type {number} */ seat) =>
    view.you === null ? seat !== last?.seat : seat === view.you;
  // The figure that moved last is marked, whoever moved it.
  if (last?.effect?.path) figures.add(`${last.seat}-${last.effect.path}`);
  for (let i = all.length - 1; i >= 0 && !ends(all[i].seat); i -= 1) {
    const { seat, move, effect } = all[i];
    const deed = deedOf(all[i], view.game);
    if (effect?.path) figures.add(`${seat}-${effect.path}`);
    if (deed === "lay" || effect?.from) {
      const row = `${seat}-${colourOf(move)}`;
      rows.set(row, (rows.get(row) ?? 0) + 1);
    } else if (deed === "discard" || deed === "take") piles.add(move[1]);
    else if (effect?.left && view.game === "stones" && view.open.includes(effect.left))
      tiles.add(effect.left);
  }
  return { rows, figures, piles, tiles };
}
