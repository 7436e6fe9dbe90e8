/**
 * A position on show without a server: the table's own pieces, with what they ask for played by
 * hand.
 */
import { html, useRef } from "../../vendor/index.js";
import { Card, CardBack } from "../cards.js";
import { inBoardOrder } from "../game.js";
import { t } from "../i18n.js";
import { PlayerPanel } from "../rows.js";
import { BoardPlay } from "../table/board-play.js";
import { StonesPlay } from "../table/stones-play.js";
import { cardName } from "../words.js";

/**
 * @typedef {import("../types.js").View} View
 * @typedef {import("../table/play.js").Play} Play
 */

/** Stands where a table's connection would: nothing is sent and nothing comes. */
const NOBODY = /** @type {any} */ ({
  you: { value: null },
  refused: { value: null },
  hint: { value: null },
  takeBack: () => {},
  askHint: () => {},
});

/** @param {View} view @param {Partial<Play>} [part] @returns {Play} */
export function playOf(view, part = {}) {
  const nothing = () => {};
  return {
    watching: false,
    selected: null,
    select: nothing,
    hold: nothing,
    entering: null,
    enter: nothing,
    asked: null,
    choose: nothing,
    drop: nothing,
    confirm: nothing,
    cancel: nothing,
    waiting: false,
    leaving: null,
    forced: null,
    advised: null,
    live: NOBODY,
    view,
    mine: false,
    ...part,
  };
}

/** @param {{cards: string[] | null, count: number, name: string}} props */
function OtherHand({ cards, count, name }) {
  return html`
    <ul class="other-hand" aria-label=${t("replay.hand.of", { name })}>
      ${
        cards
          ? inBoardOrder(cards).map(
              (card, i) => html`
                <li key=${i}>
                  <span class="visually-hidden">${cardName(card)}</span>
                  <span aria-hidden="true"><${Card} card=${card} /></span>
                </li>
              `,
            )
          : Array.from(
              { length: count },
              (_, i) => html`
                <li key=${i} aria-hidden="true"><${CardBack} /></li>
              `,
            )
      }
    </ul>
  `;
}

/**
 * @param {object} props
 * @param {View} props.view
 * @param {number} props.front the seat at the front
 * @param {string} props.name where tiles of `stones` lie depends on it
 * @param {Play} props.play
 * @param {string} props.title
 * @param {string} [props.class]
 * @param {string} [props.point] what is pointed at, see study.css
 * @param {import("./film.js").Hands} [props.hands] open hands of all seats, where known
 * @param {boolean} [props.covered] the hand at the front is hidden
 * @param {unknown} [props.top] above the table
 * @param {unknown} [props.tools] below the hand
 * @param {unknown} [props.side] beside the table, on wide screens
 */
export function Stage({
  view,
  front,
  name,
  play,
  title,
  class: extra = "",
  point,
  hands,
  covered = false,
  top,
  tools,
  side,
}) {
  const main = useRef(/** @type {HTMLElement | null} */ (null));
  const count = view.players.length;
  const others = Array.from({ length: count - 1 }, (_, i) => (front + 1 + i) % count);
  return html`
    <main
      class="table game-${view.game} ${extra}"
      data-players=${count}
      data-point=${point || undefined}
      tabindex="-1"
      ref=${main}
    >
      <h1 class="visually-hidden">${title}</h1>
      ${top}
      <div class="players" data-count=${others.length}>
        ${others.map(
          (seat) => html`
            <div class="player-place" key=${seat}>
              <${PlayerPanel} view=${view} seat=${seat} />
              ${
                view.game === "board" &&
                hands !== undefined &&
                html`
                  <${OtherHand}
                    cards=${hands && hands[seat]}
                    count=${view.hand_sizes[seat]}
                    name=${view.players[seat]}
                  />
                `
              }
            </div>
          `,
        )}
      </div>
      ${
        view.game === "board"
          ? html`
              <${BoardPlay}
                view=${view}
                seat=${front}
                mine=${play.mine}
                covered=${covered}
                play=${play}
                area=${main}
                side=${side}
                cover=${tools}
              />
            `
          : html`
              <${StonesPlay}
                view=${view}
                seat=${front}
                mine=${play.mine}
                name=${name}
                play=${play}
                area=${main}
                side=${html`
                  ${tools}${side}
                `}
              />
            `
      }
    </main>
  `;
}
