/**
 * What takes the place of the player for tokenizers that don't merge: a lattice, or longest matches; and the sentences
 * that introduce what is shown.
 */

import { readLattice } from "../lattice/model.js";
import { LatticeView } from "../lattice/view.js";
import { MatchesView } from "../matches/view.js";
import { button, element, fill, introductionsOf } from "../shared/dom/elements.js";
import { createPictureButtons } from "../shared/ui/pictures.js";
import { usesKey } from "./player/keys.js";

/** What is between asterisks is explained. */
const MERGES =
  "Watch letters become *tokens*, or join them.\n" +
  "*Byte pair encoding* begins with single *bytes* or characters and joins *pairs* of neighbors within the same *pre-token*, again and again. " +
  "Each join is a *merge* and makes a token. Which comes first, the *tokenizer* has learned once, from a lot of text.";
const OTHERS = /** @type {Record<string, string>} */ ({
  lattice:
    "Look for the way through the pieces with the highest score: it makes the *tokens*.\n" +
    "*Unigram* joins nothing. Every piece in its *vocabulary* has a score, learned once from a lot of text. " +
    "Of all the ways to write a text as pieces, it takes the one with the highest total score.",
  matches:
    "Look how far each piece reaches: the longest that fits is the next of the *tokens*.\n" +
    "*WordPiece* joins nothing. It takes the longest piece in its *vocabulary* that a word begins with, then does the same with the rest of the word. " +
    "The vocabulary was learned once, from a lot of text.",
});

export class Views {
  introductions = introductionsOf(MERGES);
  #introduced = MERGES;
  #lattice = new LatticeView();
  #matches = new MatchesView();
  #pictures;

  /**
   * @param {() => void} takeAway save what is shown as a page of its own
   * @param {(shown: Record<string, any>) => Promise<Blob>} draw returns a picture of it
   */
  constructor(takeAway, draw) {
    const save = button("Take it away", takeAway, { title: "This view with this text as one file that opens without a network" });
    const title = "The lattice as it stands, as a picture for slides and papers";
    this.#pictures = createPictureButtons("lattice", title, () => draw(this.#lattice.shown)).node;
    this.tools = element("div", { class: "row presenting" }, save, this.#pictures);
    this.node = element("div", { class: "views", hidden: true }, this.#lattice.node, this.#matches.node, this.tools);
  }

  /** Do what a key asks for, if a view is shown. @param {KeyboardEvent} event from anywhere on the page */
  press(event) {
    const target = /** @type {Element} */ (event.composedPath()[0]);
    if (!this.node.hidden && !event.defaultPrevented && !usesKey(target, event.key)) (this.#lattice.node.hidden ? this.#matches : this.#lattice).press(event);
  }

  /**
   * Show an answer if it is for one of these views; otherwise hide them.
   *
   * @param {Record<string, any>} meta
   * @returns {boolean} true if it is shown
   */
  show(meta) {
    const { view } = meta;
    this.node.hidden = !view;
    this.#lattice.node.hidden = view !== "lattice";
    this.#matches.node.hidden = view !== "matches";
    this.#pictures.hidden = view !== "lattice";
    if (view === "lattice") this.#lattice.show(readLattice(meta.lattice));
    if (view === "matches") this.#matches.show(meta.matches);
    return Boolean(view);
  }

  /** Say how a tokenizer works. @param {string | undefined} view "lattice", "matches", or none for merges */
  introduce(view) {
    const introduced = OTHERS[view ?? ""] ?? MERGES;
    if (introduced === this.#introduced) return;
    this.#introduced = introduced;
    introductionsOf(introduced).forEach((each, k) => fill(this.introductions[k], ...each.childNodes));
  }

  /** What a picture shows, as fields of a request; null if nothing on screen has one. */
  get pictured() {
    return this.node.hidden || this.#pictures.hidden ? null : this.#lattice.shown;
  }

  hide() {
    this.node.hidden = true;
  }

  dispose() {
    this.#lattice.dispose();
    this.#matches.dispose();
  }
}
