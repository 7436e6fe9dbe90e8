/** A link to show and to copy. */
import { html } from "../../vendor/index.js";
import { CopyButton } from "../copy.js";
import { t } from "../i18n.js";

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
