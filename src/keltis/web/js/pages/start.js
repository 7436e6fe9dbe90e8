/** The start page: set up a table, come back to one, join or watch one. */
import { html, useEffect, useState } from "../../vendor/index.js";
import { request, ServerError } from "../api.js";
import { Band, Emblem, PlayerShape } from "../art.js";
import { Today } from "../day/today.js";
import { knownRules, RulesChoice } from "../editions.js";
import { faultWords } from "../faults.js";
import { t, when } from "../i18n.js";
import { botNames, othersAt } from "../opponents.js";
import { go } from "../router.js";
import { lastSetup, playerName } from "../settings.js";
import { rememberInvitation } from "../table/lobby.js";
import { GamePicture } from "../table/picture.js";
import { botCalled, levelName } from "../words.js";
import { Header, LanguageSelect, Offline, Select, Switch, ThemeSelect } from "../ui.js";

/**
 * @typedef {import("../types.js").Level} Level
 * @typedef {import("../types.js").TableSummary} TableSummary
 * @typedef {{who: string, name: string}} Place who: "me", "here", "link", "bot:" and a number
 * @typedef {{
 *   game: "board" | "stones", places: Place[], first: string, practice: boolean,
 *   public: boolean, spectators: boolean, rules: Record<string, string>, clock: string,
 * }} Setup
 */

const POLL = 5000;
const NAME_LENGTH = 24;
/** Of one's own tables so many are shown at once. */
const SHOWN = 2;
/** Against whom those play first who have not chosen anybody yet: the gentlest level. */
const NEWCOMERS = "bot:1";
/**
 * Seconds a decision and seconds a game, by name.
 * @type {Record<string, null | {move: number | null, game: number | null}>}
 */
const CLOCKS = {
  none: null,
  quick: { move: 30, game: null },
  calm: { move: 90, game: null },
  game: { move: null, game: 600 },
};

/** @returns {Setup} */
function firstSetup() {
  const old = /** @type {Partial<Setup>} */ (lastSetup.value);
  const places =
    Array.isArray(old.places) && old.places.length >= 2
      ? old.places
      : [
          { who: "me", name: "" },
          { who: NEWCOMERS, name: "" },
        ];
  return {
    game: old.game === "stones" ? "stones" : "board",
    places: places.map((place) => ({
      who: String(place?.who ?? NEWCOMERS),
      name: String(place?.name ?? ""),
    })),
    first: "chance",
    practice: old.practice ?? true,
    public: old.public ?? false,
    spectators: old.spectators ?? true,
    rules: knownRules(old.rules),
    clock: old.clock && old.clock in CLOCKS ? old.clock : "none",
  };
}

/**
 * What the server wants to know.
 * @param {Setup} setup
 * @param {string} name
 * @param {Level[]} levels
 */
function tableRequest(setup, name, levels) {
  const alone = setup.places.every((place) => place.who !== "link");
  const names = botNames([name, ...setup.places.map((place) => place.name.trim())]);
  const seats = setup.places.map((place, i) => {
    if (place.who === "me") return { who: "me", name: name || t("name.default") };
    if (place.who === "here")
      return { who: "me", name: place.name.trim() || t("name.friend", { n: i + 1 }) };
    if (place.who === "link") return { who: "open" };
    const level = levels.find((one) => `bot:${one.number}` === place.who) ?? levels[0];
    return { who: "bot", level: level.level, name: names[i] };
  });
  return {
    game: setup.game,
    options: setup.game === "board" ? setup.rules : {},
    seats,
    first: setup.first === "chance" ? "chance" : Number(setup.first),
    public: !alone && setup.public,
    spectators: alone || setup.spectators,
    practice: alone && setup.practice,
    clock: CLOCKS[setup.clock],
  };
}

