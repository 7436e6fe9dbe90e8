/**
 * The check of a day (docs/days.md): its link leads to the anchor, and a game's deal follows from
 * the link. Nothing here asks the server for its opinion.
 */
import { dealFrom, hash, lines, same } from "../fair.js";

const SCHEME = "keltis-day/1";
const GIVEN_SCHEME = "keltis-deal/3";
const LENGTH = 36_525; // days
const DAY = 86_400_000; // milliseconds

/** What a link hashes to: the link of the day before, at last the anchor. @param {string} link */
const following = (link) => hash(`${SCHEME} link ${link}`);

/**
 * Whether a link is that of a day in the chain that ends at an anchor. How many hashes are between
 * them follows from the date in the anchor: a server cannot call any link that of the day.
 * @param {string} link @param {string} anchor @param {string} day
 */
export async function leadsTo(link, anchor, day) {
  const [first, end] = anchor.split(":");
  const number = (Date.parse(day) - Date.parse(first)) / DAY;
  if (!(number >= 0 && number < LENGTH)) return false;
  let reached = link;
  for (let i = 0; i <= number; i += 1) reached = await following(reached);
  return reached === end;
}

/**
 * Whether a record's cards and seats are those that follow from its day's link.
 * @param {any} record @param {string} link
 * @param {string} day @param {import("./days.js").Deal} deal
 */
export async function followsFrom(record, link, day, { deal, game, bot }) {
  const mix = await hash(lines(`${SCHEME} deal`, link, day, game, bot));
  const bytes = Uint8Array.from(mix.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
  const dealt = await dealFrom(game, "chance", bytes, 2);
  const { fair } = record;
  return (
    record.game === game &&
    fair.deal === deal &&
    fair.server_seed === mix &&
    fair.commitment === (await hash(`${GIVEN_SCHEME} ${deal} ${mix}`)) &&
    same(dealt.setup, record.setup) &&
    // The person has the first place, the bot the second.
    record.players[1 - dealt.first]?.toLowerCase() === bot
  );
}
