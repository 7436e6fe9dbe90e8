/** The draw pile and the discard piles: to draw from, to discard on, and to look into. */
import { html, signal } from "../../vendor/index.js";
import { ColourShape } from "../art.js";
import { Card, CardBack } from "../cards.js";
import { COLOURS, colourOf } from "../game.js";
import { recent } from "../recent.js";
import { number, t } from "../i18n.js";
import { Dialog } from "../ui.js";
import { cardName, colourName, moveWords } from "../words.js";

/**
 * @typedef {import("../types.js").Colour} Colour
 * @typedef {import("../types.js").BoardView} BoardView
 * @typedef {import("./play.js").Play} Play
 */

/** Whether the piles are being looked into. */
export const looking = signal(false);

/** A pile with all that one remembers of it. @param {BoardView} view @param {Colour} colour */
export function pileWords(view, colour) {
  const pile = view.piles[colour];
  const top = pile.at(-1);
  if (!top) return t("pile.empty", { colour: colourName(colour) });
  const values = { colour: colourName(colour), card: cardName(top) };
  if (pile.length === 1) return t("pile.single", values);
  const words = t("pile.top", { ...values, n: pile.length - 1 });
  const below = pile
    .slice(0, -1)
    .reverse()
    .map((card) => card.slice(1));
  return `${words}. ${t("pile.below", { cards: below.join(", ") })}`;
}

/** @param {{view: BoardView, play: Play, legal: string[]}} props */
export function Piles({ view, play, legal }) {
  const { selected } = play;
  const { piles: touched } = recent(view);
  const mark = (/** @type {string} */ pile) => (touched.has(pile) ? "recent" : "");
  const left = t("deck.left", { n: view.draw_pile });
  const deck = html`
    <${CardBack} />
    <span class="deck-count">${number(view.draw_pile)}</span>
  `;
  return html`
    <ul class="piles columns" aria-label=${t("piles")}>
      <li class="gutter-cell" data-spot="deck">
        ${
          legal.includes("?")
            ? html`
                <button
                  type="button"
                  class="pile deck target ${play.advised === "?" ? "advised" : ""}"
                  data-drag="?"
                  aria-label="${t("do.draw")}. ${left}"
                  onClick=${() => play.choose("?")}
                >
                  ${deck}
                </button>
              `
            : html`
                <div class="pile deck" title=${left}>
                  <span class="visually-hidden">${left}</span>
                  ${deck}
                </div>
              `
        }
      </li>
      ${COLOURS.map((colour) => {
        const pile = view.piles[colour];
        const top = pile.at(-1);
        const take = legal.includes(`<${colour}`) ? `<${colour}` : null;
        const discard =
          selected && colourOf(selected) === colour && legal.includes(`x${selected}`)
            ? `x${selected}`
            : null;
        const move = take ?? discard;
        const closed = view.closed_pile === colour && legal.length > 0;
        const words = closed
          ? `${pileWords(view, colour)}. ${t("pile.closed")}`
          : pileWords(view, colour);
        const picture = top
          ? html`
              <${Card} card=${top} class=${pile.length > 1 ? "deep" : ""} />
              <span class="pile-count">${pile.length > 1 ? number(pile.length) : ""}</span>
            `
          : html`
              <span class="card hollow" data-colour=${colour}>
                <${ColourShape} colour=${colour} />
              </span>
            `;
        return html`
          <li
            key=${colour}
            data-colour=${colour}
            data-drop="pile:${colour}"
            data-spot="pile-${colour}"
          >
            ${
              move
                ? html`
                    <button
                      type="button"
                      data-choice=${take ? "" : undefined}
                      data-drag=${take ?? undefined}
                      class="pile target ${mark(colour)} ${play.advised === move ? "advised" : ""}"
                      aria-label="${moveWords(move, view)}. ${words}"
                      title=${words}
                      onClick=${() => play.choose(move)}
                    >
                      ${picture}
                    </button>
                  `
                : top
                  ? html`
                      <button
                        type="button"
                        class="pile ${mark(colour)} ${closed ? "closed" : ""}"
                        aria-label=${words}
                        aria-haspopup="dialog"
                        title=${words}
                        onClick=${() => (looking.value = true)}
                      >
                        ${picture}
                      </button>
                    `
                  : html`
                      <div class="pile ${mark(colour)}" title=${words}>
                        <span class="visually-hidden">${words}</span>
                        ${picture}
                      </div>
                    `
            }
          </li>
        `;
      })}
    </ul>
    <${Dialog}
      open=${looking.value}
      title=${t("piles.look")}
      onClose=${() => (looking.value = false)}
      class="piles-dialog"
    >
      <p class="quiet">${t("piles.text")}</p>
      <ul class="pile-list">
        ${COLOURS.map(
          (colour) => html`
            <li key=${colour} data-colour=${colour}>
              <${ColourShape} colour=${colour} />
              <span class="visually-hidden">${pileWords(view, colour)}</span>
              <span class="pile-cards" aria-hidden="true">
                ${view.piles[colour].map(
                  (card, i) => html`
                    <${Card} key=${i} card=${card} />
                  `,
                )}${!view.piles[colour].length && t("row.empty")}
              </span>
              ${
                view.closed_pile === colour &&
                legal.length > 0 &&
                html`
                  <span class="note quiet">${t("pile.closed")}</span>
                `
              }
            </li>
          `,
        )}
      </ul>
    <//>
  `;
}