export default function StartPage() {
  const [setup, setSetup] = useState(firstSetup);
  const [levels, setLevels] = useState(/** @type {Level[]} */ ([]));
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState("");
  useEffect(() => {
    document.title = "Keltis";
    void loadLevels();
  }, []);
  const loadLevels = () =>
    request("bots").then(
      (answer) => {
        setLevels(answer.levels);
        setFault("");
      },
      () => setFault("offline"),
    );
  const change = (/** @type {Partial<Setup>} */ part) => {
    const next = { ...setup, ...part };
    setSetup(next);
    lastSetup.value = next;
  };

  const start = async (/** @type {Event} */ event) => {
    event.preventDefault();
    setBusy(true);
    setFault("");
    try {
      const made = await request("tables", tableRequest(setup, playerName.value.trim(), levels));
      if (made.invitation_path) rememberInvitation(made.table, made.invitation_path);
      go(`table/${made.table}`);
    } catch (error) {
      setFault(error instanceof ServerError ? error.code : "internal");
      setBusy(false);
    }
  };

  if (fault === "offline" && !levels.length)
    return html`
      <${Header} />
      <${Offline} again=${loadLevels} />
    `;
  return html`
    <${Header} />
    <main class="page start" tabindex="-1">
      <div class="hero">
        <${Emblem} />
        <div>
          <h1>Keltis</h1>
          <p>${t("start.lead")}</p>
        </div>
      </div>
      <${Band} waves=${36} />
      <${Today} />
      <${Tables} source="tables/mine" title=${t("start.mine")} mine=${true} />
      <form class="setup" onSubmit=${start}>
        <fieldset class="games">
          <legend class="visually-hidden">${t("start.game")}</legend>
          ${
            /** @type {const} */ (["board", "stones"]).map(
              (game) => html`
                <label key=${game} class="game-choice ${setup.game === game ? "chosen" : ""}">
                  <input
                    type="radio"
                    name="game"
                    value=${game}
                    checked=${setup.game === game}
                    onChange=${() => change({ game })}
                  />
                  <${GamePicture} game=${game} />
                  <span class="game-name">${t(`game.${game}`)}</span>
                  <span class="game-text">${t(`game.${game}.text`)}</span>
                </label>
              `,
            )
          }
        </fieldset>
        <div class="setup-body">
          <${Places} setup=${setup} levels=${levels} change=${change} />
          <details class="options">
            <summary>${t("start.options")}</summary>
            <${Options} setup=${setup} levels=${levels} change=${change} />
          </details>
          ${
            fault &&
            html`
              <p class="note" role="alert">${faultWords(fault)}</p>
            `
          }
        </div>
        <button class="button main large" type="submit" disabled=${busy || !levels.length}>
          ${t("start.go")}
        </button>
      </form>
      <p class="start-also">
        <a class="button" href="duplicate">${t("deal.friends")}</a>
      </p>
      <${Tables} source="tables" title=${t("start.open")} />
      <footer class="page-foot">
        <${LanguageSelect} />
        <${ThemeSelect} />
        ${
          // The server says so where it shows them.
          document.querySelector('meta[name="docs"]') &&
          html`
            <a class="docs-link" href="docs/" hreflang="en">${t("start.docs")}</a>
          `
        }
      </footer>
    </main>
  `;
}

/** @param {{setup: Setup, levels: Level[], change: (part: Partial<Setup>) => void}} props */
function Places({ setup, levels, change }) {
  const count = setup.places.length;
  const resize = (/** @type {number} */ wanted) => {
    const places = setup.places.slice(0, wanted);
    while (places.length < wanted)
      places.push({
        who:
          setup.places.at(-1)?.who === "me" ? NEWCOMERS : (setup.places.at(-1)?.who ?? NEWCOMERS),
        name: "",
      });
    change({ places });
  };
  const put = (/** @type {number} */ i, /** @type {Partial<Place>} */ part) =>
    change({ places: setup.places.map((place, k) => (k === i ? { ...place, ...part } : place)) });
  const who = ["link", "here", ...levels.map((level) => `bot:${level.number}`)];
  const words = (/** @type {string} */ one) => {
    const level = levels.find((each) => `bot:${each.number}` === one);
    if (!level) return t(one === "link" ? "who.link" : "who.here");
    const values = { number: level.number ?? 0, name: levelName(level.level) || level.name };
    const strength = level.strengths?.[count]?.[setup.game];
    // A rating is a name more than a number: its digits are not grouped.
    return strength
      ? t("who.bot.rated", { ...values, strength: String(strength) })
      : t("who.bot", values);
  };
  return html`
    <fieldset class="places">
      <legend>${t("start.who")}</legend>
      <div class="counts" role="group" aria-label=${t("start.players")}>
        ${[2, 3, 4].map(
          (n) => html`
            <button
              key=${n}
              type="button"
              class="count"
              aria-pressed=${n === count}
              onClick=${() => resize(n)}
            >
              ${t("start.count", { n })}
            </button>
          `,
        )}
      </div>
      <ol>
        ${setup.places.map(
          (place, i) => html`
            <li key=${i} class="place-line">
              <${PlayerShape} seat=${i} />
              ${
                place.who === "me"
                  ? html`
                      <label class="field">
                        <span class="visually-hidden">${t("your.name")}</span>
                        <input
                          maxlength=${NAME_LENGTH}
                          autocomplete="nickname"
                          placeholder=${t("your.name")}
                          value=${playerName.value}
                          onInput=${(/** @type {any} */ event) => {
                            playerName.value = event.currentTarget.value;
                          }}
                        />
                      </label>
                    `
                  : html`
                      <${Select}
                        label=${t("start.seat", { n: i + 1 })}
                        class="bare"
                        value=${place.who}
                        options=${who}
                        name=${words}
                        onChange=${(/** @type {string} */ one) => put(i, { who: one })}
                      />
                      ${
                        place.who === "here" &&
                        html`
                          <label class="field">
                            <span class="visually-hidden">${t("friend.name")}</span>
                            <input
                              maxlength=${NAME_LENGTH}
                              placeholder=${t("friend.name")}
                              value=${place.name}
                              onInput=${(/** @type {any} */ event) =>
                                put(i, { name: event.currentTarget.value })}
                            />
                          </label>
                        `
                      }
                    `
              }
            </li>
          `,
        )}
      </ol>
      ${
        setup.places.some((place) => place.who.startsWith("bot:")) &&
        levels.some((level) => level.strengths) &&
        html`
          <p class="quiet strength">${t("who.strength", { players: count })}</p>
        `
      }
    </fieldset>
  `;
}

