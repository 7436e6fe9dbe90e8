/** One's games that are over, page by page, with filters. */
import { html, useEffect, useState } from "../../vendor/index.js";
import { apiUrl, request, ServerError } from "../api.js";
import { dayOf } from "../day/days.js";
import { challenge } from "../duplicate/challenge.js";
import { faultWords } from "../faults.js";
import { list, plus, t, when } from "../i18n.js";
import { go } from "../router.js";
import { Dialog, Question, Select, Waiting } from "../ui.js";
import { botCalled } from "../words.js";
import { botLevel, END_WORDS } from "./plots.js";

/**
 * @typedef {{seat: number, kind: string, name: string | null, level: string | null}} Other
 * @typedef {{
 *   table: string, over: string, game: "board" | "stones", players: number, seat: number,
 *   seats: number, result: string, score: number, lead: number, decisions: number, ended: string,
 *   take_backs: number, hinted: boolean | null, others: Other[], deal: string | null,
 * }} PlayedGame
 * @typedef {{game: string, players: string, result: string, opponent: string}} Filters
 */

/** @type {Record<string, import("../i18n.js").Key>} */
const RESULT_WORDS = {
  won: "games.result.won",
  shared: "games.result.shared",
  lost: "games.result.lost",
  left: "games.result.left",
  none: "games.result.none",
  practice: "games.result.practice",
};
const ALL = "";

/** Where those who have played a deal are compared. @param {string} deal */
const sharedPath = (deal) => (dayOf(deal) ? `day/${dayOf(deal)}` : `duplicate/${deal}`);
const LEVEL = "level:";
const NAME = "name:";

/** @param {Filters} filters @param {string | null} before */
function address(filters, before) {
  const query = new URLSearchParams();
  for (const name of /** @type {const} */ (["game", "players", "result"]))
    if (filters[name]) query.set(name, filters[name]);
  if (filters.opponent.startsWith(LEVEL)) query.set("level", filters.opponent.slice(LEVEL.length));
  if (filters.opponent.startsWith(NAME)) query.set("name", filters.opponent.slice(NAME.length));
  if (before) query.set("before", before);
  return `me/games?${query}`;
}

/**
 * A bot by its name and level; by its level alone where that is its name too.
 * @param {string} name @param {string} level
 */
function botName(name, level) {
  return name.split(" ")[0].toLowerCase() === level
    ? botCalled(name, level)
    : t("games.bot", { name, level: botLevel(level) });
}

/**
 * Who plays, bots with their level.
 * @param {{name?: string | null, level?: string | null}[]} others
 */
export const otherNames = (others) =>
  list(others.map(({ name, level }) => (level ? botName(name ?? "", level) : (name ?? ""))));

/**
 * @param {{
 *   opponents: {levels: string[], names: string[]}, onRemoved: () => void,
 * }} props
 */
