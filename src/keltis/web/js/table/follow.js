/** What happens at a table is seen, heard and told; and focus never gets lost over it. */
import { useEffect, useLayoutEffect, useRef } from "../../vendor/index.js";
import { prepareFlight } from "../flights.js";
import { deedOf } from "../game.js";
import { t } from "../i18n.js";
import { reasonWords, resignedAt, resultWords } from "../outcome.js";
import { play as ring } from "../sound.js";
import { speak } from "../ui.js";
import { deedWords, ended, promptWords } from "../words.js";
import { publicStep } from "./shared-screen.js";

/** @typedef {import("../live.js").Live} Live */
/** @typedef {import("../types.js").View} View */

/**
 * Whoever comes back to a running game hears where it stands.
 * @param {Live} live
 * @param {View} view
 * @param {boolean} mine
 * @param {boolean} covered
 */
export function useWelcome(live, view, mine, covered) {
  useEffect(() => {
    const own = live.you.value?.seats ?? [];
    const was = view.history.some((step) => own.includes(step.seat));
    if (view.seat === null || covered || !was) return;
    const scores = view.players
      .map((name, seat) => `${name}: ${t("score.of", { n: view.scores[seat] })}`)
      .join("; ");
    speak(t("back.told", { ask: ended(promptWords(view, mine)), scores: ended(scores) }), true);
  }, []);
}

/** Steps are seen, heard and told. @param {Live} live @param {View} view @param {boolean} mine */
export function useSteps(live, view, mine) {
  const land = useRef(() => {});
  const now = useRef(view);
  now.current = view;
  useEffect(() => {
    live.before = (steps) => {
      const seen = now.current;
      const { step } = steps.find((one) => one.you === seen.you) ?? steps[0];
      land.current = prepareFlight(seen.you === null ? publicStep(step) : step, seen);
    };
    return () => {
      live.before = () => {};
    };
  }, [live]);
  const { seq, step, what } = live.shown.value;
  useLayoutEffect(() => {
    land.current();
    land.current = () => {};
    if (!step) {
      if (what?.kind === "taken back") speak(t("said.takenback"), true);
      return;
    }
    const last = view.history.at(-1);
    if (!last) return;
    const { effect } = last;
    const deed = deedOf(last, view.game);
    if (effect?.found === "C") ring("clover");
    else if (effect?.found === "W") ring("wish");
    else if (effect?.found) ring("points");
    else if (effect?.path || deed === "take" || deed === "turn") ring("stone");
    else ring("card");
    const words = [deedWords(last, view)];
    if (view.result) {
      const resigned = live.table.value ? resignedAt(live.table.value) : [];
      words.push(ended(resultWords(view, resigned)), reasonWords(view, resigned));
    } else if (mine && last.seat !== view.you) words.push(ended(promptWords(view, true)));
    speak(words.join(" "));
  }, [seq]);
  const before = useRef(mine);
  useEffect(() => {
    if (mine && !before.current && view.history.at(-1)?.seat !== view.you) ring("turn");
    before.current = mine;
  }, [mine]);
  useEffect(() => {
    if (view.result && step) ring("end");
  }, [view.result !== null]);
}

/**
 * Focus never gets lost: where what had it is gone, it goes to the next thing to choose.
 * @param {{current: HTMLElement | null}} main
 * @param {boolean} mine
 */
export function useFocus(main, mine) {
  const inside = useRef(false);
  useEffect(() => {
    const element = main.current;
    const track = () => {
      inside.current = Boolean(element?.contains(document.activeElement));
    };
    // A click on nothing is not a loss; a removed element is.
    const leave = (/** @type {FocusEvent} */ event) => {
      if (event.relatedTarget)
        inside.current = Boolean(element?.contains(/** @type {Node} */ (event.relatedTarget)));
    };
    document.addEventListener("focusin", track);
    element?.addEventListener("focusout", leave);
    return () => {
      document.removeEventListener("focusin", track);
      element?.removeEventListener("focusout", leave);
    };
  }, []);
  // After every change of the page, before it is painted.
  useLayoutEffect(() => {
    if (!inside.current || document.activeElement !== document.body) return;
    const target =
      (mine && main.current?.querySelector("[data-choice=best]")) ||
      (mine && main.current?.querySelector("[data-choice]")) ||
      main.current?.querySelector(".prompt");
    if (target instanceof HTMLElement) target.focus({ preventScroll: true });
  });
}
