/** Cards, choices and what happened, in words of the chosen language. */
import {
  colourOf,
  deedOf,
  misfit,
  numberOf,
  rowWorth,
  stepOn,
  STONE_VALUES,
  SYMBOLS,
} from "./game.js";
import { list, number, t } from "./i18n.js";
import { language } from "./settings.js";

/**
 * @typedef {import("./types.js").Colour} Colour
 * @typedef {import("./types.js").Tile} Tile
 * @typedef {import("./types.js").View} View
 * @typedef {import("./types.js").BoardView} BoardView
 * @typedef {import("./types.js").Step} Step
 */

/** Numbers of cards and tiles. */
const LOWEST = 0;
const HIGHEST = 10;

/** With a capital. @param {string} text */
export const sentence = (text) => text.charAt(0).toLocaleUpperCase(language.value) + text.slice(1);
/** With a full stop, unless it ends with a mark of its own. @param {string} text */
export const ended = (text) => (/[.!?…]$/.test(text) ? text : `${text}.`);
/** @param {Colour} colour */
export const colourName = (colour) => t(/** @type {any} */ (`colour.${colour}`));
/** "the red path", where something stands or moves. @param {Colour} colour */
export const onPath = (colour) => t(/** @type {any} */ (`path.${colour}`));
/** "the red path", which something enters: German needs another case. @param {Colour} colour */
export const ontoPath = (colour) => t(/** @type {any} */ (`onto.${colour}`));
/** "red 7". @param {string} card */
export function cardName(card) {
  const colour = colourOf(card);
  return t(/** @type {any} */ (`card.${colour}`), { number: numberOf(card) });
}

const LEVELS = /** @type {const} */ (["fawn", "hare", "fox", "raven", "bard", "druid"]);

/** A bot's level in the chosen language; "" if it is not one of ours. @param {string} level */
export function levelName(level) {
  const known = LEVELS.find((name) => name === level);
  return known ? t(`level.${known}`) : "";
}

/**
 * What a bot is called: one that has the name of its level has it in the chosen language.
 * @param {string} name such as "Raven" or "Raven 2" @param {string | null} [level]
 */
export function botCalled(name, level) {
  const [first, ...rest] = name.split(" ");
  const own = level && first.toLowerCase() === level ? levelName(level) : "";
  return own ? [own, ...rest].join(" ") : name;
}

/** "red 7 with a clover". @param {string} tile of `stones` */
export function stoneName(tile) {
  const symbol = SYMBOLS[tile];
  const name = cardName(tile);
  if (!symbol) return name;
  if (symbol === "C") return t("tile.with.clover", { tile: name });
  if (symbol === "W") return t("tile.with.wish", { tile: name });
  return t("tile.with.points", { tile: name, points: t("tile.points", { n: Number(symbol) }) });
}

/** @param {number[]} row */
export const rowWords = (row) => (row.length ? row.map(number).join(", ") : t("row.empty"));

/** What somebody did. @param {Step} step @param {View} view */
export function deedWords(step, view) {
  const { seat, move, shown, effect } = step;
  const name = view.players[seat];
  const parts = [];
  switch (deedOf(step, view.game)) {
    case "lay":
      parts.push(t("did.lay", { name, card: cardName(move) }));
      if (effect) parts.push(t("did.reaches", { stone: effect.stone ?? 0 }));
      break;
    case "discard":
      parts.push(t("did.discard", { name, card: cardName(move.slice(1)) }));
      break;
    case "draw":
      parts.push(
        shown ? t("did.draw.shown", { name, card: cardName(shown) }) : t("did.draw", { name }),
      );
      break;
    case "turn":
      parts.push(t("did.turn", { name, tile: stoneName(shown ?? "") }));
      break;
    case "leave":
      parts.push(t(effect ? "did.leave" : "did.stop", { name }));
      break;
    case "decline":
      parts.push(t("did.decline", { name }));
      break;
    case "take":
      parts.push(
        shown
          ? t("did.take", { name, card: cardName(shown) })
          : t("did.take.tile", { name, tile: cardName(move) }),
      );
      break;
    case "step":
      parts.push(
        t(effect?.large ? "did.step.large" : "did.step", {
          name,
          path: onPath(colourOf(move)),
          stone: effect?.stone ?? 0,
        }),
      );
      break;
  }
  if (effect?.found) parts.push(foundWords(effect.found, view));
  return parts.join(t("did.join")) + ".";
}

/** What came of a tile. @param {Tile} tile @param {View} view */
function foundWords(tile, view) {
  if (tile === "C") return t(view.game === "stones" ? "did.clover.turn" : "did.clover");
  if (tile === "W") return t("did.wish");
  return t("did.points", { n: Number(tile) });
}

/**
 * Steps stay the same objects while a game goes on, so each is put into words once a language.
 * @type {WeakMap<Step, {language: string, text: string}>}
 */
const said = new WeakMap();

/** The last turns of a game, one for each player. @param {View} view */
function lastRound({ history, players }) {
  let turns = 0;
  let first = history.length;
  while (first > 0 && turns <= players.length) {
    first -= 1;
    if (history[first].seat !== history[first + 1]?.seat) turns += 1;
  }
  return turns > players.length ? history.slice(first + 1) : history;
}

/**
 * The log of a game, oldest first. Where only the top of a pile is shown, it does not go back
 * further than people at a table see for themselves.
 * @param {View} view
 */
