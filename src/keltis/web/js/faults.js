/**
 * What went wrong, in the page's language, by the server's stable codes (docs/protocol.md,
 * "Errors").
 */
import { t } from "./i18n.js";

/** @type {Record<string, import("./i18n.js").Key>} */
const WORDS = {
  illegal_move: "error.move",
  cannot_take_back: "error.takeback",
  not_your_turn: "error.turn",
  not_allowed: "error.allowed",
  not_started: "error.begun",
  game_over: "ask.over",
  no_such_seat: "error.seat",
  no_spectators: "table.private",
  bad_invitation: "join.bad",
  seat_taken: "join.taken",
  unknown_table: "table.unknown",
  too_many_tables: "error.tables",
  rate_limited: "error.busy",
  busy: "error.busy",
  stopping: "error.busy",
  offline: "link.lost",
};

/** @param {string} code */
export const faultWords = (code) => t(WORDS[code] ?? "error.other");
