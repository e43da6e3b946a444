/**
 * What is said of a training while it runs.
 */

import { element, fill } from "../shared/dom/elements.js";
import { sayProgress, shareDone } from "./wording.js";

const PHASES = /** @type {Record<string, string>} */ ({ cutting: "Cutting the text", counting: "Counting neighbors", merging: "Learning merges", training: "Training", measuring: "Measuring", comparing: "Comparing" });

export class Running {
  #bar = element("progress", { max: 1, "aria-label": "Progress" });
  #doing = element("p", { class: "doing" });
  /** What is being done, for screen readers, without the numbers that change all the time. */
  #phase = element("p", { class: "unseen", role: "status" });
  node = element("div", { class: "running", hidden: true }, this.#doing, this.#phase, this.#bar);

  start() {
    this.node.hidden = false;
    this.#bar.removeAttribute("value");
    fill(this.#doing, "Starting");
  }

  /** @param {import("./run.js").Progress} progress */
  show(progress) {
    fill(this.#doing, sayProgress(progress));
    const phase = PHASES[progress.phase] ?? "";
    if (this.#phase.textContent !== phase) fill(this.#phase, phase);
    const share = shareDone(progress);
    if (share === null) this.#bar.removeAttribute("value");
    else this.#bar.value = share;
  }

  end() {
    this.node.hidden = true;
  }
}
