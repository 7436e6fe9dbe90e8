/** The devices of one's own seat: which there are, one more, one less, and news of others. */
import { html, signal, useLayoutEffect, useRef, useState } from "../../vendor/index.js";
import { request, ServerError } from "../api.js";
import { faultWords } from "../faults.js";
import { locale, t } from "../i18n.js";
import { absolute, go } from "../router.js";
import { Dialog } from "../ui.js";
import { LinkToShare } from "./link.js";

/**
 * @typedef {import("../live.js").Live} Live
 * @typedef {import("../types.js").Device} Device
 */

const LINK = "#device=";

/** The secret of a link to another device's seat, from this page's address; "" if there is none. */
export const deviceSecret = () =>
  location.hash.startsWith(LINK) ? location.hash.slice(LINK.length) : "";

/** @param {unknown} error */
const codeOf = (error) => (error instanceof ServerError ? error.code : "internal");

// --- The list ------------------------------------------------------------------------------

/** @param {{live: Live}} props */
export function DevicesButton({ live }) {
  const [open, setOpen] = useState(false);
  return html`
    <p>
      <button type="button" class="button" onClick=${() => setOpen(true)}>${t("devices")}</button>
    </p>
    <${DevicesDialog} live=${live} open=${open} onClose=${() => setOpen(false)} />
  `;
}

/** @param {{live: Live, open: boolean, onClose: () => void}} props */
export function DevicesDialog({ live, open, onClose }) {
  return html`
    <${Dialog} open=${open} title=${t("devices")} onClose=${onClose}>
      <p>${t("devices.text")}</p>
      ${live.devices.value.map(
        (own) => html`
          <${SeatDevices} key=${own.seat} live=${live} own=${own} />
        `,
      )}
    <//>
  `;
}

/** @param {{live: Live, own: import("../types.js").OwnDevices}} props */
function SeatDevices({ live, own }) {
  const [made, setMade] = useState(
    /** @type {{link: string, minutes: number, count: number} | null} */ (null),
  );
  const [fault, setFault] = useState("");
  const add = () =>
    request(`tables/${live.id}/invitations`, { seat: own.seat }).then(
      (answer) => {
        setFault("");
        setMade({
          link: absolute(answer.invitation_path),
          minutes: Math.max(1, Math.round(answer.seconds / 60)),
          count: own.devices.length,
        });
      },
      (error) => setFault(codeOf(error)),
    );
  const section = useRef(/** @type {HTMLElement | null} */ (null));
  // Focus does not get lost with the button that had it; else Escape would not close the dialog.
  useLayoutEffect(() => {
    if (document.activeElement === document.body)
      section.current?.closest("dialog")?.querySelector("h2")?.focus();
  });
  // It works once: when the device is there the link is of no use.
  const shown = made && own.link && own.devices.length === made.count ? made : null;
  const several = live.devices.value.length > 1;
  return html`
    <section class="devices" ref=${section}>
      ${
        several &&
        html`
          <h3>${live.table.value?.seats[own.seat]?.name}</h3>
        `
      }
      <ul>
        ${own.devices.map(
          (device) => html`
            <li key=${device.device}>
              <span class="device-name">${deviceName(device)}</span>
              ${
                device.this &&
                html`
                  <span class="tag">${t("devices.this")}</span>
                `
              }
              ${
                device.added &&
                html`
                  <span class="quiet">${t("devices.since", { time: when(device.added) })}</span>
                `
              }
              ${
                device.remove &&
                html`
                  <button
                    type="button"
                    class="button"
                    aria-label=${t("devices.remove.which", { name: deviceName(device) })}
                    onClick=${() => remove(live, device).catch((error) => setFault(codeOf(error)))}
                  >
                    ${t("devices.remove")}
                  </button>
                `
              }
            </li>
          `,
        )}
      </ul>
      ${
        shown
          ? html`
              <p>${t("devices.link.text", { n: shown.minutes })}</p>
              <${LinkToShare} link=${shown.link} label=${t("devices.link")} />
            `
          : live.you.value?.may.link &&
            html`
              <button type="button" class="button main" onClick=${add}>${t("devices.add")}</button>
            `
      }
      ${
        fault &&
        html`
          <p class="note" role="alert">${faultWords(fault)}</p>
        `
      }
    </section>
  `;
}

/** @param {Device} device */
const deviceName = (device) => device.name ?? t("devices.first");

