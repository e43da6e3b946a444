/**
 * The server's answers: the replay of what the source holds, as long as it is the latest question.
 */

import { Latest } from "../shared/net/latest.js";
import { makeReplay } from "./model.js";

/** @typedef {import("./question.js").Question} Question */

export class Answers {
  #shell;
  #panel;
  #live;

  /**
   * @param {import("../shared/page/shell.js").PageShell} shell
   * @param {import("./panel.js").Panel} panel plays the replays
   */
  constructor(shell, panel) {
    this.#shell = shell;
    this.#panel = panel;
    this.#live = new Latest(
      (/** @type {Question} */ { route, query, text }, signal) => shell.client.replay(route, query, text, signal),
      {
        refusal: (message) => this.#refuse(message),
        connection: shell.showConnection,
      },
    );
  }

  /** @param {Question | null} question null if there is nothing to ask for */
  async ask(question) {
    this.#markAsking(question !== null);
    if (!question) return this.#clear();
    const columns = await this.#live.ask(question);
    if (!columns) return;
    this.#markAsking(false);
    this.#shell.accept();
    this.#panel.load(makeReplay(columns));
  }

  dispose() {
    this.#live.dispose();
  }

  #clear() {
    this.#live.drop();
    this.#panel.hide();
    this.#shell.report("");
  }

  /** @param {string} message */
  #refuse(message) {
    this.#markAsking(false);
    this.#panel.pause();
    this.#shell.refuse(message);
  }

  /** Mark the page while a response to the latest request is pending. @param {boolean} isAsking */
  #markAsking(isAsking) {
    this.#shell.node.toggleAttribute("data-asking", isAsking);
  }
}
