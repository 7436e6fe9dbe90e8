/** A finished game again, position by position: from a table, a file, or a link that holds it. */
import { html, useEffect, useLayoutEffect, useMemo, useRef, useState } from "../../vendor/index.js";
import { request } from "../api.js";
import { Band, Emblem, PlayerShape } from "../art.js";
import { prepareFlight } from "../flights.js";
import { needMessages, t, when } from "../i18n.js";
import { absolute } from "../router.js";
import { ScoreSheet } from "../score.js";
import { shortcuts, stepTime } from "../settings.js";
import { play as ring } from "../sound.js";
import { filmOf, LARGEST, packRecord, unpackRecord } from "../study/film.js";
import { playOf, Stage } from "../study/stage.js";
import { Timeline } from "../study/timeline.js";
import { wrongWords } from "../study/wrong.js";
import { reasonWords, resultWords } from "../outcome.js";
import { KeyList } from "../table/side.js";
import { Dialog, Header, Icon, IconButton, Select, speak, Switch } from "../ui.js";
import { deedWords, ended, logWords } from "../words.js";

await needMessages("study.");

/**
 * @typedef {import("../study/film.js").Film} Film
 * @typedef {{film: Film, record: any, name: string}} Loaded
 */

/** "#42" or "#42:the record itself". */
function fromAddress() {
  const [at, packed = ""] = location.hash.slice(1).split(":");
  return { at: Number.parseInt(at, 10) || 0, packed };
}

/** @param {{rest: string[]}} props */
export default function ReplayPage({ rest }) {
  const table = rest[0] ?? "";
  const [loaded, setLoaded] = useState(/** @type {Loaded | null} */ (null));
  const [fault, setFault] = useState("");
  const [busy, setBusy] = useState(Boolean(table || fromAddress().packed));

  /** @param {() => Promise<any>} get @param {string} name */
  const load = async (get, name) => {
    setBusy(true);
    setFault("");
    let record;
    try {
      record = await get();
      if (record?.format === "keltis-view/1") setFault(t("replay.running"));
      else {
        const film = await filmOf(record);
        // A game from a file is kept in the address, so that a reload finds it again.
        if (!name && !fromAddress().packed)
          history.replaceState(null, "", absolute(`replay#0:${await packRecord(record)}`));
        setLoaded({ film, record, name });
      }
    } catch (error) {
      setFault(wrongWords(error, record));
    }
    setBusy(false);
  };
  useEffect(() => {
    document.title = `${t("replay")} · Keltis`;
    const { packed } = fromAddress();
    if (table) void load(() => request(`tables/${table}/record`), table);
    else if (packed) void load(() => unpackRecord(packed), "");
  }, [table]);

  const openFile = (/** @type {File | undefined} */ file) => {
    if (!file) return;
    history.replaceState(null, "", absolute("replay"));
    setLoaded(null);
    if (file.size > LARGEST) setFault(t("replay.large"));
    else void load(async () => JSON.parse(await file.text()), "");
  };
  const dropping = useDrop(openFile);

  if (loaded)
    return html`
      <${Player} key=${loaded.film.positions} ...${loaded} />
      <${DropHint} on=${dropping} />
    `;
  return html`
    <${Header} />
    <main class="page study" tabindex="-1">
      <div class="hero small">
        <${Emblem} />
        <div>
          <h1>${t("replay")}</h1>
          <p>${t("replay.lead")}</p>
        </div>
      </div>
      <${Band} waves=${36} />
      ${
        busy &&
        html`
          <p class="quiet" role="status">${t("replay.loading")}</p>
        `
      }
      ${
        fault &&
        html`
          <p class="note" role="alert">${fault}</p>
        `
      }
      ${
        !busy &&
        html`
          <label class="drop-box ${dropping ? "over" : ""}">
            <input
              type="file"
              accept=".json,application/json"
              onChange=${(/** @type {any} */ event) => openFile(event.currentTarget.files?.[0])}
            />
            <span class="drop-icon"><${Icon} name="up" /></span>
            <strong>${t("replay.open")}</strong>
            <span class="quiet">${t("replay.drop")}</span>
          </label>
          <p class="quiet">${t("replay.where")}</p>
          <p><a class="button" href="./">${t("home")}</a></p>
        `
      }
    </main>
  `;
}