/** @param {string} date */
const when = (date) =>
  new Intl.DateTimeFormat(locale.value, { dateStyle: "short", timeStyle: "short" }).format(
    new Date(date),
  );

/** @param {Live} live @param {Device} device */
const remove = (live, device) => request(`tables/${live.id}/remove`, { device: device.device });

// --- Being told ----------------------------------------------------------------------------

const STORE = "keltis-devices";
const MOST_KEPT = 50;

/** The newest device that was said to be one's own, by table. @returns {[string, number][]} */
function readOwn() {
  try {
    return JSON.parse(localStorage.getItem(STORE) ?? "[]");
  } catch {
    return [];
  }
}

const own = signal(readOwn());

/** @param {string} table @param {number} device */
function sayOwn(table, device) {
  const others = own.value.filter(([each]) => each !== table);
  /** @type {[string, number]} */
  const newest = [table, device];
  own.value = [...others, newest].slice(-MOST_KEPT);
  try {
    localStorage.setItem(STORE, JSON.stringify(own.value));
  } catch {
    // It is told again after a reload.
  }
}

/** @param {string | null | undefined} id of a table */
const ownAt = (id) => own.value.find(([table]) => table === id)?.[1];

/** Devices that came by a link after this one, and that nobody here has said to be their own. */
function strangers(/** @type {Live} */ live) {
  const known = ownAt(live.id) ?? 0;
  return live.devices.value.flatMap(({ devices }) => {
    const here = devices.find((device) => device.this)?.device ?? 0;
    return devices.filter((device) => device.name && device.device > Math.max(here, known));
  });
}

/** Devices that were one's own in the game before are so in the next. @param {Live} live */
function takeOver(live) {
  if (ownAt(live.id) !== undefined || ownAt(live.table.value?.invited) === undefined) return;
  const all = live.devices.value.flatMap(({ devices }) => devices);
  sayOwn(live.id, Math.max(0, ...all.filter((one) => !one.added).map((one) => one.device)));
}

/** Tells the holder of a seat that a device was added, or that this one has lost it. */
export function DeviceNote(/** @type {{live: Live}} */ { live }) {
  useLayoutEffect(() => takeOver(live), [live.devices.value]);
  const [device] = strangers(live);
  const lost = live.unseated.value && live.table.value?.status !== "over";
  return html`
    <div class="device-note" role="alert">
      ${
        device
          ? html`
              <p>${t("devices.new", { name: deviceName(device) })}</p>
              <div class="dialog-actions">
                <button
                  type="button"
                  class="button"
                  onClick=${() => sayOwn(live.id, device.device)}
                >
                  ${t("devices.new.own")}
                </button>
                <button
                  type="button"
                  class="button danger"
                  onClick=${() => remove(live, device).catch(() => {})}
                >
                  ${t("devices.new.remove")}
                </button>
              </div>
            `
          : lost &&
            html`
              <p>${t("devices.lost")}</p>
            `
      }
    </div>
  `;
}

// --- Coming by a link ------------------------------------------------------------------------

/** Asks whoever came by a link whether to play on this device. @param {{live: Live}} props */
export function TakeAlong({ live }) {
  const coarse = matchMedia("(pointer: coarse)").matches;
  const [name, setName] = useState(t(coarse ? "devices.phone" : "devices.computer"));
  const [fault, setFault] = useState("");
  const secret = deviceSecret();
  const seated = Boolean(live.you.value?.seats.length);
  const leave = () => go(`table/${live.id}`, { replace: true });
  if (!secret || seated || live.table.value?.status === "over") return null;
  const join = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const wanted = name.trim();
    if (!wanted) return;
    try {
      await request(`tables/${live.id}/join`, { name: wanted, invitation: secret });
      leave();
      // The socket was opened without the key that came with the seat.
      live.reopen();
    } catch (error) {
      setFault(codeOf(error));
    }
  };
  return html`
    <${Dialog} open=${true} title=${t("devices.join.title")} onClose=${leave}>
      <form class="take-along" onSubmit=${join}>
        <p>${t("devices.join.text")}</p>
        <label class="field">
          <span>${t("devices.join.name")}</span>
          <input
            required
            maxlength="24"
            value=${name}
            onInput=${(/** @type {any} */ event) => setName(event.currentTarget.value)}
          />
        </label>
        <button class="button main" type="submit">${t("devices.join")}</button>
        ${
          fault &&
          html`
            <p class="note" role="alert">${faultWords(fault)}</p>
          `
        }
      </form>
    <//>
  `;
}
