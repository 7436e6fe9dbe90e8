/**
 * Fair deals (docs/fairness.md): the own share in the shuffle, what this browser keeps of it, and
 * the check of the deal at the end. Nothing here asks the server for its opinion.
 */
import { randomText } from "./api.js";
import { sha256 } from "./sha256.js";

/**
 * @typedef {import("./types.js").View} View
 * @typedef {import("./types.js").Table} Table
 * @typedef {import("./types.js").Setup} Setup
 *
 * What was seen before the deal, and cannot be told otherwise afterwards.
 * @typedef {object} Kept
 * @property {string} seed the own one
 * @property {string} commitment of the server, seen before the own one was sent
 * @property {string} [seal] seen before the own seed was revealed
 * @property {boolean} [heldBack] the seal was not made of what had been seen: the seed stayed here
 * @property {Record<number, object>} [setups] what each own seat saw of the setup, by seat
 * @property {number} at
 */

export const SCHEME = "keltis-deal/2";
const NONE = "-";

// --- Being bound ---------------------------------------------------------------------------

const encoder = new TextEncoder();

/** In hex. @param {string} text */
export async function hash(text) {
  const digest = await sha256(encoder.encode(text));
  return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @param {(string | number)[]} all */
export const lines = (...all) => all.map((line) => `${line}\n`).join("");

/** @param {string} table @param {string} seed */
export const serverCommitment = (table, seed) => hash(`${SCHEME} server ${table} ${seed}`);

/** @param {string} table @param {string} seed */
export const playerCommitment = (table, seed) => hash(`${SCHEME} player ${table} ${seed}`);

/**
 * One text for all that is fixed before the first seed is revealed.
 * @param {string} table @param {string} game @param {string | number} first
 * @param {string} commitment of the server
 * @param {string[]} commitments of the places, "" for none
 */
export const sealOf = (table, game, first, commitment, commitments) =>
  hash(
    lines(
      `${SCHEME} seal`,
      table,
      game,
      commitments.length,
      first,
      commitment,
      ...commitments.map((each) => each || NONE),
    ),
  );

// --- Mixing and dealing --------------------------------------------------------------------

const COLOURS = [..."RYVGB"];
const CARDS = COLOURS.flatMap((colour) => Array.from({ length: 11 }, (_, n) => `${colour}${n}`));
const TILES = [..."1122233", ..."C".repeat(9), ..."W".repeat(9)];
/** The stones of each path that bear a tile. @type {Record<string, number[]>} */
const TILED = {
  R: [2, 3, 5, 7, 9],
  Y: [2, 4, 6, 7, 9],
  V: [3, 4, 6, 7, 9],
  G: [3, 5, 6, 7, 9],
  B: [2, 4, 5, 7, 9],
};
const HAND = 8;
const REMOVED_WITH_TWO = 30;
const WORDS = 2n ** 64n;

/**
 * The deal that follows from the seal and the seeds.
 * @param {string} game @param {string | number} first @param {string} seal
 * @param {string} serverSeed @param {(string | null)[]} seeds
 * @returns {Promise<{first: number, setup: Setup}>} `first`: the place that is seat 0
 */
export async function deal(game, first, seal, serverSeed, seeds) {
  const text = lines(`${SCHEME} deal`, seal, serverSeed, ...seeds.map((seed) => seed || NONE));
  return dealFrom(game, first, await sha256(encoder.encode(text)), seeds.length);
}

/**
 * The deal that follows from what was mixed.
 * @param {string} game @param {string | number} first @param {Uint8Array<ArrayBuffer>} mix
 * @param {number} players
 * @returns {Promise<{first: number, setup: Setup}>}
 */
export async function dealFrom(game, first, mix, players) {
  const source = words(mix);
  const start = first === "chance" ? await below(players, source) : Number(first);
  if (game === "stones") return { first: start, setup: { draw: await shuffled(CARDS, source) } };
  const deck = await shuffled(
    CARDS.flatMap((card) => [card, card]),
    source,
  );
  const tiles = await shuffled(TILES, source);
  const dealt = players * HAND;
  const draw = dealt + (players === 2 ? REMOVED_WITH_TWO : 0);
  const setup = {
    tiles: Object.fromEntries(
      COLOURS.map((path) => [
        path,
        Array.from({ length: 9 }, (_, i) =>
          TILED[path].includes(i + 1) ? /** @type {string} */ (tiles.shift()) : null,
        ),
      ]),
    ),
    hands: Array.from({ length: players }, (_, i) => deck.slice(i * HAND, (i + 1) * HAND)),
    draw: deck.slice(draw),
    removed: deck.slice(dealt, draw),
  };
  return { first: start, setup };
}

/**
 * Random words of 64 bits, one after the other.
 * @param {Uint8Array<ArrayBuffer>} mix
 * @returns {AsyncGenerator<bigint, never>}
 */
async function* words(mix) {
  const bytes = new Uint8Array(mix.length + 8);
  bytes.set(mix);
  for (let block = 0n; ; block += 1n) {
    new DataView(bytes.buffer).setBigUint64(mix.length, block);
    const view = new DataView((await sha256(bytes)).buffer);
    for (const at of [0, 8, 16, 24]) yield view.getBigUint64(at);
  }
}

/** An even number below n. @param {number} n @param {AsyncGenerator<bigint, never>} source */
async function below(n, source) {
  const count = BigInt(n);
  for (;;) {
    const word = (await source.next()).value;
    if (word < WORDS - (WORDS % count)) return Number(word % count);
  }
}

/** @param {string[]} items @param {AsyncGenerator<bigint, never>} source */
async function shuffled(items, source) {
  const pile = [...items];
  for (let i = pile.length - 1; i > 0; i -= 1) {
    const j = await below(i + 1, source);
    [pile[i], pile[j]] = [pile[j], pile[i]];
  }
  return pile;
}

// --- What is kept --------------------------------------------------------------------------

const STORE = "keltis-deal-";
const MOST_KEPT = 100;
/** For a browser that keeps nothing: until the page is left. @type {Map<string, Kept>} */
const memory = new Map();

/** @param {string} table @returns {Kept | null} */
export function kept(table) {
  try {
    const text = localStorage.getItem(STORE + table);
    if (text) return JSON.parse(text);
  } catch {
    // As if nothing had been kept there.
  }
  return memory.get(table) ?? null;
}

/** @param {string} table @param {Kept} what */
function keep(table, what) {
  memory.set(table, what);
  try {
    localStorage.setItem(STORE + table, JSON.stringify(what));
    const names = Object.keys(localStorage).filter((name) => name.startsWith(STORE));
    if (names.length <= MOST_KEPT) return;
    const at = (/** @type {string} */ name) => kept(name.slice(STORE.length))?.at ?? 0;
    names.sort((one, other) => at(one) - at(other));
    for (const name of names.slice(0, -MOST_KEPT)) localStorage.removeItem(name);
  } catch {
    // It is kept until the page is left.
  }
}

/**
 * What to send so that this browser has its share in the shuffle: first its commitment, later, when
 * everybody is bound, the seed. Null if nothing is asked, or if the seed must not be given away.
 * @param {Table} table
 * @param {import("./types.js").You} you
 * @returns {Promise<object | null>}
 */
export async function takePart(table, you) {
  const fair = table.fair;
  if (fair.scheme !== SCHEME) return null;
  let own = kept(table.id);
  if (you.may.commit) {
    if (!own) {
      own = { seed: randomText(32), commitment: fair.commitment, at: Date.now() };
      keep(table.id, own);
    }
    return { type: "commit", commitment: await playerCommitment(table.id, own.seed) };
  }
  if (!you.may.seed || !own || own.heldBack || !fair.player_commitments) return null;
  const mine = await playerCommitment(table.id, own.seed);
  // Seats are places until the deal. Another device may have been faster with its own share.
  if (!you.seats.some((seat) => fair.player_commitments?.[seat] === mine)) return null;
  if (!(await isSealed(table, own))) {
    keep(table.id, { ...own, heldBack: true });
    return null;
  }
  keep(table.id, { ...own, seal: /** @type {string} */ (fair.seal) });
  return { type: "seed", seed: own.seed };
}

/**
 * Whether the seal is made of what was seen before: only then the own seed may be known.
 * @param {Table} table @param {Kept} own
 */
async function isSealed(table, own) {
  const { commitment, player_commitments: bound, first, seal } = table.fair;
  if (!bound || commitment !== own.commitment || (own.seal && own.seal !== seal)) return false;
  return seal === (await sealOf(table.id, table.game, first, commitment, bound));
}

/** The first sight of the cards. @param {string} table @param {View[]} views */
export function keepSetup(table, views) {
  const own = kept(table);
  if (!own || own.setups) return;
  const seen = views.filter((view) => view.you !== null);
  if (!seen.length) return;
  keep(table, { ...own, setups: Object.fromEntries(seen.map((view) => [view.you, view.setup])) });
}

// --- The check -----------------------------------------------------------------------------

/**
 * - `proven`: the own seed is in the deal, and all else was bound before it was known
 * - `wrong`: something is not as it was promised
 * - `unproven`: nothing is wrong, but this browser has no share in it, for the `reason`
 * @typedef {object} Verdict
 * @property {"proven" | "wrong" | "unproven"} verdict
 * @property {"none" | "late" | "old" | null} reason
 * @property {[Check, boolean][]} checks
 * @property {string[]} silent players who did not reveal
 * @property {number} others places that were bound to a seed, beside an own one
 *
 * @typedef {"server" | "players" | "seal" | "deal" | "seen" | "own" | "game"} Check
 */

/**
 * Checks a record against what this browser kept and saw.
 * @param {any} record @param {Kept | null} own @param {View[]} views
 * @returns {Promise<Verdict>}
 */
export async function verify(record, own, views) {
  const fair = record.fair ?? {};
  /** @type {Verdict} */
  const found = { verdict: "unproven", reason: null, checks: [], silent: [], others: 0 };
  if (own?.heldBack) return { ...found, verdict: "wrong", checks: [["seal", false]] };
  if (fair.scheme !== SCHEME) {
    // Who had a share in it was never promised an old scheme.
    return own ? { ...found, verdict: "wrong" } : { ...found, reason: "old" };
  }
  const { table, commitment, first, server_seed: serverSeed } = fair;
  /** @type {string[]} */
  const bound = fair.player_commitments;
  /** @type {(string | null)[]} */
  const seeds = fair.player_seeds;
  const count = record.players.length;
  const whole =
    bound.length === count &&
    seeds.length === count &&
    bound.every((each, i) => (each === "" ? seeds[i] === "" : seeds[i] !== ""));
  const seal = await sealOf(table, record.game, first, commitment, bound);
  const revealed = await Promise.all(
    seeds.map(async (seed, i) => !seed || (await playerCommitment(table, seed)) === bound[i]),
  );
  const dealt = await deal(record.game, first, seal, serverSeed, seeds);
  found.checks.push(
    ["server", (await serverCommitment(table, serverSeed)) === commitment],
    ["players", whole && revealed.every(Boolean)],
    ["seal", fair.seal === seal],
    ["deal", same(dealt.setup, record.setup)],
    ["game", views.every((view) => isThisGame(record, view, own))],
  );
  found.silent = record.players.filter(
    (/** @type {string} */ _, /** @type {number} */ seat) =>
      seeds[(seat + dealt.first) % count] === null,
  );
  found.others = Math.max(0, bound.filter(Boolean).length - 1);
  if (own?.seal) {
    found.checks.push(["seen", own.seal === fair.seal && own.commitment === commitment]);
    const mine = await playerCommitment(table, own.seed);
    if (seeds.includes(own.seed)) found.checks.push(["own", bound.includes(mine)]);
    else if (bound.includes(mine)) found.reason = "late";
    else found.checks.push(["own", false]);
  } else found.reason = own ? "late" : "none";
  if (found.checks.some(([, ok]) => !ok)) found.verdict = "wrong";
  else if (!found.reason) found.verdict = "proven";
  return found;
}

/** @param {unknown} one @param {unknown} other @returns {boolean} */
export function same(one, other) {
  if (typeof one !== "object" || typeof other !== "object" || !one || !other) return one === other;
  const entries = Object.entries(one);
  return (
    entries.length === Object.keys(other).length &&
    entries.every(([name, value]) => same(value, /** @type {any} */ (other)[name]))
  );
}

/**
 * Whether a record tells the game that was seen: the same setup, the same decisions, and no card
 * from anywhere but where it lay.
 * @param {any} record @param {View} view at the end @param {Kept | null} own
 */
function isThisGame(record, view, own) {
  const { setup, moves, game } = record;
  if (view.game !== game || view.history.length !== moves.length) return false;
  if (view.history.some((step, i) => step.move !== moves[i])) return false;
  if (!same(view.players, record.players)) return false;
  const draw = [...setup.draw];
  if (game === "stones")
    return view.history.every((step) => step.move !== "?" || step.shown === draw.shift());
  const first = /** @type {any} */ ((view.you !== null && own?.setups?.[view.you]) || view.setup);
  if (!same(first.tiles, setup.tiles)) return false;
  if (view.you !== null && !same([...first.hand].sort(), [...setup.hands[view.you]].sort()))
    return false;
  /** @type {string[][]} */
  const hands = setup.hands.map((/** @type {string[]} */ hand) => [...hand]);
  /** @type {Record<string, string[]>} */
  const piles = Object.fromEntries(COLOURS.map((colour) => [colour, []]));
  return view.history.every(({ seat, move, shown }) => {
    const hand = hands[seat];
    const came = move === "?" ? draw.shift() : move[0] === "<" ? piles[move[1]].pop() : null;
    if (came !== null) {
      if (came === undefined) return false;
      hand.push(came);
      return seat === view.you ? shown === came : shown === undefined || shown === came;
    }
    const card = move.match(/^x?([RYVGB]\d+)$/)?.[1];
    if (!card) return true;
    const at = hand.indexOf(card);
    if (at < 0) return false;
    hand.splice(at, 1);
    if (move[0] === "x") piles[card[0]].push(card);
    return true;
  });
}
