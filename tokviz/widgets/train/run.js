/**
 * A training on the server: started, asked about until it has ended, and cancelled.
 */

import { element, fill } from "../shared/dom/elements.js";
import { Busy, Refusal, sentenceOf } from "../shared/net/client.js";
import { sayProgress, shareDone } from "./wording.js";

/** @typedef {{merges: any[], curve: [number, number][], piece: string, ids: number[], byte_lengths: number[]}} Glimpse */
/** @typedef {{state: string, place: number, at_a_time: number, phase: string, done: number, total: number | null, glimpse: Glimpse | null}} Progress */

/** Time between two questions; longer for a link's training, which a whole room may follow, and while waiting. */
const [POLL_MS, POLL_SHARED_MS] = [250, 1000];
const RETRY_MS = 1500;

export class Run {
  #client;
  #on;
  /** @type {string | null} */
  #id = null;
  #seen = 0;
  #every = POLL_MS;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** Counts trainings, so that a late answer about an earlier one is dropped. */
  #number = 0;

  /**
   * @param {Pick<import("../shared/net/client.js").Client, "json">} client
   * @param {object} on
   * @param {(id: string) => void} on.started
   * @param {(progress: Progress) => void} on.progress
   * @param {(made: any) => void} on.done called with the tokenizer's description
   * @param {(sentence: string) => void} on.failed
   * @param {() => void} on.cancelled
   * @param {(isLost: boolean) => void} on.connection
   */
  constructor(client, on) {
    this.#client = client;
    this.#on = on;
  }

  get isRunning() {
    return this.#id !== null;
  }

  /** @param {Record<string, any>} query @param {string | Blob} body */
  async start(query, body) {
    const number = ++this.#number;
    this.#id = "";
    this.#every = query.shared ? POLL_SHARED_MS : POLL_MS;
    try {
      const { id } = await this.#client.json("train", query, body);
      if (number !== this.#number) return void this.#stop(id);
      this.#on.started(id);
      this.follow(id);
    } catch (error) {
      if (number === this.#number) this.#fail(sentenceOf(error));
    }
  }

  /** Follow a training that was started already, as before a reload. @param {string} id */
  follow(id) {
    const number = ++this.#number;
    this.#id = id;
    this.#seen = 0;
    void this.#ask(number);
  }

  /** Cancel the training. */
  async cancel() {
    const id = this.#id;
    this.dispose(); // an answer that is still to come is not wanted any more
    if (id) await this.#stop(id);
    this.#end(this.#on.cancelled);
  }

  /** @param {string} id */
  #stop(id) {
    return this.#client.json("train/cancel", { id }, "").catch(() => {});
  }

  dispose() {
    this.#number++;
    clearTimeout(this.#timer);
  }

  /** @param {number} number */
  async #ask(number) {
    try {
      const answer = await this.#client.json("train/state", { id: this.#id, merges: this.#seen });
      if (number !== this.#number) return;
      this.#on.connection(false);
      if (answer.state === "done") return this.#end(() => this.#on.done(answer.made));
      if (answer.state === "failed") return this.#fail(answer.problem);
      if (answer.glimpse) this.#seen = Math.max(this.#seen, answer.glimpse.curve.at(-1)[0]);
      this.#on.progress(answer);
      this.#timer = setTimeout(() => void this.#ask(number), answer.state === "waiting" ? POLL_SHARED_MS : this.#every);
    } catch (error) {
      if (number !== this.#number) return;
      if (error instanceof Refusal && !(error instanceof Busy)) return this.#fail(error.message);
      this.#on.connection(true);
      this.#timer = setTimeout(() => void this.#ask(number), RETRY_MS);
    }
  }

  /** @param {string} sentence */
  #fail(sentence) {
    this.#end(() => this.#on.failed(sentence));
  }

  /** @param {() => void} report */
  #end(report) {
    this.dispose();
    this.#id = null;
    this.#on.connection(false);
    report();
  }
}

const PHASES = /** @type {Record<string, string>} */ ({ cutting: "Cutting the text", counting: "Counting neighbors", merging: "Learning merges", training: "Training", measuring: "Measuring", comparing: "Comparing" });

export class Running {
  #bar = element("progress", { max: 1, "aria-label": "Progress" });
  #doing = element("p", { class: "doing" });
  /** What is being done, for screen readers, without the numbers that change all the time. */
  #phase = element("p", { class: "unseen", role: "status" });
  node = element("div", { class: "running", hidden: true }, this.#doing, this.#phase, this.#bar);

  start() {
    this.node.hidden = false;
    this.#bar.removeAttribute("value");
    fill(this.#doing, "Starting");
  }

  /** @param {Progress} progress */
  show(progress) {
    fill(this.#doing, sayProgress(progress));
    const phase = PHASES[progress.phase] ?? "";
    if (this.#phase.textContent !== phase) fill(this.#phase, phase);
    const share = shareDone(progress);
    if (share === null) this.#bar.removeAttribute("value");
    else this.#bar.value = share;
  }

  end() {
    this.node.hidden = true;
  }
}
