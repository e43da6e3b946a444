/**
 * A guided tour of the opening text: one after the other, the places that show how tokenizers differ.
 *
 * It knows where to stop and what to ask. What happened there, and why, it takes from the comparison on screen,
 * so that it is true of whichever tokenizers are compared.
 */

import { button, element, fill, plural } from "../shared/elements.js";
import { placeOf, REASONS, tokensIn } from "./model.js";

/** @typedef {import("./model.js").Comparison} Comparison */

/**
 * @typedef {object} Stop
 * @property {string} before what stands in front of the place in the text
 * @property {string} place
 * @property {string} title
 * @property {string} asks to be thought about before reading on
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
 * @param {() => Promise<boolean>} on.prepare bring the opening text onto the page, if that can be done
 * @param {(segment: number) => void} on.stop here; also when the comparison at a stop has become another
 * @param {() => void} on.arrive the reader came to a stop
 * @param {() => void} on.end
 */
export function createTour(on) {
  /** @type {Comparison | null} */
  let comparison = null;
  /** Which stop; -1 where no tour is under way. */
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
    if (at === 0) next.focus({ preventScroll: true }); // nothing leads back from here
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
    /** @param {Comparison} compared what is on screen now; a tour ends where its text is gone */
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
 * The segment to speak of: the first difference in a stop's place, or, where all cut it alike, the first segment.
 *
 * @param {Comparison} comparison
 * @param {Stop} stop
 * @returns {number | null} null where the text has no such place
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

/** What happened there, and why. @param {Comparison} comparison @param {number} segment */
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
