/** Clocks that count down between two messages of the server. */
import { html, useEffect, useRef, useState } from "../../vendor/index.js";
import { t } from "../i18n.js";
import { speak } from "../ui.js";

/** @typedef {import("../live.js").Live} Live */

const SECOND = 1000;
/** Seconds at which one's own clock is told to those who do not see it. */
const TOLD = [30, 10];
const URGENT = 10;

/**
 * Milliseconds that a seat has left for the game and, if it is to decide, for its decision.
 * @param {Live} live
 * @param {number} seat
 */
function leftOf(live, seat) {
  const clock = live.table.value?.clock;
  if (!clock) return [];
  const running = clock.running === seat;
  const gone = running ? performance.now() - live.clockAt.value : 0;
  const left = [];
  if (running && clock.move_left !== null) left.push(clock.move_left - gone);
  if (clock.left[seat] !== null) left.push(clock.left[seat] - gone);
  return left;
}

/** @param {number} ms */
const seconds = (ms) => Math.max(0, Math.ceil(ms / SECOND));

/** @param {number} ms */
function timeWords(ms) {
  const all = seconds(ms);
  return `${Math.floor(all / 60)}:${String(all % 60).padStart(2, "0")}`;
}

/** For a line: "0:41 · 13:32". @param {Live} live @param {number} seat */
export const clockWords = (live, seat) => leftOf(live, seat).map(timeWords).join(" · ");

/** Renders once a second while something counts down. @param {boolean} on */
export function useTick(on) {
  const [, setTick] = useState(0);
  useEffect(() => {
    if (!on) return undefined;
    const timer = setInterval(() => setTick((old) => old + 1), SECOND);
    return () => clearInterval(timer);
  }, [on]);
}

/** One's own clock, where what is asked stands. @param {{live: Live, seat: number}} props */
export function OwnClock({ live, seat }) {
  const clock = live.table.value?.clock;
  const running = clock?.running === seat;
  useTick(running);
  const left = leftOf(live, seat);
  // What runs out first is what counts.
  const least = left.length ? seconds(Math.min(...left)) : Infinity;
  // A clock that only begins to run is not told: it is told when it runs out.
  const before = useRef(0);
  useEffect(() => {
    const mark = TOLD.findLast((one) => least <= one && before.current > one);
    before.current = running ? least : 0;
    if (mark) speak(t("clock.left", { n: mark }));
  }, [least, running]);
  if (!left.length) return null;
  const [first, ...more] = [...left].sort((a, b) => a - b);
  return html`
    <p class="own-clock ${running ? "running" : ""} ${running && least < URGENT ? "urgent" : ""}">
      <span class="visually-hidden">${t("clock.yours")}</span>
      <strong>${timeWords(first)}</strong>
      ${more.map(
        (ms) => html`
          <small>${timeWords(ms)}</small>
        `,
      )}
    </p>
  `;
}
