/** A deal that several people play, each at a table of their own: what it is, and who did best. */
import { html, useEffect, useState } from "../../vendor/index.js";
import { request, ServerError } from "../api.js";
import { Make, Mine, NameField } from "../duplicate/make.js";
import { Results, Totals } from "../duplicate/results.js";
import { rulesFacts } from "../editions.js";
import { faultWords } from "../faults.js";
import { botLevel } from "../games/plots.js";
import { list, needMessages, t, when } from "../i18n.js";
import { absolute, go } from "../router.js";
import { playerName } from "../settings.js";
import { LinkToShare } from "../table/link.js";
import { Header, Offline, Waiting } from "../ui.js";

await Promise.all([needMessages("games."), needMessages("duplicate.")]);

/**
 * @typedef {{
 *   seat: number, bots: (string | null)[],
 *   own: {state: string, table: string, lead: number | null, score: number | null} | null,
 *   results: import("../duplicate/results.js").Line[] | null,
 * }} Board
 * @typedef {import("../duplicate/make.js").Head & {
 *   boards: Board[], total: import("../duplicate/results.js").Total[] | null,
 * }} Duplicate
 */

/** @param {{rest: string[]}} props what follows is the id of a duplicate, or nothing to make one */
export default function DuplicatePage({ rest }) {
  const id = rest[0] ?? "";
  const [told, setTold] = useState(/** @type {Duplicate | null} */ (null));
  const [levels, setLevels] = useState(/** @type {string[]} */ ([]));
  const [fault, setFault] = useState("");
  const failed = (/** @type {unknown} */ error) =>
    setFault(error instanceof ServerError ? error.code : "internal");
  const load = () => {
    setFault("");
    if (id) void request(`duplicates/${id}`).then(setTold, failed);
    else
      void request("bots").then(
        (answer) => setLevels(answer.levels.map((/** @type {{level: string}} */ one) => one.level)),
        failed,
      );
  };
  useEffect(() => {
    document.title = `${t("deal.friends")} · Keltis`;
    load();
  }, []);
  const play = (/** @type {number} */ board) =>
    request(`duplicates/${id}/play`, {
      board,
      name: playerName.value.trim() || t("name.default"),
    }).then((begun) => go(begun.path), failed);
  if (fault === "offline" && !told && !levels.length)
    return html`
      <${Header} />
      <${Offline} again=${load} />
    `;
  return html`
    <${Header} />
    <main class="page duplicate own-games" tabindex="-1">
      <h1>${t(told?.from_game ? "duplicate.better" : "deal.friends")}</h1>
      <p>${t("duplicate.lead")}</p>
      ${
        fault &&
        html`
          <p class="note" role="alert">
            ${fault === "not_found" ? t("duplicate.unknown") : faultWords(fault)}
          </p>
        `
      }
      ${
        id
          ? told
            ? html`
                <${Told} told=${told} play=${play} />
              `
            : !fault &&
              html`
                <${Waiting} />
              `
          : html`
              <${Make} levels=${levels} />
              <${Mine} />
            `
      }
    </main>
  `;
}

/** @param {{told: Duplicate, play: (board: number) => void}} props */
function Told({ told, play }) {
  const several = told.boards.length > 1;
  const waits = told.boards.some((board) => board.own?.state === "playing" || !board.own);
  const may = told.open && !told.known && told.boards.some((board) => !board.own);
  const shown = told.boards.some((board) => board.results);
  const facts = [
    t(`game.${told.game}`),
    t("start.count", { n: told.players }),
    ...(told.game === "board" ? rulesFacts(told.options) : []),
  ];
  return html`
    <section>
      ${
        told.by &&
        !told.yours &&
        html`
          <p>${t(told.from_game ? "duplicate.better.by" : "duplicate.by", { name: told.by })}</p>
        `
      }
      <p><strong>${facts.join(" · ")}</strong></p>
      ${
        waits &&
        html`
          <p>${t("duplicate.how")}</p>
        `
      }
      <p class="quiet">
        ${told.open ? t("duplicate.until", { date: when(told.closes) }) : t("duplicate.closed")}
      </p>
      ${
        told.known &&
        html`
          <p class="note">${t("duplicate.known")}</p>
        `
      }
      ${
        may &&
        html`
          <${NameField} />
        `
      }
    </section>
    ${
      told.total &&
      html`
        <section>
          <h2>${t("duplicate.total")}</h2>
          <p class="quiet">${t("duplicate.total.text")}</p>
          <${Totals} lines=${told.total} />
        </section>
      `
    }
    ${told.boards.map(
      (board, k) => html`
        <${Round} key=${k} told=${told} board=${board} k=${k} several=${several} play=${play} />
      `,
    )}
    ${
      shown &&
      html`
        <p class="quiet">${t("duplicate.points.text")}</p>
      `
    }
    ${
      !shown &&
      html`
        <p class="quiet">
          ${
            told.played.length
              ? t("duplicate.played", { names: list(told.played) })
              : t("duplicate.nobody")
          }${" "}${t("duplicate.hidden")}
        </p>
      `
    }
    <section>
      <h2>${t("duplicate.link")}</h2>
      ${
        told.from_game &&
        told.yours &&
        html`
          <p class="quiet">${t("duplicate.closes.replay")}</p>
        `
      }
      <${LinkToShare} link=${absolute(told.path)} label=${t("duplicate.link")} />
    </section>
    <p><a class="button" href="duplicate">${t("duplicate.make")}</a></p>
  `;
}

/**
 * @param {{
 *   told: Duplicate, board: Board, k: number, several: boolean, play: (board: number) => void,
 * }} props
 */
function Round({ told, board, k, several, play }) {
  const title = several ? t("duplicate.round", { n: k + 1 }) : t("duplicate.results");
  const names = board.bots.map((level) => (level ? botLevel(level) : t("duplicate.you")));
  const running = board.own?.state === "playing";
  const word = t(running ? "duplicate.continue" : "duplicate.play");
  const may = running || (!board.own && told.open && !told.known);
  return html`
    <section class="duplicate-round">
      ${
        (several || board.results) &&
        html`
          <h2>${title}</h2>
        `
      }
      <p>${t("duplicate.order", { names: names.join(" – ") })}</p>
      ${
        may &&
        html`
          <p>
            <button
              type="button"
              class="button main"
              aria-label=${several ? `${title}: ${word}` : undefined}
              onClick=${() => play(k)}
            >
              ${word}
            </button>
          </p>
        `
      }
      ${
        board.results &&
        board.results.length > 0 &&
        html`
          <${Results} lines=${board.results} deal=${told.duplicate} board=${k} caption=${title} />
        `
      }
    </section>
  `;
}
