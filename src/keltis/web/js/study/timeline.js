/** The time line of a game: what everybody's score was at each position, and where one is. */
import { html, useMemo } from "../../vendor/index.js";
import { PLAYER_PATHS } from "../art.js";
import { number, t } from "../i18n.js";
import { Icon } from "../ui.js";

const WIDTH = 600;
const HEIGHT = 90;

/**
 * Everybody's scores at each position, and how high each stands on the line.
 * @param {import("./film.js").Film} film
 */
function scoresOf(film) {
  const scores = film.positions.map(({ view }) => view.scores);
  const low = Math.min(-4, ...scores.flat()) - 2;
  const high = Math.max(10, ...scores.flat()) + 2;
  return {
    scores,
    low,
    high,
    height: (/** @type {number} */ score) => (score - low) / (high - low),
  };
}

/** @param {{film: import("./film.js").Film, graph: ReturnType<typeof scoresOf>}} props */
function ScoreGraph({ film, graph: { scores, low, high, height } }) {
  const x = (/** @type {number} */ i) => (i / Math.max(1, film.last)) * WIDTH;
  const y = (/** @type {number} */ score) => HEIGHT - height(score) * HEIGHT;
  const line = (/** @type {number} */ seat) => {
    let d = `M0 ${y(scores[0][seat]).toFixed(1)}`;
    scores.forEach((each, i) => {
      if (i && each[seat] !== scores[i - 1][seat])
        d += `H${x(i).toFixed(1)}V${y(each[seat]).toFixed(1)}`;
    });
    return `${d}H${WIDTH}`;
  };
  const ticks = Array.from({ length: 40 }, (_, i) => (i - 10) * 10).filter(
    (tick) => tick > low && tick < high,
  );
  return html`
    <svg
      class="score-graph"
      viewBox="0 0 ${WIDTH} ${HEIGHT}"
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      ${ticks.map(
        (tick) => html`
          <path class="graph-tick ${tick ? "" : "zero"}" d="M0 ${y(tick).toFixed(1)}H${WIDTH}" />
        `,
      )}
      ${scores[0].map(
        (_, seat) => html`
          <g data-player=${seat}>
            <path class="graph-edge" d=${line(seat)} />
            <path class="graph-line" d=${line(seat)} />
          </g>
        `,
      )}
    </svg>
  `;
}

/**
 * @param {{
 *   name: string, label: string, onClick: () => void, disabled?: boolean, main?: boolean,
 *   keys: string,
 * }} props
 */
export function Tool({ name, label, onClick, disabled = false, main = false, keys }) {
  return html`
    <button
      type="button"
      class="film-button ${name} ${main ? "main" : ""}"
      title="${label} (${keys})"
      aria-label=${label}
      disabled=${disabled}
      onClick=${onClick}
    >
      <${Icon} name=${name} />
    </button>
  `;
}

/**
 * @param {object} props
 * @param {import("./film.js").Film} props.film
 * @param {number} props.at
 * @param {boolean} props.running
 * @param {string} props.words what happened last
 * @param {(at: number) => void} props.onGo
 * @param {() => void} props.onRun
 */
export function Timeline({ film, at, running, words, onGo, onRun }) {
  const graph = useMemo(() => scoresOf(film), [film]);
  // Drawn once for a game; only the markers move.
  const lines = useMemo(
    () => html`
      <${ScoreGraph} film=${film} graph=${graph} />
    `,
    [film],
  );
  const input = (/** @type {any} */ event) => onGo(Number(event.currentTarget.value));
  return html`
    <section class="film" aria-label=${t("replay.line")}>
      <p class="film-words" aria-live="polite">${words}</p>
      <output class="film-at">
        ${number(at)}
        <span>${" / "}${number(film.last)}</span>
      </output>
      <div class="film-line">
        ${lines}
        <div
          class="graph-now"
          aria-hidden="true"
          style=${{ left: `${(at / Math.max(1, film.last)) * 100}%` }}
        >
          ${graph.scores[at].map(
            (score, seat) => html`
              <svg
                key=${seat}
                class="graph-marker"
                data-player=${seat}
                viewBox="-12 -12 24 24"
                style=${{ top: `${100 - graph.height(score) * 100}%` }}
              >
                <circle r="11" />
                <path d=${PLAYER_PATHS[seat]} transform="scale(.72)" />
              </svg>
            `,
          )}
        </div>
        <input
          type="range"
          min="0"
          max=${film.last}
          value=${at}
          aria-label=${t("replay.line")}
          aria-valuetext="${t("replay.at", { at, of: film.last })}. ${words}"
          onInput=${input}
        />
      </div>
      <div class="film-tools">
        <${Tool}
          name="first"
          label=${t("replay.first")}
          keys="Home"
          disabled=${at === 0}
          onClick=${() => onGo(0)}
        />
        <${Tool}
          name="previous"
          label=${t("replay.previous")}
          keys="←"
          disabled=${at === 0}
          onClick=${() => onGo(at - 1)}
        />
        <${Tool}
          name=${running ? "pause" : "play"}
          label=${t(running ? "replay.pause" : "replay.play")}
          keys="P"
          main=${true}
          onClick=${onRun}
        />
        <${Tool}
          name="next"
          label=${t("replay.next")}
          keys="→"
          disabled=${at === film.last}
          onClick=${() => onGo(at + 1)}
        />
        <${Tool}
          name="last"
          label=${t("replay.last")}
          keys="End"
          disabled=${at === film.last}
          onClick=${() => onGo(film.last)}
        />
      </div>
    </section>
  `;
}
