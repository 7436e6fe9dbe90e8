/** Before the game: who is here, the link for friends, a seat for who comes with one. */
import { html, useEffect, useState } from "../../vendor/index.js";
import { request, ServerError } from "../api.js";
import { PlayerShape } from "../art.js";
import { faultWords } from "../faults.js";
import { t } from "../i18n.js";
import { absolute, go } from "../router.js";
import { playerName } from "../settings.js";
import { levelName } from "../words.js";
import { deviceSecret, DevicesButton } from "./devices.js";
import { LinkToShare } from "./link.js";

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

/** @param {{live: import("../live.js").Live}} props */
export function Lobby({ live }) {
  const table = live.table.value;
  const you = live.you.value;
  if (!table || !you) return null;
  const open = table.seats.some((seat) => seat.kind === "open");
  const secret = deviceSecret() ? "" : location.hash.slice(1);
  const seated = you.seats.length > 0;
  return html`
    <main class="page lobby" tabindex="-1">
      <h1>${t(`game.${table.game}`)}</h1>
      <ol class="lobby-seats">
        ${table.seats.map(
          (seat) => html`
            <li key=${seat.seat} class="lobby-seat ${seat.kind}">
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
            </li>
          `,
        )}
      </ol>
      ${
        open &&
        (seated
          ? html`
              <${Invite} live=${live} />
            `
          : secret || table.public
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
          <p class="quiet" role="status">${t("lobby.starting")}</p>
        `
      }
      ${
        seated &&
        html`
          <${DevicesButton} live=${live} />
        `
      }
      <p class="proof-line">
        ${t(table.fair.seal ? "fair.sealed" : "fair.before")}${" "}
        <code>${table.fair.seal ?? table.fair.commitment}</code>
      </p>
    </main>
  `;
}

/** @param {{live: import("../live.js").Live, secret: string | null, again?: boolean}} props */
function Join({ live, secret, again = false }) {
  const [name, setName] = useState(again ? "" : playerName.value);
  const [fault, setFault] = useState("");
  const join = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const wanted = name.trim();
    if (!wanted) return;
    if (!again) playerName.value = wanted;
    try {
      await request(`tables/${live.id}/join`, { name: wanted, invitation: secret });
      // The socket was opened without the key that came with the seat.
      go(`table/${live.id}`, { replace: true });
      live.reopen();
    } catch (error) {
      setFault(error instanceof ServerError ? error.code : "internal");
    }
  };
  return html`
    <form class="join" onSubmit=${join}>
      <label class="field">
        <span>${t("your.name")}</span>
        <input
          required
          maxlength="24"
          autocomplete="nickname"
          value=${name}
          onInput=${(/** @type {any} */ event) => setName(event.currentTarget.value)}
        />
      </label>
      <button class="button main" type="submit">${t(again ? "join.again" : "join")}</button>
      ${
        fault &&
        html`
          <p class="note" role="alert">${faultWords(fault)}</p>
        `
      }
    </form>
  `;
}

/** @param {{live: import("../live.js").Live}} props */
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
