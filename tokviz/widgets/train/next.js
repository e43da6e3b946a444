/**
 * What to do next with a tokenizer: watch how it was learned, compare it, read a text with it, and take it along.
 */

import { button, element, fill } from "../shared/dom/elements.js";
import { sentenceOf } from "../shared/net/client.js";
import { writeLink } from "../shared/net/links.js";
import { MADE } from "../shared/net/madetokenizers.js";
import { saveFile } from "../shared/ui/files.js";
import { OWN } from "./engines.js";

/** Limits of the Merge replay page. */
const [MAX_WATCHED, MAX_MERGES] = [100_000, 5_000];

/** What is watched, by the algorithm. */
const STEPS = /** @type {Record<string, string>} */ ({
  bpe: "Its merges, applied step by step",
  unigram: "All pieces that fit, and the best way through",
  wordpiece: "The longest piece, again and again",
});

/** @typedef {import("./settings.js").Recipe} Recipe */
/** @typedef {{recipe: Recipe, text: string | null, piece: string, merges: number}} Learned `text`: the whole, if it is one */

/** Whether the Merge replay page can learn the same from this text. @param {Recipe} recipe @param {string | null} text @param {number} merges */
export function canWatch(recipe, text, merges) {
  const { algorithm, specials, mark, markLabel, alphabet } = recipe;
  const isPlain = algorithm === OWN && !specials.trim() && (alphabet !== "characters" || !mark || markLabel === "</w>");
  return isPlain && text !== null && text !== "" && new TextEncoder().encode(text).length <= MAX_WATCHED && merges <= MAX_MERGES;
}

export class Next {
  #client;
  #on;
  #doors = element("nav", { class: "doors", "aria-label": "What next" });
  #files = element("ul", { class: "files" });
  #status = element("p", { class: "quiet", role: "status" });
  #name = "";

  /**
   * @param {import("../shared/net/client.js").Client} client
   * @param {string} kept how long tokenizers are kept
   * @param {{share: () => void, remove: (name: string) => void}} on
   */
  constructor(client, kept, on) {
    this.#client = client;
    this.#on = on;
    const take = element("section", { class: "take", "aria-label": "Take it along" }, element("h3", {}, "Take it along"), element("p", { class: "quiet" }, kept), this.#files, this.#status);
    this.node = element("div", { class: "next", hidden: true }, this.#doors, take);
  }

  /**
   * @param {{name: string, recipe: string | null, algorithm?: string}} made the tokenizer; `algorithm` is another library's
   * @param {Learned | null} learned what it was learned from, if that is known
   */
  async show(made, learned) {
    this.#name = made.name;
    this.node.hidden = false;
    const { watch, isLearning, compare, read } = await addressesOf(made, learned);
    if (made.name !== this.#name) return;
    fill(
      this.#doors,
      isLearning ? door(watch, "Watch it being learned", "Every merge, and the pairs it was chosen from") : door(watch, "Watch it read a text", STEPS[made.algorithm ?? ""] ?? STEPS.bpe),
      door(compare, "Compare it with GPT-2", "Where do the two differ, and why?"),
      door(read, "Read a text with it", "It is in the list of every page"),
      element("button", { type: "button", class: "door", click: () => this.#on.share() }, element("b", {}, "Pass it on →"), element("span", {}, "A link that trains it by itself")),
      button("Remove it", () => this.#on.remove(made.name), { class: "door quiet" }),
    );
    await this.#showFiles(made.name);
  }

  hide() {
    this.node.hidden = true;
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
      fill(this.#status, sentenceOf(error));
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
    compare: await writeLink("compare", { compare: `gpt2,${name}`, view: "place", ...own }, piece),
    read: await writeLink("./", { tokenizer: name, ...own }, piece),
  };
}

/** @param {string} href @param {string} label @param {string} teaser */
function door(href, label, teaser) {
  return element("a", { class: "door", href }, element("b", {}, `${label} →`), element("span", {}, teaser));
}
