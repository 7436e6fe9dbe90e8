/** One's own days, month by month. */
import { html, useEffect, useState } from "../../vendor/index.js";
import { request } from "../api.js";
import { locale, number, plus, t } from "../i18n.js";
import { IconButton } from "../ui.js";
import { after, dateWords } from "./days.js";

/**
 * @typedef {{deal: string, state: string, lead: number | null}} Played
 * @typedef {{month: string, first_day: string, today: string, days: Record<string, Played[]>,
 *   streak: number, longest: number, played: number}} Month
 */

/** A month later or earlier. @param {string} month @param {number} months */
function monthAfter(month, months) {
  const date = new Date(`${month}-01T00:00:00Z`);
  date.setUTCMonth(date.getUTCMonth() + months);
  return date.toISOString().slice(0, 7);
}

/** @param {Intl.DateTimeFormatOptions} options @param {string} day */
const written = (options, day) =>
  new Intl.DateTimeFormat(locale.value, { ...options, timeZone: "UTC" }).format(
    new Date(`${day}T00:00:00Z`),
  );

/** The weeks of a month, from Monday; "" outside it. @param {string} month */
function weeksOf(month) {
  const first = `${month}-01`;
  const before = (new Date(`${first}T00:00:00Z`).getUTCDay() + 6) % 7;
  /** @type {string[]} */
  const cells = Array.from({ length: before }, () => "");
  for (let day = first; day.startsWith(month); day = after(day, 1)) cells.push(day);
  while (cells.length % 7) cells.push("");
  return Array.from({ length: cells.length / 7 }, (_, i) => cells.slice(7 * i, 7 * i + 7));
}

/** @param {{chosen: string}} props the day that the page shows */
export function Calendar({ chosen }) {
  const [month, setMonth] = useState(chosen.slice(0, 7));
  const [told, setTold] = useState(/** @type {Month | null} */ (null));
  useEffect(() => {
    let wanted = true;
    void request(`days/calendar/${month}`).then(
      (answer) => wanted && setTold(answer),
      () => {},
    );
    return () => {
      wanted = false;
    };
  }, [month]);
  if (!told) return null;
  const monthName = written({ month: "long", year: "numeric" }, `${month}-01`);
  const turn = (/** @type {number} */ months) => () => setMonth(monthAfter(month, months));
  return html`
    <section class="day-calendar">
      <h2>${t("day.calendar")}</h2>
      ${
        told.played > 0 &&
        html`
          <ul class="games-facts">
            <li>${t("day.streak", { n: told.streak })}</li>
            <li>${t("day.longest", { n: told.longest })}</li>
            <li>${t("day.played", { n: told.played })}</li>
          </ul>
        `
      }
      <div class="day-months">
        <${IconButton}
          name="previous"
          label=${t("day.month.before")}
          disabled=${month <= told.first_day.slice(0, 7)}
          onClick=${turn(-1)}
        />
        <h3 aria-live="polite">${monthName}</h3>
        <${IconButton}
          name="next"
          label=${t("day.month.after")}
          disabled=${month >= told.today.slice(0, 7)}
          onClick=${turn(1)}
        />
      </div>
      <table aria-label=${monthName}>
        <thead>
          <tr>
            ${weeksOf("2024-01")[0].map(
              (day) => html`
                <th key=${day} scope="col" abbr=${written({ weekday: "long" }, day)}>
                  ${written({ weekday: "short" }, day)}
                </th>
              `,
            )}
          </tr>
        </thead>
        <tbody>
          ${weeksOf(month).map(
            (week, i) => html`
              <tr key=${i}>
                ${week.map(
                  (day, k) => html`
                    <td key=${k}><${Cell} day=${day} told=${told} chosen=${chosen} /></td>
                  `,
                )}
              </tr>
            `,
          )}
        </tbody>
      </table>
      <p class="quiet">${t("day.calendar.text")}</p>
    </section>
  `;
}

/** @param {{day: string, told: Month, chosen: string}} props */
function Cell({ day, told, chosen }) {
  if (!day) return null;
  const name = number(Number(day.slice(8)));
  if (day < told.first_day || day > told.today)
    return html`
      <span class="day-cell quiet">${name}</span>
    `;
  const own = told.days[day] ?? [];
  const done = own.filter((each) => each.state === "finished");
  const leads = done.map((each) => each.lead ?? 0);
  const words = [
    dateWords(day),
    done.length && t("day.cell", { n: done.length, lead: plus(Math.max(...leads)) }),
    own.some((each) => each.state === "playing") && t("day.cell.playing"),
  ];
  return html`
    <a
      class="day-cell ${done.length ? "done" : ""}"
      href="day/${day}"
      aria-label=${words.filter(Boolean).join(", ")}
      aria-current=${day === chosen ? "date" : undefined}
    >
      <span>${name}</span>
      <span class="day-marks" aria-hidden="true">
        ${own.map(
          (each) => html`
            <i key=${each.deal} class=${each.state.replace(" ", "-")}></i>
          `,
        )}
      </span>
    </a>
  `;
}
