/**
 * The lesson as slides: a step on each screen, moved by keys and by a clicker.
 */

import { keepsKeys } from "../shared/dom/fields.js";
import { tabStorage } from "../shared/dom/storage.js";
import { button, element, fill } from "../shared/dom/elements.js";
import { createTelling } from "./channel.js";
import { filled } from "../room/text.js";
import { after, before, leadOf, ownerOf, placeIn, standing, turned } from "./places.js";
import { Slide } from "./slide.js";
import { Timer } from "./timer.js";
import { Voting } from "./voting.js";

/** @typedef {import("./places.js").Place} Place */

/** @typedef {{base?: string, steps: import("./slide.js").Step[], words: import("../room/text.js").Words, notes?: string, back?: string}} LessonData `notes`: the address of the teacher's notes; `back`: the page that the question is about; `base` is absent in a page without a server */

const KEY = "tokviz:slides:";

export class Slides {
  #data;
  #slide;
  #timer;
  #telling;
  #voting;
  #again;
  #disposal = new AbortController();
  /** @type {Place} */
  #place;
  /** When each numbered step was first on screen, in ms of the clock. @type {Map<number, number>} */
  #started = new Map();
  #where = element("span", { class: "where" });
  #revealing;
  #forward;
  /** Leaves room for the bar beside the step's title. */
  #beside = new ResizeObserver(() => this.node.style.setProperty("--bar", `${this.bar.offsetWidth}px`));
  isOpen = false;

