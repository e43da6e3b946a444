/**
 * A read-only view of a text and its tokens: the display of the Tokens page, for a page without a server.
 */

import { unpackHeld } from "../shared/net/columns.js";
import { button, element, fill, menu, plural, toggle } from "../shared/dom/elements.js";
import { makeTokenization } from "../shared/text/tokenization.js";
import { createCard } from "../token_view/card.js";
import { COLORINGS, createLegend } from "../token_view/colors.js";
import { pretokensOf } from "../token_view/pretokens.js";
import { TokenView } from "../token_view/view.js";

/** @typedef {{colorBy: import("../token_view/colors.js").ColorBy, marks: boolean, view: import("../token_view/piece.js").View, lang: string}} Settings */

/**
 * @param {HTMLElement} root
 * @param {object} data
 * @param {string} data.text
 * @param {string} data.tokenizer display name
 * @param {ArrayBuffer | string} data.tokens columns as sent by the route `tokenize`
 * @param {ArrayBuffer | string} data.pretokens columns as sent by the route `pretokens`
 * @param {Settings} data.view initial settings
 */
export function mount(root, data) {
  const model = makeTokenization(data.text, unpackHeld(data.tokens));
  const pretokens = pretokensOf(model, unpackHeld(data.pretokens));
  const { ranks } = model;
  const settings = { ...data.view };
  /** @type {number | null} */
  let selected = null;

  const bytes = model.byteOffsets[model.n];
  const counts = `${plural(model.n, "token")} of ${data.tokenizer} for ${plural(bytes, "byte")} of text.`;
  const legendPane = element("div");
  const textPane = element("div", { class: "text-pane" });
  const widget = element(
    "div",
    { class: "tokviz colored" },
    element("p", {}, counts),
    element("div", { class: "row settings" }, ...settingsOf(settings, ranks !== null, set), ...copying(textPane)),
    legendPane,
    textPane,
  );
  fill(root, widget);

  const view = new TokenView(textPane, { onPoint: (i, _, isByKey) => (isByKey && selected !== null ? walkTo(i) : pointAt(i)), onSelect: select });
  const deselect = () => {
    view.select(null);
    select(null);
  };
  const card = createCard(textPane, view, deselect);
  const legend = createLegend(legendPane);
  show();

  function show() {
    view.show(model, { ...settings, isWhole: true, ranks, pretokenIndex: pretokens.index });
    legend.show(settings.colorBy, model, settings.marks);
  }

  /** @param {Partial<Settings>} change */
  function set(change) {
    Object.assign(settings, change);
    show();
  }

  /** @param {number | null} i */
  function pointAt(i) {
    const shown = i ?? selected;
    view.highlightId(shown === null ? null : model.ids[shown]);
    card.point(model, i === selected ? null : i, null);
  }

  /** @param {number | null} i */
  function select(i) {
    selected = i;
    pointAt(null);
    card.keep(model, i, null, i === null ? null : pretokens.at(i));
  }

  /** @param {number | null} i */
  function walkTo(i) {
    view.select(i);
    select(i);
  }

  return {
    dispose() {
      for (const part of [view, card, legend]) part.dispose();
      widget.remove();
    },
  };
}

/**
 * Create the choice of the coloring, and the switch for marks.
 *
 * @param {Settings} settings
 * @param {boolean} hasRanks
 * @param {(change: Partial<Settings>) => void} set
 * @returns {HTMLElement[]}
 */
function settingsOf(settings, hasRanks, set) {
  const choices = COLORINGS.filter(({ value }) => value !== "rank" || hasRanks);
  const coloring = menu(
    "Color by",
    choices.map(({ value, label }) => [value, label]),
    settings.colorBy,
    (colorBy) => set({ colorBy: /** @type {Settings["colorBy"]} */ (colorBy) }),
  );
  const marks = toggle("Marks", settings.marks, (shown) => set({ marks: shown }));
  return [coloring.node, marks.node];
}

/**
 * Create the button that copies the text, and its status. It copies by selecting everything: the view then puts the
 * exact text on the clipboard, which needs no permission.
 *
 * @param {HTMLElement} textPane
 * @returns {HTMLElement[]}
 */
function copying(textPane) {
  const status = element("span", { class: "quiet", role: "status" });
  const copy = button("Copy the text", () => {
    const selection = /** @type {Selection} */ (document.getSelection());
    selection.selectAllChildren(/** @type {Node} */ (textPane.querySelector(".chunks")));
    fill(status, document.execCommand("copy") ? "copied" : "Your browser did not copy: select the text below.");
    selection.removeAllRanges();
  });
  return [copy, status];
}
