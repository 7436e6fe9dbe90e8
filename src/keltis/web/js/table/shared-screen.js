/**
 * Several people on one screen: whose side of the table is shown, and what is left of a view when
 * it is nobody's. Every card that only one of them may see goes through here.
 */
import { html, useEffect, useMemo, useState } from "../../vendor/index.js";
import { groundFlights } from "../flights.js";
import { t } from "../i18n.js";
import { speak } from "../ui.js";
import { cardName } from "../words.js";
import { OwnClock } from "./clock.js";
import { looking } from "./piles.js";

/** @typedef {import("../live.js").Live} Live */
/** @typedef {import("../types.js").View} View */

/** The step as those see it who see no hand. @param {import("../types.js").Step} step */
export const publicStep = ({ shown, ...step }) => (step.move === "?" ? step : { ...step, shown });

/** What anybody may know who looks at the table. @param {View} view @returns {View} */
function publicView(view) {
  return view.game === "board"
    ? {
        ...view,
        you: null,
        hand: null,
        setup: { ...view.setup, hand: null },
        history: view.history.map(publicStep),
        legal_moves: [],
      }
    : view;
}

/**
 * Whose side of the table is shown. With several people on one screen it is the one who uncovered
 * last, until that one passes the screen on; then it is nobody's, and nothing is shown that not
 * everybody may know, until the next one uncovers.
 * @param {Live} live
 */
export function useSide(live) {
  const views = live.views.value;
  const you = live.you.value;
  const [side, setSide] = useState(/** @type {number | null} */ (null));
  const people = you?.seats.length ?? 0;
  const decide = you?.may.decide ?? null;
  const shared = people > 1 && views[0].game === "board" && views[0].seat !== null;
  const covered = shared && side === null;
  const wanted = shared && side !== null ? side : (decide ?? side);
  const view = views.find((one) => one.you === wanted) ?? views[0];
  const shown = useMemo(() => (covered ? publicView(view) : view), [view, covered]);
  const hide = () => {
    setSide(null);
    live.forgetHint();
    groundFlights();
    looking.value = false;
    speak("");
  };
  // A page that was left may come back as it was, and somebody else may be looking at it then.
  useEffect(() => {
    addEventListener("pagehide", hide);
    return () => removeEventListener("pagehide", hide);
  }, [live]);
  return {
    view: shown,
    seat: view.you ?? 0,
    covered,
    next: decide,
    /** Whether the one who sees a hand is not the one to decide. */
    passes: shared && side !== null && decide !== null && decide !== side,
    uncover: () => setSide(decide ?? view.you),
    hide,
  };
}

/** @param {{live: Live, seat: number, name: string, onClick: () => void}} props */
export function Cover({ live, seat, name, onClick }) {
  return html`
    <div class="cover">
      <${OwnClock} live=${live} seat=${seat} />
      <p>${t("cover.text", { name })}</p>
      <button type="button" class="button main" data-choice onClick=${onClick}>
        ${t("cover.button", { name })}
      </button>
    </div>
  `;
}

/**
 * Before the screen goes to the next one: what was drawn, to be seen in peace.
 * @param {View} view
 * @param {string} name
 */
export function passWords(view, name) {
  const last = view.history.findLast((step) => step.seat === view.you);
  const drew = last?.move === "?" || last?.move[0] === "<" ? last.shown : undefined;
  return drew ? t("pass.drew", { card: cardName(drew), name }) : t("pass.text", { name });
}
