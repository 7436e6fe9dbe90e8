/** A game's review: asked of the server, and again as long as the search finds more. */
import { useEffect, useState } from "../../vendor/index.js";
import { request, ServerError } from "../api.js";

/**
 * Shapes of what the server sends (docs/review.md).
 *
 * @typedef {{wins: number, lead: number}} Value
 * @typedef {Value & {move: string, error: Value | null, worlds: number}} Judged
 *
 * @typedef {object} Decision
 * @property {number} step
 * @property {number} seat
 * @property {string} move
 * @property {boolean} forced
 * @property {number} wins before it, if one plays the best
 * @property {number} lead
 * @property {Value} after of the move played
 * @property {string} best
 * @property {Value} loss
 * @property {"network" | "search"} judge
 * @property {Value | null} error
 * @property {number} worlds
 * @property {"forced" | "equal" | "mistake" | "open"} verdict
 * @property {string | null} kind
 * @property {Judged[]} moves all that were judged, best first
 *
 * @typedef {{step: number, seat: number, shown: string | null, wins: number, lead: number}} Luck
 * @typedef {"start" | "deal" | "luck" | "others_luck" | "decisions" | "others_decisions" | "rest"
 *   | "result"} Part
 * @typedef {{lost: number, decisions: number, error: number, like: string, low: string,
 *   high: string}} Skill
 * @typedef {{seat: number, name: string, skill: Skill | null, mistakes: number, lessons: number[],
 *   sum: {wins: Record<Part, number>, lead: Record<Part, number>}}} SeatReview
 * @typedef {{key: string, values: Record<string, any>}} Reason
 *
 * @typedef {object} Review
 * @property {string} format
 * @property {"board" | "stones"} game
 * @property {string[]} players
 * @property {{done: number, planned: number}} searched
 * @property {Decision[]} decisions one for each step
 * @property {Luck[]} luck
 * @property {{seat: number, points: [number, number, number][]}[]} graph
 * @property {SeatReview[]} seats
 * @property {Record<string, {kind: string | null, reasons: Reason[]}>} lessons
 *
 * @typedef {{review: Review, searched: {done: number, planned: number}, searching: boolean}} Answer
 */

/** Milliseconds between two questions: ever longer, so that a slow search costs little. */
const SOON = 1500;
const SLOWER = 1.15;
const LATEST = 8000;

/**
 * @param {string} table whose game it is; "" for a record of one's own
 * @param {any} record
 * @param {number} [known] decisions searched that one has the review of
 * @returns {Promise<Answer>}
 */
function ask(table, record, known) {
  const query = known === undefined ? "" : `?known=${known}`;
  return table
    ? request(`tables/${table}/review${query}`)
    : request(`review${query}`, bare(record));
}

/**
 * What a review is made of: no proofs, nothing of the server that the record is from.
 * @param {any} record
 */
export function bare({ format, game, options, players, setup, moves, result, resigned }) {
  return { format, game, options, players, setup, moves, result, resigned };
}

/**
 * A move that the review does not know: what the server's search says of it.
 * @param {string} table @param {any} record @param {number} step @param {string} move
 * @returns {Promise<{best: string, loss: Value, error: Value, worlds: number, right: boolean}>}
 */
export const judge = (table, record, step, move) =>
  request("review/judge", { ...source(table, record), step, move });

/** @param {string} table @param {any} record */
export const source = (table, record) => (table ? { table } : { record: bare(record) });

/**
 * @param {string} table @param {any} record null: not there yet
 * @returns {{answer: Answer | null, fault: unknown}}
 */
export function useReview(table, record) {
  const [answer, setAnswer] = useState(/** @type {Answer | null} */ (null));
  const [fault, setFault] = useState(/** @type {unknown} */ (null));
  useEffect(() => {
    if (!record) return undefined;
    let timer = 0;
    let wanted = true;
    let pause = SOON;
    const next = async (/** @type {number | undefined} */ known) => {
      try {
        const now = await ask(table, record, known);
        if (!wanted) return;
        // Of several servers, one may have searched less than another.
        setAnswer((last) =>
          last && last.searched.done > now.searched.done
            ? { ...last, searching: now.searching }
            : { ...now, review: now.review ?? last?.review },
        );
        if (now.searching) again(now.searched.done);
      } catch (error) {
        if (!wanted) return;
        const late = error instanceof ServerError && error.code === "rate_limited";
        if (!late && known === undefined) {
          setFault(error);
          return;
        }
        const wait = late ? Number(error.more.retry_after) || 1 : 5;
        again(known, 1000 * wait);
      }
    };
    const again = (/** @type {number | undefined} */ known, least = 0) => {
      timer = window.setTimeout(() => void next(known), Math.max(pause, least));
      pause = Math.min(LATEST, pause * SLOWER);
    };
    void next(undefined);
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [table, record]);
  return { answer, fault };
}
