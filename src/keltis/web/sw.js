/**
 * Lets the page open when the server can't be reached. What comes from the server is always the
 * newest; what it sent last is kept for when it does not answer.
 */
const STORE = "keltis-VERSION"; // the server writes in what all files of the page hash to

/** What index.html does not name: it is only loaded when it is wanted. */
const LANGUAGES = ["en", "de", "fr", "nl"];
const LATER = [
  ...["day", "duplicate", "games", "learn", "replay"].map((name) => `js/pages/${name}.js`),
  ...["review", "rules"].map((name) => `js/pages/${name}.js`),
  ...["figures", "film", "keys", "link", "markdown", "open"].map((name) => `js/study/${name}.js`),
  ...["position", "rules", "stage", "timeline", "wrong"].map((name) => `js/study/${name}.js`),
  ...["graph", "load", "mistakes", "parts", "play-on", "share", "words"].map(
    (name) => `js/review/${name}.js`,
  ),
  ...["devices", "list", "plots"].map((name) => `js/games/${name}.js`),
  ...["challenge", "make", "results"].map((name) => `js/duplicate/${name}.js`),
  ...["calendar", "chain", "deal", "plot", "proof", "share"].map((name) => `js/day/${name}.js`),
  "js/table/share.js",
  ...LANGUAGES.flatMap((one) => [
    `js/messages/${one}.js`,
    `js/messages/study.${one}.js`,
    `js/messages/games.${one}.js`,
    `js/messages/positions.${one}.js`,
    `js/messages/review.${one}.js`,
    `js/messages/duplicate.${one}.js`,
    `js/messages/person.${one}.js`,
    `js/messages/day.${one}.js`,
  ]),
  ...["board", "stones"].flatMap((game) => [
    `lessons/${game}.json`,
    ...LANGUAGES.map((one) => `api/rules/${game}/${one}`),
  ]),
];

const scope = self.registration.scope;
const home = new URL("./", scope).href;

async function fill() {
  const store = await caches.open(STORE);
  const index = await fetch(home, { cache: "reload" });
  const text = await index.clone().text();
  const named = [...text.matchAll(/(?:href|src)="(?!\/)([^"]+)"/g)].map((found) => found[1]);
  await store.put(home, index);
  const all = [...new Set([...named, ...LATER])].map((name) => new URL(name, scope).href);
  await store.addAll(all.map((url) => new Request(url, { cache: "reload" })));
}

async function clear() {
  const old = (await caches.keys()).filter((name) => name.startsWith("keltis-") && name !== STORE);
  await Promise.all(old.map((name) => caches.delete(name)));
  await self.clients.claim();
}

/** Whether it is a file of the page, or the rules: all else only the server knows. */
const isKept = (url) =>
  url.href.startsWith(home) &&
  !/^docs(\/|$)/.test(url.href.slice(home.length)) &&
  (!url.href.startsWith(`${home}api/`) || url.href.startsWith(`${home}api/rules/`));

async function answer(request) {
  const store = await caches.open(STORE);
  const page = request.mode === "navigate";
  const kept = () => store.match(page ? home : request);
  try {
    const response = await fetch(request);
    // A proxy answers too when the server does not.
    if (response.status >= 502 && response.status <= 504) return (await kept()) ?? response;
    if (response.ok && !page) await store.put(request, response.clone());
    return response;
  } catch (error) {
    const found = await kept();
    if (found) return found;
    throw error;
  }
}

self.addEventListener("install", (event) => {
  self.skipWaiting();
  event.waitUntil(fill());
});
self.addEventListener("activate", (event) => event.waitUntil(clear()));
self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method === "GET" && isKept(new URL(request.url))) event.respondWith(answer(request));
});
