/** Cards of the board game and tiles of the stones game: pictures, to be put into buttons. */
import { html } from "../vendor/index.js";
import { ColourShape, TileSymbol, triquetra } from "./art.js";
import { colourOf, numberOf, SYMBOLS } from "./game.js";

/** @param {{card: string, class?: string}} props */
export function Card({ card, class: name = "" }) {
  const colour = colourOf(card);
  return html`
    <span class="card ${name}" data-colour=${colour}>
      <span class="card-number">${numberOf(card)}</span>
      <${ColourShape} colour=${colour} />
    </span>
  `;
}

/** @param {{class?: string}} props */
export function CardBack({ class: name = "" }) {
  return html`
    <span class="card back ${name}">
      <svg viewBox="-12 -12 24 24" aria-hidden="true">${triquetra()}</svg>
    </span>
  `;
}

/** A tile of the stones game, face up. @param {{tile: string, class?: string}} props */
export function StoneTile({ tile, class: name = "" }) {
  const colour = colourOf(tile);
  const symbol = SYMBOLS[tile];
  return html`
    <span class="stone-tile ${name} ${symbol ? "has-symbol" : ""}" data-colour=${colour}>
      <span class="card-number">${numberOf(tile)}</span>
      <${ColourShape} colour=${colour} />
      ${
        symbol &&
        html`
          <${TileSymbol} tile=${symbol} class="tile-symbol" />
        `
      }
    </span>
  `;
}

/** @param {{class?: string}} props */
export function StoneBack({ class: name = "" }) {
  return html`
    <span class="stone-tile back ${name}">
      <svg viewBox="-12 -12 24 24" aria-hidden="true">${triquetra()}</svg>
    </span>
  `;
}
