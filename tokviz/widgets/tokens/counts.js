/**
 * The counts in large type and, on demand, as shares of a context window.
 */

import { debounce, element, fill, menu, number, plural } from "../shared/dom/elements.js";
import { OWN, percent, WINDOWS } from "../shared/text/windows.js";

const SPEAK_AFTER_MS = 1000;
const NO_WORDS = "This writing system puts no spaces between words, so they can't be counted by looking for spaces.";

/**
 * @typedef {object} Counts
 * @property {number} tokens
 * @property {number} bytes
 * @property {number} [characters] graphemes; this and the next are absent while being counted
 * @property {number} [codePoints]
 * @property {number | null} [words] null if the script puts no spaces between words
 */

/**
 * @param {string} windowSize the last chosen context window
 * @param {(windowSize: string) => void} onWindow
 */
export function createCounts(windowSize, onWindow) {
  /** Null until the first answer. @type {Counts | null} */
  let counts = null;

  const tokens = figure("tokens", "main");
  const characters = figure("characters");
  const words = figure("words");
  const bytes = figure("bytes");
  const bytesPerToken = figure("bytes per token");
  const figures = [tokens, characters, words, bytes, bytesPerToken].map(({ node }) => node);

  const isListed = WINDOWS.some(([size]) => size === windowSize);
  const sizes = menu("Context window", WINDOWS, isListed ? windowSize : OWN, chooseWindow);
  const customInput = element("input", {
    type: "number",
    min: 1,
    step: 1,
    value: isListed ? 50 : windowSize,
    input: chooseWindow,
  });
  const customLabel = element("label", { class: "menu", hidden: isListed }, element("span", {}, "tokens in a window"), customInput);
  const share = element("p", { class: "share" });
  const windows = element(
    "details",
    { class: "windows" },
    element("summary", {}, "How much of a context window?"),
    element("div", { class: "row" }, sizes.node, customLabel, share),
  );

  const spoken = element("p", { class: "unseen", role: "status" });
  const speak = debounce(() => fill(spoken, counts && summary(counts)), SPEAK_AFTER_MS);
  const node = element(
    "section",
    { class: "counting", "aria-label": "Counts" },
    element("dl", { class: "counts" }, ...figures),
    spoken,
  );

  function chooseWindow() {
    customLabel.hidden = sizes.select.value !== OWN;
    onWindow(String(chosenSize() ?? OWN));
    showShare();
  }

  /** @returns {number | null} */
  function chosenSize() {
    const size = Number(sizes.select.value === OWN ? customInput.value : sizes.select.value);
    return Number.isInteger(size) && size > 0 ? size : null;
  }

  function showShare() {
    const size = chosenSize();
    if (size === null) return fill(share, "Type a whole number, 1 or more.");
    fill(share, counts && shareOf(counts.tokens, size));
  }

  /** @param {Counts} shown */
  function show(shown) {
    counts = shown;
    tokens.set(number(counts.tokens));
    bytes.set(number(counts.bytes));
    bytesPerToken.set(
      counts.tokens ? (counts.bytes / counts.tokens).toFixed(2) : "–",
      counts.tokens ? "" : "No tokens yet.",
    );
    if (counts.characters !== undefined) {
      characters.set(
        number(counts.characters),
        `What a reader calls a character; ${plural(counts.codePoints ?? 0, "code point")}.`,
      );
      words.set(
        counts.words == null ? "–" : number(counts.words),
        counts.words === null ? NO_WORDS : "Runs of letters, digits and underscores.",
      );
    }
    for (const late of [characters, words]) late.node.classList.toggle("late", counts.characters === undefined);
    showShare();
    speak.later();
  }

  for (const each of [tokens, characters, words, bytes, bytesPerToken]) each.set("–");
  showShare();
  return { node, windows, show, dispose: speak.cancel };
}

/** A number with its name. @param {string} name @param {string} [kind] */
function figure(name, kind = "minor") {
  const value = element("dd", { "data-count": name });
  const label = element("dt", {}, name);
  const node = element("div", { class: kind }, label, value);
  return {
    node,
    /** @param {string} text @param {string} [why] tooltip, also for screen readers */
    set(text, why = "") {
      if (value.textContent !== text) {
        value.textContent = text;
        label.textContent = text === "1" ? name.replace(/s$/, "") : name;
      }
      if (node.title !== why) node.title = why;
    },
  };
}

/**
 * Describe a number of tokens as a share of a context window, and the number of windows they take.
 *
 * @param {number} tokens @param {number} size
 */
export function shareOf(tokens, size) {
  const windows = Math.ceil(tokens / size);
  const fits = windows <= 1 ? "fits in one window" : `takes ${plural(windows, "window")}`;
  return `${percent(tokens / size)} of one window of ${plural(size, "token")}; the text ${fits}.`;
}

/** @param {Counts} counts */
function summary({ tokens, bytes, characters }) {
  const late = characters === undefined ? "" : `${plural(characters, "character")}, `;
  return `${plural(tokens, "token")}, ${late}${plural(bytes, "byte")}`;
}
