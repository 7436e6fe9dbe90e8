/** Cards and tiles that fly from where they were to where they are now. Transforms only. */
import { h, render } from "../vendor/index.js";
import { Card, CardBack, StoneTile } from "./cards.js";
import { colourOf } from "./game.js";
import { motion } from "./settings.js";

/** @typedef {import("./types.js").Step} Step */
/** @typedef {import("./types.js").View} View */

const TIME = 420;

/** A move whose card was put in its place by hand: it need not fly there. */
let byHand = "";

/** @param {string} move */
export function landed(move) {
  byHand = move;
}

/** Whatever is in the air is gone: its face may no longer be seen. */
export function groundFlights() {
  for (const box of document.querySelectorAll(".flight"))
    for (const flight of box.getAnimations()) flight.cancel();
}

/** The first visible one of several places. @param {string[]} names */
function rectOf(names) {
  for (const name of names) {
    for (const found of document.querySelectorAll(`[data-spot="${name}"]`)) {
      const rect = found.getBoundingClientRect();
      if (rect.width) return { rect, found };
    }
  }
  return null;
}

/** From where, to where, and what is seen. @param {Step} step @param {View} view */
function route(step, view) {
  const { seat, move, shown } = step;
  const player = `player-${seat}`;
  if (view.game === "stones") {
    if (move === "?" || move === "-") return null;
    return { from: [`tile-${move}`], to: [`row-${seat}-${colourOf(move)}`, player], face: move };
  }
  const own = view.you === seat;
  if (move === "?")
    return { from: ["deck"], to: own ? ["hand"] : [player], face: own ? (shown ?? null) : null };
  if (move[0] === "<")
    return { from: [`pile-${move[1]}`], to: own ? ["hand"] : [player], face: shown ?? null };
  if (move[0] === "x")
    return {
      from: [`card-${move.slice(1)}`, player],
      to: [`pile-${move[1]}`],
      face: move.slice(1),
    };
  if (move.length > 1 && move[1] !== "*") {
    return { from: [`card-${move}`, player], to: [`row-${seat}-${move[0]}`, player], face: move };
  }
  return null;
}

/**
 * To be called while the page still shows the position before a step. What comes back is to be
 * called when it shows the one after it.
 * @param {Step} step @param {View} view @returns {() => void}
 */
export function prepareFlight(step, view) {
  const there = step.seat === view.you && step.move === byHand;
  byHand = "";
  if (there) return () => {};
  const way = motion() && !document.hidden ? route(step, view) : null;
  const start = way && rectOf(way.from);
  if (!way || !start) return () => {};
  return () => {
    const end = rectOf(way.to);
    if (!end) return;
    const box = document.createElement("div");
    box.className = "flight";
    box.setAttribute("aria-hidden", "true");
    const picture =
      view.game === "stones"
        ? h(StoneTile, { tile: way.face })
        : way.face
          ? h(Card, { card: way.face })
          : h(CardBack, {});
    render(picture, box);
    document.body.append(box);
    const size = box.getBoundingClientRect();
    /** @param {DOMRect} rect @param {number} scale */
    const place = (rect, scale) => {
      const x = rect.left + rect.width / 2 - size.width / 2;
      const y = rect.top + rect.height / 2 - size.height / 2;
      return `translate(${x}px, ${y}px) scale(${scale})`;
    };
    const flight = box.animate(
      [
        { transform: place(start.rect, 0.9) },
        { transform: place(end.rect, 0.85), opacity: 1, offset: 0.85 },
        { transform: place(end.rect, 0.7), opacity: 0 },
      ],
      { duration: TIME, easing: "cubic-bezier(.3,.7,.3,1)" },
    );
    flight.onfinish = flight.oncancel = () => {
      render(null, box);
      box.remove();
    };
  };
}
