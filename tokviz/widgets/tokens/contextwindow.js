/**
 * The tokens as a share of a context window, on demand.
 */

import { element, fill, menu, plural } from "../shared/dom/elements.js";
import { OWN, percent, WINDOWS } from "../shared/text/windows.js";

/**
 * @param {string} size the last chosen size
 * @param {(size: string) => void} onChoose
 */
export function createContextWindow(size, onChoose) {
  /** Null until the first answer. @type {number | null} */
  let tokens = null;
  const isListed = size !== OWN && WINDOWS.some(([listed]) => listed === size);
  const sizes = menu("Context window", WINDOWS, isListed ? size : OWN, choose);
  const ownSize = element("input", { type: "number", min: 1, step: 1, value: isListed ? 50 : size, input: choose });
  const ownLabel = element("label", { class: "menu", hidden: isListed }, element("span", {}, "tokens in a window"), ownSize);
  const share = element("p", { class: "of-window" });
  const node = element(
    "details",
    { class: "windows" },
    element("summary", { "data-term": "context window" }, "How much of a context window?"),
    element("div", { class: "row" }, sizes.node, ownLabel, share),
  );
  showShare();

  function choose() {
    ownLabel.hidden = sizes.select.value !== OWN;
    onChoose(String(chosenSize() ?? OWN));
    showShare();
  }

  /** @returns {number | null} */
  function chosenSize() {
    const chosen = Number(sizes.select.value === OWN ? ownSize.value : sizes.select.value);
    return Number.isInteger(chosen) && chosen > 0 ? chosen : null;
  }

  function showShare() {
    const chosen = chosenSize();
    if (chosen === null) return fill(share, "Type a whole number, 1 or more.");
    fill(share, tokens !== null && shareOf(tokens, chosen));
  }

  return {
    node,
    /** @param {number} counted number of tokens */
    show(counted) {
      tokens = counted;
      showShare();
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
