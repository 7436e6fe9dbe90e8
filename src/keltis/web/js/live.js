/**
 * A live table: its socket, what is on show, and what was sent but not yet acknowledged.
 *
 * Messages go through a queue, so that the steps of others are shown one after the other at a pace
 * that people can follow. What is on show is always a state that the table had; `caughtUp` tells
 * whether it is the latest. A lost connection is restored with `?from=`, and commands that were not
 * acknowledged are sent again under the same id: the server carries each out once.
 */
import { batch, signal } from "../vendor/index.js";
import { apiUrl, randomText } from "./api.js";
import { keepSetup, takePart } from "./fair.js";
import { stepTime } from "./settings.js";
import { botCalled } from "./words.js";

/**
 * @typedef {import("./types.js").View} View
 * @typedef {import("./types.js").Step} Step
 * @typedef {import("./types.js").Table} Table
 * @typedef {import("./types.js").You} You
 * @typedef {import("./types.js").OwnDevices} OwnDevices
 * @typedef {import("./types.js").What} What
 * @typedef {import("./types.js").Hint} Hint
 * @typedef {{seq: number, step: Step | null, what: What | null}} Shown
 */
/** @template T @typedef {import("../vendor/index.js").Signal<T>} Signal */

const FIRST_RETRY = 400;
const LONGEST_RETRY = 8000;
const OWN_STEP_TIME = 320;
const PING_EVERY = 25000;
/** How the ids of questions for a hint begin. */
const HINT = "hint-";

export class Live {
  /** @param {string} id of the table */
  constructor(id) {
    this.id = id;
    /** @type {Signal<Table | null>} */
    this.table = signal(null);
    /** @type {Signal<You | null>} */
    this.you = signal(null);
    /** @type {Signal<View[]>} */
    this.views = signal([]);
    /** The devices of each own seat. @type {Signal<OwnDevices[]>} */
    this.devices = signal([]);
    /** Whether this device had a seat here and has none any more. */
    this.unseated = signal(false);
    /** The message on show. @type {Signal<Shown>} */
    this.shown = signal({ seq: 0, step: null, what: null });
    /** @type {Signal<"connecting" | "open" | "lost">} */
    this.link = signal("connecting");
    /** The code of an error that ends it: no such table. @type {Signal<string | null>} */
    this.fatal = signal(null);
    /** The code of the last refusal. @type {Signal<string | null>} */
    this.refused = signal(null);
    /** Another game was asked for here: whoever asked goes there at once. */
    this.wantsRematch = false;
    /** Whether a decision is under way. */
    this.sending = signal(false);
    this.caughtUp = signal(true);
    /** @type {Signal<Hint | "asked" | null>} */
    this.hint = signal(null);
    /** When the clock's times were right. */
    this.clockAt = signal(0);
    /**
     * Called before a step is shown, while the page still shows the position before it: the step as
     * each held seat sees it.
     */
    this.before = /** @type {(steps: {you: number | null, step: Step}[]) => void} */ (() => {});

    /** @type {Map<string, object>} */
    this.pending = new Map();
    /** @type {(() => number)[]} Each shows a message and tells how long it stays. */
    this.queue = [];
    /** Of the question whose answer is awaited or on show. */
    this.hintId = "";
    this.busy = false;
    this.lastSeq = 0;
    this.tries = 0;
    this.closed = false;
    /** The last that was sent of the own share in the shuffle. */
    this.share = "";
    this.woken = () => this.wake();
    addEventListener("online", this.woken);
    document.addEventListener("visibilitychange", this.woken);
    this.connect();
  }

  connect() {
    clearTimeout(this.timer);
    const url = apiUrl(`tables/${encodeURIComponent(this.id)}/socket`);
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    if (this.lastSeq) url.searchParams.set("from", String(this.lastSeq));
    const socket = new WebSocket(url);
    this.socket = socket;
    socket.onmessage = (event) => this.receive(JSON.parse(event.data));
    socket.onclose = (event) => {
      if (this.closed || this.socket !== socket) return;
      clearInterval(this.pinging);
      this.forgetHint();
      if (event.code === 4403 || event.code === 4404) {
        this.fatal.value = event.code === 4403 ? "no_spectators" : "unknown_table";
        return;
      }
      if (this.link.value === "open") this.link.value = "connecting";
      if (this.tries >= 2) this.link.value = "lost";
      const wait =
        Math.min(LONGEST_RETRY, FIRST_RETRY * 2 ** this.tries) * (0.75 + Math.random() / 2);
      this.tries += 1;
      this.timer = setTimeout(() => this.connect(), this.waitAtLeast ?? wait);
      this.waitAtLeast = undefined;
    };
  }

  /** The network is back, or the page is looked at again: no need to wait for the next try. */
  wake() {
    if (document.hidden || this.closed || this.fatal.value) return;
    if (this.socket?.readyState === WebSocket.CLOSED) this.connect();
  }

  /** Connects anew: a seat, and the key to it, came since. */
  reopen() {
    const old = this.socket;
    this.socket = undefined;
    old?.close();
    this.lastSeq = 0;
    this.connect();
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    clearInterval(this.pinging);
    clearTimeout(this.pumping);
    removeEventListener("online", this.woken);
    document.removeEventListener("visibilitychange", this.woken);
    this.socket?.close();
  }

