/**
 * The board: five stone paths that rise from the start stone. It fills the box it is given; its
 * columns stand where the columns of rows and piles below it stand (--gutter, five equal parts,
 * --rim).
 */
import { html, useLayoutEffect, useMemo, useRef, useState } from "../vendor/index.js";
import {
  COLOUR_PATHS,
  Figure,
  figureMark,
  PLAYER_PATHS,
  plait,
  tileMark,
  TileSymbol,
  triskele,
} from "./art.js";
import { COLOURS, DARK_STONES, END_STONE, FIGURES_TO_END, GOAL, STONE_VALUES } from "./game.js";
import { number, plus, t } from "./i18n.js";
import { recent } from "./recent.js";
import { onPath } from "./words.js";

/**
 * @typedef {import("./types.js").Colour} Colour
 * @typedef {import("./types.js").BoardView} BoardView
 */

/**
 * A place on the board that can be chosen.
 * @typedef {object} Choice
 * @property {string} move
 * @property {Colour} colour
 * @property {number} stone where the figure gets
 * @property {boolean} large
 * @property {boolean} either the small or the large figure: which one is asked afterwards
 * @property {number} gain in worth of the figure's place
 * @property {import("./types.js").Tile} tile that lies there
 * @property {string} where it leads, in words
 * @property {string} label
 */

const GUTTER = 80;
const COLUMN = 100;
const RIM = 12;
const WIDTH = GUTTER + 5 * COLUMN + RIM;
/** Below this height the stones need the room of what stands above and below them. */
const LOW = 540;
/** While a window changes its shape, the box may for a moment be too low for any board. */
const LOWEST = 240;

/** A number in [0, 1) that is always the same for a place. @param {number} a @param {number} b */
function chance(a, b) {
  const x = Math.sin(a * 127.1 + b * 311.7) * 43758.5453;
  return x - Math.floor(x);
}

/** @param {number} height */
function geometry(height) {
  const low = height < LOW;
  const top = low ? 40 : 50;
  const start = low ? 66 : 92;
  const step = (height - top - start) / END_STONE;
  const ry = Math.min(26, step * 0.43);
  return {
    height,
    top,
    step,
    ry,
    slab: low ? 27 : 37,
    rx: 38,
    /** @param {number} column @param {number} stone */
    at: (column, stone) => ({
      x: GUTTER + COLUMN * (column + 0.5) + (stone % 2 ? 1 : -1) * (4 + 2 * chance(column, stone)),
      y: top + step * (END_STONE - stone + 0.5),
    }),
    startY: height - start / 2 - 2,
  };
}

/** An uneven round outline. @param {number} rx @param {number} ry @param {number} seed */
function outline(rx, ry, seed) {
  const count = 9;
  const points = Array.from({ length: count }, (_, i) => {
    const a = (i / count) * 2 * Math.PI;
    const r = 1 + (chance(seed, i) - 0.5) * 0.13;
    // Between an ellipse and a box: worn slabs.
    const c = Math.sign(Math.cos(a)) * Math.abs(Math.cos(a)) ** 0.78;
    const s = Math.sign(Math.sin(a)) * Math.abs(Math.sin(a)) ** 0.78;
    return [c * rx * r, s * ry * r];
  });
  let d = "";
  for (let i = 0; i < count; i += 1) {
    const [p0, p1, p2, p3] = [-1, 0, 1, 2].map((k) => points[(i + k + count) % count]);
    if (!i) d += `M${p1[0].toFixed(1)} ${p1[1].toFixed(1)}`;
    const c1 = [p1[0] + (p2[0] - p0[0]) / 6, p1[1] + (p2[1] - p0[1]) / 6];
    const c2 = [p2[0] - (p3[0] - p1[0]) / 6, p2[1] - (p3[1] - p1[1]) / 6];
    d += `C${[...c1, ...c2, ...p2].map((v) => v.toFixed(1)).join(" ")}`;
  }
  return `${d}Z`;
}

