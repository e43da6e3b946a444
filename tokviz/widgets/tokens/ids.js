/**
 * The tokens as a list of ids and texts, linked to the colored text, that can be copied.
 *
 * The list is virtual: only the visible rows are in the page.
 */

import { copyText } from "../shared/dom/copying.js";
import { button, element, fill, number, plural } from "../shared/dom/elements.js";
import { withSigns } from "../shared/text/marks.js";
import { sayToken } from "../shared/text/speak.js";
import { bytesOf } from "../shared/text/tokenization.js";

/** Maximum height in pixels, beyond which scrolling is scaled: browsers clip elements at about 33 million pixels. */
const MAX_HEIGHT = 10_000_000;
const SPARE_ROWS = 4;

/** @typedef {import("../shared/text/tokenization.js").TokenizationModel} Model */

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
      keydown: handleKey,
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
  const resizeObserver = new ResizeObserver(drawSoon);
  resizeObserver.observe(list);

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
    const option = element(
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
    option.style.transform = `translateY(${top}px)`;
    return option;
  }

  /** @param {KeyboardEvent} event */
  function handleKey(event) {
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

  /** Make a token the active one and scroll it into view. @param {number} i */
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
      resizeObserver.disconnect();
    },
  };
}

/**
 * Return the list's height, and how many pixels of rows one pixel of scrolling moves.
 *
 * @param {number} n number of rows
 * @param {number} rowHeight in pixels
 */
export function layoutOf(n, rowHeight) {
  const high = n * rowHeight;
  return { rowHeight, high: Math.min(high, MAX_HEIGHT), squeezed: Math.max(1, high / MAX_HEIGHT) };
}

/**
 * Return the visible rows, and a few on either side.
 *
 * @param {number} n number of rows
 * @param {number} top scroll offset in pixels
 * @param {number} height visible height in pixels
 * @param {ReturnType<typeof layoutOf>} layout
 * @returns {{first: number, end: number, at: (i: number) => number}} `at`: the top of row i in pixels within the list
 */
export function rowsInSight(n, top, height, { rowHeight, squeezed }) {
  const first = Math.max(0, Math.floor((top * squeezed) / rowHeight) - SPARE_ROWS);
  const end = Math.min(n, first + Math.ceil(height / rowHeight) + 2 * SPARE_ROWS);
  return { first, end, at: (i) => top + i * rowHeight - top * squeezed };
}

/** A token's text, or its bytes if it cuts a character. @param {Model} model @param {number} i */
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
