/** What stands beside the graph: the decision, lessons, the sum, everybody's skill and luck. */
import { html } from "../../vendor/index.js";
import { PlayerShape } from "../art.js";
import { skillLevel } from "../games/plots.js";
import { decimal, number, percent, plusDecimal, plusPercent, t } from "../i18n.js";
import { Switch } from "../ui.js";
import { moveWords } from "../words.js";
import {
  costWords,
  insteadWords,
  kindWords,
  luckOf,
  reasonWords,
  shownValue,
  skillWords,
  sureWords,
  verdictWords,
  viewAt,
} from "./words.js";

/**
 * @typedef {import("./load.js").Review} Review
 * @typedef {import("./load.js").Decision} Decision
 * @typedef {import("../study/film.js").Film} Film
 */

const SHOWN = 5; // moves of a decision

/**
 * What could be decided at a position, and what it is worth.
 * @param {{
 *   review: Review, film: Film, at: number, lit: boolean, onLight: (on: boolean) => void,
 * }} props
 */
export function DecisionBox({ review, film, at, lit, onLight }) {
  const decision = review.decisions[at];
  if (!decision)
    return html`
      <section class="review-part">
        <h2>${t("review.decision")}</h2>
        <p class="quiet">${t("review.decision.none")}</p>
      </section>
    `;
  const view = viewAt(film, decision);
  const best = decision.moves.slice(0, SHOWN);
  const played = decision.moves.find((one) => one.move === decision.move);
  const shown = (played && !best.includes(played) ? [...best, played] : best).map((one) => ({
    ...one,
    ...shownValue(review, decision, one),
  }));
  return html`
    <section class="review-part">
      <h2>${t("review.decision.of", { name: review.players[decision.seat] })}</h2>
      <p class="verdict ${decision.verdict}">${verdictWords(decision)}</p>
      <table class="games-table review-moves">
        <thead>
          <tr>
            <th scope="col">${t("review.col.move")}</th>
            <th scope="col">${t("review.col.wins")}</th>
            <th scope="col">${t("review.col.lead")}</th>
          </tr>
        </thead>
        <tbody>
          ${shown.map(
            (one) => html`
              <tr key=${one.move} class=${one.move === decision.move ? "next" : ""}>
                <th scope="row">
                  ${moveWords(one.move, view)}
                  ${
                    one.move === decision.move &&
                    html`
                      ${" "}
                      <span class="tag">${t("review.played")}</span>
                    `
                  }
                </th>
                <td>${percent(one.wins)}</td>
                <td>
                  ${plusDecimal(one.lead)}
                  ${
                    one.error
                      ? html`
                          <span class="quiet">${` ± ${decimal(one.error.lead)}`}</span>
                        `
                      : null
                  }
                </td>
              </tr>
            `,
          )}
        </tbody>
      </table>
      <${Switch} label=${t("review.light")} value=${lit} onChange=${onLight} />
    </section>
  `;
}

/**
 * The decisions of a seat that cost most.
 * @param {{
 *   review: Review, film: Film, seat: number, onGo: (at: number) => void,
 *   onTry: (step: number) => void,
 * }} props
 */
export function Lessons({ review, film, seat, onGo, onTry }) {
  const own = review.seats[seat];
  return html`
    <section class="review-part">
      <h2>${t("review.lessons", { name: own.name })}</h2>
      ${
        !own.lessons.length &&
        html`
          <p>${t("review.lessons.none", { name: own.name })}</p>
        `
      }
      <ol class="review-lessons">
        ${own.lessons.map((step) => {
          const decision = review.decisions[step];
          const lesson = review.lessons[step] ?? { kind: decision.kind, reasons: [] };
          const why = lesson.reasons.map((one) => reasonWords(one, review.game)).filter(Boolean);
          return html`
            <li key=${step}>
              <h3>${kindWords(lesson.kind, review.game)}</h3>
              <p>${insteadWords(decision, film, own.name)}${" "} ${costWords(decision)}</p>
              ${
                why.length > 0 &&
                html`
                  <p>${why.join(" ")}</p>
                `
              }
              <p class="quiet">${sureWords(decision)}</p>
              <p class="end-actions">
                <button type="button" class="button" onClick=${() => onGo(step)}>
                  ${t("review.show")}
                </button>
                <button type="button" class="button" onClick=${() => onTry(step)}>
                  ${t("review.try")}
                </button>
              </p>
            </li>
          `;
        })}
      </ol>
    </section>
  `;
}

/** @type {[Exclude<import("./load.js").Part, "result">, number][]} */
const PARTS = [
  ["start", 1],
  ["deal", 1],
  ["luck", 1],
  ["others_luck", -1],
  ["decisions", 1],
  ["others_decisions", 1],
  ["rest", 1],
];
const PART_WORDS = /** @type {const} */ ({
  start: "review.sum.start",
  deal: "review.sum.deal",
  luck: "review.sum.luck",
  others_luck: "review.sum.others",
  decisions: "review.sum.decisions",
  others_decisions: "review.sum.others_decisions",
  rest: "review.sum.rest",
});

