/** Pieces that every page uses: header, dialogs, switches, the voice for screen readers. */
import { html, signal, useEffect, useLayoutEffect, useRef, useState } from "../vendor/index.js";
import { Emblem } from "./art.js";
import { t } from "./i18n.js";
import { path } from "./router.js";
import {
  autoMoves,
  confirmMoves,
  LANGUAGES,
  language,
  pace,
  PACES,
  shortcuts,
  sound,
  theme,
  THEMES,
} from "./settings.js";

/**
 * What a screen reader says next; also shown for a moment, where what is asked stands, when
 * somebody asked for it.
 */
const spoken = signal({ text: "", shown: false, count: 0 });

/** @param {string} text @param {boolean} [shown] */
export function speak(text, shown = false) {
  spoken.value = { text, shown, count: spoken.peek().count + 1 };
}

/** What was said in answer to a question, for as long as it is shown; else "". */
export const answer = () => (spoken.value.shown ? spoken.value.text : "");

const SHOWN_FOR = 9000;
const RETRY = 5000;

export function Voice() {
  const { text, shown, count } = spoken.value;
  useEffect(() => {
    if (!shown) return undefined;
    const hide = () => {
      if (spoken.peek().count === count) spoken.value = { ...spoken.peek(), shown: false };
    };
    const timer = setTimeout(hide, SHOWN_FOR);
    addEventListener("pointerdown", hide, { once: true });
    return () => {
      clearTimeout(timer);
      removeEventListener("pointerdown", hide);
    };
  }, [count]);
  return html`
    <div class="voice visually-hidden" role="status" aria-live="polite">
      ${
        text &&
        html`
          <p key=${count}>${text}</p>
        `
      }
    </div>
  `;
}

/** A wheel with eight teeth, around a hole. */
function gear() {
  const points = Array.from({ length: 32 }, (_, i) => {
    const r = i % 4 < 2 ? 10 : 7.4;
    const a = ((i + 0.5) * Math.PI) / 16;
    return `${(12 + r * Math.sin(a)).toFixed(1)} ${(12 - r * Math.cos(a)).toFixed(1)}`;
  });
  return `M${points.join("L")}ZM12 9A3 3 0 1 0 12 15A3 3 0 1 0 12 9Z`;
}

/** @type {Record<string, string>} Lines of icons in a box of 24. */
const ICONS = {
  settings: gear(),
  eye: "M2 12Q12 1.5 22 12Q12 22.5 2 12ZM12 8.8A3.2 3.2 0 1 0 12 15.2A3.2 3.2 0 1 0 12 8.8Z",
  sound: "M4 9.5V14.5H8L13 19V5L8 9.5ZM16.5 8.5Q19 12 16.5 15.5M19 5.8Q23.2 12 19 18.2",
  silent: "M4 9.5V14.5H8L13 19V5L8 9.5ZM17 9.5L22 14.5M22 9.5L17 14.5",
  back: "M9 6L4 11L9 16M4 11H14.5A5 5 0 0 1 14.5 20.5H10",
  hint: "M9 17.5H15M10 20.5H14M8.6 14.6A6.4 6.4 0 1 1 15.4 14.6Q14.6 15.3 14.6 17.5H9.4Q9.4 15.3 8.6 14.6Z",
  log: "M5 5H19M5 10H19M5 15H19M5 20H13",
  score: "M5 20V11M12 20V4M19 20V14",
  close: "M6 6L18 18M18 6L6 18",
  games: "M4.5 8A8.3 8.3 0 1 1 3.7 13M4 3.5V8.5H9M12 7.5V12.5L15.5 14.5",
  menu: "M4 7H20M4 12H20M4 17H20",
  more: "M5 12H5.01M12 12H12.01M19 12H19.01",
  book: "M12 6.5Q8 3.5 3.5 5V19Q8 17.5 12 20.5Q16 17.5 20.5 19V5Q16 3.5 12 6.5V20.5",
  copy: "M8 8H20V20H8ZM16 8V4H4V16H8",
  check: "M4.5 12.5L10 18L19.5 7",
  up: "M12 19V5M6 11L12 5L18 11",
  first: "M6 5V19M19 5L9 12L19 19Z",
  previous: "M16 5L7 12L16 19",
  play: "M7 4.5L19 12L7 19.5Z",
  pause: "M8 5V19M16 5V19",
  next: "M8 5L17 12L8 19",
  last: "M18 5V19M5 5L15 12L5 19Z",
  link: "M10 14L14 10M9 10.5L6 13.5A3.2 3.2 0 0 0 10.5 18L13.5 15M15 13.5L18 10.5A3.2 3.2 0 0 0 13.5 6L10.5 9",
  search: "M11 4A7 7 0 1 0 11 18A7 7 0 1 0 11 4ZM16.2 16.2L21 21",
  graph: "M4 4V20H20M7 15L11 10L14 13L20 6",
  day: "M4 6.5H20V20.5H4ZM4 11H20M8.5 3.5V8.5M15.5 3.5V8.5",
  piles: "M4 8H14V20H4ZM8 8V4H20V16H14",
};

