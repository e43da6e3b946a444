/**
 * The Merge replay page around its player: what is replayed, the link that the page was opened with, and its tools.
 */

import { sentenceOf } from "../shared/net/client.js";
import { button, element, fill, plural } from "../shared/dom/elements.js";
import { Adding } from "../shared/page/adding.js";
import { sayCounts } from "../shared/page/title.js";
import { door, waysOn } from "../shared/ui/doors.js";
import { saveFile } from "../shared/ui/files.js";
import { isDark } from "../shared/ui/pictures.js";
import { ownOf } from "../shared/net/madetokenizers.js";
import { otherThan } from "../shared/ui/picker.js";
import { Answers } from "./answers.js";
import { linkOf } from "./state/link.js";
import { learnQuery } from "./input/options.js";
import { Source } from "./input/source.js";
import { makeReplay } from "./model/replay.js";
import { Views } from "./views.js";

/** @typedef {import("./model/replay.js").Replay} Replay */

export class ReplayPage {
  #shell;
  #state;
  #panel;
  #source;
  #answers;
  #views;
  #adding;
  /** What compares training texts, once one is learned from. @type {Promise<import("./corpus/corpora.js").Corpora> | null} */
  #corpora = null;
  /** The replay on screen. @type {Replay | null} */
  #replay = null;
  /** The sample that is to come; "" once the reader has changed the text or the story. */
  #requested = "";
  /** Replays the same text as another tokenizer reads it, after the last merge that the reader found. */
  #another = button("", () => this.#useAnother(), { class: "button onward" });
  /** Says what another tokenizer is compared with. */
  #counted = element("span", {}, "Where do two differ, and why?");
  #linkNote = element("p", { class: "problem", role: "alert" });