/**
 * The parts of a sum, rounded so that what is shown adds up too: the rest takes what that loses.
 * @param {Record<import("./load.js").Part, number>} sum @param {number} unit
 */
export function shownSum(sum, unit) {
  const round = (/** @type {number} */ value) => Math.round(value / unit);
  const parts = PARTS.map(([part, sign]) => round(sign * sum[part]));
  const rest = round(sum.result) - parts.slice(0, -1).reduce((total, part) => total + part, 0);
  return [...parts.slice(0, -1), rest].map((part) => part * unit);
}

/** Where a result comes from: a sum that adds up. @param {{review: Review, seat: number}} props */
export function Sum({ review, seat }) {
  const { name, sum } = review.seats[seat];
  if (!sum) return null;
  const leads = shownSum(sum.lead, 0.1);
  const wins = shownSum(sum.wins, 0.01);
  const most = Math.max(1, ...leads.map(Math.abs));
  // Nothing is dealt in `stones`.
  const isShown = (/** @type {string} */ part) => part !== "deal" || review.game === "board";
  const bar = (/** @type {number} */ points) => html`
    <svg class="sum-bar" viewBox="-50 0 100 8" preserveAspectRatio="none" aria-hidden="true">
      <path class="axis" d="M0 0V8" />
      <rect
        class=${points < 0 ? "worse" : "better"}
        x=${points < 0 ? (50 * points) / most : 0}
        y="1"
        width=${(50 * Math.abs(points)) / most}
        height="6"
      />
    </svg>
  `;
  return html`
    <section class="review-part">
      <h2>${t("review.sum", { name })}</h2>
      <table class="games-table review-sum">
        <thead>
          <tr>
            <td></td>
            <th scope="col">${t("review.col.lead")}</th>
            <td></td>
            <th scope="col">${t("review.col.wins")}</th>
          </tr>
        </thead>
        <tbody>
          ${PARTS.map(
            ([part], i) =>
              isShown(part) &&
              html`
                <tr key=${part}>
                  <th scope="row">${t(PART_WORDS[part])}</th>
                  <td>${plusDecimal(leads[i])}</td>
                  <td>${bar(leads[i])}</td>
                  <td>${part === "start" ? percent(wins[i]) : plusPercent(wins[i])}</td>
                </tr>
              `,
          )}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">${t("review.sum.result")}</th>
            <td>${plusDecimal(sum.lead.result)}</td>
            <td></td>
            <td>${percent(sum.wins.result)}</td>
          </tr>
        </tfoot>
      </table>
      <p class="quiet">${t("review.sum.text")}</p>
    </section>
  `;
}

/**
 * Everybody's skill and luck; a name brings its seat to the front.
 * @param {{review: Review, front: number, onFront: (seat: number) => void}} props
 */
export function Seats({ review, front, onFront }) {
  return html`
    <section class="review-part">
      <h2>${t("review.seats")}</h2>
      <ul class="review-seats">
        ${review.seats.map((seat) => {
          const luck = luckOf(seat);
          return html`
            <li key=${seat.seat}>
              <button
                type="button"
                class="review-seat"
                aria-pressed=${seat.seat === front}
                onClick=${() => onFront(seat.seat)}
              >
                <span class="review-name">
                  <${PlayerShape} seat=${seat.seat} />
                  ${seat.name}
                </span>
                <span>${skillWords(seat)}</span>
                <span>
                  ${
                    luck &&
                    t("review.luck", {
                      points: plusDecimal(luck.lead),
                      wins: plusPercent(luck.wins),
                    })
                  }
                  ${" · "}${t("review.mistakes", { n: seat.mistakes })}
                </span>
                ${
                  seat.skill?.low &&
                  seat.skill.low !== seat.skill.high &&
                  html`
                    <span class="quiet">
                      ${t("review.skill.range", {
                        low: skillLevel(seat.skill.low),
                        high: skillLevel(seat.skill.high),
                      })}
                    </span>
                  `
                }
              </button>
            </li>
          `;
        })}
      </ul>
    </section>
  `;
}

/**
 * How far the search is.
 * @param {{searched: {done: number, planned: number}, searching: boolean}} props
 */
export function Searched({ searched: { done, planned }, searching }) {
  const words = searching
    ? planned === 0
      ? t("review.begins")
      : t("review.searching", { done: number(done), planned: number(planned) })
    : done < planned
      ? t("review.rests", { done: number(done), planned: number(planned) })
      : planned > 0
        ? t("review.searched", { n: planned })
        : t("review.searched.none");
  return html`
    <p class="review-searched quiet" role="status">
      ${
        searching &&
        planned > 0 &&
        html`
          <progress max=${planned} value=${done} aria-hidden="true"></progress>
        `
      }
      ${words}
    </p>
  `;
}
