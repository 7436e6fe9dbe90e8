// All that the page uses of its libraries, from one place.
import { h } from "./preact.js";
import htm from "./htm.js";

export { Fragment, createPortal, h, render } from "./preact.js";
export { useEffect, useLayoutEffect, useMemo, useRef, useState, useId } from "./hooks.js";
export { batch, computed, effect, signal, untracked } from "./signals.js";
export const html = htm.bind(h);
