/**
 * The Train page: text, recipe and result in one picture. This module connects the parts.
 *
 * The server trains; the page asks how far it is, and shows what it is told. What is learned from is the text that all
 * pages share, a sample, or files.
 */

import { debounce, element, fill, menu, plural } from "../shared/dom/elements.js";
import { sentenceOf } from "../shared/net/client.js";
import { Latest } from "../shared/net/latest.js";
import { rememberOwn } from "../shared/net/madetokenizers.js";
import { Adding } from "../shared/page/adding.js";
import { createMemory, recall } from "../shared/page/memory.js";
import { PageShell } from "../shared/page/shell.js";
import { sourceOf, textOf } from "../shared/text/escapes.js";
import { OWN_PATTERN } from "../shared/ui/patterns.js";
import { Form, NOTHING_TWICE } from "./form.js";
import { OWN } from "./engines.js";
import { Next } from "./next.js";
import { Outcome } from "./outcome.js";
import { Run, Running } from "./run.js";
import { available, DEFAULTS, isInForeignFrame, linkFields, readLink, readQuery, requestOf, sayDuration, secondsFor, withoutSettings } from "./settings.js";
import { Source } from "./source.js";

const TRY_AFTER_MS = 250;

/**
 * @param {HTMLElement} root
 * @param {any} data `base`, `tokenizers`, `samples`, `kinds`, `large`: large samples; `limits`: of the server, in
 *   words; `first`: the sample that the page opens with, whose name is also that of what was learned from it for
 *   all visitors
 * @param {import("../shared/page/shell.js").Host} host
 */
export const mount = (root, data, host) => new TrainPage(new PageShell(root, data, { name: "train", late: "the result", host }));

class TrainPage {
  #shell;
  #settings;
  #memory;
  /** @type {import("./settings.js").Recipe} */
  #recipe;
  /** The reader's text. */
  #text;
  #source;
  #form;
  #run;
  #result;
  #next;
  #running = new Running();
  #chosen = menu("", [], "", (name) => void this.#showResult(name));
  /** The recipe and text that the training in progress, or the last one, was started with. @type {import("./next.js").Learned & {name?: string, asking: string} | null} */
  #learned = null;
  /** Whether what is trained becomes the chosen tokenizer of all pages: not if a link trains it. */
  #isChosen = true;
  /** What the result shown was learned with: see `#asking`. */
  #answered = "";
  #tryLater = debounce(() => void this.#try(), TRY_AFTER_MS);
  #trying;

