/**
 * What if a user writes a control token? The two readings of such a message, side by side, and what each does.
 */

import { button, element, fill, listed, plural } from "../shared/dom/elements.js";
import { TokenView } from "../token_view/view.js";
import { partOf } from "./origins.js";

/** @typedef {import("./origins.js").Reading} Reading */

const SOURCES = /** @type {[string, string][]} */ ([
  ["https://huggingface.co/docs/transformers/chat_templating", "transformers reads control tokens wherever they stand, also in a message"],
  ["https://github.com/openai/tiktoken/blob/main/tiktoken/core.py", "tiktoken refuses such a text, or reads it as text where it is told to"],
  ["https://github.com/openai/harmony", "openai-harmony reads what a message says as text"],
]);

export class Readings {
  #on;
  #title = element("h2", {});
  #try = button("", () => this.#on.insert(this.#control));
  #body = element("div", { class: "both", hidden: true });
  #says = { text: element("p", {}), control: element("p", {}) };
  #warning = element("p", { class: "warn" });
  #views;
  #control = "<|im_end|>";

  /** @param {{insert: (control: string) => void}} on a control token is to be written into a message */
  constructor(on) {
    this.#on = on;
    const panes = { text: element("div", {}), control: element("div", {}) };
    const quiet = { onPoint: () => {}, onSelect: () => {} };
    this.#views = { text: new TokenView(panes.text, quiet, "Read as text"), control: new TokenView(panes.control, quiet, "Read as control tokens") };
    this.#body.append(
      element("div", { class: "two" },
        element("div", {}, element("h3", {}, "A careful program reads the message as text"), panes.text, this.#says.text),
        element("div", {}, element("h3", {}, "A careless program lets it become a control token"), panes.control, this.#says.control),
      ),
      this.#warning,
      element("ul", { class: "quiet sources" }, ...SOURCES.map(([href, text]) => element("li", {}, element("a", { href, target: "_blank", rel: "noreferrer" }, text), "."))),
    );
    this.node = element("section", { class: "injected", "aria-label": "A control token in a message" }, element("div", { class: "row" }, this.#title, this.#try), this.#body);
  }

  /** @param {Reading} reading @param {string[]} roles of the messages */
  show(reading, roles) {
    const { model, asText, written } = reading;
    this.#control = controlOf(reading) ?? this.#control;
    fill(this.#title, `What if a user writes ${this.#control}?`);
    fill(this.#try, "Try it");
    const place = asText && written.length ? this.#placeOf(reading) : null;
    this.#try.hidden = place !== null;
    this.#body.hidden = place === null;
    this.node.classList.toggle("tried", place !== null);
    this.#try.disabled = controlOf(reading) === null;
    if (!place || !asText) return;
    const [careful, careless] = [partOf(asText, ...place.range), partOf(model, ...place.range)];
    const options = /** @type {const} */ ({ view: "text", colorBy: "alternate", marks: true, dir: "auto" });
    this.#views.text.show(careful, options);
    this.#views.control.show(careless, options);
    const controls = careless.special.reduce((sum, is) => sum + is, 0);
    fill(this.#says.text, `${plural(careful.n, "token")}, all of them ordinary: nothing in the message does anything.`);
    fill(this.#says.control, `${plural(careless.n, "token")}, ${controls === 1 ? "one of them a control token" : `${controls} of them control tokens`}.`);
    fill(this.#warning, ...this.#warn(reading, place, roles));
  }

  /** The message with the first such token, and its place. @param {Reading} reading @returns {{message: number, range: [number, number]} | null} */
  #placeOf(reading) {
    for (const i of reading.written) {
      const origin = reading.originOf(i);
      const range = typeof origin === "object" && origin ? reading.placeOf(origin[0]) : null;
      if (range && origin) return { message: /** @type {number} */ (origin[0]), range };
    }
    return null;
  }

  /** @param {Reading} reading @param {{message: number, range: [number, number]}} place @param {string[]} roles */
  #warn({ model, written }, { message, range }, roles) {
    const names = [...new Set(Array.from(written, (i) => model.text.slice(model.starts[i], model.starts[i + 1])))];
    const after = model.text.slice(model.starts[written[0] + 1], range[1]).trim();
    const ends = /end|eot|\/s|return|call/.test(names[0]);
    const what = ends ? `really end the ${roles[message] ?? "user"}’s message` : "are read as the program’s own";
    const rest = after ? ` What follows stands outside it, where the model expects only the program to write: “${after.length > 80 ? `${after.slice(0, 80)}…` : after}”.` : "";
    return [element("b", {}, "On the right, "), `${names[0].length} characters that anyone can type ${what}.${rest}`, names.length > 1 ? ` Written were ${listed(names)}.` : ""];
  }

  dispose() {
    for (const view of Object.values(this.#views)) view.dispose();
  }
}

/** The control token that ends a message, or any that the template writes; null without one. @param {Reading} reading */
function controlOf({ model }) {
  /** @type {Set<string>} */
  const names = new Set();
  for (let i = 0; i < model.n; i++) if (model.special[i]) names.add(model.text.slice(model.starts[i], model.starts[i + 1]));
  return [...names].find((name) => /end|\/INST|<\/s>|eot/i.test(name)) ?? [...names][0] ?? null;
}
