/**
 * The Compare page: where tokenizers differ on one text, by how much, and why. This module connects the parts.
 *
 * Data flows one way: the editor's text and the chosen tokenizers make a request, the response becomes a comparison,
 * and every part shows it.
 */

import { element, fill, plural } from "../shared/dom/elements.js";
import { keepsKeys } from "../shared/dom/fields.js";
import { Refusal } from "../shared/net/client.js";
import { unpackText } from "../shared/net/links.js";
import { PageShell } from "../shared/page/shell.js";
import { sayCounts } from "../shared/page/title.js";
import { door, waysOn } from "../shared/ui/doors.js";
import { createSaving } from "../shared/ui/saving.js";
import { Answers } from "./answers.js";
import { Differences } from "./differences.js";
import { Dock } from "./dock.js";
import { createFigures } from "./figures.js";
import { Folds } from "./folds.js";
import { Inputs } from "./inputs.js";
import { beginningOf } from "./model.js";
import { Selection } from "./selection.js";
import { Texts } from "./texts.js";
import { Views } from "./views.js";

/** @typedef {import("./model.js").Comparison} Comparison */

/** The key that, held, shows the next tokenizer in place. */
const PEEKING = "b";
/** The file format that is a web page. @type {[format: string, label: string, says: string]} */
const PAGE = [
  "html",
  "Web page",
  "The whole text in the tokens of each, with all reasons, in one file that opens without a network",
];

/**
 * @param {HTMLElement} root
 * @param {any} data `base`: the app's root; `before`: the headline until texts are compared; `start`: the initial
 *   sample; `tokenizers`, `samples`, `kinds`: the choices
 * @param {import("../shared/page/shell.js").Host} host
 */
export function mount(root, data, host) {
  const keydown = (/** @type {KeyboardEvent} */ event) => handleKey(event, differences, views);
  const shell = new PageShell(root, data, { name: "compare", late: "the tokens", keydown, host });
  const inputs = new Inputs(shell, { ask: () => void answers.ask() });
  const answers = shell.own(
    new Answers(shell.client, () => inputs.question(), {
      compared: show,
      refused: shell.refuse,
      explained: (comparison) => (differences.show(comparison), selection.showCard()),
      unexplained: () => selection.showCard(),
      connection: shell.showConnection,
    }),
  );
  const folds = new Folds(inputs.settings.compare.folds, (names) => inputs.change({ folds: names }));
  const figures = createFigures(inputs, folds); // first, so that the bill is in sight when the page opens
  const differences = new Differences(inputs.settings.compare, folds, {
    go: (segment) => selection.goTo(segment),
    filter: (filter) => inputs.change(filter),
    explain: (segments) => answers.explain(segments),
  });
  const panes = element("div", { class: "panes" });
  const views = shell.own(
    new Views(inputs, panes, {
      select: (segment) => selection.select(segment),
      walk: (where) => (where === "leave" ? selection.clear() : differences.walk(where)),
    }),
  );
  const go = (/** @type {number} */ segment) => selection.goTo(segment);
  const headline = element("h1", { class: "headline" }, data.before);
  const dock = shell.own(new Dock(differences.node, folds, { close: () => (selection.clear(), views.focus()), go, line: () => views.chosenBox() }, headline));
  panes.append(dock.node);
  const spoken = element("p", { class: "unseen", role: "status" });
  const selection = shell.own(new Selection({ answers, views, differences, dock, spoken }));
  views.pane.prepend(figures.totals);
  const texts = shell.own(createTexts(shell, inputs, folds));
  folds.node.append(createDifferenceSaving(shell, inputs, answers, differences).node);
  const differing = element("span", {}, "Which merges made these pieces?");

  const tools = element("div", { class: "row tools" });
  shell.listen(document, "keydown", keydown); // the page's own stay in it
  for (const end of ["keyup", "blur"]) shell.listen(window, end, ({ key = PEEKING }) => key === PEEKING && views.peek(false));
  shell.node.prepend(headline);
  shell.node.append(
    element("div", { class: "asking" }, element("div", { class: "row top" }, inputs.pageText.presets, tools), ...inputs.nodes),
    ...[views.choice, views.hint, spoken, panes, folds.node],
    waysOn(door("chat#against=o200k_harmony", "Compare a chat: the same messages under two models"), door("replay", differing)),
  );
  const share = shell.addShare(() => inputs.linkContent(selection.byte), () => pictureOf(shell, inputs, answers));
  const opening = shell.addOpening({
    use: (text) => inputs.pageText.replace(text),
    useTokenizer: (...opened) => void inputs.adding.open(...opened),
  });
  shell.addAsking("compare");
  tools.append(opening, share, shell.addPresenter(shell.node, (isPresented) => views.present(isPresented), shell.createPreparing("Text, tokenizers")));
  void begin(shell, inputs, selection, texts);

  /** @param {Comparison} comparison @param {import("./answers.js").Question} asked @param {Comparison | null} previous */
  function show(comparison, asked, previous) {
    shell.accept();
    figures.show(comparison, asked.tokenizers);
    shell.showTitle(sayCounts(comparison.names.map((name, t) => [name, comparison.models[t].n])));
    views.show(comparison);
    fill(differing, `${plural(comparison.differing.length, "difference")} here. Which merges made these pieces?`);
    texts.update(asked.text, offersOf(asked.tokenizers, comparison.names));
    differences.show(comparison);
    dock.show(comparison);
    selection.show(comparison, previous);
    if (!previous && inputs.isFirst) views.introduce();
    if (!previous) inputs.change({}); // from now on the tab has shown the page
  }

  return {
    /** @param {any} newer new choices */
    update(newer) {
      shell.data = newer;
      inputs.update();
    },
    dispose: () => shell.dispose(),
  };
}

