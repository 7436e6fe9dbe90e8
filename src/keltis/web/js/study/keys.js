/** Keys of a page on which nothing is typed. */
import { useLayoutEffect } from "../../vendor/index.js";
import { shortcuts } from "../settings.js";

/**
 * @param {Record<string, () => void>} keys
 * @param {Record<string, () => void>} [letters] single letters, which can be switched off
 */
export function usePageKeys(keys, letters = {}) {
  useLayoutEffect(() => {
    const press = (/** @type {KeyboardEvent} */ event) => {
      if (event.metaKey || event.ctrlKey || event.altKey) return;
      if (
        event.target instanceof HTMLElement &&
        event.target.closest("input:not([type=checkbox]), select, textarea, dialog")
      )
        return;
      const act =
        keys[event.key] ?? (shortcuts.value ? letters[event.key.toLowerCase()] : undefined);
      if (!act) return;
      act();
      event.preventDefault();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  });
}
