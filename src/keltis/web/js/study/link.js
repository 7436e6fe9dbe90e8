/** A link to show and to copy. */
import { html } from "../../vendor/index.js";
import { CopyButton } from "../copy.js";
import { dayOf } from "../day/days.js";
import { t } from "../i18n.js";

/**
 * Whether a link to a game is of use to everybody: not if others play its deal too.
 * @param {string} name of the game, in the address of its replay @param {any} record
 */
export const isForAll = (name, record) => !record.fair?.deal && !name.includes("/") && !dayOf(name);

/** @param {{link: string, label: string, words: string}} props */
export function LinkBox({ link, label, words }) {
  return html`
    <div class="link-box">
      <p>${words}</p>
      <div class="invite-link">
        <input
          readonly
          value=${link}
          aria-label=${label}
          onFocus=${(/** @type {any} */ event) => event.currentTarget.select()}
        />
        <${CopyButton} text=${link} label=${t("invite.copy")} class="main" />
      </div>
    </div>
  `;
}
