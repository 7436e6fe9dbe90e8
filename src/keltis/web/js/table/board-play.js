/** Playing the board game: board, own rows, piles, what can be done, hand. */
import { html, useEffect, useMemo, useState } from "../../vendor/index.js";
import { ColourShape, Figure, PlayerShape, TileSymbol } from "../art.js";
import { Board, ScoreTrack } from "../board.js";
import { Card, CardBack } from "../cards.js";
import { useDrag } from "../drag.js";
import {
  COLOURS,
  colourOf,
  deeds,
  END_STONE,
  inBoardOrder,
  numberOf,
  stepOn,
  worth,
} from "../game.js";
import { number, plus, t } from "../i18n.js";
import { rowLabel, Way } from "../rows.js";
import { cardName, misfitWords, moveWords, promptWords, sentence, stepWords } from "../words.js";
import { IconButton, speak } from "../ui.js";
import { ActionBar } from "./actions.js";
import { looking, Piles } from "./piles.js";

/**
 * @typedef {import("../types.js").Colour} Colour
 * @typedef {import("../types.js").BoardView} BoardView
 * @typedef {import("../board.js").Choice} Choice
 * @typedef {import("./play.js").Play} Play
 */

/** Cards of one's own row that are shown one by one; of earlier ones only how many there are. */
const SHOWN = 4;

/** @param {string} move */
const isStep = (move) => /^[RYVGB]\*?$/.test(move);

/**
 * The places on the board that can be chosen now.
 * @param {BoardView} view
 * @param {number} seat
 * @param {string | null} selected
 * @returns {Choice[]}
 */
function choicesOf(view, seat, selected) {
  /** @param {string} move @param {boolean} [large] @returns {Choice} */
  const choice = (move, large) => {
    const step = stepOn(view, seat, colourOf(move), large);
    const label = `${moveWords(move, view)}: ${stepWords(view, seat, colourOf(move), large)}`;
    return {
      move,
      colour: step.colour,
      stone: step.stone,
      large: step.large,
      gain: step.gain,
      tile: step.tile,
      label,
    };
  };
  if (view.phase === "card") {
    if (!selected || !view.legal_moves.includes(selected)) return [];
    const at = view.figures[seat][colourOf(selected)];
    if (at === END_STONE) return [];
    const comesLarge = at === 0 && view.small_at_start[seat] === 0;
    return [choice(selected, comesLarge || undefined)];
  }
  return view.legal_moves.filter(isStep).map((move) => {
    const enters = view.figures[seat][colourOf(move)] === 0;
    const large = move[1] === "*" || (enters && view.small_at_start[seat] === 0);
    return choice(move, enters ? large : undefined);
  });
}

/** Which move a drag means. @param {BoardView} view @param {string} drag @param {string} drop */
function resolveDrag(view, drag, drop) {
  const [kind, what] = drop.split(":");
  const legal = (/** @type {string} */ move) => (view.legal_moves.includes(move) ? move : null);
  if (view.phase === "card") {
    if (colourOf(drag) !== what) return null;
    return kind === "row" || kind === "path"
      ? legal(drag)
      : kind === "pile"
        ? legal(`x${drag}`)
        : null;
  }
  if (view.phase === "draw") return kind === "hand" ? legal(drag) : null;
  if (kind !== "path") return null;
  if (drag === `figure:${what}` || drag === "start:small") return legal(what);
  if (drag === "start:large")
    return legal(`${what}*`) ?? (view.small_at_start[view.you ?? 0] ? null : legal(what));
  return null;
}

/**
 * @param {object} props
 * @param {BoardView} props.view
 * @param {number} props.seat whose hand and rows are shown at the front
 * @param {boolean} props.mine whether this seat is to decide and may
 * @param {boolean} props.covered the hand is hidden
 * @param {Play} props.play
 * @param {{current: HTMLElement | null}} props.area in which things are dragged
 * @param {unknown} props.side what stands beside the table
 * @param {unknown} props.cover over the hand, if it is not to be seen
 */
