/** The result to show to others: a picture drawn here, and words. */
import { html, useEffect, useState } from "../../vendor/index.js";
import { COLOUR_PATHS, PLAYER_PATHS, spirals, WISH } from "../art.js";
import { CopyButton } from "../copy.js";
import { COLOURS, wishingWorth, worth } from "../game.js";
import { number, t } from "../i18n.js";
import { reasonWords, resignedAt, resultWords } from "../outcome.js";
import { absolute } from "../router.js";

/**
 * @typedef {import("../types.js").View} View
 * @typedef {import("../types.js").Table} Table
 */

export const WIDTH = 1200;
export const HEIGHT = 630;
export const EDGE = 60;
// The picture leaves the page, so it has one look, whatever the page's is.
const COLOUR = { R: "#bb2f26", Y: "#d99a10", V: "#7641a3", G: "#23763d", B: "#2564ac" };
export const GOLD = "#e6c06a";
export const PALE = "#f2e8cf";
export const SERIF = '"Palatino Linotype", Palatino, Georgia, "DejaVu Serif", serif';
export const SANS = 'system-ui, "Segoe UI", Roboto, "Liberation Sans", Arial, sans-serif';

/** As everybody tells it, not "You win!". @param {Table} table @param {View} view */
const resultOf = (table, view) => resultWords({ ...view, you: null }, resignedAt(table));

/** @param {Table} table @param {View} view */
export function shareWords(table, view) {
  const order = view.players.map((_, seat) => seat).sort((a, b) => view.scores[b] - view.scores[a]);
  return t("share.text", {
    game: t(`game.${view.game}`),
    scores: order.map((seat) => `${view.players[seat]} ${number(view.scores[seat])}`).join(", "),
    result: resultOf(table, view),
  });
}

/** What a seat's total is made of. @param {View} view @param {number} seat */
const partsOf = (view, seat) => [
  ...COLOURS.map((colour) => worth(view, seat, colour)),
  wishingWorth(view.wishing_stones[seat]),
  view.points[seat],
];

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {string} path in a box from −12 to 12
 * @param {number} x @param {number} y @param {number} size
 * @param {string} fill
 */
export function shape(pen, path, x, y, size, fill) {
  pen.save();
  pen.translate(x, y);
  pen.scale(size / 24, size / 24);
  pen.fillStyle = fill;
  pen.fill(new Path2D(path));
  pen.restore();
}

/** A text may get so small that it fits; then it is cut. */
const SMALLEST = 0.6;

/**
 * Writes a text in a width.
 * @param {CanvasRenderingContext2D} pen
 * @param {string} text
 * @param {number} x @param {number} y @param {number} width
 */
