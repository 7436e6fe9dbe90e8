/** The end of a game: who won and why, the sheet, the proof of the deal, what to do next. */
import { html, useEffect, useState } from "../../vendor/index.js";
import { apiUrl, request } from "../api.js";
import { Band, TileSymbol } from "../art.js";
import { dayOf } from "../day/days.js";
import { ChallengeButton, duplicateOf } from "../duplicate/challenge.js";
import { kept, SCHEME, verify } from "../fair.js";
import { faultWords } from "../faults.js";
import { list, t } from "../i18n.js";
import {
  marginWords,
  reasonWords,
  resignedAt,
  resultWords,
  seriesWords,
  winnersOf,
} from "../outcome.js";
import { go } from "../router.js";
import { ScoreSheet } from "../score.js";
import { motion } from "../settings.js";
import { Dialog, Icon, speak } from "../ui.js";
import { ended } from "../words.js";

/** @typedef {import("../live.js").Live} Live */

/** A game that went on from a position of another: nothing was dealt. */
const NO_DEAL = "none";

/**
 * What comes first after a game: another one with the same people, and looking back.
 * @param {{live: Live, sheet?: () => void}} props
 */
export function EndActions({ live, sheet }) {
  const table = live.table.value;
  const you = live.you.value;
  if (!table) return null;
  const day = dayOf(table.deal);
  const again = () => {
    live.refused.value = null;
    live.wantsRematch = true;
    live.command({ type: "rematch" });
  };
  const duplicate = duplicateOf(table);
  return html`
    ${
      day &&
      html`
        <a class="button main" data-choice href="day/${day}">${t("day.back")}</a>
      `
    }
    ${
      duplicate &&
      html`
        <a class="button main" data-choice href="duplicate/${duplicate}">${t("deal.compare")}</a>
      `
    }
    ${
      table.rematch
        ? html`
            <a class="button main" data-choice href="table/${table.rematch}">
              ${t(askedBy(live) ? "end.asked.yes" : "end.rematch.go")}
            </a>
          `
        : you?.may.rematch &&
          html`
            <button type="button" class="button main" data-choice onClick=${again}>
              ${t("end.rematch")}
            </button>
          `
    }
    ${
      sheet &&
      html`
        <button type="button" class="button" onClick=${sheet}>${t("end.sheet")}</button>
      `
    }
    ${
      live.views.value[0]?.history.length > 0 &&
      html`
        <a class="button" href="review/${table.id}">${t("review")}</a>
      `
    }
    <a class="button" href="replay/${table.id}">${t("end.replay")}</a>
  `;
}

/** The other person who would like another game; "" if nobody asks. @param {Live} live */
export function askedBy(live) {
  const table = live.table.value;
  const seat = table?.rematch_by ?? null;
  if (!table?.rematch || seat === null || live.you.value?.seats.includes(seat)) return "";
  return live.you.value?.seats.length ? (table.seats[seat]?.name ?? "") : "";
}

/** Whoever asked for another game goes there as soon as there is one. @param {Live} live */
export function useRematch(live) {
  const rematch = live.table.value?.rematch;
  useEffect(() => {
    if (!rematch) return;
    if (live.wantsRematch) go(`table/${rematch}`);
    else if (askedBy(live)) speak(ended(t("end.asked", { name: askedBy(live) })));
  }, [rematch]);
}

/** Clovers that rain on the winner. */
function Celebration() {
  return html`
    <div class="celebration" aria-hidden="true">
      ${Array.from(
        { length: 16 },
        (_, i) => html`
          <${TileSymbol} key=${i} tile="C" />
        `,
      )}
    </div>
  `;
}

/**
 * @param {{
 *   live: Live, view: import("../types.js").View, open: boolean, share: () => void,
 *   onClose: () => void,
 * }} props
 */
export function EndDialog({ live, view, open, share, onClose }) {
  const table = live.table.value;
  if (!table || !view.result) return null;
  const resigned = resignedAt(table);
  const won = view.you !== null && winnersOf(view, resigned).includes(view.you);
  const asked = askedBy(live);
  const series = seriesWords(table, view);
  const refused = live.refused.value;
  return html`
    <${Dialog} open=${open} title=${resultWords(view, resigned)} onClose=${onClose} class="end">
      ${
        won &&
        motion() &&
        html`
          <${Celebration} />
        `
      }
      <${Band} waves=${20} />
      <p class="end-reason">${reasonWords(view, resigned)} ${marginWords(view)}</p>
      ${
        series &&
        html`
          <p class="end-series">${series}</p>
        `
      }
      <div class="sheet-scroll" tabindex="0"><${ScoreSheet} view=${view} /></div>
      ${
        asked &&
        html`
          <p class="end-asked" role="status">${t("end.asked", { name: asked })}</p>
        `
      }
      ${
        refused &&
        html`
          <p class="note" role="alert">${faultWords(refused)}</p>
        `
      }
      <div class="end-actions">
        <${EndActions} live=${live} />
        ${
          // Nobody else may look at a table whose deal others play too.
          !table.deal &&
          html`
            <button type="button" class="button" onClick=${share}>${t("end.share")}</button>
          `
        }
        ${
          live.you.value?.may.duplicate &&
          html`
            <${ChallengeButton} table=${table.id} />
          `
        }
      </div>
      <p class="end-more">
        <a
          href=${apiUrl(`tables/${table.id}/record?download=1`).href}
          download="keltis-${table.id}.json"
        >
          ${t("end.save")}
        </a>
        <a href="./">${t("end.new")}</a>
      </p>
      ${
        dayOf(table.deal) &&
        html`
          <p class="quiet day-promise">${t("day.proof")}</p>
        `
      }
      ${
        // What nobody has a share in, nobody can prove to themselves.
        !table.deal &&
        table.fair.scheme !== NO_DEAL &&
        html`
          <${Proof} live=${live} table=${table} />
        `
      }
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
