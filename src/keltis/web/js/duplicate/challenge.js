/** Giving the deal of a finished game to friends. */
import { html, useState } from "../../vendor/index.js";
import { request, ServerError } from "../api.js";
import { dayOf } from "../day/days.js";
import { faultWords } from "../faults.js";
import { t } from "../i18n.js";
import { go } from "../router.js";
import { playerName } from "../settings.js";

/**
 * Goes to the duplicate that is made from a game.
 * @param {string} table @param {number} [seat] to be played
 */
export async function challenge(table, seat) {
  const name = playerName.value.trim() || t("name.default");
  const wish = seat === undefined ? { name } : { name, seat };
  const made = await request(`tables/${table}/duplicate`, wish);
  go(made.path);
}

/** @param {{table: string}} props */
export function ChallengeButton({ table }) {
  const [fault, setFault] = useState("");
  const act = () =>
    challenge(table).catch((error) =>
      setFault(error instanceof ServerError ? error.code : "internal"),
    );
  return html`
    <button type="button" class="button" onClick=${act}>${t("deal.challenge")}</button>
    ${
      fault &&
      html`
        <p class="note" role="alert">${faultWords(fault)}</p>
      `
    }
  `;
}

/**
 * The duplicate that a table is an attempt at; "" if it is none.
 * @param {{deal: string | null} | null | undefined} table
 */
export const duplicateOf = (table) => (table?.deal && !dayOf(table.deal) ? table.deal : "");
