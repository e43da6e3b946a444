/**
 * The code points of a character side by side: each can be taken out, and what is left is drawn.
 */

import { disposeOf, element, fill, plural } from "../../shared/dom/elements.js";
import { createAsking } from "../asking.js";
import { createField } from "../field.js";
import { describeLengths } from "../lengths.js";

/** Numbers of code points that are taken out, and a text. */
const VALUE = /^(\d*(?:,\d+)*);(.*)$/su;

/** @param {string} value @returns {{off: number[], text: string}} */
export function readValue(value) {
  const found = VALUE.exec(value);
  if (!found) return { off: [], text: value };
  return { off: found[1].split(",").filter(Boolean).map(Number), text: found[2] };
}

/** @param {string} text @param {number[]} off */
export const writeValue = (text, off) => (off.length || VALUE.test(text) ? `${off};${text}` : text);

/** @param {import("../figures.js").Context} context @returns {import("../figures.js").Figure} */
export function create(context) {
  let text = "";
  /** @type {Set<number>} */
  let off = new Set();
  const field = createField({ label: "A character of several code points", most: 40 }, (typed) => {
    show(typed);
    context.changed();
  });
  const parts = element("div", { class: "points", role: "group", "aria-label": "Code points" });
  const left = element("output", { class: "glyph" });
  const says = element("p", { class: "says", role: "status" });
  const whole = createAsking(context, (answer) => draw(answer.points));
  const rest = createAsking(context, ({ lengths }) => fill(says, off.size > 0 && `Without ${plural(off.size, "code point")}. `, ...describeLengths(lengths)));
  const node = element(
    "div",
    { class: "apart" },
    element("div", { class: "row" }, field.node, element("span", { class: "quiet" }, "="), parts, element("span", { class: "quiet" }, "→"), left),
    says,
    whole.problem,
    rest.problem,
  );

  /** @param {string} value */
  function show(value) {
    const read = readValue(value);
    text = read.text;
    off = new Set(read.off);
    field.show(text);
    void whole.ask({ route: "apart", text });
    showLeft();
  }

  /** @param {import("./character.js").Point[]} points */
  function draw(points) {
    fill(parts, ...points.map((point, place) => pointButton(point, place)));
  }

  /** @param {import("./character.js").Point} point @param {number} place */
  function pointButton({ shown, code, name }, place) {
    const button = element(
      "button",
      { type: "button", class: "point", "aria-pressed": String(!off.has(place)), title: name, click: () => toggle(button, place) },
      element("span", { class: "shape" }, /^\p{M}/u.test(shown) ? `◌${shown}` : shown),
      element("small", {}, code),
      element("small", { class: "quiet" }, name.toLowerCase()),
    );
    return button;
  }

  /** @param {HTMLElement} button @param {number} place */
  function toggle(button, place) {
    if (!off.delete(place)) off.add(place);
    button.ariaPressed = String(!off.has(place));
    showLeft();
    context.changed();
  }

  function showLeft() {
    const remaining = [...text].filter((_, place) => !off.has(place)).join("");
    fill(left, remaining);
    void rest.ask({ route: "apart", text: remaining });
  }

  return {
    node,
    value: () => writeValue(text, [...off].sort((a, b) => a - b)),
    show,
    dispose: disposeOf(whole, rest),
  };
}
