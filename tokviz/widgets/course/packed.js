/**
 * Answers in a file without a server: those that the chapters' own texts need, which were computed when it was made
 * (`tokviz/course/pack.py`).
 */

import { Refusal } from "../shared/net/client.js";
import { unpackHeld } from "../shared/net/columns.js";

const OWN = "This file knows the course’s own examples only. For your own text, open the course on its site.";

/** What is asked, as the key of its answer: the route, the values of the query, and the text, if there is one. @param {string} route @param {Record<string, any>} query @param {string} [text] */
const keyOf = (route, query, text) => {
  const values = Object.values(query).map((value) => String(typeof value === "boolean" ? Number(value) : value));
  return JSON.stringify([route, ...values, ...(text === undefined ? [] : [text])]);
};

export class PackedClient {
  #answers;

  /** @param {Record<string, any>} answers by what is asked */
  constructor(answers) {
    this.#answers = answers;
  }

  /** @param {string} route @param {Record<string, any>} query @param {string} [text] @returns {Promise<any>} */
  async json(route, query, text) {
    const key = keyOf(route, query, text);
    if (!Object.hasOwn(this.#answers, key)) throw new Refusal(OWN);
    return this.#answers[key];
  }

  /** @param {string} route @param {Record<string, any>} query @param {string} text */
  async columns(route, query, text) {
    return unpackHeld(await this.json(route, query, text));
  }

  /** @param {string} tokenizer @param {number} id */
  token(tokenizer, id) {
    return this.json("token", { tokenizer, id });
  }

  /** @param {string} name */
  sample(name) {
    return this.json("sample", { name });
  }
}
