/** A game looked back at: where it was won, by decisions or by luck. */
import { html, useEffect, useMemo, useRef, useState } from "../../vendor/index.js";
import { request } from "../api.js";
import { dayOf } from "../day/days.js";
import { needMessages, t } from "../i18n.js";
import { ChanceLine, GraphTable } from "../review/graph.js";
import { useReview } from "../review/load.js";
import { Mistakes } from "../review/mistakes.js";
import { DecisionBox, Lessons, Searched, Seats, Sum } from "../review/parts.js";
import { PlayOn } from "../review/play-on.js";
import { ShareReview } from "../review/share.js";
import { markWords, mistakesOf, wonWords } from "../review/words.js";
import { usePageKeys } from "../study/keys.js";
import { fromAddress, RecordPage, usePlace } from "../study/open.js";
import { playOf, Stage } from "../study/stage.js";
import { wrongWords } from "../study/wrong.js";
import { KeyList } from "../table/side.js";
import { Dialog, Header, IconButton } from "../ui.js";
import { deedWords, ended } from "../words.js";
import { reasonWords, resultWords } from "../outcome.js";

await Promise.all([needMessages("study."), needMessages("review."), needMessages("games.")]);

/** @param {{rest: string[]}} props */
export default function ReviewPage({ rest }) {
  return html`
    <${RecordPage}
      page="review"
      table=${rest[0] ?? ""}
      title=${t("review")}
      lead=${t("review.lead")}
      show=${Looked}
    />
  `;
}

/** Whether what stands beside the table has a place there. */
function useWide() {
  const [query] = useState(() => matchMedia("(min-width: 1000px)"));
  const [wide, setWide] = useState(query.matches);
  useEffect(() => {
    const look = () => setWide(query.matches);
    query.addEventListener("change", look);
    return () => query.removeEventListener("change", look);
  }, [query]);
  return wide;
}

/** One's own seat, and who played. @param {string} table */
function useSeats(table) {
  const [known, setKnown] = useState(
    /** @type {{own: number, level: string | null} | null} */ (null),
  );
  useEffect(() => {
    if (!table) return;
    void request(`tables/${table}`).then(
      (state) =>
        setKnown({
          own: state.you.seats[0] ?? 0,
          level:
            state.table.seats.find((/** @type {{level: string | null}} */ one) => one.level)
              ?.level ?? null,
        }),
      () => {},
    );
  }, [table]);
  return known;
}

