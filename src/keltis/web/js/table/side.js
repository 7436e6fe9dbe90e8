/** Beside the table: the log in words, and keys that ask. */
import { html, useLayoutEffect, useRef } from "../../vendor/index.js";
import { PlayerShape } from "../art.js";
import { figuresWords } from "../board.js";
import { COLOURS, inBoardOrder } from "../game.js";
import { t } from "../i18n.js";
import { rowLabel } from "../rows.js";
import { shortcuts, sound } from "../settings.js";
import { speak } from "../ui.js";
import { cardName, logWords, promptWords, sentence, stoneName } from "../words.js";
import { pileWords } from "./piles.js";

/**
 * @typedef {import("../types.js").View} View
 * @typedef {import("./play.js").Play} Play
 */

/** @param {{view: View}} props */
export function Log({ view }) {
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const entries = logWords(view);
  // A long log costs nothing anew: what was written once stays the same node.
  const written = useRef(/** @type {Map<string, unknown>} */ (new Map()));
  const line = (/** @type {{seat: number, text: string}} */ entry, /** @type {number} */ i) => {
    const same = entries[i - 1]?.seat === entry.seat;
    const name = `${i} ${same} ${entry.seat} ${entry.text}`;
    if (!written.current.has(name)) {
      written.current.set(
        name,
        html`
          <li key=${i} class=${same ? "same" : ""}>
            <${PlayerShape} seat=${entry.seat} />
            ${entry.text}
          </li>
        `,
      );
    }
    return written.current.get(name);
  };
  // The newest line stays in view, also when what stands around the log grows.
  useLayoutEffect(() => {
    const element = /** @type {HTMLElement} */ (box.current);
    const scroll = () => {
      element.scrollTop = element.scrollHeight;
    };
    scroll();
    const observer = new ResizeObserver(scroll);
    observer.observe(element);
    return () => observer.disconnect();
  }, [entries.length]);
  return html`
    <div class="log" ref=${box} tabindex="0" role="region" aria-label=${t("log")}>
      <ol>
        ${entries.map(line)}
      </ol>
      ${
        !entries.length &&
        html`
          <p class="quiet">${t("log.empty")}</p>
        `
      }
    </div>
  `;
}

/** @param {View} view @param {number} seat */
function rowsWords(view, seat) {
  return [view.players[seat], ...COLOURS.map((colour) => rowLabel(view, seat, colour))].join(". ");
}

/** Answers to the keys that ask. @type {Record<string, (view: View, mine: boolean) => string>} */
const ANSWERS = {
  h: (view) => {
    if (view.game === "stones") {
      const open = inBoardOrder(view.open).map(stoneName).join(", ") || t("middle.none");
      return `${t("middle.label", { n: view.face_down })}. ${open}`;
    }
    return view.hand
      ? `${t("hand")}: ${inBoardOrder(view.hand).map(cardName).join(", ")}`
      : t("hand.hidden");
  },
  r: (view) => {
    const seat = view.you ?? 0;
    return view.game === "board"
      ? `${rowsWords(view, seat)}. ${figuresWords(view, seat)}`
      : rowsWords(view, seat);
  },
  o: (view) =>
    view.players
      .map((_, seat) => seat)
      .filter((seat) => seat !== view.you)
      .map((seat) =>
        view.game === "board"
          ? `${rowsWords(view, seat)}. ${figuresWords(view, seat)}`
          : rowsWords(view, seat),
      )
      .join(". "),
  p: (view) => {
    if (view.game === "stones") return ANSWERS.h(view, false);
    const piles = COLOURS.map((colour) => pileWords(view, colour));
    return [t("piles"), ...piles, t("deck.left", { n: view.draw_pile })].join(". ");
  },
  s: (view) =>
    view.players
      .map((name, seat) => `${name}: ${t("score.of", { n: view.scores[seat] })}`)
      .join("; "),
  l: (view) => logWords(view).at(-1)?.text ?? t("log.empty"),
  w: (view, mine) => promptWords(view, mine),
};

/**
 * @param {View} view @param {boolean} mine @param {Play} play
 * @param {() => void} help
 */
export function useKeys(view, mine, play, help) {
  // In the same breath as the page: a key must not tell of a hand that has just been covered.
  useLayoutEffect(() => {
    /** @param {KeyboardEvent} event */
    const press = (event) => {
      if (!shortcuts.value || event.metaKey || event.ctrlKey || event.altKey) return;
      const target = event.target;
      if (target instanceof HTMLElement && target.closest("input, select, textarea, dialog"))
        return;
      const key = event.key.toLowerCase();
      const legal = mine ? view.legal_moves : [];
      if (ANSWERS[key]) speak(ANSWERS[key](view, mine), true);
      else if (event.key === "?") help();
      else if (key === "escape") play.cancel();
      else if (key === "m") sound.value = !sound.value;
      else if (key === "d" && legal.includes("?")) play.choose("?");
      else if (key === "c" && play.selected && legal.includes(play.selected))
        play.choose(play.selected);
      else if (key === "x" && play.selected && legal.includes(`x${play.selected}`))
        play.choose(`x${play.selected}`);
      else if (key === "n" && legal.includes("-")) play.choose("-");
      else if (key === "u" && play.live.you.value?.may.take_back) play.live.takeBack();
      else if (key === "i" && play.live.you.value?.may.hint) play.live.askHint();
      else if (/^[1-9]$/.test(key)) {
        const button = document.querySelectorAll(".hand button")[Number(key) - 1];
        if (!(button instanceof HTMLElement)) return;
        button.focus();
        button.click();
      } else return;
      event.preventDefault();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  });
}

/** The keys and what they do, for the help. @type {[string, import("../i18n.js").Key][]} */
const KEYS = [
  ["1–8", "keys.card"],
  ["C", "keys.lay"],
  ["X", "keys.discard"],
  ["D", "keys.draw"],
  ["N", "keys.decline"],
  ["U", "do.takeback"],
  ["I", "do.hint"],
  ["Esc", "keys.cancel"],
  ["H", "keys.hand"],
  ["R", "keys.rows"],
  ["O", "keys.others"],
  ["P", "piles"],
  ["S", "keys.score"],
  ["L", "keys.last"],
  ["W", "keys.what"],
  ["M", "settings.sound"],
  ["?", "keys"],
];

export const KeysHelp = () => html`
  <${KeyList} keys=${KEYS} />
`;

/** @param {{keys: [string, import("../i18n.js").Key][]}} props */
export function KeyList({ keys }) {
  return html`
    <dl class="keys">
      ${keys.map(
        ([key, words]) => html`
          <div key=${key}>
            <dt><kbd>${key}</kbd></dt>
            <dd>${sentence(t(words))}</dd>
          </div>
        `,
      )}
    </dl>
  `;
}
