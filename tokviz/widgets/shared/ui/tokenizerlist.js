/**
 * The tokenizers that the reader has chosen, each of which can be left out, and "+ tokenizer", which opens the list of the
 * others.
 */

import { button, element, fill } from "../dom/elements.js";
import { Picker } from "./picker.js";

/** @typedef {import("./picker.js").Offer} Offer */
/** @typedef {(name: string) => void} Choose */

/**
 * @template {Offer} T
 * @param {object} page
 * @param {(one: {offer: T, place: number, count: number, offers: T[], pick: Choose}) => Node[]} page.draw what stands for
 *   one of those chosen, `count` in all; `pick` chooses another in its place
 * @param {(offer: T) => string} page.nameOf
 * @param {(picker: Picker, choose: Choose) => void} page.connect called with each picker
 * @param {(names: string[]) => void} page.choose
 * @param {[least: number, most: number]} [bounds] of their number
 */
export function createTokenizerList({ draw, nameOf, connect, choose }, [least, most] = [0, Infinity]) {
  /** @type {T[]} */
  let offers = [];
  /** @type {string[]} */
  let chosen = [];
  let shown = "";
  const slots = element("div", { class: "slots" });
  const add = (/** @type {string} */ name) => change([...chosen, name], chosen.length);
  const another = new Picker(add, "Add a tokenizer", "another", "+ tokenizer");
  connect(another, add);
  const more = element("div", { class: "slot" }, another.node);

  /**
   * Choose tokenizers. What stands at a place then has the focus, since all of them are drawn anew.
   *
   * @param {string[]} names @param {number} place
   */
  function change(names, place) {
    update(offers, names);
    const near = slots.children[Math.min(place, names.length - 1)] ?? more;
    near.querySelector("input, button")?.focus();
    choose(names);
  }

  /** @param {T} offer @param {number} place */
  function slot(offer, place) {
    const remove = button("×", () => change(chosen.toSpliced(place, 1), place), { class: "button remove", "aria-label": `Remove ${nameOf(offer)}` });
    remove.hidden = chosen.length <= least;
    const pick = (/** @type {string} */ name) => change(chosen.with(place, name), place);
    return element("div", { class: "slot" }, ...draw({ offer, place, count: chosen.length, offers, pick }), remove);
  }

  /** @param {T[]} newOffers @param {string[]} names */
  function update(newOffers, names) {
    const now = JSON.stringify([newOffers.map(({ name, label }) => [name, label]), names]);
    if (now === shown) return; // what has the focus keeps it
    shown = now;
    offers = newOffers;
    chosen = names.filter((each) => offers.some(({ name }) => name === each));
    fill(slots, ...chosen.map((each, place) => slot(/** @type {T} */ (offers.find(({ name }) => name === each)), place)));
    another.update(offers.filter(({ name }) => !chosen.includes(name)), "");
    more.hidden = chosen.length >= most;
  }

  return {
    nodes: [slots, more],
    update,
    /** Choose one more, instead of the last if there are as many as there may be. @param {string} name */
    add(name) {
      const kept = chosen.slice(0, most - 1);
      change([...kept, name], kept.length);
    },
  };
}
