/**
 * Settings that change once in a while, behind one button: the view, marks, special tokens, escapes, what the tokens are
 * colored by, and the context window.
 */

import { element, menu, toggle, withTerms } from "../shared/dom/elements.js";
import { COLORINGS } from "../token_view/colors.js";
import { createWindowChoice } from "./contextwindow.js";

/** @typedef {import("../shared/page/memory.js").Settings} Settings */

/** The words of the page, explained where they don't crowd it. */
const WORDS = "Counted are *tokens*, *bytes*, and a share of a *context window*; the slider says how many *merges* are known.";

/**
 * @param {Settings} settings initial settings
 * @param {object} others
 * @param {HTMLElement} others.views the choice of the view
 * @param {HTMLElement} others.escapes the switch for reading escapes
 * @param {HTMLElement} others.notes what there is to say about the tokenizer
 * @param {(change: Partial<Settings>) => void} set
 * @returns {HTMLElement}
 */
export function createSettingsRow(settings, { views, escapes, notes }, set) {
  const coloring = menu(
    "Color by",
    COLORINGS.map(({ value, label }) => [value, label]),
    settings.colorBy,
    (colorBy) => set({ colorBy: /** @type {Settings["colorBy"]} */ (colorBy) }),
  );
  const marks = toggle(
    "Marks",
    settings.marks,
    (isOn) => set({ marks: isOn }),
    "Draw spaces, line ends and other invisible characters",
  );
  const special = toggle(
    "Special tokens",
    settings.special,
    (isOn) => set({ special: isOn }),
    "Read <|endoftext|> and its like as control tokens, not as text",
    "special token",
  );
  escapes.hidden = false;
  const windowChoice = createWindowChoice(settings.window, (window) => set({ window }));
  const row = element("div", { class: "row settings" }, views, coloring.node, marks.node, special.node, escapes, ...windowChoice, notes, element("p", { class: "quiet" }, ...withTerms(WORDS)));
  /** @type {HTMLDetailsElement} */
  const details = element("details", { class: "more" }, element("summary", {}, "Settings"), row);
  details.open = settings.more;
  details.addEventListener("toggle", () => details.open !== settings.more && set({ more: details.open }));
  return details;
}
