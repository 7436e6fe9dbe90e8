/** First lessons: a real game, taken apart. The learner plays; the others play what they played. */
import { html, useEffect, useLayoutEffect, useRef, useState } from "../../vendor/index.js";
import { fetched, ServerError } from "../api.js";
import { Band, Emblem } from "../art.js";
import { faultWords } from "../faults.js";
import { landed, prepareFlight } from "../flights.js";
import { needMessages, t } from "../i18n.js";
import { ScoreSheet } from "../score.js";
import { motion, playerName, stepTime } from "../settings.js";
import { play as ring } from "../sound.js";
import { playOf, Stage } from "../study/stage.js";
import { Log, useKeys } from "../table/side.js";
import { playGently } from "../opponents.js";
import { GamePicture } from "../table/picture.js";
import { Dialog, Header, Icon, IconButton, speak } from "../ui.js";
import { deedWords, moveWords } from "../words.js";

await needMessages("study.");

/**
 * @typedef {import("../types.js").View} View
 * @typedef {import("../types.js").Step} Step
 * @typedef {{step: Step} & Partial<View>} Change
 * @typedef {{
 *   text: string, point?: string, move?: string, changes?: Change[], skip?: Partial<View>,
 * }} Beat
 * @typedef {{view: View, beats: Beat[]}} Lesson
 */

const GAMES = /** @type {const} */ (["board", "stones"]);
const MINUTES = 3;
const OTHER = "Maeve";
/** @type {Record<string, string>} */
const POINTS = {
  board: ".board",
  hand: ".hand",
  piles: ".piles",
  control: ".action-bar",
  middle: ".middle",
};

/** @param {{rest: string[]}} props */
export default function LearnPage({ rest }) {
  const game = GAMES.find((one) => one === rest[0]);
  const [lesson, setLesson] = useState(/** @type {Lesson | null} */ (null));
  const [lost, setLost] = useState(false);
  const [round, setRound] = useState(0);
  useEffect(() => {
    document.title = `${t("learn")} · Keltis`;
    if (game)
      void fetched(new URL(`lessons/${game}.json`, document.baseURI))
        .then((answer) => answer.json())
        .then(setLesson, () => setLost(true));
  }, [game]);
  if (!game)
    return html`
      <${Choose} />
    `;
  if (!lesson)
    return html`
      <${Header} />
      <main class="page" tabindex="-1">
        <h1>${t("learn")}</h1>
        ${
          lost &&
          html`
            <p class="note" role="alert">${t("error.other")}</p>
          `
        }
      </main>
    `;
  return html`
    <${Course} key=${round} game=${game} lesson=${lesson} again=${() => setRound(round + 1)} />
  `;
}

function Choose() {
  return html`
    <${Header} />
    <main class="page study" tabindex="-1">
      <div class="hero small">
        <${Emblem} />
        <div>
          <h1>${t("learn")}</h1>
          <p>${t("learn.lead")}</p>
        </div>
      </div>
      <${Band} waves=${36} />
      <ul class="lesson-list">
        ${GAMES.map(
          (game) => html`
            <li key=${game} class="lesson-card">
              <${GamePicture} game=${game} />
              <h2>${t(`game.${game}`)}</h2>
              <p class="quiet">${t(`game.${game}.text`)} · ${t("learn.minutes", { n: MINUTES })}</p>
              <a class="button main large" href="learn/${game}">${t("learn.start")}</a>
              <a class="button" href="rules/${game}">
                <${Icon} name="book" />
                ${t("rules")}
              </a>
            </li>
          `,
        )}
      </ul>
    </main>
  `;
}

/** @param {View} view @param {Change} change @returns {View} */
function changed(view, { step, ...rest }) {
  return /** @type {View} */ ({ ...view, ...rest, history: [...view.history, step] });
}

