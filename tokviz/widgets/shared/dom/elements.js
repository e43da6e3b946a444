/**
 * DOM helpers. Text always becomes text nodes, never markup.
 */

/** @typedef {Node | string | null | undefined | false} Child */

/**
 * Create an element.
 *
 * @param {string} tag
 * @param {Record<string, any>} [properties] functions become listeners for the event of that name ("click");
 *   `true` sets an empty attribute; `false`, null and undefined set none; other values become attribute values
 * @param {...Child} children strings become text nodes
 * @returns {any} the element; typed loosely, since callers know its type from the tag
 */
export function element(tag, properties = {}, ...children) {
  const created = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (typeof value === "function") created.addEventListener(name, value);
    else if (value === true) created.setAttribute(name, "");
    else if (value !== false && value != null) created.setAttribute(name, value);
  }
  created.append(...present(children));
  return created;
}

/**
 * Replace an element's children.
 *
 * @param {Element} target
 * @param {...Child} children
 */
export function fill(target, ...children) {
  target.replaceChildren(...present(children));
}

/**
 * @param {string} label
 * @param {() => void} onClick
 * @param {Record<string, any>} [properties]
 * @returns {HTMLButtonElement}
 */
export function button(label, onClick, properties = {}) {
  return element("button", { type: "button", class: "button", click: onClick, ...properties }, label);
}

/** Whether the reader has a finger instead of a mouse, so that nothing can be pointed at without choosing it. */
export const isTouch = () => matchMedia("(hover: none)").matches;

/** What the choices of a question are called. */
export const LETTERS = "ABCDEFGH";

/** Whether the reader wants no motion. */
export const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Whether the browser handles a click, with a new tab or a menu. @param {MouseEvent} event */
export const isForBrowser = (event) => event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;

/** The word for choosing something on screen, at the start of a sentence. */
export const press = () => (isTouch() ? "Tap" : "Click");

/**
 * Create a labeled checkbox that looks like a switch.
 *
 * @param {string} label
 * @param {boolean} on
 * @param {(on: boolean) => void} onChange
 * @param {string} [title] tooltip, one sentence about what it does
 * @param {string} [term] of the glossary, which is explained together with what it does
 */
export function toggle(label, on, onChange, title, term) {
  const input = element("input", { type: "checkbox", role: "switch", change: () => onChange(input.checked) });
  input.checked = on;
  const says = term ? { "data-term": term, "data-does": title } : { title };
  return { node: element("label", { class: "switch", ...says }, input, label), input };
}

/**
 * Create a slider, over whole numbers from 0 unless said otherwise.
 *
 * @param {string} label
 * @param {(at: number) => void} move called while the reader moves it
 * @param {Record<string, any>} [properties]
 * @returns {HTMLInputElement}
 */
export function range(label, move, properties = {}) {
  const input = element("input", { type: "range", min: 0, "aria-label": label, input: () => move(Number(input.value)), ...properties });
  return input;
}

/**
 * Create the button that plays what a slider moves through, or pauses.
 *
 * @param {() => void} toggle
 */
export function playButton(toggle) {
  const node = button("Play", toggle, { class: "button play" });
  const show = (/** @type {boolean} */ isPlaying) => {
    if (node.classList.toggle("playing", isPlaying) !== (node.textContent === "Pause")) fill(node, isPlaying ? "Pause" : "Play");
  };
  return { node, /** Say what it does next. */ show };
}

/** Join texts as a sentence lists them: "a, b and c". @param {string[]} texts */
export const listed = (texts) => (texts.length > 1 ? `${texts.slice(0, -1).join(", ")} and ${texts[texts.length - 1]}` : texts[0]);

/**
 * Create a labeled select menu.
 *
 * @param {string} label
 * @param {[value: string, label: string][]} choices
 * @param {string} chosen
 * @param {(value: string) => void} onChange
 */
export function menu(label, choices, chosen, onChange) {
  const select = element("select", { change: () => onChange(select.value) });
  offer(select, choices, chosen);
  return { node: element("label", { class: "menu" }, element("span", {}, label), select), select };
}

/** Offer choices in a menu, with one of them chosen. @param {HTMLSelectElement} select @param {[value: string, text: string][]} choices @param {string} chosen */
export function offer(select, choices, chosen) {
  select.replaceChildren(...choices.map(([value, text]) => element("option", { value }, text)));
  select.value = chosen;
}

/** Head of a table. @param {(string | Node)[]} titles of its columns */
export function headOf(titles) {
  return element("thead", {}, element("tr", {}, ...titles.map((title) => element("th", { scope: "col" }, title))));
}

/** Row of a table. @param {string | Node} name @param {...(string | HTMLElement)} cells texts, or cells themselves */
export function rowOf(name, ...cells) {
  const td = (/** @type {string | HTMLElement} */ cell) => (typeof cell === "string" ? element("td", {}, cell) : cell);
  return element("tr", {}, element("th", { scope: "row" }, name), ...cells.map(td));
}