/** @param {{setup: Setup, levels: Level[], change: (part: Partial<Setup>) => void}} props */
function Options({ setup, change }) {
  const alone = setup.places.every((place) => place.who !== "link");
  const firsts = ["chance", ...setup.places.map((_, i) => String(i))];
  const firstName = (/** @type {string} */ one) =>
    one === "chance"
      ? t("first.chance")
      : one === "0"
        ? t("first.me")
        : t("start.seat", { n: Number(one) + 1 });
  return html`
    <div class="option-list">
      <${Select}
        label=${t("start.first")}
        value=${setup.first}
        options=${firsts}
        name=${firstName}
        onChange=${(/** @type {string} */ first) => change({ first })}
      />
      <${Select}
        label=${t("start.clock")}
        value=${setup.clock}
        options=${Object.keys(CLOCKS)}
        name=${(/** @type {string} */ one) => t(/** @type {any} */ (`clock.${one}`))}
        onChange=${(/** @type {string} */ clock) => change({ clock })}
      />
      ${
        alone
          ? html`
              <${Switch}
                label=${t("start.practice")}
                value=${setup.practice}
                onChange=${(/** @type {boolean} */ practice) => change({ practice })}
              />
            `
          : html`
              <${Switch}
                label=${t("start.public")}
                value=${setup.public}
                onChange=${(/** @type {boolean} */ on) => change({ public: on })}
              />
              <${Switch}
                label=${t("start.spectators")}
                value=${setup.spectators}
                onChange=${(/** @type {boolean} */ spectators) => change({ spectators })}
              />
            `
      }
      ${
        setup.game === "board" &&
        html`
          <${RulesChoice}
            rules=${setup.rules}
            change=${(/** @type {Record<string, string>} */ rules) => change({ rules })}
          />
        `
      }
    </div>
  `;
}

/**
 * Tables from the server's list, kept fresh.
 * @param {{source: string, title: string, mine?: boolean}} props
 */
function Tables({ source, title, mine = false }) {
  const [tables, setTables] = useState(/** @type {TableSummary[]} */ ([]));
  const [all, setAll] = useState(false);
  useEffect(() => {
    let wanted = true;
    const load = () => {
      if (document.hidden) return;
      void request(source).then(
        (answer) => wanted && setTables(answer.tables),
        () => {},
      );
    };
    load();
    const timer = setInterval(load, POLL);
    return () => {
      wanted = false;
      clearInterval(timer);
    };
  }, [source]);
  useEffect(() => {
    if (mine) document.title = tables.some((table) => table.your_turn) ? "● Keltis" : "Keltis";
  }, [tables]);
  if (!tables.length && mine) return null;
  /** @param {TableSummary} table */
  const open = (table) => (table.status === "waiting" ? "join" : "watch");
  // Where one is awaited comes first.
  const sorted = mine
    ? [...tables].sort((a, b) => Number(b.your_turn ?? false) - Number(a.your_turn ?? false))
    : tables;
  const shown = mine && !all ? sorted.slice(0, SHOWN) : sorted;
  return html`
    <section class="tables ${mine ? "mine" : ""}">
      <h2>${title}</h2>
      ${
        tables.length
          ? html`
              <ul>
                ${shown.map(
                  (table) => html`
                    <li key=${table.id} class=${table.your_turn ? "turn" : ""}>
                      <span class="tables-game">${t(`game.${table.game}`)}</span>
                      <span class="tables-names">
                        ${othersAt(table)
                          .map(({ name, level }) =>
                            name ? botCalled(name, level) : t("seat.free"),
                          )
                          .join(", ")}
                      </span>
                      ${
                        table.your_turn
                          ? html`
                              <span class="tag turn">${t("start.turn")}</span>
                            `
                          : html`
                              <span class="quiet">${when(table.created)}</span>
                            `
                      }
                      <a class="button ${table.your_turn ? "main" : ""}" href="table/${table.id}">
                        ${t(mine ? "start.continue" : open(table))}
                      </a>
                    </li>
                  `,
                )}
              </ul>
            `
          : html`
              <p class="quiet">${t("start.none")}</p>
            `
      }
      ${
        shown.length < sorted.length &&
        html`
          <button type="button" class="button rest" onClick=${() => setAll(true)}>
            ${t("start.rest", { n: sorted.length - shown.length })}
          </button>
        `
      }
    </section>
  `;
}
