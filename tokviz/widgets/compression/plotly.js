/**
 * Charts drawn by Plotly, whose script is loaded with the first of them.
 */

import { PRESENTING_CLASS } from "../shared/page/presenter.js";

/** Pixels of a PNG for each unit of the figure, so that it is sharp on slides. */
const SCALE = 2;
/** Width of a chart in pixels up to which its marks are not explained within it: its sentences explain them. */
const NARROW = 520;
/** The stylesheet that Plotly adds to the document, which does not reach into a shadow root. */
const STYLE = "plotly.js-style-global";

/** @typedef {{data: object[], layout: Record<string, any>}} Figure */

/**
 * @typedef {object} Plotly
 * @property {(host: HTMLElement, data: object[], layout: object, config: object) => Promise<unknown>} react
 * @property {(host: HTMLElement, layout: object) => Promise<unknown>} relayout
 * @property {(host: HTMLElement) => void} purge
 * @property {(figure: Figure, options: {format: "png" | "svg", width: number, height: number, scale: number}) => Promise<string>} toImage returns an address with the data
 */

/** Lengths in a figure, in pixels. */
const LENGTHS = new Set(["size", "l", "r", "t", "b", "height", "ax", "ay", "xshift", "yshift", "ticklen", "standoff"]);

/** @type {Promise<Plotly> | undefined} */
let loading;
/** The shadow roots that have Plotly's styles. @type {WeakSet<Node>} */
const styled = new WeakSet();

/** Load Plotly, once for all charts. @param {string} base the app's root @returns {Promise<Plotly>} */
export function loadPlotly(base) {
  loading ??= load(new URL(`${base}_tokviz/static/js/plotly.min.js`, document.baseURI).href).catch((error) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

/** Load a script. @param {string} address @returns {Promise<Plotly>} */
function load(address) {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.onload = () => resolve(/** @type {any} */ (window).Plotly);
    script.onerror = () => reject(new TypeError("Failed to fetch"));
    script.src = address;
    document.head.append(script);
  });
}

/** A chart, as large as its element, or, if its figure has a height, as high as that. */
export class Drawing {
  #base;
  /** @type {Plotly | null} */
  #plotly = null;
  /** @type {Figure} */
  #figure = { data: [], layout: {} };
  /** Height of the figure; undefined if it is as high as its element. @type {number | undefined} */
  #height;
  /** What is written in the figure. @type {{name?: string}[]} */
  #annotations = [];
  /** How many times as large as usual it is drawn. */
  #growth = 1;
  #resized = new ResizeObserver(() => this.#fit());
  #drawn;

  /**
   * @param {string} base the app's root
   * @param {() => void} drawn called when the chart is drawn, also in another size
   */
  constructor(base, drawn) {
    this.#base = base;
    this.#drawn = drawn;
    this.host = document.createElement("div");
    this.host.className = "chart";
    this.host.setAttribute("role", "figure");
  }

