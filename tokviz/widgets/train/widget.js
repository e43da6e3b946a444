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
import { Before } from "./before.js";
import { Form } from "./form.js";
import { Next } from "./next.js";
import { Outcome } from "./outcome.js";
import { Picture } from "./picture.js";
import { Run, Running } from "./run.js";
import { asksTheSame, available, DEFAULTS, isInForeignFrame, linkFields, readLink, readQuery, requestOf, sayDuration, secondsFor, withoutSettings } from "./settings.js";
import { Source } from "./source.js";

const TRY_AFTER_MS = 250;

/**
 * @typedef {object} Callbacks
 * @property {(text: string) => boolean | void} text typing has paused; returns false if nothing was sent
 * @property {(view: any) => void} state
 * @property {(names: string[]) => void} [adopted] a tokenizer was trained
 * @property {(names: string[]) => void} [removed] a tokenizer is not wanted any more
 */

/**
 * @param {HTMLElement} root
 * @param {any} data `base`, `state`, `tokenizers`, `samples`, `kinds`, `large`: large samples; `limits`: of the server, in
 *   words; `first`: the sample that the page opens with, whose name is also that of what was learned from it for
 *   all visitors
 * @param {Callbacks} on
 */
export const mount = (root, data, on) => new TrainPage(new PageShell(root, data, { name: "train", late: "the result" }), on);

class TrainPage {
  #shell;
  #on;
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
  /** One picture: of the text before a training, while it runs, and after it. */
  #picture;
  #running = new Running();
  /** The text before, while there is no result. */
  #empty;
  /** Says what to do beside what was learned for all visitors. */
  #invitation = element("p", { class: "quiet invitation", hidden: true }, "Watch merges being learned from these lines. Then change them, or choose another text, and train on it.");
  #chosen = menu("Your tokenizers", [], "", (name) => void this.#showResult(name, false));
  #note = element("p", { class: "note", role: "status", hidden: true });
  /** The recipe and text that the training in progress, or the last one, was started with. @type {import("./next.js").Learned & {name?: string} | null} */
  #learned = null;
  /** Whether what is trained becomes the chosen tokenizer of all pages: not if a link trains it. */
  #isChosen = true;
  /** Whether the training that runs was seen to grow, so that it need not be played. */
  #hasGrown = false;
  #tryLater = debounce(() => void this.#try(), TRY_AFTER_MS);
  #trying;

