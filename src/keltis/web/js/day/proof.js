/** That nobody chose a day's deals: what this browser kept, and what it works out by itself. */
import { html, useEffect, useState } from "../../vendor/index.js";
import { request } from "../api.js";
import { t } from "../i18n.js";
import { Icon } from "../ui.js";
import { levelName } from "../words.js";
import { followsFrom, leadsTo } from "./chain.js";
import { after, dateWords, firstAnchor, keepAnchor } from "./days.js";

/**
 * @typedef {import("./days.js").Day} Day
 * @typedef {{ok: boolean, words: string}} Check
 */

/**
 * What can be checked of a day by now.
 * @param {Day} day @param {string} anchor the one that was seen first
 * @returns {Promise<Check[]>}
 */
async function checksOf(day, anchor) {
  if (!day.link) {
    const { last_link: last } = await request("days/chain");
    if (!last) return [];
    const words = t("day.check.last", { date: dateWords(last.day) });
    return [{ ok: await leadsTo(last.link, anchor, last.day), words }];
  }
  const checks = [{ ok: await leadsTo(day.link, anchor, day.day), words: t("day.check.link") }];
  for (const deal of day.deals) {
    if (!deal.table || deal.state === "playing") continue;
    const record = await request(`tables/${deal.table}/record`).catch(() => null);
    if (!record) continue;
    const words = t("day.check.deal", { game: t(`game.${deal.game}`), level: levelName(deal.bot) });
    checks.push({ ok: await followsFrom(record, day.link, day.day, deal), words });
  }
  return checks;
}

/** @param {{day: Day}} props */
export function DayProof({ day }) {
  const [kept, setKept] = useState(() => firstAnchor(day.anchor));
  const [checks, setChecks] = useState(/** @type {Check[] | null} */ (null));
  const states = day.deals.map((deal) => deal.state).join();
  useEffect(() => {
    let wanted = true;
    void checksOf(day, kept.anchor).then(
      (found) => wanted && setChecks(found),
      () => {},
    );
    return () => {
      wanted = false;
    };
  }, [day.day, day.link, kept.anchor, states]);
  const same = kept.anchor === day.anchor;
  const since = new Date(kept.at).toISOString().slice(0, 10);
  const date = dateWords(since);
  const all = [{ ok: same, words: t("day.check.anchor", { date }) }, ...(checks ?? [])];
  const wrong = all.some(({ ok }) => !ok);
  const late = since > day.day; // a chain could have been made for what was played already
  const proven = Boolean(day.link && checks) && !wrong && !late;
  const table = day.deals.find((deal) => deal.table && deal.state !== "playing")?.table;
  return html`
    <details
      class="proof day-proof"
      data-verdict=${checks ? (wrong ? "wrong" : proven ? "proven" : "unproven") : undefined}
    >
      <summary>
        ${
          (wrong || proven) &&
          html`
            <${Icon} name=${wrong ? "close" : "check"} />
          `
        }
        ${t(wrong ? "day.fair.wrong" : proven ? "day.fair.proven" : "day.fair")}
      </summary>
      <p>${t("day.fair.text")}</p>
      <ul class="checks">
        ${all.map(
          ({ ok, words }) => html`
            <li key=${words} class=${ok ? "" : "failed"}>
              <${Icon} name=${ok ? "check" : "close"} />
              ${words}
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
        !same &&
        html`
          <p class="note" role="alert">${t("day.anchor.other")}</p>
          <p>
            <button type="button" class="button" onClick=${() => setKept(keepAnchor(day.anchor))}>
              ${t("day.anchor.take")}
            </button>
          </p>
        `
      }
      ${
        day.link &&
        late &&
        !wrong &&
        html`
          <p>${t("day.anchor.late", { date })}</p>
        `
      }
      ${
        !day.link &&
        html`
          <p>${t("day.link.later", { date: dateWords(after(day.day, 2)) })}</p>
        `
      }
      <p>${t("day.fair.left")}</p>
      <dl>
        <dt>${t("day.anchor")}</dt>
        <dd><code>${day.anchor}</code></dd>
        ${
          day.link &&
          html`
            <dt>${t("day.link")}</dt>
            <dd><code>${day.link}</code></dd>
          `
        }
      </dl>
      ${
        day.link &&
        table &&
        html`
          <p>${t("day.yourself")}</p>
          <p>
            <code>
              ${`keltis verify keltis-${table}.json --commitment ${kept.anchor} --seed ${day.link}`}
            </code>
          </p>
        `
      }
    </details>
  `;
}
