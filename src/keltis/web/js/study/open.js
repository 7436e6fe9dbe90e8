/** Opening a game that is over: from a table, a file, or a link that holds it. */
import { html, useEffect, useRef, useState } from "../../vendor/index.js";
import { request } from "../api.js";
import { Band, Emblem } from "../art.js";
import { dayOf, recordPath } from "../day/days.js";
import { t } from "../i18n.js";
import { absolute } from "../router.js";
import { Header, Icon } from "../ui.js";
import { botCalled } from "../words.js";
import { filmOf, LARGEST, packRecord, unpackRecord } from "./film.js";
import { isPosition, OpenPosition, wrongPosition } from "./position.js";
import { wrongWords } from "./wrong.js";

/**
 * @typedef {import("./film.js").Film} Film
 * @typedef {{film: Film, record: any, name: string}} Loaded
 */

const JSON_FILES = ".json,application/json";

/** Whether something is only where a game stands, and no game. @param {any} record */
const isText = (record) => typeof record?.position === "string" && !record.format;

/** A position as text has no names, and the server's are English. @param {Film} film */
function nameSeats(film) {
  for (const { view } of film.positions)
    view.players = view.players.map((_, seat) => t("position.player", { n: seat + 1 }));
}

/** Bots of a deal that many play are called by their levels. @param {Film} film */
function nameBots(film) {
  for (const { view } of film.positions)
    view.players = view.players.map((name) => botCalled(name, name.split(" ")[0].toLowerCase()));
}

/** "#42" or "#42:the record itself". @param {string} [hash] */
export function fromAddress(hash = location.hash) {
  const [at, packed = ""] = hash.slice(1).split(":");
  return { at: Number.parseInt(at, 10) || 0, packed };
}

/**
 * A page that shows a game: of a table, from a file, or from a link that holds it.
 * @param {object} props
 * @param {string} props.page its name in the address
 * @param {string} props.table what follows the page in the address
 * @param {string} [props.source] where its record is, if not at the table
 * @param {string} props.title
 * @param {string} props.lead
 * @param {unknown} props.show the component that gets the game
 * @param {boolean} [props.positions] whether it shows positions as text, too
 */
export function RecordPage({ page, table, source, title, lead, show, positions = false }) {
  const [loaded, setLoaded] = useState(/** @type {Loaded | null} */ (null));
  const [fault, setFault] = useState("");
  const [busy, setBusy] = useState(Boolean(table || fromAddress().packed));

  const held = useRef(""); // what the address held when the game was loaded
  /** @param {() => Promise<any>} get @param {string} name */
  const load = async (get, name) => {
    setBusy(true);
    setFault("");
    let record;
    try {
      record = await get();
      if (record?.format === "keltis-view/1") setFault(t("replay.running"));
      else {
        if (isText(record) && !positions) throw new SyntaxError("no game, but a position");
        const film = await filmOf(record);
        if (isText(record)) nameSeats(film);
        if (record.fair?.deal || dayOf(name)) nameBots(film);
        // A game from a file is kept in the address, so that a reload finds it again.
        if (!name && !fromAddress().packed) {
          held.current = await packRecord(record);
          history.replaceState(null, "", absolute(`${page}#0:${held.current}`));
        }
        setLoaded({ film, record, name });
      }
    } catch (error) {
      setFault(isText(record) && positions ? wrongPosition(error) : wrongWords(error, record));
    }
    setBusy(false);
  };
  const loadPacked = (/** @type {string} */ packed) => {
    held.current = packed;
    void load(() => unpackRecord(packed), "");
  };
  useEffect(() => {
    document.title = `${title} · Keltis`;
    const { packed } = fromAddress();
    if (table) void load(() => request(source || recordPath(table)), table);
    else if (packed) loadPacked(packed);
    // A link to another game, opened where one is shown already.
    const follow = () => {
      const now = fromAddress().packed;
      if (!table && now && now !== held.current) loadPacked(now);
    };
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, [table]);

  const openFile = (/** @type {File | undefined} */ file) => {
    if (!file) return;
    history.replaceState(null, "", absolute(page));
    setLoaded(null);
    if (file.size > LARGEST) setFault(t("replay.large"));
    else
      void load(async () => {
        const text = await file.text();
        return isPosition(text) ? { position: text } : JSON.parse(text);
      }, "");
  };
  const [typed, setTyped] = useState("");
  const openPosition = (/** @type {string} */ position) => {
    history.replaceState(null, "", absolute(page));
    void load(async () => ({ position }), "");
  };
  const dropping = useDrop(openFile);

  if (loaded)
    return html`
      <${show} key=${loaded.film.positions} ...${loaded} />
      <${DropHint} on=${dropping} />
    `;
  return html`
    <${Header} />
    <main class="page study" tabindex="-1">
      <div class="hero small">
        <${Emblem} />
        <div>
          <h1>${title}</h1>
          <p>${lead}</p>
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
              accept=${positions ? `${JSON_FILES},.txt,text/plain` : JSON_FILES}
              onChange=${(/** @type {any} */ event) => openFile(event.currentTarget.files?.[0])}
            />
            <span class="drop-icon"><${Icon} name="up" /></span>
            <strong>${t("replay.open")}</strong>
            <span class="quiet">${t("replay.drop")}</span>
          </label>
          <p class="quiet">${t("replay.where")}</p>
          ${
            positions &&
            html`
              <${OpenPosition} text=${typed} onType=${setTyped} onOpen=${openPosition} />
            `
          }
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

/**
 * Keeps the position in the address, once one stays there; and goes where an address says that is
 * opened meanwhile.
 * @param {number} at @param {(at: number) => void} go
 */
export function usePlace(at, go) {
  const follow = useRef(go);
  follow.current = go;
  const [held] = useState(() => fromAddress().packed);
  useEffect(() => {
    const moved = (/** @type {HashChangeEvent} */ event) => {
      const now = fromAddress(new URL(event.newURL).hash);
      if (now.packed === held) follow.current(now.at);
    };
    addEventListener("hashchange", moved);
    return () => removeEventListener("hashchange", moved);
  }, []);
  useEffect(() => {
    const timer = setTimeout(() => {
      if (fromAddress().packed !== held) return; // the address of another game, about to be shown
      history.replaceState(null, "", `${location.pathname}#${at}${held ? `:${held}` : ""}`);
    }, 300);
    return () => clearTimeout(timer);
  }, [at]);
}