  /**
   * @param {import("../shared/page/shell.js").PageShell} shell
   * @param {import("./state/state.js").PageState} state
   * @param {import("./player/panel.js").Panel} panel
   */
  constructor(shell, state, panel) {
    this.#shell = shell;
    this.#state = state;
    this.#panel = panel;
    this.#source = new Source(shell.data, state, {
      change: (what) => this.#change(what),
      keep: () => this.#compare((corpora) => corpora.keep()),
      sample: (name) => void this.#loadSample(name),
      classic: (classic) => this.#playClassic(classic),
    });
    const choose = (/** @type {string} */ name) => this.#useAdded(name);
    this.#adding = new Adding(shell, { offered: () => this.updateTokenizers(), choose });
    this.#adding.connect(this.#source.picker, choose);
    const draw = (/** @type {Record<string, any>} */ shown) => this.#draw(shown);
    const views = (this.#views = shell.own(new Views(() => void this.#takeAway(), draw)));
    const { settings } = this.#source;
    const answered = { shown: (/** @type {Replay | null} */ replay) => this.#showShown(replay), refused: (/** @type {string} */ sentence) => settings.showProblem(sentence) };
    this.#answers = shell.own(new Answers(shell, panel, views, answered));
    shell.node.append(...views.introductions, this.#linkNote, this.#source.node, panel.node, views.node, this.#waysOn());
    this.#addTools();
    panel.offerPictures(draw);
    panel.offerOnward(this.#another);
  }

  #waysOn() {
    return waysOn(door("compare", this.#counted), door("course#chapter=pairs", "How are merges learned, and what decides between two?"));
  }

  #addTools() {
    const take = button("Take it away", () => void this.#takeAway(), {
      title: "The player with this text as one file that opens without a network",
    });
    const opening = this.#shell.addOpening({
      use: (text) => this.#source.useText(text),
      useTokenizer: (...opened) => void this.#adding.open(...opened),
    });
    const share = this.#shell.addShare(() => this.#shown(), () => this.#picture());
    this.#shell.addAsking("replay");
    const present = this.#shell.addPresenter(this.#shell.root, () => this.#panel.scrollToNext());
    this.#shell.node.prepend(element("div", { class: "row tools" }, opening, share, present));
    const tryOut = button("Try these merges on a new word", () => this.#tryOut(), { class: "button try" });
    this.#panel.tools.prepend(tryOut, take);
  }

  /** Another replay is on screen, another view, or nothing. @param {Replay | null} replay */
  #showShown(replay) {
    const { settings, node } = this.#source;
    this.#replay = replay;
    this.#shell.showTitle(replay ? this.#sayShown(replay) : "");
    // The settings stand beneath what is on screen; if that is nothing, beneath the text.
    const place = replay ? this.#panel.story : this.#views.node.hidden ? node : this.#views.tools;
    if (settings.node.parentNode !== place) place[place === node ? "append" : "prepend"](settings.node);
    if (replay) this.#source.showLearned(replay);
    if (replay) fill(this.#counted, `${plural(replay.tokenCounts[replay.steps], "token")} here. Where does another cut, and why?`);
    if (replay) fill(this.#another, `The same as ${otherThan(replay.meta.tokenizer)[1]} reads it`);
    this.#another.hidden = replay?.meta.story === "learn" || this.#state.choices.tried !== null;
    if (this.#corpora || replay?.meta.story === "learn") this.#compare((corpora) => corpora.show(replay));
  }

  /** Say in a few words what is on screen. @param {Replay} replay */
  #sayShown({ meta, steps, tokenCounts }) {
    if (meta.story === "learn") return `${plural(steps, "merge")} learned`;
    return sayCounts([[this.#shell.labelOf(meta.tokenizer), tokenCounts[steps]]]);
  }

  /** Do something with what compares training texts, in the order of the calls. @param {(corpora: import("./corpus/corpora.js").Corpora) => void} act */
  #compare(act) {
    this.#corpora ??= this.#loadCorpora();
    void this.#corpora.then(act, () => {
      this.#corpora = null;
      this.#shell.report("The merges could not be compared: the server doesn't answer.");
    });
  }

  async #loadCorpora() {
    const { Corpora } = await import("./corpus/corpora.js");
    const corpora = new Corpora(this.#state, { changed: (parts, ids) => this.#panel.tell(parts, ids), learn: (learn) => this.#learn(learn) });
    this.#panel.beneath.prepend(corpora.node);
    corpora.show(this.#replay); // an attempt to load it may have failed since
    return corpora;
  }

  /** @param {import("./input/options.js").LearnOptions} learn */
  async #learn(learn) {
    return makeReplay(await this.#shell.client.columns("replay/learn", learnQuery(learn), learn.text, new AbortController().signal));
  }

  /** Ask for the first replay: of the link that the page was opened with, or of what is remembered. */
  async begin() {
    this.updateTokenizers();
    if (this.#shell.link) await this.#openLink(this.#shell.link);
    if (this.#shell.isDisposed) return;
    this.#source.show();
    this.#ask();
    if (this.#state.choices.kept) this.#compare((corpora) => void corpora.begin());
  }

  /** Let a view that takes the player's place hear a key. @param {KeyboardEvent} event from anywhere on the page */
  press(event) {
    this.#views.press(event);
  }

  /** Other tokenizers are on offer; the replay on screen is kept. */
  updateTokenizers() {
    this.#source.updateTokenizers(this.#shell.data.tokenizers);
  }

  /** @param {string} name of a tokenizer that was added */
  #useAdded(name) {
    this.#source.useTokenizer(name);
    this.updateTokenizers();
  }

  #ask() {
    void this.#answers.ask(this.#source.question());
  }

  /** @param {"text" | "options" | "story"} what */
  #change(what) {
    const { story, predict } = this.#state.choices;
    if (what !== "options") this.#requested = "";
    const isTraining = what === "text" && story === "learn";
    if (isTraining) this.#compare((corpora) => corpora.type());
    if (what === "text") this.#state.bookmarks.changeText(isTraining && !predict);
    this.#state.remember();
    this.#ask();
  }

  /**
   * Load the text of a link, whose other choices are already set, and remove the link from the address, so that a
   * reload does not open it again.
   *
   * @param {Record<string, string>} link
   */
  async #openLink(link) {
    if (this.#state.lacksTokenizer)
      fill(this.#linkNote, "This link is for a tokenizer that is not here, so another one is shown.");
    const text = await this.#shell.client.linkText(link).catch((error) => void fill(this.#linkNote, sentenceOf(error)));
    if (this.#shell.isDisposed) return;
    history.replaceState(history.state, "", location.pathname + location.search);
    if (typeof text !== "string") return;
    this.#source.beginWith(text);
    this.#state.remember();
  }

  /** @param {string} name */
  async #loadSample(name) {
    this.#requested = name;
    const loaded = await this.#shell.client.sample(name).catch(() => null);
    if (this.#shell.isDisposed || name !== this.#requested) return;
    if (!loaded) return this.#shell.report("This text could not be loaded. Try again in a moment.");
    this.#source.useText(loaded.text, name);
  }

  /** Show an example of learning in the notation that it is known in. @param {import("./input/classics.js").Classic} classic */
  #playClassic({ writing }) {
    this.#panel.setWriting(writing ?? "text");
    this.#state.bookmarks.restart("learn");
    this.#change("options");
  }

  #useAnother() {
    this.#state.bookmarks.restart("apply");
    this.#useAdded(otherThan(this.#state.shared.tokenizer)[0]);
  }

  /** Try the merges that are learned at this step on a new word. */
  #tryOut() {
    const merges = this.#panel.learnedMerges;
    if (merges === null) return;
    this.#state.bookmarks.restart("apply");
    this.#source.tryMerges(merges);
  }

  /** What a link shares. */
  #shown() {
    const { fields, text } = linkOf(this.#state.choices, this.#state.shared);
    return { fields, text, own: ownOf([fields.tokenizer], this.#shell.data.tokenizers) };
  }

  /** What is on screen as a picture. @returns {import("../shared/ui/share.js").Picture | null} */
  #picture() {
    const shown = this.#replay ? this.#panel.pictured : this.#views.pictured;
    return shown && { name: "replay", draw: () => this.#draw(shown) };
  }

  /** @param {Record<string, any>} shown what the picture shows */
  #draw(shown) {
    return this.#file({ ...shown, picture: 1, dark: isDark(this.#shell.node) ? 1 : 0 });
  }

  /** Save the player with this replay, at this step, as a standalone page. */
  async #takeAway() {
    const start = { page: 1, step: this.#panel.position, symbols: this.#state.choices.writing };
    const page = await this.#file(start).catch((error) => this.#shell.report(sentenceOf(error)));
    if (page) saveFile("replay.html", page);
  }

  /** What is on screen as a file. @param {Record<string, any>} as */
  #file(as) {
    const { route, query, text } = /** @type {import("./input/request.js").Question} */ (this.#answers.answered);
    return this.#shell.client.blob(route, { ...query, ...as }, text);
  }
}
