/**
 * The bar above the hand: what is asked and what is to be said of it, the buttons for it, hint and
 * take-back.
 */
import { html, useEffect, useState } from "../../vendor/index.js";
import { faultWords } from "../faults.js";
import { answer, IconButton } from "../ui.js";
import { t } from "../i18n.js";
import { logWords, moveWords } from "../words.js";
import { OwnClock } from "./clock.js";
import { hintFigures, hintWords } from "./hint.js";

/** @typedef {import("./play.js").Play} Play */
/**
 * Something else that comes first, with buttons of its own.
 * @typedef {{prompt: string, buttons: unknown}} Instead
 */

/** Why a bot plays one's seat. @type {Record<string, import("../i18n.js").Key>} */
const WHY = { "move time": "away.move", "game time": "away.game", resigned: "away.resigned" };

/**
 * A person's seat here that a bot plays now, if there is one: one's own at the front before others.
 * @param {Play} play
 */
function playedByBot({ live, view }) {
  const own = live.you.value?.seats ?? [];
  const seats = live.table?.value?.seats ?? [];
  const away = seats.filter(
    (one) => own.includes(one.seat) && one.kind === "person" && one.played_by,
  );
  return away.find((one) => one.seat === view.you) ?? away[0];
}

/** @param {{words: string, onClick: () => void}} props */
export const MainButton = ({ words, onClick }) => html`
  <button type="button" class="button main" data-choice onClick=${onClick}>${words}</button>
`;

/**
 * What to say to somebody for whom a bot plays, and the way back.
 * @param {Play} play
 * @returns {Instead | null}
 */
function insteadOfBot(play) {
  const { live, view } = play;
  const seat = view.seat === null ? undefined : playedByBot(play);
  if (!seat) return null;
  const may = live.you.value?.may.return.includes(seat.seat);
  const name = seat.name ?? "";
  const several = (live.you.value?.seats.length ?? 0) > 1;
  const why = WHY[seat.why ?? ""] ?? "away.left";
  return {
    prompt: several ? t("away.named", { name }) : t(why),
    buttons:
      may &&
      html`
        <${MainButton}
          words=${t(several ? "do.return" : "do.return.own", { name })}
          onClick=${() => live.command({ type: "return", seat: seat.seat })}
        />
      `,
  };
}

/**
 * @param {object} props
 * @param {Play} props.play
 * @param {string} props.prompt
 * @param {string} [props.note] of what is selected
 * @param {Instead | null} [props.instead]
 * @param {unknown} [props.children] the buttons
 */
export function ActionBar({ play, prompt, note = "", instead = null, children }) {
  const { live, view, mine } = play;
  const may = live.you.value?.may;
  const first = instead ?? insteadOfBot(play);
  const asked = play.asked ? t("confirm.ask", { move: moveWords(play.asked, view) }) : "";
  const thinking = live.hint.value === "asked";
  const hint = live.hint.value === "asked" || !mine || first ? null : live.hint.value;
  // A hint waits while one looks at a card of one's own choice.
  const hinting = hint && !asked && !play.selected && !play.entering;
  const [figures, setFigures] = useState(false);
  useEffect(() => setFigures(false), [hint]);

  const refused = live.refused.value;
  const said = answer();
  const told = refused
    ? faultWords(refused)
    : note ||
      (thinking && !play.selected ? t("hint.thinking") : "") ||
      (hinting ? (figures ? hintFigures(hint, view) : hintWords(hint, view)) : "");
  const covers = said || told;
  // A picture of a table has no id, and others tell what happens there.
  const last = live.id ? logWords(view).at(-1) : null;
  const people = live.you.value?.seats.length ?? 0;
  const watching = live.id && people === 0 && view.seat !== null;

  return html`
    <div class="action-bar ${mine ? "mine" : ""} ${live.id && view.seat === null ? "over" : ""}">
      ${
        live.id &&
        html`
          <p class="last-line" aria-hidden="true">${last?.text ?? ""}</p>
        `
      }
      <div class="action-say">
        <div class="action-text">
          <p class="prompt ${covers && !asked && !first ? "visually-hidden" : ""}" tabindex="-1">
            ${asked || (first?.prompt ?? (watching ? `${t("watch.told")} ${prompt}` : prompt))}
          </p>
          ${
            said &&
            html`
              <p class="note answer" aria-hidden="true">${said}</p>
            `
          }
          <div
            class="action-notes ${said || asked || first ? "visually-hidden" : ""}"
            role="status"
          >
            ${
              told &&
              html`
                <p class="note ${hinting ? "hint" : ""} ${thinking ? "quiet" : ""}">${told}</p>
              `
            }
          </div>
        </div>
        ${
          live.table?.value &&
          view.you !== null &&
          view.seat !== null &&
          html`
            <${OwnClock} live=${live} seat=${view.you} />
          `
        }
      </div>
      <div class="action-do">
        <div class="action-buttons">
          ${
            asked
              ? html`
                  <button type="button" class="button main" data-choice onClick=${play.confirm}>
                    ${t("confirm.yes")}
                  </button>
                  <button type="button" class="button" onClick=${play.cancel}>
                    ${t("confirm.no")}
                  </button>
                `
              : first
                ? first.buttons
                : hinting
                  ? html`
                      <button
                        type="button"
                        class="button main"
                        data-choice
                        onClick=${() => play.choose(hint.move)}
                      >
                        ${t("hint.play")}
                      </button>
                      ${
                        hint.moves.length > 0 &&
                        html`
                          <button
                            type="button"
                            class="button"
                            aria-pressed=${figures}
                            onClick=${() => setFigures(!figures)}
                          >
                            ${t("hint.details")}
                          </button>
                        `
                      }
                    `
                  : children
          }
        </div>
        ${
          people > 0 &&
          view.seat !== null &&
          html`
            <div class="action-tools">
              ${
                // Of a deal that many play everybody has one attempt.
                !live.table.value?.deal &&
                html`
                  <${IconButton}
                    name="back"
                    label=${t("do.takeback")}
                    disabled=${!may?.take_back}
                    onClick=${() => live.takeBack()}
                  />
                `
              }
              ${
                live.table.value?.hints &&
                html`
                  <${IconButton}
                    name="hint"
                    label=${t("do.hint")}
                    pressed=${Boolean(hint)}
                    disabled=${thinking || !may?.hint || Boolean(first)}
                    onClick=${() => (hint ? live.forgetHint() : live.askHint())}
                  />
                `
              }
            </div>
          `
        }
      </div>
    </div>
  `;
}
