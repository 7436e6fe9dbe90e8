/** Where the rule books of the board game differ: a whole edition to choose, or single rules. */
import { html } from "../vendor/index.js";
import { t } from "./i18n.js";
import { Select, Switch } from "./ui.js";

/**
 * Options of the rules that are not the default, as the server takes them.
 * @typedef {Record<string, string>} Rules
 */

/** What each edition changes. @type {Record<string, Rules>} */
export const EDITIONS = {
  german: {},
  french: { end_stone_step: "may" },
  english: { end_stone_step: "may", clover_step: "must", own_discard: "allowed" },
};
const OWN = "own";
/** The value of each option that is not the default. */
const OTHERWISE = /** @type {const} */ ({
  end_stone_step: "may",
  clover_step: "must",
  own_discard: "allowed",
  piles: "top",
});
const NAMES = /** @type {(keyof typeof OTHERWISE)[]} */ (Object.keys(OTHERWISE));

/** Those of some remembered rules that there are. @param {unknown} rules @returns {Rules} */
export function knownRules(rules) {
  const old = /** @type {Rules} */ (rules ?? {});
  return Object.fromEntries(
    NAMES.filter((name) => old[name] === OTHERWISE[name]).map((name) => [name, OTHERWISE[name]]),
  );
}

/** What is shown of the piles belongs to no edition. @param {Rules} rules */
function editionOf({ piles: _, ...rules }) {
  const same = (/** @type {Rules} */ edition) =>
    NAMES.every((name) => name === "piles" || edition[name] === rules[name]);
  return Object.keys(EDITIONS).find((name) => same(EDITIONS[name])) ?? OWN;
}

/** By which rules a game is played, for those who are invited to it. @param {unknown} options */
export function rulesFacts(options) {
  const rules = knownRules(options);
  const edition = editionOf(rules);
  const single = NAMES.filter((name) => rules[name] && (edition === OWN || name === "piles"));
  const named = edition === OWN ? [] : [t(/** @type {any} */ (`edition.${edition}`))];
  return [...named, ...single.map((name) => t(/** @type {any} */ (`rule.${name}`)))];
}

/** @param {{rules: Rules, change: (rules: Rules) => void}} props */
export function RulesChoice({ rules, change }) {
  const edition = editionOf(rules);
  const choices = edition === OWN ? [...Object.keys(EDITIONS), OWN] : Object.keys(EDITIONS);
  const choose = (/** @type {string} */ name) => {
    if (name !== OWN) change(knownRules({ ...EDITIONS[name], piles: rules.piles }));
  };
  const put = (/** @type {keyof typeof OTHERWISE} */ name, /** @type {boolean} */ on) =>
    change(knownRules({ ...rules, [name]: on ? OTHERWISE[name] : "" }));
  return html`
    <${Select}
      label=${t("start.edition")}
      value=${edition}
      options=${choices}
      name=${(/** @type {string} */ one) => t(/** @type {any} */ (`edition.${one}`))}
      onChange=${choose}
    />
    <details class="single-rules">
      <summary>${t("start.rules")}</summary>
      <div class="option-list">
        ${NAMES.map(
          (name) => html`
            <${Switch}
              key=${name}
              label=${t(`rule.${name}`)}
              value=${name in rules}
              onChange=${(/** @type {boolean} */ on) => put(name, on)}
            />
          `,
        )}
      </div>
    </details>
  `;
}