  /** @param {any} message */
  receive(message) {
    if (message.id) this.pending.delete(message.id);
    switch (message.type) {
      case "state":
        this.opened();
        this.lastSeq = message.seq;
        this.enqueue(() => this.showState(message));
        break;
      case "moved":
        if (message.seq > this.lastSeq + 1) {
          this.post({ type: "sync", from: this.lastSeq });
        } else if (message.seq === this.lastSeq + 1) {
          this.lastSeq = message.seq;
          this.enqueue(() => this.showStep(message));
        }
        break;
      case "presence":
        this.enqueue(() => this.showPresence(message));
        break;
      case "hint":
        // One that was asked for in another position is not shown.
        if (message.id === this.hintId) this.hint.value = message;
        break;
      case "ack":
        break;
      case "bye":
        this.waitAtLeast = message.reconnect_after;
        break;
      case "error":
        this.failed(message);
        break;
    }
    this.sending.value = [...this.pending.values()].some((one) => "move" in one);
  }

  /** The first message is here: send again what was not acknowledged. */
  opened() {
    if (this.link.value === "open" && this.tries === 0 && this.pinging) return;
    this.link.value = "open";
    this.tries = 0;
    clearInterval(this.pinging);
    this.pinging = setInterval(() => this.post({ type: "ping" }), PING_EVERY);
    for (const command of this.pending.values()) this.post(command);
  }

  /** @param {any} message */
  failed(message) {
    if (message.code === "unknown_table") this.fatal.value = message.code;
    if (message.id?.startsWith(HINT)) {
      if (message.id !== this.hintId) return;
      this.forgetHint();
    }
    if (message.code === "stale") this.post({ type: "sync", from: this.lastSeq });
    else this.refused.value = message.code;
  }

  /** @param {() => number} show */
  enqueue(show) {
    this.queue.push(show);
    this.caughtUp.value = false;
    if (!this.busy) this.pump();
  }

  pump() {
    this.busy = false;
    while (this.queue.length) {
      const show = /** @type {() => number} */ (this.queue.shift());
      let time = 0;
      batch(() => {
        time = show();
        this.caughtUp.value = this.queue.length === 0;
      });
      if (time > 0 && !document.hidden) {
        this.busy = true;
        this.pumping = setTimeout(() => this.pump(), time);
        return;
      }
    }
  }

  /** @param {any} message */
  showState(message) {
    const seated = message.you.seats.length > 0;
    this.unseated.value = !seated && (this.unseated.value || Boolean(this.you.value?.seats.length));
    /** @param {string | null} name @param {number} seat */
    const called = (name, seat) => {
      const { kind, level } = message.table.seats[seat];
      return name && kind === "bot" ? botCalled(name, level) : name;
    };
    this.table.value = {
      ...message.table,
      seats: message.table.seats.map((/** @type {any} */ seat, /** @type {number} */ k) => ({
        ...seat,
        name: called(seat.name, k),
      })),
    };
    this.you.value = message.you;
    this.views.value = message.views.map((/** @type {View} */ view) => ({
      ...view,
      players: view.players.map(called),
    }));
    this.devices.value = message.devices;
    this.clockAt.value = performance.now();
    this.shown.value = { seq: message.seq, step: null, what: message.what };
    if (this.hint.value !== "asked") this.hint.value = null;
    keepSetup(this.id, message.views);
    void this.takePart(message.table, message.you);
    return 0;
  }

  /** @param {any} message */
  showStep(message) {
    const own = this.you.value?.seats.includes(message.seat);
    this.before(message.views);
    this.views.value = this.views.value.map((view, i) => {
      const { step, ...rest } = message.views[i];
      return { ...view, ...rest, history: [...view.history, step] };
    });
    this.you.value = message.you;
    if (this.table.value) this.table.value = { ...this.table.value, clock: message.clock };
    this.clockAt.value = performance.now();
    this.shown.value = { seq: message.seq, step: message.views[0].step, what: null };
    this.forgetHint();
    this.refused.value = null;
    return own ? Math.min(stepTime(), OWN_STEP_TIME) : stepTime();
  }

  /** @param {any} message */
  showPresence(message) {
    const table = this.table.value;
    if (table) {
      const seats = table.seats.map((seat) => ({
        ...seat,
        ...message.seats.find((/** @type {any} */ one) => one.seat === seat.seat),
      }));
      this.table.value = { ...table, seats, watchers: message.watchers };
    }
    if (message.you) this.you.value = message.you;
    return 0;
  }

  /** Gives the own share in the shuffle when asked. @param {Table} table @param {You} you */
  async takePart(table, you) {
    const command = await takePart(table, you);
    const share = JSON.stringify(command);
    const again = share === this.share;
    this.share = share;
    if (command && !again) this.command(command);
  }

  /** @param {object} message */
  post(message) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  /**
   * Sends something that is to happen once, whatever the connection does.
   * @param {object} command
   */
  command(command) {
    const id = randomText(12);
    const message = { ...command, id };
    this.pending.set(id, message);
    this.post(message);
  }

  /** @param {string} move */
  decide(move) {
    if (this.sending.value) return;
    this.sending.value = true;
    this.refused.value = null;
    this.command({ type: "decide", move, seq: this.shown.value.seq });
  }

  takeBack() {
    this.command({ type: "take_back", seq: this.lastSeq });
  }

  askHint() {
    this.hint.value = "asked";
    this.hintId = HINT + randomText(12);
    // Not repeated after a lost connection: by then another question may be asked.
    this.post({ type: "hint", id: this.hintId });
  }

  forgetHint() {
    this.hint.value = null;
    this.hintId = "";
  }
}