/** What never changes while a game is played. @param {{g: ReturnType<typeof geometry>}} props */
function Ground({ g }) {
  const stones = COLOURS.flatMap((colour, column) =>
    Array.from({ length: END_STONE }, (_, i) => END_STONE - i).map((stone) => {
      const { x, y } = g.at(column, stone);
      const dark = DARK_STONES[colour].includes(stone) || stone === END_STONE;
      const shape = outline(g.rx + (stone === END_STONE ? 3 : 0), g.ry, column * 10 + stone);
      const tilt = (chance(stone, column) - 0.5) * 7;
      return html`
        <g
          class="stone ${dark ? "dark" : ""}"
          data-colour=${colour}
          transform="translate(${x} ${y}) rotate(${tilt})"
        >
          <path class="stone-shade" d=${shape} transform="translate(3 8) scale(1.02)" />
          <path class="stone-side" d=${shape} transform="translate(0 5)" />
          <path class="stone-face" d=${shape} />
          <path class="stone-carving" d=${shape} transform="scale(.84 .8)" />
          <path
            class="stone-glint"
            d="M${-g.rx * 0.62} ${-g.ry * 0.52}Q${-g.rx * 0.2} ${-g.ry * 0.98} ${g.rx * 0.42} ${-g.ry * 0.74}"
          />
        </g>
      `;
    }),
  );
  const goalTop = g.top - 2;
  const goalHeight = g.step * (END_STONE - GOAL + 1);
  const slab = outline(232, g.slab, 77);
  return html`
    <g>
      <rect class="board-ground" width=${WIDTH} height=${g.height} rx="18" />
      <rect
        class="board-goal"
        x=${GUTTER - 2}
        y=${goalTop}
        width=${5 * COLUMN + 4}
        height=${goalHeight}
        rx="14"
      />
      <g class="board-plait" transform="translate(${GUTTER + 4} ${goalTop + goalHeight})">
        ${plait(5 * COLUMN - 8, 8, 20)}
      </g>
      ${COLOURS.map((colour, column) => {
        const points = Array.from({ length: END_STONE }, (_, i) => g.at(column, i + 1));
        const trail = points.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L");
        const foot = `M${GUTTER + 2.5 * COLUMN + (column - 2) * 84} ${g.startY}L`;
        const top = points[END_STONE - 1];
        return html`
          <g data-colour=${colour}>
            <path class="trail" d="${foot}${trail}" />
            <path class="trail-edge" d="${foot}${trail}" />
            <g transform="translate(${top.x} ${g.top * 0.52}) scale(${g.top / 50})" class="menhir">
              <path
                class="menhir-shade"
                d="M-19 24L-17 -8C-15 -20 -6 -23 2 -22C12 -21 17 -14 18 -4L21 24Z"
                transform="translate(4 3)"
              />
              <path
                class="menhir-body"
                d="M-19 24L-17 -8C-15 -20 -6 -23 2 -22C12 -21 17 -14 18 -4L21 24Z"
              />
              <path
                class="menhir-sign"
                d=${COLOUR_PATHS[colour]}
                transform="translate(0 2) scale(1.05)"
              />
            </g>
          </g>
        `;
      })}
      <g transform="translate(${GUTTER + 2.5 * COLUMN} ${g.startY})" class="start-stone">
        <path class="stone-shade" d=${slab} transform="translate(4 9)" />
        <path class="stone-side" d=${slab} transform="translate(0 6)" />
        <path class="stone-face" d=${slab} />
        <path class="start-carving" d=${slab} transform="scale(.965 .82)" />
        <g class="start-mark">${triskele(30)}</g>
      </g>
      ${stones}
      ${STONE_VALUES.map((value, stone) => {
        const y = stone ? g.at(0, stone).y : g.startY;
        return html`
          <g
            transform="translate(${GUTTER / 2 - 2} ${y})"
            class="value ${stone >= GOAL ? "goal" : ""} ${value < 0 ? "minus" : ""}"
          >
            <path
              class="value-plate"
              d="M-24 -13Q0 -18 24 -13Q28 0 24 13Q0 18 -24 13Q-28 0 -24 -13Z"
            />
            <text y="7.5">${number(value)}</text>
          </g>
        `;
      })}
    </g>
  `;
}

/**
 * Which figure of a seat stands where, such that a figure stays the same one between two views:
 * only so can it be seen walking. Ids 0 to 3 are small ones, 4 is the large one.
 * @param {(Colour | null)[][]} old by seat and id
 * @param {BoardView} view
 */
function placeFigures(old, view) {
  return view.players.map((_, seat) => {
    const large = view.large[seat];
    const paths = COLOURS.filter((colour) => view.figures[seat][colour] > 0 && colour !== large);
    const kept = [0, 1, 2, 3].map((id) => {
      const was = old[seat]?.[id] ?? null;
      return was && paths.includes(was) ? was : null;
    });
    for (const colour of paths) {
      if (!kept.includes(colour)) kept[kept.indexOf(null)] = colour;
    }
    return [...kept, large];
  });
}

