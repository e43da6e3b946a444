/**
 * The choice of a context window, and the tokens as a share of it.
 */

import { element, fill, menu } from "../shared/dom/elements.js";
import { OWN, sayShare, WINDOWS } from "../shared/text/windows.js";

const FIRST = 128_000;

/** Size of a window, in tokens; of what is none, that of the first choice. @param {string} chosen as it is stored */
export const windowOf = (chosen) => chosenSize(chosen) ?? FIRST;

/** @param {string} chosen @returns {number | null} */
function chosenSize(chosen) {
  const size = Number(chosen);
  return Number.isInteger(size) && size > 0 ? size : null;
}

/**
 * @param {string} size the last chosen size
 * @param {(size: string) => void} onChoose a size that may be no number
 */
export function createWindowChoice(size, onChoose) {
  const isListed = size !== OWN && WINDOWS.some(([listed]) => listed === size);
  const sizes = menu("Context window", WINDOWS, isListed ? size : OWN, choose);
  const ownSize = element("input", { type: "number", min: 1, step: 1, value: isListed ? 50 : size, input: choose });
  const ownLabel = element("label", { class: "menu own-window", hidden: isListed }, element("span", {}, "tokens in a window"), ownSize);

  function choose() {
    ownLabel.hidden = sizes.select.value !== OWN;
    onChoose(sizes.select.value === OWN ? ownSize.value : sizes.select.value);
  }

  return [sizes.node, ownLabel];
}

/**
 * The tokens as a share of a context window, on demand.
 *
 * @param {string} size the last chosen size
 * @param {(size: string) => void} onChoose
 */
export function createContextWindow(size, onChoose) {
  /** Null until the first answer. @type {number | null} */
  let tokens = null;
  let chosen = size;
  const choice = createWindowChoice(size, (newer) => {
    chosen = newer;
    onChoose(String(chosenSize(newer) ?? OWN));
    showShare();
  });
  const share = element("p", { class: "of-window" });
  const summary = element("summary", { "data-term": "context window" }, "How much of a context window?");
  const node = element("details", { class: "windows" }, summary, element("div", { class: "row" }, ...choice, share));
  showShare();

  function showShare() {
    const size = chosenSize(chosen);
    if (size === null) return fill(share, "Type a whole number, 1 or more.");
    fill(share, tokens !== null && sayShare(tokens, size));
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
