/** The chance to win over all decisions, with bars of luck and of decisions under it. */
import { html, useMemo, useState } from "../../vendor/index.js";
import { PLAYER_PATHS } from "../art.js";
import { number, percent, plusPercent, t } from "../i18n.js";
import { Tool } from "../study/timeline.js";
import { mistakesOf } from "./words.js";

/** @typedef {import("./load.js").Review} Review */

const WIDTH = 600;
const HEIGHT = 100; // of the lines; as much again is below them:
const GAP = 18; // for the name of a band of bars
const BAR = 20; // the longest of its bars, up or down
const LUCK = HEIGHT + GAP + BAR; // where bars of luck begin, and those of what was given away
const LOST = LUCK + BAR + GAP;
const ALL = 2 * HEIGHT;
const LEAST = 0.02; // of a win: the longest bar is for at least so much,
const MOST = 0.2; // and for at most so much, else one blunder would leave nothing of the others

/**
 * The chance of a seat at each position, straight from one known value to the next.
 * @param {[number, number, number][]} points @param {number} last
 */
export function chances(points, last) {
  const found = new Array(last + 1).fill(points[0]?.[1] ?? 0);
  points.forEach(([step, wins], i) => {
    const [next, then] = points[i + 1] ?? [last, wins];
    for (let at = step; at <= last && at <= next; at += 1)
      found[at] = next === step ? wins : wins + ((then - wins) * (at - step)) / (next - step);
  });
  return found;
}

/** All lines and bars of a review, by position. @param {Review} review @param {number} last */
export function seriesOf(review, last) {
  const wins = review.players.map((_, seat) =>
    chances(review.graph.find((one) => one.seat === seat)?.points ?? [], last),
  );
  const longest = Math.max(
    LEAST,
    ...review.luck.map((one) => Math.abs(one.wins)),
    ...review.decisions.map((one) => one.loss.wins),
  );
  const most = Math.min(MOST, longest);
  return { wins, most };
}

/** @typedef {ReturnType<typeof seriesOf>} Series */

/**
 * @param {{review: Review, series: Series, last: number, seat: number}} props
 */
function Lines({ review, series, last, seat }) {
  const x = (/** @type {number} */ at) => ((at / Math.max(1, last)) * WIDTH).toFixed(1);
  const y = (/** @type {number} */ wins) => (HEIGHT - wins * HEIGHT).toFixed(1);
  const wide = Math.max(2.4, (WIDTH / Math.max(1, last)) * 0.8);
  const bar = (
    /** @type {number} */ step,
    /** @type {number} */ wins,
    /** @type {number} */ zero,
  ) => {
    const share = Math.min(1, Math.abs(wins) / series.most);
    const tall = Math.max(Math.abs(wins) >= 0.005 ? 1.5 : 0, share * BAR);
    const left = (Number(x(step + 0.5)) - wide / 2).toFixed(1);
    return html`
      <rect
        class=${wins < 0 ? "worse" : "better"}
        x=${left}
        y=${(wins < 0 ? zero : zero - tall).toFixed(1)}
        width=${wide.toFixed(1)}
        height=${tall.toFixed(1)}
      />
    `;
  };
  return html`
    <svg
      class="score-graph chance-graph"
      viewBox="0 0 ${WIDTH} ${ALL}"
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      ${[0, 0.25, 0.5, 0.75, 1].map(
        (tick) => html`
          <path class="graph-tick ${tick === 0.5 ? "zero" : ""}" d="M0 ${y(tick)}H${WIDTH}" />
        `,
      )}
      ${[LUCK, LOST].map(
        (zero) => html`
          <path class="graph-tick" d="M0 ${zero}H${WIDTH}" />
        `,
      )}
      ${review.luck.filter((one) => one.seat === seat).map((one) => bar(one.step, one.wins, LUCK))}
      ${review.decisions
        .filter((one) => one.seat === seat && one.loss.wins > 0)
        .map((one) => bar(one.step, -one.loss.wins, LOST))}
      ${series.wins.map(
        (line, each) => html`
          <g data-player=${each} class=${each === seat ? "front" : ""}>
            ${["graph-edge", "graph-line"].map(
              (name) => html`
                <path
                  class=${name}
                  d=${line.map((wins, at) => `${at ? "L" : "M"}${x(at)} ${y(wins)}`).join("")}
                />
              `,
            )}
          </g>
        `,
      )}
    </svg>
  `;
}

/**
 * @param {object} props
 * @param {Review} props.review
 * @param {number} props.last position
 * @param {number} props.at
 * @param {number} props.seat whose bars and marks are shown
 * @param {string} props.words what happened last
 * @param {(at: number) => void} props.onGo
 * @param {(way: number) => void} props.onMark to the next or the last mistake
 */
