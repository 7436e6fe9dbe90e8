/** Statistics of one's own games: every plot is part of a table, or has one behind it. */
import { html, useState } from "../../vendor/index.js";
import { decimal, number, percent, plus, plusDecimal, t, when } from "../i18n.js";
import { Select } from "../ui.js";
import { levelName } from "../words.js";

/**
 * @typedef {{by: string, game: "board" | "stones", value: any, games: number, wins: number,
 *   share: number, low: number, high: number}} WinLine
 * @typedef {{table: string, at: string, game: "board" | "stones", score: number, lead: number,
 *   result: string, lost: number | null, luck: number | null}} Point
 * @typedef {{level: string, rating: number, chance: number, games: number, wins: number}} Step
 * @typedef {{game: "board" | "stones", games: number, rating: number | null, error: number | null,
 *   like: string | null, next: string, ladder: Step[]}} Strength
 */

const WIDTH = 600;
const HEIGHT = 200;
const LEFT = 58; // of what is written at the axis
const MEAN_OF = 10;

/** A level by its name in the chosen language, or as the server calls it. @param {string} level */
export const botLevel = (level) => levelName(level) || level;

/** Of levels that play better, a skill number cannot tell which (docs/review.md). */
const BEST_TOLD = "raven";

/** A level as a skill number tells it: "Raven or better". @param {string} level */
export const skillLevel = (level) =>
  level === BEST_TOLD ? t("games.skill.better", { level: botLevel(level) }) : botLevel(level);

/** Which level it is like, where there is enough to tell. @param {string | null} level */
const likeWords = (level) => (level ? t("games.skill.like", { level: skillLevel(level) }) : "–");

/** @param {WinLine} line */
function lineName(line) {
  if (line.by === "level") return botLevel(line.value);
  if (line.by === "players") return t("games.by.players", { n: line.value });
  if (line.by === "seat") return t("games.by.seat", { n: line.value + 1 });
  return t(`game.${line.game}`);
}

const ORDER = ["game", "players", "level", "seat"];

/** @param {{lines: WinLine[], levels: string[]}} props */
export function Wins({ lines, levels }) {
  const place = (/** @type {WinLine} */ line) =>
    line.by === "level" ? levels.indexOf(line.value) : Number(line.value) || 0;
  const sorted = [...lines].sort(
    (a, b) =>
      a.game.localeCompare(b.game) ||
      ORDER.indexOf(a.by) - ORDER.indexOf(b.by) ||
      place(a) - place(b),
  );
  return html`
    <section>
      <h3>${t("games.wins")}</h3>
      <p class="quiet">${t("games.wins.text")}</p>
      <div class="games-wide" tabindex="0" role="region" aria-label=${t("games.wins")}>
        <table class="games-table">
          <thead>
            <tr>
              <th scope="col">${t("games.col.what")}</th>
              <th scope="col">${t("games.col.count")}</th>
              <th scope="col">${t("games.col.share")}</th>
              <th scope="col">${t("games.col.interval")}</th>
            </tr>
          </thead>
          <tbody>
            ${sorted.map(
              (line) => html`
                <tr key=${`${line.game} ${line.by} ${line.value}`} class="by-${line.by}">
                  <th scope="row">${lineName(line)}</th>
                  <td>${number(line.games)}</td>
                  <td>${percent(line.share)}</td>
                  <td class="games-range">
                    <span>
                      ${t("games.range", { low: percent(line.low), high: percent(line.high) })}
                    </span>
                    <svg class="games-interval" viewBox="-3 0 106 14" aria-hidden="true">
                      <path class="axis" d="M0 7H100M50 3V11" />
                      <path class="range" d="M${100 * line.low} 7H${100 * line.high}" />
                      <circle cx=${100 * line.share} cy="7" r="3.2" />
                    </svg>
                  </td>
                </tr>
              `,
            )}
          </tbody>
        </table>
      </div>
    </section>
  `;
}

/** The mean of each and the games before it. @param {number[]} values */
export function means(values) {
  return values.map((_, i) => {
    const last = values.slice(Math.max(0, i - MEAN_OF + 1), i + 1);
    return last.reduce((sum, value) => sum + value, 0) / last.length;
  });
}

/**
 * What can be shown over time: its name, how it is written, and how far its axis reaches at least.
 * @typedef {"lead" | "score" | "luck" | "lost"} Measure
 * @type {Record<Measure, {
 *   name: import("../i18n.js").Key, write: (value: number) => string, low: number, high: number,
 * }>}
 */
const MEASURES = {
  lead: { name: "games.col.lead", write: plus, low: -10, high: 10 },
  score: { name: "games.col.score", write: number, low: 0, high: 10 },
  luck: { name: "games.col.luck", write: plusDecimal, low: -10, high: 10 },
  lost: { name: "games.col.lost", write: decimal, low: 0, high: 1 },
};

