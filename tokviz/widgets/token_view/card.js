/**
 * Details of one token: its id, bytes and characters, how it was learned, its pre-token, how often it occurs here and
 * its merge tree.
 */

import { element, fill, listed, number, plural } from "../shared/dom/elements.js";
import { bytesOf, tokenEnd, WORDS, writeToken } from "../shared/text/tokenization.js";
import { appendMarked, withSigns } from "../shared/text/invisibles.js";
import { isUnknown, sayToken } from "../shared/text/speak.js";
import { Bubble } from "../shared/ui/bubble.js";
import { Drawer } from "../shared/ui/drawer.js";
import { drawTree, labelOf } from "./tree.js";

/** @typedef {import("../shared/text/tokenization.js").TokenizationModel} TokenizationModel */

/**
 * @typedef {object} Details token details from the server
 * @property {number} id
 * @property {string} hex
 * @property {string | null} text null if its bytes are not valid UTF-8
 * @property {boolean} special
 * @property {boolean} added whether it was added by hand and is matched in every text
 * @property {boolean} [unknown] whether it stands for what no token spells
 * @property {string | null} [algorithm] of another library: "bpe", "unigram", "wordpiece" and others; null if its merges are known
 * @property {boolean} [byte] whether it is one of the tokens for single bytes, which spell what no other token holds
 * @property {Mark | null} [mark] how its file says that it is inside a word, or at a word's end
 * @property {number | null} rank
 * @property {number} merges number of merges of the tokenizer
 * @property {"bytes" | "characters"} units the initial symbols of merges
 * @property {import("./tree.js").TreeNode | null} tree
 * @property {import("./tree.js").Spelled[]} alone the tokens that its bytes merge into instead; empty if into it
 * @property {(import("./tree.js").Spelled & {added: boolean})[]} read_as the tokens that its text is read
 *   as instead; empty if it is read as this token
 * @property {{code: string, name: string, char: string}[]} code_points
 */

/** @typedef {{spelled: string, mark: string, place: "inside" | "end"}} Mark the token as its file spells it, and the mark */

/** @typedef {{text: string, branch: string | null}} PreToken `branch`: the pattern branch that
 *    matched it, in words; null for a special token */

/** Branches of pre-tokens that no known pattern cut, as the server names them (see `analysis.branches`). */
const UNCUT = /^(not cut|the rules of)/;

/** Maximum characters shown of a token; a word tokenizer can have one of a megabyte. */
const MAX_SHOWN = 300;

/**
 * @typedef {Pick<import("./view.js").TokenView, "node" | "boxesOf" | "lineOf"> & Partial<Pick<import("./view.js").TokenView, "litWith">> & {isBeneath?: boolean}} Shown
 *   where tokens are on screen, what is not dimmed with one, and whether its bubble stands beneath it
 */

/**
 * The card of a token: a bubble at the one that is pointed at, a drawer for the one that is kept.
 *
 * @param {HTMLElement} host a positioned element around the view
 * @param {Shown} view
 * @param {() => void} onClose when the reader lets go of the token
 */
export function createCard(host, view, onClose) {
  const bubble = new Bubble(host, view.isBeneath);
  const drawer = new Drawer(host, "Token", close, "Let go of this token");
  const disposal = new AbortController();
  /** The token that the bubble is of. @type {number | null} */
  let pointed = null;
  view.node.addEventListener("scroll", () => point(null, null, null), { signal: disposal.signal, passive: true });

  function close() {
    if (drawer.hasFocus) view.node.focus({ preventScroll: true });
    onClose();
  }

  /**
   * Show a bubble at a token.
   *
   * @param {TokenizationModel | null} model
   * @param {number | null} i null for none
   * @param {Details | null} details null until loaded; then once more, for the same token
   * @param {HTMLElement[]} [more] what else there is to say
   */
  function point(model, i, details, more = []) {
    if (model === null || i === null) bubble.hide();
    else if (i === pointed) bubble.say(...brief(model, i, details, more));
    else bubble.show(view.boxesOf(i), view.litWith?.(i) ?? [], () => view.lineOf(i)?.bottom ?? 0, ...brief(model, i, details, more));
    pointed = i;
  }

  /**
   * Keep a token in the drawer.
   *
   * @param {TokenizationModel | null} model
   * @param {number | null} i null closes it
   * @param {Details | null} details null until loaded
   * @param {PreToken | null} pretoken null until loaded
   * @param {string[]} [rewriting] what the tokenizer changed in the token's text first, in words
   * @param {HTMLElement[]} [more] what else there is to say
   */
  function keep(model, i, details, pretoken, rewriting = [], more = []) {
    if (model === null || i === null) return drawer.close();
    drawer.open(() => view.lineOf(i), ...contents(model, i, details, pretoken, rewriting), ...more);
    const tree = /** @type {HTMLElement | null} */ (host.querySelector(".drawer .merge-tree"));
    if (tree) tree.scrollLeft = (tree.scrollWidth - tree.clientWidth) / 2;
  }

  return {
    point,
    keep,
    dispose() {
      disposal.abort();
      bubble.dispose();
      drawer.dispose();
    },
  };
}