export function ChanceLine({ review, last, at, seat, words, onGo, onMark }) {
  const [over, setOver] = useState(/** @type {number | null} */ (null));
  const series = useMemo(() => seriesOf(review, last), [review, last]);
  const lines = useMemo(
    () => html`
      <${Lines} review=${review} series=${series} last=${last} seat=${seat} />
    `,
    [review, last, seat],
  );
  const place = (/** @type {number} */ position) => `${(position / Math.max(1, last)) * 100}%`;
  const now = review.players.map((_, each) => each);
  const drawn = useMemo(() => new Map(review.luck.map((one) => [one.step, one.wins])), [review]);
  /** Everybody's chance at a position, and what the last decision brought. */
  const said = (/** @type {number} */ position) => {
    const parts = now.map((each) =>
      t("review.chance.of", {
        name: review.players[each],
        wins: percent(series.wins[each][position]),
      }),
    );
    const luck = drawn.get(position - 1) ?? 0;
    const lost = review.decisions[position - 1]?.loss.wins ?? 0;
    if (Math.abs(luck) >= 0.005) parts.push(`${t("review.col.luck")} ${plusPercent(luck)}`);
    if (lost >= 0.005) parts.push(`${t("review.col.lost")} ${percent(lost)}`);
    return parts.join(", ");
  };
  const hover = (/** @type {any} */ event) => {
    if (event.pointerType !== "mouse" || event.buttons) {
      setOver(null);
      return;
    }
    const box = event.currentTarget.getBoundingClientRect();
    const share = (event.clientX - box.left) / box.width;
    setOver(Math.max(0, Math.min(last, Math.round(share * last))));
  };
  const marks = mistakesOf(review, seat).map((step) => review.decisions[step]);
  return html`
    <section class="film review-film" aria-label=${t("review.graph")}>
      <p class="film-words" aria-live="polite">${words}</p>
      <output class="film-at">
        ${number(at)}
        <span>${" / "}${number(last)}</span>
      </output>
      <div
        class="film-line chance-line"
        onPointerMove=${hover}
        onPointerLeave=${() => setOver(null)}
      >
        ${lines}
        <span class="chance-half" aria-hidden="true">${percent(0.5)}</span>
        ${[
          [HEIGHT, t("review.bars.luck")],
          [LOST - GAP, t("review.col.lost")],
        ].map(
          ([top, label]) => html`
            <span
              key=${top}
              class="chance-band"
              style=${{ top: `${(100 * Number(top)) / ALL}%` }}
              aria-hidden="true"
            >
              ${label}
            </span>
          `,
        )}
        <div class="chance-plane" aria-hidden="true">
          ${marks.map(
            (one) => html`
              <span
                key=${one.step}
                class="chance-mark ${one.verdict}"
                style=${{
                  left: place(one.step),
                  top: `${100 - 100 * series.wins[seat][one.step]}%`,
                }}
              ></span>
            `,
          )}
          <div class="graph-now" style=${{ left: place(at) }}>
            ${now.map(
              (each) => html`
                <svg
                  key=${each}
                  class="graph-marker"
                  data-player=${each}
                  viewBox="-12 -12 24 24"
                  style=${{ top: `${100 - 100 * series.wins[each][at]}%` }}
                >
                  <circle r="11" />
                  <path d=${PLAYER_PATHS[each]} transform="scale(.72)" />
                </svg>
              `,
            )}
          </div>
          ${
            over !== null &&
            html`
              <div class="chance-over" style=${{ left: place(over) }}>
                <span class=${over > last / 2 ? "left" : ""}>${number(over)}: ${said(over)}</span>
              </div>
            `
          }
        </div>
        <input
          type="range"
          min="0"
          max=${last}
          value=${at}
          aria-label=${t("review.graph")}
          aria-valuetext="${t("replay.at", { at, of: last })}. ${said(at)}. ${words}"
          onInput=${(/** @type {any} */ event) => onGo(Number(event.currentTarget.value))}
        />
      </div>
      <div class="film-tools">
        <${Tool}
          name="first"
          label=${t("review.mark.previous")}
          keys="Page ↑"
          disabled=${!marks.some((one) => one.step < at)}
          onClick=${() => onMark(-1)}
        />
        <${Tool}
          name="previous"
          label=${t("replay.previous")}
          keys="←"
          disabled=${at === 0}
          onClick=${() => onGo(at - 1)}
        />
        <${Tool}
          name="next"
          label=${t("replay.next")}
          keys="→"
          disabled=${at === last}
          onClick=${() => onGo(at + 1)}
        />
        <${Tool}
          name="last"
          label=${t("review.mark.next")}
          keys="Page ↓"
          disabled=${!marks.some((one) => one.step > at)}
          onClick=${() => onMark(1)}
        />
      </div>
    </section>
  `;
}

/**
 * The same for those who would rather read numbers.
 * @param {{review: Review, words: (step: number) => string, onGo: (at: number) => void}} props
 */
export function GraphTable({ review, words, onGo }) {
  const luck = useMemo(() => new Map(review.luck.map((one) => [one.step, one])), [review]);
  // As the lines have it: each seat's chance where it decides.
  const wins = useMemo(
    () => review.graph.map((line) => new Map(line.points.map(([step, chance]) => [step, chance]))),
    [review],
  );
  return html`
    <div class="games-wide" tabindex="0" role="region" aria-label=${t("review.table")}>
      <table class="games-table">
        <thead>
          <tr>
            <th scope="col">${t("review.col.decision")}</th>
            <th scope="col">${t("review.col.player")}</th>
            <th scope="col">${t("review.col.wins")}</th>
            <th scope="col">${t("review.col.lost")}</th>
            <th scope="col">${t("review.col.luck")}</th>
            <th scope="col">${t("review.col.move")}</th>
          </tr>
        </thead>
        <tbody>
          ${review.decisions.map((one) => {
            const drawn = luck.get(one.step);
            return html`
              <tr key=${one.step}>
                <th scope="row">
                  <button type="button" class="link-button" onClick=${() => onGo(one.step)}>
                    ${number(one.step + 1)}
                  </button>
                </th>
                <td>${review.players[one.seat]}</td>
                <td>${percent(wins[one.seat].get(one.step) ?? one.wins)}</td>
                <td>${one.loss.wins > 0 ? plusPercent(-one.loss.wins) : "–"}</td>
                <td>${drawn ? plusPercent(drawn.wins) : "–"}</td>
                <td>${words(one.step)}</td>
              </tr>
            `;
          })}
        </tbody>
      </table>
    </div>
  `;
}
