/** A picture for each of the two games. */
import { html } from "../../vendor/index.js";
import { Figure } from "../art.js";
import { Card, StoneBack, StoneTile } from "../cards.js";

/** @param {{game: "board" | "stones"}} props */
export function GamePicture({ game }) {
  if (game === "stones") {
    return html`
      <span class="game-picture" aria-hidden="true">
        <${StoneBack} />
        <${StoneTile} tile="G4" />
        <${StoneTile} tile="Y7" />
        <${StoneTile} tile="B3" />
        <${StoneTile} tile="V10" />
      </span>
    `;
  }
  return html`
    <span class="game-picture" aria-hidden="true">
      <${Card} card="Y7" />
      <${Figure} seat=${0} />
      <${Figure} seat=${1} large=${true} />
      <${Card} card="R9" />
    </span>
  `;
}
