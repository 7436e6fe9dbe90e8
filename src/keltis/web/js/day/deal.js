/** One deal of a day: to be played, or how one did. */
import { html, useState } from "../../vendor/index.js";
import { request, ServerError } from "../api.js";
import { faultWords } from "../faults.js";
import { number, plus, t } from "../i18n.js";
import { go, PAGES } from "../router.js";
import { playerName } from "../settings.js";
import { GamePicture } from "../table/picture.js";
import { deedWords, levelName } from "../words.js";
import { after, dateWords } from "./days.js";
import { Distribution } from "./plot.js";

/**
 * @typedef {import("./days.js").Day} Day
 * @typedef {import("./days.js").Deal} Deal
 */

/** Whose lead is par. */
const STRONGEST = "druid";

const ownName = () => playerName.value.trim() || t("name.default");

/** @param {{day: Day, deal: Deal}} props */
export function DealCard({ day, deal }) {
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState("");
  const play = async () => {
    setBusy(true);
    setFault("");
    try {
      const wish = { game: deal.game, bot: deal.bot, name: ownName() };
      const begun = await request(`days/${day.day}/play`, wish);
      go(begun.path);
    } catch (error) {
      setFault(error instanceof ServerError ? error.code : "internal");
      setBusy(false);
    }
  };
  const words = deal.state === "playing" ? "day.continue" : day.open ? "day.play" : "day.play.past";
  const may = deal.state === "playing" || day.closed || (day.open && !deal.state);
  const heading = `deal-${deal.deal}`;
  return html`
    <article class="day-deal ${(deal.state ?? "new").replace(" ", "-")}" aria-labelledby=${heading}>
      <header>
        <${GamePicture} game=${deal.game} />
        <div>
          <h2 id=${heading}>${t(`game.${deal.game}`)}</h2>
          <p>${t("day.against", { level: levelName(deal.bot) })}</p>
        </div>
        ${
          deal.lead !== null &&
          html`
            <p class="day-lead" aria-hidden="true">${plus(deal.lead)}</p>
          `
        }
      </header>
      <p class="day-state">${stateWords(day, deal)}</p>
      ${
        deal.leads &&
        html`
          <${Outcome} deal=${deal} />
        `
      }
      ${
        fault &&
        html`
          <p class="note" role="alert">${faultWords(fault)}</p>
        `
      }
      <div class="day-actions">
        ${
          may &&
          html`
            <button
              type="button"
              class="button ${deal.state && deal.state !== "playing" ? "" : "main"}"
              disabled=${busy}
              onClick=${play}
            >
              ${t(words)}
            </button>
          `
        }
        ${
          deal.table &&
          deal.state !== "playing" &&
          html`
            <a class="button" href="replay/${deal.table}">${t("end.replay")}</a>
            ${
              "review" in PAGES &&
              html`
                <a class="button" href="review/${deal.table}">${t("day.review")}</a>
              `
            }
          `
        }
      </div>
    </article>
  `;
}

/** How one stands with a deal. @param {Day} day @param {Deal} deal */
function stateWords(day, deal) {
  const lead = deal.lead ?? 0;
  switch (deal.state) {
    case "finished":
      if (lead > 0) return t("day.ahead", { n: lead });
      return lead < 0 ? t("day.behind", { n: -lead }) : t("day.level");
    case "playing":
      return t(day.open ? "day.waits" : day.closed ? "day.waits.late" : "day.waits.last");
    case "given up":
      return t("day.given");
    case "late":
      return t("day.late", { lead: plus(lead) });
  }
  if (day.closed) return deal.finished ? t("day.past", { n: deal.finished }) : t("day.past.none");
  if (!day.open) return t("day.settling", { date: dateWords(after(day.day, 2)) });
  return deal.finished ? t("day.finished", { n: deal.finished }) : t("day.nobody");
}

/** Place, everybody, par, and where the best went another way. @param {{deal: Deal}} props */
function Outcome({ deal }) {
  const { place, par, other_way: way } = deal;
  const leads = deal.leads ?? [];
  const own = deal.state === "finished" ? deal.lead : null;
  // Not rounded: nobody is told to be ahead of all who is not.
  const better = Math.floor(100 * (place?.better_than ?? 0) + 1e-9);
  return html`
    ${
      place &&
      html`
        <p class="day-place">
          <strong>${t("day.place", { place: place.place, n: place.of })}</strong>
          ${place.alike > 0 && ` ${t("day.alike", { n: place.alike })}`}
          ${better > 0 && ` ${t("day.better", { share: number(better) })}`}
        </p>
      `
    }
    ${
      leads.length > 0 &&
      html`
        <${Distribution} leads=${leads} own=${own} par=${par?.leads ?? []} />
        <p class="quiet">${parWords(deal)}</p>
      `
    }
    ${
      Boolean(deal.given_up) &&
      html`
        <p class="quiet">${t("day.gave", { n: deal.given_up ?? 0 })}</p>
      `
    }
    ${
      way &&
      deal.table &&
      html`
        <${OtherWay} deal=${deal} way=${way} />
      `
    }
    ${
      !way &&
      leads.length > 0 &&
      deal.state !== "playing" &&
      (own === null
        ? html`
            <p><a href="replay/${deal.deal}">${t("day.best.see")}</a></p>
          `
        : own === leads[leads.length - 1][0] &&
          html`
            <p>${t("day.best.you")}</p>
          `)
    }
  `;
}

/** @param {Deal} deal */
function parWords({ par }) {
  const { leads = [], runs = 0 } = par ?? {};
  if (leads.length < runs) return t("day.par.soon", { done: leads.length, n: runs });
  const mean = leads.reduce((sum, lead) => sum + lead, 0) / leads.length;
  return t("day.par", {
    mean: plus(Math.round(mean)),
    low: plus(Math.min(...leads)),
    high: plus(Math.max(...leads)),
    n: runs,
    level: levelName(STRONGEST),
  });
}

/** @param {{deal: Deal, way: NonNullable<Deal["other_way"]>}} props */
function OtherWay({ deal, way }) {
  /** @param {import("../types.js").Step} step @param {string} name */
  const deed = (step, name) => {
    const players = step.seat ? ["", name] : [name, ""];
    return deedWords(step, /** @type {any} */ ({ game: deal.game, players }));
  };
  return html`
    <div class="day-way">
      <h3>${t("day.way", { lead: plus(way.lead), n: way.decision })}</h3>
      <ul>
        <li>
          ${deed(way.yours, ownName())}${" "}
          <a href="replay/${deal.table}#${way.step + 1}">${t("day.way.yours")}</a>
        </li>
        <li>
          ${deed(way.theirs, t("day.best.name"))}${" "}
          <a href="replay/${deal.deal}#${way.step + 1}">${t("day.way.theirs")}</a>
        </li>
      </ul>
    </div>
  `;
}