/** A file may be dropped anywhere. @param {(file: File | undefined) => void} open */
function useDrop(open) {
  const [over, setOver] = useState(false);
  useEffect(() => {
    const isFile = (/** @type {DragEvent} */ event) => event.dataTransfer?.types.includes("Files");
    const drag = (/** @type {DragEvent} */ event) => {
      if (!isFile(event)) return;
      event.preventDefault();
      setOver(true);
    };
    const leave = (/** @type {DragEvent} */ event) => {
      if (!event.relatedTarget) setOver(false);
    };
    const drop = (/** @type {DragEvent} */ event) => {
      if (!isFile(event)) return;
      event.preventDefault();
      setOver(false);
      open(event.dataTransfer?.files[0]);
    };
    addEventListener("dragover", drag);
    addEventListener("dragleave", leave);
    addEventListener("drop", drop);
    return () => {
      removeEventListener("dragover", drag);
      removeEventListener("dragleave", leave);
      removeEventListener("drop", drop);
    };
  }, []);
  return over;
}

/** @param {{on: boolean}} props */
function DropHint({ on }) {
  return (
    on &&
    html`
      <div class="drop-cover" aria-hidden="true"><p>${t("replay.drop")}</p></div>
    `
  );
}

/** @param {Loaded} props */
function Player({ film, record, name }) {
  const [at, setAt] = useState(() => Math.min(fromAddress().at, film.last));
  const [running, setRunning] = useState(false);
  const [open, setOpen] = useState(true);
  const [front, setFront] = useState(0);
  const [speed, setSpeed] = useState(1);
  const [panel, setPanel] = useState(/** @type {"" | "score" | "log" | "link" | "keys"} */ (""));
  const land = useRef(() => {});
  // Keys come faster than pictures: what counts is where one is, not what is shown yet.
  const place = useRef(at);
  const { hands } = film.positions[at];
  const view = useMemo(() => film.shown(at, front, open), [film, at, front, open]);
  const step = view.history.at(-1);
  const isBoard = view.game === "board";

  const go = (/** @type {number} */ wanted) => {
    const next = Math.max(0, Math.min(film.last, wanted));
    if (next === place.current) return;
    land.current = next === at + 1 ? prepareFlight(film.steps[at], view) : () => {};
    place.current = next;
    setAt(next);
  };
  useLayoutEffect(() => {
    land.current();
    land.current = () => {};
  }, [at]);
  useEffect(() => {
    if (!running) return undefined;
    if (at === film.last) {
      setRunning(false);
      return undefined;
    }
    const timer = setTimeout(
      () => {
        go(place.current + 1);
        ring("card");
      },
      Math.max(200, stepTime()) / speed,
    );
    return () => clearTimeout(timer);
  }, [running, at, speed]);
  const run = () => {
    if (!running && at === film.last) go(0);
    setRunning(!running);
  };
  const turn = (/** @type {number} */ way) =>
    go(
      (way > 0
        ? film.turns.find((one) => one > place.current)
        : film.turns.findLast((one) => one < place.current)) ?? place.current,
    );
  useFilmKeys({
    back: () => go(place.current - 1),
    on: () => go(place.current + 1),
    turn,
    start: () => go(0),
    end: () => go(film.last),
    run,
    hands: () => setOpen(!open),
    speed: (way) =>
      setSpeed(
        (way > 0 ? SPEEDS.find((one) => one > speed) : SPEEDS.findLast((one) => one < speed)) ??
          speed,
      ),
    help: () => setPanel("keys"),
  });
  const whole = useMemo(() => film.shown(film.last, front, open), [film, front, open]);
  const goTo = (/** @type {number} */ to) => {
    setRunning(false);
    go(to);
  };

  // The address names the position, once one stays there.
  useEffect(() => {
    const timer = setTimeout(() => {
      const { packed } = fromAddress();
      history.replaceState(null, "", `${location.pathname}#${at}${packed ? `:${packed}` : ""}`);
    }, 300);
    return () => clearTimeout(timer);
  }, [at]);

  const over = at === film.last && view.result;
  const resigned = Array.isArray(record.resigned) ? record.resigned : [];
  const words = over
    ? `${ended(resultWords({ ...view, you: null }, resigned))} ${reasonWords(view, resigned)}`
    : step
      ? deedWords(step, view)
      : t(isBoard ? "replay.begin" : "replay.begin.stones");
  const title = `${t("replay")}: ${view.players.join(", ")}`;
  const close = () => setPanel("");
  const date =
    typeof record.date === "string" && !Number.isNaN(Date.parse(record.date))
      ? when(record.date)
      : "";
  const options = html`
    <div class="film-options">
      ${
        date &&
        html`
          <p class="quiet">${date}</p>
        `
      }
      ${
        isBoard &&
        html`
          <${Switch} label=${t("replay.hands")} value=${open} onChange=${setOpen} />
        `
      }
      <${Select}
        label=${t("replay.front")}
        value=${String(front)}
        options=${view.players.map((_, seat) => String(seat))}
        name=${(/** @type {string} */ seat) => view.players[Number(seat)]}
        onChange=${(/** @type {string} */ seat) => setFront(Number(seat))}
      />
      <${Select}
        label=${t("replay.speed")}
        value=${String(speed)}
        options=${SPEEDS.map(String)}
        name=${(/** @type {string} */ one) => `${one === "0.5" ? "½" : one}×`}
        onChange=${(/** @type {string} */ one) => setSpeed(Number(one))}
      />
    </div>
  `;
  const tools = html`
    <${Timeline}
      film=${film}
      at=${at}
      running=${running}
      words=${words}
      onGo=${goTo}
      onRun=${run}
    />
  `;
  const side = html`
    <aside class="side" aria-label=${t("side")}>
      ${options}
      <h2>${t("replay.moves")}</h2>
      <${Moves} view=${whole} at=${at} onGo=${goTo} />
    </aside>
  `;

  return html`
    <${Header}>
      <${IconButton}
        name="score"
        label=${t("score.title")}
        class="film-tool"
        onClick=${() => setPanel("score")}
      />
      <${IconButton}
        name="log"
        label=${t("replay.moves")}
        onClick=${() => setPanel("log")}
        class="narrow-only"
      />
      <${IconButton} name="link" label=${t("replay.link")} onClick=${() => setPanel("link")} />
    <//>
    <${Stage}
      view=${view}
      front=${front}
      name=${name}
      play=${playOf(view, { watching: true })}
      title=${title}
      class="replaying"
      hands=${isBoard ? (open ? hands : null) : undefined}
      covered=${!open}
      tools=${tools}
      side=${side}
    />
    <${Dialog}
      open=${panel === "score"}
      title=${t(over ? "score.title" : "score.now")}
      onClose=${close}
    >
      <div class="sheet-scroll" tabindex="0"><${ScoreSheet} view=${view} /></div>
    <//>
    <${Dialog} open=${panel === "log"} title=${t("replay.moves")} onClose=${close}>
      ${options}
      <${Moves} view=${whole} at=${at} onGo=${goTo} />
    <//>
    <${Dialog} open=${panel === "keys"} title=${t("keys")} onClose=${close}>
      <${KeyList} keys=${KEYS} />
    <//>
    <${Dialog} open=${panel === "link"} title=${t("replay.link")} onClose=${close}>
      <${LinkBox} at=${at} record=${record} name=${name} />
    <//>
  `;
}

