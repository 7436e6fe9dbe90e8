/** A table: before, during and after a game. */
import { html, useEffect, useRef, useState } from "../../vendor/index.js";
import { faultWords } from "../faults.js";
import { number, t } from "../i18n.js";
import { Live } from "../live.js";
import { resignedAt, resultWords, seriesWords } from "../outcome.js";
import { PlayerPanel } from "../rows.js";
import { MainButton } from "../table/actions.js";
import { BoardPlay } from "../table/board-play.js";
import { clockWords, useTick } from "../table/clock.js";
import { DeviceNote, TakeAlong } from "../table/devices.js";
import { askedBy, EndActions, useRematch } from "../table/end.js";
import { useFocus, useSteps, useWelcome } from "../table/follow.js";
import { Lobby } from "../table/lobby.js";
import { DayNote, Panels, SeatActions } from "../table/panels.js";
import { usePlay } from "../table/play.js";
import { Cover, passWords, useSide } from "../table/shared-screen.js";
import { Log, useKeys } from "../table/side.js";
import { StonesPlay } from "../table/stones-play.js";
import { Header, Icon, IconButton, Offline } from "../ui.js";
import { ended, promptWords } from "../words.js";

/** @typedef {import("../types.js").View} View */
/** @typedef {import("../table/panels.js").Panel} Panel */

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
      <${SeatActions} live=${live} />
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
    <${Panels} live=${live} view=${view} seat=${seat} panel=${panel} show=${setPanel} />
  `;
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
