/**
 * A part of an answer: what it says, its chart, how to read it, its rows as a table, and what saves both as files.
 */

import { element, fill, headOf, number, term, withTerms } from "../shared/dom/elements.js";
import { createSaveButtons } from "../shared/ui/saving.js";
import { showFields } from "./controls.js";
import { Drawing, drawPicture } from "./plotly.js";

/**
 * @typedef {object} SectionData
 * @property {string} name in requests
 * @property {string} file the name of its files
 * @property {string} title
 * @property {string} answer in sentences
 * @property {string} explained how to read the chart, with its *terms*; ""
 * @property {string} alt text alternative of the chart
 * @property {string} figure of Plotly, as JSON; "" if there is nothing to draw
 * @property {{columns: string[], rows: (string | number | null)[][], total: number, label: string, terms: Record<string, string>}} table open if it has a label; `terms`: what columns mean, which their heads say
 * @property {import("./controls.js").Field[]} fields its settings
 */

/**
 * @typedef {object} Listeners
 * @property {(name: string, value: any) => void} set a setting was changed
 * @property {(name: string, isPicture: boolean) => Promise<Blob>} file fetches a file of the section of this name
 * @property {() => void} drawn its chart is drawn, also in another size
 */

export class Section {
  #base;
  #on;
  #fields = element("div", { class: "row fields" });
  #title = element("h2", {});
  #says = element("p", { class: "says" });
  #drawing;
  #explained = element("p", { class: "explained quiet" });
  #summary = element("summary", {});
  #scroller = element("div", { class: "scroller", tabindex: 0, role: "region" });
  #more = element("p", { class: "quiet" });
  /** The table. It is as open as the reader left it, whatever its rows. */
  #rows = element("details", { class: "rows" }, this.#summary, this.#scroller, this.#more);
  #saving = element("div", { class: "row saving" });
  /** Says that the chart could not be drawn. */
  #problem = element("p", { class: "problem", role: "alert" });
  /** What is shown. @type {SectionData | null} */
  #data = null;

  /** @param {string} base the app's root @param {Listeners} on */
  constructor(base, on) {
    this.#base = base;
    this.#on = on;
    this.#drawing = new Drawing(base, () => this.#on.drawn());
    this.node = element("section", {}, this.#title, this.#drawing.host, this.#problem, this.#fields, this.#says, element("div", { class: "beneath" }, this.#explained, this.#rows, this.#saving));
  }

  /** The element that holds the chart. */
  get chart() {
    return this.#drawing.host;
  }

  /** @param {SectionData} data */
  show(data) {
    const { host } = this.#drawing;
    this.node.dataset.name = data.name;
    showFields(this.#fields, data.fields, this.#on.set);
    fill(this.#title, data.title);
    fill(this.#says, data.answer);
    this.#explained.hidden = !data.explained;
    fill(this.#explained, ...withTerms(data.explained));
    this.#showRows(data.table);
    this.#showSaving(data);
    this.node.classList.toggle("drawn", data.figure !== "");
    host.hidden = !data.figure;
    host.setAttribute("aria-label", data.alt);
    const before = this.#data?.figure ?? "";
    this.#data = data;
    if (data.figure === before) return;
    fill(this.#problem);
    if (data.figure) void this.#draw(JSON.parse(data.figure));
  }

  /** The chart as a picture; null if there is none. @returns {import("../shared/ui/share.js").Picture | null} */
  get picture() {
    if (!this.#data?.figure) return null;
    const { name, file } = this.#data;
    return { name: file, draw: () => this.#draws(name, "svg") };
  }

  /** @param {string} name of the section @param {"png" | "svg"} format */
  async #draws(name, format) {
    const content = await this.#on.file(name, true);
    return drawPicture(this.#base, JSON.parse(await content.text()), this.#drawing.host, format);
  }

  /** @param {import("./plotly.js").Figure} figure */
  async #draw(figure) {
    await this.#drawing.draw(figure).catch(() => fill(this.#problem, "The chart could not be drawn. Reload the page to try again."));
  }

  /** @param {SectionData["table"]} table */
  #showRows({ columns, rows, total, label, terms }) {
    const title = label || "The numbers";
    if (title !== this.#summary.textContent) this.#rows.open = label !== "";
    fill(this.#summary, title);
    this.#scroller.setAttribute("aria-label", title);
    const body = rows.map((row) => element("tr", {}, ...row.map(cell)));
    fill(this.#scroller, element("table", {}, headOf(columns.map((column) => (terms[column] ? meaning(column, terms[column]) : column))), element("tbody", {}, ...body)));
    fill(this.#more, total > rows.length && `The first ${number(rows.length)} of ${number(total)} rows; the CSV has them all.`);
  }

  /** @param {SectionData} data */
  #showSaving({ name, file, title, figure }) {
    const of = `${file} ${title} ${figure !== ""}`;
    if (this.#saving.dataset.of === of) return; // a button keeps the focus
    this.#saving.dataset.of = of;
    /** @type {("png" | "svg" | "csv")[]} */
    const formats = figure ? ["png", "svg", "csv"] : ["csv"];
    const saving = createSaveButtons(
      file,
      formats.map((format) => [format, format.toUpperCase(), `Save the ${format === "csv" ? "numbers of" : "chart"} “${title}” as ${format.toUpperCase()}`]),
      (format) => (format === "png" || format === "svg" ? this.#draws(name, format) : this.#on.file(name, false)),
    );
    fill(this.#saving, element("span", { class: "quiet" }, "Save"), saving.node);
  }

  dispose() {
    this.#drawing.dispose();
    this.node.remove();
  }
}

/** The head of a column, which explains itself. @param {string} column @param {string} means */
function meaning(column, means) {
  const head = term(column);
  head.dataset.does = means;
  return head;
}

/** @param {string | number | null} value */
function cell(value) {
  const isNumber = typeof value === "number";
  const text = isNumber && !Number.isInteger(value) ? String(Number(value.toPrecision(4))) : String(value ?? "");
  if (isNumber) return element("td", { class: "number" }, text);
  return element("td", { dir: "auto" }, element("div", { class: "clamped" }, text));
}