  /** @param {PageShell} shell */
  constructor(shell) {
    const { client, data, store } = shell;
    this.#shell = shell;
    const stored = store.read();
    const settings = recall(stored, data.tokenizers);
    this.#text = textOf(settings);
    const fresh = { ...DEFAULTS, source: this.#text ? "text" : "sample" };
    this.#recipe = available({ ...fresh, ...stored?.train?.recipe, ...(readLink(shell.link, data) ?? readQuery(location.search, data)) }, data);
    this.#settings = Object.assign(settings, { train: { running: "", shown: "", ...stored?.train, recipe: this.#recipe } });
    this.#memory = shell.ownMemory(createMemory(this.#settings, store));
    this.#source = new Source(client, data, this.#recipe, this.#text, {
      change: () => this.#changed(),
      text: (text) => this.#typed(text),
      go: () => void this.#train(false),
    });
    this.#form = new Form(data, this.#recipe, { change: () => this.#changed(), train: () => void this.#train(false), cancel: () => void this.#run.cancel() });
    this.#trying = shell.own(new Latest(
      (/** @type {{text: string, query: Record<string, any>}} */ { text, query }, signal) => client.json("train/try", query, text, signal),
      { refusal: (sentence) => this.#form.showProblem(sentence) },
    ));
    this.#run = shell.own(this.#createRun());
    this.#result = shell.own(new Outcome(client));
    this.#next = new Next(client, data.limits.kept, (name) => this.#remove(name));
    shell.own(this.#tryLater);
    this.#share = shell.addShare(() => this.#shown(), () => this.#pictured());
    shell.addAsking("train", () => this.#asked());
    this.#adding = new Adding(shell, { choose: (name) => void this.#showResult(name) });
    this.#chosen.select.setAttribute("aria-label", "Your tokenizers");
    this.#build();
    void this.#begin();
  }

  #share;
  #adding;

  /** @param {any} newer */
  update(newer) {
    this.#shell.data = newer;
    this.#showOwn();
  }

  dispose() {
    this.#shell.dispose();
  }

  #build() {
    const { node } = this.#shell;
    const opening = this.#shell.addOpening({
      use: (text) => this.#source.useText(text),
      useTokenizer: (...opened) => void this.#adding.open(...opened),
    });
    const outcome = element(
      "section",
      { class: "part outcome", "aria-label": "Result" },
      element("h2", { class: "unseen" }, "Result"),
      element("div", { class: "sums" }, this.#result.total, this.#running.node, this.#chosen.node),
      this.#result.picture.node,
      this.#result.node,
    );
    node.append(
      element("div", { class: "row tools" }, opening, this.#share, this.#shell.addPresenter(undefined, (presenting) => this.#result.picture.present(presenting))),
      element("div", { class: "trio" }, outcome, this.#source.node, this.#form.node),
      this.#result.below,
      this.#result.last,
      this.#next.node,
    );
  }

  #createRun() {
    return new Run(this.#shell.client, {
      started: (id) => this.#remember({ running: id }),
      progress: (progress) => this.#showProgress(progress),
      done: (made) => void this.#done(made),
      failed: (sentence) => (this.#ended(), this.#source.showProblem(sentence)),
      cancelled: () => (this.#ended(), this.#form.say("Cancelled. Nothing was kept.")),
      connection: (isLost) => this.#shell.showConnection(isLost ? "lost" : "connected"),
    });
  }

  // Beginning

  async #begin() {
    const { link, data } = this.#shell;
    const trains = readLink(link, data) !== null;
    if (link) await this.#openLink(link);
    if (this.#shell.isDisposed) return;
    if (link || location.search) this.#remember({}); // because from now on the address says nothing
    if (location.search) history.replaceState(history.state, "", location.pathname + withoutSettings(location.search));
    const { running, shown } = this.#settings.train;
    await this.#source.show();
    this.#showOwn();
    void this.#try().then(() => (trains ? this.#trainByLink() : undefined));
    if (trains) return;
    if (this.#own().some(({ name }) => name === shown)) await this.#showResult(shown);
    if (!running) return this.#showFirst();
    this.#started();
    this.#run.follow(running);
  }

  /** Use the text of a link, and remove the link from the address. @param {Record<string, string>} link */
  async #openLink(link) {
    const text = await this.#shell.client.linkText(link.train ? { text: link.text } : link).catch((error) => void this.#shell.report(sentenceOf(error)));
    if (this.#shell.isDisposed) return;
    history.replaceState(history.state, "", location.pathname + location.search);
    if (typeof text === "string") this.#source.useText(text);
  }

  /** Train as the link says, with a word on what that will do; never by itself in another site's frame. */
  async #trainByLink() {
    const sent = this.#source.sent();
    if (!sent) return this.#form.say("This link trains on a file: choose it, then press Train.");
    const { goal, merges } = this.#form;
    const what = `This link trains a tokenizer: ${goal} from ${plural(this.#source.size, "character")}, ${sayDuration(secondsFor(this.#source.size, merges))}.`;
    if (isInForeignFrame()) return this.#form.say(`${what} Press Train to start.`);
    this.#form.say(what);
    await this.#train(true);
  }

  // Changes

  /** @param {string} text */
  #typed(text) {
    this.#text = text;
    Object.assign(this.#settings, sourceOf(text));
    this.#memory.save();
  }

  #changed() {
    this.#remember({});
    this.#shell.report("");
    this.#showAge();
    void this.#showFirst();
    this.#tryLater.later();
  }

  /** Show what was learned for all visitors, while it is that, and nothing else is shown. */
  async #showFirst() {
    const isFirst = this.#asking() === this.#firstAsking;
    if (!this.#result.shown && isFirst && !this.#run.isRunning) await this.#showResult(this.#shell.data.first.name);
  }

  /** What decides about a training, to tell whether it has changed since. */
  #asking() {
    return JSON.stringify([requestOf(this.#recipe), this.#source.identity]);
  }

  get #firstAsking() {
    return JSON.stringify([requestOf({ ...DEFAULTS, sample: this.#shell.data.first.name }), ""]);
  }

  /** Fade a result that is of another recipe or text, until there is a new one. */
  #showAge() {
    const { shown } = this.#result;
    const isOld = shown !== null && this.#asking() !== this.#answered;
    this.#shell.node.classList.toggle("outdated", isOld);
    this.#form.showLearned(shown && !shown.algorithm && !isOld ? shown.merges : null);
    if (!this.#run.isRunning) this.#form.say(isOld ? "What you see was learned before: press Train." : "");
  }

  /** @param {Partial<{running: string, shown: string}>} change */
  #remember(change) {
    Object.assign(this.#settings.train, change);
    this.#memory.save();
  }

  /** Ask what the recipe would do with the text. */
  async #try() {
    if (!this.#result.shown && !this.#run.isRunning) this.#showStart();
    const { text, length } = this.#source.tried();
    if (!length && this.#recipe.source !== "sample") return this.#trying.drop(), this.#form.showProblem(""), this.#form.showTried(null);
    const tried = await this.#trying.ask({ text, query: { ...requestOf(this.#recipe), length } });
    if (!tried) return;
    this.#form.showProblem("");
    this.#form.showTried(tried);
  }


  // Training

  /** @param {boolean} isShared whether a link started it */
  async #train(isShared) {
    const sent = this.#source.sent();
    if (!sent) return this.#source.showProblem("There is nothing to learn from yet: type a text, or choose one.");
    if (this.#run.isRunning) return;
    if (this.#form.isVain) return this.#form.hush(), this.#source.showProblem(NOTHING_TWICE);
    if (!isShared) this.#form.say("");
    this.#shell.report("");
    this.#learned = { recipe: { ...this.#recipe }, text: this.#source.text, piece: "", merges: 0, asking: this.#asking() };
    this.#isChosen = !isShared;
    this.#started();
    await this.#run.start({ ...requestOf(this.#recipe), ...sent.query, shared: isShared }, sent.body);
  }

  #started() {
    this.#form.showRunning(true);
    this.#running.start();
    this.#result.total.hidden = true;
    this.#result.leave();
    this.#shell.node.classList.add("training", "outdated");
    if (this.#recipe.algorithm === OWN || !this.#result.shown) this.#showStart();
    this.#running.node.scrollIntoView({ block: "nearest" });
  }

  /** Draw the text before anything is learned. */
  #showStart() {
    this.#result.picture.showStart(this.#source.beginning, this.#recipe);
  }

  /** The training has ended, with a result or without one: until it is there, or if there is none, the one before is shown. */
  #ended() {
    this.#form.showRunning(false);
    this.#running.end();
    this.#result.total.hidden = false;
    this.#shell.node.classList.remove("training");
    if (!this.#result.redraw()) this.#showStart();
    this.#showAge();
    this.#remember({ running: "" });
  }

  /** @param {import("./run.js").Progress} progress */
  #showProgress(progress) {
    this.#running.show(progress);
    if (!progress.glimpse) return;
    if (this.#result.shown?.algorithm) this.#result.hide(); // it has no picture
    const seen = progress.glimpse.curve.at(-1)?.[0] ?? 0;
    this.#result.picture.showGlimpse(progress.glimpse, progress.phase === "merging" ? (progress.total ?? seen) : seen);
  }

  /** @param {any} made the tokenizer */
  async #done(made) {
    if (this.#learned) this.#learned.name = made.name;
    this.#adding.adopt(made);
    if (this.#isChosen) this.#settings.tokenizer = made.name;
    this.#memory.save();
    await this.#showResult(made.name);
  }

  // Results

  /** The reader's own tokenizers. @returns {any[]} */
  #own() {
    return this.#shell.data.tokenizers.filter((/** @type {any} */ { recipe }) => recipe !== null);
  }

  #showOwn() {
    const own = this.#own();
    this.#chosen.node.hidden = own.length < 2;
    fill(this.#chosen.select, ...own.map(({ name, label }) => element("option", { value: name }, label)));
    this.#chosen.select.value = this.#settings.train.shown;
    const shown = this.#result.shown?.name;
    if (shown && shown !== this.#shell.data.first.name && !own.some(({ name }) => name === shown)) this.#clear();
  }

  /** @param {string} name */
  async #showResult(name) {
    try {
      await this.#result.load(name, this.#source.beginning);
    } catch (error) {
      this.#source.showProblem(sentenceOf(error));
    }
    if (this.#shell.node.classList.contains("training") && !this.#run.isRunning) this.#ended();
    if (this.#shell.isDisposed || this.#result.shown?.name !== name) return;
    this.#shell.showTitle(`${plural(this.#result.shown.merges, "merge")} learned`);
    const isFirst = name === this.#shell.data.first.name; // the recipe may be another by now
    this.#answered = isFirst ? this.#firstAsking : this.#learned?.name === name ? this.#learned.asking : this.#asking();
    this.#showAge();
    if (isFirst) return;
    this.#remember({ shown: name });
    this.#showOwn();
    const { merges, algorithm } = this.#result.shown;
    const learned = this.#learned?.name === name ? { ...this.#learned, piece: this.#result.piece, merges } : null;
    const made = this.#own().find((each) => each.name === name) ?? { name, recipe: null };
    await this.#next.show({ ...made, algorithm }, learned, this.#result.shown);
  }

  /** @param {string} name */
  #remove(name) {
    const tokenizers = this.#shell.data.tokenizers;
    this.#shell.data.tokenizers = tokenizers.filter((/** @type {any} */ each) => each.name !== name);
    rememberOwn(this.#shell.data.base, this.#shell.data.tokenizers);
    this.#shell.host.removed?.([name]);
    this.#clear();
    const last = this.#own().at(-1);
    if (last) void this.#showResult(last.name);
    else this.#showOwn();
  }

  #clear() {
    for (const part of [this.#result, this.#next]) part.hide();
    this.#showStart();
    this.#showAge();
    this.#remember({ shown: "" });
    this.#shell.showTitle("");
  }

  /** The tokens in sight. */
  async #pictured() {
    const { pictureOfTokens } = await import("../shared/ui/tokenpicture.js");
    const { shown } = this.#result.picture;
    return shown && pictureOfTokens(this.#shell.client, this.#shell.node, shown.model, `After ${plural(shown.merges, "merge")}`, 0);
  }

  /** What a class is asked about: the merge after those in sight. @returns {Promise<import("../shared/page/shell.js").Asked>} */
  async #asked() {
    const { recipe, text } = (this.#learned?.name === this.#result.shown?.name && this.#learned) || { recipe: this.#recipe, text: this.#source.text };
    const before = Math.min(this.#result.picture.shown?.merges ?? 0, (this.#result.shown?.merges ?? 1) - 1); // so that there is a next merge
    return (await import("./watching.js")).askedLink(recipe, text, before, this.#shell.data.large);
  }

  /** What a link shares: the recipe, which trains when it is opened, and the text. */
  #shown() {
    const { text } = this.#source;
    const own = this.#recipe.pattern === OWN_PATTERN ? this.#recipe.own : DEFAULTS.own;
    const source = text === null ? this.#recipe.source : "text";
    return { fields: linkFields({ ...this.#recipe, own, source }), text, fileBox: "with its button “Files”" };
  }
}