export function BoardPlay({ view, seat, mine, covered, play, area, side, cover }) {
  const { selected } = play;
  const [look, setLook] = useState(/** @type {Choice | null} */ (null));
  const active = mine && !play.waiting;
  const legal = active ? view.legal_moves : [];
  const choices = active && !play.asked ? choicesOf(view, seat, selected) : [];
  const last = useMemo(() => deeds(view).at(-1), [view]);
  const moved = last?.path ? { seat: last.seat, colour: last.path } : null;
  useEffect(() => setLook(null), [view, selected]);

  useDrag(area, {
    resolve: (drag, drop) => (active ? resolveDrag(view, drag, drop) : null),
    drop: play.choose,
    lift: (drag) => {
      if (drag && view.phase === "card") play.select(drag);
    },
  });

  let prompt = promptWords(view, mine);
  if (look) prompt = look.label;
  else if (selected && choices[0])
    prompt = sentence(stepWords(view, seat, choices[0].colour, choices[0].large));
  else if (selected && active && view.phase === "card") prompt = sentence(cardName(selected));

  return html`
    <div class="centre board-play">
      <div class="board-area">
        <${ScoreTrack} view=${view} />
        <${Board}
          view=${view}
          choices=${choices}
          onChoose=${active ? play.choose : undefined}
          onLook=${setLook}
          advised=${play.advised}
          moved=${moved}
          mine=${active ? seat : null}
        />
      </div>
      <${OwnRows} view=${view} seat=${seat} play=${play} legal=${legal} />
      <${Piles} view=${view} play=${play} legal=${legal} />
    </div>
    <div class="right">
      <div class="control">
        <${ActionBar}
          play=${play}
          prompt=${prompt}
          note=${selected && active ? misfitWords(view, seat, selected) : ""}
        >
          ${
            active &&
            view.phase === "card" &&
            selected &&
            html`
              ${
                legal.includes(selected) &&
                html`
                  <button type="button" class="button main" onClick=${() => play.choose(selected)}>
                    ${t("button.lay")}
                  </button>
                `
              }
              ${
                legal.includes(`x${selected}`) &&
                html`
                  <button type="button" class="button" onClick=${() => play.choose(`x${selected}`)}>
                    ${t("button.discard")}
                  </button>
                `
              }
            `
          }
          ${
            active &&
            view.phase === "figure" &&
            view.path &&
            html`
              <button
                type="button"
                class="button main"
                data-choice
                onClick=${() => play.choose(/** @type {string} */ (view.path))}
              >
                <${Figure} seat=${seat} />
                ${t("button.small")}
              </button>
              <button
                type="button"
                class="button main"
                onClick=${() => play.choose(`${view.path}*`)}
              >
                <${Figure} seat=${seat} large=${true} />
                ${t("button.large")}
              </button>
            `
          }
          ${
            legal.includes("-") &&
            html`
              <button type="button" class="button" onClick=${() => play.choose("-")}>
                ${t("do.decline")}
              </button>
            `
          }
          ${
            legal.includes("?") &&
            html`
              <button
                type="button"
                class="button main"
                data-choice
                onClick=${() => play.choose("?")}
              >
                ${t("button.draw")}
              </button>
            `
          }
          ${
            active &&
            view.phase === "draw" &&
            COLOURS.some((colour) => view.piles[colour].length > 1) &&
            html`
              <${IconButton}
                name="piles"
                label=${t("piles.look")}
                onClick=${() => (looking.value = true)}
              />
            `
          }
        <//>
        <${Hand} view=${view} covered=${covered} play=${play} legal=${legal} active=${active} />
        ${cover}
      </div>
      ${side}
    </div>
  `;
}

/** @param {{view: BoardView, seat: number, play: Play, legal: string[]}} props */
function OwnRows({ view, seat, play, legal }) {
  const { selected } = play;
  return html`
    <ul class="own-rows columns" aria-label=${t("rows.own")}>
      <li
        class="gutter-cell own-sum ${view.seat === seat ? "turn" : ""}"
        data-spot="player-${seat}"
        data-player=${seat}
      >
        <span class="own-score" aria-label=${t("score.of", { n: view.scores[seat] })}>
          <${PlayerShape} seat=${seat} />
          ${number(view.scores[seat])}
        </span>
        <span aria-label=${t("wishes", { n: view.wishing_stones[seat] })}>
          <${TileSymbol} tile="W" />
          ${view.wishing_stones[seat]}
        </span>
      </li>
      ${COLOURS.map((colour) => {
        const row = view.rows[seat][colour];
        const target =
          selected && colourOf(selected) === colour && legal.includes(selected) ? selected : null;
        const label = rowLabel(view, seat, colour);
        const inside = html`
          <span
            class="own-row-cards"
            style=${{ "--n": String(row.slice(-SHOWN).length + (target ? 1 : 0)) }}
          >
            ${
              row.length > SHOWN &&
              html`
                <span class="strip-more">+${row.length - SHOWN}</span>
              `
            }
            ${row.map(
              (value, i) =>
                i >= row.length - SHOWN &&
                html`
                  <span key=${i} class="strip" data-colour=${colour}>
                    <b>${value}</b>
                    ${
                      i === row.length - 1 &&
                      !target &&
                      html`
                        <${ColourShape} colour=${colour} />
                      `
                    }
                  </span>
                `,
            )}
            ${
              target &&
              html`
                <span class="strip slot" data-colour=${colour}><b>${numberOf(target)}</b></span>
              `
            }
            ${
              !row.length &&
              !target &&
              html`
                <span class="strip none" data-colour=${colour}>
                  <${ColourShape} colour=${colour} />
                </span>
              `
            }
          </span>
          <span class="own-row-foot">
            <${Way} row=${row} />
            <span class="row-worth ${worth(view, seat, colour) < 0 ? "minus" : ""}">
              ${view.figures[seat][colour] || row.length ? plus(worth(view, seat, colour)) : ""}
            </span>
          </span>
        `;
        return html`
          <li
            key=${colour}
            data-colour=${colour}
            data-drop="row:${colour}"
            data-spot="row-${seat}-${colour}"
          >
            ${
              target
                ? html`
                    <button
                      type="button"
                      class="own-row target ${play.advised === target ? "advised" : ""}"
                      aria-label="${moveWords(target, view)}. ${label}"
                      onClick=${() => play.choose(target)}
                    >
                      ${inside}
                    </button>
                  `
                : html`
                    <div class="own-row">
                      <span class="visually-hidden">${label}</span>
                      <span aria-hidden="true" class="own-row-inside">${inside}</span>
                    </div>
                  `
            }
          </li>
        `;
      })}
    </ul>
  `;
}