/**
 * Describe a token in the bubble: its text, its id, its bytes, and how it came about, once that is known.
 *
 * @param {TokenizationModel} model @param {number} i @param {Details | null} details @param {HTMLElement[]} [more] what else there is to say
 */
export function brief(model, i, details, more = []) {
  const text = element("code", { class: `chip ${model.colorOf?.(i) ?? "tint-0"}` }, element("bdi", {}, shortened(writeToken(model, i))));
  const bytes = bytesOf(model, i);
  return [
    element("p", { class: "named" }, text, element("b", { class: "mono" }, String(model.ids[i]))),
    element("p", { class: "mono quiet" }, shortened(bytes) || "no bytes"),
    ...more,
    model.meta.tokenizer !== WORDS && element("p", { class: "came" }, ...(details ? sayOrigin(details) : [])),
  ];
}

/** How a token came about, in a line. @param {Details} details */
function sayOrigin(details) {
  const { rank, special, added, tree } = details;
  if (rank === null || special || added || tree?.children.length !== 2) return [learned(details)];
  const [left, right] = tree.children.map((part) => element("code", { class: "chip" }, element("bdi", {}, labelOf(part))));
  return [`merge ${number(rank + 1)} joins `, left, " and ", right];
}

/**
 * Describe a token in the drawer.
 *
 * @param {TokenizationModel} model
 * @param {number} i
 * @param {Details | null} details
 * @param {PreToken | null} pretoken
 * @param {string[]} rewriting
 */
function contents(model, i, details, pretoken, rewriting) {
  const joined = details?.tree?.children.length ? [origin(details, details.tree)] : [];
  return [...heading(model, i, details), ...joined, facts(model, i, details, pretoken, rewriting)];
}

/**
 * How a token was joined.
 *
 * @param {Details} details
 * @param {import("./tree.js").TreeNode} tree
 */
function origin(details, tree) {
  const when = sayWhenMerged(details);
  return element(
    "div",
    { class: "origin" },
    element("h3", {}, `Joined from ${symbolsOf(details)} by these merges`),
    drawTree(tree),
    when && element("p", { class: "part" }, when),
  );
}

/**
 * The token in large type. A partial character is shown by its bytes, with a sentence about the character; a token
 * without bytes gets a sentence too.
 *
 * @param {TokenizationModel} model
 * @param {number} i
 * @param {Details | null} details
 */
function heading(model, i, details) {
  const big = element("div", { class: "big marks" });
  const token = element("span", { class: `t ${model.colorOf?.(i) ?? "tint-0"}` });
  big.append(token);
  const isPart = model.inside[i] || model.inside[i + 1];
  if (isPart) token.textContent = bytesOf(model, i);
  else appendMarked(token, shortened(model.text.slice(model.starts[i], tokenEnd(model, i))));
  if (isUnknown(model, i)) {
    const says = "This word is not in the list. All such words become one token, <unk>, and the word is lost.";
    return [big, element("p", { class: "part" }, says)];
  }
  if (details && standsForOther(details, bytesOf(model, i))) {
    const says = `No token of this tokenizer spells this. ${details.text} stands for it, so the ids don't say what it was.`;
    return [big, element("p", { class: "part" }, says)];
  }
  if (!isPart && model.byteLengths[i]) return [big];
  const says = sayToken(model, i);
  return [big, element("p", { class: "part" }, `${says[0].toUpperCase()}${says.slice(1)}.`)];
}

