/** What opens over the table: menu, score sheet, log, keys, rules, devices, questions, the end. */
import { html, useEffect, useState } from "../../vendor/index.js";
import { dayOf } from "../day/days.js";
import { t } from "../i18n.js";
import { ScoreSheet } from "../score.js";
import { RulesOverlay } from "../study/overlay.js";
import { Dialog, Question } from "../ui.js";
import { DevicesDialog } from "./devices.js";
import { EndDialog } from "./end.js";
import { KeysHelp, Log } from "./side.js";

/**
 * @typedef {import("../live.js").Live} Live
 * @typedef {import("../types.js").Table} Table
 * @typedef {import("../types.js").View} View
 *
 * The one that is open.
 * @typedef {"" | "log" | "score" | "keys" | "end" | "menu" | "rules" | "devices" | "stop"
 *   | "resign" | "share"} Panel
 */

/**
 * @param {{
 *   live: Live, view: View, seat: number, panel: Panel, show: (panel: Panel) => void,
 * }} props
 */
export function Panels({ live, view, seat, panel, show }) {
  const table = /** @type {Table} */ (live.table.value);
  const close = () => show("");
  return html`
    <${Dialog} open=${panel === "log"} title=${t("log")} onClose=${close}>
      <${Log} view=${view} />
    <//>
    <${Dialog}
      open=${panel === "score"}
      title=${t(view.result ? "score.title" : "score.now")}
      onClose=${close}
    >
      <div class="sheet-scroll" tabindex="0"><${ScoreSheet} view=${view} /></div>
    <//>
    <${Dialog} open=${panel === "keys"} title=${t("keys")} onClose=${close}><${KeysHelp} /><//>
    <${Dialog} open=${panel === "menu"} title=${t("menu")} onClose=${close}>
      <${Menu} live=${live} show=${show} />
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
      share=${() => show("share")}
      onClose=${close}
    />
  `;
}

/** What resigning leads to. @param {Table} table @param {number} seat */
function resignWords(table, seat) {
  if (dayOf(table.deal)) return t("day.giveup");
  const others = table.seats.filter((one) => one.seat !== seat);
  if (others.length === 1) return t("resign.two", { name: others[0].name ?? "" });
  return t(
    others.some((one) => one.kind === "person" && !one.played_by) ? "resign.more" : "resign.alone",
  );
}

/** The picture is drawn by a module that only comes when it is wanted. */
function Share(/** @type {{table: Table, view: View}} */ props) {
  const [box, setBox] = useState(/** @type {{show: unknown} | null} */ (null));
  useEffect(() => {
    void import("./share.js").then((module) => setBox({ show: module.ShareBox }));
  }, []);
  return (
    box &&
    html`
      <${box.show} ...${props} />
    `
  );
}

/** What is different at a day's table. @param {{table: Table}} props */
export function DayNote({ table }) {
  if (!dayOf(table.deal)) return null;
  return html`
    <p class="day-note">${t("day.note")}</p>
  `;
}

/** What others' absence allows. @param {{live: Live}} props */
export function SeatActions({ live }) {
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

/** @param {{live: Live, show: (panel: Panel) => void}} props */
function Menu({ live, show }) {
  const may = live.you.value?.may;
  const table = live.table.value;
  const act = (/** @type {object} */ command) => () => {
    show("");
    live.command(command);
  };
  return html`
    <div class="menu">
      <${SeatActions} live=${live} />
      ${
        table &&
        html`
          <${DayNote} table=${table} />
        `
      }
      <button type="button" class="button" onClick=${() => show("rules")}>${t("rules")}</button>
      <button type="button" class="button" onClick=${() => show("keys")}>${t("keys")}</button>
      ${
        live.devices.value.length > 0 &&
        table?.status !== "over" &&
        html`
          <button type="button" class="button" onClick=${() => show("devices")}>
            ${t("devices")}
          </button>
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
          <button type="button" class="button danger" onClick=${() => show("resign")}>
            ${t("do.resign")}
          </button>
        `
      }
      ${
        // Who ends an attempt gives it up: that is said by the other button.
        may?.end &&
        !(may.resign && table?.deal) &&
        html`
          <button type="button" class="button danger" onClick=${() => show("stop")}>
            ${t("do.end.table")}
          </button>
        `
      }
      <a class="button" href="./">${t("home")}</a>
    </div>
  `;
}
