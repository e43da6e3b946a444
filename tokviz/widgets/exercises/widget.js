/**
 * Exercises for homework, checked by the page with reasons; on paper a worksheet, with the answers on a second sheet.
 */

import { mountFrame } from "../frame/frame.js";
import { Client } from "../shared/net/client.js";
import { filled, marked } from "../room/text.js";
import { element, fill } from "../shared/dom/elements.js";
import { earliest, judgeCheaper, judgeCut, judgeMerge, boundariesOf } from "./checks.js";
import { Exercise } from "./exercise.js";

/**
 * @param {HTMLElement} root
 * @param {any} data see `mountFrame`; `exercises` and `words`: see `tokviz/lesson/exercises.py`
 */
export function mount(root, data) {
  /** @type {{exercises: import("./exercise.js").Asked[], words: import("./checks.js").Words}} */
  const { exercises: shown, words } = data;
  const client = new Client(data.base);
  /** @type {Set<string>} */
  const right = new Set();
  const score = element("p", { class: "quiet score", role: "status" });
  const items = shown.map((asked) => new Exercise(asked, words, client, (isRight) => {
    if (isRight) right.add(asked.id);
    else right.delete(asked.id);
    fill(score, filled(words.score, { right: right.size, count: shown.length }));
  }));
  const answers = shown.flatMap((asked) => answerOf(asked, words)).map((says) => element("li", {}, ...marked(says)));
  const node = element(
    "section",
    { class: "tokviz exercises", "aria-label": words.title },
    element("p", { class: "introduction" }, words.introduction),
    element("ol", {}, ...items.map((item) => item.node)),
    score,
    element("section", { class: "paper answers" }, element("h2", {}, words.answers), element("ol", {}, ...answers)),
  );
  root.append(node);
  const frame = mountFrame(root, data);
  return {
    update() {},
    dispose() {
      frame.dispose();
      node.remove();
    },
  };
}

/** The answer on paper; none where any text may be right. @param {any} asked @param {import("./checks.js").Words} words */
function answerOf(asked, words) {
  if (asked.kind === "cut") return judgeCut(asked, boundariesOf(asked), words).says.join(" ");
  if (asked.kind === "merge") return judgeMerge(asked, asked.pairs.indexOf(earliest(asked)), words).says.join(" ");
  if (asked.kind === "cheaper") return judgeCheaper(asked, 0, words).says.join(" ");
  return [];
}