/** How fast a game runs by itself. */
const SPEEDS = [0.5, 1, 2, 4];

/** @type {[string, import("../i18n.js").Key][]} */
const KEYS = [
  ["←", "replay.previous"],
  ["→", "replay.next"],
  ["Page ↑↓", "replay.keys.turn"],
  ["Home", "replay.first"],
  ["End", "replay.last"],
  ["P", "replay.play"],
  ["− +", "replay.keys.speed"],
  ["H", "replay.hands"],
  ["?", "keys"],
];

/**
 * All moves of the game, each a way to its position.
 * @param {{view: import("../types.js").View, at: number, onGo: (at: number) => void}} props
 */
function Moves({ view, at, onGo }) {
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const entries = useMemo(() => logWords(view), [view]);
  useLayoutEffect(() => {
    const element = /** @type {HTMLElement} */ (box.current);
    const now = element.querySelector("[aria-current]")?.parentElement;
    element.scrollTop = now ? now.offsetTop - (element.clientHeight - now.offsetHeight) / 2 : 0;
  }, [at]);
  return html`
    <ol class="log moves" ref=${box} aria-label=${t("replay.moves")}>
      ${entries.map(
        ({ seat, text }, i) => html`
          <li key=${i} class=${entries[i - 1]?.seat === seat ? "same" : ""}>
            <button
              type="button"
              aria-current=${i + 1 === at ? "step" : undefined}
              onClick=${() => onGo(i + 1)}
            >
              <${PlayerShape} seat=${seat} />
              ${text}
            </button>
          </li>
        `,
      )}
    </ol>
  `;
}

