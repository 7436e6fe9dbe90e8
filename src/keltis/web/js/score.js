/** The score sheet: what each player scores, or would score if the game ended now. */
import { html } from "../vendor/index.js";
import { ColourShape, PlayerShape, TileSymbol } from "./art.js";
import { COLOURS, wishingWorth, worth } from "./game.js";
import { number, t } from "./i18n.js";
import { colourName, sentence } from "./words.js";

/** @param {{view: import("./types.js").View}} props */
export function ScoreSheet({ view }) {
  const seats = view.players.map((_, seat) => seat);
  const best = view.result ? view.result.winners : [];
  /** @param {(seat: number) => number} value */
  const cells = (value) =>
    seats.map(
      (seat) => html`
        <td key=${seat} class=${value(seat) < 0 ? "minus" : ""}>${number(value(seat))}</td>
      `,
    );
  return html`
    <table class="score-sheet">
      <caption class="visually-hidden">${t("score.title")}</caption>
      <thead>
        <tr>
          <td></td>
          ${seats.map(
            (seat) => html`
              <th key=${seat} scope="col" class=${best.includes(seat) ? "winner" : ""}>
                <${PlayerShape} seat=${seat} />
                <span class="sheet-name">${view.players[seat]}</span>
              </th>
            `,
          )}
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="row">
            <${TileSymbol} tile="1" class="plain" />
            ${sentence(t(view.game === "board" ? "score.points" : "score.bonus"))}
          </th>
          ${cells((seat) => view.points[seat])}
        </tr>
        ${COLOURS.map(
          (colour) => html`
            <tr key=${colour}>
              <th scope="row">
                <${ColourShape} colour=${colour} />
                ${sentence(colourName(colour))}
              </th>
              ${cells((seat) => worth(view, seat, colour))}
            </tr>
          `,
        )}
        <tr>
          <th scope="row">
            <${TileSymbol} tile="W" />
            ${sentence(t("tile.wishes"))}
          </th>
          ${seats.map((seat) => {
            const value = wishingWorth(view.wishing_stones[seat]);
            return html`
              <td key=${seat} class=${value < 0 ? "minus" : ""}>
                <span class="sheet-count">${view.wishing_stones[seat]} →</span>
                ${" "}${number(value)}
              </td>
            `;
          })}
        </tr>
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">${t("score.total")}</th>
          ${seats.map(
            (seat) => html`
              <td key=${seat} class=${best.includes(seat) ? "winner" : ""}>
                ${number(view.scores[seat])}
              </td>
            `,
          )}
        </tr>
      </tfoot>
    </table>
  `;
}
