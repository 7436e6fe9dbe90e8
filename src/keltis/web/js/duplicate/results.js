/** How those who have played a duplicate compare. */
import { html } from "../../vendor/index.js";
import { number, percent, plus, t } from "../i18n.js";
import { Icon } from "../ui.js";

/**
 * @typedef {{
 *   name: string | null, number: number, you: boolean, original: boolean, replay: boolean,
 *   state: string, lead: number | null, score: number | null, place: number | null,
 *   points: number | null,
 * }} Line
 * @typedef {{
 *   name: string | null, you: boolean, lead: number | null, points: number | null, place: number,
 *   place_by_lead: number | null,
 * }} Total
 */

/** A share as a club writes it. @param {number | null} points */
const shareOf = (points) => (points === null ? "–" : percent(points));

/** @param {{line: {name: string | null, you: boolean, original?: boolean}}} props */
function Who({ line }) {
  const name = line.name ?? t("duplicate.somebody");
  return html`
    <th scope="row">
      ${name}
      ${
        line.you &&
        html`
          ${" "}
          <span class="tag">${t("duplicate.you")}</span>
        `
      }
      ${
        line.original &&
        html`
          ${" "}
          <span class="quiet">${t("duplicate.original")}</span>
        `
      }
    </th>
  `;
}

/** @param {{lines: Line[], deal: string, board: number, caption: string}} props */
export function Results({ lines, deal, board, caption }) {
  return html`
    <div class="games-wide" tabindex="0" role="group" aria-label=${caption}>
      <table class="games-table games-results">
        <caption class="visually-hidden">${caption}</caption>
        <thead>
          <tr>
            <th scope="col">${t("duplicate.col.place")}</th>
            <th scope="col">${t("duplicate.col.name")}</th>
            <th scope="col">${t("duplicate.col.lead")}</th>
            <th scope="col">${t("duplicate.col.score")}</th>
            <th scope="col">${t("duplicate.col.points")}</th>
            <td></td>
          </tr>
        </thead>
        <tbody>
          ${lines.map(
            (line) => html`
              <tr key=${line.number} class=${line.you ? "next" : ""}>
                <td>${line.place === null ? "–" : number(line.place)}</td>
                <${Who} line=${line} />
                <td>${line.lead === null ? t("duplicate.gaveup") : plus(line.lead)}</td>
                <td>${line.score === null ? "–" : number(line.score)}</td>
                <td>${shareOf(line.points)}</td>
                <td>
                  ${
                    line.replay &&
                    html`
                      <a
                        class="games-replay"
                        href="replay/${deal}/${board}/${line.number}"
                        aria-label=${t("duplicate.watch", {
                          name: line.name ?? t("duplicate.somebody"),
                        })}
                      >
                        <${Icon} name="play" />
                        <span>${t("duplicate.watch.short")}</span>
                      </a>
                    `
                  }
                </td>
              </tr>
            `,
          )}
        </tbody>
      </table>
    </div>
  `;
}

/** All boards together. @param {{lines: Total[]}} props */
export function Totals({ lines }) {
  return html`
    <div class="games-wide" tabindex="0" role="group" aria-label=${t("duplicate.total")}>
      <table class="games-table">
        <caption class="visually-hidden">${t("duplicate.total")}</caption>
        <thead>
          <tr>
            <th scope="col">${t("duplicate.col.place")}</th>
            <th scope="col">${t("duplicate.col.name")}</th>
            <th scope="col">${t("duplicate.col.points")}</th>
            <th scope="col">${t("duplicate.col.lead")} (${t("duplicate.col.place")})</th>
          </tr>
        </thead>
        <tbody>
          ${lines.map(
            (line, i) => html`
              <tr key=${i} class=${line.you ? "next" : ""}>
                <td>${number(line.place)}</td>
                <${Who} line=${line} />
                <td>${shareOf(line.points)}</td>
                <td>
                  ${
                    line.lead === null
                      ? t("duplicate.gaveup")
                      : `${plus(line.lead)} (${number(line.place_by_lead ?? 0)})`
                  }
                </td>
              </tr>
            `,
          )}
        </tbody>
      </table>
    </div>
  `;
}
