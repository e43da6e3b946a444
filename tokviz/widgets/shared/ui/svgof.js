/**
 * A figure on screen, such as a tower or a lattice, as an SVG that needs nothing else: boxes and texts where the browser
 * drew them, in its colors. Text stays text, in the reader's monospaced font. `tokviz/widgets/tower_svg.py` and
 * `lattice_svg.py` make the same pictures without a page.
 */

import { svg } from "../dom/svg.js";

/** Around the figure, in pixels. */
const MARGIN = 8;
/** From the middle of a text down to its baseline, relative to its size. */
const BASELINE = 0.35;
/** Characters that no XML file may hold. */
const NOT_XML = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;
const FONT = "'Source Code Pro', ui-monospace, 'DejaVu Sans Mono', monospace";

/** @typedef {{x: number, y: number, width: number, height: number}} Box relative to the figure */

/**
 * @param {HTMLElement} figure its lines have the class "line"
 * @param {string} title
 * @returns {string}
 */
export function svgOf(figure, title) {
  for (const animation of figure.getAnimations({ subtree: true })) animation.finish();
  const { left, top, width, height } = figure.getBoundingClientRect();
  const boxOf = (/** @type {Element} */ node) => {
    const box = node.getBoundingClientRect();
    return { x: box.left - left, y: box.top - top, width: box.width, height: box.height };
  };
  const size = { width: round(width + 2 * MARGIN), height: round(height + 2 * MARGIN) };
  const viewBox = [-MARGIN, -MARGIN, size.width, size.height].join(" ");
  const picture = svg("svg", { ...size, viewBox, "font-family": FONT, "text-anchor": "middle", role: "img" });
  const page = { ...paint("fill", colorOf(figure, "--page")), x: -MARGIN, y: -MARGIN, ...size };
  picture.append(withText(svg("title", {}), title), svg("rect", page));
  for (const node of /** @type {Iterable<HTMLElement>} */ (figure.querySelectorAll(".line > *"))) {
    if (!node.checkVisibility({ visibilityProperty: true })) continue;
    picture.append(...boxesOf(node, boxOf(node)));
    for (const text of node.querySelectorAll("bdi, small, b, .text"))
      if (text.checkVisibility({ opacityProperty: true })) picture.append(textOf(text, boxOf(text)));
  }
  return `${new XMLSerializer().serializeToString(picture)}\n`;
}

/**
 * A box's background, border and inset line.
 *
 * @param {HTMLElement} node @param {Box} box
 */
function boxesOf(node, box) {
  const { backgroundColor, borderTopWidth, borderTopStyle, borderTopColor, boxShadow, borderTopLeftRadius } = getComputedStyle(node);
  const border = borderTopStyle === "none" ? 0 : parseFloat(borderTopWidth);
  const radius = parseFloat(borderTopLeftRadius) || 0;
  const rect = (/** @type {number} */ inset, /** @type {Record<string, any>} */ painted) =>
    svg("rect", { ...inside(box, inset, Math.max(0, radius - inset)), ...painted });
  const outline = (/** @type {number} */ inset, /** @type {string} */ color, /** @type {number} */ width) =>
    rect(inset, { fill: "none", ...paint("stroke", color), "stroke-width": width, ...(isDashed && { "stroke-dasharray": `${3 * width} ${2 * width}` }) });
  const isDashed = borderTopStyle === "dashed";
  const after = getComputedStyle(node, "::after");
  const rule = node.classList.contains("character") && after.content !== "none" && after.visibility === "visible";
  const [, shade, inset] = boxShadow.match(/^(.*\)) 0px 0px 0px ([\d.]+)px inset$/) ?? [];
  const line = isDouble(borderTopStyle, border) ? border / 4 : border;
  return [
    isSeen(backgroundColor) && rect(border, paint("fill", backgroundColor)),
    inset && outline(border + Number(inset) / 2, shade, Number(inset)),
    border && isSeen(borderTopColor) && outline(line / 2, borderTopColor, line),
    border && isDouble(borderTopStyle, border) && outline(border - line / 2, borderTopColor, line),
    rule && svg("rect", { ...ruleOf(box), ...paint("fill", colorOf(node, "--solid")) }),
  ].filter((each) => each instanceof SVGElement);
}

/** @param {string} style @param {number} width */
const isDouble = (style, width) => style === "double" && width >= 3;

/** The line under a character. @param {Box} box */
const ruleOf = ({ x, y, width, height }) => ({ x: round(x + 2), y: round(y + height - 2), width: round(width - 4), height: 2 });

/** @param {Box} box @param {number} inset @param {number} radius */
function inside({ x, y, width, height }, inset, radius) {
  const size = { width: round(width - 2 * inset), height: round(height - 2 * inset) };
  return { x: round(x + inset), y: round(y + inset), ...size, rx: round(radius) };
}

/** @param {Element} node @param {Box} box */
function textOf(node, { x, y, width, height }) {
  const { fontSize, fontWeight, color, direction } = getComputedStyle(node);
  const size = parseFloat(fontSize);
  const text = svg("text", {
    x: round(x + width / 2),
    y: round(y + height / 2 + BASELINE * size),
    "font-size": round(size),
    ...paint("fill", color),
    ...(fontWeight !== "400" && { "font-weight": fontWeight }),
    ...(direction === "rtl" && { direction }),
  });
  return withText(text, (node.textContent ?? "").replace(NOT_XML, "\ufffd"));
}

/** @param {SVGElement} node @param {string} text */
function withText(node, text) {
  node.textContent = text;
  return node;
}

/** @param {number} value */
const round = (value) => Number(value.toFixed(2));

/**
 * Attributes for a color, in a form that every program reads.
 *
 * @param {"fill" | "stroke"} name
 * @param {string} color as computed by the browser: `rgb(27, 31, 36)`, or mixed: `color(srgb 0.1 0.2 0.3 / 0.5)`
 */
function paint(name, color) {
  const [opaque, alpha] = channelsOf(color);
  const hex = opaque.map((channel) => Math.round(channel).toString(16).padStart(2, "0")).join("");
  return { [name]: `#${hex}`, ...(alpha < 1 && { [`${name}-opacity`]: round(alpha) }) };
}

/** @param {string} color @returns {[opaque: number[], alpha: number]} channels up to 255 */
export function channelsOf(color) {
  const [red = 0, green = 0, blue = 0, alpha = 1] = (color.match(/-?[\d.]+(e-?\d+)?/g) ?? []).map(Number);
  const scale = color.startsWith("color(") ? 255 : 1;
  return [[red, green, blue].map((channel) => Math.min(255, Math.max(0, channel * scale))), alpha];
}

/** @param {string} color */
const isSeen = (color) => channelsOf(color)[1] > 0;

/** A color of the theme, as the browser computes it. @param {HTMLElement} node @param {string} name "--page" */
function colorOf(node, name) {
  const before = node.style.caretColor;
  node.style.caretColor = `var(${name})`;
  const { caretColor } = getComputedStyle(node);
  node.style.caretColor = before;
  return caretColor;
}
