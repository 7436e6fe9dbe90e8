/** Bots to play against: their names, and the gentlest of them for a first game. */
import { request } from "./api.js";
import { t } from "./i18n.js";
import { go } from "./router.js";
import { playerName } from "./settings.js";

/** Celtic, and the same in every language. */
const BOT_NAMES = [
  "Aoife",
  "Brigid",
  "Cormac",
  "Deirdre",
  "Eithne",
  "Fergus",
  "Gráinne",
  "Lugh",
  "Macha",
  "Niamh",
  "Nuala",
  "Oisín",
  "Rónán",
  "Sorcha",
  "Tadhg",
  "Una",
];

/** Names that nobody at the table has, in any order. @param {string[]} others */
export function botNames(others) {
  const free = BOT_NAMES.filter((name) => !others.includes(name));
  for (let i = free.length - 1; i > 0; i -= 1) {
    const j = Math.floor(Math.random() * (i + 1));
    [free[i], free[j]] = [free[j], free[i]];
  }
  return free;
}

/**
 * The seats of a listed table that are not one's own; all, if there are no others.
 * @param {import("./types.js").TableSummary} table
 */
export function othersAt({ seats, your_seats: own = [] }) {
  return own.length < seats.length ? seats.filter((_, seat) => !own.includes(seat)) : seats;
}

/** A game against the gentlest bot, at once. @param {"board" | "stones"} game */
export async function playGently(game) {
  const name = playerName.value.trim() || t("name.default");
  const [bot] = botNames([name]);
  const seats = [
    { who: "me", name },
    { who: "bot", level: "fawn", name: bot },
  ];
  const made = await request("tables", { game, seats, first: 0, practice: true });
  go(`table/${made.table}`);
}
