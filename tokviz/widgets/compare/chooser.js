/**
 * Choice of the compared tokenizers: two to eight, the first of which is the reference.
 */

import { button, element, fill } from "../shared/dom/elements.js";
import { createAddingPicker, Picker } from "../shared/ui/picker.js";

/** @typedef {import("../shared/ui/picker.js").Offer} Offer */

export const MIN_TOKENIZERS = 2;
export const MAX_TOKENIZERS = 8;

/** What the first two are introduced with in the line of prose; the rest are with "and". */
const WORDS = ["Compare", "with"];

/**
 * @param {(names: string[]) => void} onChoose
 * @param {(picker: Picker, choose: (name: string) => void) => void} connect called with each picker
 */
export function createChooser(onChoose, connect) {
  /** @type {Offer[]} */
  let offers = [];
  /** @type {string[]} */
  let chosen = [];
  const slots = element("div", { class: "slots" });
  const another = createAddingPicker((name) => choose([...chosen, name], chosen.length), connect);
  const more = element("div", { class: "slot" }, another.node);
  const node = element("div", { class: "chooser", role: "group", "aria-label": "Tokenizers" }, slots, more);

  /**
   * Choose tokenizers. The slots are rebuilt, so focus is restored to its slot.
   *
   * @param {string[]} names
   * @param {number} place
   */
  function choose(names, place) {
    chosen = names;
    show();
    slots.querySelectorAll("input")[Math.min(place, names.length - 1)].focus();
    onChoose(names);
  }

  function show() {
    fill(slots, ...chosen.map(slot));
    another.update(offers.filter(({ name }) => !chosen.includes(name)), "");
    more.hidden = chosen.length >= MAX_TOKENIZERS;
  }

  /** @param {string} name @param {number} place */
  function slot(name, place) {
    const title = place ? `Compared tokenizer${chosen.length > MIN_TOKENIZERS ? ` (${place})` : ""}` : "Reference";
    const pick = (/** @type {string} */ picked) => choose(chosen.with(place, picked), place);
    const picker = new Picker(pick, title, `tokenizer-${place}`);
    connect(picker, pick);
    picker.update(offers, name);
    const label = offers.find((offer) => offer.name === name)?.label;
    const remove = button("×", () => choose(chosen.toSpliced(place, 1), place), {
      class: "button remove",
      "aria-label": `Leave out ${label}`,
    });
    remove.hidden = chosen.length <= MIN_TOKENIZERS;
    const word = element("span", { class: "quiet", "aria-hidden": "true" }, WORDS[place] ?? "and");
    return element("div", { class: "slot" }, word, picker.node, remove);
  }

  return {
    node,
    /** @param {Offer[]} newOffers @param {string[]} names */
    update(newOffers, names) {
      offers = newOffers;
      chosen = names;
      show();
    },
    /** Compare with one more tokenizer, instead of the last if there are as many as there may be. @param {string} name */
    add(name) {
      const kept = chosen.slice(0, MAX_TOKENIZERS - 1);
      choose([...kept, name], kept.length);
    },
  };
}
