/** What this browser remembers: choices of look, language and help. Each is a signal. */
import { effect, signal } from "../vendor/index.js";

const STORE = "keltis";

/** @type {Record<string, unknown>} */
let kept = {};
try {
  kept = JSON.parse(localStorage.getItem(STORE) ?? "{}");
} catch {
  // A browser that keeps nothing still plays.
}

/** @type {Map<string, import("../vendor/index.js").Signal<any>>} */
const all = new Map();

/**
 * @template T
 * @param {string} name
 * @param {T} start
 * @param {readonly T[]} [allowed]
 * @returns {import("../vendor/index.js").Signal<T>}
 */
function remembered(name, start, allowed) {
  const old = /** @type {T} */ (kept[name]);
  const good = typeof old === typeof start && (!allowed || allowed.includes(old));
  const made = signal(good ? old : start);
  all.set(name, made);
  return made;
}

export const LANGUAGES = /** @type {const} */ (["en", "de", "fr", "nl"]);
/** @typedef {(typeof LANGUAGES)[number]} Language */
export const THEMES = /** @type {const} */ (["auto", "light", "dark", "contrast"]);
export const PACES = /** @type {const} */ (["calm", "quick", "off"]);

/** @returns {Language} */
function browserLanguage() {
  for (const wanted of navigator.languages ?? []) {
    const short = /** @type {Language} */ (wanted.slice(0, 2).toLowerCase());
    if (LANGUAGES.includes(short)) return short;
  }
  return "en";
}

/** @type {import("../vendor/index.js").Signal<Language>} */
export const language = remembered("language", browserLanguage(), LANGUAGES);
/** @type {import("../vendor/index.js").Signal<(typeof THEMES)[number]>} */
export const theme = remembered("theme", "auto", THEMES);
/** @type {import("../vendor/index.js").Signal<(typeof PACES)[number]>} */
export const pace = remembered("pace", "calm", PACES);
export const sound = remembered("sound", true);
export const confirmMoves = remembered("confirm", false);
export const shortcuts = remembered("shortcuts", true);
/** Whether decisions with only one way happen by themselves. */
export const autoMoves = remembered("auto", true);
export const playerName = remembered("name", "");
/** The last table that was set up, so that the next one is a click away. */
export const lastSetup = remembered("setup", /** @type {object} */ ({}));

effect(() => {
  const now = Object.fromEntries([...all].map(([name, value]) => [name, value.value]));
  try {
    localStorage.setItem(STORE, JSON.stringify(now));
  } catch {
    // Nothing to do: it is only not remembered.
  }
});

const contrast = matchMedia("(prefers-contrast: more)");
const dark = matchMedia("(prefers-color-scheme: dark)");
/** The device decides what "auto" is: here, so that the style sheet has each look only once. */
function dress() {
  const wished = contrast.matches ? "contrast" : dark.matches ? "dark" : "light";
  document.documentElement.dataset.theme = theme.value === "auto" ? wished : theme.value;
}
effect(dress);
contrast.addEventListener("change", dress);
dark.addEventListener("change", dress);

const less = matchMedia("(prefers-reduced-motion: reduce)");

/** Milliseconds that another player's step stays on show before the next one. */
export function stepTime() {
  if (pace.value === "off") return 0;
  if (less.matches) return 250;
  return pace.value === "quick" ? 300 : 750;
}

/** Whether things may move across the screen. */
export function motion() {
  return pace.value !== "off" && !less.matches;
}
