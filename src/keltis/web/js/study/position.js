/** Positions as text: a box that opens one, and one that shows and copies it. */
import { html, useEffect, useState } from "../../vendor/index.js";
import { request, ServerError } from "../api.js";
import { CopyButton } from "../copy.js";
import { faultWords } from "../faults.js";
import { needMessages, t } from "../i18n.js";

await needMessages("positions.");

/** How the text of a position begins (docs/positions.md). */
export const isPosition = (/** @type {string} */ text) =>
  text.trimStart().startsWith("keltis-position/");

/** Why a text is refused, from the place that the server names. @param {unknown} error */
export function wrongPosition(error) {
  if (!(error instanceof ServerError)) return t("position.bad");
  if (error.code !== "bad_request") return faultWords(error.code);
  const place = /^([a-z_]+(?:\.\w+|\[\d+\])*): /.exec(error.message)?.[1] ?? "";
  return place && place !== "position" ? t("position.at", { place }) : t("position.bad");
}

/**
 * What was typed is kept by the page, so that a text that is refused can be mended.
 * @param {{text: string, onType: (text: string) => void, onOpen: (text: string) => void}} props
 */
export function OpenPosition({ text, onType, onOpen }) {
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (text.trim()) onOpen(text.trim());
  };
  return html`
    <form class="open-position" onSubmit=${submit}>
      <h2>${t("position.open")}</h2>
      <label>
        <span class="quiet">${t("position.lead")}</span>
        <textarea
          rows="3"
          maxlength="4096"
          spellcheck=${false}
          autocapitalize="off"
          autocomplete="off"
          aria-label=${t("position.label")}
          placeholder="keltis-position/1 …"
          value=${text}
          onInput=${(/** @type {any} */ event) => onType(event.currentTarget.value)}
        />
      </label>
      <button type="submit" class="button" disabled=${!text.trim()}>${t("position.show")}</button>
    </form>
  `;
}

/**
 * The position on show, for copying; with closed hands it has none of them.
 * @param {{record: any, at: number, hands: boolean, hideable: boolean}} props
 */
export function PositionText({ record, at, hands, hideable }) {
  const [text, setText] = useState("");
  const [fault, setFault] = useState("");
  useEffect(() => {
    request("position", { record, at, hands }).then(
      (/** @type {any} */ answer) => setText(answer.position),
      (/** @type {unknown} */ error) => setFault(wrongPosition(error)),
    );
  }, []);
  return html`
    <h3 class="position-title">${t("position.title")}</h3>
    <p>${t(hideable && !hands ? "position.hidden" : "position.text")}</p>
    ${
      fault
        ? html`
            <p class="note" role="alert">${fault}</p>
          `
        : html`
            <textarea
              class="position-text"
              readonly
              rows="4"
              value=${text}
              aria-label=${t("position.label")}
              onFocus=${(/** @type {any} */ event) => event.currentTarget.select()}
            />
            <${CopyButton} text=${text} label=${t("position.copy")} />
          `
    }
  `;
}
