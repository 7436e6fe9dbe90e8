/** Before the game: who is here, the link for friends, a seat for who comes with one. */
import { html, useEffect, useState } from "../../vendor/index.js";
import { request, ServerError } from "../api.js";
import { PlayerShape } from "../art.js";
import { rulesFacts } from "../editions.js";
import { faultWords } from "../faults.js";
import { list, t } from "../i18n.js";
import { botNames } from "../opponents.js";
import { seriesWords } from "../outcome.js";
import { absolute, go } from "../router.js";
import { playerName } from "../settings.js";
import { Dialog, Icon, Question } from "../ui.js";
import { levelName } from "../words.js";
import { deviceSecret, DevicesButton } from "./devices.js";
import { LinkToShare } from "./link.js";
import { GamePicture } from "./picture.js";

/**
 * @typedef {import("../live.js").Live} Live
 * @typedef {import("../types.js").Table} Table
 */

/** Invitations that this tab made: the server can't tell them again. @type {Map<string, string>} */
const invitations = new Map();

/** @param {string} id */
function invitationKey(id) {
  return `keltis-invitation-${id}`;
}

/** @param {string} id @param {string} link below the mount */
export function rememberInvitation(id, link) {
  invitations.set(id, link);
  try {
    sessionStorage.setItem(invitationKey(id), link);
  } catch {
    // After a reload a new one is made.
  }
}

/** @param {{live: Live}} props */
export function Lobby({ live }) {
  const table = live.table.value;
  const you = live.you.value;
  if (!table || !you) return null;
  const open = table.seats.some((seat) => seat.kind === "open");
  const secret = deviceSecret() ? "" : location.hash.slice(1);
  const seated = you.seats.length > 0;
  const host = table.seats.find((seat) => seat.kind === "person")?.name ?? "";
  const guest = open && !seated && (secret || table.public);
  const game = t(`game.${table.game}`);
  const series = seriesWords(table);
  return html`
    <main class="page lobby" tabindex="-1">
      <h1>${guest && host ? t("invited.by", { name: host, game }) : game}</h1>
      ${
        guest &&
        html`
          <${Card} table=${table} />
        `
      }
      ${
        series &&
        html`
          <p class="end-series">${series}</p>
        `
      }
      <ol class="lobby-seats">
        ${table.seats.map(
          (seat) => html`
            <${SeatLine} key=${seat.seat} live=${live} seat=${seat} />
          `,
        )}
      </ol>
      ${
        open &&
        (seated
          ? html`
              <${Invite} live=${live} />
            `
          : guest
            ? html`
                <${Join} live=${live} secret=${secret || null} />
              `
            : html`
                <p>${t(table.spectators ? "lobby.needs.link" : "lobby.needs.link.private")}</p>
              `)
      }
      ${
        open &&
        seated &&
        secret &&
        html`
          <${Join} live=${live} secret=${secret} again=${true} />
        `
      }
      ${
        !open &&
        html`
          <p class="quiet" role="status">${startWords(table)}</p>
        `
      }
      ${
        seated &&
        html`
          <${DevicesButton} live=${live} />
        `
      }
      <${Leave} live=${live} />
      <details class="proof">
        <summary>${t("fair.deal")}</summary>
        <p>${t(table.fair.seal ? "fair.sealed" : "fair.before")}</p>
        <p><code>${table.fair.seal ?? table.fair.commitment}</code></p>
      </details>
    </main>
  `;
}

/** Whom a full table still waits for. @param {Table} table */
function startWords(table) {
  const away = table.seats.filter((seat) => seat.kind === "person" && !seat.present);
  return away.length
    ? t("lobby.absent", { names: list(away.map((seat) => seat.name ?? "")) })
    : t("lobby.starting");
}

/** With which clock a game is played. @param {Table} table */
function clockName({ clock }) {
  if (!clock) return t("clock.none");
  const parts = [];
  if (clock.move) parts.push(t("clock.moves", { n: clock.move }));
  if (clock.game) parts.push(t("clock.games", { n: Math.round(clock.game / 60) }));
  return parts.join(", ");
}

/** What one is invited to. @param {{table: Table}} props */
function Card({ table }) {
  return html`
    <section class="invitation">
      <${GamePicture} game=${table.game} />
      <div>
        <p>${t(`invited.${table.game}`)}</p>
        <ul class="invitation-facts">
          <li>${t("start.count", { n: table.seats.length })}</li>
          <li>${clockName(table)}</li>
          ${
            table.game === "board" &&
            rulesFacts(table.options).map(
              (fact) => html`
                <li key=${fact}>${fact}</li>
              `,
            )
          }
        </ul>
        <a class="button" href="learn/${table.game}" target="_blank">
          <${Icon} name="play" />
          ${t("invited.learn")}
        </a>
      </div>
    </section>
  `;
}