/** Of both games or of one. @param {{points: Point[]}} props */
export function OverTime({ points: all }) {
  const [what, setWhat] = useState(/** @type {Measure} */ ("lead"));
  const [game, setGame] = useState("");
  const both = new Set(all.map((point) => point.game)).size > 1;
  const measures = /** @type {Measure[]} */ (Object.keys(MEASURES)).filter((one) =>
    all.some((point) => point[one] !== null),
  );
  const { write, ...axis } = MEASURES[what];
  const points = all.filter((point) => (!game || point.game === game) && point[what] !== null);
  const values = points.map((point) => Number(point[what]));
  const low = Math.min(axis.low, ...values);
  const high = Math.max(axis.high, ...values);
  const x = (/** @type {number} */ i) =>
    points.length > 1 ? LEFT + 8 + ((WIDTH - LEFT - 18) * i) / (points.length - 1) : WIDTH / 2;
  const y = (/** @type {number} */ value) => 14 + ((HEIGHT - 28) * (high - value)) / (high - low);
  const line = means(values)
    .map((mean, i) => `${i ? "L" : "M"}${x(i).toFixed(1)} ${y(mean).toFixed(1)}`)
    .join("");
  return html`
    <section>
      <h3>${t("games.time")}</h3>
      <p class="quiet">${t("games.time.text")}</p>
      <div class="games-filters">
        <${Select}
          label=${t("games.time.what")}
          value=${what}
          options=${measures}
          name=${(/** @type {Measure} */ one) => t(MEASURES[one].name)}
          onChange=${setWhat}
        />
        ${
          both &&
          html`
            <${Select}
              label=${t("games.filter.game")}
              value=${game}
              options=${["", "board", "stones"]}
              name=${(/** @type {string} */ one) =>
                one ? t(one === "board" ? "game.board" : "game.stones") : t("games.all")}
              onChange=${setGame}
            />
          `
        }
      </div>
      <svg class="games-plot" viewBox="0 0 ${WIDTH} ${HEIGHT}" aria-hidden="true">
        ${[...new Set([high, 0, low])].map(
          (value) => html`
            <path key=${`line ${value}`} class="axis" d="M${LEFT} ${y(value)}H${WIDTH}" />
            <text key=${`text ${value}`} x=${LEFT - 6} y=${y(value) + 5}>${write(value)}</text>
          `,
        )}
        ${points.map(
          (point, i) => html`
            <circle key=${point.table} class=${point.result} cx=${x(i)} cy=${y(values[i])} r="3.5">
              <title>${`${when(point.at)}: ${write(values[i])}`}</title>
            </circle>
          `,
        )}
        <path class="mean" d=${line} />
      </svg>
      <details class="games-behind">
        <summary>${t("games.table")}</summary>
        <table class="games-table">
          <thead>
            <tr>
              <th scope="col">${t("games.col.date")}</th>
              <th scope="col">${t("games.col.what")}</th>
              ${measures.map(
                (one) => html`
                  <th key=${one} scope="col">${t(MEASURES[one].name)}</th>
                `,
              )}
            </tr>
          </thead>
          <tbody>
            ${[...points].reverse().map(
              (point) => html`
                <tr key=${point.table}>
                  <th scope="row"><a href="replay/${point.table}">${when(point.at)}</a></th>
                  <td>${t(`game.${point.game}`)}</td>
                  ${measures.map((one) => {
                    const value = point[one];
                    return html`
                      <td key=${one}>${value === null ? "–" : MEASURES[one].write(value)}</td>
                    `;
                  })}
                </tr>
              `,
            )}
          </tbody>
        </table>
      </details>
    </section>
  `;
}

/** @type {Record<string, import("../i18n.js").Key>} */
export const END_WORDS = {
  goal: "games.end.goal",
  deck: "games.end.deck",
  resigned: "games.end.resigned",
  limit: "games.end.limit",
  cut: "games.end.cut",
};

/** @param {{ends: {game: "board" | "stones", ended: string, games: number}[]}} props */
export function Ends({ ends }) {
  const most = Math.max(1, ...ends.map((end) => end.games));
  return html`
    <section>
      <h3>${t("games.ends")}</h3>
      <table class="games-table games-ends">
        <thead>
          <tr>
            <th scope="col">${t("games.col.what")}</th>
            <th scope="col">${t("games.ends")}</th>
            <th scope="col">${t("games.col.count")}</th>
          </tr>
        </thead>
        <tbody>
          ${ends.map(
            (end) => html`
              <tr key=${`${end.game} ${end.ended}`}>
                <th scope="row">${t(`game.${end.game}`)}</th>
                <td>
                  ${t(END_WORDS[end.ended])}
                  <svg
                    class="games-bar"
                    viewBox="0 0 100 4"
                    preserveAspectRatio="none"
                    aria-hidden="true"
                  >
                    <rect width=${(100 * end.games) / most} height="4" rx="1" />
                  </svg>
                </td>
                <td>${number(end.games)}</td>
              </tr>
            `,
          )}
        </tbody>
      </table>
    </section>
  `;
}

