/** Why a record is refused, in the page's language: from the place that the server names. */
import { ServerError } from "../api.js";
import { faultWords } from "../faults.js";
import { colourOf, misfit } from "../game.js";
import { t } from "../i18n.js";
import { cardName, rowWords } from "../words.js";
import { filmOf } from "./film.js";

/** @typedef {import("../types.js").View} View */

const DUE = /** @type {const} */ ({
  card: "replay.due.card",
  figure: "replay.due.figure",
  clover: "replay.due.step",
  "end stone": "replay.due.step",
  draw: "replay.due.draw",
  tile: "replay.due.tile",
  turn: "replay.due.turn",
  further: "replay.due.turn",
});

/**
 * What speaks against a move in a position; about the seat that decides there.
 * @param {View} view
 * @param {string[] | null} hand
 * @param {string} move
 */
function reasonWords(view, hand, move) {
  const card = move.replace("x", "");
  const seat = view.seat ?? 0;
  const isCard = /^[RYVGB]\d+$/.test(card);
  const fits = isCard && (move[0] === "x" || !misfit(view, seat, card));
  if (isCard && view.phase === "card" && hand && !hand.includes(card))
    return t("replay.why.hand", { card: cardName(card) });
  if (isCard && view.game === "stones" && view.phase !== "tile" && !view.open.includes(card))
    return t("replay.why.open", { card: cardName(card) });
  if (isCard && !fits && view.phase !== "draw")
    return t("replay.why.row", {
      card: cardName(card),
      row: rowWords(view.rows[seat][colourOf(card)]),
    });
  return view.phase === "over" ? "" : t(DUE[view.phase]);
}

/** A record that goes wrong at one of its decisions. @param {any} record @param {number} at */
async function moveFault(record, at) {
  const { fair: _, ...rest } = record;
  const film = await filmOf({ ...rest, moves: record.moves.slice(0, at), result: null });
  const { view, hands } = film.positions[film.last];
  if (view.seat === null) return t("replay.bad.over", { n: at + 1 });
  const move = String(record.moves[at]).slice(0, 12);
  const name = view.players[view.seat];
  const fault = t("replay.bad.move", { n: at + 1, move: `“${move}”`, name });
  return `${fault} ${reasonWords(view, hands && hands[view.seat], move)}`;
}

/** @param {unknown} error what loading threw @param {any} record as far as it could be read */
export async function wrongWords(error, record) {
  if (!(error instanceof ServerError)) return t("replay.bad");
  if (error.code === "too_large") return t("replay.large");
  if (error.code !== "bad_request") return faultWords(error.code);
  const place = /^([a-z_]+(?:\.\w+|\[\d+\])*): /.exec(error.message)?.[1] ?? "";
  const at = /^moves\[(\d+)\]$/.exec(place);
  if (at) return moveFault(record, Number(at[1])).catch(() => t("replay.bad.at", { place }));
  if (place.startsWith("result")) return t("replay.bad.result");
  return place && place !== "format" ? t("replay.bad.at", { place }) : t("replay.bad");
}
