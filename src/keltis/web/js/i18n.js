/** Every visible text comes from messages/LANGUAGE.js through here. */
import { computed, effect, signal } from "../vendor/index.js";
import { language } from "./settings.js";

/** @typedef {typeof import("./messages/en.js").default} Messages */
/** @typedef {typeof import("./messages/study.en.js").default} StudyMessages */
/** @typedef {keyof Messages | keyof StudyMessages} Key */
/** @typedef {Record<string, string | number>} Values */

/** @type {import("../vendor/index.js").Signal<Record<string, string | Record<string, string>>>} */
const messages = signal({});
const plurals = computed(() => new Intl.PluralRules(language.value));
const numbers = computed(() => new Intl.NumberFormat(language.value, { signDisplay: "negative" }));
const signed = computed(() => new Intl.NumberFormat(language.value, { signDisplay: "exceptZero" }));
const decimals = computed(
  () =>
    new Intl.NumberFormat(language.value, {
      minimumFractionDigits: 1,
      maximumFractionDigits: 1,
    }),
);
const signedDecimals = computed(
  () =>
    new Intl.NumberFormat(language.value, {
      minimumFractionDigits: 1,
      maximumFractionDigits: 1,
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
  messages.value = Object.assign({}, ...loaded.map((module) => module.default));
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
  return new Intl.ListFormat(language.value, { type: "conjunction" }).format(items);
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

/** @param {string} iso */
export function when(iso) {
  const date = new Date(iso);
  return new Intl.DateTimeFormat(language.value, {
    dateStyle: "medium",
    timeStyle: "short",
  }).format(date);
}
