/**
 * The aligned view: the text once, and under each of its rows one band per tokenizer, with each block exactly under its
 * characters. Where all tokenizers cut alike, the blocks are faint; where they differ, the blocks show their text.
 *
 * The text is divided into staffs of a few lines. All staffs have their text in the page; only those near the viewport
 * have their bands. The view needs only columns, so it works without a server. For a screen reader it is a single
 * labeled group, navigated with the arrow keys; the table of differences gives the same content as text.
 */

import { cutText } from "../shared/text/tokenization.js";
import { placeOf } from "./model.js";
import { element, fill } from "../shared/dom/elements.js";
import { printedOf, rowsOf, sayUnprinted } from "./printing.js";
import { Staff } from "./staff.js";

/** @typedef {import("./model.js").Comparison} Comparison */

/** Distance beyond the viewport in which bands are drawn, in pixels. */
const MARGIN = 800;
/** Maximum drawing time per frame, in milliseconds. */
const MAX_DRAWING_MS = 10;
/** Text drawn immediately after a change, in UTF-16 units; the rest is drawn in later frames. */
const DRAWN_IMMEDIATELY = 3000;
/** Approximate width of a character, in pixels; used to estimate heights. */
const CHARACTER_WIDTH = 11;

/** @type {Record<string, "next" | "previous" | "first" | "last" | "leave">} */
const KEYS = {
  ArrowRight: "next",
  ArrowDown: "next",
  ArrowLeft: "previous",
  ArrowUp: "previous",
  Home: "first",
  End: "last",
  Escape: "leave",
};

/**
 * @param {HTMLElement} root
 * @param {object} on
 * @param {(segment: number | null) => void} on.point
 * @param {(segment: number) => void} on.select
 * @param {(where: "next" | "previous" | "first" | "last" | "leave") => void} on.walk
 */
