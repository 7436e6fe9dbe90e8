/** One's own devices, the link that brings one more, and all that is stored of oneself. */
import { html, useEffect, useState } from "../../vendor/index.js";
import { apiUrl, request, ServerError } from "../api.js";
import { faultWords } from "../faults.js";
import { t, when } from "../i18n.js";
import { absolute, go } from "../router.js";
import { LinkToShare } from "../table/link.js";
import { Dialog, Question, Waiting } from "../ui.js";

/**
 * @typedef {{
 *   device: number, name: string | null, added: string | null, this: boolean, sign_out: boolean,
 * }} OwnDevice
 * @typedef {{devices: OwnDevice[], link: boolean, signed_out: boolean}} Listed
 */

const LINK = "#link=";
const POLL = 3000;

/** @param {unknown} error */
const codeOf = (error) => (error instanceof ServerError ? error.code : "internal");

/** The secret of a link to one's own key: taken out of the address, and so out of the history. */
function takeSecret() {
  if (!location.hash.startsWith(LINK)) return "";
  const secret = location.hash.slice(LINK.length);
  history.replaceState(null, "", location.pathname);
  return secret;
}

/** @param {{games: number, again: () => void}} props `games` of this device's present key */
export function Devices({ games, again }) {
  const [secret, setSecret] = useState(takeSecret);
  const [listed, setListed] = useState(/** @type {Listed | null} */ (null));
  const [made, setMade] = useState(
    /** @type {{link: string, minutes: number, newest: number} | null} */ (null),
  );
  const [asked, setAsked] = useState(/** @type {OwnDevice | "all" | "delete" | null} */ (null));
  const [unreadable, setUnreadable] = useState(/** @type {number | null} */ (null));
  const [fault, setFault] = useState("");
  const failed = (/** @type {unknown} */ error) => setFault(codeOf(error));
  const load = () => request("me/devices").then(setListed, failed);
  useEffect(() => {
    void load();
  }, []);
  useEffect(() => {
    const arrived = () => setSecret((old) => takeSecret() || old);
    addEventListener("hashchange", arrived);
    return () => removeEventListener("hashchange", arrived);
  }, []);
  const newest = Math.max(0, ...(listed?.devices ?? []).map((one) => one.device));
  // Whoever shows a link sees at once who has used it.
  const waiting = made !== null && listed?.link === true;
  useEffect(() => {
    if (!waiting) return undefined;
    const timer = setInterval(() => void load(), POLL);
    return () => clearInterval(timer);
  }, [waiting]);
  const add = () =>
    request("me/devices/link", {}).then(async (answer) => {
      setFault("");
      await load();
      setMade({
        link: absolute(answer.path),
        minutes: Math.max(1, Math.round(answer.seconds / 60)),
        newest,
      });
    }, failed);
  const endLink = () =>
    request("me/devices/link", undefined, "DELETE").then(() => {
      setMade(null);
      void load();
    }, failed);
  const signOut = (/** @type {number | null} */ device) =>
    request("me/devices/sign_out", { device }).then(() => {
      setMade(null);
      void load();
      again();
    }, failed);
  const forget = () =>
    request("me", undefined, "DELETE").then((answer) => {
      setUnreadable(answer.unreadable);
      setMade(null);
      void load();
      again();
    }, failed);
  if (!listed)
    return fault
      ? html`
          <p class="note" role="alert">${faultWords(fault)}</p>
        `
      : html`
          <${Waiting} />
        `;
  const many = listed.devices.length > 1;
  const settled = !many || listed.devices.every((one) => one.sign_out);
  const others = listed.devices.some((one) => one.sign_out && !one.this);
  const used = made !== null && newest > made.newest;
  return html`
    <section>
      <h2>${t("person.devices")}</h2>
      <p>${t("person.text")}</p>
      ${
        listed.signed_out &&
        html`
          <p class="note" role="alert">${t("person.gone")}</p>
        `
      }
      ${
        listed.devices.length > 0 &&
        html`
          <div class="devices">
            <ul>
              ${listed.devices.map(
                (device) => html`
                  <${Line} key=${device.device} device=${device} ask=${setAsked} />
                `,
              )}
            </ul>
          </div>
        `
      }
      ${
        used &&
        html`
          <p class="note" role="alert">${t("person.used")}</p>
        `
      }
      ${
        waiting && made
          ? html`
              <p>${t("person.link.text", { n: made.minutes })}</p>
              <${LinkToShare} link=${made.link} label=${t("person.link")} />
              <p>
                <button type="button" class="button" onClick=${endLink}>
                  ${t("person.link.end")}
                </button>
              </p>
            `
          : html`
              <p class="games-foot">
                <button type="button" class="button main" onClick=${add}>${t("person.add")}</button>
                ${
                  others &&
                  html`
                    <button type="button" class="button" onClick=${() => setAsked("all")}>
                      ${t("person.out.all")}
                    </button>
                  `
                }
              </p>
            `
      }
      ${
        many &&
        html`
          <p class="quiet">${t("person.rule")}</p>
        `
      }
      ${
        fault &&
        html`
          <p class="note" role="alert">${faultWords(fault)}</p>
        `
      }
    </section>
    <section>
      <h2>${t("person.data")}</h2>
      <p>${t("person.data.text")}</p>
      ${
        unreadable !== null &&
        html`
          <p class="note" role="status">
            ${t("person.deleted")}${" "}
            ${unreadable > 0 && t("person.unreadable", { n: unreadable })}
          </p>
        `
      }
      ${
        listed.devices.length === 0 &&
        unreadable === null &&
        html`
          <p>${t("person.nothing")}</p>
        `
      }
      ${
        listed.devices.length > 0 &&
        html`
          <p class="games-foot">
            <a class="button" download href=${apiUrl("me")}>${t("person.export")}</a>
            ${
              settled &&
              html`
                <button type="button" class="button danger" onClick=${() => setAsked("delete")}>
                  ${t("person.delete")}
                </button>
              `
            }
          </p>
        `
      }
    </section>
    <${Asking} asked=${asked} close=${() => setAsked(null)} signOut=${signOut} forget=${forget} />
    <${Join}
      secret=${secret}
      games=${games}
      close=${() => setSecret("")}
      done=${() => {
        setSecret("");
        void load();
        again();
      }}
    />
  `;
}

