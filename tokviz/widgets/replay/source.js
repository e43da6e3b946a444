/**
 * The input of a replay: for Apply, a tokenizer and a text, or learned merges and a new word; for Learn, the training
 * text and the trainer's options.
 */

import { button, element, fill, menu, number, plural, toggle } from "../shared/dom/elements.js";
import { keepLineEnds } from "../shared/ui/lineends.js";
import { Picker } from "../shared/ui/picker.js";
import { createPresets } from "../shared/ui/presets.js";
import { createLearn, learnQuery, TALL } from "./learn.js";

/** @typedef {import("./learn.js").LearnOptions} LearnOptions */
/** @typedef {"apply" | "learn"} Story */
/** @typedef {{merges: number, word: string}} Tried a new word, and the number of learned merges tried on it */

/**
 * @typedef {object} Choices settings that the page remembers
 * @property {Story} story
 * @property {"rank" | "pretoken"} order
 * @property {LearnOptions} learn
 * @property {Tried | null} tried
 * @property {{apply: number, learn: number}} steps
 * @property {import("./names.js").Writing} writing
 * @property {import("./player.js").Speed} speed
 * @property {boolean} predict
 */

/** Texts short enough to be fully visible. */
const SHORT = ["I'll tokenize pizza 🍕!", "unbelievable", " unbelievable", "New York", "aaaaaaaa", "مرحبا", "東京"];
export const FIRST_TEXT = SHORT[0];
/** Maximum text that can be edited here, in UTF-16 units; of a longer text only the beginning is shown. */
const MAX_EDITABLE = 120_000;

/** @type {[Choices["order"], string][]} */
const ORDERS = [
  ["rank", "by rank, everywhere at once"],
  ["pretoken", "one pre-token after the other"],
];

/**
 * @param {object} data `tokenizers`, `samples`, `kinds`, `limits`
 * @param {Choices} choices changed in place
 * @param {{text: string, tokenizer: string, special: boolean}} shared settings shared by all pages
 * @param {object} on
 * @param {(what: "text" | "options" | "story") => void} on.change
 * @param {(text: string) => void} on.text called when the shared text was edited
 * @param {(change: {tokenizer?: string, special?: boolean}) => void} on.shared
 * @param {(name: string) => void} on.sample
 * @param {(classic: import("./learn.js").Classic) => void} on.classic
 * @param {() => void} on.tryOut
 * @param {() => void} on.leave
 */
