/** How everybody fared with a deal: a picture with oneself and par in it, and a table behind it. */
import { html } from "../../vendor/index.js";
import { number, plus, t } from "../i18n.js";

const WIDTH = 480;
const HEIGHT = 156;
const FLOOR = 102; // where the bars stand
const TOP = 28;
const SIDE = 14;
const MOST_BARS = 30;

/**
 * @typedef {{from: number, to: number, count: number}} Bar leads from one to another
 */

/**
 * Leads in bars of equal width, all that is to be seen included; 0 begins a bar.
 * @param {[number, number][]} leads @param {number[]} others leads that must be inside too
 * @returns {Bar[]}
 */
export function barsOf(leads, others) {
  const all = [...leads.map(([lead]) => lead), ...others, -5, 5];
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const wide = [1, 2, 5, 10, 20, 50].find((each) => (high - low) / each < MOST_BARS - 1) ?? 100;
  const bars = [];
  for (let from = wide * Math.floor(low / wide); from <= high; from += wide)
    bars.push({ from, to: from + wide - 1, count: 0 });
  for (const [lead, count] of leads) bars[Math.floor((lead - bars[0].from) / wide)].count += count;
  return bars;
}

/** @param {Bar} bar */
const nameOf = ({ from, to }) =>
  from === to ? plus(from) : t("day.range", { low: plus(from), high: plus(to) });

/**
 * @param {{leads: [number, number][], own: number | null, par: number[]}} props
 */
export function Distribution({ leads, own, par }) {
  const bars = barsOf(leads, own === null ? par : [...par, own]);
  const most = Math.max(1, ...bars.map((bar) => bar.count));
  const step = (WIDTH - 2 * SIDE) / bars.length;
  const wide = bars[0].to - bars[0].from + 1;
  /** The middle of where a lead stands. @param {number} lead */
  const x = (lead) => SIDE + (step * (lead - bars[0].from + 0.5)) / wide;
  const holds = (/** @type {Bar} */ bar) => own !== null && bar.from <= own && own <= bar.to;
  const mean = par.reduce((sum, lead) => sum + lead, 0) / par.length;
  const every = Math.ceil(bars.length / 8);
  const zero = bars.findIndex((bar) => bar.from === 0);
  return html`
    <svg class="day-plot" viewBox="0 0 ${WIDTH} ${HEIGHT}" aria-hidden="true">
      ${bars.map((bar, i) => {
        const height = bar.count && Math.max(2, ((FLOOR - TOP) * bar.count) / most);
        return html`
          <rect
            key=${bar.from}
            class=${holds(bar) ? "own" : ""}
            x=${SIDE + step * i + 0.75}
            y=${FLOOR - height}
            width=${step - 1.5}
            height=${height}
            rx="1.5"
          >
            <title>${`${nameOf(bar)}: ${number(bar.count)}`}</title>
          </rect>
        `;
      })}
      <path class="axis" d="M${SIDE} ${FLOOR}H${WIDTH - SIDE}" />
      <path class="axis zero" d="M${SIDE + step * zero} ${TOP - 8}V${FLOOR + 5}" />
      ${bars.map(
        (bar, i) =>
          (i - zero) % every === 0 &&
          html`
            <text key=${bar.from} x=${SIDE + step * i} y=${FLOOR + 18}>${plus(bar.from)}</text>
          `,
      )}
      ${
        own !== null &&
        html`
          <path class="own-mark" d="M${x(own)} ${TOP - 3}l-5.5 -9h11z" />
          <text class="own-name" x=${Math.min(WIDTH - 40, Math.max(40, x(own)))} y="13">
            ${t("day.you")}
          </text>
        `
      }
      ${
        par.length > 0 &&
        html`
          <path
            class="par"
            d="M${x(Math.min(...par))} ${FLOOR + 32}H${x(Math.max(...par))}
               M${x(Math.min(...par))} ${FLOOR + 28}v8M${x(Math.max(...par))} ${FLOOR + 28}v8"
          />
          <path class="par-mean" d="M${x(mean)} ${FLOOR + 26}l6 6l-6 6l-6 -6z" />
          <text x=${Math.min(WIDTH - 30, Math.max(30, x(mean)))} y=${FLOOR + 50}>
            ${t("day.par.name")}
          </text>
        `
      }
    </svg>
    <details class="games-behind">
      <summary>${t("day.table")}</summary>
      <table class="games-table">
        <thead>
          <tr>
            <th scope="col">${t("day.col.lead")}</th>
            <th scope="col">${t("day.col.count")}</th>
          </tr>
        </thead>
        <tbody>
          ${[...bars]
            .reverse()
            .filter((bar) => bar.count || holds(bar))
            .map(
              (bar) => html`
                <tr key=${bar.from} class=${holds(bar) ? "next" : ""}>
                  <th scope="row">${nameOf(bar)}</th>
                  <td>${number(bar.count)}${holds(bar) && ` (${t("day.you")})`}</td>
                </tr>
              `,
            )}
        </tbody>
      </table>
    </details>
  `;
}
