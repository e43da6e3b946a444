// Charts that are saved: in the colors of the page, and otherwise as they are.

import assert from "node:assert/strict";
import { test } from "node:test";

import { grown, inColors } from "../../tokviz/widgets/compression/plotly.js";

test("a chart takes the colors and the font of the page, and keeps all else", () => {
  const data = [{ x: [1], y: [2] }];
  const layout = { font: { size: 16 }, paper_bgcolor: "transparent", title: { text: "?" }, width: 900 };
  const found = inColors({ data, layout }, { color: "#eee", backgroundColor: "#111", fontFamily: "serif" });
  assert.equal(found.data, data);
  assert.deepEqual(found.layout, {
    font: { size: 16, color: "#eee", family: "serif" }, paper_bgcolor: "#111", title: { text: "?" }, width: 900,
  });
  assert.deepEqual(layout.font, { size: 16 });
});

test("on a wide screen all lengths of a chart grow, and neither its data nor its places", () => {
  const marker = { size: [4, 8], line: { width: 2 } };
  const figure = { data: [{ x: [1, 2], width: 3, marker, line: { width: 2, color: "red" } }], layout: { height: 400, font: { size: 16 }, margin: { l: 8, t: 0 }, legend: { x: 1 } } };
  assert.deepEqual(grown(figure, 1.25), {
    data: [{ x: [1, 2], width: 3, marker: { size: [5, 10], line: { width: 2.5 } }, line: { width: 2.5, color: "red" } }],
    layout: { height: 500, font: { size: 20 }, margin: { l: 10, t: 0 }, legend: { x: 1 } },
  });
  assert.deepEqual(grown(figure, 1), figure);
});
