/** Why a record is refused, in the page's language: from the place that the server names. */
import { ServerError } from "../api.js";
import { faultWords } from "../faults.js";
import { t } from "../i18n.js";
import { cardName, sentence } from "../words.js";

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
 * What speaks against a move, as the server says (docs/protocol.md).
 * @typedef {object} Illegal
 * @property {number} place of the move
 * @property {number | null} seat
 * @property {keyof typeof DUE | "over"} phase
 * @property {string} reason
 * @property {string | null} card
 * @property {number | null} top
 */

/** @param {Illegal} illegal */
function reasonWords({ phase, reason, card, top }) {
  const name = card ? cardName(card) : "";
  if (reason === "hold") return t("replay.why.hand", { card: name });
  if (reason === "hidden" || reason === "taken") return t("replay.why.open", { card: name });
  if (reason === "rising") return t("replay.why.rising", { card: name, top: top ?? 0 });
  if (reason === "falling") return t("replay.why.falling", { card: name, top: top ?? 0 });
  return phase === "over" ? "" : t(DUE[phase]);
}

/** A record that goes wrong at a decision. @param {any} record @param {Illegal} illegal */
function moveFault(record, illegal) {
  const n = illegal.place + 1;
  if (illegal.seat === null) return t("replay.bad.over", { n });
  const move = String(record.moves[illegal.place]).slice(0, 12);
  const name = record.players[illegal.seat];
  const fault = t("replay.bad.move", { n, move: `“${move}”`, name });
  return `${fault} ${sentence(reasonWords(illegal))}`;
}

/** @param {unknown} error what loading threw @param {any} record as far as it could be read */
export function wrongWords(error, record) {
  if (!(error instanceof ServerError)) return t("replay.bad");
  if (error.code === "too_large") return t("replay.large");
  if (error.code !== "bad_request") return faultWords(error.code);
  if (error.more.illegal) return moveFault(record, error.more.illegal);
  const place = /^([a-z_]+(?:\.\w+|\[\d+\])*): /.exec(error.message)?.[1] ?? "";
  if (place.startsWith("result")) return t("replay.bad.result");
  return place && place !== "format" ? t("replay.bad.at", { place }) : t("replay.bad");
}
