/** A link to show and to copy. */
import { html, useState } from "../../vendor/index.js";
import { t } from "../i18n.js";
import { speak } from "../ui.js";

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
