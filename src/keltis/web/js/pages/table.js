/** A table: before, during and after a game. */
import { html, useEffect, useLayoutEffect, useMemo, useRef, useState } from "../../vendor/index.js";
import { faultWords } from "../faults.js";
import { dayOf } from "../day/days.js";
import { deedOf } from "../game.js";
import { groundFlights, prepareFlight } from "../flights.js";
import { number, t } from "../i18n.js";
import { Live } from "../live.js";
import { reasonWords, resignedAt, resultWords, seriesWords } from "../outcome.js";
import { PlayerPanel } from "../rows.js";
import { ScoreSheet } from "../score.js";
import { play as ring } from "../sound.js";
import { RulesOverlay } from "../study/overlay.js";
import { BoardPlay } from "../table/board-play.js";
import { clockWords, OwnClock, useTick } from "../table/clock.js";
import { MainButton } from "../table/actions.js";
import { DeviceNote, DevicesDialog, TakeAlong } from "../table/devices.js";
import { askedBy, EndActions, EndDialog, useRematch } from "../table/end.js";
import { Lobby } from "../table/lobby.js";
import { looking } from "../table/piles.js";
import { usePlay } from "../table/play.js";
import { KeysHelp, Log, useKeys } from "../table/side.js";
import { StonesPlay } from "../table/stones-play.js";
import { Dialog, Header, Icon, IconButton, Offline, Question, speak } from "../ui.js";
import { cardName, deedWords, ended, promptWords } from "../words.js";

/**
 * @typedef {import("../types.js").View} View
 *
 * What is open over the table.
 * @typedef {"" | "log" | "score" | "keys" | "end" | "menu" | "rules" | "devices" | "stop"
 *   | "resign" | "share"} Panel
 */

/** @param {{rest: string[]}} props */
export default function TablePage({ rest }) {
  const id = rest[0] ?? "";
  const [live, setLive] = useState(/** @type {Live | null} */ (null));
  useEffect(() => {
    const made = new Live(id);
    setLive(made);
    return () => made.close();
  }, [id]);
  useEffect(() => {
    document.title = `${t("table")} · Keltis`;
  }, [id]);
  if (!live) return null;
  return html`
    <${Connected} live=${live} />
  `;
}

/** @param {{live: Live}} props */
function Connected({ live }) {
  const table = live.table.value;
  const views = live.views.value;
  if (live.fatal.value) {
    return html`
      <${Header} />
      <main class="page" tabindex="-1">
        <h1>${faultWords(live.fatal.value)}</h1>
        <p><a class="button main" href="./">${t("home")}</a></p>
      </main>
    `;
  }
  const note = html`
    <${LinkNote} live=${live} />
    <${DeviceNote} live=${live} />
    <${TakeAlong} live=${live} />
  `;
  if (!table && live.link.value === "lost")
    return html`
      <${Header} />
      <${Offline} again=${() => live.wake()} />
    `;
  if (!table)
    return html`
      <${Header} />
      <main class="page" tabindex="-1">
        <h1 class="visually-hidden">${t("table")}</h1>
        <p class="quiet">${t("loading")}</p>
      </main>
      ${note}
    `;
  if (!views.length)
    return html`
      <${Header} title="" />
      ${
        table.status === "over"
          ? html`
              <main class="page" tabindex="-1">
                <h1>${t("table.closed")}</h1>
                <p><a class="button main" href="./">${t("home")}</a></p>
              </main>
            `
          : html`
              <${Lobby} live=${live} />
            `
      }${note}
    `;
  return html`
    <${Game} live=${live} />
    ${note}
  `;
}

/** @param {{live: Live}} props */
function LinkNote({ live }) {
  const words = {
    connecting: live.table.value ? t("link.again") : "",
    lost: t("link.lost"),
    open: "",
  }[live.link.value];
  return html`
    <p class="link-note ${words ? "shown" : ""}" role="status">${words}</p>
  `;
}