export const logWords = (view) =>
  (view.options.piles === "top" ? lastRound(view) : view.history).map((step) => {
    let known = said.get(step);
    if (known?.language !== language.value) {
      known = { language: language.value, text: deedWords(step, view) };
      said.set(step, known);
    }
    return { seat: step.seat, text: known.text };
  });

/** A choice as a button says it. @param {string} move @param {View} view */
export const moveWords = (move, view) => sentence(choiceWords(move, view));

/** @param {string} move @param {View} view */
export function choiceWords(move, view) {
  if (view.game === "stones") {
    if (move === "?") return t("do.turn");
    if (move === "-") return t(view.phase === "further" ? "do.stop" : "do.leave");
    return t("do.take", { card: stoneName(move) });
  }
  if (move === "?") return t("do.draw");
  if (move === "-") return t("do.decline");
  if (move[0] === "<")
    return t("do.take", { card: cardName(view.piles[colourOf(move.slice(1))].at(-1) ?? move) });
  if (move[0] === "x") return t("do.discard", { card: cardName(move.slice(1)) });
  if (move.length > 1 && move[1] !== "*") return t("do.lay", { card: cardName(move) });
  const colour = colourOf(move);
  if (move[1] === "*") return t("do.step.large", { onto: ontoPath(colour) });
  if (view.figures[view.you ?? 0][colour]) return t("do.step", { path: onPath(colour) });
  return t("do.step.small", { onto: ontoPath(colour) });
}

/**
 * Where one more step on a path leads: "small figure to the −2 stone. Clover: one more step".
 * @param {BoardView} view @param {number} seat @param {Colour} colour @param {boolean} [large]
 * @param {boolean} [either] it is still open whether the small or the large figure comes
 */
export function stepWords(view, seat, colour, large, either = false) {
  const step = stepOn(view, seat, colour, large);
  const value = number(STONE_VALUES[step.stone]);
  const where = t(either ? "leads.either" : step.large ? "leads.large" : "leads.small", { value });
  if (step.ends) return t("leads.with", { where, what: t("leads.ends") });
  if (!step.tile) return where;
  const what =
    step.tile === "C"
      ? t("leads.clover")
      : step.tile === "W"
        ? t("leads.wish")
        : t("leads.points", { n: Number(step.tile) });
  return t("leads.with", { where, what });
}

/**
 * What taking a tile of `stones` makes of its row, and what it shuts out: numbers that fit before
 * and would not fit any more, of those that are not yet in a row.
 * @param {import("./types.js").StonesView} view @param {number} seat @param {string} tile
 */
export function rowAfterWords(view, seat, tile) {
  const colour = colourOf(tile);
  const row = view.rows[seat][colour];
  const laid = new Set(view.rows.flatMap((rows) => rows[colour]));
  const rows = view.rows.with(seat, {
    ...view.rows[seat],
    [colour]: [...row, numberOf(tile)],
  });
  const after = { ...view, rows };
  const numbers = Array.from({ length: HIGHEST - LOWEST + 1 }, (_, i) => LOWEST + i);
  const lost = numbers.filter((value) => {
    const other = `${colour}${value}`;
    return (
      other !== tile && !laid.has(value) && !misfit(view, seat, other) && misfit(after, seat, other)
    );
  });
  const worth = t("take.worth", {
    colour: colourName(colour),
    before: number(rowWorth(row.length)),
    after: number(rowWorth(row.length + 1)),
  });
  if (!lost.length) return sentence(worth);
  const shut = t("take.lost", { n: lost.length, numbers: list(lost.map(number)) });
  return `${sentence(worth)} ${shut}`;
}

/**
 * Why a card does not fit its row; "" if it does.
 * @param {View} view
 * @param {number} seat
 * @param {string} card
 */
export function misfitWords(view, seat, card) {
  const why = misfit(view, seat, card);
  if (!why) return "";
  const values = {
    colour: colourName(colourOf(card)),
    last: why.last,
    row: rowWords(view.rows[seat][colourOf(card)]),
    card: cardName(card),
  };
  const atEnd = why.last === (why.up ? HIGHEST : LOWEST);
  if (view.game === "stones") {
    if (atEnd) return sentence(t("why.finished", values));
    return sentence(t(why.up ? "why.stones.up" : "why.stones.down", values));
  }
  if (atEnd) return sentence(t("why.same", values));
  return sentence(t(why.up ? "why.up" : "why.down", values));
}

/**
 * What the table waits for, for a viewer.
 * @param {View} view @param {boolean} mine
 * @param {boolean} [forced] it happens by itself in a moment
 */
export function promptWords(view, mine, forced = false) {
  if (view.seat === null) return t("ask.over");
  const name = view.players[view.seat];
  if (!mine) return t("ask.other", { name });
  const only = view.legal_moves.length === 1;
  if (view.game === "stones") {
    if (view.phase === "turn")
      return t(
        view.open.some((tile) => view.legal_moves.includes(tile)) ? "ask.turn" : "ask.turn.only",
      );
    if (view.phase === "tile")
      return t(only ? (forced ? "ask.tile.forced" : "ask.tile.only") : "ask.tile");
    return t("ask.further");
  }
  switch (view.phase) {
    case "card":
      return t("ask.card");
    case "figure":
      return t("ask.figure", { onto: ontoPath(/** @type {Colour} */ (view.path)) });
    case "clover":
      return t(view.legal_moves.includes("-") ? "ask.clover" : "ask.clover.must");
    case "end stone":
      return t("ask.endstone");
    default:
      return t(only ? "ask.draw.only" : "ask.draw");
  }
}