/** Whether a token stands for text that no token spells. @param {Details} details @param {string} covered bytes in hex */
export const standsForOther = ({ unknown, hex }, covered) => Boolean(unknown) && hex !== covered;

/**
 * @param {TokenizationModel} model
 * @param {number} i
 * @param {Details | null} details
 * @param {PreToken | null} pretoken
 * @param {string[]} rewriting
 */
function facts(model, i, details, pretoken, rewriting) {
  const list = document.createElement("dl");
  const add = (/** @type {string} */ term, /** @type {Node | string} */ fact, isCode = false) => {
    const description = element("dd", { class: isCode ? "code" : null }, fact);
    list.append(element("dt", {}, term), description);
    return description;
  };
  const bytes = bytesOf(model, i);
  add("id", String(model.ids[i]), true);
  add("hex", shortened(bytes) || "no bytes", true);
  const isOther = isUnknown(model, i) || (details !== null && standsForOther(details, bytes));
  const own = details && !isOther ? ownBytes(details, bytes, rewriting) : null;
  if (own?.text) add("the token itself", own.text, true);
  if (own) add(own.text ? "its hex" : "the token's own hex", own.hex, true);
  if (own?.why) add("because", own.why);
  if (details?.byte) add("in its file", nameOfByte(details.hex), true);
  if (details?.mark) {
    add("in its file", withSigns(details.mark.spelled), true);
    add(`${details.mark.mark} means`, sayMark(details.mark));
  }
  if (details?.code_points.length && !isOther) {
    const name = `${own ? "its " : ""}code point${details.code_points.length > 1 ? "s" : ""}`;
    add(name, isAscii(details.code_points) ? folded("plain ASCII", codePoints(details.code_points)) : codePoints(details.code_points));
  }
  if (details) add(isChosen(details) ? "chosen" : "learned", learned(details));
  if (details?.alone.length) add("its bytes merge to", joinLabels(details.alone), true);
  if (details?.read_as.length) add(details.mark?.place === "inside" ? "at a word's start" : "alone, its text is", joinedOthers(details), true);
  if (pretoken) {
    const isAll = UNCUT.test(pretoken.branch ?? "") && pretoken.text === model.text;
    const within = add("pre-token", isAll ? "the whole text, which is not cut first" : shortened(withSigns(pretoken.text)) || "no text", !isAll);
    within.append(whatIs("pre-token"));
    if (pretoken.branch !== null && !isAll) add("cut as", pretoken.branch);
  }
  if (!model.meta.isPart) add("here", plural(model.ids.filter((id) => id === model.ids[i]).length, "time"));
  return list;
}

/** @param {Mark} mark */
export const sayMark = ({ mark, place }) =>
  `${place === "inside" ? "it continues a word" : "a word ends here"}; ${mark} is not part of the text`;

/** @param {import("./tree.js").Spelled[]} tokens */
const joinLabels = (tokens) => tokens.map(labelOf).join(" + ");

/** Join the tokens read instead of this one; those with the same bytes also show their ids. @param {Details} details */
export function joinedOthers({ hex, read_as }) {
  return read_as.map((each) => labelOf(each) + (each.hex === hex ? ` (${each.added ? "the added token" : "token"} ${each.id})` : "")).join(" + ");
}

/** Say when a token's merge tree applies; "" if wherever its text occurs. @param {Details} details */
export function sayWhenMerged({ special, added, read_as }) {
  if (special || added) return "The tree shows how these bytes would merge. Where the text is recognized as this token, nothing merges.";
  if (read_as.some((each) => each.added)) return "The tree shows how these bytes would merge. Alone, an added token is cut out of them first.";
  return read_as.length ? "The tree shows how these bytes merge where nothing cuts them apart." : "";
}

/** Whether all code points are plain letters, digits and signs, of which there is little to say. @param {Details["code_points"]} points */
export const isAscii = (points) => points.every(({ char }) => char < "\x7f");

/** What a term means, which is loaded when it is unfolded. @param {string} term */
function whatIs(term) {
  const means = element("p");
  const fold = folded("what is this?", means);
  const show = async () => fill(means, (await import("../shared/text/glossary.js")).meaningOf(term));
  fold.addEventListener("toggle", () => void show().catch(() => fill(means, "This could not be loaded. Try again in a moment.")));
  return fold;
}

