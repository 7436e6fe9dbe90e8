/** The stones table: tiles in the middle, face down and face up, and one's own rows. */
import { html, useRef } from "../vendor/index.js";
import { ColourShape } from "./art.js";
import { StoneBack, StoneTile } from "./cards.js";
import { COLOURS, rowWorth } from "./game.js";
import { plus, t } from "./i18n.js";
import { recent } from "./recent.js";
import { rowLabel, Way } from "./rows.js";
import { stoneName } from "./words.js";

/** @typedef {import("./types.js").StonesView} StonesView */

const PLACES = 55;

/**
 * The places of the tiles in the order in which they are turned over, the same for a name every
 * time.
 * @param {string} name
 */
function placesFor(name) {
  let state = 2166136261;
  for (const letter of name) state = Math.imul(state ^ letter.charCodeAt(0), 16777619);
  const places = Array.from({ length: PLACES }, (_, i) => i);
  for (let i = PLACES - 1; i > 0; i -= 1) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const j = state % (i + 1);
    [places[i], places[j]] = [places[j], places[i]];
  }
  return places;
}

/**
 * @param {object} props
 * @param {StonesView} props.view
 * @param {string} props.name of the table: where tiles lie
 * @param {() => void} [props.onTurn] a tile may be turned over now
 * @param {(tile: string) => void} [props.onTile] an open tile was chosen, whether it fits or not
 * @param {string | null} [props.selected]
 * @param {string | null} [props.advised]
 * @param {string | null} [props.leaving] a tile that was dragged to its row
 */
export function StonesTable({
  view,
  name,
  onTurn,
  onTile,
  selected = null,
  advised = null,
  leaving = null,
}) {
  const { tiles } = recent(view);
  const places = useRef(placesFor(name));
  const turned = view.history.filter((step) => step.move === "?").map((step) => step.shown ?? "");
  /** @type {Map<number, string>} */
  const lying = new Map();
  const open = new Set(view.open);
  turned.forEach((tile, i) => {
    if (open.has(tile) || tile === view.tile) lying.set(places.current[i], tile);
  });
  const down = new Set(places.current.slice(turned.length));
  const next = places.current[turned.length];

  /** The tile that the player points at is the one that turns. @param {number} place */
  const turn = (place) => {
    const order = places.current;
    const at = order.indexOf(place);
    [order[at], order[turned.length]] = [order[turned.length], order[at]];
    onTurn?.();
  };

  return html`
    <ul
      class="middle"
      data-drop="middle"
      data-spot="middle"
      aria-label=${t("middle.label", { n: view.face_down })}
    >
      ${Array.from({ length: PLACES }, (_, place) => {
        const tile = lying.get(place);
        if (tile) {
          const legal = view.legal_moves.includes(tile);
          const label = stoneName(tile);
          const now = tile === view.tile;
          const states = [];
          if (now) states.push("now");
          if (tiles.has(tile)) states.push("recent");
          if (leaving === tile) states.push("leaving");
          const marks = [legal ? "legal" : "misfit"];
          if (selected === tile) marks.push("selected");
          if (advised === tile) marks.push("advised");
          return html`
            <li key=${place} class="place ${states.join(" ")}">
              ${
                onTile
                  ? html`
                      <button
                        type="button"
                        data-choice=${legal ? "" : undefined}
                        data-drag=${legal ? tile : undefined}
                        data-spot="tile-${tile}"
                        class="tile-button ${marks.join(" ")}"
                        aria-pressed=${selected === tile}
                        aria-label=${legal ? label : t("tile.misfit", { tile: label })}
                        onClick=${() => onTile(tile)}
                      >
                        <${StoneTile} tile=${tile} />
                      </button>
                    `
                  : html`
                      <span data-spot="tile-${tile}">
                        <span class="visually-hidden">${label}</span>
                        <${StoneTile} tile=${tile} />
                      </span>
                    `
              }
            </li>
          `;
        }
        if (!down.has(place))
          return html`
            <li key=${place} class="place gone" aria-hidden="true"></li>
          `;
        if (!onTurn)
          return html`
            <li key=${place} class="place" aria-hidden="true"><${StoneBack} /></li>
          `;
        // One stop for the keyboard is enough: the tiles are all alike.
        const first = place === next;
        return html`
          <li key=${place} class="place" aria-hidden=${first ? undefined : "true"}>
            <button
              type="button"
              class="tile-button legal ${advised === "?" && first ? "advised" : ""}"
              data-choice=${first ? "" : undefined}
              data-turn
              tabindex=${first ? 0 : -1}
              aria-label=${t("do.turn.left", { n: view.face_down })}
              onClick=${() => turn(place)}
            >
              <${StoneBack} />
            </button>
          </li>
        `;
      })}
    </ul>
  `;
}

/**
 * One's own rows, large enough to lay on.
 * @param {object} props
 * @param {StonesView} props.view
 * @param {number} props.seat
 * @param {string} props.title whose rows they are
 * @param {string | null} [props.selected] a tile that fits and may be laid
 * @param {() => void} [props.onLay]
 */
export function StoneRows({ view, seat, title, selected = null, onLay }) {
  return html`
    <ul class="stone-rows" data-drop="rows" aria-label=${title}>
      ${COLOURS.map((colour) => {
        const row = view.rows[seat][colour];
        const target = selected && selected[0] === colour && onLay;
        const after = rowWorth(row.length + (target ? 1 : 0));
        const line = html`
          <span class="visually-hidden">${rowLabel(view, seat, colour)}</span>
          <${ColourShape} colour=${colour} />
          <span
            class="stone-row-tiles"
            aria-hidden="true"
            style=${{ "--n": String(row.length + (target ? 1 : 0)) }}
          >
            ${row.map(
              (value) => html`
                <${StoneTile} key=${value} tile=${colour + value} class="small" />
              `,
            )}
            ${
              target &&
              html`
                <span class="stone-tile small slot"></span>
              `
            }
          </span>
          <${Way} row=${row} />
          ${
            target &&
            html`
              <span class="row-worth before" aria-hidden="true">${plus(rowWorth(row.length))}</span>
              <span class="row-arrow" aria-hidden="true">→</span>
            `
          }
          <span class="row-worth ${after < 0 ? "minus" : ""}" aria-hidden="true">
            ${plus(after)}
          </span>
        `;
        return html`
          <li key=${colour} data-colour=${colour} data-spot="row-${seat}-${colour}">
            ${
              target
                ? html`
                    <button
                      type="button"
                      class="stone-row target"
                      onClick=${onLay}
                      aria-label=${t("do.take", { card: stoneName(selected) })}
                    >
                      ${line}
                    </button>
                  `
                : html`
                    <div class="stone-row">${line}</div>
                  `
            }
          </li>
        `;
      })}
    </ul>
  `;
}
