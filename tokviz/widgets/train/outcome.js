/**
 * What a training gave, or a file: shown as a byte pair encoding of tokviz's own, or as what another library made.
 */

import { element } from "../shared/dom/elements.js";
import { Result } from "./result.js";
import { Vocabulary } from "./vocabulary.js";

export class Outcome {
  #client;
  #result;
  /** How many tokens there are, in large type. */
  total = element("p", { class: "total" });
  #vocabulary;
  /** What another library made, once there is such a thing. @type {{engine: import("./engineresult.js").EngineResult, pieces: import("./piecetable.js").PieceTable} | null} */
  #other = null;
  /** @type {any} */
  #shown = null;
  /** Number of the newest load; an earlier one that comes late is not shown. */
  #newest = 0;

  /** @param {import("../shared/net/client.js").Client} client */
  constructor(client) {
    this.#client = client;
    this.#result = new Result(client, this.total);
    this.#vocabulary = new Vocabulary(client);
    /** The picture, what stands beneath it, beneath text and recipe, and after these. */
    this.picture = this.#result.picture;
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
   * The one before stays until then.
   *
   * @param {string} name @param {string} text of the reader, for a tokenizer whose own is not known
   */
  async load(name, text) {
    const load = ++this.#newest;
    const found = await this.#client.json("trained", { tokenizer: name });
    const other = found.algorithm ? await this.#loadOther() : null;
    const replays = other ? [] : await this.#result.ask(name, found, text);
    if (load !== this.#newest) return;
    this.hide();
    this.#shown = { name, merges: 0, ...found };
    this.picture.node.hidden = other !== null;
    (other?.pieces ?? this.#vocabulary).show(name, this.#shown);
    if (!other) return this.#result.show(name, found, replays);
    this.node.after(other.engine.node);
    this.below.after(other.engine.below);
    this.last.after(other.pieces.node);
    await other.engine.show(name, found, text);
  }

  async #loadOther() {
    const [{ EngineResult }, { PieceTable }] = await Promise.all([import("./engineresult.js"), import("./piecetable.js")]);
    return (this.#other ??= { engine: new EngineResult(this.#client, this.total), pieces: new PieceTable(this.#client) });
  }

  /** Give the picture to a training; what is asked for is not shown any more. */
  leave() {
    this.#newest++;
    this.#result.leave();
  }

  /** Take the picture back. @returns {boolean} false if there is nothing to show */
  redraw() {
    if (this.#shown && !this.#shown.algorithm) this.#result.redraw();
    return this.#shown !== null;
  }

  get #parts() {
    return [this.#result, this.#vocabulary, ...Object.values(this.#other ?? {})];
  }

  hide() {
    this.#newest++;
    for (const part of this.#parts) part.hide();
    if (this.#other) for (const node of [this.#other.engine.node, this.#other.engine.below, this.#other.pieces.node]) node.remove();
    this.picture.node.hidden = false;
    this.#shown = null;
  }

  dispose() {
    this.#newest++;
    for (const part of this.#parts) part.dispose();
  }
}
