/** A link to give on: to copy, to share, or to be read by a camera. */
import { html, useState } from "../../vendor/index.js";
import { CopyButton } from "../copy.js";
import { t } from "../i18n.js";
import { qrPath } from "../qr.js";
import { Switch } from "../ui.js";

/** @param {{link: string, label: string}} props */
export function LinkToShare({ link, label }) {
  const [showCode, setShowCode] = useState(true);
  const code = qrPath(link);
  return html`
    <div class="invite-link">
      <input
        readonly
        value=${link}
        aria-label=${label}
        onFocus=${(/** @type {any} */ event) => event.currentTarget.select()}
      />
      <${CopyButton} text=${link} label=${t("invite.copy")} class="main" />
      ${
        "share" in navigator &&
        html`
          <button
            type="button"
            class="button"
            onClick=${() => navigator.share({ url: link, title: "Keltis" }).catch(() => {})}
          >
            ${t("invite.share")}
          </button>
        `
      }
    </div>
    <${Switch} label=${t("invite.qr")} value=${showCode} onChange=${setShowCode} />
    ${
      showCode &&
      code &&
      html`
        <svg
          class="qr"
          role="img"
          aria-label=${t("invite.qr")}
          viewBox="-4 -4 ${code.size + 8} ${code.size + 8}"
        >
          <rect x="-4" y="-4" width=${code.size + 8} height=${code.size + 8} />
          <path d=${code.path} />
        </svg>
      `
    }
  `;
}