/**
 * @param {BoardView} view
 * @param {(Colour | null)[][]} placed
 * @param {ReturnType<typeof geometry>} g
 */
function figurePlaces(view, placed, g) {
  const places = [];
  const players = view.players.length;
  const room = 440 / players;
  for (let seat = 0; seat < players; seat += 1) {
    for (let id = 0; id < 5; id += 1) {
      const colour = placed[seat][id];
      if (!colour) {
        const gap = Math.min(27, (room - 12) / 5);
        const left = GUTTER + 30 + room * (seat + 0.5) - gap * 2.1;
        places.push({
          seat,
          id,
          colour,
          x: left + gap * (id === 4 ? 4.25 : id),
          y: g.startY + 11 + (id % 2) * 3,
        });
        continue;
      }
      const stone = view.figures[seat][colour];
      const others = view.players.map((_, i) => i).filter((i) => view.figures[i][colour] === stone);
      const tile = view.tiles[colour][stone - 1];
      const { x, y } = g.at(COLOURS.indexOf(colour), stone);
      const spread = others.length > 1 ? Math.min(25, 56 / (others.length - 1)) : 0;
      const shift = tile ? 10 : 0;
      places.push({
        seat,
        id,
        colour,
        x: x + shift + (others.indexOf(seat) - (others.length - 1) / 2) * (spread - (tile ? 3 : 0)),
        y: y + 9 + (others.length > 2 ? (others.indexOf(seat) % 2) * 5 : 0),
      });
    }
  }
  return places;
}

/** The track of points, along the top. @param {{view: BoardView}} props */
export function ScoreTrack({ view }) {
  const low = Math.min(-10, ...view.scores.map((score) => Math.floor(score / 10) * 10));
  const high = Math.max(50, ...view.scores.map((score) => Math.ceil(score / 10) * 10));
  /** @param {number} score */
  const at = (score) => 16 + ((score - low) / (high - low)) * 568;
  const scale = useMemo(() => {
    const ticks = Array.from({ length: high - low + 1 }, (_, i) => low + i);
    return html`
      <path class="track-line" d="M${at(low)} 12H${at(high)}" />
      <path
        class="track-tick"
        d=${ticks.map((tick) => `M${at(tick)} ${tick % 5 ? 9.5 : 6.5}V${tick % 5 ? 14.5 : 17.5}`).join("")}
      />
      ${ticks
        .filter((tick) => tick % 10 === 0)
        .map(
          (tick) => html`
            <text class="track-text" x=${at(tick)} y="31">${number(tick)}</text>
          `,
        )}
    `;
  }, [low, high]);
  return html`
    <svg class="score-track" viewBox="0 0 600 34" aria-hidden="true">
      ${scale}
      ${view.scores.map((score, seat) => {
        const same = view.scores.slice(0, seat).filter((other) => other === score).length;
        return html`
          <g
            key=${seat}
            class="track-marker"
            data-player=${seat}
            style=${{ transform: `translate(${at(score)}px, ${12 - same * 4}px)` }}
          >
            <circle r="9.5" />
            <path d=${PLAYER_PATHS[seat]} transform="scale(.6)" />
          </g>
        `;
      })}
    </svg>
  `;
}

/**
 * @param {object} props
 * @param {BoardView} props.view
 * @param {Choice[]} [props.choices] places that can be chosen now
 * @param {(choice: Choice) => void} [props.onChoose]
 * @param {(choice: Choice | null) => void} [props.onLook] one of them is pointed at
 * @param {string | null} [props.advised] the move that a hint named
 * @param {Colour | null} [props.entering] the path for which a figure is being chosen
 * @param {number | null} [props.mine] the seat whose figures can be dragged
 */