/** @param {{game: "board" | "stones", lesson: Lesson, again: () => void}} props */
function Course({ game, lesson, again }) {
  const [at, setAt] = useState(0);
  const [view, setView] = useState(
    () =>
      /** @type {View} */ ({ ...lesson.view, players: [playerName.value.trim() || "Finn", OTHER] }),
  );
  const [waiting, setWaiting] = useState(false);
  const [selected, setSelected] = useState(/** @type {string | null} */ (null));
  const [entering, setEntering] = useState(
    /** @type {import("../types.js").Colour | null} */ (null),
  );
  const [advised, setAdvised] = useState(/** @type {string | null} */ (null));
  const [note, setNote] = useState("");
  const [starting, setStarting] = useState(false);
  const [sheet, setSheet] = useState(false);
  const [seen, setSeen] = useState(/** @type {View[]} */ ([]));
  const land = useRef(() => {});
  const coach = useRef(/** @type {HTMLElement | null} */ (null));
  const alive = useRef(true);
  const beat = lesson.beats[at];
  const done = at === lesson.beats.length - 1;
  const mine = Boolean(beat.move) && !waiting;
  const words = t(/** @type {any} */ (`lesson.${game}.${beat.text}`));

  useEffect(() => () => void (alive.current = false), []);
  useLayoutEffect(() => {
    land.current();
    land.current = () => {};
  }, [view]);
  useEffect(() => {
    if (!at) return;
    coach.current?.focus({ preventScroll: true });
    if (beat.point)
      document
        .querySelector(POINTS[beat.point])
        ?.scrollIntoView({ block: "nearest", behavior: motion() ? "smooth" : "instant" });
    if (done) ring("end");
  }, [at]);

  const clear = () => {
    setSelected(null);
    setEntering(null);
    setAdvised(null);
    setNote("");
  };
  const arrive = (/** @type {number} */ next) => {
    clear();
    setWaiting(false);
    setAt(next);
  };
  /** Plays what the lesson says, one change after the other. */
  const perform = async () => {
    const changes = beat.changes ?? [];
    setSeen([...seen, view]);
    clear();
    setWaiting(true);
    let now = view;
    for (const [i, change] of changes.entries()) {
      if (i) await new Promise((resolve) => setTimeout(resolve, stepTime()));
      if (!alive.current) return;
      land.current = prepareFlight(change.step, now);
      now = changed(now, change);
      setView(now);
      const { seat, effect } = change.step;
      ring(
        effect?.found === "C"
          ? "clover"
          : effect?.found === "W"
            ? "wish"
            : effect?.path
              ? "stone"
              : "card",
      );
      if (seat !== now.you) speak(deedWords(change.step, now));
    }
    if (changes.length > 1) await new Promise((resolve) => setTimeout(resolve, stepTime()));
    if (alive.current) arrive(at + 1);
  };
  const goOn = () => {
    setSeen([...seen, view]);
    if (beat.skip) {
      const { history, ...rest } = beat.skip;
      setView(
        /** @type {View} */ ({ ...view, ...rest, history: [...view.history, ...(history ?? [])] }),
      );
    }
    arrive(at + 1);
  };
  const goBack = () => {
    setView(seen[at - 1]);
    setSeen(seen.slice(0, at - 1));
    arrive(at - 1);
  };
  const show = () => {
    const move = beat.move ?? "";
    setAdvised(move);
    const card = move.replace("x", "");
    const isCard =
      view.phase === "card" || (game === "stones" && view.phase === "turn" && move !== "?");
    if (isCard) setSelected(card);
  };

  const choose = (/** @type {string} */ move) => {
    if (!mine || !view.legal_moves.includes(move)) return;
    if (move === beat.move) {
      void perform();
      return;
    }
    setNote(t("learn.not", { move: moveWords(/** @type {string} */ (beat.move), view) }));
    show();
  };
  const play = playOf(view, {
    mine,
    waiting,
    advised,
    selected,
    select: (card) => {
      ring("card");
      setNote("");
      setSelected((old) => (old === card ? null : card));
    },
    hold: setSelected,
    entering,
    enter: setEntering,
    choose,
    drop: (move) => {
      if (move === beat.move) landed(move);
      choose(move);
    },
    cancel: clear,
  });
  useKeys(view, mine, play, () => {});

  const real = async () => {
    setStarting(true);
    try {
      await playGently(game);
    } catch (error) {
      setStarting(false);
      setNote(faultWords(error instanceof ServerError ? error.code : "internal"));
    }
  };
  const other = game === "board" ? "stones" : "board";
  const box = html`
    <section class="coach" ref=${coach} tabindex="-1" aria-live="polite" aria-label=${t("learn")}>
      <div class="coach-line">
        <${IconButton}
          name="previous"
          label=${t("learn.back")}
          disabled=${waiting || !at}
          onClick=${goBack}
        />
        <div
          class="coach-progress"
          role="progressbar"
          aria-label=${t("learn.step", { at: at + 1, of: lesson.beats.length })}
          aria-valuemin="1"
          aria-valuenow=${at + 1}
          aria-valuemax=${lesson.beats.length}
        >
          <span style=${{ width: `${((at + 1) / lesson.beats.length) * 100}%` }}></span>
        </div>
        ${
          beat.move &&
          html`
            <button type="button" class="button quiet-button" disabled=${waiting} onClick=${show}>
              <${Icon} name="hint" />
              ${t("learn.show")}
            </button>
          `
        }
        ${
          !beat.move &&
          !done &&
          html`
            <button type="button" class="button main" data-choice onClick=${goOn}>
              ${t("learn.on")}
            </button>
          `
        }
      </div>
      <p class="coach-text">${words}</p>
      ${
        note &&
        html`
          <p class="note">${note}</p>
        `
      }
      <div class="coach-tools">
        ${
          done &&
          html`
            <button type="button" class="button main" disabled=${starting} onClick=${real}>
              ${t("learn.play")}
            </button>
            <button type="button" class="button" onClick=${() => setSheet(true)}>
              <${Icon} name="score" />
              ${t("learn.score")}
            </button>
            <a class="button" href="learn/${other}">${t("learn.other")}</a>
            <button type="button" class="button" onClick=${again}>${t("learn.again")}</button>
          `
        }
      </div>
    </section>
  `;
  const side = html`
    <aside class="side" aria-label=${t("side")}>
      <h2>${t("log")}</h2>
      <${Log} view=${view} />
    </aside>
  `;

  return html`
    <${Header} beside=${true} />
    <${Stage}
      view=${view}
      front=${0}
      name="lesson"
      play=${play}
      title="${t("learn")}: ${t(`game.${game}`)}"
      class="lesson ${beat.move ? "" : "listening"}"
      point=${waiting ? "" : beat.point}
      top=${box}
      side=${side}
    />
    <${Dialog}
      open=${sheet}
      title=${t(done ? "score.title" : "score.now")}
      onClose=${() => setSheet(false)}
    >
      <div class="sheet-scroll" tabindex="0"><${ScoreSheet} view=${view} /></div>
    <//>
  `;
}