/**
 * A sign or a number that is seen, and what it means for those who hear it.
 * @param {{words: string, class?: string, title?: string, children?: unknown}} props
 */
export function Fact({ words, class: name = "", title, children }) {
  return html`
    <span class=${name} title=${title ?? words}>
      <span class="visually-hidden">${words}</span>
      <span class="fact" aria-hidden="true">${children}</span>
    </span>
  `;
}

/** @param {{name: string}} props */
export function Icon({ name }) {
  return html`
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d=${ICONS[name]} /></svg>
  `;
}

/**
 * @param {{
 *   name: string, label: string, onClick: () => void, class?: string, pressed?: boolean,
 *   disabled?: boolean, text?: boolean,
 * }} props
 */
export function IconButton({
  name,
  label,
  onClick,
  class: extra = "",
  pressed,
  disabled = false,
  text = false,
}) {
  return html`
    <button
      type="button"
      class="icon-button ${extra}"
      title=${label}
      aria-label=${text ? undefined : label}
      aria-pressed=${pressed}
      disabled=${disabled}
      onClick=${onClick}
    >
      <${Icon} name=${name} />
      ${
        text &&
        html`
          <span>${label}</span>
        `
      }
    </button>
  `;
}

/**
 * @param {{
 *   open: boolean, title: string, onClose: () => void, children?: unknown, class?: string,
 * }} props
 */
export function Dialog({ open, title, onClose, children, class: name = "" }) {
  const element = useRef(/** @type {HTMLDialogElement | null} */ (null));
  useLayoutEffect(() => {
    if (open && element.current && !element.current.open) {
      element.current.showModal();
      // A reader begins at the title, and no button looks chosen.
      element.current.querySelector("h2")?.focus();
    }
    if (!open && element.current?.open) element.current.close();
  }, [open]);
  if (!open) return null;
  const outside = (/** @type {MouseEvent} */ event) => {
    if (event.target === element.current) onClose();
  };
  return html`
    <dialog
      ref=${element}
      class="dialog ${name}"
      aria-label=${title}
      onClose=${onClose}
      onClick=${outside}
    >
      <div class="dialog-body">
        <header class="dialog-head">
          <h2 tabindex="-1">${title}</h2>
          <${IconButton} name="close" label=${t("close")} onClick=${onClose} />
        </header>
        ${children}
      </div>
    </dialog>
  `;
}

/**
 * What can't be undone is asked for first; in a dialog.
 * @param {{
 *   words: string, yes: string, no: string, act: () => void, close: () => void,
 * }} props
 */
export function Question({ words, yes, no, act, close }) {
  const agree = () => {
    close();
    act();
  };
  return html`
    <p>${words}</p>
    <div class="dialog-actions">
      <button type="button" class="button danger" onClick=${agree}>${yes}</button>
      <button type="button" class="button main" onClick=${close}>${no}</button>
    </div>
  `;
}

/**
 * @param {{
 *   value: string, options: readonly string[], name: (option: string) => string,
 *   label: string, onChange: (value: string) => void, class?: string,
 * }} props
 */
export function Select({ value, options, name, label, onChange, class: extra = "" }) {
  return html`
    <label class="select ${extra}">
      <span>${label}</span>
      <select
        value=${value}
        onChange=${(/** @type {any} */ event) => onChange(event.currentTarget.value)}
      >
        ${options.map(
          (option) => html`
            <option key=${option} value=${option} selected=${option === value}>
              ${name(option)}
            </option>
          `,
        )}
      </select>
    </label>
  `;
}

/** @param {{value: boolean, label: string, onChange: (value: boolean) => void}} props */
export function Switch({ value, label, onChange }) {
  return html`
    <label class="switch">
      <input
        type="checkbox"
        role="switch"
        checked=${value}
        onChange=${(/** @type {any} */ event) => onChange(event.currentTarget.checked)}
      />
      <span class="switch-track" aria-hidden="true"></span>
      <span>${label}</span>
    </label>
  `;
}

/** Their own names, in every language the same. @type {Record<string, string>} */
const LANGUAGE_NAMES = { en: "English", de: "Deutsch", fr: "Français", nl: "Nederlands" };

export function LanguageSelect() {
  return html`
    <${Select}
      label=${t("settings.language")}
      value=${language.value}
      options=${LANGUAGES}
      name=${(/** @type {string} */ one) => LANGUAGE_NAMES[one]}
      onChange=${(/** @type {any} */ one) => (language.value = one)}
    />
  `;
}

