/** One's own games: under way, over, and what they add up to. */
import { html, useEffect, useState } from "../../vendor/index.js";
import { request, ServerError } from "../api.js";
import { dayOf } from "../day/days.js";
import { faultWords } from "../faults.js";
import { Devices } from "../games/devices.js";
import { FinishedGames, otherNames } from "../games/list.js";
import { Ends, Ladders, OverTime, Skill, Wins } from "../games/plots.js";
import { needMessages, plus, t } from "../i18n.js";
import { botNames, othersAt } from "../opponents.js";
import { go } from "../router.js";
import { playerName } from "../settings.js";
import { Header, Offline, Waiting } from "../ui.js";

await Promise.all([needMessages("games."), needMessages("person.")]);

/** @typedef {import("../types.js").TableSummary} TableSummary */

const STATISTICS = "statistics";
const DEVICES = "devices";
const NOBODY = { levels: [], names: [] };

/** @param {{rest: string[]}} props what follows: "statistics", "devices", or nothing: the list */
export default function GamesPage({ rest }) {
  const adding = rest[0] === STATISTICS;
  const devices = rest[0] === DEVICES;
  const [running, setRunning] = useState(/** @type {TableSummary[]} */ ([]));
  const [told, setTold] = useState(/** @type {any} */ (null));
  const [fault, setFault] = useState("");
  const failed = (/** @type {unknown} */ error) =>
    setFault(error instanceof ServerError ? error.code : "internal");
  const sum = () =>
    request("me/games/summary").then((answer) => {
      setTold(answer);
      setFault("");
    }, failed);
  const load = () => {
    void request("me/games/running").then((answer) => setRunning(answer.tables), failed);
    void sum();
  };
  useEffect(() => {
    document.title = `${t("games")} · Keltis`;
    load();
  }, []);
  const play = (/** @type {string} */ game, /** @type {string} */ level) => {
    const name = playerName.value.trim() || t("name.default");
    const seats = [
      { who: "me", name },
      { who: "bot", level, name: botNames([name])[0] },
    ];
    void request("tables", { game, seats }).then((made) => go(`table/${made.table}`), failed);
  };
  if (fault === "offline" && !told)
    return html`
      <${Header} />
      <${Offline} again=${load} />
    `;
  return html`
    <${Header} />
    <main class="page own-games" tabindex="-1">
      <h1>${t("games")}</h1>
      <p>${t("games.lead")}</p>
      <nav class="games-nav" aria-label=${t("games")}>
        <a class="button" href="games" aria-current=${adding || devices ? undefined : "page"}>
          ${t("games.list")}
        </a>
        <a class="button" href="games/statistics" aria-current=${adding ? "page" : undefined}>
          ${t("games.stats")}
        </a>
        <a class="button" href="games/devices" aria-current=${devices ? "page" : undefined}>
          ${t("person.title")}
        </a>
      </nav>
      ${
        fault &&
        html`
          <p class="note" role="alert">${faultWords(fault)}</p>
        `
      }
      ${
        (devices || adding) &&
        !told &&
        !fault &&
        html`
          <${Waiting} />
        `
      }
      ${
        devices &&
        told &&
        html`
          <${Devices} games=${told.games + running.length} again=${load} />
        `
      }
      ${
        adding &&
        told &&
        html`
          <${Ladders} strength=${told.strength} play=${play} />
          ${
            told.counted > 0 &&
            html`
              <${Statistics} told=${told} />
            `
          }
        `
      }
      ${
        // The list does not wait for what thousands of games add up to.
        !adding &&
        !devices &&
        html`
          <${Running} tables=${running} />
          <${FinishedGames} opponents=${told?.opponents ?? NOBODY} onRemoved=${sum} />
        `
      }
    </main>
  `;
}

/** Who else is at a table, and whether it waits for more. @param {TableSummary} table */
function againstWords(table) {
  const others = othersAt(table);
  const there = others.filter((seat) => seat.name);
  const words = [
    there.length && t("games.against", { names: otherNames(there) }),
    there.length < others.length && t("games.waits"),
  ];
  return words.filter(Boolean).join(" · ");
}

/** @param {{tables: TableSummary[]}} props */
function Running({ tables }) {
  if (!tables.length) return null;
  return html`
    <section class="tables">
      <h2>${t("games.running")}</h2>
      <ul>
        ${tables.map(
          (table) => html`
            <li key=${table.id} class=${table.your_turn ? "turn" : ""}>
              <span class="tables-game">${t(`game.${table.game}`)}</span>
              <span class="tables-names">
                ${againstWords(table)}
                ${
                  dayOf(table.deal) &&
                  html`
                    <span class="quiet">${` · ${t("day")}`}</span>
                  `
                }
              </span>
              ${
                table.your_turn &&
                html`
                  <span class="tag turn">${t("start.turn")}</span>
                `
              }
              <a class="button ${table.your_turn ? "main" : ""}" href="table/${table.id}">
                ${t("start.continue")}
              </a>
            </li>
          `,
        )}
      </ul>
    </section>
  `;
}

/** @param {{told: any}} props */
function Statistics({ told }) {
  const levels = told.strength[0].ladder.map((/** @type {{level: string}} */ step) => step.level);
  return html`
    <section class="games-stats">
      <h2>${t("games.stats")}</h2>
      <ul class="games-facts">
        <li>
          ${t("games.streak", { n: told.streak.longest })}
          ${told.streak.now > 0 && ` (${t("games.streak.now", { n: told.streak.now })})`}
        </li>
        ${
          told.best &&
          html`
            <li>
              <a href="replay/${told.best.table}">
                ${t("games.best", { lead: plus(told.best.lead) })}
              </a>
            </li>
            <li>
              <a href="replay/${told.worst.table}">
                ${t("games.worst", { lead: plus(told.worst.lead) })}
              </a>
            </li>
          `
        }
      </ul>
      <${Wins} lines=${told.wins} levels=${levels} />
      <${Skill} lines=${told.skill} />
      <${OverTime} points=${told.over_time} />
      <${Ends} ends=${told.ends} />
    </section>
  `;
}
