/**
 * Our own drawings as SVG: shapes of colours and players, symbols of tiles, figures, ornaments.
 * Colours come from CSS (theme.css), so that every theme can change them.
 */
import { html } from "../vendor/index.js";

/** @typedef {import("./types.js").Colour} Colour */
/** @typedef {import("./types.js").Tile} Tile */

/**
 * One silhouette a colour, in a box from −10 to 10: leaf, sun, diamond, drop, moon.
 * @type {Record<Colour, string>}
 */
export const COLOUR_PATHS = {
  G: "M-8.5 8.5C-11 -3 -3 -10.5 9 -9C10.5 3 3 11 -8.5 8.5ZM-9.5 9.5L2 -2",
  Y: sun(),
  R: "M0 -10L9 0L0 10L-9 0Z",
  B: "M0 -10.5C3.5 -4.5 7.5 -0.5 7.5 3.6A7.5 7 0 0 1 -7.5 3.6C-7.5 -0.5 -3.5 -4.5 0 -10.5Z",
  V: "M4.2 -9.4A9.8 9.8 0 1 0 9.6 3.4A7.8 7.8 0 0 1 4.2 -9.4Z",
};

function sun() {
  const points = [];
  for (let i = 0; i < 16; i += 1) {
    const r = i % 2 ? 6 : 10.4;
    const a = (i * Math.PI) / 8 - Math.PI / 2;
    points.push(`${(r * Math.cos(a)).toFixed(2)} ${(r * Math.sin(a)).toFixed(2)}`);
  }
  return `M${points.join("L")}Z`;
}

/** One silhouette a player, in a box from −10 to 10: ring, square, triangle, cross. */
export const PLAYER_PATHS = [
  "M0 -9A9 9 0 1 1 0 9A9 9 0 1 1 0 -9ZM0 -3.6A3.6 3.6 0 1 0 0 3.6A3.6 3.6 0 1 0 0 -3.6Z",
  "M-8 -8H8V8H-8Z",
  "M0 -9.5L9.5 8H-9.5Z",
  "M-3.2 -9.5H3.2V-3.2H9.5V3.2H3.2V9.5H-3.2V3.2H-9.5V-3.2H-3.2Z",
];

/** @param {{colour: Colour, class?: string}} props */
export function ColourShape({ colour, class: name = "" }) {
  return html`
    <svg class="shape ${name}" data-colour=${colour} viewBox="-12 -12 24 24" aria-hidden="true">
      <path class="colour-shape" d=${COLOUR_PATHS[colour]} />
    </svg>
  `;
}

/** @param {{seat: number, class?: string}} props */
export function PlayerShape({ seat, class: name = "" }) {
  return html`
    <svg class="shape ${name}" data-player=${seat} viewBox="-12 -12 24 24" aria-hidden="true">
      <path class="player-shape" d=${PLAYER_PATHS[seat]} />
    </svg>
  `;
}

const LEAF =
  "M0 0C-7.4 -3.6 -7.2 -11.6 -2.6 -11.4C-1.2 -11.4 -0.3 -10.4 0 -9.3C0.3 -10.4 1.2 -11.4 2.6 -11.4C7.2 -11.6 7.4 -3.6 0 0Z";

/** A clover of four leaves around (0, 0), about 24 across. */
function cloverMark() {
  return html`
    <g class="clover-mark">
      <path class="clover-stem" d="M0 0Q2 7 7.5 11" />
      ${[0, 90, 180, 270].map(
        (turn) => html`
          <path d=${LEAF} transform="rotate(${turn + 45})" />
        `,
      )}
    </g>
  `;
}

/**
 * Turns of a spiral as a path.
 * @param {number} turns
 * @param {number} size
 * @param {number} start in radians
 */
function spiral(turns, size, start = 0) {
  const points = [];
  const steps = Math.round(turns * 14);
  for (let i = 0; i <= steps; i += 1) {
    const a = start + (i / 14) * 2 * Math.PI;
    const r = size * (i / steps);
    points.push(`${(r * Math.cos(a)).toFixed(2)} ${(r * Math.sin(a)).toFixed(2)}`);
  }
  return `M${points.join("L")}`;
}

/** Of a wishing stone, within a circle of radius 8. */
export const WISH = spiral(2.4, 7.6, 0.4);

/** A wishing stone around (0, 0): a pebble with a spiral. */
function wishingMark() {
  return html`
    <g class="wish-mark">
      <path
        class="wish-body"
        d="M-11 1C-11.4 -7 -5 -10.8 1.6 -10.4C8.4 -10 12 -5 11.2 1.4C10.4 8 5 10.6 -1 10.4C-7 10.2 -10.8 7 -11 1Z"
      />
      <path class="wish-spiral" d=${WISH} />
    </g>
  `;
}

