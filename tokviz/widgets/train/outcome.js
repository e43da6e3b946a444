/**
 * What a training gave, or a file: shown as a byte pair encoding of tokviz's own, or as what another library made.
 */

import { EngineResult } from "./engineresult.js";
import { PieceTable } from "./piecetable.js";
import { Result } from "./result.js";
import { Vocabulary } from "./vocabulary.js";

export class Outcome {
  #client;
  #picture;
  #result;
  #vocabulary;
  #engine;
  #pieces;
  /** @type {any} */
  #shown = null;

  /** @param {import("../shared/net/client.js").Client} client @param {import("./picture.js").Picture} picture */
  constructor(client, picture) {
    this.#client = client;
    this.#picture = picture;
    this.#result = new Result(client, picture);
    this.#vocabulary = new Vocabulary(client);
    this.#engine = new EngineResult(client);
    this.#pieces = new PieceTable(client);
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
    return this.#shown?.algorithm ? this.#engine.tried : (this.#shown?.glimpse?.piece ?? "");
  }

  /**
   * Show a tokenizer. Rejects as requests do.
   *
   * @param {string} name @param {string} text of the reader, for a tokenizer whose own is not known @param {boolean} plays
   */
  async load(name, text, plays) {
    const found = await this.#client.json("trained", { tokenizer: name });
    const { algorithm } = found;
    this.hide();
    this.#shown = { name, merges: 0, ...found };
    this.#picture.node.hidden = Boolean(algorithm);
    if (!algorithm) return this.#result.show(name, found, text, plays);
    this.node.after(this.#engine.node);
    this.below.after(this.#engine.below);
    this.last.after(this.#pieces.node);
    await this.#engine.show(name, found, text);
  }

  /** Show the vocabulary of the tokenizer that was loaded. */
  async showVocabulary() {
    const { name, algorithm } = this.#shown;
    await (algorithm ? this.#pieces.show(name, this.#shown) : this.#vocabulary.show(name));
  }

  hide() {
    for (const part of [this.#result, this.#vocabulary, this.#engine, this.#pieces]) part.hide();
    for (const node of [this.#engine.node, this.#engine.below, this.#pieces.node]) node.remove();
    this.#picture.node.hidden = false;
    this.#shown = null;
  }

  dispose() {
    for (const part of [this.#result, this.#vocabulary, this.#engine, this.#pieces]) part.dispose();
  }
}