/**
 * @typedef {{game: "board" | "stones", players: number, games: number, decisions: number,
 *   lost: number | null, error: number | null, like: string | null, luck: number}} SkillLine
 */

/** @param {number} value @param {number | null} error */
const aboutWords = (value, error) => `${decimal(value)} ± ${decimal(error ?? 0)}`;

/** What reviews say of one's skill and luck. @param {{lines: SkillLine[]}} props */
export function Skill({ lines }) {
  if (!lines.length) return null;
  const games = [...new Set(lines.map((line) => line.game))];
  return html`
    <section>
      <h3>${t("games.skill")}</h3>
      <p class="quiet">${t("games.skill.text")}</p>
      <div class="games-wide games-skill" tabindex="0" role="region" aria-label=${t("games.skill")}>
        <table class="games-table">
          <thead>
            <tr>
              <th scope="col">${t("games.col.what")}</th>
              <th scope="col">${t("games.col.count")}</th>
              <th scope="col">${t("games.col.lost")}</th>
              <th scope="col">${t("games.col.skill")}</th>
              <th scope="col">${t("games.col.luck")}</th>
            </tr>
          </thead>
          ${games.map(
            (game) => html`
              <tbody key=${game}>
                <tr class="by-game">
                  <th scope="rowgroup" colspan="5">${t(`game.${game}`)}</th>
                </tr>
                ${lines
                  .filter((line) => line.game === game)
                  .map(
                    (line) => html`
                      <tr key=${line.players}>
                        <th scope="row">${t("games.by.players", { n: line.players })}</th>
                        <td>${number(line.games)}</td>
                        <td>${line.lost === null ? "–" : aboutWords(line.lost, line.error)}</td>
                        <td>${likeWords(line.like)}</td>
                        <td>${plusDecimal(line.luck)}</td>
                      </tr>
                    `,
                  )}
              </tbody>
            `,
          )}
        </table>
      </div>
    </section>
  `;
}

/** @param {{strength: Strength[], play: (game: string, level: string) => void}} props */
export function Ladders({ strength, play }) {
  return html`
    <section class="games-strength">
      <h2>${t("games.strength")}</h2>
      <p class="quiet">${t("games.strength.text")}</p>
      <div class="games-ladders">
        ${strength.map(
          (own) => html`
            <${Ladder} key=${own.game} own=${own} play=${play} />
          `,
        )}
      </div>
    </section>
  `;
}

/** @param {{own: Strength, play: (game: string, level: string) => void}} props */
function Ladder({ own, play }) {
  const game = t(`game.${own.game}`);
  // A rating is a name more than a number: its digits are not grouped.
  const like =
    own.rating === null
      ? t("games.unrated", { game })
      : t("games.like", {
          game,
          level: botLevel(own.like ?? ""),
          rating: String(own.rating),
          error: String(own.error),
        });
  const next = botLevel(own.next);
  const above = own.ladder.filter((step) => step.rating > (own.rating ?? 0));
  const below = own.ladder.filter((step) => !above.includes(step));
  const line = (/** @type {Step} */ step) => html`
    <tr key=${step.level} class=${step.level === own.next ? "next" : ""}>
      <th scope="row">${botLevel(step.level)}</th>
      <td>${String(step.rating)}</td>
      ${
        own.rating !== null &&
        html`
          <td>${percent(step.chance)}</td>
        `
      }
      <td>${step.games ? `${number(step.wins)} / ${number(step.games)}` : "–"}</td>
    </tr>
  `;
  return html`
    <div class="games-ladder">
      <h3>${like}</h3>
      <table class="games-table">
        <thead>
          <tr>
            <th scope="col">${t("games.col.level")}</th>
            <th scope="col">${t("games.col.rating")}</th>
            ${
              own.rating !== null &&
              html`
                <th scope="col">${t("games.col.chance")}</th>
              `
            }
            <th scope="col">${t("games.col.duels")}</th>
          </tr>
        </thead>
        <tbody>
          ${above.reverse().map(line)}
          ${
            own.rating !== null &&
            html`
              <tr class="own">
                <th scope="row">${t("games.you")}</th>
                <td colspan="3">${`${own.rating}\u00a0±\u00a0${own.error}`}</td>
              </tr>
            `
          }
          ${below.reverse().map(line)}
        </tbody>
      </table>
      <p>${t("games.next", { level: next })}</p>
      <button type="button" class="button main" onClick=${() => play(own.game, own.next)}>
        ${t("games.next.play", { level: next })}
      </button>
    </div>
  `;
}
