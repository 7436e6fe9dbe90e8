/** The rules of both games, with pictures and a search. */
import { html, useEffect } from "../../vendor/index.js";
import { t } from "../i18n.js";
import { RulesText } from "../study/rules.js";
import { Header, Icon } from "../ui.js";

const GAMES = /** @type {const} */ (["board", "stones"]);

/** @param {{rest: string[]}} props */
export default function RulesPage({ rest }) {
  const game = GAMES.find((one) => one === rest[0]) ?? "board";
  useEffect(() => {
    document.title = `${t("rules")}: ${t(`game.${game}`)} · Keltis`;
  });
  return html`
    <${Header} />
    <main class="page study rules-page" tabindex="-1">
      <nav class="game-tabs" aria-label=${t("start.game")}>
        ${GAMES.map(
          (one) => html`
            <a key=${one} href="rules/${one}" aria-current=${one === game ? "page" : undefined}>
              ${t(`game.${one}`)}
            </a>
          `,
        )}
      </nav>
      <${RulesText} key=${game} game=${game} />
      <p class="rules-foot">
        <a class="button main" href="learn/${game}">
          <${Icon} name="play" />
          ${t("rules.lesson")}
        </a>
      </p>
    </main>
  `;
}
