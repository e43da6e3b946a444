/**
 * What a training gave, or a file: shown as a byte pair encoding of tokviz's own, or as what another library made.
 */

import { Result } from "./result.js";
import { Vocabulary } from "./vocabulary.js";

export class Outcome {
  #client;
  #picture;
  #result;
  #vocabulary;
  /** What another library made, once there is such a thing. @type {{engine: import("./engineresult.js").EngineResult, pieces: import("./piecetable.js").PieceTable} | null} */
  #other = null;
  /** @type {any} */
  #shown = null;
  /** Number of the newest load; an earlier one that comes late is not shown. */
  #newest = 0;

  /** @param {import("../shared/net/client.js").Client} client @param {import("./picture.js").Picture} picture */
  constructor(client, picture) {
    this.#client = client;
    this.#picture = picture;
    this.#result = new Result(client, picture);
    this.#vocabulary = new Vocabulary(client);
    /** Above the picture, beneath it, beneath text and recipe, and at the end of the page. */
    this.head = this.#result.head;
    this.node = this.#result.node;
    this.below = this.#result.towers;
    this.last = this.#vocabulary.node;
  }

  /** What is shown of the tokenizer; null if there is none. */
  get shown() {
    return this.#shown;
  }

  /** A part of the text that it was trained on, for other pages; "" if there is none. */
  get piece() {
    return this.#shown?.algorithm ? (this.#other?.engine.tried ?? "") : (this.#shown?.glimpse?.piece ?? "");
  }

  /**
   * Show a tokenizer. Rejects as requests do.
   *
   * @param {string} name @param {string} text of the reader, for a tokenizer whose own is not known @param {boolean} plays
   */
  async load(name, text, plays) {
    const load = ++this.#newest;
    const found = await this.#client.json("trained", { tokenizer: name });
    const { algorithm } = found;
    const other = algorithm ? await this.#loadOther() : null;
    if (load !== this.#newest) return;
    this.hide();
    this.#shown = { name, merges: 0, ...found };
    this.#picture.node.hidden = Boolean(algorithm);
    if (!other) return this.#result.show(name, found, text, plays);
    this.node.after(other.engine.node);
    this.below.after(other.engine.below);
    this.last.after(other.pieces.node);
    await other.engine.show(name, found, text);
  }

  async #loadOther() {
    const [{ EngineResult }, { PieceTable }] = await Promise.all([import("./engineresult.js"), import("./piecetable.js")]);
    return (this.#other ??= { engine: new EngineResult(this.#client), pieces: new PieceTable(this.#client) });
  }

  /** Show the vocabulary of the tokenizer that was loaded. */
  async showVocabulary() {
    const { name, algorithm } = this.#shown;
    await (algorithm ? this.#other?.pieces.show(name, this.#shown) : this.#vocabulary.show(name));
  }

  get #parts() {
    return [this.#result, this.#vocabulary, ...Object.values(this.#other ?? {})];
  }

  hide() {
    this.#newest++;
    for (const part of this.#parts) part.hide();
    if (this.#other) for (const node of [this.#other.engine.node, this.#other.engine.below, this.#other.pieces.node]) node.remove();
    this.#picture.node.hidden = false;
    this.#shown = null;
  }

  dispose() {
    this.#newest++;
    for (const part of this.#parts) part.dispose();
  }
}