export function Board({
  view,
  choices = [],
  onChoose,
  onLook,
  advised = null,
  entering = null,
  mine = null,
}) {
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  // Nothing is drawn before the box is known, so that nothing moves when a table is first shown.
  const [height, setHeight] = useState(0);
  const placedBefore = useRef(/** @type {(Colour | null)[][]} */ ([]));

  useLayoutEffect(() => {
    const element = /** @type {HTMLElement} */ (box.current);
    const measure = () => {
      const { clientWidth, clientHeight } = element;
      if (clientWidth && clientHeight)
        setHeight(Math.max(LOWEST, Math.round((WIDTH * clientHeight) / clientWidth)));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  const g = useMemo(() => geometry(height || WIDTH), [height]);
  const ground = useMemo(
    () => html`
      <${Ground} g=${g} />
    `,
    [g],
  );
  const placed = placeFigures(placedBefore.current, view);
  placedBefore.current = placed;
  const places = figurePlaces(view, placed, g);
  const { figures } = recent(view);
  const draggable = (
    /** @type {number} */ seat,
    /** @type {number} */ id,
    /** @type {Colour | null} */ colour,
  ) => {
    if (seat !== mine || !onChoose) return undefined;
    return colour ? `figure:${colour}` : id === 4 ? "start:large" : "start:small";
  };

  return html`
    <div class="board" ref=${box}>
      ${
        height > 0 &&
        html`
          <svg
            class="board-picture"
            viewBox="0 0 ${WIDTH} ${height}"
            role="img"
            aria-label=${t("board.label", { n: view.in_goal, of: FIGURES_TO_END })}
          >
            ${ground}
            <g class="goal-count" transform="translate(${GUTTER / 2 - 2} ${g.top / 2})">
              ${Array.from(
                { length: FIGURES_TO_END },
                (_, i) => html`
                  <circle class=${i < view.in_goal ? "full" : ""} cx=${(i - 2) * 13} r="4.6" />
                `,
              )}
            </g>
            ${COLOURS.flatMap((colour, column) =>
              view.tiles[colour].map((tile, i) => {
                const stone = i + 1;
                const { x, y } = g.at(column, stone);
                if (!tile) return null;
                const shared = view.figures.some((own) => own[colour] === stone);
                const move = shared
                  ? `translate(${x - 24}px, ${y - 2}px) scale(.92)`
                  : `translate(${x}px, ${y}px) scale(1.22)`;
                return html`
                  <g key="${colour}${stone}" class="path-tile" style=${{ transform: move }}>
                    ${tileMark(tile)}
                  </g>
                `;
              }),
            )}
            ${places.map(
              ({ seat, id, colour, x, y }) => html`
                <g
                  key="${seat}-${id}"
                  class="figure ${figures.has(`${seat}-${colour}`) ? "moved" : ""}"
                  data-drag=${draggable(seat, id, colour)}
                  style=${{ transform: `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)` }}
                >
                  <g transform="scale(1.18)">${figureMark(seat, id === 4)}</g>
                </g>
              `,
            )}
          </svg>
        `
      }
      ${
        mine !== null &&
        COLOURS.map((colour, column) => {
          const left = ((GUTTER + COLUMN * column) / WIDTH) * 100;
          return html`
            <div
              class="path-zone"
              data-drop="path:${colour}"
              style=${{ left: `${left}%`, width: `${(COLUMN / WIDTH) * 100}%` }}
            ></div>
          `;
        })
      }
      ${
        height > 0 &&
        choices.map((choice) => {
          const best = choices.every((other) => other.gain <= choice.gain);
          const { colour, move, stone, either, gain } = choice;
          const { x, y } = g.at(COLOURS.indexOf(colour), stone);
          const look = () => onLook?.(choice);
          const away = () => onLook?.(null);
          const named = advised === move || (either && advised === `${move}*`);
          return html`
            <button
              key=${move}
              type="button"
              data-choice=${best ? "best" : ""}
              class="ghost ${named ? "advised" : ""}"
              data-colour=${colour}
              aria-label=${choice.label}
              aria-pressed=${either ? entering === colour : undefined}
              onClick=${() => onChoose?.(choice)}
              onPointerEnter=${look}
              onPointerLeave=${away}
              onFocus=${look}
              onBlur=${away}
              style=${{ left: `${(x / WIDTH) * 100}%`, top: `${(y / height) * 100}%` }}
            >
              <${Figure} seat=${view.you ?? 0} large=${choice.large} />
              <span class="ghost-gain ${gain < 0 ? "minus" : ""}">${plus(gain)}</span>
              ${
                choice.tile &&
                html`
                  <${TileSymbol} tile=${choice.tile} class="ghost-tile" />
                `
              }
            </button>
          `;
        })
      }
    </div>
  `;
}

/** Where a seat's figures stand, in words. @param {BoardView} view @param {number} seat */
export function figuresWords(view, seat) {
  const on = COLOURS.filter((colour) => view.figures[seat][colour]).map((colour) =>
    t(view.large[seat] === colour ? "figure.at.large" : "figure.at", {
      path: onPath(colour),
      stone: view.figures[seat][colour],
    }),
  );
  return on.length ? on.join("; ") : t("figure.none");
}