export function write(pen, text, x, y, width) {
  const font = pen.font;
  const fits = width / pen.measureText(text).width;
  if (fits < 1)
    pen.font = font.replace(/[\d.]+(?=px)/, (size) => `${Number(size) * Math.max(fits, SMALLEST)}`);
  let shown = text;
  while (pen.measureText(shown).width > width && shown.length > 1)
    shown = `${shown.replace(/…$/, "").slice(0, -1)}…`;
  pen.fillText(shown, x, y);
  pen.font = font;
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {number} x @param {number} y @param {string} fill @param {number} [radius]
 */
function disc(pen, x, y, fill, radius = 24) {
  pen.fillStyle = fill;
  pen.beginPath();
  pen.arc(x, y, radius, 0, 2 * Math.PI);
  pen.fill();
}

/**
 * A picture to share, with nothing on it but its title.
 * @param {string} title
 */
export function sheet(title) {
  const canvas = document.createElement("canvas");
  canvas.width = WIDTH;
  canvas.height = HEIGHT;
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  ground(pen);
  pen.textBaseline = "middle";
  pen.fillStyle = GOLD;
  pen.font = `700 34px ${SERIF}`;
  pen.fillText(title, EDGE + 112, EDGE + 18);
  pen.fillStyle = PALE;
  return { canvas, pen };
}

/** @param {CanvasRenderingContext2D} pen */
function ground(pen) {
  const green = pen.createLinearGradient(0, 0, 0, HEIGHT);
  green.addColorStop(0, "#3c5445");
  green.addColorStop(1, "#1b2a21");
  pen.fillStyle = green;
  pen.fillRect(0, 0, WIDTH, HEIGHT);
  pen.strokeStyle = GOLD;
  pen.lineWidth = 4;
  pen.strokeRect(18, 18, WIDTH - 36, HEIGHT - 36);
  pen.save();
  pen.translate(EDGE + 44, EDGE + 44);
  pen.lineWidth = 4.6;
  pen.lineCap = "round";
  pen.beginPath();
  pen.arc(0, 0, 44, 0, 2 * Math.PI);
  pen.stroke();
  for (const { d, x, y } of spirals(36)) {
    pen.save();
    pen.translate(x, y);
    pen.stroke(new Path2D(d));
    pen.restore();
  }
  pen.restore();
}

/** @param {Table} table @param {View} view */
export function draw(table, view) {
  const { canvas, pen } = sheet(t(`game.${view.game}`));
  pen.font = `700 50px ${SERIF}`;
  write(pen, resultOf(table, view), EDGE + 112, EDGE + 70, WIDTH - 2 * EDGE - 112);

  // One column for each part of the sheet, and the total at the right.
  const first = EDGE + 380;
  const column = (WIDTH - EDGE - 110 - first) / 7;
  const top = 215;
  const line = Math.min(105, 300 / view.players.length);
  COLOURS.forEach((colour, i) => {
    const x = first + column * (i + 0.5);
    disc(pen, x, top - 6, PALE);
    shape(pen, COLOUR_PATHS[colour], x, top - 6, 32, COLOUR[colour]);
  });
  // A wishing stone and a coin, as on the tiles.
  disc(pen, first + column * 5.5, top - 6, "#9db0ba");
  pen.save();
  pen.translate(first + column * 5.5, top - 6);
  pen.scale(2, 2);
  pen.strokeStyle = "#2d3d48";
  pen.lineWidth = 1.6;
  pen.stroke(new Path2D(WISH));
  pen.restore();
  disc(pen, first + column * 6.5, top - 6, GOLD);
  disc(pen, first + column * 6.5, top - 6, PALE, 18);
  view.players.forEach((name, seat) => {
    const y = top + 34 + line * (seat + 0.5);
    pen.fillStyle = seat % 2 ? "#ffffff0d" : "#ffffff1a";
    pen.fillRect(EDGE - 16, y - line / 2 + 2, WIDTH - 2 * EDGE + 32, line - 4);
    shape(pen, PLAYER_PATHS[seat], EDGE + 18, y, 36, GOLD);
    pen.textAlign = "left";
    pen.fillStyle = PALE;
    pen.font = `600 30px ${SANS}`;
    write(pen, name, EDGE + 50, y, first - EDGE - 60);
    pen.textAlign = "center";
    pen.font = `400 27px ${SANS}`;
    partsOf(view, seat).forEach((value, i) => {
      pen.fillStyle = value < 0 ? "#ff9d8a" : PALE;
      pen.fillText(number(value), first + column * (i + 0.5), y);
    });
    pen.textAlign = "right";
    pen.fillStyle = GOLD;
    pen.font = `700 46px ${SERIF}`;
    pen.fillText(number(view.scores[seat]), WIDTH - EDGE, y);
  });
  pen.textAlign = "left";
  pen.fillStyle = PALE;
  pen.font = `italic 24px ${SERIF}`;
  write(pen, reasonWords(view, resignedAt(table)), EDGE, HEIGHT - EDGE, WIDTH - 2 * EDGE);
  return canvas;
}

/** @param {{table: Table, view: View}} props */
export function ShareBox({ table, view }) {
  // Once its deal is given to others, they may not see the game before they have played it.
  const [duplicate] = Object.values(table.duplicates);
  return html`
    <${Sharing}
      draw=${() => draw(table, view)}
      of=${view}
      name=${table.id}
      words=${shareWords(table, view)}
      link=${absolute(duplicate ? `duplicate/${duplicate}` : `replay/${table.id}`)}
    />
  `;
}

/**
 * A picture, words and a link, to be sent, copied and saved.
 * @param {{
 *   draw: () => HTMLCanvasElement, of: unknown, name: string, words: string, link: string,
 * }} props `of`: what is drawn; it is drawn anew when that changes
 */
export function Sharing({ draw: paint, of, name, words, link }) {
  const [picture, setPicture] = useState(/** @type {{file: File, url: string} | null} */ (null));
  useEffect(() => {
    let url = "";
    let wanted = true;
    paint().toBlob((blob) => {
      if (!blob || !wanted) return;
      url = URL.createObjectURL(blob);
      const file = new File([blob], `keltis-${name}.png`, { type: "image/png" });
      setPicture({ file, url });
    });
    return () => {
      wanted = false;
      URL.revokeObjectURL(url);
    };
  }, [of]);
  const send = () => {
    if (!picture) return;
    const all = { text: words, url: link, files: [picture.file] };
    const what = navigator.canShare?.(all) ? all : { text: words, url: link };
    void navigator.share(what).catch(() => {});
  };
  return html`
    <div class="share">
      ${
        picture &&
        html`
          <img src=${picture.url} width=${WIDTH} height=${HEIGHT} alt=${words} />
        `
      }
      <p class="share-words">
        ${words}
        <br />
        <a href=${link}>${link}</a>
      </p>
      <div class="end-actions">
        ${
          "share" in navigator &&
          html`
            <button type="button" class="button main" disabled=${!picture} onClick=${send}>
              ${t("end.share")}
            </button>
          `
        }
        <${CopyButton} text=${`${words}\n${link}`} label=${t("share.copy")} />
        ${
          picture &&
          html`
            <a class="button" href=${picture.url} download=${picture.file.name}>
              ${t("share.save")}
            </a>
          `
        }
      </div>
    </div>
  `;
}
