/**
 * What takes the place of the player for tokenizers that don't merge: a lattice, or longest matches.
 */

import { readLattice } from "../lattice/model.js";
import { LatticeView } from "../lattice/view.js";
import { MatchesView } from "../matches/view.js";
import { button, element, fill } from "../shared/dom/elements.js";
import { PRESENTING_CLASS } from "../shared/page/presenter.js";
import { savePicture } from "../shared/ui/pictures.js";

export class Views {
  #lattice = new LatticeView();
  #matches = new MatchesView();
  #disposal = new AbortController();
  #pictures = element("span", { class: "row" });
  #pictureNote = element("span", { class: "quiet", role: "status" });

  /** @param {() => void} takeAway save what is shown as a page of its own */
  constructor(takeAway) {
    const save = button("take it away", takeAway, { title: "This view with this text as one file that opens without a network" });
    this.#pictures.append(
      ...["SVG", "PNG"].map((format) => button(format, () => void this.#savePicture(format), { title: "The lattice as it stands, as a picture for slides and papers" })),
      this.#pictureNote,
    );
    const tools = element("div", { class: "row presenting" }, save, this.#pictures);
    this.node = element("div", { class: "views", hidden: true }, this.#lattice.node, this.#matches.node, tools);
    document.addEventListener("keydown", (event) => this.#press(event), { signal: this.#disposal.signal });
  }

  /** While presenting, keys reach the view wherever the focus is, as a clicker sends them. @param {KeyboardEvent} event */
  #press(event) {
    const isHeard = document.documentElement.classList.contains(PRESENTING_CLASS) && !this.node.hidden && !event.defaultPrevented;
    if (isHeard) (this.#lattice.node.hidden ? this.#matches : this.#lattice).press(event);
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

  /** @param {string} format "SVG" or "PNG" */
  async #savePicture(format) {
    fill(this.#pictureNote, await savePicture("lattice", format, this.#lattice.picture()));
  }

  hide() {
    this.node.hidden = true;
  }

  dispose() {
    this.#disposal.abort();
    this.#lattice.dispose();
    this.#matches.dispose();
  }
}