  /** @param {Figure} figure */
  async draw(figure) {
    this.#figure = figure;
    this.#growth = growth();
    const drawn = grown(figure, this.#growth);
    this.#height = drawn.layout.height;
    this.host.style.minHeight = this.#height ? `${this.#height}px` : ""; // what is beneath stands where it will
    this.#plotly = await loadPlotly(this.#base);
    if (figure !== this.#figure || !this.host.isConnected) return;
    styleCharts(this.host);
    const { fontFamily: family } = getComputedStyle(this.host); // colors are the stylesheet's
    const font = { ...drawn.layout.font, family };
    this.#annotations = drawn.layout.annotations ?? [];
    const layout = { ...drawn.layout, font, hoverlabel: { font, align: "left" }, ...this.#size() };
    await this.#plotly.react(this.host, drawn.data, layout, { displayModeBar: false });
    const host = /** @type {any} */ (this.host); // Plotly adds methods to it
    host.removeAllListeners("plotly_afterplot"); // of the figure before
    host.on("plotly_afterplot", this.#drawn);
    this.#drawn();
    this.#resized.observe(this.host);
  }

  #fit() {
    const { layout } = /** @type {HTMLElement & {layout?: Record<string, any>}} */ (this.host);
    if (matchMedia("print").matches) return; // see fitToPaper
    if (growth() !== this.#growth) return void this.draw(this.#figure);
    const size = this.#size();
    if (!size.width || (layout?.width === size.width && layout.height === size.height)) return;
    void this.#plotly?.relayout(this.host, size);
  }

  /** What depends on the room that the chart has. */
  #size() {
    const { clientWidth, clientHeight } = this.host;
    const annotations = this.#annotations.filter(({ name }) => name !== "mark" || clientWidth > NARROW);
    return { width: clientWidth, height: this.#height ?? clientHeight, annotations };
  }

  dispose() {
    this.#resized.disconnect();
    this.#plotly?.purge(this.host);
  }
}

/** How many times as large as usual the page's type is: more than once on a wide screen. A presented figure is large already. */
function growth() {
  const { classList } = document.documentElement;
  return classList.contains(PRESENTING_CLASS) ? 1 : parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
}

/**
 * A figure whose type, marks, lines and margins are so many times as large.
 *
 * @template {Record<string, any>} Part
 * @param {Part} part a figure, or a part of one @param {number} by
 * @returns {Part}
 */
export function grown(part, by) {
  /** @param {any} value @param {boolean} isLength @returns {any} */
  const grow = (value, isLength) => {
    if (typeof value === "number") return isLength ? by * value : value;
    if (Array.isArray(value)) return value.map((/** @type {any} */ each) => grow(each, isLength));
    return value && typeof value === "object" ? grown(value, by) : value;
  };
  const grownPart = Object.entries(part).map(([key, value]) => {
    const isLine = key === "line" && typeof value.width === "number";
    return [key, isLine ? { ...value, width: by * value.width } : grow(value, LENGTHS.has(key))];
  });
  return /** @type {Part} */ (Object.fromEntries(grownPart));
}

/** Give the shadow root of a chart Plotly's own styles. @param {HTMLElement} host */
function styleCharts(host) {
  const root = host.getRootNode();
  const style = /** @type {HTMLStyleElement | null} */ (document.getElementById(STYLE));
  if (!(root instanceof ShadowRoot) || !style?.sheet || styled.has(root)) return;
  styled.add(root);
  const copy = new CSSStyleSheet();
  copy.replaceSync(Array.from(style.sheet.cssRules, (rule) => rule.cssText).join("\n"));
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, copy];
}

/**
 * Draw a figure of a fixed size as a picture in the colors of the page.
 *
 * @param {string} base @param {Figure} figure @param {Element} shown an element that has these colors
 * @param {"png" | "svg"} format
 * @returns {Promise<Blob>}
 */
export async function drawPicture(base, figure, shown, format) {
  const plotly = await loadPlotly(base);
  const { width, height } = figure.layout;
  const isPng = format === "png";
  const address = await plotly.toImage(inColors(figure, getComputedStyle(shown)), { format, width, height, scale: isPng ? SCALE : 1 });
  const content = address.slice(address.indexOf(",") + 1);
  if (!isPng) return new Blob([decodeURIComponent(content)], { type: "image/svg+xml" });
  return new Blob([Uint8Array.from(atob(content), (byte) => byte.charCodeAt(0))], { type: "image/png" });
}

/**
 * A figure in the colors and the font of a style.
 *
 * @param {Figure} figure @param {Pick<CSSStyleDeclaration, "color" | "backgroundColor" | "fontFamily">} style @returns {Figure}
 */
export function inColors({ data, layout }, { color, backgroundColor, fontFamily }) {
  return { data, layout: { ...layout, font: { ...layout.font, color, family: fontFamily }, paper_bgcolor: backgroundColor } };
}

/** Printable width in pixels that every paper size has. */
const PAPER_WIDTH = 656;
/** How much larger a chart is at most on paper, when a text stands beside it on screen. */
const MAX_SCALE = 1.3;

/**
 * Scale the charts within an element to paper, which is mostly narrower than the window that Plotly draws for and would cut
 * them off.
 *
 * @param {HTMLElement} node
 */
export function fitToPaper(node) {
  for (const chart of /** @type {NodeListOf<HTMLElement>} */ (node.querySelectorAll(".chart"))) {
    const width = chart.querySelector(".main-svg")?.clientWidth ?? chart.clientWidth;
    chart.style.setProperty("--drawn-width", `${width}px`);
    chart.style.setProperty("--to-paper", String(Math.min(MAX_SCALE, PAPER_WIDTH / width)));
  }
}
