/** Today's deal as the start page offers it. */
import { html, useEffect, useState } from "../../vendor/index.js";
import { request } from "../api.js";
import { plus, t } from "../i18n.js";
import { Icon } from "../ui.js";
import { levelName } from "../words.js";
import { firstAnchor } from "./days.js";

/** @typedef {import("./days.js").Deal} Deal */

/** How far one is with a deal, in short; "" before it is begun. @param {Deal} deal */
function markOf(deal) {
  if (deal.lead !== null) return plus(deal.lead);
  if (deal.state === "playing") return "…";
  return deal.state ? "×" : "";
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
  const done = deals.length > 0 && deals.every((deal) => deal.state && deal.state !== "playing");
  // All has its place from the start: nothing moves when the server answers.
  return html`
    <section class="today" aria-label=${t("day")}>
      <span class="today-icon"><${Icon} name="day" /></span>
      <div class="today-words">
        <h2>${t("day")}</h2>
        <p>${day && day.streak > 0 ? t("day.streak", { n: day.streak }) : t("day.invite")}</p>
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
