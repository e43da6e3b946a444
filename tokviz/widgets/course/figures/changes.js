/**
 * What newer split patterns changed: for each change, a short text whose tokens depend on it, which the server searches.
 */

import { element, fill, plural } from "../../shared/dom/elements.js";
import { createAsking } from "../asking.js";

/** @typedef {{pieces: string[][], tokens: number}} Side `pieces`: the tokens of each pre-token */
/** @typedef {{text: string, sides: [newer: Side, older: Side]}} Witness */

/** @type {[name: string, label: string, older: string][]} */
const CHANGES = [
  ["contractions", "’S as well as ’s", "cl100k"],
  ["letters", "any sign before a word", "cl100k"],
  ["digits", "digits by three", "cl100k"],
  ["signs", "signs with their line ends", "cl100k"],
  ["lines", "spaces with the line end", "cl100k"],
  ["capitals", "capitals inside words", "o200k"],
];

/** @param {import("../figures.js").Context} context @returns {import("../figures.js").Figure} */
export function create(context) {
  let value = "";
  const buttons = CHANGES.map(([name, label, by]) =>
    element("button", { type: "button", class: "button change", "data-name": name, click: () => (show(name), context.changed()) }, element("b", {}, label), element("small", { class: "quiet" }, by)),
  );
  const found = element("div", { class: "witness", role: "status" });
  const asking = createAsking(context, (answer) => draw(answer));
  const node = element("div", { class: "changes" }, element("div", { class: "row" }, ...buttons), found, asking.problem);

  /** @param {string} name */
  function show(name) {
    value = CHANGES.some(([each]) => each === name) ? name : CHANGES[0][0];
    for (const button of buttons) button.ariaPressed = String(button.dataset.name === value);
    fill(found, element("p", { class: "quiet" }, "Searching …"));
    void asking.ask({ route: "changes", text: "", query: { name: value } });
  }

  /** @param {Witness} witness */
  function draw({ text, sides }) {
    const [newer, older] = sides;
    const name = CHANGES.find(([each]) => each === value)?.[2];
    fill(
      found,
      element("p", {}, "Found: ", element("code", {}, text)),
      sideNode(`${name}’s pattern`, newer),
      sideNode("without this change", older),
    );
  }

  return { node, value: () => value, show, dispose: () => asking.dispose() };
}

/** @param {string} title @param {Side} side */
function sideNode(title, { pieces, tokens }) {
  return element(
    "p",
    { class: "side" },
    element("span", { class: "quiet" }, title),
    element("span", { class: "pieces mono" }, ...pieces.map((piece, i) => element("bdi", { class: `piece-of tint-${i % 4}` }, ...piece.map((token) => element("span", {}, token))))),
    element("span", { class: "quiet" }, plural(tokens, "token")),
  );
}