/** @param {OwnDevice} device */
const nameOf = (device) => device.name ?? t("person.first");

/** @param {{device: OwnDevice, ask: (device: OwnDevice) => void}} props */
function Line({ device, ask }) {
  return html`
    <li>
      <span class="device-name">${nameOf(device)}</span>
      ${
        device.this &&
        html`
          <span class="tag">${t("person.this")}</span>
        `
      }
      ${
        device.added &&
        html`
          <span class="quiet">${t("person.since", { time: when(device.added) })}</span>
        `
      }
      ${
        device.sign_out &&
        html`
          <button
            type="button"
            class="button"
            aria-label=${t("person.out.which", { name: nameOf(device) })}
            onClick=${() => ask(device)}
          >
            ${t("person.out")}
          </button>
        `
      }
    </li>
  `;
}

/**
 * What is asked before it is done.
 * @param {{
 *   asked: OwnDevice | "all" | "delete" | null, close: () => void,
 *   signOut: (device: number | null) => void, forget: () => void,
 * }} props
 */
function Asking({ asked, close, signOut, forget }) {
  if (!asked) return null;
  const all = asked === "all";
  const act =
    asked === "delete"
      ? forget
      : () => signOut(all ? null : /** @type {OwnDevice} */ (asked).device);
  const title = t(asked === "delete" ? "person.delete" : all ? "person.out.all" : "person.out");
  const words =
    asked === "delete"
      ? t("person.delete.ask")
      : all
        ? t("person.out.ask.all")
        : asked.this
          ? t("person.out.ask.this")
          : t("person.out.ask", { name: nameOf(asked) });
  return html`
    <${Dialog} open=${true} title=${title} onClose=${close}>
      <${Question} words=${words} yes=${title} no=${t("person.keep")} act=${act} close=${close} />
    <//>
  `;
}

/**
 * Asks whoever came by a link whether it is theirs: nothing happens before that.
 * @param {{secret: string, games: number, close: () => void, done: () => void}} props
 */
function Join({ secret, games, close, done }) {
  const coarse = matchMedia("(pointer: coarse)").matches;
  const [name, setName] = useState(t(coarse ? "person.phone" : "person.computer"));
  const [fault, setFault] = useState("");
  if (!secret) return null;
  const join = (/** @type {Event} */ event) => {
    event.preventDefault();
    const wanted = name.trim();
    if (!wanted) return;
    request("me/devices", { link: secret, name: wanted }).then(
      () => {
        done();
        go("games/devices", { replace: true });
      },
      (error) => setFault(codeOf(error)),
    );
  };
  return html`
    <${Dialog} open=${true} title=${t("person.join.title")} onClose=${close}>
      <form class="take-along" onSubmit=${join}>
        <p>${t("person.join.text")}</p>
        ${
          games > 0 &&
          html`
            <p class="note">
              ${t("person.join.lost")}${" "}
              <a download href=${apiUrl("me")}>${t("person.join.save")}</a>
            </p>
          `
        }
        <label class="field">
          <span>${t("person.join.name")}</span>
          <input
            required
            maxlength="24"
            value=${name}
            onInput=${(/** @type {any} */ event) => setName(event.currentTarget.value)}
          />
        </label>
        <div class="dialog-actions">
          <button class="button main" type="submit">${t("person.join")}</button>
          <button type="button" class="button" onClick=${close}>${t("person.keep")}</button>
        </div>
        ${
          fault &&
          html`
            <p class="note" role="alert">
              ${fault === "bad_invitation" ? t("person.join.bad") : faultWords(fault)}
            </p>
          `
        }
      </form>
    <//>
  `;
}
