/** A whole game as a row of positions, and records in links. */
import { request } from "../api.js";

/**
 * @typedef {import("../types.js").View} View
 * @typedef {import("../types.js").Step} Step
 * @typedef {{step: Step, hands?: Record<string, string[]>, legal: string[]}} Changed
 * @typedef {Changed & Partial<View>} Change
 * @typedef {(string[] | null)[] | null} Hands by seat; null is a hand that nobody may see
 * @typedef {{view: View, hands: Hands, legal: string[], steps: Change[]}} Answer of a replay
 */

export class Film {
  /** @param {Answer} answer */
  constructor(answer) {
    /** @type {{view: View, hands: Hands}[]} */
    this.positions = [{ view: answer.view, hands: answer.hands }];
    /** @type {Step[]} */
    this.steps = answer.steps.map((change) => change.step);
    for (const { step: _, hands: changed, legal: __, ...rest } of answer.steps) {
      const { view, hands } = /** @type {{view: View, hands: Hands}} */ (this.positions.at(-1));
      this.positions.push({
        view: /** @type {View} */ ({ ...view, ...rest }),
        hands: hands && changed ? hands.map((hand, seat) => changed[seat] ?? hand) : hands,
      });
    }
    /** Moves that are legal at each position, for the seat that decides. */
    this.legal = [answer.legal, ...answer.steps.map((change) => change.legal)];
    this.last = this.steps.length;
  }

  /** Positions at which a turn begins, the end too. */
  get turns() {
    return this.positions.flatMap(({ view }, i) =>
      i === 0 || i === this.last || view.seat !== this.positions[i - 1].view.seat ? [i] : [],
    );
  }

  /**
   * A position as it is shown: with a seat at the front, its hand open or not.
   * @param {number} index @param {number} front @param {boolean} open
   * @returns {View}
   */
  shown(index, front, open) {
    const { view, hands } = this.positions[index];
    const steps = this.steps.slice(0, index);
    const history =
      open || view.game === "stones"
        ? steps
        : steps.map((step) => (step.move === "?" ? { seat: step.seat, move: step.move } : step));
    return /** @type {View} */ ({
      ...view,
      history,
      you: front,
      ...(hands ? { hand: (open && hands[front]) || [] } : {}),
    });
  }

  /**
   * A position as a seat saw it: its own hand, and nothing that others drew unseen.
   * @param {number} index @param {number} seat
   * @returns {View}
   */
  own(index, seat) {
    const shown = this.shown(index, seat, true);
    const view = { ...shown, legal_moves: shown.seat === seat ? this.legal[index] : [] };
    if (view.game === "stones") return view;
    const history = view.history.map((step) =>
      step.move === "?" && step.seat !== seat ? { seat: step.seat, move: step.move } : step,
    );
    return { ...view, history };
  }
}

/** @param {object} record @returns {Promise<Film>} */
export const filmOf = async (record) => new Film(await request("replay", record));

/** @param {ReadableStream<Uint8Array>} stream */
const bytesOf = async (stream) => new Uint8Array(await new Response(stream).arrayBuffer());

/** A record as text for an address: what replaying needs, deflated. @param {any} record */
export async function packRecord(record) {
  const { format, game, options, players, setup, moves, result, resigned, position } = record;
  const kept = format
    ? { format, game, options, players, setup, moves, result, resigned }
    : { position };
  const text = JSON.stringify(kept);
  const packed = await bytesOf(
    new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw")),
  );
  return btoa(String.fromCharCode(...packed))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/** Bytes of a record; the server takes no more. */
export const LARGEST = 256 * 1024;

/** @param {string} text of packRecord @returns {Promise<object>} */
export async function unpackRecord(text) {
  const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) =>
    letter.charCodeAt(0),
  );
  const reader = new Blob([bytes])
    .stream()
    .pipeThrough(new DecompressionStream("deflate-raw"))
    .getReader();
  const decoder = new TextDecoder();
  let found = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    found += decoder.decode(part.value, { stream: true });
    if (found.length > LARGEST) throw new Error("too large");
  }
  return JSON.parse(found);
}
