/**
 * The server's answers: the replay of what the source holds, as long as it is the latest question.
 */

import { Latest } from "../shared/net/latest.js";
import { makeReplay } from "./model/replay.js";

/** @typedef {import("./input/request.js").Question} Question */

export class Answers {
  #shell;
  #panel;
  #views;
  #on;
  #live;
  /** The question whose answer is on screen. @type {Question | null} */
  answered = null;

  /**
   * @param {import("../shared/page/shell.js").PageShell} shell
   * @param {import("./player/panel.js").Panel} panel plays the replays
   * @param {import("./views.js").Views} views show what is no sequence of merges
   * @param {object} on
   * @param {(replay: import("./model/replay.js").Replay | null) => void} on.shown called with each replay that is on screen, or null for another view, or none
   * @param {(sentence: string) => void} on.refused called with the reason why there is none
   */
  constructor(shell, panel, views, on) {
    this.#on = on;
    this.#views = views;
    this.#shell = shell;
    this.#panel = panel;
    this.#live = new Latest(
      (/** @type {Question} */ { route, query, text }, signal) => shell.client.columns(route, query, text, signal),
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
    this.answered = question;
    this.#markAsking(false);
    this.#shell.accept();
    this.#shell.node.dataset.view = columns.meta.view ?? "merges";
    this.#views.introduce(columns.meta.view);
    const isView = this.#views.show(columns.meta);
    const replay = isView ? null : makeReplay(columns);
    if (replay) this.#panel.load(replay);
    else this.#panel.hide();
    this.#on.shown(replay);
  }

  dispose() {
    this.#live.dispose();
  }

  #clear() {
    this.#live.drop();
    this.#panel.hide();
    this.#views.hide();
    this.#on.shown(null);
    this.#shell.report("");
  }

  /** @param {string} message */
  #refuse(message) {
    this.#markAsking(false);
    this.#panel.pause();
    this.#shell.refuse(message);
    this.#on.refused(message);
  }

  /** Mark the page while a response to the latest request is pending. @param {boolean} isAsking */
  #markAsking(isAsking) {
    this.#shell.node.toggleAttribute("data-asking", isAsking);
  }
}