  /** @param {PageShell} shell @param {Callbacks} on */
  constructor(shell, on) {
    const { client, data, store } = shell;
    this.#shell = shell;
    this.#on = on;
    this.#picture = new Picture(client);
    this.#empty = new Before(this.#picture);
    const stored = store.read();
    const settings = recall(data.state, stored, data.tokenizers);
    this.#text = textOf(settings);
    const fresh = { ...DEFAULTS, source: this.#text ? "text" : "sample" };
    this.#recipe = available({ ...fresh, ...stored?.train?.recipe, ...(readLink(shell.link, data) ?? readQuery(location.search, data)) }, data);
    this.#settings = Object.assign(settings, { train: { running: "", shown: "", ...stored?.train, recipe: this.#recipe } });
    this.#memory = shell.ownMemory(createMemory(this.#settings, () => this.#text, store, on));
    this.#source = new Source(client, data, this.#recipe, this.#text, {
      change: () => this.#changed(),
      text: (text) => this.#typed(text),
      leave: () => this.#memory.leave(),
      go: () => void this.#train(false),
    });
    this.#form = new Form(data, this.#recipe, { change: () => this.#changed(), train: () => void this.#train(false), cancel: () => void this.#run.cancel() });
    this.#trying = shell.own(new Latest(
      (/** @type {{text: string, query: Record<string, any>}} */ { text, query }, signal) => client.json("train/try", query, text, signal),
      { refusal: (sentence) => this.#showProblem(sentence) },
    ));
    this.#run = shell.own(this.#createRun());
    this.#result = shell.own(new Outcome(client, this.#picture));
    this.#next = new Next(client, data.limits.kept, (name) => this.#remove(name));
    shell.own({ dispose: () => (this.#tryLater.cancel(), this.#picture.dispose()) });
    this.#share = shell.addShare(() => this.#shown(), () => this.#pictured());
    shell.addAsking("train", () => this.#asked());
    this.#adding = new Adding(shell, { adopted: on.adopted, choose: (name) => void this.#showResult(name, false) });
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
      this.#chosen.node,
      this.#empty.node,
      this.#running.node,
      this.#result.head,
      this.#picture.node,
      this.#invitation,
      this.#result.node,
    );
    this.#showEmpty(true);
    node.append(
      element("div", { class: "row tools" }, opening, this.#share, this.#shell.addPresenter(undefined, (presenting) => this.#picture.present(presenting))),
      this.#note,
      element("div", { class: "trio" }, outcome, this.#source.node, this.#form.node),
      this.#result.below,
      this.#next.node,
      this.#result.last,
    );
  }

  #createRun() {
    return new Run(this.#shell.client, {
      started: (id) => this.#remember({ running: id }),
      progress: (progress) => this.#showProgress(progress),
      done: (made) => void this.#done(made),
      failed: (sentence) => {
        this.#ended();
        this.#showStart();
        this.#shell.report(sentence);
      },
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
    if (this.#own().some(({ name }) => name === shown)) await this.#showResult(shown, false);
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
    if (!sent) return this.#say("This link trains on a file: choose it, then press Train.");
    const { goal, merges } = this.#form;
    const what = `This link trains a tokenizer: ${goal} from ${plural(this.#source.size, "character")}, ${sayDuration(secondsFor(this.#source.size, merges))}.`;
    if (isInForeignFrame()) return this.#say(`${what} Press Train to start.`);
    this.#say(what);
    await this.#train(true);
  }

  // Changes

  /** @param {string} text */
  #typed(text) {
    this.#text = text;
    Object.assign(this.#settings, sourceOf(text));
    this.#memory.textChanged();
  }

  #changed() {
    this.#remember({});
    this.#say("");
    this.#shell.report("");
    void this.#showFirst();
    this.#tryLater.later();
  }

  /** Show what was learned for all visitors, while it is that, and nothing else is shown. */
  async #showFirst() {
    const first = this.#shell.data.first.name;
    const { shown } = this.#result;
    const isFirst = asksTheSame(this.#recipe, { ...DEFAULTS, sample: first });
    if (shown && shown.name !== first) return;
    if (shown && !isFirst) this.#clear();
    else if (!shown && isFirst && !this.#run.isRunning) await this.#showResult(first, true);
  }

  /** @param {Partial<{running: string, shown: string}>} change */
  #remember(change) {
    Object.assign(this.#settings.train, change);
    this.#memory.settingsChanged({});
  }

  /** Ask what the recipe would do with the text. */
  async #try() {
    if (!this.#empty.node.hidden) this.#showStart();
    const { text, length } = this.#source.tried();
    if (!length && this.#recipe.source !== "sample") return this.#trying.drop(), this.#showProblem(""), this.#form.showTried(null);
    const tried = await this.#trying.ask({ text, query: { ...requestOf(this.#recipe), length } });
    if (!tried) return;
    this.#showProblem("");
    this.#form.showTried(tried);
  }

  /** Say at its field what is wrong with the recipe; the result that is still shown is not of it. @param {string} sentence "" if nothing is */
  #showProblem(sentence) {
    this.#form.showProblem(sentence);
    this.#shell.node.classList.toggle("refused", sentence !== "");
  }

  // Training

  /** @param {boolean} isShared whether a link started it */
  async #train(isShared) {
    const sent = this.#source.sent();
    if (!sent) return this.#source.showProblem("There is nothing to learn from yet: type a text, or choose one.");
    if (this.#run.isRunning) return;
    if (!isShared) this.#say("");
    this.#shell.report("");
    this.#learned = { recipe: { ...this.#recipe }, text: this.#source.text, piece: "", merges: 0 };
    this.#isChosen = !isShared;
    this.#showStart();
    this.#started();
    await this.#run.start({ ...requestOf(this.#recipe), ...sent.query, shared: isShared }, sent.body);
  }

  #started() {
    this.#form.showRunning(true);
    this.#running.start();
    this.#hasGrown = false;
    for (const part of [this.#result, this.#next]) part.hide();
    this.#showEmpty(false);
    this.#running.node.scrollIntoView({ block: "nearest" });
  }

  /** Draw the text before anything is learned. */
  #showStart() {
    this.#empty.show(this.#source.beginning, this.#recipe);
  }

  #ended() {
    this.#form.showRunning(false);
    this.#running.end();
    this.#showEmpty(this.#result.shown === null);
    this.#remember({ running: "" });
  }

  /** @param {import("./run.js").Progress} progress */
  #showProgress(progress) {
    this.#running.show(progress);
    if (!progress.glimpse) return;
    this.#hasGrown = true;
    const seen = progress.glimpse.curve.at(-1)?.[0] ?? 0;
    this.#picture.showGlimpse(progress.glimpse, progress.phase === "merging" ? (progress.total ?? seen) : seen);
  }

  /** @param {any} made the tokenizer */
  async #done(made) {
    this.#ended();
    if (this.#learned) this.#learned.name = made.name;
    this.#adding.adopt(made);
    if (this.#isChosen) this.#memory.settingsChanged({ tokenizer: (this.#settings.tokenizer = made.name) });
    await this.#showResult(made.name, !this.#hasGrown);
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

  /** @param {string} name @param {boolean} plays whether its learning is played once */
  async #showResult(name, plays) {
    try {
      await this.#result.load(name, this.#source.beginning, plays);
    } catch (error) {
      return this.#shell.report(sentenceOf(error));
    }
    if (this.#shell.isDisposed || this.#result.shown?.name !== name) return;
    this.#showEmpty(false);
    this.#shell.showTitle(`${plural(this.#result.shown.merges, "merge")} learned`);
    if (name === this.#shell.data.first.name) return void this.#showFirst(); // the recipe may be another by now
    this.#remember({ shown: name });
    this.#showOwn();
    const { merges, algorithm } = this.#result.shown;
    const learned = this.#learned?.name === name ? { ...this.#learned, piece: this.#result.piece, merges } : null;
    const made = this.#own().find((each) => each.name === name) ?? { name, recipe: null };
    await Promise.all([this.#result.showVocabulary(), this.#next.show({ ...made, algorithm }, learned, this.#result.shown)]);
  }

  /** @param {string} name */
  #remove(name) {
    const tokenizers = this.#shell.data.tokenizers;
    this.#shell.data.tokenizers = tokenizers.filter((/** @type {any} */ each) => each.name !== name);
    rememberOwn(this.#shell.data.base, this.#shell.data.tokenizers);
    this.#on.removed?.([name]);
    this.#clear();
    const last = this.#own().at(-1);
    if (last) void this.#showResult(last.name, false);
    else this.#showOwn();
  }

  #clear() {
    for (const part of [this.#result, this.#next]) part.hide();
    this.#showEmpty(true);
    this.#showStart();
    this.#remember({ shown: "" });
    this.#shell.showTitle("");
  }

  /** @param {boolean} isEmpty true if there is no result, and none on its way */
  #showEmpty(isEmpty) {
    this.#empty.node.hidden = !isEmpty;
    this.#invitation.hidden = this.#result.shown?.name !== this.#shell.data.first.name;
  }

  /** The tokens in sight. */
  async #pictured() {
    const { pictureOfTokens } = await import("../shared/ui/tokenpicture.js");
    const { shown } = this.#picture;
    return shown && pictureOfTokens(this.#shell.client, this.#shell.node, shown.model, `After ${plural(shown.merges, "merge")}`, 0);
  }

  /** What a class is asked about: the merge after those in sight. @returns {Promise<import("../shared/page/shell.js").Asked>} */
  async #asked() {
    const { recipe, text } = (this.#learned?.name === this.#result.shown?.name && this.#learned) || { recipe: this.#recipe, text: this.#source.text };
    return (await import("./watching.js")).askedLink(recipe, text, this.#picture.shown?.merges ?? 0, this.#shell.data.large);
  }

  /** What a link shares: the recipe, which trains when it is opened, and the text. */
  #shown() {
    const { text } = this.#source;
    const own = this.#recipe.pattern === OWN_PATTERN ? this.#recipe.own : DEFAULTS.own;
    const source = text === null ? this.#recipe.source : "text";
    return { fields: linkFields({ ...this.#recipe, own, source }), text, fileBox: "with its button “Files”" };
  }

  /** @param {string} sentence */
  #say(sentence) {
    fill(this.#note, sentence);
    this.#note.hidden = !sentence;
  }
}
