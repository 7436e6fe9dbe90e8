/** A finished game again, position by position: from a table, a file, or a link that holds it. */
import { html, useEffect, useLayoutEffect, useMemo, useRef, useState } from "../../vendor/index.js";
import { request } from "../api.js";
import { PlayerShape } from "../art.js";
import { ChallengeButton } from "../duplicate/challenge.js";
import { prepareFlight } from "../flights.js";
import { needMessages, t, when } from "../i18n.js";
import { absolute } from "../router.js";
import { ScoreSheet } from "../score.js";
import { stepTime } from "../settings.js";
import { play as ring } from "../sound.js";
import { packRecord } from "../study/film.js";
import { usePageKeys } from "../study/keys.js";
import { isForAll, LinkBox } from "../study/link.js";
import { fromAddress, RecordPage, usePlace } from "../study/open.js";
import { PositionText } from "../study/position.js";
import { playOf, Stage } from "../study/stage.js";
import { Timeline } from "../study/timeline.js";
import { reasonWords, resultWords } from "../outcome.js";
import { KeyList } from "../table/side.js";
import { Dialog, Header, Icon, IconButton, Select, Switch } from "../ui.js";
import { deedWords, ended, logWords } from "../words.js";

await needMessages("study.");

/** @param {{rest: string[]}} props */
export default function ReplayPage({ rest }) {
  // A table; or a duplicate, its board, and whose attempt.
  const source = rest.length === 3 ? `duplicates/${rest[0]}/records/${rest[1]}/${rest[2]}` : "";
  return html`
    <${RecordPage}
      page="replay"
      table=${rest.join("/")}
      source=${source}
      title=${t("replay")}
      lead=${t("replay.lead")}
      show=${Player}
      positions
    />
  `;
}

/** @param {import("../study/open.js").Loaded} props */
function Player({ film, record, name }) {
  const [at, setAt] = useState(() => Math.min(fromAddress().at, film.last));
  const [running, setRunning] = useState(false);
  const [open, setOpen] = useState(true);
  const [front, setFront] = useState(() => firstFront(film));
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
  const speedUp = (/** @type {number} */ way) =>
    setSpeed(
      (way > 0 ? SPEEDS.find((one) => one > speed) : SPEEDS.findLast((one) => one < speed)) ??
        speed,
    );
  usePageKeys(
    {
      ArrowLeft: () => go(place.current - 1),
      ArrowRight: () => go(place.current + 1),
      PageUp: () => turn(-1),
      PageDown: () => turn(1),
      Home: () => go(0),
      End: () => go(film.last),
      "+": () => speedUp(1),
      "-": () => speedUp(-1),
      "?": () => setPanel("keys"),
    },
    { p: run, h: () => setOpen(!open) },
  );
  const whole = useMemo(() => film.shown(film.last, front, open), [film, front, open]);
  const goTo = (/** @type {number} */ to) => {
    setRunning(false);
    go(to);
  };

  usePlace(at, goTo);

  const over = at === film.last && view.result;
  const resigned = Array.isArray(record.resigned) ? record.resigned : [];
  const words = over
    ? `${ended(resultWords({ ...view, you: null }, resigned))} ${reasonWords(view, resigned)}`
    : step
      ? deedWords(step, view)
      : t(
          view.setup.position ? "position.begin" : isBoard ? "replay.begin" : "replay.begin.stones",
        );
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
      ${
        film.last > 0 &&
        html`
          <h2>${t("replay.moves")}</h2>
          <${Moves} view=${whole} at=${at} onGo=${goTo} />
        `
      }
    </aside>
  `;

  const { packed } = fromAddress();
  const review = name ? `review/${name}#${at}` : `review#${at}:${packed}`;
  return html`
    <${Header}>
      ${
        film.positions[film.last].view.result &&
        html`
          <a class="icon-button film-review" href=${review} title=${t("review")}>
            <${Icon} name="graph" />
            <span class="visually-hidden">${t("review")}</span>
          </a>
        `
      }
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
      covered=${!open || Boolean(hands && !hands[front])}
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
      <${PositionLink} at=${at} record=${record} name=${name} />
      <${PositionText} record=${record} at=${at} hands=${open || !isBoard} hideable=${isBoard} />
    <//>
  `;
}

/**
 * Who sits at the front at first: if hands are hidden, whose is not.
 * @param {import("../study/film.js").Film} film
 */
function firstFront(film) {
  const { view, hands } = film.positions[0];
  if (!view.setup.position || !hands) return 0;
  const seat = view.seat ?? 0;
  return hands[seat] ? seat : Math.max(0, hands.findIndex(Boolean));
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
function PositionLink({ at, record, name }) {
  const [link, setLink] = useState(name ? absolute(`replay/${name}#${at}`) : "");
  const [may, setMay] = useState(false); // give the deal to others
  useEffect(() => {
    if (name && isForAll(name, record))
      void request(`tables/${name}`).then(
        (state) => setMay(state.you.may.duplicate),
        () => {},
      );
    if (!name)
      void packRecord(record).then((packed) => setLink(absolute(`replay#${at}:${packed}`)));
  }, []);
  const words = name
    ? t(isForAll(name, record) ? "replay.link.text" : "replay.link.some")
    : t("replay.link.whole");
  return html`
    ${
      may &&
      html`
        <p><${ChallengeButton} table=${name} /></p>
      `
    }
    <${LinkBox} link=${link} label=${t("replay.link")} words=${words} />
  `;
}
