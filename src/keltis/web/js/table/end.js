/** The end of a game: who won and why, the sheet, the proof of the deal, what to do next. */
import { html, useEffect, useState } from "../../vendor/index.js";
import { apiUrl, request } from "../api.js";
import { Band } from "../art.js";
import { DECISION_LIMIT } from "../game.js";
import { list, t } from "../i18n.js";
import { PAGES } from "../router.js";
import { ScoreSheet } from "../score.js";
import { Dialog, Icon } from "../ui.js";

/** @param {import("../types.js").View} view */
export function resultWords(view) {
  const result = view.result;
  if (!result) return "";
  const names = result.winners.map((seat) => view.players[seat]);
  if (!names.length) return t("end.none");
  if (view.you !== null && result.winners.includes(view.you) && names.length === 1)
    return t("end.you");
  return names.length === 1
    ? t("end.one", { name: names[0] })
    : t("end.tie", { names: list(names) });
}

/** @param {import("../types.js").View} view */
export function reasonWords(view) {
  const reason = view.result?.reason;
  if (reason === "goal") return t("reason.goal");
  if (reason === "deck") return t(view.game === "board" ? "reason.deck" : "reason.tiles");
  // The rules set no limit, so the server does (docs/server.md).
  if (view.history.length >= DECISION_LIMIT) return t("reason.limit", { n: DECISION_LIMIT });
  return t("reason.cut");
}

/**
 * @param {{
 *   live: import("../live.js").Live, view: import("../types.js").View, open: boolean,
 *   onClose: () => void,
 * }} props
 */
export function EndDialog({ live, view, open, onClose }) {
  const table = live.table.value;
  const may = live.you.value?.may;
  if (!table || !view.result) return null;
  return html`
    <${Dialog} open=${open} title=${resultWords(view)} onClose=${onClose} class="end">
      <${Band} waves=${20} />
      <p class="end-reason">${reasonWords(view)}</p>
      <div class="sheet-scroll" tabindex="0"><${ScoreSheet} view=${view} /></div>
      <div class="end-actions">
        ${
          table.rematch
            ? html`
                <a class="button main" href="table/${table.rematch}">${t("end.rematch.go")}</a>
              `
            : may?.rematch &&
              html`
                <button
                  type="button"
                  class="button main"
                  onClick=${() => live.command({ type: "rematch" })}
                >
                  ${t("end.rematch")}
                </button>
              `
        }
        ${
          "replay" in PAGES &&
          html`
            <a class="button" href="replay/${table.id}">${t("end.replay")}</a>
          `
        }
        <a
          class="button"
          href=${apiUrl(`tables/${table.id}/record?download=1`).href}
          download="keltis-${table.id}.json"
        >
          ${t("end.save")}
        </a>
        <a class="button" href="./">${t("end.new")}</a>
      </div>
      <${Proof} table=${table} />
    <//>
  `;
}

/** The proof that nobody chose the deal. @param {{table: import("../types.js").Table}} props */
function Proof({ table }) {
  const [verdict, setVerdict] = useState(/** @type {null | boolean} */ (null));
  const [seen, setSeen] = useState(/** @type {string | null} */ (null));
  useEffect(() => {
    setSeen(sessionStorage.getItem(`keltis-commitment-${table.id}`));
    void request(`tables/${table.id}/record`)
      .then((record) => request("verify", record))
      .then(
        (answer) => setVerdict(Boolean(answer.fair)),
        () => {},
      );
  }, [table.id]);
  const same = seen === null || seen === table.fair.commitment;
  return html`
    <details class="proof">
      <summary>
        ${
          verdict !== null &&
          html`
            <${Icon} name=${verdict && same ? "check" : "close"} />
          `
        }${t(verdict === null ? "fair.title" : verdict && same ? "fair.good" : "fair.bad")}
      </summary>
      <p>${t("fair.text")}</p>
      ${
        seen !== null &&
        html`
          <p>${t(same ? "fair.same" : "fair.changed")}</p>
        `
      }
      <dl>
        <dt>${t("fair.commitment")}</dt>
        <dd><code>${table.fair.commitment}</code></dd>
        <dt>${t("fair.server")}</dt>
        <dd><code>${table.fair.server_seed ?? ""}</code></dd>
        ${(table.fair.player_seeds ?? []).map(
          (seed, i) => html`
            <dt key="t${i}">${t("fair.player", { n: i + 1 })}</dt>
            <dd key="d${i}"><code>${seed || "–"}</code></dd>
          `,
        )}
      </dl>
    </details>
  `;
}
