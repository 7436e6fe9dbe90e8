/** Players with their rows: a line each on narrow screens, a panel each on wide ones. */
import { html } from "../vendor/index.js";
import { ColourShape, Figure, PlayerShape, TileSymbol } from "./art.js";
import { COLOURS, direction, SYMBOLS, worth } from "./game.js";
import { number, plus, t } from "./i18n.js";
import { recent } from "./recent.js";
import { Fact } from "./ui.js";
import { cardName, colourName, levelName, rowWords } from "./words.js";

/**
 * @typedef {import("./types.js").Colour} Colour
 * @typedef {import("./types.js").View} View
 * @typedef {import("./types.js").Seat} Seat
 */

/** Which way a row goes, in words for those who don't see the arrow. @param {number[]} row */
const wayWords = (row) =>
  direction(row) > 0 ? t("row.up") : direction(row) < 0 ? t("row.down") : "";

/** @param {{row: number[]}} props */
export function Way({ row }) {
  const way = direction(row);
  if (!row.length) return null;
  return html`
    <svg class="way" viewBox="0 0 10 10" aria-hidden="true">
      <path d=${way > 0 ? "M5 1L9 8H1Z" : way < 0 ? "M5 9L1 2H9Z" : "M5 0L8 4H2ZM5 10L2 6H8Z"} />
    </svg>
  `;
}

/** A row's whole meaning. @param {View} view @param {number} seat @param {Colour} colour */
export function rowLabel(view, seat, colour) {
  const row = view.rows[seat][colour];
  const parts = [`${colourName(colour)}: ${rowWords(row)}`];
  if (direction(row)) parts.push(wayWords(row));
  if (view.game === "board" && view.figures[seat][colour]) {
    parts.push(t("figure.on", { stone: view.figures[seat][colour] }));
  }
  parts.push(t("row.counts", { worth: number(worth(view, seat, colour)) }));
  return parts.join(", ");
}

/**
 * Whose rows they are that stand at the front: who watches has none.
 * @param {View} view @param {number} seat @param {boolean} watching
 */
export const rowsTitle = (view, seat, watching) =>
  watching ? t("rows.of", { name: view.players[seat] }) : t("rows.own");

/**
 * @param {object} props
 * @param {View} props.view
 * @param {number} props.seat
 * @param {Seat} [props.info]
 * @param {string} [props.clock]
 * @param {boolean} [props.self]
 */
export function PlayerPanel({ view, seat, info, clock, self = false }) {
  const turn = view.seat === seat;
  const known = view.game === "board" ? view.known[seat] : [];
  const { rows } = recent(view);
  const level = info?.kind === "bot" && info.level ? levelName(info.level) : "";
  const absent = info?.kind === "person" && !info.present;
  return html`
    <section
      class="player ${turn ? "turn" : ""} ${self ? "self" : ""}"
      data-player=${seat}
      data-spot="player-${seat}"
      aria-label=${view.players[seat]}
    >
      <header class="player-head">
        <${PlayerShape} seat=${seat} />
        <span class="player-name" title=${view.players[seat]}>${view.players[seat]}</span>
        ${
          level &&
          level !== view.players[seat] &&
          html`
            <span class="player-level">${level}</span>
          `
        }
        ${
          turn &&
          html`
            <span class="player-turn">${t("player.turn")}</span>
          `
        }
        ${
          absent &&
          !info?.played_by &&
          html`
            <span class="player-note">${t("player.away")}</span>
          `
        }
        ${
          info?.kind === "person" &&
          info.played_by &&
          view.seat !== null &&
          html`
            <span class="player-note">${t("player.bot")}</span>
          `
        }
        ${
          clock &&
          html`
            <span class="player-clock">${clock}</span>
          `
        }
        <${Fact}
          class="player-score"
          title=${t("score.now")}
          words=${t("score.of", { n: view.scores[seat] })}
        >
          ${number(view.scores[seat])}
        <//>
      </header>
      <p class="player-facts">
        <${Fact} words=${t("wishes", { n: view.wishing_stones[seat] })}>
          <${TileSymbol} tile="W" />
          ${view.wishing_stones[seat]}
        <//>
        <${Fact} words=${t("points.collected", { n: view.points[seat] })}>
          <${TileSymbol} tile="1" class="plain" />
          ${number(view.points[seat])}
        <//>
        ${
          view.game === "board" &&
          html`
            <${Fact}
              title=${t("start.figures")}
              words=${t("start.has", {
                n: view.small_at_start[seat],
                large: view.large[seat] === null ? 1 : 0,
              })}
            >
              <${Figure} seat=${seat} />
              ${view.small_at_start[seat]}${
                view.large[seat] === null &&
                html`
                  <${Figure} seat=${seat} large=${true} />
                `
              }
            <//>
            ${
              known.length > 0 &&
              html`
                <${Fact}
                  class="player-known"
                  title=${t("known.title")}
                  words="${t("known.title")}: ${known.map(cardName).join(", ")}"
                >
                  ${known.map(
                    (card) => html`
                      <span class="mini" data-colour=${card[0]}>
                        <${ColourShape} colour=${card[0]} />
                        ${card.slice(1)}
                      </span>
                    `,
                  )}
                <//>
              `
            }
          `
        }
      </p>
      <ul class="player-rows">
        ${COLOURS.map((colour) => {
          const row = view.rows[seat][colour];
          const stone = view.game === "board" ? view.figures[seat][colour] : 0;
          const fresh = rows.get(`${seat}-${colour}`) ?? 0;
          return html`
            <li
              key=${colour}
              class="row-cell ${row.length || stone ? "" : "empty"}"
              data-colour=${colour}
              data-spot="row-${seat}-${colour}"
            >
              <span class="visually-hidden">${rowLabel(view, seat, colour)}</span>
              <span class="row-line" aria-hidden="true">
                <${ColourShape} colour=${colour} />
                <span class="row-numbers">
                  ${row
                    .map((value, i) => ({ value, i }))
                    .reverse()
                    .map(
                      ({ value, i }) => html`
                        <span
                          key=${i}
                          class="row-number ${i >= row.length - fresh ? "recent" : ""}"
                        >
                          ${value}${
                            view.game === "stones" &&
                            SYMBOLS[colour + value] &&
                            html`
                              <${TileSymbol} tile=${SYMBOLS[colour + value]} />
                            `
                          }
                        </span>
                      `,
                    )}
                </span>
                <${Way} row=${row} />
                <span class="row-worth ${worth(view, seat, colour) < 0 ? "minus" : ""}">
                  ${row.length || stone ? plus(worth(view, seat, colour)) : ""}
                </span>
              </span>
            </li>
          `;
        })}
      </ul>
    </section>
  `;
}
