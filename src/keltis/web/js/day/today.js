/** Today's deal as the start page offers it. */
import { html, useEffect, useState } from "../../vendor/index.js";
import { request } from "../api.js";
import { plus, t } from "../i18n.js";
import { Icon } from "../ui.js";
import { levelName } from "../words.js";
import { after, beginsAt, firstAnchor, isDone } from "./days.js";

/** @typedef {import("./days.js").Deal} Deal */

/** How far one is with a deal, in short; "" before it is begun. @param {Deal} deal */
function markOf(deal) {
  if (deal.lead !== null) return plus(deal.lead);
  if (deal.state === "playing") return "…";
  return deal.state ? "×" : "";
}

/** Why to play now, or when again. @param {import("./days.js").Day} day @param {boolean} done */
function wordsOf({ day, streak, deals }, done) {
  const next = t("day.next", { time: beginsAt(after(day, 1)) });
  if (streak === 0) return done ? next : t("day.invite");
  const counted = deals.some((deal) => deal.state === "finished");
  const words = t(counted || done ? "day.streak" : "day.keep", { n: streak });
  return done ? `${words} · ${next}` : words;
}

export function Today() {
  const [day, setDay] = useState(/** @type {import("./days.js").Day | null} */ (null));
  useEffect(() => {
    let wanted = true;
    void request("days/today").then(
      (told) => {
        firstAnchor(told.anchor);
        if (wanted) setDay(told);
      },
      () => {},
    );
    return () => {
      wanted = false;
    };
  }, []);
  const deals = day?.deals ?? [];
  const playing = deals.some((deal) => deal.state === "playing");
  const done = day !== null && isDone(day);
  // All has its place from the start: nothing moves when the server answers.
  return html`
    <section class="today" aria-label=${t("day")}>
      <span class="today-icon"><${Icon} name="day" /></span>
      <div class="today-words">
        <h2>${t("day")}</h2>
        <p>${day ? wordsOf(day, done) : t("day.invite")}</p>
      </div>
      <ul class="today-deals">
        ${deals.map(
          (deal) => html`
            <li key=${deal.deal} class=${(deal.state ?? "").replace(" ", "-")}>
              <span>
                ${t(deal.game === "board" ? "day.board" : "day.stones")} · ${levelName(deal.bot)}
              </span>
              <b>${markOf(deal)}</b>
            </li>
          `,
        )}
      </ul>
      <a class="button main" href="day">
        ${t(playing ? "day.go.on" : done ? "day.go.see" : "day.go")}
      </a>
    </section>
  `;
}