/**
 * Load the initial text, and what else the page's link says.
 *
 * @param {PageShell} shell @param {Inputs} inputs @param {Selection} selection @param {Texts} texts
 */
async function begin(shell, inputs, selection, texts) {
  await inputs.begin();
  if (shell.isDisposed || !shell.link || !inputs.link) return;
  selection.startAt(inputs.link.at);
  if (!shell.link.second) return;
  const second = await unpackText(shell.link.second).catch((error) => void fill(inputs.pageText.note, error.message));
  if (typeof second === "string" && !shell.isDisposed) texts.setSecond(second);
}

/** @param {PageShell} shell @param {Inputs} inputs @param {Folds} folds */
function createTexts({ client }, inputs, folds) {
  const { settings } = inputs;
  return new Texts(settings.compare, folds, {
    ask: (question, signal) => client.texts({ ...question, special: settings.special }, signal),
    change: (change) => inputs.change(change),
    sample: (name) => client.sample(name),
    useFirst: (text) => inputs.pageText.replace(text),
  });
}

/**
 * The beginning of what is compared, up to where all tokenizers cut, as a picture.
 *
 * @param {PageShell} shell @param {Inputs} inputs @param {Answers} answers @returns {Promise<import("../shared/ui/share.js").Picture | null>}
 */
async function pictureOf({ client, node }, inputs, answers) {
  const { isDark, MAX_BYTES, pictureColumns } = await import("../shared/ui/pictures.js");
  const { comparison } = answers; // read after that wait, as the question is
  if (!comparison) return null;
  const { text: _, ...query } = inputs.question();
  const beginning = beginningOf(comparison, MAX_BYTES);
  const draw = () => client.blob("compare/picture", { ...query, columns: pictureColumns(), dark: isDark(node) }, beginning);
  return { name: "comparison", draw };
}

/** @param {PageShell} shell @param {Inputs} inputs @param {Answers} answers @param {Differences} differences */
function createDifferenceSaving(shell, inputs, answers, differences) {
  return createSaving("Save the differences", "differences", [...differences.formats, PAGE], async (format) => {
    const { text, ...query } = inputs.question();
    if (format === "html") return shell.client.blob("compare/page", { ...query, lang: inputs.settings.lang }, text);
    if (answers.comparison && !shell.isStale) return differences.file(format);
    throw new Refusal("The text above is not compared, so there is nothing to save.");
  });
}

/**
 * N and P go to the next and the previous difference; B, held, shows the next tokenizer in place. They work
 * wherever nobody types.
 *
 * @param {KeyboardEvent} event @param {Differences} differences @param {Views} views
 */
function handleKey(event, differences, views) {
  event.stopPropagation(); // Streamlit listens for single letters at the document
  if (keepsKeys(event) || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "n") differences.walk("next");
  if (event.key === PEEKING && !event.repeat) views.peek(true);
  if (event.key === "p") differences.walk("previous");
}

/** @param {string[]} ids @param {string[]} names @returns {[string, string][]} */
const offersOf = (ids, names) => ids.map((id, t) => [id, names[t]]);
