/** The rules over a table, loaded when they are first asked for. */
import { html, useEffect, useState } from "../../vendor/index.js";

/** @param {{game: "board" | "stones", open: boolean, onClose: () => void}} props */
export function RulesOverlay({ game, open, onClose }) {
  const [show, setShow] = useState(/** @type {unknown} */ (null));
  useEffect(() => {
    if (open && !show)
      void import("./rules.js").then((module) => setShow(() => module.RulesDialog));
  }, [open]);
  return (
    show &&
    html`
      <${show} game=${game} open=${open} onClose=${onClose} />
    `
  );
}