/** @param {string} points */
function pointsMark(points) {
  return html`
    <g class="points-mark">
      <circle r="10.6" class="points-rim" />
      <circle r="8.4" class="points-face" />
      <text y="4.6" class="points-text">${points}</text>
    </g>
  `;
}

/** A tile's symbol around (0, 0). @param {Tile} tile */
export function tileMark(tile) {
  if (tile === "C") return cloverMark();
  if (tile === "W") return wishingMark();
  return tile ? pointsMark(tile) : null;
}

/** A tile's symbol as a picture in text. @param {{tile: Tile, class?: string}} props */
export function TileSymbol({ tile, class: name = "" }) {
  return html`
    <svg class="shape ${name}" viewBox="-13 -13 26 26" aria-hidden="true">${tileMark(tile)}</svg>
  `;
}

const CLOAK =
  "M-10.5 0C-11.6 -3 -9.4 -7 -8 -11C-6.8 -14.6 -7.2 -17 -7 -21C-6.8 -26 -3.6 -29.6 0.6 -30.4C3.6 -29 7 -26 7 -21C7 -17 6.8 -14.6 8 -11C9.4 -7 11.6 -3 10.5 0C7 2.4 -7 2.4 -10.5 0Z";

/**
 * A hooded figure that stands on (0, 0); about 30 tall, the large one 40.
 * @param {number} seat
 * @param {boolean} large
 */
export function figureMark(seat, large) {
  return html`
    <g class="figure-mark ${large ? "large" : ""}" data-player=${seat}>
      <ellipse class="figure-shadow" cx="2" cy="1" rx=${large ? 15 : 11.5} ry=${large ? 5 : 3.8} />
      <g transform=${large ? "scale(1.36)" : ""}>
        <path class="figure-cloak" d=${CLOAK} />
        <path
          class="figure-light"
          d="M-6.2 -20C-6 -25 -3 -28.4 0.4 -29.4C-2.6 -26 -4.6 -22 -4.8 -17C-5 -12 -7.4 -6 -8.6 -1.4C-10.4 -3 -8 -8 -7 -11C-6 -14 -6.4 -17 -6.2 -20Z"
        />
        <ellipse class="figure-face" cx="0.6" cy="-21" rx="3.9" ry="4.8" />
        ${
          large &&
          html`
            <path class="figure-torc" d="M-6.6 -15.4Q0.4 -10.6 7 -15.4" />
            <circle class="figure-gem" cx="-6.6" cy="-15.4" r="1.7" />
            <circle class="figure-gem" cx="7" cy="-15.4" r="1.7" />
          `
        }
        <g transform="translate(0 ${large ? -6 : -7}) scale(0.5)">
          <path class="figure-sign" d=${PLAYER_PATHS[seat]} />
        </g>
      </g>
    </g>
  `;
}

/** A figure as a picture in text. @param {{seat: number, large?: boolean, class?: string}} props */
export function Figure({ seat, large = false, class: name = "" }) {
  return html`
    <svg class="figure-picture ${name}" viewBox="-18 -43 36 50" aria-hidden="true">
      ${figureMark(seat, large)}
    </svg>
  `;
}

/**
 * A plait of two strands along a line, over and under in turn.
 * @param {number} length @param {number} height @param {number} waves
 */
export function plait(length, height, waves) {
  const half = length / waves / 2;
  const a = height / 2;
  /** Half a wave that rises or falls about the middle. @param {number} i @param {number} sign */
  const bend = (i, sign) => {
    const x = i * half;
    const k = half * 0.3642;
    const up = i % 2 ? -sign : sign;
    return `C${x + k} ${-up * a * 1.33} ${x + half - k} ${-up * a * 1.33} ${x + half} 0`;
  };
  /** @param {number} sign */
  const strand = (sign) =>
    `M0 0${Array.from({ length: waves * 2 }, (_, i) => bend(i, sign)).join("")}`;
  const overs = [];
  for (let i = 1; i < waves * 2; i += 2) {
    // Around every second crossing the first strand passes over the second.
    const x = i * half;
    const s = i % 2 ? 1 : -1;
    const dx = half * 0.24;
    const dy = a * 0.86;
    overs.push(`M${x - dx} ${-s * dy}Q${x - dx * 0.4} ${-s * dy * 0.5} ${x} 0T${x + dx} ${s * dy}`);
  }
  return html`
    <g class="plait">
      <path class="plait-case" d=${strand(1)} />
      <path class="plait-strand" d=${strand(1)} />
      <path class="plait-case" d=${strand(-1)} />
      <path class="plait-strand" d=${strand(-1)} />
      <path class="plait-case over" d=${overs.join("")} />
      <path class="plait-strand" d=${overs.join("")} />
    </g>
  `;
}

