/** A day's results to show to others: nothing in them tells a card. */
import { html, useState } from "../../vendor/index.js";
import { number, plus, t } from "../i18n.js";
import { absolute } from "../router.js";
import { EDGE, GOLD, sheet, PALE, SANS, SERIF, Sharing, WIDTH, write } from "../table/share.js";
import { levelName } from "../words.js";
import { dateWords } from "./days.js";

/**
 * @typedef {import("./days.js").Day} Day
 * @typedef {import("./days.js").Deal} Deal
 */

/** Those that count, with a place. @param {Day} day */
const done = (day) => day.deals.filter((deal) => deal.state === "finished" && deal.place);

/** @param {Deal} deal */
const nameOf = (deal) =>
  `${t(deal.game === "board" ? "day.board" : "day.stones")}, ${levelName(deal.bot)}`;

/** @param {Deal} deal */
const placeOf = ({ place }) => t("day.place", { place: place?.place ?? 0, n: place?.of ?? 0 });

/** Days in a row up to today, of the page of today; "" for one alone. @param {Day} day */
const streakOf = (day) => (day.open && day.streak > 1 ? t("day.streak", { n: day.streak }) : "");

/** @param {Day} day */
export function dayWords(day) {
  const lines = done(day).map((deal) =>
    t("day.share.line", {
      name: nameOf(deal),
      lead: plus(deal.lead ?? 0),
      place: placeOf(deal),
    }),
  );
  return [t("day.share.title", { date: dateWords(day.day) }), ...lines, streakOf(day)]
    .filter(Boolean)
    .join("\n");
}

/** @param {Day} day */
function draw(day) {
  const { canvas, pen } = sheet(`Keltis · ${t("day")}`);
  pen.font = `700 50px ${SERIF}`;
  write(pen, dateWords(day.day), EDGE + 112, EDGE + 70, 640);
  const left = EDGE + 660; // where the tracks begin
  const right = WIDTH - EDGE;
  const line = Math.min(120, 380 / done(day).length);
  const top = 190 + (380 - line * done(day).length) / 3;
  pen.textAlign = "right";
  pen.font = `600 30px ${SANS}`;
  pen.fillText(streakOf(day), right, EDGE + 70);
  pen.textAlign = "left";
  done(day).forEach((deal, i) => {
    const y = top + line * (i + 0.5);
    pen.fillStyle = i % 2 ? "#ffffff0d" : "#ffffff1a";
    pen.fillRect(EDGE - 16, y - line / 2 + 3, WIDTH - 2 * EDGE + 32, line - 6);
    pen.fillStyle = PALE;
    pen.font = `600 30px ${SANS}`;
    write(pen, nameOf(deal), EDGE, y - 14, 430);
    pen.font = `400 24px ${SANS}`;
    write(pen, placeOf(deal), EDGE, y + 20, 430);
    pen.textAlign = "right";
    pen.fillStyle = GOLD;
    pen.font = `700 52px ${SERIF}`;
    pen.fillText(plus(deal.lead ?? 0), left - 40, y);
    pen.textAlign = "left";
    // How many one has left behind.
    const share = deal.place?.better_than ?? 1;
    pen.fillStyle = "#ffffff2b";
    pen.fillRect(left, y - 7, right - left, 14);
    pen.fillStyle = GOLD;
    pen.fillRect(left, y - 7, (right - left) * share, 14);
    pen.fillStyle = PALE;
    pen.beginPath();
    pen.arc(left + (right - left) * share, y, 15, 0, 2 * Math.PI);
    pen.fill();
  });
  return canvas;
}

/** @param {{day: Day}} props */
export function ShareDay({ day }) {
  const [open, setOpen] = useState(false);
  const own = done(day);
  if (!own.length) return null;
  const of = own.map((deal) => `${deal.lead} ${deal.place?.place} ${deal.place?.of}`).join();
  return html`
    <details
      class="day-share"
      onToggle=${(/** @type {any} */ event) => setOpen(event.currentTarget.open)}
    >
      <summary>${t("share.title")}</summary>
      <p>${t("day.share.text", { n: number(own.length) })}</p>
      ${
        open &&
        html`
          <${Sharing}
            draw=${() => draw(day)}
            of=${of}
            name=${day.day}
            words=${dayWords(day)}
            link=${absolute(`day/${day.day}`)}
          />
        `
      }
    </details>
  `;
}
