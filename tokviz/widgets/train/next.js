/**
 * What to do next with a tokenizer: watch how it was learned, read a text with it, take it along, or remove it.
 */

import { button, element, fill, number, plural } from "../shared/dom/elements.js";
import { problemOf } from "../shared/net/client.js";
import { writeLink } from "../shared/net/links.js";
import { MADE } from "../shared/net/madetokenizers.js";
import { door, waysOn } from "../shared/ui/doors.js";
import { saveFile } from "../shared/ui/files.js";
import { canWatch } from "./settings.js";

/** What is watched, by the algorithm. */
const STEPS = /** @type {Record<string, string>} */ ({
  bpe: "Its merges, applied step by step.",
  unigram: "All pieces that fit, and the best way through.",
  wordpiece: "The longest piece, again and again.",
});

/** @typedef {import("./settings.js").Recipe} Recipe */
/** @typedef {{recipe: Recipe, text: string | null, piece: string, merges: number}} Learned `text`: the whole, if it is one */

/** Say which merge was learned last. @param {any} shown the server's answer @returns {string} "" if that is not known */
export function sayNewest({ glimpse, merges }) {
  const newest = glimpse?.merges[0];
  return newest?.rank === merges - 1 ? `“${newest.new}” came last, as merge ${number(merges)}.` : "";
}

/** Say what another tokenizer takes for the same text. @param {any} shown the server's answer @returns {string} "" if that is not known */
export function sayOther({ learned, training }) {
  const [own, other] = learned ?? training?.learned ?? [];
  return own?.tokens && other?.tokens ? `Of the text it learned from, it makes ${plural(own.tokens, "token")}; ${other.label}, ${number(other.tokens)}.` : "";
}

export class Next {
  #client;
  #doors = waysOn(...doorsBefore());
  #take;
  #files = element("ul", { class: "files" });
  #status = element("p", { class: "quiet", role: "status" });
  #name = "";

  /**
   * @param {import("../shared/net/client.js").Client} client
   * @param {string} kept how long tokenizers are kept
   * @param {(name: string) => void} remove
   */
  constructor(client, kept, remove) {
    this.#client = client;
    this.#take = element("section", { class: "take", "aria-label": "Take it along", hidden: true }, element("h3", {}, "Take it along"), element("p", { class: "quiet" }, kept), this.#files, button("Remove it", () => remove(this.#name)), this.#status);
    this.node = element("div", { class: "next" }, this.#take, this.#doors);
  }

  /**
   * @param {{name: string, recipe: string | null, algorithm?: string}} made the tokenizer; `algorithm` is another library's
   * @param {Learned | null} learned what it was learned from, if that is known
   * @param {any} shown the server's answer
   */
  async show(made, learned, shown) {
    this.#name = made.name;
    this.#take.hidden = false;
    const { watch, isLearning, read } = await addressesOf(made, learned);
    if (made.name !== this.#name) return;
    const steps = STEPS[made.algorithm ?? ""] ?? STEPS.bpe;
    fill(
      this.#doors,
      door(watch, `${sayNewest(shown) || steps} Watch it ${isLearning ? "being learned" : "read a text"}`),
      door(read, `${sayOther(shown) || "It is in the list of every page."} Read a text with it`),
    );
    await this.#showFiles(made.name);
  }

  /** Offer what can be done before there is a tokenizer. */
  hide() {
    this.#name = "";
    this.#take.hidden = true;
    fill(this.#doors, ...doorsBefore());
  }

  /** @param {string} name */
  async #showFiles(name) {
    const files = await this.#client.json("trained/files", { tokenizer: name }).catch(() => []);
    if (name !== this.#name) return;
    const entry = (/** @type {{title: string, name: string, says: string}} */ file) => {
      const save = button(file.title, () => void this.#save(file.name));
      save.disabled = !file.name;
      return element("li", {}, save, element("span", { class: "quiet" }, file.says));
    };
    fill(this.#files, ...files.map(entry));
  }

  /** @param {string} file */
  async #save(file) {
    try {
      saveFile(file, await this.#client.blob("trained/file", { tokenizer: this.#name, file }));
      fill(this.#status, `${file} is saved`);
    } catch (error) {
      fill(this.#status, problemOf(error));
    }
  }
}

/**
 * Addresses of the other pages with a tokenizer, and a text unless that is the one that all pages share.
 *
 * @param {{name: string, recipe: string | null}} made
 * @param {Learned | null} learned
 */
export async function addressesOf({ name, recipe }, learned) {
  const own = { [MADE]: `${name}.${recipe ?? ""}` };
  const piece = learned?.recipe.source === "text" ? null : (learned?.piece ?? null);
  const isLearning = learned !== null && canWatch(learned.recipe, learned.text, learned.merges);
  const watched = isLearning ? (await import("./watching.js")).watchLink(learned.recipe, learned.text ?? "", learned.merges) : null;
  return {
    isLearning,
    watch: watched ? await writeLink("replay", watched.fields, watched.text) : await writeLink("replay", { story: "apply", tokenizer: name, ...own }, piece),
    read: await writeLink("./", { tokenizer: name, ...own }, piece),
  };
}

/** Ways on while there is no tokenizer. */
const doorsBefore = () => [door("replay", "Watch letters become tokens, merge by merge"), door("course#chapter=pairs", "How are merges learned? Read on: pair by pair")];
