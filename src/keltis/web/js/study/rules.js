/** The rules as text with pictures, and a search that leaves only the passages with its words. */
import { html, useEffect, useMemo, useRef, useState } from "../../vendor/index.js";
import { apiUrl, fetched } from "../api.js";
import { TileSymbol } from "../art.js";
import { needMessages, t, typeset } from "../i18n.js";
import { language } from "../settings.js";
import { Dialog, Icon } from "../ui.js";
import { FIGURES, SIGNS } from "./figures.js";
import { inline, parse, plain } from "./markdown.js";

await needMessages("study.");

/** @typedef {import("./markdown.js").Block} Block */

/** @param {string} game */
function useRules(game) {
  const [blocks, setBlocks] = useState(/** @type {Block[] | null} */ (null));
  const [lost, setLost] = useState(false);
  const wanted = language.value;
  useEffect(() => {
    let current = true;
    void fetched(apiUrl(`rules/${game}/${wanted}`))
      .then((answer) => answer.text())
      .then(
        (text) => current && setBlocks(parse(text)),
        () => current && setLost(true),
      );
    return () => {
      current = false;
    };
  }, [game, wanted]);
  return { blocks, lost: lost && !blocks };
}

/** @param {Block} block */
const textOf = (block) =>
  plain(
    [block.text, ...block.items.map((item) => item.text), ...block.cells.flat()]
      .join(" ")
      .replace(/[*`]/g, ""),
  );

/**
 * Which blocks stay: passages with all the words, and the headings above them.
 * @param {Block[]} blocks
 * @param {string[]} words
 */
function matching(blocks, words) {
  if (!words.length) return { shown: blocks.map(() => true), count: 0 };
  const shown = blocks.map(() => false);
  /** @type {number[]} */
  let above = [];
  let count = 0;
  blocks.forEach((block, i) => {
    if (block.kind === "heading")
      above = [...above.filter((k) => blocks[k].level < block.level), i];
    // Words in a heading count for all that stands under it.
    const text = [...above.map((k) => textOf(blocks[k])), textOf(block)].join(" ");
    const own = textOf(block);
    if (!words.every((word) => text.includes(word)) || !words.some((word) => own.includes(word)))
      return;
    if (block.kind !== "heading") count += 1;
    shown[i] = true;
    for (const k of above) if (blocks[k].level > 1) shown[k] = true;
    // A sentence that ends in a colon needs what follows it.
    if (block.kind === "text" && block.text.endsWith(":") && i + 1 < blocks.length)
      shown[i + 1] = true;
    if (block.kind === "table" && blocks[i - 1]?.kind === "text") shown[i - 1] = true;
  });
  return { shown, count };
}

/** Text with the searched words marked. @param {string} text @param {string[]} words */
function marked(text, words) {
  if (!words.length) return text;
  const flat = plain(text);
  const parts = [];
  let at = 0;
  while (at < text.length) {
    const hits = words
      .map((word) => ({ word, i: flat.indexOf(word, at) }))
      .filter((hit) => hit.i >= 0)
      .sort((a, b) => a.i - b.i || b.word.length - a.word.length);
    if (!hits.length) break;
    const { word, i } = hits[0];
    parts.push(
      text.slice(at, i),
      html`
        <mark>${text.slice(i, i + word.length)}</mark>
      `,
    );
    at = i + word.length;
  }
  return [...parts, text.slice(at)];
}

/** @param {{text: string, words: string[]}} props */
function Line({ text, words }) {
  return inline(text).map(({ kind, text: part }) => {
    const inside = marked(typeset(part), words);
    if (kind === "b")
      return html`
        <strong>${inside}</strong>
      `;
    if (kind === "i")
      return html`
        <em>${inside}</em>
      `;
    return kind === "code"
      ? html`
          <code>${part}</code>
        `
      : inside;
  });
}

/** @param {{block: Block, words: string[], anchor: string}} props */
function Passage({ block, words, anchor }) {
  const line = (/** @type {string} */ text) => html`
    <${Line} text=${text} words=${words} />
  `;
  if (block.kind === "heading") {
    if (block.level === 1)
      return html`
        <h1 class="rules-title">${line(block.text)}</h1>
      `;
    return block.level === 2
      ? html`
          <h2 id=${anchor} tabindex="-1">${line(block.text)}</h2>
        `
      : html`
          <h3 id=${anchor} tabindex="-1">${line(block.text)}</h3>
        `;
  }
  if (block.kind === "table") {
    const [head, ...rows] = block.cells;
    const side = (/** @type {number} */ i) => (block.right[i] ? "num" : "");
    return html`
      <div class="rules-table" tabindex="0" role="group" aria-label=${head.join(", ")}>
        <table>
          <thead>
            <tr>
              ${head.map(
                (cell, i) => html`
                  <th key=${i} scope="col" class=${side(i)}>${line(cell)}</th>
                `,
              )}
            </tr>
          </thead>
          <tbody>
            ${rows.map(
              (row, k) => html`
                <tr key=${k}>
                  ${row.map((cell, i) =>
                    i
                      ? html`
                          <td key=${i} class=${side(i)}>${line(cell)}</td>
                        `
                      : html`
                          <th key=${i} scope="row">${line(cell)}</th>
                        `,
                  )}
                </tr>
              `,
            )}
          </tbody>
        </table>
      </div>
    `;
  }
  if (block.kind === "list") {
    const items = block.items.map((item, i) => {
      const sign = item.clauses.map((clause) => SIGNS[clause]).find(Boolean);
      return html`
        <li key=${i} class=${sign ? "signed" : ""}>
          ${
            sign &&
            html`
              <${TileSymbol} tile=${sign} />
            `
          }${line(item.text)}
        </li>
      `;
    });
    return block.ordered
      ? html`
          <ol class="rules-list ordered">
            ${items}
          </ol>
        `
      : html`
          <ul class="rules-list">
            ${items}
          </ul>
        `;
  }
  return html`
    <p>${line(block.text)}</p>
  `;
}

/**
 * @param {object} props
 * @param {"board" | "stones"} props.game
 * @param {boolean} [props.small] in a dialog: the search has the focus, there are no contents
 */
export function RulesText({ game, small = false }) {
  const { blocks, lost } = useRules(game);
  const [query, setQuery] = useState("");
  const box = useRef(/** @type {HTMLInputElement | null} */ (null));
  const words = useMemo(
    () =>
      plain(query)
        .split(/\s+/)
        .filter((word) => word.length > 1 || /\d/.test(word)),
    [query],
  );
  const { shown, count } = useMemo(() => matching(blocks ?? [], words), [blocks, words]);
  useEffect(() => {
    if (small) box.current?.focus();
  }, []);
  // A link to a section: it is there only now.
  useEffect(() => {
    if (blocks && location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
  }, [blocks === null]);
  const anchor = (/** @type {number} */ i) => `${game}-${i}`;
  const jump = (/** @type {number} */ i) => (/** @type {Event} */ event) => {
    event.preventDefault();
    const target = document.getElementById(anchor(i));
    target?.scrollIntoView({ behavior: "smooth" });
    target?.focus({ preventScroll: true });
  };
  const contents = (blocks ?? [])
    .map((block, i) => ({ block, i }))
    .filter(({ block }) => block.kind === "heading" && block.level === 2);
  return html`
    <div class="rules ${small ? "small" : ""}">
      <div class="rules-search" role="search">
        <label>
          <span class="visually-hidden">${t("rules.search")}</span>
          <${Icon} name="search" />
          <input
            ref=${box}
            type="search"
            placeholder=${t("rules.search")}
            value=${query}
            autocomplete="off"
            onInput=${(/** @type {any} */ event) => setQuery(event.currentTarget.value)}
          />
          <span class="rules-count" role="status">
            ${words.length > 0 && blocks && count ? t("rules.found", { n: count }) : ""}
          </span>
        </label>
      </div>
      ${
        words.length > 0 &&
        blocks &&
        !count &&
        html`
          <p class="note" role="status">${t("rules.none")}</p>
        `
      }
      ${
        !small &&
        !words.length &&
        contents.length > 0 &&
        html`
          <nav class="rules-contents" aria-label=${t("rules.contents")}>
            <ol>
              ${contents.map(
                ({ block, i }) => html`
                  <li key=${i}>
                    <a href="rules/${game}#${anchor(i)}" onClick=${jump(i)}>
                      ${typeset(block.text)}
                    </a>
                  </li>
                `,
              )}
            </ol>
          </nav>
        `
      }
      ${
        lost &&
        html`
          <p class="note" role="alert">${t("error.other")}</p>
        `
      }
      <article class="rules-text" lang=${language.value}>
        ${(blocks ?? []).map((block, i) => {
          if (!shown[i] || (small && block.level === 1)) return null;
          const figures = words.length ? [] : block.clauses.filter((clause) => FIGURES[clause]);
          return html`
            <div key=${i} class="passage">
              <${Passage} block=${block} words=${words} anchor=${anchor(i)} />
              ${figures.map((clause) => FIGURES[clause]())}
            </div>
          `;
        })}
      </article>
    </div>
  `;
}

/**
 * The rules over the table.
 * @param {{game: "board" | "stones", open: boolean, onClose: () => void}} props
 */
export function RulesDialog({ game, open, onClose }) {
  return html`
    <${Dialog} open=${open} title=${t("rules")} onClose=${onClose} class="rules-dialog">
      <${RulesText} game=${game} small=${true} />
    <//>
  `;
}
