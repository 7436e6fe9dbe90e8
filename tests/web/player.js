// Plays by clicking on what the page offers, as a person would who decides at random.
(() => {
  let state = 12345;
  const pick = (list) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return list[(state >>> 8) % list.length];
  };
  const pause = (ms) => new Promise((done) => setTimeout(done, ms));
  const seen = (selector) =>
    [...document.querySelectorAll(selector)].filter(
      (one) => !one.disabled && one.offsetParent !== null,
    );

  window.playOn = async (decisions, seconds, until) => {
    const end = performance.now() + seconds * 1000;
    let made = 0;
    while (made < decisions && performance.now() < end) {
      if (document.querySelector(".dialog.end") || (until && document.querySelector(until)))
        return made;
      const cover = seen(".cover button");
      const ghosts = seen(".ghost");
      const buttons = seen(".action-bar:not(.over) .action-buttons .button");
      const targets = seen(".pile.target");
      const cards = seen(".hand.choosing .hand-card.fits");
      const tiles = seen(".tile-button.legal");
      const figures = buttons.filter((one) => one.querySelector(".figure-picture"));
      if (cover.length) cover[0].click();
      else if (figures.length) {
        pick(figures).click();
        made += 1;
      } else if (document.querySelector(".hand-card.selected")) {
        // Mostly lay, now and then discard.
        pick([...buttons.slice(0, 1), ...buttons.slice(0, 1), ...buttons]).click();
        made += 1;
      } else if (ghosts.length) {
        pick(ghosts).click();
        made += 1;
      } else if (targets.length) {
        pick(targets).click();
        made += 1;
      } else if (cards.length) pick(cards).click();
      else if (seen(".hand.choosing .hand-card").length)
        pick(seen(".hand.choosing .hand-card")).click();
      else if (buttons.length) {
        pick(buttons).click();
        made += 1;
      } else if (tiles.length) {
        pick(tiles).click();
        made += 1;
      }
      await pause(12);
    }
    return made;
  };

  // Takes back whatever may be taken back. The page goes back by itself past what is forced, so a
  // step can be gone before it is touched: each look and its click are one, with nothing between.
  window.takeAllBack = async (seconds = 60) => {
    const end = performance.now() + seconds * 1000;
    const log = () => document.querySelector(".side .log ol").textContent;
    for (let before = ""; log(); await pause(12)) {
      if (performance.now() > end) throw new Error("not everything was taken back");
      const [back] = seen(".icon-button[aria-label='Take back']");
      if (!back || log() === before) continue;
      before = log();
      back.click();
    }
  };

  // A page that is held hears nothing of its table; when it is let go, all at once, in order.
  let held = null;
  const heard = Object.getOwnPropertyDescriptor(WebSocket.prototype, "onmessage");
  Object.defineProperty(WebSocket.prototype, "onmessage", {
    ...heard,
    set(hear) {
      heard.set.call(this, (event) => (held ? held.push(() => hear(event)) : hear(event)));
    },
  });
  window.hold = () => {
    held = [];
  };
  window.letGo = () => {
    const all = held;
    held = null;
    for (const one of all) one();
  };

  // Inherited colours that change little by little take a frame for each level of the page.
  window.dress = async (theme) => {
    const settings = await import(new URL("js/settings.js", document.baseURI));
    const still = new CSSStyleSheet();
    still.replaceSync("* { transition: none !important }");
    document.adoptedStyleSheets.push(still);
    settings.theme.value = theme;
    await frame();
    document.adoptedStyleSheets.pop();
    if (document.documentElement.dataset.theme !== theme) throw new Error("it is not worn");
  };

  // Where everything stands, and what runs its course.
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  const places = () => {
    const all = [];
    for (const one of document.body.getElementsByTagName("*")) {
      const { x, y, width, height } = one.getBoundingClientRect();
      all.push(x, y, width, height);
    }
    return all;
  };
  const moving = () =>
    document
      .getAnimations()
      .filter(({ effect, playState }) => playState === "running" && ends(effect));
  const ends = (effect) => effect?.getComputedTiming().endTime !== Infinity;

  // Waits until animations are over, and everything stood in its place for some frames.
  window.settled = async (seconds = 60) => {
    const end = performance.now() + seconds * 1000;
    await document.fonts.ready;
    let before = [];
    for (let still = 0; still < 3;) {
      if (performance.now() > end) throw new Error("the page does not come to rest");
      await frame();
      // One that another has replaced may never be finished: so it is looked again at every frame.
      const now = moving().length ? [] : places();
      const same = now.length === before.length && now.every((each, k) => each === before[k]);
      still = same && now.length ? still + 1 : 0;
      before = now;
    }
  };

  // Texts wider or higher than the box that is to show them.
  window.cutTexts = () => {
    const wrong = [];
    const out = document.scrollingElement;
    if (out.scrollWidth > out.clientWidth + 1) wrong.push(`the page is ${out.scrollWidth} wide`);
    const boxes =
      ".button, .icon-button, .prompt, .count, legend, h1, h2, .game-name, .game-text, .tag, " +
      ".player-turn, .note, .keys dd, th, summary, .head-link";
    for (const one of document.querySelectorAll(boxes)) {
      if (
        one.offsetParent === null ||
        one.closest(".visually-hidden") ||
        one.matches(".visually-hidden")
      )
        continue;
      if (one.scrollWidth > one.clientWidth + 2 || one.scrollHeight > one.clientHeight + 3) {
        const what = `${one.className || one.tagName}: ${one.textContent.trim().slice(0, 60)}`;
        const text = `${one.scrollWidth}x${one.scrollHeight}`;
        wrong.push(`${what} (${text} in ${one.clientWidth}x${one.clientHeight})`);
      }
    }
    return wrong;
  };
})();
