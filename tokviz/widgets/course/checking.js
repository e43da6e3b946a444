/**
 * A reader's own solution is checked: a form with what was to be done, the answer, and the step where it goes wrong.
 */

import { button, debounce, element, fill, menu, number } from "../shared/dom/elements.js";
import { writeLink } from "../shared/net/links.js";
import { createAsking } from "./asking.js";
import { createLive } from "../figure/late.js";

/** Bytes of a file that the server reads. */
const MAX_FILE = 1_000_000;

const PAUSE_MS = 250;

/** @typedef {Record<string, string>} Fields as the server's `check_merges` and `check_ids` take them */
/** @typedef {{right: boolean, sentences: string[], link: import("../figure/figure.js").Link | null}} Checked */
/** @typedef {{name: string, label: string, choices?: [string, string][], type?: string}} Setting a menu if it has choices, else a field */

export class Checking {
  #context;
  #what;
  /** @type {Fields} */
  #fields = {};
  #solution;
  #text;
  #file = element("input", { type: "file", hidden: "", change: () => void this.#takeFile() });
  #settings = element("div", { class: "row" });
  #says = element("div", { class: "checked", role: "status" });
  #way = element("p");
  #step = createLive("The step where it goes wrong");
  #asking;
  #ask = debounce(() => this.#askNow(), PAUSE_MS);

  /**
   * @param {import("./figures.js").Context} context
   * @param {object} what
   * @param {string} what.route
   * @param {string} what.label of the solution
   * @param {Setting[]} what.settings
   */
  constructor(context, what) {
    this.#context = context;
    this.#what = what;
    this.#asking = createAsking(context, (/** @type {Checked} */ checked) => this.#draw(checked));
    this.#solution = this.#createBox("solution", what.label, 3);
    this.#text = this.#createBox("text", "Text", 2);
    const head = element("div", { class: "row head" }, element("span", {}, what.label), button("Choose a file", () => this.#file.click()));
    const text = element("label", {}, "Text", this.#text);
    this.node = element("div", { class: "checking" }, head, this.#solution, text, this.#settings, this.#says, this.#asking.problem, this.#way, this.#step.node, this.#file);
  }

  /** What is checked, as fields in an address. */
  value() {
    return new URLSearchParams(this.#fields).toString();
  }

  /** @param {string} value fields, as in an address */
  show(value) {
    this.#fields = Object.fromEntries(new URLSearchParams(value));
    this.#solution.value = this.#fields.solution ?? "";
    this.#text.value = this.#fields.text ?? "";
    fill(this.#settings, ...this.#what.settings.map((setting) => this.#settingNode(setting)));
    this.#ask.cancel();
    this.#askNow();
  }

  dispose() {
    this.#ask.cancel();
    this.#step.dispose();
    this.#asking.dispose();
  }

  /** @param {string} name @param {string} label @param {number} rows */
  #createBox(name, label, rows) {
    const input = () => this.#set(name, box.value);
    const box = element("textarea", { rows, input, "aria-label": label, spellcheck: "false", autocapitalize: "off", dir: "auto" });
    return box;
  }

  /** @param {Setting} setting */
  #settingNode({ name, label, choices, type = "text" }) {
    if (choices) return menu(label, choices, this.#fields[name] ?? choices[0][0], (value) => this.#set(name, value)).node;
    const field = element("input", { type, value: this.#fields[name] ?? "", input: () => this.#set(name, field.value) });
    return element("label", { class: "menu" }, element("span", {}, label), field);
  }

  /** @param {string} name @param {string} value @param {string} [file] its name, for a solution from a file */
  #set(name, value, file = "") {
    this.#fields = { ...this.#fields, [name]: value, ...(name === "solution" && { name: file }) };
    this.#context.changed();
    this.#ask.later();
  }

  #askNow() {
    void this.#asking.ask({ route: this.#what.route, text: JSON.stringify(this.#fields) });
  }

  async #takeFile() {
    const file = this.#file.files?.[0];
    if (!file) return;
    this.#file.value = ""; // so that it can be chosen again
    if (file.size > MAX_FILE) return fill(this.#asking.problem, `This file has ${number(file.size)} bytes; ${number(MAX_FILE)} are the most that are checked.`);
    const text = await file.text().catch(() => null);
    if (text === null) return fill(this.#asking.problem, `“${file.name}” can't be read. Choose it again.`);
    this.#solution.value = text;
    this.#set("solution", text, file.name);
  }

  /** @param {Checked} checked */
  #draw({ right, sentences, link }) {
    this.#says.classList.toggle("right", right);
    fill(this.#says, ...sentences.map((sentence) => element("p", {}, sentence)));
    this.#step.clear();
    fill(this.#way);
    if (link) void this.#showStep(link);
  }

  /** @param {import("../figure/figure.js").Link} link */
  async #showStep(link) {
    const { base, client } = this.#context;
    void this.#step.show(client.json("figure", {}, JSON.stringify(link)), link);
    const href = base === undefined ? null : await writeLink(`${base}${link.page}`, link.fields, link.text);
    fill(this.#way, href ? element("a", { href }, link.label) : link.label);
  }
}
