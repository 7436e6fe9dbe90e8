/** Making a duplicate of one's own, and those that one has. */
import { html, useEffect, useState } from "../../vendor/index.js";
import { request, ServerError } from "../api.js";
import { knownRules, RulesChoice } from "../editions.js";
import { faultWords } from "../faults.js";
import { botLevel } from "../games/plots.js";
import { t, when } from "../i18n.js";
import { go } from "../router.js";
import { playerName } from "../settings.js";
import { Select } from "../ui.js";

/**
 * @typedef {{
 *   duplicate: string, path: string, by: string | null, yours: boolean, created: string,
 *   closes: string, open: boolean, game: "board" | "stones", options: Record<string, string>,
 *   players: number, from_game: boolean, known: boolean, played: string[],
 * }} Head
 * @typedef {{
 *   game: string, bots: string[], seats: string, seat: string, rules: Record<string, string>,
 * }} Wish
 */

/** Whom one plays first against, who has chosen nobody: good, and quick. */
const USUAL = "fox";

/** @param {{levels: string[]}} props */
export function Make({ levels }) {
  const [wish, setWish] = useState(
    /** @type {Wish} */ ({ game: "board", bots: [USUAL], seats: "one", seat: "0", rules: {} }),
  );
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState("");
  const put = (/** @type {Partial<Wish>} */ part) => setWish({ ...wish, ...part });
  const resize = (/** @type {number} */ players) => {
    const bots = wish.bots.slice(0, players - 1);
    while (bots.length < players - 1) bots.push(bots.at(-1) ?? USUAL);
    put({ bots, seat: Number(wish.seat) < players ? wish.seat : "0" });
  };
  const make = async (/** @type {Event} */ event) => {
    event.preventDefault();
    setBusy(true);
    try {
      const made = await request("duplicates", {
        game: wish.game,
        options: wish.game === "board" ? wish.rules : {},
        bots: wish.bots,
        seats: wish.seats,
        seat: wish.seats === "all" ? 0 : Number(wish.seat),
        name: playerName.value.trim() || t("name.default"),
      });
      go(made.path);
    } catch (error) {
      setFault(error instanceof ServerError ? error.code : "internal");
      setBusy(false);
    }
  };
  return html`
    <form class="duplicate-form" onSubmit=${make}>
      <h2>${t("duplicate.make")}</h2>
      <${NameField} />
      <div class="option-list">
        <${Select}
          label=${t("start.game")}
          value=${wish.game}
          options=${["board", "stones"]}
          name=${(/** @type {string} */ one) => t(one === "board" ? "game.board" : "game.stones")}
          onChange=${(/** @type {string} */ game) => put({ game })}
        />
        <${Select}
          label=${t("start.players")}
          value=${String(wish.bots.length + 1)}
          options=${["2", "3", "4"]}
          name=${(/** @type {string} */ one) => one}
          onChange=${(/** @type {string} */ one) => resize(Number(one))}
        />
        ${wish.bots.map(
          (level, k) => html`
            <${Select}
              key=${k}
              label=${t("duplicate.bot", { n: k + 1 })}
              value=${level}
              options=${levels}
              name=${botLevel}
              onChange=${(/** @type {string} */ one) =>
                put({ bots: wish.bots.map((each, i) => (i === k ? one : each)) })}
            />
          `,
        )}
        <${Select}
          label=${t("duplicate.seats")}
          value=${wish.seats}
          options=${["one", "all"]}
          name=${(/** @type {string} */ one) =>
            t(one === "one" ? "duplicate.seats.one" : "duplicate.seats.all")}
          onChange=${(/** @type {string} */ seats) => put({ seats })}
        />
        ${
          wish.seats === "one" &&
          html`
            <${Select}
              label=${t("duplicate.seat")}
              value=${wish.seat}
              options=${["0", ...wish.bots.map((_, k) => String(k + 1))]}
              name=${(/** @type {string} */ one) => t("duplicate.seat.n", { n: Number(one) + 1 })}
              onChange=${(/** @type {string} */ seat) => put({ seat })}
            />
          `
        }
        ${
          wish.game === "board" &&
          html`
            <${RulesChoice}
              rules=${wish.rules}
              change=${(/** @type {Record<string, string>} */ rules) =>
                put({ rules: knownRules(rules) })}
            />
          `
        }
      </div>
      ${
        fault &&
        html`
          <p class="note" role="alert">${faultWords(fault)}</p>
        `
      }
      <button class="button main" type="submit" disabled=${busy || !levels.length}>
        ${t("duplicate.make.go")}
      </button>
    </form>
  `;
}

/** What one is called where others see it. */
export function NameField() {
  return html`
    <label class="field">
      <span>${t("your.name")}</span>
      <input
        maxlength="24"
        autocomplete="nickname"
        placeholder=${t("name.default")}
        value=${playerName.value}
        onInput=${(/** @type {any} */ event) => {
          playerName.value = event.currentTarget.value;
        }}
      />
    </label>
  `;
}

/** Duplicates that one has made, plays or has played. */
export function Mine() {
  const [mine, setMine] = useState(/** @type {(Head & {done: number, of: number})[]} */ ([]));
  useEffect(() => {
    void request("me/duplicates").then(
      (answer) => setMine(answer.duplicates),
      () => {},
    );
  }, []);
  if (!mine.length) return null;
  return html`
    <section class="tables">
      <h2>${t("duplicate.mine")}</h2>
      <ul>
        ${mine.map(
          (each) => html`
            <li key=${each.duplicate}>
              <span class="tables-game">${t(`game.${each.game}`)}</span>
              <span class="tables-names">
                ${each.by ? t("duplicate.by", { name: each.by }) : ""}${" "}
                <span class="quiet">${when(each.created)}</span>
              </span>
              <span class="quiet">${t("duplicate.done", { n: each.done, of: each.of })}</span>
              <a class="button" href=${each.path}>${t("duplicate.open")}</a>
            </li>
          `,
        )}
      </ul>
    </section>
  `;
}
