/** Playing on from a position of a game that is over, against bots. */
import { html, useEffect, useState } from "../../vendor/index.js";
import { request, ServerError } from "../api.js";
import { faultWords } from "../faults.js";
import { botLevel } from "../games/plots.js";
import { t } from "../i18n.js";
import { go } from "../router.js";
import { playerName } from "../settings.js";
import { Select } from "../ui.js";
import { source } from "./load.js";

/**
 * @param {{table: string, record: any, step: number, seat: number, level: string | null}} props
 */
export function PlayOn({ table, record, step, seat, level }) {
  const [own, setOwn] = useState(seat);
  const [levels, setLevels] = useState(/** @type {string[]} */ ([]));
  const [against, setAgainst] = useState(level ?? "raven");
  const [fault, setFault] = useState("");
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    void request("bots").then(
      (answer) => setLevels(answer.levels.map((/** @type {{level: string}} */ one) => one.level)),
      () => {},
    );
  }, []);
  const start = async () => {
    setBusy(true);
    try {
      const name = playerName.value.trim() || t("name.default");
      const made = await request("review/play", {
        ...source(table, record),
        step,
        seat: own,
        level: against,
        name,
      });
      go(`table/${made.table}`);
    } catch (error) {
      setFault(error instanceof ServerError ? error.code : "internal");
      setBusy(false);
    }
  };
  const choices = levels.includes(against) ? levels : [against, ...levels];
  return html`
    <p>${t("review.play.text")}</p>
    <div class="settings">
      <${Select}
        label=${t("review.play.seat")}
        value=${String(own)}
        options=${Object.keys(record.players)}
        name=${(/** @type {string} */ one) => record.players[Number(one)]}
        onChange=${(/** @type {string} */ one) => setOwn(Number(one))}
      />
      <${Select}
        label=${t("review.play.level")}
        value=${against}
        options=${choices}
        name=${botLevel}
        onChange=${setAgainst}
      />
    </div>
    ${
      fault &&
      html`
        <p class="note" role="alert">${faultWords(fault)}</p>
      `
    }
    <p class="end-actions">
      <button type="button" class="button main" disabled=${busy} onClick=${start}>
        ${t("review.play.start")}
      </button>
    </p>
  `;
}
