/** What a review says, in words of the chosen language. */
import { decimal, list, percent, plusDecimal, plusPercent, t } from "../i18n.js";
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

const LEAST_ERROR = 0.1; // points: "± 0.0" would claim too much

/** "3.1 ± 0.4 points". @param {number} points @param {number | null | undefined} [error] */
export const pointsWords = (points, error) =>
  t(error ? "review.points.error" : "review.points", {
    // English says "1.0 points", French "1,5 point": with a decimal, one is a little more than one.
    n: Number(points.toFixed(1)) + 0.001,
    points: decimal(points),
    error: decimal(Math.max(LEAST_ERROR, error ?? 0)),
  });

/**
 * What was lost, in points and in chances to win; where nothing was, it is not told.
 * @param {import("./load.js").Value} loss
 * @param {import("./load.js").Value | null | undefined} error
 */
export function lostWords({ lead, wins }, error) {
  const parts = wins >= 0.005 ? [t("review.cost.wins", { wins: percent(wins) })] : [];
  if (lead >= 0.05 || !parts.length) parts.unshift(pointsWords(Math.max(0, lead), error?.lead));
  return list(parts);
}

/** @param {Decision} decision */
export const costWords = ({ loss, error }) => t("review.cost", { what: lostWords(loss, error) });

/** What a decision is judged to be. @param {Decision} decision */
export function verdictWords(decision) {
  const { verdict } = decision;
  if (verdict === "forced") return t("review.verdict.forced");
  if (verdict === "equal") return t("review.verdict.equal");
  const judged = t(verdict === "mistake" ? "review.verdict.mistake" : "review.verdict.open");
  return `${judged} ${costWords(decision)}`;
}

/**
 * The same of a decision that cost something, as short as fits beside the graph.
 * @param {Decision} decision
 */
export function markWords({ verdict, loss }) {
  const judged = t(verdict === "mistake" ? "review.verdict.mistake" : "review.verdict.open");
  const cost = loss.lead >= 0.05 ? pointsWords(-loss.lead) : plusPercent(-loss.wins);
  return `${judged} ${cost}.`;
}

const KINDS = /** @type {const} */ ({
  opened_late: "review.kind.opened_late",
  opened_early: "review.kind.opened_early",
  gift: "review.kind.gift",
  draw_source: "review.kind.draw_source",
  figure: "review.kind.figure",
  clover: "review.kind.clover",
  step: "review.kind.step",
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

const LEAST = 1e-6; // of a chance, so that its odds are a number

/** @param {number} chance */
const odds = (chance) => {
  const some = Math.min(1 - LEAST, Math.max(LEAST, chance));
  return Math.log(some / (1 - some));
};

/**
 * What a move is worth among equals: corrected as the graph is, where the best move has its value.
 * @param {Review} review @param {Decision} decision @param {import("./load.js").Value} value
 */
export function shownValue(review, decision, { wins, lead }) {
  const line = review.graph.find((one) => one.seat === decision.seat);
  const point = line?.points.find(([step]) => step === decision.step);
  if (!point) return { wins, lead };
  return {
    wins: 1 / (1 + Math.exp(odds(decision.wins) - odds(point[1]) - odds(wins))),
    lead: lead + point[2] - decision.lead,
  };
}

/**
 * A move as it is called where the tile that it is about may not be in sight.
 * @param {string} move @param {View} view
 */
export const namedWords = (move, view) =>
  view.game === "stones" && move === "-" && view.tile
    ? t("review.leave", { card: cardName(view.tile) })
    : choiceWords(move, view);

/**
 * What was played, and what was better.
 * @param {Decision} decision @param {Film} film @param {string} name
 */
export function insteadWords(decision, film, name) {
  const view = viewAt(film, decision);
  return t("review.instead", {
    name,
    move: namedWords(decision.move, view),
    best: namedWords(decision.best, view),
  });
}

/** How sure it is. @param {Decision} decision */
export const sureWords = ({ judge, worlds }) =>
  judge === "search" ? t("review.sure", { n: worlds }) : t("review.sure.network");

/** What lies on a stone. @param {"C" | "W" | "1" | "2" | "3"} tile */
function tileWords(tile) {
  if (tile === "C") return t("review.tile.clover");
  return tile === "W" ? t("review.tile.wish") : t("review.tile.points", { n: Number(tile) });
}

const GAINS = /** @type {const} */ ({
  wishes: ["review.gain.wishes", "review.less.wishes"],
  tiles: ["review.gain.tiles", "review.less.tiles"],
  other: ["review.gain.other", "review.less.other"],
  colour: ["review.gain.colour", "review.less.colour"],
});

/**
 * Where a better move has points from; below zero, where it has fewer.
 * @param {{of: string, points: number, error: number, name?: string}} gain
 */
function gainWords({ of, points, error, name = "" }) {
  const what = of in GAINS ? /** @type {keyof typeof GAINS} */ (of) : "colour";
  return t(GAINS[what][points < 0 ? 1 : 0], {
    points: pointsWords(Math.abs(points), error),
    name,
    colour: what === "colour" ? colourName(/** @type {any} */ (of)) : "",
  });
}

/** Which of its texts a reason takes. @param {Reason} reason @param {Review["game"]} game */
function variant({ key, values }, game) {
  if (game === "stones" && (key === "left" || key === "spoils")) return `stones.${key}`;
  if (key === "open") return values.fits ? "open.fits" : "open.misfit";
  if (key === "gains" && values.parts.at(-1).points < 0) return "gains.but";
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
  if (values.best !== undefined) shown.best = percent(values.best);
  if (values.colour)
    Object.assign(shown, { onto: ontoPath(values.colour), colour: colourName(values.colour) });
  if (values.parts) {
    const [gains, less] = [true, false].map((is) =>
      values.parts.filter((/** @type {{points: number}} */ one) => one.points > 0 === is),
    );
    Object.assign(shown, { parts: list(gains.map(gainWords)), less: list(less.map(gainWords)) });
  }
  if (values.points !== undefined)
    shown.n = shown.points = key === "ahead" ? Math.abs(values.points) : values.points;
  const words = t(name, shown);
  return words === name ? "" : sentence(words);
}

/** How a seat played: "like Fox". @param {SeatReview} seat */
export function skillWords({ skill }) {
  if (!skill) return t("review.skill.none");
  const lost = t("review.skill.lost", { points: pointsWords(skill.lost, skill.error) });
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
 * What who won owes to decisions, one's own and the others', what to luck, and what neither
 * explains; "" if nobody won alone.
 * @param {Review} review
 */
export function wonWords(review) {
  const winner = review.seats.find((seat) => seat.sum?.wins.result === 1);
  const luck = winner && luckOf(winner);
  if (!luck) return "";
  const { decisions, others_decisions: others, rest } = winner.sum.lead;
  return t("review.won", {
    name: winner.name,
    decisions: plusDecimal(decisions + others),
    luck: plusDecimal(luck.lead),
    rest: plusDecimal(rest),
  });
}

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
