/**
 * Guided tour of the opening text, stopping at places that show how tokenizers differ.
 *
 * The stops and their questions are fixed. What happened at a stop, and why, comes from the comparison on screen, so it
 * is correct for any choice of tokenizers.
 */

import { button, element, fill, plural } from "../shared/dom/elements.js";
import { placeOf, REASONS, tokensIn } from "./model.js";

/** @typedef {import("./model.js").Comparison} Comparison */

/**
 * @typedef {object} Stop
 * @property {string} before text just before the place, to find it
 * @property {string} place text of the place
 * @property {string} title
 * @property {string} asks a question to think about before reading on
 */

/** @type {Stop[]} */
const STOPS = [
  {
    before: "",
    place: "     hello",
    title: "Spaces in front of a word",
    asks: "Is a run of spaces one token, or is each space one?",
  },
  {
    before: "DON",
    place: "'T",
    title: "An apostrophe between capitals",
    asks: "Endings such as 's and 't are often cut off in one piece. Does that hold for capitals?",
  },
  {
    before: "IT'S",
    place: " 2026",
    title: "A year",
    asks: "Where would you cut four digits with a space in front?",
  },
  {
    before: "if ready",
    place: ":\n",
    title: "The end of a line of Python",
    asks: "Does a line end join the sign in front of it?",
  },
  {
    before: ":\n",
    place: "    print",
    title: "The indented line",
    asks: "Indentation is everywhere in code. What does it cost?",
  },
  {
    before: "\n123",
    place: "4567",
    title: "A long number",
    asks: "Into which groups do the digits of 1234567 fall?",
  },
  {
    before: "pizza",
    place: " 🍕",
    title: "An emoji",
    asks: "A pizza takes four bytes, and a space one more. Into how many tokens do they go?",
  },
  {
    before: "🍕 ",
    place: "你好",
    title: "Another script",
    asks: "Each of these two characters takes three bytes. Do they stay whole?",
  },
  {
    before: "supercalifragil",
    place: "isticexp",
    title: "A very long word",
    asks: "A long and rare word falls into pieces. Are they the same ones everywhere?",
  },
];

/**
 * @param {object} on
 * @param {() => Promise<boolean>} on.prepare show the opening text; resolves to false if that fails
 * @param {(segment: number) => void} on.stop called at each stop, and when the comparison at a stop changes
 * @param {() => void} on.arrive called when the reader moves to a stop
 * @param {() => void} on.end
 */
export function createTour(on) {
  /** @type {Comparison | null} */
  let comparison = null;
  /** Index of the current stop; -1 when no tour is running. */
  let at = -1;

  const start = button("guided tour", () => void begin(), {
    title: "Places in the example text where tokenizers may differ, one after the other",
  });
  const count = element("span", { class: "count" });
  const back = button("◀ back", () => step(-1), { title: "Key: P" });
  const next = button("", () => step(1), { title: "Key: N" });
  const close = button("×", end, { "aria-label": "End the tour", title: "Key: Escape" });
  const title = element("h3");
  const asks = element("p", { class: "quiet" });
  const says = element("p");
  const node = element(
    "section",
    { class: "tour", "aria-label": "Guided tour", hidden: true, keydown: pressed },
    element("div", { class: "row" }, back, count, next, close),
    element("div", { role: "status" }, title, asks, says),
  );

  async function begin() {
    if (!(await on.prepare())) return;
    at = 0;
    show();
    on.arrive();
    next.focus({ preventScroll: true });
  }

  /** @param {1 | -1} by */
  function step(by) {
    if (at + by >= STOPS.length) return end();
    at = Math.max(0, at + by);
    show();
    on.arrive();
    if (at === 0) next.focus({ preventScroll: true }); // the back button, which may have had focus, is now disabled
  }

  function end() {
    at = -1;
    show();
    on.end();
    start.focus({ preventScroll: true });
  }

  function show() {
    node.hidden = at < 0;
    start.hidden = at >= 0;
    if (at < 0) return;
    const stop = STOPS[at];
    back.disabled = at === 0;
    next.textContent = at === STOPS.length - 1 ? "end" : "next stop ▶";
    fill(count, `${at + 1} of ${STOPS.length}`);
    fill(title, stop.title);
    fill(asks, stop.asks);
    const segment = comparison && segmentAt(comparison, stop);
    fill(says, comparison && segment !== null && outcome(comparison, segment));
    if (segment !== null) on.stop(segment);
  }

  /** @param {KeyboardEvent} event */
  function pressed(event) {
    if (event.key === "Escape" && !event.defaultPrevented) end();
  }

  return {
    node,
    start,
    step,
    isOn: () => at >= 0,
    /** @param {Comparison} compared the comparison on screen; the tour ends if its text is gone */
    show(compared) {
      comparison = compared;
      if (at < 0) return;
      if (STOPS.some((stop) => segmentAt(compared, stop) !== null)) return show();
      at = -1;
      show();
      on.end();
    },
  };
}

/**
 * Segment of a stop: the first difference in its place, or the first segment if all cut the place alike.
 *
 * @param {Comparison} comparison
 * @param {Stop} stop
 * @returns {number | null} null if the text has no such place
 */
function segmentAt(comparison, { before, place }) {
  const found = comparison.text.indexOf(before + place);
  if (found < 0) return null;
  const from = found + before.length;
  const inPlace = (/** @type {number} */ segment) => {
    const [start, end] = placeOf(comparison, segment);
    return start < from + place.length && end > from;
  };
  const all = Array.from(comparison.isDiffering.keys());
  return comparison.differing.find(inPlace) ?? all.find(inPlace) ?? null;
}

/** Describe how a segment was cut, and why. @param {Comparison} comparison @param {number} segment */
export function outcome(comparison, segment) {
  const tokens = comparison.names.map((_, t) => {
    const [first, end] = tokensIn(comparison, t, segment);
    return end - first;
  });
  if (!comparison.isDiffering[segment]) return `All of them cut this alike: ${plural(tokens[0], "token")}.`;
  const first = `${comparison.names[0]} makes ${plural(tokens[0], "token")} of it`;
  const counts = [first, ...comparison.names.slice(1).map((name, k) => `${name} ${tokens[k + 1]}`)];
  const bits = comparison.bits[comparison.differing.indexOf(segment)];
  const reasons = REASONS.filter(({ bit }) => bits & bit).map(({ plain }) => plain);
  return `${counts.join(", ")}. ${reasons.length ? `Why: ${reasons.join(", and ")}.` : ""}`;
}
