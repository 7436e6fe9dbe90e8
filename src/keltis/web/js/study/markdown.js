/**
 * The little Markdown that the rules are written in: headings, paragraphs, lists, tables; bold,
 * italic, code. A comment such as <!-- B14 --> names the clause that ends there.
 */

/**
 * @typedef {object} Block
 * @property {"heading" | "text" | "list" | "table"} kind
 * @property {string} text of a heading or paragraph
 * @property {number} level of a heading
 * @property {boolean} ordered
 * @property {{text: string, clauses: string[]}[]} items of a list
 * @property {string[][]} cells of a table, its head first
 * @property {boolean[]} right columns of numbers
 * @property {string[]} clauses that end here
 */

const CLAUSE = /\s*<!--\s*([BS]\d+)\s*-->/g;

/** @param {string} text */
function takeClauses(text) {
  const clauses = [...text.matchAll(CLAUSE)].map((found) => found[1]);
  return { text: text.replace(CLAUSE, "").trim(), clauses };
}

/** @param {Partial<Block> & {kind: Block["kind"]}} part @returns {Block} */
const block = (part) => ({
  text: "",
  level: 0,
  ordered: false,
  items: [],
  cells: [],
  right: [],
  clauses: [],
  ...part,
});

/** @param {string} line */
const cellsOf = (line) =>
  line
    .trim()
    .replace(/^\||\|$/g, "")
    .split("|")
    .map((cell) => cell.trim());

/** @param {string} source @returns {Block[]} */
export function parse(source) {
  /** @type {Block[]} */
  const blocks = [];
  for (const part of source.trim().split(/\n\s*\n/)) {
    const lines = part.split("\n");
    const first = lines[0];
    const alone = takeClauses(part);
    if (!alone.text) {
      blocks.at(-1)?.clauses.push(...alone.clauses);
    } else if (first.startsWith("#")) {
      const level = first.search(/[^#]/);
      blocks.push(block({ kind: "heading", level, text: first.slice(level).trim() }));
    } else if (first.startsWith("|")) {
      const [head, line, ...rows] = lines.filter((each) => each.startsWith("|")).map(cellsOf);
      blocks.push(
        block({
          kind: "table",
          cells: [head, ...rows],
          right: line.map((each) => each.endsWith(":")),
          clauses: alone.clauses,
        }),
      );
    } else if (/^(-|\d+\.) /.test(first)) {
      const items = part
        .split(/\n(?=(?:-|\d+\.) )/)
        .map((item) => takeClauses(item.replace(/^(-|\d+\.) /, "").replace(/\s*\n\s*/g, " ")));
      blocks.push(
        block({ kind: "list", ordered: /^\d/.test(first), items, clauses: alone.clauses }),
      );
    } else {
      const { text, clauses } = takeClauses(part.replace(/\s*\n\s*/g, " "));
      blocks.push(block({ kind: "text", text, clauses }));
    }
  }
  return blocks;
}

/**
 * Marks in a line of text.
 * @param {string} text
 * @returns {{kind: "" | "b" | "i" | "code", text: string}[]}
 */
export function inline(text) {
  return text
    .split(/(\*\*[^*]+\*\*|\*[^*`]+\*(?!\*)|`[^`]+`)/)
    .filter(Boolean)
    .map((part) => {
      if (part.startsWith("**")) return { kind: "b", text: part.slice(2, -2) };
      if (part.startsWith("`")) return { kind: "code", text: part.slice(1, -1) };
      if (/^\*[^*]+\*$/.test(part)) return { kind: "i", text: part.slice(1, -1) };
      return { kind: "", text: part };
    });
}

/** Without accents and case, for searching. Keeps the length of the text. @param {string} text */
export const plain = (text) =>
  [...text].map((letter) => letter.normalize("NFD")[0].toLowerCase()[0] ?? letter).join("");