/** @param {import("../study/open.js").Loaded} props */
function Looked({ film, record, name }) {
  // The best game of a day's deal has no table that others may see.
  const table = dayOf(name) ? "" : name;
  const { answer, fault } = useReview(table, record);
  const known = useSeats(table);
  const [chosen, setChosen] = useState(/** @type {number | null} */ (null));
  const [at, setAt] = useState(() => Math.min(fromAddress().at, film.last));
  const [panel, setPanel] = useState(/** @type {"" | "share" | "play" | "table" | "keys"} */ (""));
  const [trying, setTrying] = useState(/** @type {number[]} */ ([]));
  const [lit, setLit] = useState(false);
  const place = useRef(at);
  const wide = useWide();
  const front = chosen ?? known?.own ?? 0;
  const { hands } = film.positions[at];
  const view = useMemo(() => film.shown(at, front, true), [film, at, front]);
  const review = answer?.review ?? null;

  const go = (/** @type {number} */ wanted) => {
    const next = Math.max(0, Math.min(film.last, wanted));
    place.current = next;
    setAt(next);
  };
  const marks = review ? mistakesOf(review, front) : [];
  const mark = (/** @type {number} */ way) =>
    go(
      (way > 0
        ? marks.find((step) => step > place.current)
        : marks.findLast((step) => step < place.current)) ?? place.current,
    );
  const look = (/** @type {number} */ step) => {
    setPanel("");
    go(step);
    document.querySelector(".review-film")?.scrollIntoView({ block: "nearest" });
  };
  usePageKeys({
    ArrowLeft: () => go(place.current - 1),
    ArrowRight: () => go(place.current + 1),
    PageUp: () => mark(-1),
    PageDown: () => mark(1),
    Home: () => go(0),
    End: () => go(film.last),
    "?": () => setPanel("keys"),
  });
  usePlace(at, go);

  const isOver = film.positions[film.last].view.result;
  const { packed } = fromAddress();
  const replay = name ? `replay/${name}#${at}` : `replay#${at}:${packed}`;
  if (!review || !answer)
    return html`
      <${Header} />
      <main class="page study" tabindex="-1">
        <h1>${t("review")}</h1>
        ${
          fault
            ? html`
                <p class="note" role="alert">
                  ${isOver ? wrongWords(fault, record) : t("review.running")}
                </p>
                <p><a class="button" href=${replay}>${t("replay")}</a></p>
              `
            : html`
                <p class="quiet" role="status">${t("review.loading")}</p>
              `
        }
      </main>
    `;
  if (trying.length)
    return html`
      <${Mistakes}
        review=${review}
        film=${film}
        table=${table}
        record=${record}
        steps=${trying}
        back=${() => setTrying([])}
      />
    `;

  const decision = review.decisions[at];
  const step = view.history.at(-1);
  const over = at === film.last && view.result;
  const resigned = Array.isArray(record.resigned) ? record.resigned : [];
  const happened = over
    ? `${ended(resultWords({ ...view, you: null }, resigned))} ${reasonWords(view, resigned)}`
    : step
      ? deedWords(step, view)
      : t(view.game === "board" ? "replay.begin" : "replay.begin.stones");
  const last = review.decisions[at - 1];
  const judged = last && last.verdict !== "forced" && last.verdict !== "equal";
  const words = judged ? `${happened} ${markWords(last)}` : happened;
  const best = decision && lit && decision.verdict !== "forced" ? decision.best : null;
  const wordsAt = (/** @type {number} */ one) =>
    deedWords(film.steps[one], film.shown(one + 1, front, true));

  const line = html`
    <${ChanceLine}
      review=${review}
      last=${film.last}
      at=${at}
      seat=${front}
      words=${words}
      onGo=${go}
      onMark=${mark}
    />
  `;
  const won = wonWords(review);
  const report = html`
    ${
      won &&
      html`
        <p class="review-headline">${won}</p>
      `
    }
    <${Searched} searched=${answer.searched} searching=${answer.searching} />
    <div class="review-actions">
      <button
        type="button"
        class="button main"
        disabled=${!marks.length}
        onClick=${() => setTrying(marks)}
      >
        ${t("review.learn.start", { n: marks.length })}
      </button>
      <button type="button" class="button" disabled=${!decision} onClick=${() => setPanel("play")}>
        ${t("review.play")}
      </button>
      <a class="button" href=${replay}>${t("replay")}</a>
      <button type="button" class="button" onClick=${() => setPanel("table")}>
        ${t("review.table")}
      </button>
    </div>
    <${Seats} review=${review} front=${front} onFront=${setChosen} />
    <${Lessons}
      review=${review}
      film=${film}
      seat=${front}
      onGo=${look}
      onTry=${(/** @type {number} */ one) => setTrying([one])}
    />
    <${DecisionBox} review=${review} film=${film} at=${at} lit=${lit} onLight=${setLit} />
    <${Sum} review=${review} seat=${front} />
  `;
  const close = () => setPanel("");
  return html`
    <${Header}>
      <${IconButton}
        name="link"
        label=${t("review.share")}
        class="film-tool"
        onClick=${() => setPanel("share")}
      />
    <//>
    <${Stage}
      view=${view}
      front=${front}
      name=${name}
      play=${playOf(view, { watching: true, advised: best })}
      title="${t("review")}: ${view.players.join(", ")}"
      class="replaying reviewing"
      hands=${view.game === "board" ? hands : undefined}
      tools=${line}
      side=${
        wide &&
        html`
          <aside class="side review-side" aria-label=${t("review")}>${report}</aside>
        `
      }
    />
    ${
      !wide &&
      html`
        <section class="review-below" aria-label=${t("review")}>${report}</section>
      `
    }
    <${Dialog} open=${panel === "share"} title=${t("review.share")} onClose=${close}>
      <${ShareReview} review=${review} record=${record} table=${name} at=${at} last=${film.last} />
    <//>
    <${Dialog} open=${panel === "play"} title=${t("review.play")} onClose=${close}>
      <${PlayOn}
        table=${table}
        record=${record}
        step=${at}
        seat=${decision?.seat ?? front}
        level=${known?.level ?? null}
      />
    <//>
    <${Dialog}
      open=${panel === "table"}
      title=${t("review.table")}
      onClose=${close}
      class="review-table"
    >
      <${GraphTable} review=${review} words=${wordsAt} onGo=${look} />
    <//>
    <${Dialog} open=${panel === "keys"} title=${t("keys")} onClose=${close}>
      <${KeyList} keys=${KEYS} />
    <//>
  `;
}

/** @type {[string, import("../i18n.js").Key][]} */
const KEYS = [
  ["←", "replay.previous"],
  ["→", "replay.next"],
  ["Page ↑", "review.mark.previous"],
  ["Page ↓", "review.mark.next"],
  ["Home", "replay.first"],
  ["End", "replay.last"],
  ["?", "keys"],
];
