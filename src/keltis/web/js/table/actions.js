/** The bar above the hand: what is asked, the buttons for it, hint and take-back. */
import { html } from "../../vendor/index.js";
import { faultWords } from "../faults.js";
import { IconButton } from "../ui.js";
import { t } from "../i18n.js";
import { moveWords } from "../words.js";
import { hintWords } from "./hint.js";

/** @typedef {import("./play.js").Play} Play */

/** @param {{play: Play, prompt: string, note?: string, children?: unknown}} props */
export function ActionBar({ play, prompt, note = "", children }) {
  const { live, view, mine } = play;
  const may = live.you.value?.may;
  const refused = live.refused.value;
  const hint = live.hint.value;
  return html`
    <div class="action-bar ${mine ? "mine" : ""}">
      <div class="action-text">
        <p class="prompt" tabindex="-1">
          ${play.asked ? t("confirm.ask", { move: moveWords(play.asked, view) }) : prompt}
        </p>
      </div>
      <div class="action-notes" role="status">
        ${
          note &&
          html`
            <p class="note">${note}</p>
          `
        }
        ${
          refused &&
          html`
            <p class="note">${faultWords(refused)}</p>
          `
        }
        ${
          hint === "asked" &&
          html`
            <p class="note quiet">${t("hint.thinking")}</p>
          `
        }
        ${
          hint &&
          hint !== "asked" &&
          mine &&
          html`
            <p class="note hint">${hintWords(hint, view)}</p>
          `
        }
      </div>
      <div class="action-buttons">
        ${
          play.asked
            ? html`
                <button type="button" class="button main" data-choice onClick=${play.confirm}>
                  ${t("confirm.yes")}
                </button>
                <button type="button" class="button" onClick=${play.cancel}>
                  ${t("confirm.no")}
                </button>
              `
            : children
        }
        ${
          may?.take_back &&
          html`
            <${IconButton} name="back" label=${t("do.takeback")} onClick=${() => live.takeBack()} />
          `
        }
        ${
          may?.hint &&
          html`
            <${IconButton}
              name="hint"
              label=${t("do.hint")}
              disabled=${hint === "asked"}
              onClick=${() => live.askHint()}
            />
          `
        }
      </div>
    </div>
  `;
}
