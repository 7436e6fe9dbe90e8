/** Days and their deals by name, and the end of the server's chain as this browser first saw it. */
import { locale } from "../i18n.js";

/**
 * @typedef {{
 *   place: number, of: number, alike: number, better_than: number | null,
 * }} Place
 * @typedef {{
 *   deal: string, game: "board" | "stones", bot: string,
 *   state: null | "playing" | "finished" | "given up" | "late", table: string | null,
 *   lead: number | null, score: number | null, finished: number,
 *   leads?: [number, number][], given_up?: number, place?: Place | null,
 *   par?: {runs: number, leads: number[]},
 *   other_way?: null | {
 *     step: number, decision: number, lead: number,
 *     yours: import("../types.js").Step, theirs: import("../types.js").Step,
 *   },
 * }} Deal what one is told of a deal: the more, once one has played it
 * @typedef {{
 *   day: string, today: string, first_day: string, open: boolean, closed: boolean,
 *   anchor: string, link: string | null, streak: number, deals: Deal[],
 * }} Day
 */

/** Whether nothing of a day is left to play for. @param {Day} day */
export const isDone = ({ deals }) =>
  deals.every((deal) => deal.state !== null && deal.state !== "playing");

/** The day that a deal is of; "" if it is no day's. @param {string | null | undefined} deal */
export const dayOf = (deal) => /^(\d{4}-\d\d-\d\d)-[bs][rd]$/.exec(deal ?? "")?.[1] ?? "";

/** Where a record is: of a table, or of the best game of a day's deal. @param {string} name */
export const recordPath = (name) => (dayOf(name) ? `days/best/${name}` : `tables/${name}/record`);

/** @param {string} day @param {number} days */
export function after(day, days) {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}

/**
 * A date as the language writes it.
 * @param {string} day @param {"full" | "long" | "medium"} [style]
 */
export const dateWords = (day, style = "long") =>
  new Intl.DateTimeFormat(locale.value, { dateStyle: style, timeZone: "UTC" }).format(
    new Date(`${day}T00:00:00Z`),
  );

/** When a day begins, by the clock here. @param {string} day */
export const beginsAt = (day) =>
  new Intl.DateTimeFormat(locale.value, { timeStyle: "short" }).format(
    new Date(`${day}T00:00:00Z`),
  );

// --- The anchor ----------------------------------------------------------------------------

/** @typedef {{anchor: string, at: number}} Kept */

const STORE = `keltis-anchor ${new URL(document.baseURI).pathname}`;
/** For a browser that keeps nothing. @type {Kept | null} */
let memory = null;

/** What was kept; null at first sight. @returns {Kept | null} */
function kept() {
  try {
    const found = JSON.parse(localStorage.getItem(STORE) ?? "{}");
    if (typeof found.anchor === "string" && found.at > 0) return found;
  } catch {
    // As if nothing had been kept there.
  }
  return memory;
}

/** Keeps an anchor in the place of any other. @param {string} anchor */
export function keepAnchor(anchor) {
  memory = { anchor, at: Date.now() };
  try {
    localStorage.setItem(STORE, JSON.stringify(memory));
  } catch {
    // It is kept until the page is left.
  }
  return memory;
}

/** The anchor that this browser saw first; it is kept from now on. @param {string} anchor */
export const firstAnchor = (anchor) => kept() ?? keepAnchor(anchor);
