/** Pictures for the rules, made of the game's own pieces. Each stands where its clause ends. */
import { html } from "../../vendor/index.js";
import { Figure, TileSymbol } from "../art.js";
import { Board } from "../board.js";
import { Card, CardBack, StoneBack, StoneTile } from "../cards.js";
import { t } from "../i18n.js";
import { Way } from "../rows.js";

/** @param {{text: import("../i18n.js").Key, children?: unknown, class?: string}} props */
function Picture({ text, children, class: name = "" }) {
  return html`
    <figure class="rule-figure ${name}">
      <div class="rule-picture" aria-hidden="true">${children}</div>
      <figcaption>${t(text)}</figcaption>
    </figure>
  `;
}

const nothing = { R: 0, Y: 0, V: 0, G: 0, B: 0 };
/** A board at the start of a game for two. @type {any} */
const START = {
  game: "board",
  players: ["", ""],
  you: null,
  figures: [nothing, nothing],
  large: [null, null],
  in_goal: 0,
  tiles: {
    R: [null, "W", "C", null, "2", null, "W", null, "C"],
    Y: [null, "1", null, "W", null, "C", "W", null, "3"],
    V: [null, null, "W", "C", null, "1", "C", null, "W"],
    G: [null, null, "C", null, "W", "2", "C", null, "W"],
    B: [null, "C", null, "3", "W", null, "2", null, "C"],
  },
};

/** @param {{colour: string, numbers: number[], no: number}} props */
function CardRow({ colour, numbers, no }) {
  return html`
    <div class="rule-row">
      ${numbers.map(
        (number, i) => html`
          <${Card} key=${i} card="${colour}${number}" />
        `,
      )}
      <span data-colour=${colour}><${Way} row=${numbers} /></span>
      <span class="no"><${Card} card="${colour}${no}" /></span>
    </div>
  `;
}

/** @param {string[]} shown */
const tiles = (shown) =>
  shown.map(
    (tile) => html`
      <${StoneTile} key=${tile} tile=${tile} />
    `,
  );

/** @type {Record<string, () => unknown>} */
export const FIGURES = {
  B2: () => html`
    <${Picture} text="figure.board" class="tall"><${Board} view=${START} /><//>
  `,
  B3: () => html`
    <${Picture} text="figure.cards">
      ${["G0", "Y3", "R7", "B10", "V5"].map(
        (card) => html`
          <${Card} key=${card} card=${card} />
        `,
      )}
    <//>
  `,
  B4: () => html`
    <${Picture} text="figure.figures">
      ${[0, 1, 2, 3].map(
        (i) => html`
          <${Figure} key=${i} seat=${0} />
        `,
      )}
      <${Figure} seat=${0} large=${true} />
    <//>
  `,
  B5: () => html`
    <${Picture} text="figure.tiles" class="symbols">
      ${
        /** @type {const} */ (["W", "C", "1", "2", "3"]).map(
          (tile) => html`
            <${TileSymbol} key=${tile} tile=${tile} />
          `,
        )
      }
    <//>
  `,
  B9: () => html`
    <${Picture} text="figure.rows" class="rows">
      <${CardRow} colour="G" numbers=${[2, 4, 4, 7]} no=${5} />
      <${CardRow} colour="R" numbers=${[9, 6, 6, 1]} no=${3} />
    <//>
  `,
  B17: () => html`
    <${Picture} text="figure.piles">
      <${CardBack} />
      <${Card} card="Y10" />
      <${Card} card="V3" />
    <//>
  `,
  S1: () => html`
    <${Picture} text="figure.stones">
      <${StoneBack} />
      ${tiles(["G6", "Y7", "R2", "B0", "V5"])}
      <${StoneBack} />
    <//>
  `,
  S5: () => html`
    <${Picture} text="figure.row" class="rows">
      <div class="rule-row">
        ${tiles(["B8", "B5", "B4"])}
        <span data-colour="B"><${Way} row=${[8, 5, 4]} /></span>
        <span class="no"><${StoneTile} tile="B7" /></span>
      </div>
    <//>
  `,
  S6: () => html`
    <${Picture} text="figure.clovers">${tiles(["G3", "Y1", "R8", "B6", "V9"])}<//>
  `,
};

/**
 * The symbol beside the passage that explains a tile.
 * @type {Record<string, import("../types.js").Tile>}
 */
export const SIGNS = { B13: "2", B14: "C", B15: "W" };
