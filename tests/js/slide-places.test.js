/** Where a lesson's slides stand, and where keys lead from there. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { filled } from "../../tokviz/widgets/room/text.js";
import { after, before, leadOf, ownerOf, placeIn, sayTime, standing, turned } from "../../tokviz/widgets/slides/places.js";

/** @param {boolean} hasVotes @param {number} count */
function walk(hasVotes, count) {
  const places = [placeIn(null, count)];
  for (;;) {
    const last = places[places.length - 1];
    const next = after(last, count, hasVotes);
    if (next.step === last.step && next.phase === last.phase) return places;
    places.push(next);
  }
}

const said = (/** @type {import("../../tokviz/widgets/slides/places.js").Place[]} */ places) => places.map(({ step, phase }) => `${step} ${phase}`);

test("going on shows each question, then its answer, to the last", () => {
  assert.deepEqual(said(walk(false, 2)), ["0 asked", "0 revealed", "1 asked", "1 revealed"]);
});

test("with votes, they are shown before the answer", () => {
  assert.deepEqual(said(walk(true, 2)), ["0 asked", "0 shown", "0 revealed", "1 asked", "1 shown", "1 revealed"]);
});

test("what leads on is named", () => {
  const places = walk(true, 2);
  const leads = places.map((place) => leadOf(place, after(place, 2, true)));
  assert.deepEqual(leads, ["votes", "reveal", "next_step", "votes", "reveal", null]);
  assert.equal(leadOf(places[0], after(places[0], 2, false)), "reveal");
});

test("a step that asks for a number has the number and the clock of the step before it", () => {
  const steps = [{}, {}, { number: {} }, {}];
  const words = { step: "Step {number} of {count}", names_step: "Step {number} of {count}, your names" };
  const all = steps.map((_, k) => standing(words, steps, k));
  assert.deepEqual(all, ["Step 1 of 3", "Step 2 of 3", "Step 2 of 3, your names", "Step 3 of 3"]);
  assert.deepEqual(steps.map((_, k) => ownerOf(steps, k)), [0, 1, 1, 3]);
});

test("back hides an answer first, then returns to the answer before", () => {
  const back = [/** @type {const} */ ({ step: 1, phase: "revealed" })].map(before);
  assert.deepEqual(back, [{ step: 1, phase: "asked" }]);
  assert.deepEqual(before({ step: 1, phase: "shown" }), { step: 1, phase: "asked" });
  assert.deepEqual(before({ step: 1, phase: "asked" }), { step: 0, phase: "revealed" });
  assert.deepEqual(before({ step: 0, phase: "asked" }), { step: 0, phase: "asked" });
});

test("the answer is turned on and off from anywhere", () => {
  assert.equal(turned({ step: 3, phase: "asked" }).phase, "revealed");
  assert.equal(turned({ step: 3, phase: "shown" }).phase, "revealed");
  assert.equal(turned(turned({ step: 3, phase: "asked" })).phase, "asked");
});

test("what is no place is the first", () => {
  const first = { step: 0, phase: "asked" };
  for (const stored of [null, {}, { step: 5, phase: "asked" }, { step: -1, phase: "asked" }, { step: 1.5, phase: "asked" }, { step: 1, phase: "x" }, "1"]) {
    assert.deepEqual(placeIn(stored, 5), first);
  }
  assert.deepEqual(placeIn({ step: 4, phase: "revealed", more: 1 }, 5), { step: 4, phase: "revealed" });
});

test("time is said in minutes and seconds", () => {
  assert.deepEqual([0, 999, 59_999, 60_000, 3_725_000, -5].map(sayTime), ["0:00", "0:00", "0:59", "1:00", "62:05", "0:00"]);
});

test("texts are filled in by name, and what is unknown stays", () => {
  assert.equal(filled("Step {number} of {count} {x}", { number: 2, count: 11 }), "Step 2 of 11 {x}");
});
