/** A review to keep or to show: its link, its numbers, and a picture of its graph. */
import { html, useEffect, useState } from "../../vendor/index.js";
import { PLAYER_PATHS } from "../art.js";
import { number, percent, plusDecimal, t } from "../i18n.js";
import { absolute } from "../router.js";
import { packRecord } from "../study/film.js";
import { isForAll, LinkBox } from "../study/link.js";
import { EDGE, sheet, HEIGHT, PALE, SANS, shape, WIDTH, write } from "../table/share.js";
import { seriesOf } from "./graph.js";
import { luckOf, skillWords } from "./words.js";

/** @typedef {import("./load.js").Review} Review */

const LINES = ["#e6c06a", "#e8eaf0", "#8fd0a5", "#ff9d8a"];

/** @param {string} name of the file @param {string} text @param {string} kind */
function save(name, text, kind) {
  const url = URL.createObjectURL(new Blob([text], { type: kind }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** The graph with what it comes to, as a picture. @param {Review} review @param {number} last */
export function draw(review, last) {
  const { canvas, pen } = sheet(`${t("review")}: ${t(`game.${review.game}`)}`);
  pen.font = `400 27px ${SANS}`;
  write(pen, t("review.graph"), EDGE + 112, EDGE + 66, WIDTH - 2 * EDGE - 112);

  const rows = review.players.length;
  const top = 190;
  const tall = HEIGHT - top - EDGE - 44 * rows - 16;
  const wide = WIDTH - 2 * EDGE - 70;
  const x = (/** @type {number} */ at) => EDGE + 70 + (wide * at) / Math.max(1, last);
  const y = (/** @type {number} */ wins) => top + tall * (1 - wins);
  pen.lineWidth = 1;
  pen.strokeStyle = "#ffffff40";
  pen.textAlign = "right";
  pen.font = `400 20px ${SANS}`;
  for (const tick of [0, 0.5, 1]) {
    pen.beginPath();
    pen.moveTo(x(0), y(tick));
    pen.lineTo(x(last), y(tick));
    pen.stroke();
    pen.fillText(percent(tick), EDGE + 58, y(tick));
  }
  pen.textAlign = "left";
  const { wins } = seriesOf(review, last);
  wins.forEach((line, seat) => {
    pen.strokeStyle = LINES[seat];
    pen.lineWidth = 5;
    pen.lineJoin = "round";
    pen.beginPath();
    line.forEach((value, at) => pen[at ? "lineTo" : "moveTo"](x(at), y(value)));
    pen.stroke();
  });
  review.seats.forEach((seat, i) => {
    const line = HEIGHT - EDGE + 14 - 44 * (rows - i - 0.5) - 10;
    shape(pen, PLAYER_PATHS[seat.seat], EDGE + 18, line, 32, LINES[seat.seat]);
    pen.fillStyle = LINES[seat.seat];
    pen.font = `600 28px ${SANS}`;
    write(pen, seat.name, EDGE + 50, line, 250);
    pen.fillStyle = PALE;
    pen.font = `400 25px ${SANS}`;
    const luck = luckOf(seat);
    const words = [skillWords(seat)];
    if (luck) words.push(t("review.luck.short", { points: plusDecimal(luck.lead) }));
    write(pen, words.join(" · "), EDGE + 320, line, WIDTH - 2 * EDGE - 320);
  });
  return canvas;
}

/**
 * @param {{review: Review, record: any, table: string, at: number, last: number}} props
 */
export function ShareReview({ review, record, table, at, last }) {
  const [link, setLink] = useState(table ? absolute(`review/${table}#${at}`) : "");
  const [picture, setPicture] = useState("");
  useEffect(() => {
    if (!table)
      void packRecord(record).then((packed) => setLink(absolute(`review#${at}:${packed}`)));
  }, []);
  useEffect(() => {
    let url = "";
    draw(review, last).toBlob((blob) => {
      if (blob) setPicture((url = URL.createObjectURL(blob)));
    });
    return () => URL.revokeObjectURL(url);
  }, [review]);
  const pictured = t("review.picture.words", {
    names: review.players.join(", "),
    n: number(review.decisions.length),
  });
  const words = table
    ? t(isForAll(table, record) ? "review.link.text" : "replay.link.some")
    : t("review.link.whole");
  const name = `keltis-review${table && `-${table}`}`;
  return html`
    <div class="share">
      ${
        picture &&
        html`
          <img src=${picture} width=${WIDTH} height=${HEIGHT} alt=${pictured} />
        `
      }
      <${LinkBox} link=${link} label=${t("review.link")} words=${words} />
      <div class="end-actions">
        ${
          picture &&
          html`
            <a class="button" href=${picture} download="${name}.png">${t("share.save")}</a>
          `
        }
        <button
          type="button"
          class="button"
          onClick=${() => save(`${name}.json`, JSON.stringify(review), "application/json")}
        >
          ${t("review.json")}
        </button>
      </div>
    </div>
  `;
}