/** The step as those see it who see no hand. @param {import("../types.js").Step} step */
const publicStep = ({ shown, ...step }) => (step.move === "?" ? step : { ...step, shown });

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
function useSide(live) {
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

/** @param {{live: Live}} props */
function Game({ live }) {
  const table = /** @type {import("../types.js").Table} */ (live.table.value);
  const you = /** @type {import("../types.js").You} */ (live.you.value);
  const { view, seat, covered, next, passes, uncover, hide } = useSide(live);
  const [panel, setPanel] = useState(/** @type {Panel} */ (""));
  const mine = view.you !== null && you.may.decide === view.you && !covered && live.caughtUp.value;
  const play = usePlay(live, view, mine);
  const main = useRef(/** @type {HTMLElement | null} */ (null));
  const over = view.result !== null;

  useKeys(view, mine, play, () => setPanel("keys"));
  useSteps(live, view, mine);
  useFocus(main, mine);
  useTick(Boolean(table.clock && table.clock.running !== null));
  useRematch(live);
  useWelcome(live, view, mine, covered);

  useEffect(() => {
    document.title = `${mine ? `● ${t("start.turn")}` : promptWords(view, mine)} · Keltis`;
  });
  useEffect(() => {
    if (over) setPanel("end");
  }, [over]);

  // Opponents in order of play after the one at the front; who only watches has nobody there.
  const count = view.players.length;
  const front = you.seats.length ? 1 : 0;
  const others = Array.from({ length: count - front }, (_, i) => (seat + front + i) % count);
  const info = (/** @type {number} */ one) => table.seats.find((each) => each.seat === one);
  const close = () => setPanel("");

  const cover =
    covered &&
    next !== null &&
    html`
      <${Cover} live=${live} seat=${next} name=${view.players[next]} onClick=${uncover} />
    `;
  const passing =
    passes && next !== null
      ? {
          prompt: passWords(view, view.players[next]),
          buttons: html`
            <${MainButton}
              words=${t("pass.button", { name: view.players[next] })}
              onClick=${hide}
            />
          `,
        }
      : null;
  const share = () => setPanel("share");
  const after = over
    ? {
        prompt: afterWords(live, view),
        buttons: html`
          <${EndActions} live=${live} sheet=${() => setPanel("end")} />
        `,
      }
    : null;
  const side = html`
    <aside class="side" aria-label=${t("side")}>
      ${
        front > 0 &&
        html`
          <${PlayerPanel}
            view=${view}
            seat=${seat}
            info=${info(seat)}
            clock=${clockWords(live, seat)}
            self=${true}
          />
        `
      }
      <${Seats} live=${live} />
      <${DayNote} table=${table} />
      <h2>${t("log")}</h2>
      <${Log} view=${view} />
    </aside>
  `;

  return html`
    <${Header}>
      <${Watchers} count=${table.watchers} />
      <${IconButton}
        name="book"
        label=${t("rules")}
        onClick=${() => setPanel("rules")}
        class="wide-only"
      />
      <${IconButton} name="score" label=${t("score.title")} onClick=${() => setPanel("score")} />
      <${IconButton}
        name="log"
        label=${t("log")}
        onClick=${() => setPanel("log")}
        class="narrow-only"
      />
      <${IconButton}
        name="more"
        label=${t("menu")}
        class="menu-button"
        onClick=${() => setPanel("menu")}
      />
    <//>
    <main class="table game-${view.game}" data-players=${count} tabindex="-1" ref=${main}>
      <h1 class="visually-hidden">${t(`game.${view.game}`)}</h1>
      <div class="players" data-count=${others.length}>
        ${others.map(
          (one) => html`
            <${PlayerPanel}
              key=${one}
              view=${view}
              seat=${one}
              info=${info(one)}
              clock=${clockWords(live, one)}
            />
          `,
        )}
      </div>
      ${
        view.game === "board"
          ? html`
              <${BoardPlay}
                view=${view}
                seat=${seat}
                mine=${mine}
                covered=${covered}
                play=${play}
                area=${main}
                side=${side}
                cover=${cover}
                instead=${after ?? passing}
              />
            `
          : html`
              <${StonesPlay}
                view=${view}
                seat=${seat}
                mine=${mine}
                name=${table.id}
                play=${play}
                area=${main}
                side=${side}
                instead=${after}
              />
            `
      }
    </main>
    <${Dialog} open=${panel === "log"} title=${t("log")} onClose=${close}>
      <${Log} view=${view} />
    <//>
    <${Dialog}
      open=${panel === "score"}
      title=${t(over ? "score.title" : "score.now")}
      onClose=${close}
    >
      <div class="sheet-scroll" tabindex="0"><${ScoreSheet} view=${view} /></div>
    <//>
    <${Dialog} open=${panel === "keys"} title=${t("keys")} onClose=${close}><${KeysHelp} /><//>
    <${Dialog} open=${panel === "menu"} title=${t("menu")} onClose=${close}>
      <${Menu}
        live=${live}
        close=${close}
        keys=${() => setPanel("keys")}
        rules=${() => setPanel("rules")}
        devices=${() => setPanel("devices")}
        stop=${() => setPanel("stop")}
        resign=${() => setPanel("resign")}
      />
    <//>
    <${DevicesDialog} live=${live} open=${panel === "devices"} onClose=${close} />
    <${Dialog} open=${panel === "stop"} title=${t("do.end.table")} onClose=${close}>
      <${Question}
        words=${t(dayOf(table.deal) ? "day.giveup" : "end.ask")}
        yes=${t("end.ask.yes")}
        no=${t("end.ask.no")}
        act=${() => live.command({ type: "end" })}
        close=${close}
      />
    <//>
    <${Dialog} open=${panel === "resign"} title=${t("do.resign")} onClose=${close}>
      <${Question}
        words=${resignWords(table, seat)}
        yes=${t("do.resign")}
        no=${t("end.ask.no")}
        act=${() => live.command({ type: "resign", seat })}
        close=${close}
      />
    <//>
    <${Dialog} open=${panel === "share"} title=${t("share.title")} onClose=${close}>
      <${Share} table=${table} view=${view} />
    <//>
    <${RulesOverlay} game=${table.game} open=${panel === "rules"} onClose=${close} />
    <${EndDialog}
      live=${live}
      view=${view}
      open=${panel === "end"}
      share=${share}
      onClose=${close}
    />
  `;
}

/** @param {{live: Live, seat: number, name: string, onClick: () => void}} props */
function Cover({ live, seat, name, onClick }) {
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
function passWords(view, name) {
  const last = view.history.findLast((step) => step.seat === view.you);
  const drew = last?.move === "?" || last?.move[0] === "<" ? last.shown : undefined;
  return drew ? t("pass.drew", { card: cardName(drew), name }) : t("pass.text", { name });
}

/** How it ended and what follows, without the sheet. @param {Live} live @param {View} view */
function afterWords(live, view) {
  const table = /** @type {import("../types.js").Table} */ (live.table.value);
  const asked = askedBy(live);
  return [
    ended(resultWords(view, resignedAt(table))),
    asked ? ended(t("end.asked", { name: asked })) : seriesWords(table, view),
  ]
    .filter(Boolean)
    .join(" ");
}

/** What resigning leads to. @param {import("../types.js").Table} table @param {number} seat */
function resignWords(table, seat) {
  if (dayOf(table.deal)) return t("day.giveup");
  const others = table.seats.filter((one) => one.seat !== seat);
  if (others.length === 1) return t("resign.two", { name: others[0].name ?? "" });
  return t(
    others.some((one) => one.kind === "person" && !one.played_by) ? "resign.more" : "resign.alone",
  );
}

/** The picture is drawn by a module that only comes when it is wanted. */
function Share(/** @type {{table: import("../types.js").Table, view: View}} */ props) {
  const [box, setBox] = useState(/** @type {{show: unknown} | null} */ (null));
  useEffect(() => {
    void import("../table/share.js").then((module) => setBox({ show: module.ShareBox }));
  }, []);
  return (
    box &&
    html`
      <${box.show} ...${props} />
    `
  );
}

/** People who only watch, if there are any. @param {{count: number}} props */
function Watchers({ count }) {
  if (!count) return null;
  const words = t("watchers", { n: count });
  return html`
    <span class="watchers" title=${words}>
      <${Icon} name="eye" />
      <span aria-hidden="true">${number(count)}</span>
      <span class="visually-hidden">${words}</span>
    </span>
  `;
}

/**
 * Whoever comes back to a running game hears where it stands.
 * @param {Live} live
 * @param {View} view
 * @param {boolean} mine
 * @param {boolean} covered
 */
function useWelcome(live, view, mine, covered) {
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

/** What is different at a day's table. @param {{table: import("../types.js").Table}} props */
function DayNote({ table }) {
  if (!dayOf(table.deal)) return null;
  return html`
    <p class="day-note">${t("day.note")}</p>
  `;
}

/** What others' absence allows. @param {{live: Live}} props */
function Seats({ live }) {
  const may = live.you.value?.may;
  const table = live.table.value;
  if (!may || !table || (!may.replace.length && !may.return.length)) return null;
  const name = (/** @type {number} */ seat) =>
    table.seats.find((one) => one.seat === seat)?.name ?? "";
  return html`
    <div class="seat-actions">
      ${may.return.map(
        (seat) => html`
          <button
            key=${seat}
            type="button"
            class="button main"
            onClick=${() => live.command({ type: "return", seat })}
          >
            ${t("do.return", { name: name(seat) })}
          </button>
        `,
      )}
      ${may.replace.map(
        (seat) => html`
          <button
            key=${seat}
            type="button"
            class="button"
            onClick=${() => live.command({ type: "replace", seat })}
          >
            ${t("do.replace", { name: name(seat) })}
          </button>
        `,
      )}
    </div>
  `;
}

/**
 * @param {{
 *   live: Live, close: () => void, keys: () => void, rules: () => void, devices: () => void,
 *   stop: () => void, resign: () => void,
 * }} props
 */
function Menu({ live, close, keys, rules, devices, stop, resign }) {
  const may = live.you.value?.may;
  const table = live.table.value;
  const act = (/** @type {object} */ command) => () => {
    close();
    live.command(command);
  };
  return html`
    <div class="menu">
      <${Seats} live=${live} />
      ${
        table &&
        html`
          <${DayNote} table=${table} />
        `
      }
      <button type="button" class="button" onClick=${keys}>${t("keys")}</button>
      <button type="button" class="button" onClick=${rules}>${t("rules")}</button>
      ${
        live.devices.value.length > 0 &&
        table?.status !== "over" &&
        html`
          <button type="button" class="button" onClick=${devices}>${t("devices")}</button>
        `
      }
      ${
        may?.leave &&
        table?.status === "playing" &&
        html`
          <button type="button" class="button" onClick=${act({ type: "leave" })}>
            ${t("do.leave.table")}
          </button>
        `
      }
      ${
        may?.resign &&
        html`
          <button type="button" class="button danger" onClick=${resign}>${t("do.resign")}</button>
        `
      }
      ${
        may?.end &&
        html`
          <button type="button" class="button danger" onClick=${stop}>${t("do.end.table")}</button>
        `
      }
      <a class="button" href="./">${t("home")}</a>
    </div>
  `;
}

/** Steps are seen, heard and told. @param {Live} live @param {View} view @param {boolean} mine */
function useSteps(live, view, mine) {
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
function useFocus(main, mine) {
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
