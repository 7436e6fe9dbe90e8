/** Playing the stones game: the middle, one's own rows, what can be done. */
import { html } from "../../vendor/index.js";
import { PlayerShape, TileSymbol } from "../art.js";
import { StoneTile } from "../cards.js";
import { useDrag } from "../drag.js";
import { number, t } from "../i18n.js";
import { rowsTitle } from "../rows.js";
import { StoneRows, StonesTable } from "../stones.js";
import { Fact } from "../ui.js";
import { misfitWords, promptWords, rowAfterWords } from "../words.js";
import { ActionBar } from "./actions.js";

/**
 * @param {object} props
 * @param {import("../types.js").StonesView} props.view
 * @param {number} props.seat whose rows are shown at the front
 * @param {boolean} props.mine whether this seat is to decide and may
 * @param {string} props.name of the table
 * @param {import("./play.js").Play} props.play
 * @param {{current: HTMLElement | null}} props.area in which things are dragged
 * @param {unknown} props.side what stands beside the table
 * @param {import("./actions.js").Instead | null} [props.instead] of what the game asks
 */
export function StonesPlay({ view, seat, mine, name, play, area, side, instead }) {
  const active = mine && !play.waiting;
  const legal = active ? view.legal_moves : [];
  // A tile just turned over is the one in question without having to be selected.
  const selected = view.phase === "tile" ? view.tile : play.selected;
  const fits = selected && legal.includes(selected) ? selected : null;

  useDrag(area, {
    resolve: (drag, drop) => {
      if (!active) return null;
      if (drop === "rows" && legal.includes(drag)) return drag;
      return drop === "middle" && view.phase === "tile" && drag === view.tile ? "-" : null;
    },
    drop: play.drop,
  });

  const onTile = (/** @type {string} */ tile) => {
    if (fits === tile) play.choose(tile);
    else if (view.phase !== "tile") play.select(tile);
  };

  const ask = promptWords(view, mine, play.forced !== null);
  const after = fits ? rowAfterWords(view, seat, fits) : "";
  const prompt = !after ? ask : view.phase === "tile" ? `${ask} ${after}` : after;

  return html`
    <div class="centre stones-play">
      <${StonesTable}
        view=${view}
        name=${name}
        selected=${selected}
        advised=${play.advised}
        leaving=${play.leaving}
        onTurn=${legal.includes("?") ? () => play.choose("?") : undefined}
        onTile=${active ? onTile : undefined}
      />
      <${OwnLine} view=${view} seat=${seat} />
      <${StoneRows}
        view=${view}
        seat=${seat}
        title=${rowsTitle(view, seat, play.watching)}
        selected=${fits}
        onLay=${fits ? () => play.choose(fits) : undefined}
      />
    </div>
    <div class="right">
      <div class="control">
        <${ActionBar}
          play=${play}
          prompt=${prompt}
          note=${selected && active ? misfitWords(view, seat, selected) : ""}
          instead=${instead}
        >
          ${
            active &&
            selected &&
            html`
              <${StoneTile} tile=${selected} class="asked" />
            `
          }
          ${
            fits &&
            html`
              <button
                type="button"
                class="button main"
                data-choice
                onClick=${() => play.choose(fits)}
              >
                ${t("button.take")}
              </button>
            `
          }
          ${
            legal.includes("-") &&
            html`
              <button
                type="button"
                class="button ${fits ? "" : "main"}"
                data-choice
                onClick=${() => play.choose("-")}
              >
                ${t(view.phase === "further" ? "do.stop" : "do.leave")}
              </button>
            `
          }
          ${
            legal.includes("?") &&
            !fits &&
            html`
              <button type="button" class="button main turn-over" onClick=${() => play.choose("?")}>
                ${t("button.turn")}
              </button>
            `
          }
        <//>
      </div>
      ${side}
    </div>
  `;
}

/**
 * One's own total and what it is made of besides the rows, where no panel beside the table shows
 * it.
 * @param {{view: import("../types.js").StonesView, seat: number}} props
 */
function OwnLine({ view, seat }) {
  return html`
    <p class="own-line" data-player=${seat} data-spot="player-${seat}">
      <${PlayerShape} seat=${seat} />
      <span class="player-name">${view.players[seat]}</span>
      <${Fact} class="own-wishes" words=${t("wishes", { n: view.wishing_stones[seat] })}>
        <${TileSymbol} tile="W" />
        ${view.wishing_stones[seat]}
      <//>
      <${Fact} class="own-points" words=${t("points.collected", { n: view.points[seat] })}>
        <${TileSymbol} tile="1" class="plain" />
        ${number(view.points[seat])}
      <//>
      <${Fact} class="own-score" words=${t("score.of", { n: view.scores[seat] })}>
        ${number(view.scores[seat])}
      <//>
    </p>
  `;
}
