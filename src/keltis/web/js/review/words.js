/** What a review says, in words of the chosen language. */
import { decimal, list, percent, t } from "../i18n.js";
import { skillLevel } from "../games/plots.js";
import { cardName, choiceWords, colourName, ontoPath, sentence } from "../words.js";

/**
 * @typedef {import("./load.js").Review} Review
 * @typedef {import("./load.js").Decision} Decision
 * @typedef {import("./load.js").Reason} Reason
 * @typedef {import("./load.js").SeatReview} SeatReview
 * @typedef {import("../study/film.js").Film} Film
 * @typedef {import("../types.js").View} View
 */

/**
 * What a position looks like to the seat that decides there.
 * @param {Film} film @param {Decision} decision
 */
export const viewAt = (film, { step, seat }) => film.own(step, seat);

/** "3.1 ± 0.4 points". @param {number} points @param {number | null | undefined} error */
export const pointsWords = (points, error) =>
  error
    ? t("review.points.error", { points: decimal(points), error: decimal(error) })
    : t("review.points", { points: decimal(points) });

/** What a decision is judged to be. @param {Decision} decision */
export function verdictWords({ verdict, loss, error, judge }) {
  if (verdict === "forced") return t("review.verdict.forced");
  if (verdict === "equal") return t("review.verdict.equal");
  const cost = t("review.cost", {
    points: pointsWords(loss.lead, error?.lead),
    wins: percent(loss.wins),
  });
  if (verdict === "mistake") return `${t("review.verdict.mistake")} ${cost}`;
  return `${t(judge === "search" ? "review.verdict.unsure" : "review.verdict.open")} ${cost}`;
}

const KINDS = /** @type {const} */ ({
  opened_late: "review.kind.opened_late",
  opened_early: "review.kind.opened_early",
  gift: "review.kind.gift",
  draw_source: "review.kind.draw_source",
  figure: "review.kind.figure",
  clover: "review.kind.clover",
  wishing: "review.kind.wishing",
  ending: "review.kind.ending",
  card: "review.kind.card",
});

/** In `stones` there are tiles and rows, no cards and paths. */
const STONES_KINDS = /** @type {const} */ ({
  opened_late: "review.kind.stones.opened_late",
  opened_early: "review.kind.stones.opened_early",
  draw_source: "review.kind.stones.draw_source",
  card: "review.kind.stones.card",
});

/** The kind of a mistake as a heading. @param {string | null} kind @param {Review["game"]} game */
export function kindWords(kind, game) {
  /** @type {Record<string, import("../i18n.js").Key>} */
  const words = game === "stones" ? { ...KINDS, ...STONES_KINDS } : KINDS;
  return t(words[kind ?? "card"] ?? words.card);
}

/**
 * What was played, and what was better.
 * @param {Decision} decision @param {Film} film @param {string} name
 */
export function insteadWords(decision, film, name) {
  const view = viewAt(film, decision);
  return t("review.instead", {
    name,
    move: choiceWords(decision.move, view),
    best: choiceWords(decision.best, view),
  });
}

/** How sure it is. @param {Decision} decision */
export const sureWords = ({ judge, worlds }) =>
  judge === "search" ? t("review.sure", { n: worlds }) : t("review.sure.network");

/** What lies on a stone. @param {"C" | "W" | number} tile */
function tileWords(tile) {
  if (tile === "C") return t("review.tile.clover");
  return tile === "W" ? t("review.tile.wish") : t("tile.points", { n: tile });
}

/**
 * Where a better move has points from.
 * @param {{of: string, points: number, error: number, name?: string}} gain
 */
function gainWords({ of, points, error, name = "" }) {
  const values = { points: decimal(points), error: decimal(error), name };
  if (of === "wishes") return t("review.gain.wishes", values);
  if (of === "tiles") return t("review.gain.tiles", values);
  if (of === "other") return t("review.gain.other", values);
  return t("review.gain.colour", { ...values, colour: colourName(/** @type {any} */ (of)) });
}

/** Which of its texts a reason takes. @param {Reason} reason @param {Review["game"]} game */
function variant({ key, values }, game) {
  if (game === "stones" && (key === "left" || key === "spoils")) return `stones.${key}`;
  if (key === "open") return values.fits ? "open.fits" : "open.misfit";
  if (key === "step") return values.tile === null ? "step" : "step.tile";
  if (key === "ahead" && values.points <= 0) return values.points ? "behind" : "level";
  return key;
}

/**
 * Why, as the search's worlds show it; "" for what this page has no words for.
 * @param {Reason} reason @param {Review["game"]} game
 */
export function reasonWords(reason, game) {
  const { key, values } = reason;
  const name = /** @type {any} */ (`review.reason.${variant(reason, game)}`);
  /** @type {Record<string, string | number>} */
  const shown = { ...values };
  if (values.card) shown.card = cardName(values.card);
  if (values.tile) shown.tile = tileWords(values.tile);
  if (values.share !== undefined) shown.share = percent(values.share);
  if (values.colour)
    Object.assign(shown, { onto: ontoPath(values.colour), colour: colourName(values.colour) });
  if (values.parts) shown.parts = list(values.parts.map(gainWords));
  if (values.points !== undefined)
    shown.n = shown.points = key === "ahead" ? Math.abs(values.points) : values.points;
  const words = t(name, shown);
  return words === name ? "" : sentence(words);
}

/** How a seat played: "like Fox". @param {SeatReview} seat */
export function skillWords({ skill }) {
  if (!skill) return t("review.skill.none");
  const lost = t("review.skill.lost", {
    points: decimal(skill.lost),
    error: decimal(skill.error),
  });
  return skill.like
    ? `${t("review.skill.like", { level: skillLevel(skill.like) })}, ${lost}`
    : lost;
}

/**
 * What chance gave a seat: its deal and its draws, less what the others had.
 * @param {SeatReview} seat
 */
export const luckOf = ({ sum }) =>
  sum && {
    wins: sum.wins.deal + sum.wins.luck - sum.wins.others_luck,
    lead: sum.lead.deal + sum.lead.luck - sum.lead.others_luck,
  };

/**
 * The steps that a seat can learn from: its mistakes, and before the search has looked at them what
 * seems to have cost most.
 * @param {Review} review @param {number} seat
 */
export const mistakesOf = (review, seat) =>
  review.decisions
    .filter(
      (one) =>
        one.seat === seat &&
        (one.verdict === "mistake" || review.seats[seat].lessons.includes(one.step)),
    )
    .map((one) => one.step);
