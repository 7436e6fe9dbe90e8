/** Learn from your mistakes: positions as they were, one's own hand only, to be played again. */
import { html, useEffect, useRef, useState } from "../../vendor/index.js";
import { ServerError } from "../api.js";
import { faultWords } from "../faults.js";
import { percent, t } from "../i18n.js";
import { play as ring } from "../sound.js";
import { playOf, Stage } from "../study/stage.js";
import { useKeys } from "../table/side.js";
import { Header, Icon, IconButton } from "../ui.js";
import { judge } from "./load.js";
import { kindWords, lostWords, namedWords, reasonWords, shownValue } from "./words.js";

/**
 * @typedef {import("./load.js").Review} Review
 * @typedef {import("./load.js").Decision} Decision
 * @typedef {import("./load.js").Value} Value
 */

/**
 * @param {object} props
 * @param {Review} props.review
 * @param {import("../study/film.js").Film} props.film
 * @param {string} props.table
 * @param {any} props.record
 * @param {number[]} props.steps
 * @param {() => void} props.back
 */
export function Mistakes({ review, film, table, record, steps, back }) {
  const [at, setAt] = useState(0);
  const [right, setRight] = useState(/** @type {Record<number, boolean>} */ ({}));
  const done = at >= steps.length;
  const solved = (/** @type {boolean} */ alone) =>
    setRight((old) => ({ ...old, [at]: old[at] ?? alone }));
  useEffect(() => {
    document.title = `${t("review.learn")} · Keltis`;
  }, []);
  if (done)
    return html`
      <${Header} />
      <main class="page study" tabindex="-1">
        <h1>${t("review.learn")}</h1>
        <p role="status">
          ${t("review.learn.done", {
            n: steps.length,
            right: Object.values(right).filter(Boolean).length,
          })}
        </p>
        <p class="end-actions">
          <button type="button" class="button main" onClick=${back}>${t("review.back")}</button>
          <button
            type="button"
            class="button"
            onClick=${() => {
              setRight({});
              setAt(0);
            }}
          >
            ${t("review.learn.again")}
          </button>
        </p>
      </main>
    `;
  return html`
    <${Trial}
      key=${steps[at]}
      review=${review}
      film=${film}
      table=${table}
      record=${record}
      decision=${review.decisions[steps[at]]}
      place=${t("learn.step", { at: at + 1, of: steps.length })}
      share=${(at + 1) / steps.length}
      solved=${solved}
      next=${() => setAt(at + 1)}
      back=${back}
    />
  `;
}

/**
 * One position. What is tried is judged by the review; else by the server's search.
 * @param {object} props
 * @param {Review} props.review
 * @param {import("../study/film.js").Film} props.film
 * @param {string} props.table
 * @param {any} props.record
 * @param {Decision} props.decision
 * @param {string} props.place
 * @param {number} props.share
 * @param {(alone: boolean) => void} props.solved
 * @param {() => void} props.next
 * @param {() => void} props.back
 */
