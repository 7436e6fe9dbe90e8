/**
 * Which page is shown. Addresses are relative to <base>, so the page works below a sub-path.
 * A page is a module in pages/ whose default export is a component that gets `{rest}`, what follows
 * its name in the address. To add a page: write the module, add its line to PAGES.
 */
import { signal } from "../vendor/index.js";

/** @type {Record<string, () => Promise<{default: unknown}>>} */
export const PAGES = {
  "": () => import("./pages/start.js"),
  table: () => import("./pages/table.js"),
  replay: () => import("./pages/replay.js"),
  review: () => import("./pages/review.js"),
  learn: () => import("./pages/learn.js"),
  rules: () => import("./pages/rules.js"),
  games: () => import("./pages/games.js"),
  duplicate: () => import("./pages/duplicate.js"),
  day: () => import("./pages/day.js"),
};

/** The address below the mount, without a leading slash: "table/f3KdW9pQx2Lm". */
function here() {
  const base = new URL(document.baseURI).pathname;
  return decodeURIComponent(location.pathname).slice(base.length);
}

export const path = signal(here());

/** Goes to an address below the mount. @param {string} to @param {{replace?: boolean}} [how] */
export function go(to, { replace = false } = {}) {
  const url = new URL(to, document.baseURI);
  history[replace ? "replaceState" : "pushState"](null, "", url);
  path.value = here();
  scrollTo(0, 0);
}

/** Absolute form of an address below the mount, for links to share. @param {string} to */
export const absolute = (to) => new URL(to, document.baseURI).href;

addEventListener("popstate", () => {
  path.value = here();
});

// Links of the page change the page without loading it anew.
addEventListener("click", (event) => {
  if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey)
    return;
  const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
  if (!(link instanceof HTMLAnchorElement) || link.target || link.hasAttribute("download")) return;
  const base = new URL(document.baseURI);
  if (link.origin !== base.origin || !link.pathname.startsWith(base.pathname)) return;
  const below = link.pathname.slice(base.pathname.length);
  const name = below.split("/")[0];
  if (!(name in PAGES)) return;
  event.preventDefault();
  go(below + link.search + link.hash);
});
