/** Every visible text comes from messages/LANGUAGE.js through here. */
import { computed, effect, signal } from "../vendor/index.js";
import { language } from "./settings.js";

/** @typedef {typeof import("./messages/en.js").default} Messages */
/** @typedef {typeof import("./messages/study.en.js").default} StudyMessages */
/** @typedef {typeof import("./messages/games.en.js").default} GamesMessages */
/** @typedef {typeof import("./messages/positions.en.js").default} PositionMessages */
/** @typedef {typeof import("./messages/day.en.js").default} DayMessages */
/** @typedef {typeof import("./messages/review.en.js").default} ReviewMessages */
/** @typedef {typeof import("./messages/duplicate.en.js").default} DuplicateMessages */
/** @typedef {typeof import("./messages/person.en.js").default} PersonMessages */
/** @typedef {keyof StudyMessages | keyof PositionMessages | keyof ReviewMessages} StudyKey */
/** @typedef {keyof GamesMessages | keyof DayMessages} OwnKey */
/** @typedef {keyof DuplicateMessages | keyof PersonMessages} SharedKey */
/** @typedef {keyof Messages | StudyKey | OwnKey | SharedKey} Key */
/** @typedef {Record<string, string | number>} Values */

/** @type {import("../vendor/index.js").Signal<Record<string, string | Record<string, string>>>} */
const messages = signal({});
/** The chosen language as the reader's country writes it: 24 or 12 hours, day or month first. */
export const locale = computed(
  () => navigator.languages.find((one) => one.split("-")[0] === language.value) ?? language.value,
);
const plurals = computed(() => new Intl.PluralRules(locale.value));
const numbers = computed(() => new Intl.NumberFormat(locale.value, { signDisplay: "negative" }));
const signed = computed(() => new Intl.NumberFormat(locale.value, { signDisplay: "exceptZero" }));
const decimals = computed(
  () =>
    new Intl.NumberFormat(locale.value, {
      minimumFractionDigits: 1,
      maximumFractionDigits: 1,
    }),
);
const signedDecimals = computed(
  () =>
    new Intl.NumberFormat(locale.value, {
      minimumFractionDigits: 1,
      maximumFractionDigits: 1,
      signDisplay: "exceptZero",
    }),
);
const percents = computed(
  () => new Intl.NumberFormat(locale.value, { style: "percent", maximumFractionDigits: 0 }),
);
const signedPercents = computed(
  () =>
    new Intl.NumberFormat(locale.value, {
      style: "percent",
      maximumFractionDigits: 0,
      signDisplay: "exceptZero",
    }),
);

/** Groups of texts in use: "" for those of every page, "study." for replay, lessons and rules. */
const groups = [""];

/** Resolves when the texts of the chosen language are there, at first and after each change. */
export async function loadMessages() {
  const wanted = language.value;
  const loaded = await Promise.all(
    groups.map((group) => import(`./messages/${group}${wanted}.js`)),
  );
  if (wanted !== language.peek()) return;
  // Beside those that are there: of two groups that are loaded at once, either may come last.
  messages.value = Object.assign({}, messages.peek(), ...loaded.map((module) => module.default));
  document.documentElement.lang = wanted;
}

/**
 * Texts that only some pages need; to be awaited before such a page is shown.
 * @param {string} group
 */
export async function needMessages(group) {
  if (groups.includes(group)) return;
  groups.push(group);
  await loadMessages();
}

/** Begins to follow the language switch. */
export function followLanguage() {
  effect(() => void loadMessages());
}

/**
 * The text of a message. A message with plural forms is chosen by `values.n`.
 * @param {Key} key
 * @param {Values} [values]
 * @returns {string}
 */
export function t(key, values = {}) {
  let text = messages.value[key];
  if (text === undefined) return key;
  if (typeof text === "object") text = text[plurals.value.select(Number(values.n))] ?? text.other;
  return typeset(text).replace(/\{(\w+)\}/g, (_, name) => {
    const value = values[name];
    return typeof value === "number" ? number(value) : (value ?? "");
  });
}

/**
 * French never breaks a line before a colon and its like: the narrow space there holds.
 * @param {string} text
 */
export const typeset = (text) =>
  language.value === "fr"
    ? text.replace(/ (?=[:;!?»])/g, "\u202f").replace(/« /g, "«\u202f")
    : text;

/** The parts of a sentence of several: "a, b and c". @param {string[]} items */
export function list(items) {
  return new Intl.ListFormat(locale.value, { type: "conjunction" }).format(items);
}

/** A true minus sign, also where the locale's data has a hyphen. @param {string} text */
const minus = (text) => text.replace("-", "−");

/** @param {number} value */
export const number = (value) => minus(numbers.value.format(value));
/** With its sign, 0 without. @param {number} value */
export const plus = (value) => minus(signed.value.format(value));
/** @param {number} value */
export const decimal = (value) => minus(decimals.value.format(value));
/** @param {number} value */
export const plusDecimal = (value) => minus(signedDecimals.value.format(value));

/** A share of 1, as "52%" is written. @param {number} share */
export const percent = (share) => minus(percents.value.format(share || 0));
/** With its sign, 0 without. @param {number} share */
export const plusPercent = (share) => minus(signedPercents.value.format(share || 0));

/** @param {string} iso */
export function when(iso) {
  const date = new Date(iso);
  return new Intl.DateTimeFormat(locale.value, {
    dateStyle: "medium",
    timeStyle: "short",
  }).format(date);
}
