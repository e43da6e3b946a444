/**
 * The tokens as a list of ids and texts, linked to the colored text, and to copy.
 *
 * However long the list is, only the rows in sight are in the page.
 */

import { copyText } from "../shared/copying.js";
import { button, element, fill, number, plural } from "../shared/elements.js";
import { withSigns } from "../shared/marks.js";
import { sayToken } from "../shared/speak.js";
import { bytesOf } from "../shared/tokenization.js";

/** Browsers cut off elements higher than about 33 million pixels; beyond this, the scroll bar moves in larger steps. */
const HIGHEST = 10_000_000;
const SPARE_ROWS = 4;

/** @typedef {import("../shared/tokenization.js").TokenizationModel} Model */

/**
 * @param {object} on
 * @param {(i: number | null) => void} on.point
 * @param {(i: number) => void} on.select
 */
export function createIds(on) {
  /** @type {Model | null} */
  let model = null;
  let active = 0;
  let frame = 0;

  const rows = element("div", { class: "rows" });
  const list = element(
    "div",
    {
      class: "ids mono",
      role: "listbox",
      tabindex: 0,
      "aria-label": "Token ids, in the order of the text",
      scroll: drawSoon,
      keydown: pressed,
      pointerover: (/** @type {Event} */ event) => on.point(indexOf(event.target)),
      pointerleave: () => on.point(null),
      click: (/** @type {Event} */ event) => pick(indexOf(event.target)),
    },
    rows,
  );
  const copied = element("span", { class: "quiet", role: "status" });
  const fallback = element("textarea", {
    class: "mono",
    readonly: true,
    hidden: true,
    rows: 3,
    "aria-label": "The ids, to copy by hand",
  });
  const node = element(
    "section",
    { class: "ids-view", "aria-label": "Token ids" },
    element(
      "div",
      { class: "row" },
      button("copy as Python list", () => copy(", ")),
      button("copy as JSON", () => copy(",")),
      copied,
    ),
    fallback,
    list,
  );
  const resized = new ResizeObserver(drawSoon);
  resized.observe(list);

  function drawSoon() {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(draw);
  }

  function layout() {
    return layoutOf(model?.n ?? 0, 2.75 * parseFloat(getComputedStyle(document.documentElement).fontSize));
  }

  function draw() {
    if (!model || !list.isConnected) return;
    const { first, end, at } = rowsInSight(model.n, list.scrollTop, list.clientHeight, layout());
    fill(rows, ...Array.from({ length: end - first }, (_, row) => entry(first + row, at(first + row))));
    if (first <= active && active < end) list.setAttribute("aria-activedescendant", `id-${active}`);
    else list.removeAttribute("aria-activedescendant");
  }

  /** @param {number} i @param {number} top */
  function entry(i, top) {
    const shown = /** @type {Model} */ (model);
    const { n, ids } = shown;
    const made = element(
      "div",
      {
        class: i === active ? "entry active" : "entry",
        id: `id-${i}`,
        role: "option",
        "aria-selected": String(i === active),
        "aria-posinset": i + 1,
        "aria-setsize": n,
        "aria-label": `${ids[i]}, ${sayToken(shown, i)}`,
        "data-index": i,
      },
      element("span", { class: "place quiet" }, number(i + 1)),
      element("span", { class: "id" }, String(ids[i])),
      element("span", { class: "token-text" }, textOf(shown, i)),
    );
    made.style.transform = `translateY(${top}px)`;
    return made;
  }

  /** @param {KeyboardEvent} event */
  function pressed(event) {
    if (!model) return;
    /** @type {Record<string, number>} */
    const to = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      Home: 0,
      End: model.n - 1,
      PageDown: active + 10,
      PageUp: active - 10,
      Enter: active,
    };
    if (!(event.key in to) || !model.n) return;
    event.preventDefault();
    pick(Math.max(0, Math.min(model.n - 1, to[event.key])));
  }

  /** @param {number | null} i */
  function pick(i) {
    if (i === null) return;
    mark(i);
    on.select(i);
  }

  /** Make a token the active one, and bring it into sight. @param {number} i */
  function mark(i) {
    active = i;
    const { rowHeight, squeezed } = layout();
    const top = (i * rowHeight) / squeezed;
    if (top < list.scrollTop) list.scrollTop = top;
    else if (top + rowHeight > list.scrollTop + list.clientHeight) list.scrollTop = top + rowHeight - list.clientHeight;
    drawSoon();
  }

  /** @param {string} separator */
  async function copy(separator) {
    if (!model) return;
    const text = `[${model.ids.join(separator)}]`;
    const done = await copyText(text, fallback);
    fallback.hidden = done;
    fill(
      copied,
      done
        ? `${plural(model.n, "id")} copied`
        : "Your browser did not copy. The ids are selected below: copy them yourself.",
    );
    if (done) fallback.value = "";
    else fallback.select();
  }

  return {
    node,
    mark,
    /** @param {Model} shown */
    show(shown) {
      model = shown;
      active = Math.min(active, Math.max(0, model.n - 1));
      rows.style.height = `${layout().high}px`;
      fill(copied);
      drawSoon();
    },
    dispose() {
      cancelAnimationFrame(frame);
      resized.disconnect();
    },
  };
}

/**
 * How high the list is, and how many rows' heights one pixel of scrolling stands for.
 *
 * @param {number} n how many rows
 * @param {number} rowHeight in pixels
 */
export function layoutOf(n, rowHeight) {
  const high = n * rowHeight;
  return { rowHeight, high: Math.min(high, HIGHEST), squeezed: Math.max(1, high / HIGHEST) };
}

/**
 * The rows that are in sight, and a few on either side.
 *
 * @param {number} n how many there are
 * @param {number} top how far the list is scrolled
 * @param {number} height how much of it is seen
 * @param {ReturnType<typeof layoutOf>} layout
 * @returns {{first: number, end: number, at: (i: number) => number}} `at`: where row i begins, in the list's own pixels
 */
export function rowsInSight(n, top, height, { rowHeight, squeezed }) {
  const first = Math.max(0, Math.floor((top * squeezed) / rowHeight) - SPARE_ROWS);
  const end = Math.min(n, first + Math.ceil(height / rowHeight) + 2 * SPARE_ROWS);
  return { first, end, at: (i) => top + i * rowHeight - top * squeezed };
}

/** A token's text, or its bytes where it cuts a character. @param {Model} model @param {number} i */
export function textOf(model, i) {
  const { text, starts, inside } = model;
  if (!model.byteLengths[i]) return model.meta.rewriting?.length ? "no bytes" : "end of word";
  return inside[i] || inside[i + 1] ? bytesOf(model, i) : withSigns(text.slice(starts[i], starts[i + 1]));
}

/** @param {EventTarget | null} target @returns {number | null} */
function indexOf(target) {
  const entry = target instanceof Element && target.closest("[data-index]");
  return entry instanceof HTMLElement ? Number(entry.dataset.index) : null;
}
