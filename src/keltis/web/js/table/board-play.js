/** Playing the board game: board, own rows, piles, what can be done, hand. */
import { html, useEffect, useState } from "../../vendor/index.js";
import { ColourShape, Figure, PlayerShape, TileSymbol } from "../art.js";
import { Board, ScoreTrack } from "../board.js";
import { Card, CardBack } from "../cards.js";
import { useDrag } from "../drag.js";
import { COLOURS, colourOf, END_STONE, inBoardOrder, numberOf, stepOn, worth } from "../game.js";
import { number, plus, t } from "../i18n.js";
import { rowLabel, rowsTitle, Way } from "../rows.js";
import {
  cardName,
  ended,
  misfitWords,
  moveWords,
  onPath,
  ontoPath,
  promptWords,
  sentence,
  stepWords,
} from "../words.js";
import { Fact, IconButton, speak } from "../ui.js";
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
 * The places on the board that can be chosen now: one a path. Where both the small and the large
 * figure may come, it is asked afterwards which, as after a card was laid.
 * @param {BoardView} view @param {number} seat @param {string | null} selected @returns {Choice[]}
 */
function choicesOf(view, seat, selected) {
  if (view.phase === "figure") return [];
  if (view.phase === "card" && !(selected && view.legal_moves.includes(selected))) return [];
  const moves = view.phase === "card" ? [selected ?? ""] : view.legal_moves.filter(isStep);
  // From left to right, as they stand on the board.
  const paths = COLOURS.filter((colour) => moves.some((one) => colourOf(one) === colour));
  return paths.flatMap((path) => {
    const at = view.figures[seat][path];
    if (at === END_STONE) return [];
    const small = view.small_at_start[seat] > 0;
    const either = at === 0 && small && view.large[seat] === null;
    const move = moves.find((one) => colourOf(one) === path) ?? path;
    const step = stepOn(view, seat, path, at === 0 ? !small : undefined);
    const where = stepWords(view, seat, path, at === 0 ? !small : undefined, either);
    const asks = either && view.phase !== "card";
    const what = asks ? t("do.step.enter", { onto: ontoPath(path) }) : moveWords(move, view);
    const { stone, large, gain, tile } = step;
    const label = `${what}: ${where}`;
    return [{ move, colour: path, stone, large, either: asks, gain, tile, where, label }];
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
 * @param {import("./actions.js").Instead | null} [props.instead] of what the game asks
 */
export function BoardPlay({ view, seat, mine, covered, play, area, side, cover, instead }) {
  const { selected, entering } = play;
  const [look, setLook] = useState(/** @type {Choice | null} */ (null));
  const active = mine && !play.waiting;
  const legal = active ? view.legal_moves : [];
  const choices = active && !play.asked ? choicesOf(view, seat, selected) : [];
  const choosePlace = (/** @type {Choice} */ choice) =>
    choice.either ? play.enter(choice.colour) : play.choose(choice.move);
  const entered = view.phase === "figure" ? view.path : entering;
  useEffect(() => setLook(null), [view, selected]);

  useDrag(area, {
    resolve: (drag, drop) => (active ? resolveDrag(view, drag, drop) : null),
    drop: play.drop,
    lift: (drag) => {
      if (view.phase === "card") play.hold(drag);
    },
  });

  let prompt = promptWords(view, mine, play.forced !== null);
  if (entering) prompt = t("ask.figure", { onto: ontoPath(entering) });
  else if (look) prompt = look.label;
  else if (selected && active && view.phase === "card") {
    const at = view.figures[seat][colourOf(selected)];
    const fits = legal.includes(selected);
    prompt = sentence(
      fits && at === END_STONE
        ? t("leads.finished", { path: onPath(colourOf(selected)) })
        : choices[0]
          ? choices[0].where
          : cardName(selected),
    );
  }

  return html`
    <div class="centre board-play">
      <div class="board-area">
        <${ScoreTrack} view=${view} />
        <${Board}
          view=${view}
          choices=${choices}
          onChoose=${active ? choosePlace : undefined}
          onLook=${setLook}
          advised=${play.advised}
          entering=${entering}
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
          instead=${instead}
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
            entered &&
            html`
              <button
                type="button"
                class="button main ${play.advised === entered ? "advised" : ""}"
                data-choice
                onClick=${() => play.choose(entered)}
              >
                <${Figure} seat=${seat} />
                ${t("button.small")}
              </button>
              <button
                type="button"
                class="button main ${play.advised === `${entered}*` ? "advised" : ""}"
                onClick=${() => play.choose(`${entered}*`)}
              >
                <${Figure} seat=${seat} large=${true} />
                ${t("button.large")}
              </button>
            `
          }
          ${
            legal.includes("-") &&
            !entering &&
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
    <ul class="own-rows columns" aria-label=${rowsTitle(view, seat, play.watching)}>
      <li
        class="gutter-cell own-sum ${view.seat === seat ? "turn" : ""}"
        data-spot="player-${seat}"
        data-player=${seat}
      >
        <${Fact} class="own-score" words=${t("score.of", { n: view.scores[seat] })}>
          <${PlayerShape} seat=${seat} />
          ${number(view.scores[seat])}
        <//>
        <${Fact} class="own-wishes" words=${t("wishes", { n: view.wishing_stones[seat] })}>
          <${TileSymbol} tile="W" />
          ${view.wishing_stones[seat]}
        <//>
        <${Fact} class="own-points" words=${t("points.collected", { n: view.points[seat] })}>
          <${TileSymbol} tile="1" class="plain" />
          ${number(view.points[seat])}
        <//>
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
  // A card on its way to the table is no longer in the hand.
  const away =
    play.leaving === null
      ? -1
      : cards[touched] === play.leaving
        ? touched
        : cards.indexOf(play.leaving);
  const choosing = active && view.phase === "card";
  const lastOwn = view.history.findLast((step) => step.seat === view.you);
  const fresh = lastOwn && (lastOwn.move === "?" || lastOwn.move[0] === "<") ? lastOwn.shown : null;
  const choose = (/** @type {string} */ card, /** @type {number} */ place) => {
    setTouched(place);
    if (choosing) play.select(card);
    // A picture of a table has no id, and nothing comes later there.
    else if (view.seat !== null && play.live.id)
      speak(t("why.later", { ask: ended(promptWords(view, play.mine)) }), true);
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
      aria-label=${play.watching ? view.players[view.you] : t("hand")}
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
        if (away === i) marks.push("leaving");
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