/** Three spirals about (0, 0), each with its place. @param {number} size */
export const spirals = (size) =>
  [0, 120, 240].map((turn) => {
    const a = (turn * Math.PI) / 180 - Math.PI / 2;
    const x = size * 0.53 * Math.cos(a);
    const y = size * 0.53 * Math.sin(a);
    return { d: spiral(2.25, size * 0.46, a + 1.57), x, y };
  });

/** @param {number} size */
export function triskele(size) {
  return html`
    <g class="triskele">
      ${spirals(size).map(
        ({ d, x, y }) => html`
          <path d=${d} transform="translate(${x} ${y})" />
        `,
      )}
    </g>
  `;
}

/**
 * The three-cornered knot, within a circle of radius 10: half circles about the corners of a
 * triangle.
 */
export function triquetra() {
  const r = 8.66;
  /** @param {number} k @param {number} distance */
  const at = (k, distance) => {
    const a = ((120 * k - 90) * Math.PI) / 180;
    return `${(distance * Math.cos(a)).toFixed(2)} ${(distance * Math.sin(a)).toFixed(2)}`;
  };
  const arcs = [0, 1, 2].map((k) => `M${at(k + 1, -10)}A${r} ${r} 0 0 0 ${at(k + 2, -10)}`);
  return html`
    <g class="triquetra">
      <circle r="5.6" />
      <path class="knot-case" d=${arcs.join("")} />
      <path d=${arcs.join("")} />
    </g>
  `;
}

/** A knot as an emblem in text. @param {{class?: string}} props */
export function Emblem({ class: name = "" }) {
  return html`
    <svg class="emblem ${name}" viewBox="-50 -50 100 100" aria-hidden="true">
      <circle class="emblem-ground" r="46" />
      <circle class="emblem-ring" r="46" />
      ${triskele(38)}
    </svg>
  `;
}

/** A band of knotwork across the page. @param {{waves?: number}} props */
export function Band({ waves = 24 }) {
  return html`
    <svg
      class="band"
      viewBox="0 -9 ${waves * 24} 18"
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
    >
      ${plait(waves * 24, 12, waves)}
    </svg>
  `;
}

/** Gradients that drawings refer to; once in the page. */
export function ArtDefs() {
  return html`
    <svg class="art-defs" width="0" height="0" aria-hidden="true">
      <defs>
        <radialGradient id="stone-light" cx="36%" cy="24%" r="85%">
          <stop offset="0" class="stone-l0" />
          <stop offset=".55" class="stone-l1" />
          <stop offset="1" class="stone-l2" />
        </radialGradient>
        <radialGradient id="stone-dark" cx="36%" cy="24%" r="85%">
          <stop offset="0" class="stone-d0" />
          <stop offset=".55" class="stone-d1" />
          <stop offset="1" class="stone-d2" />
        </radialGradient>
        <radialGradient id="ground" cx="50%" cy="18%" r="95%">
          <stop offset="0" class="ground-0" />
          <stop offset="1" class="ground-1" />
        </radialGradient>
        <linearGradient id="goal-glow" x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" class="glow-0" />
          <stop offset="1" class="glow-1" />
        </linearGradient>
        <radialGradient id="wish-stone" cx="36%" cy="26%" r="85%">
          <stop offset="0" class="wish-0" />
          <stop offset="1" class="wish-1" />
        </radialGradient>
        <radialGradient id="bronze" cx="36%" cy="26%" r="85%">
          <stop offset="0" class="bronze-0" />
          <stop offset="1" class="bronze-1" />
        </radialGradient>
        <radialGradient id="leaf" cx="36%" cy="26%" r="85%">
          <stop offset="0" class="leaf-0" />
          <stop offset="1" class="leaf-1" />
        </radialGradient>
        ${[0, 1, 2, 3].map(
          (seat) => html`
            <linearGradient id="cloak-${seat}" x1="0" y1="0" x2="1" y2="0.3" data-player=${seat}>
              <stop offset="0" class="cloak-0" />
              <stop offset=".5" class="cloak-1" />
              <stop offset="1" class="cloak-2" />
            </linearGradient>
          `,
        )}
      </defs>
    </svg>
  `;
}