export function FinishedGames({ opponents, onRemoved }) {
  const [filters, setFilters] = useState(
    /** @type {Filters} */ ({ game: ALL, players: ALL, result: ALL, opponent: ALL }),
  );
  const [games, setGames] = useState(/** @type {PlayedGame[] | null} */ (null));
  const [next, setNext] = useState(/** @type {string | null} */ (null));
  const [fault, setFault] = useState("");
  const [asked, setAsked] = useState("");
  const failed = (/** @type {unknown} */ error) =>
    setFault(error instanceof ServerError ? error.code : "internal");
  useEffect(() => {
    let wanted = true;
    request(address(filters, null)).then((answer) => {
      if (!wanted) return;
      setGames(answer.games);
      setNext(answer.next);
      setFault("");
    }, failed);
    return () => {
      wanted = false;
    };
  }, [filters]);
  const more = () =>
    request(address(filters, next)).then((answer) => {
      // Unless others have been chosen meanwhile.
      setGames((now) => (now && now === games ? [...now, ...answer.games] : now));
      setNext((now) => (now === next ? answer.next : now));
    }, failed);
  const remove = (/** @type {string} */ table) =>
    request(`me/games/${table}`, undefined, "DELETE").then(() => {
      setGames((games ?? []).filter((game) => game.table !== table));
      onRemoved();
    }, failed);
  const put = (/** @type {Partial<Filters>} */ part) => setFilters({ ...filters, ...part });
  const who = [
    ALL,
    ...opponents.levels.map((level) => LEVEL + level),
    ...opponents.names.map((name) => NAME + name),
  ];
  const all = (/** @type {(one: string) => string} */ name) => (/** @type {string} */ one) =>
    one === ALL ? t("games.all") : name(one);
  const filtered = Object.values(filters).some(Boolean);
  if (!games)
    return fault
      ? html`
          <p class="note" role="alert">${faultWords(fault)}</p>
        `
      : html`
          <${Waiting} />
        `;
  return html`
    <section class="games-over">
      <h2>${t("games.over")}</h2>
      ${
        (games.length > 0 || filtered) &&
        html`
          <div class="games-filters">
            <${Select}
              label=${t("games.filter.game")}
              value=${filters.game}
              options=${[ALL, "board", "stones"]}
              name=${all((one) => t(one === "board" ? "game.board" : "game.stones"))}
              onChange=${(/** @type {string} */ game) => put({ game })}
            />
            <${Select}
              label=${t("games.filter.players")}
              value=${filters.players}
              options=${[ALL, "2", "3", "4"]}
              name=${all((one) => one)}
              onChange=${(/** @type {string} */ players) => put({ players })}
            />
            <${Select}
              label=${t("games.filter.result")}
              value=${filters.result}
              options=${[ALL, ...Object.keys(RESULT_WORDS)]}
              name=${all((one) => t(RESULT_WORDS[one]))}
              onChange=${(/** @type {string} */ result) => put({ result })}
            />
            <${Select}
              label=${t("games.filter.opponent")}
              value=${filters.opponent}
              options=${who}
              name=${all((one) =>
                one.startsWith(LEVEL) ? botLevel(one.slice(LEVEL.length)) : one.slice(NAME.length),
              )}
              onChange=${(/** @type {string} */ opponent) => put({ opponent })}
            />
          </div>
        `
      }
      ${
        fault &&
        html`
          <p class="note" role="alert">${faultWords(fault)}</p>
        `
      }
      ${
        !games.length &&
        html`
          <p class="quiet">${t(filtered ? "games.nomatch" : "games.none")}</p>
          ${
            !filtered &&
            html`
              <p><a class="button main" href="./">${t("games.first")}</a></p>
            `
          }
        `
      }
      <ul class="games-list">
        ${games.map(
          (game) => html`
            <${Line}
              key=${game.table}
              game=${game}
              failed=${failed}
              remove=${() => setAsked(game.table)}
            />
          `,
        )}
      </ul>
      <p class="games-foot">
        ${
          next &&
          html`
            <button type="button" class="button" onClick=${more}>${t("games.more")}</button>
          `
        }
        ${
          games.length > 0 &&
          html`
            <a class="button" download href=${apiUrl("me/games/records")}>${t("games.records")}</a>
          `
        }
      </p>
      <${Dialog} open=${asked !== ""} title=${t("games.remove")} onClose=${() => setAsked("")}>
        <${Question}
          words=${t("games.remove.ask")}
          yes=${t("games.remove")}
          no=${t("games.keep")}
          act=${() => remove(asked)}
          close=${() => setAsked("")}
        />
      <//>
    </section>
  `;
}

/**
 * One game: how it went, to look at again, and more at wish.
 * @param {{game: PlayedGame, failed: (error: unknown) => void, remove: () => void}} props
 */
function Line({ game, failed, remove }) {
  const [more, setMore] = useState(false);
  return html`
    <li class=${game.result}>
      <span class="games-result">${t(RESULT_WORDS[game.result])}</span>
      <span class="games-what">
        <b>${t(`game.${game.game}`)}</b>
        ${" "}${t("games.against", { names: otherNames(game.others) })}
        <br />
        ${t("games.score", { n: game.score, score: game.score, lead: plus(game.lead) })}
        <span class="quiet">
          ${` · ${t(END_WORDS[game.ended])} · ${t("games.length", { n: game.decisions })}`}
          ${game.take_backs > 0 && ` · ${t("games.takeback")}`}
          ${game.hinted && ` · ${t("games.hinted")}`} · ${when(game.over)}
          ${dayOf(game.deal) && ` · ${t("day")}`}
        </span>
      </span>
      <span class="games-actions">
        <a class="button" href="review/${game.table}">${t("review")}</a>
        <a class="button" href="replay/${game.table}">${t("games.watch")}</a>
        <button type="button" class="button" aria-expanded=${more} onClick=${() => setMore(!more)}>
          ${t("games.other")}
        </button>
      </span>
      ${
        more &&
        html`
          <span class="games-actions games-other">
            ${
              game.deal
                ? html`
                    <a class="button" href=${sharedPath(game.deal)}>${t("deal.compare")}</a>
                  `
                : html`
                    <${OwnDeal} game=${game} failed=${failed} />
                  `
            }
            <a class="button" download href=${apiUrl(`tables/${game.table}/record?download=1`)}>
              ${t("games.record")}
            </a>
            <button type="button" class="button" onClick=${remove}>${t("games.remove")}</button>
          </span>
        `
      }
    </li>
  `;
}

/**
 * What can be made of a game whose deal nobody else plays.
 * @param {{game: PlayedGame, failed: (error: unknown) => void}} props
 */
function OwnDeal({ game, failed }) {
  const again = () =>
    request(`tables/${game.table}/rematch`, {}).then(
      (answer) => go(`table/${answer.table}`),
      failed,
    );
  return html`
    <button type="button" class="button" onClick=${again}>${t("games.again")}</button>
    ${
      // What went on from a position has no deal of its own.
      game.result !== "practice" &&
      html`
        <button
          type="button"
          class="button"
          onClick=${() => challenge(game.table, game.seat).catch(failed)}
        >
          ${t("deal.challenge")}
        </button>
      `
    }
  `;
}
