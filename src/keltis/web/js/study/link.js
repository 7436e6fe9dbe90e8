/** A link to show and to copy. */
import { html, useState } from "../../vendor/index.js";
import { dayOf } from "../day/days.js";
import { t } from "../i18n.js";
import { speak } from "../ui.js";

/**
 * Whether a link to a game is of use to everybody: not if others play its deal too.
 * @param {string} name of the game, in the address of its replay @param {any} record
 */
export const isForAll = (name, record) => !record.fair?.deal && !name.includes("/") && !dayOf(name);

/** @param {{link: string, label: string, words: string}} props */
export function LinkBox({ link, label, words }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(link);
      setCopied(true);
      speak(t("invite.copied"));
    } catch {
      document.querySelector(/** @type {"input"} */ (".link-box input"))?.select();
    }
  };
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
        <button type="button" class="button main" onClick=${copy}>
          ${t(copied ? "invite.copied" : "invite.copy")}
        </button>
      </div>
    </div>
  `;
}