/** @param {string} summary @param {Node | string} content */
function folded(summary, content) {
  return element("details", {}, element("summary", {}, summary), content);
}

/** @param {Details["code_points"]} points */
function codePoints(points) {
  const list = document.createElement("ul");
  for (const { code, name, char, times } of runs(points)) {
    const row = element("li");
    const count = times > 1 ? ` × ${times}` : "";
    row.append(element("span", { class: "code" }, `${withSigns(char)} ${code} `), element("span", { class: "name" }, name + count));
    list.append(row);
  }
  if (list.children.length > 4) list.tabIndex = 0; // long lists scroll
  return list;
}

/**
 * Collapse runs of the same code point.
 *
 * @param {Details["code_points"]} points
 */
function runs(points) {
  /** @type {(Details["code_points"][0] & {times: number})[]} */
  const counted = [];
  for (const point of points) {
    const last = counted[counted.length - 1];
    if (last?.code === point.code) last.times++;
    else counted.push({ ...point, times: 1 });
  }
  return counted;
}

/**
 * Return a token's own bytes and the reason, if they differ from those it covers in the text; otherwise null.
 *
 * @param {Details} details
 * @param {string} covered bytes in hex
 * @param {string[]} rewriting
 */
export function ownBytes({ hex, text, special, added }, covered, rewriting) {
  if (hex === covered) return null;
  const absorbsSpace = (special || added) && hex !== "" && covered.includes(hex);
  const rewritten = rewriting.length ? `this tokenizer first ${listed(rewriting)}` : "";
  const why = absorbsSpace ? "where it is found, it takes in the white space beside it" : rewritten;
  return { hex: shortened(hex) || "none", text: shortened(withSigns(text ?? "")), why };
}

/** How other libraries' algorithms come to their tokens. @type {Record<string, string>} */
const BY_ALGORITHM = {
  bpe: "by merging, or there from the start: the Merge replay page shows which",
  unigram: "by its score: of all ways to write a text, Unigram takes the one with the best total score",
  wordpiece: "as the longest token that fits here: WordPiece takes the longest one, then the longest one for the rest of the word",
};

/** How files spell the token of a single byte. @param {string} hex */
const nameOfByte = (hex) => `<0x${hex.toUpperCase()}>`;

/** Whether its algorithm chooses among tokens, instead of merging. @param {Details} details */
const isChosen = ({ unknown, byte, special, added, rank, algorithm }) =>
  !(unknown || byte || special || added || rank !== null) && (algorithm === "unigram" || algorithm === "wordpiece");

/** @param {Details} details */
export function learned({ rank, merges, units, special, added, hex, tree, code_points, unknown, byte, algorithm }) {
  if (unknown) return "no: it stands for whatever no other token spells";
  if (byte) return `no: byte fallback. ${nameOfByte(hex)} is one byte of a character that has no token of its own`;
  const merge = rank === null ? "no" : `merge ${number(rank + 1)} of ${number(merges)}`;
  if (special) return `${merge}: ${rank === null ? "a special token is" : "but it is also a special token,"} put in by hand`;
  if (added) return `${merge}: it was ${rank === null ? "" : "also "}added by hand, and where it is found, it is cut out before anything is merged`;
  if (rank !== null) return merge;
  if (algorithm && Object.hasOwn(BY_ALGORITHM, algorithm)) return BY_ALGORITHM[algorithm];
  if (merges === 0) return "this tokenizer merges nothing";
  const isSymbol = units === "characters" ? code_points.length === 1 : hex.length === 2;
  return isSymbol && !tree?.children.length ? `no: a single ${units.slice(0, -1)}, a token from the start` : "no: no merge makes it";
}

/** Count the initial symbols from which a token was merged. @param {Details} details */
export function symbolsOf({ units, hex, tree, code_points }) {
  const symbols = units === "characters" ? plural(code_points.length, "character") : plural(hex.split(" ").length, "byte");
  return tree && endsInMark(tree) ? `${symbols} and the mark of a word's end` : symbols;
}

/** @param {import("./tree.js").TreeNode} node @returns {boolean} the end-of-word mark is a leaf without bytes */
function endsInMark({ hex, children }) {
  return hex === "" || (children.length > 0 && endsInMark(children[children.length - 1]));
}

/** @param {string} text */
function shortened(text) {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