export function createScore(root, on) {
  /** @type {Comparison | null} */
  let comparison = null;
  /** @type {Staff[]} */
  let staffs = [];
  /** @type {WeakMap<Element, Staff>} */
  const owners = new WeakMap();
  /** @type {{pointed: number | null, chosen: number | null}} */
  const highlighted = { pointed: null, chosen: null };
  let frame = 0;
  let size = "";
  const aborter = new AbortController();

  const content = document.createElement("div");
  content.className = "staffs marks";
  content.setAttribute("aria-hidden", "true");
  const scroller = document.createElement("div");
  scroller.className = "score";
  scroller.tabIndex = 0;
  scroller.setAttribute("role", "group");
  const printed = document.createElement("div");
  printed.className = "printed marks";
  printed.setAttribute("aria-hidden", "true");
  scroller.append(content, printed);
  root.append(scroller);

  const listen = (/** @type {string} */ event, /** @type {(event: any) => void} */ listener) =>
    scroller.addEventListener(event, listener, { signal: aborter.signal });
  listen("pointermove", (event) => event.pointerType !== "touch" && point(segmentUnder(event)));
  listen("pointerleave", () => point(null));
  listen("click", (event) => {
    const segment = segmentUnder(event);
    if (segment !== null) on.select(segment);
  });
  listen("keydown", (event) => {
    const where = KEYS[event.key];
    if (!where || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    on.walk(where);
  });

  const observer = new IntersectionObserver(observed, { root: scroller, rootMargin: `${MARGIN}px 0px` });
  const resizing = new ResizeObserver(() => resized());
  resizing.observe(scroller);
  resizing.observe(content);
  window.addEventListener("beforeprint", layOutForPrint, { signal: aborter.signal });
  window.addEventListener("afterprint", () => printed.replaceChildren(), { signal: aborter.signal });
  // A font that loads late changes all widths.
  document.fonts.addEventListener("loadingdone", redraw, { signal: aborter.signal });

  // Showing a comparison

  /** @param {Comparison} shown @param {string} [lang] language of the text, if known */
  function show(shown, lang = "") {
    comparison = shown;
    if (content.lang !== lang) content.lang = lang;
    scroller.style.setProperty("--bands", String(shown.names.length));
    const count = shown.differing.length;
    const says = count === 1 ? "1 difference" : `${count.toLocaleString("en-US")} differences`;
    scroller.setAttribute("aria-label", `Aligned view: ${says}. Arrow keys go from one to the next.`);
    highlighted.pointed = highlighted.chosen = null;
    restaff(shown.text);
    let budget = DRAWN_IMMEDIATELY;
    for (const staff of staffs) {
      staff.drawn = false;
      if (!staff.near || budget <= 0) continue;
      budget -= staff.text.length;
      staff.draw(shown);
    }
    drawSome();
  }

  /** Divide a new text into staffs, keeping the elements of unchanged staffs at both ends. @param {string} text */
  function restaff(text) {
    const ends = cutText(text, 0, text.length);
    const texts = ends.map((end, k) => text.slice(ends[k - 1] ?? 0, end));
    const old = staffs;
    let head = 0;
    while (head < old.length && head < texts.length && old[head].text === texts[head]) head++;
    let tail = 0;
    const maxTail = Math.min(old.length, texts.length) - head;
    while (tail < maxTail && old[old.length - 1 - tail].text === texts[texts.length - 1 - tail]) tail++;
    const replaced = old.slice(head, old.length - tail);
    const fresh = texts.slice(head, texts.length - tail).map((staffText, k) => newStaff(staffText, replaced[k]?.near ?? k < 3));
    for (const staff of replaced) drop(staff);
    const anchor = old[old.length - tail]?.element ?? null;
    for (const staff of fresh) content.insertBefore(staff.element, anchor);
    staffs = [...old.slice(0, head), ...fresh, ...old.slice(old.length - tail)];
    let at = 0;
    for (const staff of staffs) {
      staff.from = at;
      at += staff.text.length;
    }
  }

  /** @param {string} text @param {boolean} near */
  function newStaff(text, near) {
    const staff = new Staff(text, 0);
    staff.element.style.setProperty("--rows", String(guessRows(text)));
    staff.element.classList.toggle("near", near);
    staff.near = near;
    owners.set(staff.element, staff);
    observer.observe(staff.element);
    return staff;
  }

  /** Estimate the rows of a text, to keep the scroll bar steady. @param {string} text */
  function guessRows(text) {
    const columns = Math.max(10, (scroller.clientWidth || 800) / CHARACTER_WIDTH - 12);
    const lines = text.replace(/\n$/, "").split("\n");
    return lines.reduce((rows, line) => rows + Math.max(1, Math.ceil(line.length / columns)), 0);
  }

  /** @param {Staff} staff */
  function drop(staff) {
    observer.unobserve(staff.element);
    staff.element.remove();
  }

  /** @param {IntersectionObserverEntry[]} entries */
  function observed(entries) {
    for (const { target, isIntersecting } of entries) {
      const staff = owners.get(target);
      if (!staff) continue;
      staff.near = isIntersecting;
      staff.element.classList.toggle("near", isIntersecting);
      if (!isIntersecting) staff.clear();
    }
    drawSome();
  }

  /** Draw staffs near the viewport that have no bands yet, for a limited time per frame. */
  function drawSome() {
    cancelAnimationFrame(frame);
    if (!comparison) return;
    const begun = performance.now();
    for (const staff of staffs) {
      if (!staff.near || staff.drawn) continue;
      if (performance.now() - begun > MAX_DRAWING_MS) {
        frame = requestAnimationFrame(drawSome);
        break;
      }
      staff.draw(comparison);
    }
    updateHighlights();
  }

  function redraw() {
    for (const staff of staffs) staff.drawn = false;
    drawSome();
  }

  function resized() {
    const now = `${scroller.clientWidth} ${getComputedStyle(scroller).fontSize}`;
    if (now === size) return;
    size = now;
    redraw();
  }

  /** Lay out the printed rows at the width of paper. */
  function layOutForPrint() {
    if (!comparison || scroller.hidden) return;
    scroller.classList.add("for-paper");
    const rows = [];
    const shown = printedOf(staffs);
    for (const staff of shown) {
      staff.element.classList.add("near");
      staff.draw(comparison);
      rows.push(...rowsOf(staff));
    }
    printed.lang = content.lang;
    const unprinted = sayUnprinted(comparison.text, shown.at(-1)?.to ?? 0);
    fill(printed, unprinted ? element("p", { class: "unprinted" }, unprinted) : null, ...rows);
    scroller.classList.remove("for-paper");
    for (const staff of staffs) {
      staff.element.classList.toggle("near", staff.near);
      if (!staff.near) staff.clear();
    }
    redraw();
  }

  // Pointing and selecting

  /** @param {PointerEvent | MouseEvent} event @returns {number | null} */
  function segmentUnder(event) {
    const element = /** @type {Element} */ (event.target).closest(".staff");
    if (!element) return null;
    const { left, top } = element.getBoundingClientRect();
    return owners.get(element)?.blockAt(event.clientX - left, event.clientY - top)?.segment ?? null;
  }

  /** @param {number | null} segment */
  function point(segment) {
    if (segment === highlighted.pointed) return;
    highlighted.pointed = segment;
    updateHighlights();
    on.point(segment);
  }

  /** Highlight the pointed and the chosen segment, in the text and in all bands. */
  function updateHighlights() {
    for (const block of content.querySelectorAll(".block:is(.pointed, .chosen)")) block.classList.remove("pointed", "chosen");
    for (const kind of /** @type {("pointed" | "chosen")[]} */ (["pointed", "chosen"])) {
      const segment = highlighted[kind];
      const [from, to] = segment === null || !comparison ? [0, 0] : placeOf(comparison, segment);
      for (const staff of staffs) {
        if (!staff.drawn) continue;
        staff.frame(from, to, kind);
        if (segment !== null) for (const block of staff.bySegment.get(segment) ?? []) block.classList.add(kind);
      }
    }
  }

  /** @param {number} place in UTF-16 units */
  function staffAt(place) {
    return staffs.find((staff) => staff.to > place) ?? staffs[staffs.length - 1];
  }

  /** Scroll a segment into view. @param {number} segment */
  function scrollTo(segment) {
    if (!comparison) return;
    const staff = staffAt(placeOf(comparison, segment)[0]);
    if (!staff) return;
    staff.near = true;
    staff.element.classList.add("near");
    if (!staff.drawn) {
      staff.draw(comparison);
      updateHighlights();
    }
    const [block] = staff.bySegment.get(segment) ?? [staff.element];
    const rowTop = block === staff.element ? 0 : Number(block.style.getPropertyValue("--row")) * (staff.rowHeight ?? 0);
    const top = staff.element.offsetTop + rowTop;
    const bottom = top + (staff.rowHeight ?? 0);
    // Set scrollTop, because scrollIntoView would also scroll the page.
    if (top < scroller.scrollTop || bottom > scroller.scrollTop + scroller.clientHeight) {
      scroller.scrollTop = top - (scroller.clientHeight - (bottom - top)) / 2;
    }
  }

  return {
    node: scroller,
    show,
    scrollTo,
    /** @param {number | null} segment the chosen segment */
    choose(segment) {
      highlighted.chosen = segment;
      updateHighlights();
    },
    dispose() {
      aborter.abort();
      cancelAnimationFrame(frame);
      observer.disconnect();
      resizing.disconnect();
      scroller.remove();
    },
  };
}
