/**
 * Which tokenizers are compared: two to eight, the first is the reference.
 */

import { button, element, fill } from "../shared/elements.js";
import { createPicker } from "../shared/picker.js";

/** @typedef {import("../shared/picker.js").Offer} Offer */

const FEWEST = 2;
export const MOST = 8;

/**
 * @param {(names: string[]) => void} onChoose
 */
export function createChooser(onChoose) {
  /** @type {Offer[]} */
  let offers = [];
  /** @type {string[]} */
  let chosen = [];
  const slots = element("div", { class: "slots" });
  const add = button("+ compare one more", addOne);
  const node = element("div", { class: "chooser", role: "group", "aria-label": "Tokenizers" }, slots, add);

  /** The slots are made anew, so focus goes on to the one that it was in. @param {string[]} names @param {number} place */
  function choose(names, place) {
    chosen = names;
    show();
    slots.querySelectorAll("input")[Math.min(place, names.length - 1)].focus();
    onChoose(names);
  }

  /** The first one that is not there yet. */
  function addOne() {
    const { name } = offers.find((offer) => !chosen.includes(offer.name)) ?? offers[0];
    choose([...chosen, name], chosen.length);
  }

  function show() {
    fill(slots, ...chosen.map(slot));
    add.hidden = chosen.length >= MOST;
  }

  /** @param {string} name @param {number} place */
  function slot(name, place) {
    const title = place ? `Compared with it${chosen.length > FEWEST ? ` (${place})` : ""}` : "Reference";
    const picker = createPicker((picked) => choose(chosen.with(place, picked), place), title, `tokenizer-${place}`);
    picker.update(offers, name);
    const label = offers.find((offer) => offer.name === name)?.label;
    const remove = button("×", () => choose(chosen.toSpliced(place, 1), place), { class: "button remove", "aria-label": `Leave out ${label}` });
    remove.hidden = chosen.length <= FEWEST;
    return element("div", { class: "slot" }, picker.node, remove);
  }

  return {
    node,
    /** @param {Offer[]} newOffers @param {string[]} names */
    update(newOffers, names) {
      offers = newOffers;
      chosen = names;
      show();
    },
  };
}