  /** @param {LessonData} data */
  constructor(data) {
    const { words, steps } = data;
    this.#data = data;
    this.#voting = new Voting(data.base ?? "", words, () => this.#showVotes(), (way) => this.#turn(way));
    this.#slide = new Slide(data.base ?? "", words, {
      status: this.#voting.status,
      countHands: (choice, count) => this.#voting.setHands(this.#step, choice, count),
    });
    this.#timer = new Timer(words.time);
    this.#telling = createTelling(data.base ?? "", (may) => this.#voting.letTurn(may));
    this.#place = placeIn(tabStorage.readJson(this.#key), steps.length);
    this.#revealing = button(words.reveal, () => this.#go(turned(this.#place)), { title: "R" });
    this.#again = button(words.again, () => this.#voteAgain(), { hidden: true, title: "V" });
    this.#forward = button("", () => this.#go(this.#next), { title: "→" });
    this.bar = element(
      "div",
      { class: "row slides-bar", hidden: true },
      button("←", () => this.#go(this.#before), { "aria-label": words.back, title: words.back }),
      this.#forward,
      this.#again,
      this.#revealing,
      this.#voting.controls,
      data.back && element("a", { class: "button", href: data.back }, words.back_to_page),
      data.notes && element("a", { class: "button", href: data.notes, target: "_blank" }, `${words.notes_link} ↗`),
    );
    const corner = element("div", { class: "row corner" }, this.#timer.node, this.#where);
    this.node = element("section", { class: "tokviz slides", tabindex: -1, "aria-label": words.name, hidden: true }, corner, this.#voting.connection, this.#slide.node, this.#voting.joining);
    this.#beside.observe(this.bar);
    document.addEventListener("keydown", (event) => this.#press(event), { signal: this.#disposal.signal });
  }

  /** Where the place is kept; the lesson's is not that of a question about a page. */
  get #key() {
    return `${KEY}${this.#data.base ?? ""}${this.#data.back ? this.#data.steps[0].id : ""}`;
  }

  get #next() {
    const { steps } = this.#data;
    const next = after(this.#place, steps.length, this.#voting.isRoom);
    return this.#isSkipped(next) && next.step + 1 < steps.length ? /** @type {Place} */ ({ step: next.step + 1, phase: "asked" }) : next;
  }

  get #before() {
    const place = before(this.#place);
    return this.#isSkipped(place) && place.step ? /** @type {Place} */ ({ step: place.step - 1, phase: "revealed" }) : place;
  }

  /** True if a place asks for what only phones can send. @param {Place} place */
  #isSkipped({ step }) {
    return Boolean(this.#data.steps[step].number) && !this.#voting.isRoom;
  }

  get #step() {
    return this.#data.steps[this.#place.step];
  }

  /** Fill the screen, or give the page back. @param {boolean} isPresenting */
  present(isPresenting) {
    if (isPresenting === this.isOpen) return;
    this.isOpen = isPresenting;
    this.node.hidden = this.bar.hidden = !isPresenting;
    if (!isPresenting) return this.#telling.tell(null);
    this.#go(this.#place);
    void this.#voting.resume();
  }

  /** When the step on screen began, which is when its owner did. */
  get #begun() {
    return this.#started.get(ownerOf(this.#data.steps, this.#place.step)) ?? Date.now();
  }

  /** Go where the notes on a phone ask to go. @param {"onward" | "back"} way */
  #turn(way) {
    if (this.isOpen) this.#go(way === "onward" ? this.#next : this.#before);
  }

  /** Tell the phones where the slides are. @param {Place} place */
  #tellPhones({ phase }) {
    if (phase === "asked") this.#voting.ask(this.#step, this.#begun);
    else if (phase === "shown") this.#voting.show();
    else this.#voting.reveal(this.#step);
  }

  /** Say on the buttons what they do from here. */
  #showLeads() {
    const { words, steps } = this.#data;
    const lead = leadOf(this.#place, this.#next);
    fill(this.#forward, lead ? `${words[lead]} →` : words.the_end);
    this.#forward.disabled = lead === null;
    this.#revealing.hidden = lead !== "votes";
    const isBegun = this.#place.step > 0 || this.#place.phase !== "asked";
    const number = steps.slice(0, this.#place.step + 1).filter((each) => !each.number).length;
    this.#voting.nameStart(isBegun ? filled(words.back_to_step, { number }) : words.start);
  }

  #voteAgain() {
    if (!this.#voting.canVoteAgain(this.#step)) return;
    this.#place = { step: this.#place.step, phase: "asked" };
    this.#voting.again();
    this.#showVotes();
  }

  #showVotes() {
    if (!this.isOpen) return;
    this.#showLeads();
    this.#voting.showStatus(this.#step);
    const votes = this.#voting.votesOf(this.#step, this.#place.phase === "asked");
    this.#slide.showVotes(votes, this.#voting.isRoom ? null : (choice) => this.#voting.handsOf(this.#step, choice));
    this.#again.hidden = !this.#voting.canVoteAgain(this.#step);
    if (this.#slide.node.hidden !== this.#voting.isJoining) this.node.focus({ preventScroll: true });
    this.#slide.node.hidden = this.#voting.isJoining;
    if (!this.#data.back) this.#telling.tell({ place: this.#place, started: this.#begun, room: this.#voting.notes });
  }

  /** @param {Place} place */
  #go(place) {
    if (this.#voting.leaveJoining()) return;
    const { steps } = this.#data;
    const step = steps[place.step];
    const isBehind = place.step !== this.#place.step && place.phase === "revealed";
    this.#place = place;
    this.#started.set(ownerOf(steps, place.step), this.#begun);
    if (isBehind) this.#voting.ask(step, this.#begun); // before its answer is sent again
    this.#tellPhones(place);
    tabStorage.write(this.#key, JSON.stringify(place));
    this.#timer.start(this.#begun, step.minutes[1] - step.minutes[0]);
    fill(this.#where, element("b", {}, standing(this.#data.words, steps, place.step)), ` ${step.title}`);
    this.#slide.show(step, place.phase === "revealed");
    this.#slide.prepare(step);
    this.#slide.prepare(steps[place.step + 1]);
    this.#showVotes();
    if (!this.bar.querySelector(":focus-visible")) this.node.focus({ preventScroll: true });
  }

  /** Move by keys, unless what has the focus uses them. @param {KeyboardEvent} event */
  #press(event) {
    if (!this.isOpen || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (keepsKeys(event) || this.#slide.isOfFigure(event)) return;
    const isPressed = event.composedPath().some((target) => target instanceof Element && target.matches("button, a"));
    const onward = () => this.#go(this.#next);
    const back = () => this.#go(this.#before);
    /** @type {Record<string, () => void>} */
    const actions = {
      ...(!isPressed && { " ": onward }),
      ...{ ArrowRight: onward, PageDown: onward, ArrowLeft: back, PageUp: back },
      ...{ r: () => this.#go(turned(this.#place)), v: () => this.#voteAgain() },
      Home: () => this.#go({ step: 0, phase: "asked" }),
    };
    const action = actions[event.key.length > 1 ? event.key : event.key.toLowerCase()];
    if (!action) return;
    event.preventDefault();
    event.stopPropagation(); // Streamlit has a key R of its own
    action();
  }

  dispose() {
    this.#disposal.abort();
    this.#beside.disconnect();
    for (const part of [this.#slide, this.#timer, this.#telling, this.#voting]) part.dispose();
    this.node.remove();
  }
}