export function ThemeSelect() {
  return html`
    <${Select}
      label=${t("settings.theme")}
      value=${theme.value}
      options=${THEMES}
      name=${(/** @type {any} */ one) => t(/** @type {any} */ (`theme.${one}`))}
      onChange=${(/** @type {any} */ one) => (theme.value = one)}
    />
  `;
}

const settingsOpen = signal(false);

export function SettingsDialog() {
  return html`
    <${Dialog}
      open=${settingsOpen.value}
      title=${t("settings")}
      onClose=${() => (settingsOpen.value = false)}
    >
      <div class="settings">
        <${LanguageSelect} />
        <${ThemeSelect} />
        <${Select}
          label=${t("settings.pace")}
          value=${pace.value}
          options=${PACES}
          name=${(/** @type {any} */ one) => t(/** @type {any} */ (`pace.${one}`))}
          onChange=${(/** @type {any} */ one) => (pace.value = one)}
        />
        <${Switch}
          label=${t("settings.sound")}
          value=${sound.value}
          onChange=${(/** @type {boolean} */ on) => (sound.value = on)}
        />
        <${Switch}
          label=${t("settings.confirm")}
          value=${confirmMoves.value}
          onChange=${(/** @type {boolean} */ on) => (confirmMoves.value = on)}
        />
        <${Switch}
          label=${t("settings.auto")}
          value=${autoMoves.value}
          onChange=${(/** @type {boolean} */ on) => (autoMoves.value = on)}
        />
        <${Switch}
          label=${t("settings.shortcuts")}
          value=${shortcuts.value}
          onChange=${(/** @type {boolean} */ on) => (shortcuts.value = on)}
        />
      </div>
    <//>
  `;
}

/** Pages that every page leads to, each with its sign where they stand below each other. */
const NAV = /** @type {const} */ ({
  day: "day",
  games: "games",
  learn: "hint",
  rules: "book",
  replay: "play",
});
const PAGES = /** @type {(keyof typeof NAV)[]} */ (Object.keys(NAV));

/**
 * The same on every page. Where there is no room for all its links, a menu has them. Pages that
 * would be lost by leaving let links open beside them.
 * @param {{children?: unknown, title?: string, beside?: boolean}} props
 */
export function Header({ children, title, beside = false }) {
  const here = path.value.split("/")[0];
  const [menu, setMenu] = useState(false);
  const target = beside ? "_blank" : undefined;
  const current = (/** @type {string} */ name) => (here === name ? "page" : undefined);
  return html`
    <header class="page-head">
      <a class="brand" href="./" aria-label=${t("home")}>
        <${Emblem} />
        <span class="brand-name">Keltis</span>
      </a>
      ${
        title &&
        html`
          <h1 class="page-title">${title}</h1>
        `
      }
      <nav class="head-nav" aria-label=${t("menu")}>
        ${PAGES.map(
          (name) => html`
            <a
              key=${name}
              class="head-link ${name}-link"
              href=${name}
              target=${target}
              aria-current=${current(name)}
            >
              ${t(name)}
            </a>
          `,
        )}
      </nav>
      <div class="page-tools">
        ${children}
        <${IconButton}
          name=${sound.value ? "sound" : "silent"}
          label=${t("settings.sound")}
          class="sound-button"
          pressed=${sound.value}
          onClick=${() => (sound.value = !sound.value)}
        />
        <${IconButton}
          name="settings"
          label=${t("settings")}
          class="settings-button"
          onClick=${() => (settingsOpen.value = true)}
        />
        <${IconButton}
          name="menu"
          label=${t("menu")}
          class="pages-button"
          onClick=${() => setMenu(true)}
        />
      </div>
    </header>
    <${Dialog} open=${menu} title=${t("menu")} class="pages" onClose=${() => setMenu(false)}>
      <nav aria-label=${t("menu")}>
        ${PAGES.map(
          (name) => html`
            <a
              key=${name}
              class="pages-link"
              href=${name}
              target=${target}
              aria-current=${current(name)}
              onClick=${() => setMenu(false)}
            >
              <${Icon} name=${NAV[name]} />
              ${t(name)}
            </a>
          `,
        )}
      </nav>
    <//>
  `;
}

/** What is on its way; shown only to who has to wait for it. */
export const Waiting = () => html`
  <p class="quiet waiting" role="status">${t("wait")}</p>
`;

/** What there is without the server. @param {{again: () => void}} props */
export function Offline({ again }) {
  useEffect(() => {
    const timer = setInterval(again, RETRY);
    return () => clearInterval(timer);
  }, []);
  return html`
    <main class="page offline" tabindex="-1">
      <${Emblem} />
      <h1>${t("offline.title")}</h1>
      <p role="status">${t("offline.text")}</p>
      <p class="end-actions">
        <a class="button main" href="learn">${t("learn")}</a>
        <a class="button main" href="rules">${t("rules")}</a>
        <button type="button" class="button" onClick=${again}>${t("offline.again")}</button>
      </p>
    </main>
  `;
}
