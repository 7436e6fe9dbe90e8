/**
 * Dragging with mouse, pen or finger. What can be dragged has `data-drag`, where it can be dropped
 * has `data-drop`; `resolve` says which move a pair of them means, or null.
 */
import { useEffect, useRef } from "../vendor/index.js";

const THRESHOLD = 7;

/**
 * @param {{current: HTMLElement | null}} area
 * @param {{resolve: (drag: string, drop: string) => string | null, drop: (move: string) => void,
 *   lift?: (drag: string) => void}} how
 */
export function useDrag(area, how) {
  // What a drag means is asked when it happens; the listeners stay while the page renders anew.
  const latest = useRef(how);
  latest.current = how;
  useEffect(() => {
    const element = area.current;
    if (!element) return undefined;
    /**
     * @type {null | {
     *   id: number, drag: string, source: Element, x: number, y: number,
     *   clone: HTMLElement | null, dx: number, dy: number,
     * }}
     */
    let now = null;
    /** @type {Element | null} */
    let over = null;
    let frame = 0;
    let pointer = { x: 0, y: 0 };

    /** @param {number} x @param {number} y */
    const zoneAt = (x, y) => {
      if (!now) return null;
      for (const found of document.elementsFromPoint(x, y)) {
        const zone = found.closest("[data-drop]");
        if (zone && latest.current.resolve(now.drag, zone.getAttribute("data-drop") ?? ""))
          return zone;
      }
      return null;
    };

    const follow = () => {
      frame = 0;
      if (!now?.clone) return;
      const [x, y] = [pointer.x - now.dx, pointer.y - now.dy];
      now.clone.style.transform = `translate(${x}px, ${y}px) scale(1.08)`;
      const zone = zoneAt(pointer.x, pointer.y);
      if (zone !== over) {
        over?.classList.remove("drag-over");
        zone?.classList.add("drag-over");
        over = zone;
      }
    };

    /** @param {PointerEvent} event */
    const down = (event) => {
      const source = event.target instanceof Element ? event.target.closest("[data-drag]") : null;
      if (!source || event.button || now) return;
      now = {
        id: event.pointerId,
        drag: source.getAttribute("data-drag") ?? "",
        source,
        x: event.clientX,
        y: event.clientY,
        clone: null,
        dx: 0,
        dy: 0,
      };
    };

    /** @param {PointerEvent} event */
    const move = (event) => {
      if (!now || event.pointerId !== now.id) return;
      pointer = { x: event.clientX, y: event.clientY };
      if (!now.clone) {
        if (Math.hypot(event.clientX - now.x, event.clientY - now.y) < THRESHOLD) return;
        const rect = now.source.getBoundingClientRect();
        now.clone = cloneOf(now.source, rect);
        now.dx = now.x - rect.left;
        now.dy = now.y - rect.top;
        now.source.classList.add("dragged");
        element.classList.add("dragging");
        latest.current.lift?.(now.drag);
      }
      event.preventDefault();
      frame ||= requestAnimationFrame(follow);
    };

    /** @param {PointerEvent} event */
    const up = (event) => {
      if (!now || event.pointerId !== now.id) return;
      const { clone, drag, source } = now;
      if (clone) {
        const zone = event.type === "pointerup" ? zoneAt(event.clientX, event.clientY) : null;
        const meant = zone && latest.current.resolve(drag, zone.getAttribute("data-drop") ?? "");
        clone.remove();
        source.classList.remove("dragged");
        element.classList.remove("dragging");
        over?.classList.remove("drag-over");
        over = null;
        // The click that follows a drag is not meant.
        const swallow = (/** @type {Event} */ click) => {
          click.stopPropagation();
          click.preventDefault();
        };
        addEventListener("click", swallow, { capture: true, once: true });
        setTimeout(() => removeEventListener("click", swallow, { capture: true }), 50);
        if (meant) latest.current.drop(meant);
      }
      now = null;
    };

    element.addEventListener("pointerdown", down);
    addEventListener("pointermove", move, { passive: false });
    addEventListener("pointerup", up);
    addEventListener("pointercancel", up);
    return () => {
      element.removeEventListener("pointerdown", down);
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", up);
      removeEventListener("pointercancel", up);
      cancelAnimationFrame(frame);
      now?.clone?.remove();
    };
  }, []);
}

/** @param {Element} source @param {DOMRect} rect */
function cloneOf(source, rect) {
  const clone = document.createElement("div");
  clone.className = "drag-clone";
  clone.setAttribute("aria-hidden", "true");
  clone.style.width = `${rect.width}px`;
  clone.style.height = `${rect.height}px`;
  if (source instanceof SVGGElement) {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    const box = source.getBBox();
    svg.setAttribute("viewBox", `${box.x} ${box.y} ${box.width} ${box.height}`);
    svg.setAttribute("width", "100%");
    svg.setAttribute("height", "100%");
    const copy = /** @type {SVGGElement} */ (source.cloneNode(true));
    copy.style.transform = "none";
    svg.append(copy);
    clone.append(svg);
  } else {
    clone.append(...[...source.cloneNode(true).childNodes]);
  }
  document.body.append(clone);
  return clone;
}
