/**
 * What is set once in a while, behind one button: marks, special tokens, escapes, and what the tokens are colored by.
 */

import { element, menu, toggle } from "../shared/dom/elements.js";
import { COLORINGS } from "../token_view/colors.js";

/** @typedef {import("../shared/page/memory.js").Settings} Settings */

/**
 * @param {Settings} settings initial settings
 * @param {HTMLElement} escapes the switch for reading escapes
 * @param {(change: Partial<Settings>) => void} set
 * @returns {HTMLElement}
 */
export function createSettingsRow(settings, escapes, set) {
  const coloring = menu(
    "Color by",
    COLORINGS.map(({ value, label }) => [value, label]),
    settings.colorBy,
    (colorBy) => set({ colorBy: /** @type {Settings["colorBy"]} */ (colorBy) }),
  );
  const marks = toggle(
    "marks",
    settings.marks,
    (isOn) => set({ marks: isOn }),
    "Draw spaces, line ends and other invisible characters",
  );
  const special = toggle(
    "special tokens",
    settings.special,
    (isOn) => set({ special: isOn }),
    "Read <|endoftext|> and its like as control tokens, not as text",
    "special token",
  );
  const ids = toggle("list of ids", settings.ids, (isOn) => set({ ids: isOn }), "List the tokens' ids");
  escapes.hidden = false;
  const row = element("div", { class: "row settings" }, coloring.node, marks.node, special.node, escapes, ids.node);
  /** @type {HTMLDetailsElement} */
  const details = element("details", { class: "more" }, element("summary", {}, "Settings"), row);
  details.open = settings.more;
  details.addEventListener("toggle", () => details.open !== settings.more && set({ more: details.open }));
  return details;
}