/** @param {{live: Live, seat: import("../types.js").Seat}} props */
function SeatLine({ live, seat }) {
  const you = /** @type {import("../types.js").You} */ (live.you.value);
  const table = /** @type {Table} */ (live.table.value);
  const fill = () => {
    const [name] = botNames(table.seats.map((one) => one.name ?? ""));
    live.command({ type: "replace", seat: seat.seat, name });
  };
  return html`
    <li class="lobby-seat ${seat.kind}">
      <${PlayerShape} seat=${seat.seat} />
      <span class="player-name">${seat.name ?? t("seat.free")}</span>
      ${
        you.seats.includes(seat.seat) &&
        html`
          <span class="tag">${t("seat.you")}</span>
        `
      }
      ${
        seat.kind === "bot" &&
        html`
          <span class="tag">${levelName(seat.level ?? "") || t("seat.bot")}</span>
        `
      }
      ${
        seat.kind === "person" &&
        !seat.present &&
        html`
          <span class="tag">${t("player.away")}</span>
        `
      }
      ${
        you.may.replace.includes(seat.seat) &&
        html`
          <button type="button" class="button" onClick=${fill}>${t("lobby.bot")}</button>
        `
      }
    </li>
  `;
}

/**
 * The way out: for the host it closes the table, for others it frees the seat.
 * @param {{live: Live}} props
 */
function Leave({ live }) {
  const [asking, setAsking] = useState(false);
  const you = live.you.value;
  if (!you?.may.leave && !you?.may.end) return null;
  const others = (live.table.value?.seats ?? []).some(
    (seat) => seat.kind === "person" && !you.seats.includes(seat.seat),
  );
  const leave = () => {
    live.command({ type: you.may.end ? "end" : "leave" });
    if (!you.may.end) go("");
  };
  return html`
    <p class="lobby-leave">
      <button
        type="button"
        class="button danger"
        onClick=${() => (you.may.end && others ? setAsking(true) : leave())}
      >
        ${t(you.may.end ? "lobby.cancel" : "lobby.leave")}
      </button>
    </p>
    <${Dialog} open=${asking} title=${t("lobby.cancel")} onClose=${() => setAsking(false)}>
      <${Question}
        words=${t("lobby.cancel.ask")}
        yes=${t("lobby.cancel")}
        no=${t("end.ask.no")}
        act=${leave}
        close=${() => setAsking(false)}
      />
    <//>
  `;
}

/** @param {{live: Live, secret: string | null, again?: boolean}} props */
function Join({ live, secret, again = false }) {
  const [name, setName] = useState(again ? "" : playerName.value);
  const [fault, setFault] = useState("");
  const [busy, setBusy] = useState(false);
  const join = async (/** @type {Event} */ event) => {
    event.preventDefault();
    // A second click would take a second seat.
    if (busy) return;
    setBusy(true);
    const wanted = name.trim();
    if (!again) playerName.value = wanted;
    try {
      const body = { name: wanted || t("name.default"), invitation: secret };
      await request(`tables/${live.id}/join`, body);
      // The socket was opened without the key that came with the seat.
      go(`table/${live.id}`, { replace: true });
      live.reopen();
    } catch (error) {
      setFault(error instanceof ServerError ? error.code : "internal");
    }
    setBusy(false);
  };
  return html`
    <form class="join" onSubmit=${join}>
      <label class="field">
        <span>${t("your.name")}</span>
        <input
          maxlength="24"
          autocomplete="nickname"
          placeholder=${t("name.default")}
          value=${name}
          onInput=${(/** @type {any} */ event) => setName(event.currentTarget.value)}
        />
      </label>
      <button class="button main" type="submit" disabled=${busy}>
        ${t(again ? "join.again" : "join")}
      </button>
      ${
        fault &&
        html`
          <p class="note" role="alert">${faultWords(fault)}</p>
        `
      }
    </form>
  `;
}

/** @param {{live: Live}} props */
function Invite({ live }) {
  const [link, setLink] = useState(() => {
    const kept = invitations.get(live.id) ?? sessionStorage.getItem(invitationKey(live.id));
    return kept ? absolute(kept) : "";
  });
  useEffect(() => {
    if (link) return;
    void request(`tables/${live.id}/invitations`, {}).then(
      (made) => {
        rememberInvitation(live.id, made.invitation_path);
        setLink(absolute(made.invitation_path));
      },
      () => {},
    );
  }, []);
  if (!link) return null;
  return html`
    <section class="invite">
      <h2>${t("invite.title")}</h2>
      <p>${t("invite.text")}</p>
      <${LinkToShare} link=${link} label=${t("invite.link")} />
      <p class="quiet" role="status">${t("lobby.waiting")}</p>
    </section>
  `;
}
