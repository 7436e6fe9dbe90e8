/** The deal of the day: to be played, how one did, the days before, and what is proven. */
import { html, useEffect, useState } from "../../vendor/index.js";
import { request, ServerError } from "../api.js";
import { Calendar } from "../day/calendar.js";
import { after, beginsAt, dateWords, firstAnchor, isDone } from "../day/days.js";
import { DealCard } from "../day/deal.js";
import { DayProof } from "../day/proof.js";
import { ShareDay } from "../day/share.js";
import { faultWords } from "../faults.js";
import { needMessages, t } from "../i18n.js";
import { Header, Icon, Offline, Waiting } from "../ui.js";

await needMessages("day.");

/** @typedef {import("../day/days.js").Day} Day */

const SOON = 5000; // while something is still being worked out
const LATER = 60_000;

/** Whether par of a deal that one has played is not yet complete. @param {Day} day */
const isWorkedOut = (day) =>
  day.deals.some(({ par, leads }) => leads?.length && par && par.leads.length < par.runs);

/** @param {{rest: string[]}} props what follows is a date, or nothing for today */
export default function DayPage({ rest }) {
  const wanted = rest[0] || "today";
  const [day, setDay] = useState(/** @type {Day | null} */ (null));
  const [fault, setFault] = useState("");
  const load = () =>
    request(`days/${encodeURIComponent(wanted)}`).then(
      (told) => {
        firstAnchor(told.anchor);
        setDay(told);
        setFault("");
      },
      (error) => setFault(error instanceof ServerError ? error.code : "internal"),
    );
  useEffect(() => {
    document.title = `${t("day")} · Keltis`;
    void load();
  }, []);
  // Others finish, par is found, and at midnight another day begins.
  const pause = day && isWorkedOut(day) ? SOON : LATER;
  useEffect(() => {
    const look = () => {
      if (!document.hidden) void load();
    };
    const timer = setInterval(look, pause);
    document.addEventListener("visibilitychange", look);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, [pause]);
  if (!day && fault === "offline")
    return html`
      <${Header} />
      <${Offline} again=${load} />
    `;
  return html`
    <${Header} />
    <main class="page day" tabindex="-1">
      ${
        day
          ? html`
              <${Whole} day=${day} />
            `
          : html`
              <h1>${t("day")}</h1>
              ${
                !fault &&
                html`
                  <${Waiting} />
                `
              }
            `
      }
      ${
        fault &&
        !day &&
        html`
          <p class="note" role="alert">
            ${fault === "not_found" ? t("day.none") : faultWords(fault)}
          </p>
          <p><a class="button main" href="day">${t("day.today")}</a></p>
        `
      }
    </main>
  `;
}

/** @param {{day: Day}} props */
function Whole({ day }) {
  const before = after(day.day, -1);
  const next = after(day.day, 1);
  return html`
    <div class="day-head">
      <div>
        <h1>${t("day")}</h1>
        <p class="day-date">${dateWords(day.day, "full")}</p>
      </div>
      ${
        day.streak > 0 &&
        html`
          <p class="day-streak">${t("day.streak", { n: day.streak })}</p>
        `
      }
      <nav class="day-nav" aria-label=${t("day.days")}>
        ${
          before >= day.first_day &&
          html`
            <a class="button" href="day/${before}">
              <${Icon} name="previous" />
              ${dateWords(before, "medium")}
            </a>
          `
        }
        ${
          !day.open &&
          html`
            <a class="button" href="day/${next}">
              ${dateWords(next, "medium")}
              <${Icon} name="next" />
            </a>
            <a class="button" href="day">${t("day.today")}</a>
          `
        }
      </nav>
    </div>
    <p>${t("day.text")}</p>
    <p class="quiet">${openWords(day)}</p>
    <div class="day-deals">
      ${day.deals.map(
        (deal) => html`
          <${DealCard} key=${deal.deal} day=${day} deal=${deal} />
        `,
      )}
    </div>
    <${ShareDay} day=${day} />
    <${Calendar} chosen=${day.day} />
    <${DayProof} day=${day} />
  `;
}

/** What of a day can be played now. @param {Day} day */
function openWords(day) {
  const time = beginsAt(after(day.day, 1));
  if (day.open) return t(isDone(day) ? "day.next" : "day.open", { time });
  return day.closed ? t("day.closed") : t("day.over");
}