/** Box of a wide table, which scrolls by itself. @param {string} label @param {Element} table */
export function wide(label, table) {
  return element("div", { class: "wide", tabindex: 0, role: "region", "aria-label": label }, table);
}

/**
 * Call `work` once, `wait` milliseconds after the last call.
 *
 * @param {() => void} work
 * @param {number} wait
 */
export function debounce(work, wait) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(flush, wait);
  };
  /** Run the pending call now, if there is one. */
  const flush = () => {
    if (timer === undefined) return;
    cancel();
    work();
  };
  const cancel = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  return { later, flush, cancel, dispose: cancel };
}

/** What disposes of parts that belong together. @param {...{dispose: () => void}} parts */
export const disposeOf = (...parts) => () => parts.forEach((part) => part.dispose());

// Shared, because `toLocaleString` creates a formatter on each call, which takes longer than formatting.
const COUNT_FORMAT = new Intl.NumberFormat("en-US");

/** Format a count with thousands separators. @param {number} value */
export const number = (value) => COUNT_FORMAT.format(value);

const MAX_DIGITS = 8;

/**
 * Round a percentage, but never to 0 or 100 unless it is exactly that: "0 %" means none and "100 %" means all.
 *
 * @param {number} percent 0 or more
 * @param {number} digits after the decimal point, increased where necessary
 */
export function rounded(percent, digits) {
  const isEnd = (/** @type {number} */ value) => value === 0 || value === 100;
  while (digits < MAX_DIGITS && isEnd(Number(percent.toFixed(digits))) && !isEnd(percent)) digits++;
  return percent.toLocaleString("en-US", { maximumFractionDigits: digits });
}

/**
 * @param {number} count
 * @param {string} one singular noun
 * @returns {string} "1 token", "1,342 tokens"
 */
export const plural = (count, one) => `${number(count)} ${one}${count === 1 ? "" : "s"}`;

/**
 * Say how large a vocabulary is, as on all pages.
 *
 * @param {number} tokens @param {number} ids up to the highest: more than `tokens` if some have no token
 * @param {string} [one] what a token is called
 * @returns {string} "50,257 tokens", "100,261 tokens (100,277 ids)"
 */
export const sayVocabulary = (tokens, ids, one = "token") => `${plural(tokens, one)}${ids > tokens ? ` (${number(ids)} ids)` : ""}`;

/** @param {Child[]} children @returns {(Node | string)[]} */
function present(children) {
  return /** @type {(Node | string)[]} */ (children.filter((child) => child != null && child !== false));
}

// Terms of the field, which are explained

/** A term in a sentence. @param {string} text the term as it is written @returns {HTMLButtonElement} */
export const term = (text) => element("button", { type: "button", class: "term" }, text);

/** A sentence whose *terms* stand between asterisks. @param {string} sentence @returns {(Node | string)[]} */
export const withTerms = (sentence) => keepSigns(sentence.split("*").map((part, i) => (i % 2 ? term(part) : part)));

/** Keep what follows a term without a space, such as a period, on the term's line. @param {(Node | string)[]} parts of a sentence */
export function keepSigns(parts) {
  for (const [i, part] of parts.entries()) {
    const before = parts[i - 1];
    const [sign] = (typeof part === "string" && before instanceof Object && "className" in before && before.className === "term" && /^\S+/.exec(part)) || [];
    if (!sign) continue;
    parts[i - 1] = element("span", { class: "together" }, before, sign);
    parts[i] = /** @type {string} */ (part).slice(sign.length);
  }
  return parts;
}

/**
 * What a page is about: a line that says what to do stands above all else; what follows it after a line break, beneath.
 *
 * @param {string} text with its *terms*
 */
export const introductionsOf = (text) =>
  text.split("\n").map((part, k) => element("p", { class: k ? "introduction beneath-all" : "introduction" }, ...withTerms(part)));

/** The term that an event is on, or the control with one as its attribute `data-term`. @param {Event} event @returns {Element | null} */
export const termOf = ({ target }) => (target instanceof Element ? target.closest(".term, [data-term]") : null);

/**
 * Explain the terms within a root on hover, focus or tap. What that takes is loaded when the reader comes to one.
 *
 * @param {EventTarget} root
 * @param {string} course the Course page's address, "" in a file with its chapters
 * @param {() => Promise<typeof import("../ui/explanations.js")>} load
 */
export function explainTerms(root, course, load) {
  const leaving = new AbortController();
  /** @type {Promise<void> | null} */
  let loading = null;
  const begin = (/** @type {Event} */ event) => {
    const found = loading ? null : termOf(event);
    if (!found) return;
    loading = load().then((module) => module.begin(root, course, { found, isPressed: event.type === "click" }, leaving.signal));
    loading.catch(() => (loading = null)); // for the next term
  };
  for (const name of ["pointerover", "focusin", "click"]) root.addEventListener(name, begin, { signal: leaving.signal });
  return { dispose: () => leaving.abort() };
}
