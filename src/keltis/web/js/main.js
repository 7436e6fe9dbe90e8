/** Starts the page: texts first, then the page that the address names. */
import { html, render, useEffect, useState } from "../vendor/index.js";
import { ArtDefs } from "./art.js";
import { followLanguage, loadMessages, t } from "./i18n.js";
import { PAGES, path } from "./router.js";
import { Header, SettingsDialog, Voice } from "./ui.js";

function App() {
  const [name, ...rest] = path.value.split("/");
  const [page, setPage] = useState(/** @type {{name: string, show: unknown} | null} */ (null));
  useEffect(() => {
    let wanted = true;
    const load = PAGES[name];
    if (!load) {
      setPage({ name, show: NotFound });
      return undefined;
    }
    void load().then((module) => {
      if (wanted) setPage({ name, show: module.default });
    });
    return () => {
      wanted = false;
    };
  }, [name]);

  // A link to "#main" would leave the page: addresses are relative to <base>.
  const skip = (/** @type {Event} */ event) => {
    event.preventDefault();
    document.querySelector("main")?.focus();
  };
  return html`
    <a class="skip" href="#main" onClick=${skip}>${t("skip")}</a>
    <${ArtDefs} />
    <div id="main">
      ${
        page &&
        page.name === name &&
        html`
          <${page.show} key=${rest.join("/")} rest=${rest} />
        `
      }
    </div>
    <${SettingsDialog} />
    <${Voice} />
  `;
}

function NotFound() {
  useEffect(() => {
    document.title = `${t("notfound")} · Keltis`;
  }, []);
  return html`
    <${Header} />
    <main class="page" tabindex="-1">
      <h1>${t("notfound")}</h1>
      <p><a class="button main" href="./">${t("home")}</a></p>
    </main>
  `;
}

// Keeps what the page needs, so that lessons and rules are there when the server is not.
if ("serviceWorker" in navigator)
  void navigator.serviceWorker.register(new URL("sw.js", document.baseURI)).catch(() => {});

// The page's module comes while the texts do.
void PAGES[path.value.split("/")[0]]?.();
await loadMessages();
followLanguage();
render(
  html`
    <${App} />
  `,
  /** @type {Element} */ (document.getElementById("app")),
);