/** @param {{at: number, record: any, name: string}} props */
function LinkBox({ at, record, name }) {
  const [link, setLink] = useState(name ? absolute(`replay/${name}#${at}`) : "");
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!name)
      void packRecord(record).then((packed) => setLink(absolute(`replay#${at}:${packed}`)));
  }, []);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(link);
      setCopied(true);
      speak(t("invite.copied"));
    } catch {
      document.querySelector(/** @type {"input"} */ (".link-box input"))?.select();
    }
  };
  return html`
    <div class="link-box">
      <p>${t(name ? "replay.link.text" : "replay.link.whole")}</p>
      <div class="invite-link">
        <input
          readonly
          value=${link}
          aria-label=${t("replay.link")}
          onFocus=${(/** @type {any} */ event) => event.currentTarget.select()}
        />
        <button type="button" class="button main" onClick=${copy}>
          ${t(copied ? "invite.copied" : "invite.copy")}
        </button>
      </div>
    </div>
  `;
}

/**
 * @param {{
 *   back: () => void, on: () => void, turn: (way: number) => void, start: () => void,
 *   end: () => void, run: () => void, hands: () => void, speed: (way: number) => void,
 *   help: () => void,
 * }} does
 */
function useFilmKeys(does) {
  useLayoutEffect(() => {
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowLeft: does.back,
      ArrowRight: does.on,
      PageUp: () => does.turn(-1),
      PageDown: () => does.turn(1),
      Home: does.start,
      End: does.end,
      "+": () => does.speed(1),
      "-": () => does.speed(-1),
      "?": does.help,
    };
    /** @type {Record<string, () => void>} */
    const letters = { p: does.run, h: does.hands };
    const press = (/** @type {KeyboardEvent} */ event) => {
      if (event.metaKey || event.ctrlKey || event.altKey) return;
      if (
        event.target instanceof HTMLElement &&
        event.target.closest("input:not([type=checkbox]), select, textarea, dialog")
      )
        return;
      const act =
        keys[event.key] ?? (shortcuts.value ? letters[event.key.toLowerCase()] : undefined);
      if (!act) return;
      act();
      event.preventDefault();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  });
}