function Trial({ review, film, table, record, decision, place, share, solved, next, back }) {
  const { step, seat } = decision;
  const [view] = useState(() => film.own(step, seat));
  const [selected, setSelected] = useState(/** @type {string | null} */ (null));
  const [entering, setEntering] = useState(
    /** @type {import("../types.js").Colour | null} */ (null),
  );
  const [state, setState] = useState(/** @type {"ask" | "judging" | "wrong" | "right"} */ ("ask"));
  const [words, setWords] = useState("");
  const [helped, setHelped] = useState(0);
  const coach = useRef(/** @type {HTMLElement | null} */ (null));
  const alive = useRef(true);
  useEffect(() => {
    coach.current?.focus({ preventScroll: true });
    return () => void (alive.current = false);
  }, []);

  const clear = () => {
    setSelected(null);
    setEntering(null);
  };
  const { best } = decision;
  const lesson = review.lessons[step];
  const told = (
    /** @type {string} */ move,
    /** @type {Value} */ loss,
    /** @type {Value | null} */ error,
    /** @type {boolean} */ right,
  ) => {
    const name = namedWords(move, view);
    if (right) ring("end");
    setState(right ? "right" : "wrong");
    solved(right && !helped && state === "ask");
    if (right)
      setWords(
        move === best
          ? t("review.right.best", {
              move: name,
              wins: percent(shownValue(review, decision, decision).wins),
            })
          : t("review.right", { move: name, best: namedWords(best, view) }),
      );
    else
      setWords(
        t(move === decision.move ? "review.wrong.same" : "review.wrong", {
          move: name,
          what: lostWords(loss, error),
        }),
      );
  };
  const attempt = async (/** @type {string} */ move) => {
    clear();
    // The best and the move that was played were compared; of others the server's search knows.
    if (move === best || move === decision.move) {
      told(move, decision.loss, decision.error, move === best);
      return;
    }
    const before = state;
    setState("judging");
    setWords(t("review.judging", { move: namedWords(move, view) }));
    try {
      const { loss, error, right } = await judge(table, record, step, move);
      if (alive.current) told(move, loss, error, right);
    } catch (error) {
      if (!alive.current) return;
      setWords(faultWords(error instanceof ServerError ? error.code : "internal"));
      setState(before);
    }
  };
  const hint = () => {
    setHelped(helped + 1);
    const why = (lesson?.reasons ?? []).map((one) => reasonWords(one, review.game)).filter(Boolean);
    setWords(
      helped
        ? t("review.solution", { move: namedWords(best, view) })
        : [kindWords(lesson?.kind ?? decision.kind, review.game), ...why]
            .join(". ")
            .replaceAll("..", "."),
    );
    if (helped) setState("right");
    if (helped) solved(false);
  };
  const mine = state === "ask" || state === "wrong";
  const play = playOf(view, {
    mine,
    waiting: state === "judging",
    advised: helped > 1 || state === "right" ? best : null,
    selected,
    select: (card) => {
      ring("card");
      setSelected((old) => (old === card ? null : card));
    },
    hold: setSelected,
    entering,
    enter: setEntering,
    choose: (move) => {
      if (mine) void attempt(move);
    },
    drop: (move) => {
      if (mine) void attempt(move);
    },
    cancel: clear,
  });
  useKeys(view, mine, play, () => {});

  const box = html`
    <section
      class="coach"
      ref=${coach}
      tabindex="-1"
      aria-live="polite"
      aria-label=${t("review.learn")}
    >
      <div class="coach-line">
        <${IconButton} name="close" label=${t("review.back")} onClick=${back} />
        <div
          class="coach-progress"
          role="progressbar"
          aria-label=${place}
          aria-valuenow=${Math.round(100 * share)}
        >
          <span style=${{ width: `${100 * share}%` }}></span>
        </div>
        ${
          state !== "right" &&
          html`
            <button
              type="button"
              class="button quiet-button"
              disabled=${state === "judging"}
              onClick=${hint}
            >
              <${Icon} name="hint" />
              ${t(helped ? "review.solve" : "review.hint")}
            </button>
          `
        }
        <button
          type="button"
          class="button ${state === "right" ? "main" : ""}"
          data-choice
          onClick=${next}
        >
          ${t("review.next")}
        </button>
      </div>
      <p class="coach-text trial ${state}">
        ${
          words ||
          t("review.learn.ask", {
            name: review.players[seat],
            move: namedWords(decision.move, view),
          })
        }
      </p>
    </section>
  `;
  return html`
    <${Header} beside=${true} />
    <${Stage}
      view=${view}
      front=${seat}
      name=${`review ${step}`}
      play=${play}
      title="${t("review.learn")}: ${place}"
      class="lesson trying"
      hands=${view.game === "board" ? null : undefined}
      top=${box}
    />
  `;
}
