/**
 * Small helpers around the DOM. Texts always become text nodes, never markup.
 */

/** @typedef {Node | string | null | undefined | false} Child */

/**
 * Make an element.
 *
 * @param {string} tag
 * @param {Record<string, any>} [properties] functions are listeners, named by their event ("click"); `true` and
 *   `false` set and leave out an attribute; everything else is an attribute's value
 * @param {...Child} children strings become text nodes
 * @returns {any} the element; typed loosely, since callers know which one they asked for
 */
export function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (typeof value === "function") made.addEventListener(name, value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value != null) made.setAttribute(name, value);
  }
  made.append(...present(children));
  return made;
}

/**
 * Replace what an element holds.
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

/**
 * A checkbox with its label, drawn as a switch.
 *
 * @param {string} label
 * @param {boolean} on
 * @param {(on: boolean) => void} onChange
 * @param {string} [title] what it does, in a sentence
 */
export function toggle(label, on, onChange, title) {
  const input = element("input", { type: "checkbox", role: "switch", change: () => onChange(input.checked) });
  input.checked = on;
  return { node: element("label", { class: "switch", title }, input, label), input };
}

/**
 * A labelled menu of choices.
 *
 * @param {string} label
 * @param {[value: string, label: string][]} choices
 * @param {string} chosen
 * @param {(value: string) => void} onChange
 */
export function menu(label, choices, chosen, onChange) {
  const select = element("select", { change: () => onChange(select.value) });
  select.append(...choices.map(([value, text]) => element("option", { value }, text)));
  select.value = chosen;
  return { node: element("label", { class: "menu" }, element("span", {}, label), select), select };
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
  /** Do now what is due, if anything is. */
  const flush = () => {
    if (timer === undefined) return;
    cancel();
    work();
  };
  const cancel = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  return { later, flush, cancel };
}

// Kept: `toLocaleString` makes a new one each time, which takes longer than formatting.
const COUNT = new Intl.NumberFormat("en-US");

/** @param {number} value a count, as people read it */
export const number = (value) => COUNT.format(value);

const MOST_DIGITS = 8;

/**
 * A percentage, rounded, but never to 0 or 100 unless it is that: "0 %" and "100 %" say none and all.
 *
 * @param {number} percent 0 or more
 * @param {number} digits after the point; more where they are needed
 */
export function rounded(percent, digits) {
  const isEnd = (/** @type {number} */ value) => value === 0 || value === 100;
  while (digits < MOST_DIGITS && isEnd(Number(percent.toFixed(digits))) && !isEnd(percent)) digits++;
  return percent.toLocaleString("en-US", { maximumFractionDigits: digits });
}

/**
 * @param {number} count
 * @param {string} one the thing's name in the singular
 * @returns {string} "1 token", "1,342 tokens"
 */
export const plural = (count, one) => `${number(count)} ${one}${count === 1 ? "" : "s"}`;

/** @param {Child[]} children @returns {(Node | string)[]} */
function present(children) {
  return /** @type {(Node | string)[]} */ (children.filter((child) => child != null && child !== false));
}
