import assert from "node:assert/strict";
import { test } from "node:test";

import { Progress } from "../../tokviz/widgets/replay/predict/vote.js";
import { fakeDocument } from "./fakepage.js";

/** The states of the dots, and the score. */
const shown = ({ nodes: [dots, score] }) => [[...dots.children].map((dot) => dot.class ?? ""), score.textContent];

test("a dot is filled only by a first guess that was right", () => {
  globalThis.document = fakeDocument();
  const progress = new Progress();
  progress.show(0, 3);
  assert.deepEqual(shown(progress), [["at", "", ""], ""]);
  progress.mark(0, true);
  progress.mark(1, false);
  progress.mark(1, true); // at the second attempt
  progress.show(2, 3);
  assert.deepEqual(shown(progress), [["right", "wrong", "at"], "1 of 2 right"]);
  progress.mark(2, true);
  progress.show(3, 3, "4 tokens");
  assert.deepEqual(shown(progress), [["right", "wrong", "right"], "4 tokens, 2 of 3 right"]);
  progress.reset();
  progress.show(0, 41); // too many to be dots
  assert.deepEqual(shown(progress), [[], ""]);
});