/**
 * @param {{view: BoardView, covered: boolean, play: Play, legal: string[], active: boolean}} props
 */
function Hand({ view, covered, play, legal, active }) {
  const cards = view.hand ? inBoardOrder(view.hand) : [];
  // Of two equal cards the one that was touched is lifted.
  const [touched, setTouched] = useState(0);
  const lifted =
    play.selected === null
      ? -1
      : cards[touched] === play.selected
        ? touched
        : cards.indexOf(play.selected);
  const choosing = active && view.phase === "card";
  const lastOwn = view.history.findLast((step) => step.seat === view.you);
  const fresh = lastOwn && (lastOwn.move === "?" || lastOwn.move[0] === "<") ? lastOwn.shown : null;
  const choose = (/** @type {string} */ card, /** @type {number} */ place) => {
    setTouched(place);
    if (choosing) play.select(card);
    // A picture of a table has no id, and nothing comes later there.
    else if (view.seat !== null && play.live.id)
      speak(t("why.later", { ask: promptWords(view, play.mine) }), true);
  };
  const keys = (/** @type {KeyboardEvent} */ event) => {
    const way = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (!way || !(event.currentTarget instanceof HTMLElement)) return;
    const buttons = [...event.currentTarget.querySelectorAll("button")];
    const at = buttons.findIndex((one) => one === document.activeElement);
    buttons[(at + way + buttons.length) % buttons.length]?.focus();
    event.preventDefault();
  };
  if (view.you === null || covered) {
    const count = view.hand_sizes[view.you ?? view.seat ?? 0];
    return html`
      <div class="hand hidden" data-drop="hand" data-spot="hand" aria-hidden="true">
        ${Array.from(
          { length: count },
          (_, i) => html`
            <${CardBack} key=${i} />
          `,
        )}
      </div>
    `;
  }
  return html`
    <ul
      class="hand ${choosing ? "choosing" : ""}"
      data-drop="hand"
      data-spot="hand"
      aria-label=${t("hand")}
      onKeyDown=${keys}
    >
      ${cards.map((card, i) => {
        const second = cards[i - 1] === card;
        const fits = legal.includes(card);
        const known = view.known[view.you ?? 0].includes(card) && !second;
        const words = [cardName(card)];
        if (choosing && !fits) words.push(t("card.misfit"));
        if (known) words.push(t("card.known"));
        const marks = [];
        if (choosing) marks.push(fits ? "fits" : "misfit");
        if (lifted === i) marks.push("selected");
        if (play.advised?.replace("x", "") === card) marks.push("advised");
        return html`
          <li
            key="${card}${second ? "b" : ""}"
            class=${fresh === card && !second ? "fresh" : ""}
            data-spot="card-${card}"
          >
            <button
              type="button"
              class="hand-card ${marks.join(" ")}"
              data-choice=${choosing ? "" : undefined}
              data-drag=${choosing ? card : undefined}
              data-card=${card}
              aria-pressed=${lifted === i}
              aria-disabled=${!choosing}
              aria-label=${words.join(", ")}
              onPointerDown=${() => setTouched(i)}
              onClick=${() => choose(card, i)}
            >
              <${Card} card=${card} />
            </button>
          </li>
        `;
      })}
    </ul>
  `;
}