export function createSource(/** @type {any} */ data, choices, shared, on) {
  let onlyBeginning = false;
  const names = { apply: "Apply: how a tokenizer reads a text", learn: "Learn: how its merges were found" };
  const stories = /** @type {Story[]} */ (["apply", "learn"]).map((story) => {
    const input = element("input", { type: "radio", name: "story", value: story, change: () => setStory(story) });
    return { story, input, node: element("label", { class: "story" }, input, names[story]) };
  });

  const picker = new Picker((tokenizer) => (on.shared({ tokenizer }), on.change("options")));
  const presets = createPresets(
    [
      ...SHORT.map((text) => ({ name: `short:${text}`, title: text.replaceAll(" ", "·"), kind: "short" })),
      ...data.samples,
    ],
    { short: "A word or two", ...data.kinds },
    (name) => (name.startsWith("short:") ? useText(name.slice("short:".length)) : on.sample(name)),
  );
  const text = element("textarea", {
    class: "editor mono",
    "aria-label": "Your text",
    placeholder: "Type or paste a text",
    rows: 1,
    dir: "auto",
    spellcheck: "false",
    autocapitalize: "off",
    autocomplete: "off",
    autocorrect: "off",
    input: () => useText(written.text()),
    blur: on.leave,
  });
  const order = menu(
    "Order",
    ORDERS,
    choices.order,
    (value) => ((choices.order = /** @type {any} */ (value)), on.change("options")),
  );
  const special = toggle(
    "special tokens",
    shared.special,
    (on_) => (on.shared({ special: on_ }), on.change("options")),
    "Read <|endoftext|> and its like as control tokens, not as text",
  );
  const merges = element("p", { class: "notice learned" });
  const limit = element("div", { class: "notice limit", role: "status" });
  const written = keepLineEnds(text);
  const published = element("div", { class: "row choices" }, picker.node, presets.node);
  const apply = element(
    "div",
    { class: "apply" },
    published,
    merges,
    text,
    written.note,
    element("div", { class: "row settings" }, order.node, special.node),
  );
  const learn = createLearn(choices.learn, data.limits.merges, {
    change: (isText) => (showLimit(), on.change(isText ? "text" : "options")),
    classic: on.classic,
    tryOut: on.tryOut,
  });
  const watch = element(
    "div",
    { class: "row stories", role: "radiogroup", "aria-label": "What to watch" },
    ...stories.map((each) => each.node),
  );
  const top = element("div", { class: "row top" }, watch);
  const node = element(
    "div",
    { class: "source" },
    top,
    apply,
    learn.node,
    limit,
  );

  /** Replay another text, and put it into the box in use. @param {string} wanted */
  function useText(wanted) {
    onlyBeginning = false;
    if (choices.story === "learn") return learn.useText(wanted);
    if (choices.tried) choices.tried.word = wanted;
    else on.text(wanted);
    showText();
    on.change("text");
  }

  /** @param {Story} story */
  function setStory(story) {
    choices.story = story;
    show();
    on.change("story");
  }

  function currentText() {
    if (choices.story === "learn") return choices.learn.text;
    return choices.tried ? choices.tried.word : shared.text;
  }

  function show() {
    for (const { story, input } of stories) input.checked = story === choices.story;
    apply.hidden = choices.story !== "apply";
    learn.node.hidden = choices.story !== "learn";
    learn.show();
    published.hidden = special.node.hidden = choices.tried !== null;
    const { tried } = choices;
    fill(
      merges,
      tried &&
        element(
          "span",
          {},
          `Here are the first ${plural(tried.merges, "merge")} learned from “${beginning(choices.learn.text)}”.`,
        ),
      tried && button("back to learning", () => setStory("learn")),
      tried && button("use a published tokenizer", () => ((choices.tried = null), show(), on.change("story"))),
    );
    showText();
  }

  function showText() {
    const now = currentText();
    const editable = now.length <= MAX_EDITABLE;
    text.readOnly = !editable;
    text.classList.toggle("tall", now.length > TALL);
    const visible = editable ? now : now.slice(0, TALL);
    if (choices.story === "apply") written.show(visible);
    showLimit();
  }


  /** Use only the beginning of the text. A training text is cut; the text shared by all pages is kept whole. */
  function useBeginning() {
    if (choices.story === "learn") choices.learn.text = firstBytes(choices.learn.text, data.limits.bytes);
    else onlyBeginning = true;
    show();
    on.change("text");
  }

  function showLimit() {
    const size = bytesIn(currentText());
    if (size <= data.limits.bytes) return fill(limit);
    const most = number(data.limits.bytes);
    if (onlyBeginning) return fill(limit, sayBeginning(currentText(), data.limits.bytes));
    const use = button("use its beginning", useBeginning);
    fill(limit, element("span", {}, `This text has ${number(size)} bytes; a replay shows ${most} at most.`), use);
  }

  return {
    node,
    /** Row shown in both stories, for the page's tools. */
    top,
    show,
    focusText: () => text.focus(),
    useText,
    /** @param {string} name */
    showSample: (name) => presets.show(name),
    update(/** @type {any} */ newer) {
      picker.update(
        newer.tokenizers.filter((/** @type {any} */ { kind }) => kind === "bpe"),
        shared.tokenizer,
      );
    },
    /** The request to the server; null if there is no text to send, or too much. */
    question() {
      const fullText = currentText();
      const tooLong = bytesIn(fullText) > data.limits.bytes;
      if (tooLong && (!onlyBeginning || choices.story === "learn")) return null;
      const asked = tooLong ? firstBytes(fullText, data.limits.bytes) : fullText;
      if (choices.story === "learn")
        return asked ? { route: "replay/learn", query: learnQuery(choices.learn), text: asked } : null;
      const query = { order: choices.order };
      if (!choices.tried)
        return {
          route: "replay",
          query: { ...query, tokenizer: shared.tokenizer, special: shared.special ? 1 : 0 },
          text: asked,
        };
      const trainingText = choices.learn.text;
      const learned = { ...learnQuery(choices.learn), merges: choices.tried.merges, known: bytesIn(trainingText) };
      return { route: "replay/try", query: { ...query, ...learned }, text: trainingText + asked };
    },
  };
}

const encoder = new TextEncoder();
/** @param {string} text */
const bytesIn = (text) => (text.length > 10_000_000 ? text.length : encoder.encode(text).length);

/** Beginning of a text, cut after a whole character. @param {string} text @param {number} most maximum bytes */
function firstBytes(text, most) {
  const { read } = encoder.encodeInto(text, new Uint8Array(most));
  return text.slice(0, read);
}

/** Note that only the beginning of a text is replayed. @param {string} text @param {number} most maximum bytes */
export function sayBeginning(text, most) {
  const [first, all] = [firstBytes(text, most), text].map((each) => number(bytesIn(each)));
  return `The first ${first} of ${all} bytes are replayed. Your text stays as it is.`;
}

/** @param {string} text */
function beginning(text) {
  const characters = Array.from(text);
  return characters.length > 24 ? `${characters.slice(0, 24).join("")}…` : text;
}
