/** The end of a game: who won and why, the sheet, the proof of the deal, what to do next. */
import { html, useEffect, useState } from "../../vendor/index.js";
import { apiUrl, request } from "../api.js";
import { Band } from "../art.js";
import { kept, SCHEME, verify } from "../fair.js";
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
      <${Proof} live=${live} table=${table} />
    <//>
  `;
}

/**
 * The proof that nobody chose the deal, as far as this browser can give it.
 * @param {{live: import("../live.js").Live, table: import("../types.js").Table}} props
 */
function Proof({ live, table }) {
  const [found, setFound] = useState(/** @type {import("../fair.js").Verdict | null} */ (null));
  useEffect(() => {
    void request(`tables/${table.id}/record`)
      .then((record) => verify(record, kept(table.id), live.views.value))
      .then(setFound, () => {});
  }, [table.id]);
  const fair = table.fair;
  const own = kept(table.id);
  const command =
    own?.seal &&
    `keltis verify keltis-${table.id}.json --commitment ${own.seal} --seed ${own.seed}`;
  return html`
    <details class="proof" data-verdict=${found?.verdict}>
      <summary>
        ${
          found &&
          found.verdict !== "unproven" &&
          html`
            <${Icon} name=${found.verdict === "proven" ? "check" : "close"} />
          `
        }${t(found ? `fair.${found.verdict}` : "fair.title")}
      </summary>
      <p>${t("fair.text")}</p>
      ${
        found?.reason &&
        html`
          <p>${t(`fair.reason.${found.reason}`)}</p>
        `
      }
      <ul class="checks">
        ${found?.checks.map(
          ([what, ok]) => html`
            <li key=${what} class=${ok ? "" : "failed"}>
              <${Icon} name=${ok ? "check" : "close"} />
              ${t(`fair.check.${what}`)}
              ${
                !ok &&
                html`
                  ${" "}
                  <strong>${t("fair.not")}</strong>
                `
              }
            </li>
          `,
        )}
      </ul>
      ${
        found &&
        found.silent.length > 0 &&
        html`
          <p>${t("fair.silent", { names: list(found.silent) })}</p>
        `
      }
      ${
        found?.verdict === "proven" &&
        html`
          <p>
            ${t("fair.limits")}
            ${found.others > 0 && ` ${t("fair.others", { n: 2 ** found.others })}`}
          </p>
        `
      }
      ${
        command &&
        html`
          <p>${t("fair.yourself")}</p>
          <p><code>${command}</code></p>
        `
      }
      <dl>
        ${
          fair.scheme === SCHEME &&
          html`
            <dt>${t("fair.seal")}</dt>
            <dd><code>${fair.seal}</code></dd>
          `
        }
        <dt>${t("fair.commitment")}</dt>
        <dd><code>${fair.commitment}</code></dd>
        <dt>${t("fair.server")}</dt>
        <dd><code>${fair.server_seed ?? ""}</code></dd>
        ${(fair.player_seeds ?? []).map(
          (seed, i) => html`
            <dt key="t${i}">${t("fair.player", { n: i + 1 })}</dt>
            <dd key="d${i}"><code>${seed || "–"}</code></dd>
          `,
        )}
      </dl>
    </details>
  `;
}
