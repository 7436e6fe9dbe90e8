/** The bar above the hand: what is asked, the buttons for it, hint and take-back. */
import { html } from "../../vendor/index.js";
import { colourOf, END_STONE } from "../game.js";
import { decimal, plusDecimal, t } from "../i18n.js";
import { IconButton } from "../ui.js";
import { moveWords, stepWords } from "../words.js";

/** @typedef {import("./play.js").Play} Play */

/** @param {{play: Play, prompt: string, note?: string, children?: unknown}} props */
export function ActionBar({ play, prompt, note = "", children }) {
  const { live, view, mine } = play;
  const may = live.you.value?.may;
  const refused = live.refused.value;
  const hint = live.hint.value;
  return html`<div class="action-bar ${mine ? "mine" : ""}">
    <div class="action-text">
      <p class="prompt" tabindex="-1">${play.asked ? t("confirm.ask", { move: moveWords(play.asked, view) }) : prompt}</p>
    </div>
    <div class="action-notes" role="status">
      ${note && html`<p class="note">${note}</p>`}
      ${refused && html`<p class="note">${refusedWords(refused)}</p>`}
      ${hint === "asked" && html`<p class="note quiet">${t("hint.thinking")}</p>`}
      ${hint && hint !== "asked" && mine && html`<p class="note hint">${hintWords(hint, view)}</p>`}
    </div>
    <div class="action-buttons">
      ${play.asked
        ? html`<button type="button" class="button main" data-choice onClick=${play.confirm}>${t("confirm.yes")}</button>
            <button type="button" class="button" onClick=${play.cancel}>${t("confirm.no")}</button>`
        : children}
      ${may?.take_back && html`<${IconButton} name="back" label=${t("do.takeback")} onClick=${() => live.takeBack()} />`}
      ${may?.hint && html`<${IconButton} name="hint" label=${t("do.hint")} disabled=${hint === "asked"} onClick=${() => live.askHint()} />`}
    </div>
  </div>`;
}

/** @param {{code: string, message: string}} refused */
function refusedWords(refused) {
  const known = /** @type {Record<string, import("../i18n.js").Key>} */ ({
    cannot_take_back: "error.takeback",
    not_your_turn: "error.turn",
    not_allowed: "error.allowed",
    busy: "error.busy",
    rate_limited: "error.busy",
    stopping: "error.busy",
  });
  return t(known[refused.code] ?? "error.other", { message: refused.message });
}

/** A hint with its reason in figures. @param {import("../types.js").Hint} hint @param {import("../types.js").View} view */
export function hintWords(hint, view) {
  const parts = [t("hint.says", { move: moveWords(hint.move, view) })];
  const colour = colourOf(hint.move);
  if (view.game === "board" && /^[RYVGB]/.test(hint.move) && view.figures[hint.seat][colour] < END_STONE) {
    const large = hint.move[1] === "*" || undefined;
    parts.push(t("hint.leads", { step: stepWords(view, hint.seat, colour, large) }));
  }
  const best = hint.moves.find((one) => one.move === hint.move);
  if (best) parts.push(t(best.value >= 0 ? "hint.lead" : "hint.behind", { value: decimal(Math.abs(best.value)), error: decimal(best.error) }));
  const next = hint.moves.find((one) => one.move !== hint.move);
  if (best && next) parts.push(t("hint.next", { move: moveWords(next.move, view), less: plusDecimal(next.value - best.value) }));
  return parts.join(" ");
}
