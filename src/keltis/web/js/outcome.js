/** How a game ended: who won, why, by how much, and how a series of games stands. */
import { COLOURS, DECISION_LIMIT, wishingWorth, worth } from "./game.js";
import { list, number, t } from "./i18n.js";
import { colourName } from "./words.js";

/**
 * @typedef {import("./types.js").View} View
 * @typedef {import("./types.js").Table} Table
 */

/** The seats whose players have given the game up. @param {Table} table */
export const resignedAt = (table) =>
  table.seats.filter((seat) => seat.why === "resigned").map((seat) => seat.seat);

/**
 * Who resigns against one other player loses to that one; the rules know no such end.
 * @param {View} view
 * @param {number[]} resigned
 */
export function winnersOf(view, resigned) {
  if (view.result?.reason === "cut off" && view.players.length === 2 && resigned.length === 1)
    return [1 - resigned[0]];
  return view.result?.winners ?? [];
}

/** @param {View} view @param {number[]} [resigned] */
export function resultWords(view, resigned = []) {
  if (!view.result) return "";
  const winners = winnersOf(view, resigned);
  const names = winners.map((seat) => view.players[seat]);
  if (!names.length) return t("end.none");
  if (view.you !== null && winners.includes(view.you) && names.length === 1) return t("end.you");
  return names.length === 1
    ? t("end.one", { name: names[0] })
    : t("end.tie", { names: list(names) });
}

/** @param {View} view @param {number[]} [resigned] */
export function reasonWords(view, resigned = []) {
  const reason = view.result?.reason;
  if (reason === "goal") return t("reason.goal");
  if (reason === "deck") return t(view.game === "board" ? "reason.deck" : "reason.tiles");
  if (resigned.length)
    return t("reason.resigned", { names: list(resigned.map((seat) => view.players[seat])) });
  // The rules set no limit, so the server does (docs/server.md).
  if (view.history.length >= DECISION_LIMIT) return t("reason.limit", { n: DECISION_LIMIT });
  return t("reason.cut");
}

/**
 * By how much it was won, and what made most of that; "" where nobody leads.
 * @param {View} view
 */
export function marginWords(view) {
  const winners = view.result?.winners ?? [];
  if (winners.length !== 1) return "";
  const [won] = winners;
  const second = view.scores
    .map((_, seat) => seat)
    .filter((seat) => seat !== won)
    .reduce((best, seat) => (view.scores[seat] > view.scores[best] ? seat : best));
  const margin = view.scores[won] - view.scores[second];
  if (margin <= 0) return "";
  /** @type {{what: string, of: (seat: number) => number}[]} */
  const parts = [
    ...COLOURS.map((colour) => ({
      what: colourName(colour),
      of: (/** @type {number} */ seat) => worth(view, seat, colour),
    })),
    { what: t("tile.wishes"), of: (seat) => wishingWorth(view.wishing_stones[seat]) },
    {
      what: t(view.game === "board" ? "score.points" : "score.bonus"),
      of: (seat) => view.points[seat],
    },
  ];
  const lead = (/** @type {(typeof parts)[number]} */ part) => part.of(won) - part.of(second);
  const most = parts.reduce((best, part) => (lead(part) > lead(best) ? part : best));
  return [
    t("end.margin", { n: margin }),
    t("end.decided", {
      what: most.what,
      mine: number(most.of(won)),
      theirs: number(most.of(second)),
    }),
  ].join(" ");
}

/**
 * How many games of a series each has won, this one included; "" for a first game.
 * @param {Table} table
 * @param {View | undefined} [view] of a game that is over
 */
export function seriesWords(table, view) {
  if (!table.games) return "";
  const now = view ? winnersOf(view, resignedAt(table)) : [];
  const scores = table.seats
    .map((seat) => `${seat.name ?? ""} ${number(seat.wins + (now.includes(seat.seat) ? 1 : 0))}`)
    .join(", ");
  return t("end.series", { scores });
}
