/** A button that copies a text. */
import { html, useState } from "../vendor/index.js";
import { t } from "./i18n.js";
import { Icon, speak } from "./ui.js";

/**
 * Whether the text is in the clipboard now. Without https, as among friends in one house, a browser
 * only copies what is selected.
 * @param {string} text
 * @param {HTMLElement} button beside which it is selected: in a dialog nothing outside can be
 */
async function copied(text, button) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = document.createElement("textarea");
    field.className = "visually-hidden";
    field.readOnly = true;
    field.value = text;
    button.after(field);
    field.focus();
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    button.focus();
    return done;
  }
}

/** @param {{text: string, label: string, class?: string}} props */
export function CopyButton({ text, label, class: extra = "" }) {
  const [last, setLast] = useState("");
  const done = Boolean(text) && last === text;
  const copy = async (/** @type {{currentTarget: HTMLElement}} */ { currentTarget: button }) => {
    if (await copied(text, button)) {
      setLast(text);
      speak(t("invite.copied"));
      return;
    }
    // Then it is chosen, for whoever copies it by the keys.
    button.parentElement?.querySelector(/** @type {"input"} */ ("input, textarea"))?.select();
  };
  return html`
    <button type="button" class="button ${extra}" disabled=${!text} onClick=${copy}>
      <${Icon} name=${done ? "check" : "copy"} />
      ${done ? t("invite.copied") : label}
    </button>
  `;
}
