/**
 * A picture of a part of a page, for what has no drawing of its own: a copy of its elements, with their styles and fonts.
 */

import { element } from "../dom/elements.js";
import { dataOf } from "./pictures.js";

/** @typedef {Element & ElementCSSInlineStyle} Styled */

/**
 * @param {string} name of the file, without its ending
 * @param {Iterable<Element>} parts of which the one nearest to the middle of the window is drawn
 * @param {string} [without] a selector of what in it is left out
 * @returns {import("./share.js").Picture | null} null if there are no parts
 */
export function pictureOfPart(name, parts, without = ":not(*)") {
  const away = (/** @type {Element} */ part) => {
    const { top, bottom } = part.getBoundingClientRect();
    return Math.abs(top + bottom - innerHeight);
  };
  const [part] = [...parts].sort((one, other) => away(one) - away(other));
  return part ? { name, formats: ["png"], draw: () => draw(part, without) } : null;
}

/** Pixels around a copy. */
const MARGIN = 16;

/** @param {Element} part @param {string} without */
async function draw(part, without) {
  const { top, width } = part.getBoundingClientRect();
  const inside = [...part.children].filter((child) => !child.matches(without)).map((child) => child.getBoundingClientRect().bottom);
  const height = Math.max(top, ...inside) - top;
  /** @type {Set<string>} */
  const families = new Set();
  const copy = /** @type {Styled} */ (copyOf(part, without, families));
  Object.assign(copy.style, { margin: `${MARGIN}px`, height: "auto", listStyle: "none" });
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const html = document.createElementNS(svg.namespaceURI, "foreignObject");
  const style = document.createElement("style");
  style.textContent = (await Promise.all(facesOf(families).map(withData))).join("\n");
  const page = element("div", { style: `height: 100%; display: flow-root; text-rendering: geometricPrecision; background: ${backgroundOf(part)}` }, copy);
  html.append(style, page);
  svg.append(html);
  for (const node of [svg, html]) {
    node.setAttribute("width", String(Math.ceil(width) + 2 * MARGIN));
    node.setAttribute("height", String(Math.ceil(height) + 2 * MARGIN));
  }
  return new Blob([new XMLSerializer().serializeToString(svg)], { type: "image/svg+xml" });
}

/** @param {Node} node @param {string} without @param {Set<string>} families are added to @returns {Node | string} */
function copyOf(node, without, families) {
  const copy = node.cloneNode();
  if (!(node instanceof Element)) return copy;
  const style = getComputedStyle(node);
  if (style.display === "none" || node.matches(without)) return "";
  families.add(style.fontFamily);
  setStyle(/** @type {Styled} */ (copy), style);
  if (node instanceof HTMLInputElement) /** @type {Element} */ (copy).setAttribute("value", node.value);
  if (node.matches("[type=range]")) /** @type {Styled} */ (copy).style.appearance = "auto"; // the track's style can't be copied
  if (node instanceof HTMLTextAreaElement) copy.textContent = node.value;
  const inside = [...node.childNodes].map((child) => copyOf(child, without, families));
  /** @type {Element} */ (copy).append(marked(node, "::before"), ...inside, marked(node, "::after"));
  return copy;
}

/** What a style writes before or after an element. @param {Element} node @param {string} where */
function marked(node, where) {
  const style = getComputedStyle(node, where);
  const found = /^"((?:[^"\\]|\\.)*)"/.exec(style.content);
  if (!found || style.display === "none") return "";
  const mark = document.createElement("span");
  mark.textContent = found[1].replace(/\\(.)/g, "$1");
  setStyle(mark, style);
  return mark;
}

/** @param {Styled} copy @param {CSSStyleDeclaration} style */
function setStyle(copy, style) {
  for (const property of style) copy.style.setProperty(property, style.getPropertyValue(property));
  Object.assign(copy.style, { animation: "none", transition: "none" });
}

/** The color behind an element. @param {Element} part */
function backgroundOf(part) {
  /** @type {Element | null} */
  let at = part;
  while (at && /^rgba\(.*, 0\)$/.test(getComputedStyle(at).backgroundColor)) at = at.parentElement ?? /** @type {ShadowRoot} */ (at.getRootNode()).host ?? null;
  return at ? getComputedStyle(at).backgroundColor : "Canvas";
}

/** The document's fonts of these families. @param {Set<string>} families */
function facesOf(families) {
  const used = [...families].join();
  const rules = [...document.styleSheets].flatMap((sheet) => (sheet.href && new URL(sheet.href).origin !== location.origin ? [] : [...sheet.cssRules]));
  return rules.filter((rule) => rule instanceof CSSFontFaceRule && used.includes(rule.style.getPropertyValue("font-family").replaceAll('"', "")));
}

/** A rule with its file in it, since a picture loads none. @param {CSSRule} rule */
async function withData({ cssText, parentStyleSheet }) {
  const address = /url\("([^"]+)"\)/.exec(cssText)?.[1];
  if (!address || address.startsWith("data:")) return cssText;
  const file = await (await fetch(new URL(address, parentStyleSheet?.href ?? document.baseURI))).blob();
  return cssText.replace(address, await dataOf(file));
}
