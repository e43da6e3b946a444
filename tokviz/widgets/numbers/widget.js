/**
 * What stands beneath a chart: how to read it, its data as a table, and what saves both as files.
 */

import { Client, Refusal, sentenceOf } from "../shared/net/client.js";
import { button, element, fill, number } from "../shared/dom/elements.js";
import { saveFile } from "../shared/ui/files.js";
import { savePicture } from "./picture.js";

/**
 * @typedef {object} Data
 * @property {string} base the app's root
 * @property {string} name of the files
 * @property {string} title of the chart
 * @property {string} explained how to read it; ""
 * @property {string} picture the Plotly figure to save, as JSON; "" if there is nothing to draw
 * @property {{columns: string[], rows: (string | number | null)[][], total: number, label: string}} table of the data; open if it has a label
 * @property {string} csv id of the file on the server
 */

/** @param {HTMLElement} root @param {Data} data */
export function mount(root, data) {
  const node = element("section", { class: "tokviz numbers" });
  root.append(node);
  const shown = new Numbers(node);
  shown.show(data);
  return {
    /** @param {Data} newer */
    update: (newer) => shown.show(newer),
    dispose: () => node.remove(),
  };
}

class Numbers {
  #node;
  #status = element("span", { class: "quiet", role: "status" });
  /** @type {Data} */
  #data = /** @type {any} */ (null);
  #client = new Client("/");

  /** @param {HTMLElement} node */
  constructor(node) {
    this.#node = node;
  }

  /** @param {Data} data */
  show(data) {
    this.#data = data;
    this.#client = new Client(data.base);
    fill(this.#status);
    fill(
      this.#node,
      data.explained && element("p", { class: "explained quiet" }, data.explained),
      element("div", { class: "beneath" }, table(data.table), this.#tools()),
    );
  }

  #tools() {
    const pictures = this.#data.picture ? [this.#saving("png"), this.#saving("svg")] : [];
    const csv = button("CSV", () => void this.#save("csv", () => this.#saveNumbers()), {
      title: "Save the numbers as a table",
      "aria-label": `Save the numbers of “${this.#data.title}” as CSV`,
    });
    return element("div", { class: "row saving" }, element("span", { class: "quiet" }, "Save"), ...pictures, csv, this.#status);
  }

  /** @param {"png" | "svg"} format */
  #saving(format) {
    const { base, name, picture, title } = this.#data;
    const save = () => savePicture(`${base}_tokviz/static/`, picture, this.#node, { format, filename: name });
    return button(format.toUpperCase(), () => void this.#save(format, save), {
      title: `Save the chart as ${format.toUpperCase()}`,
      "aria-label": `Save the chart “${title}” as ${format.toUpperCase()}`,
    });
  }

  async #saveNumbers() {
    saveFile(`${this.#data.name}.csv`, await this.#client.download(this.#data.csv));
  }

  /** @param {string} ending @param {() => Promise<void>} save */
  async #save(ending, save) {
    try {
      await save();
      fill(this.#status, `${this.#data.name}.${ending} is saved`);
    } catch (error) {
      fill(this.#status, error instanceof Refusal ? error.message : sentenceOf(error));
    }
  }
}

/** The table behind the figure. @param {Data["table"]} table */
function table({ columns, rows, total, label }) {
  const head = element("tr", {}, ...columns.map((column) => element("th", { scope: "col" }, column)));
  const body = rows.map((row) => element("tr", {}, ...row.map(cell)));
  const more = total > rows.length && element("p", { class: "quiet" }, `The first ${number(rows.length)} of ${number(total)} rows; the CSV has them all.`);
  const table = element("table", {}, element("thead", {}, head), element("tbody", {}, ...body));
  const scroller = element("div", { class: "scroller", tabindex: 0, role: "region", "aria-label": label || "The numbers" }, table);
  return element("details", { class: "rows", open: label !== "" }, element("summary", {}, label || "The numbers"), scroller, more);
}

/** @param {string | number | null} value */
function cell(value) {
  const isNumber = typeof value === "number";
  const text = isNumber && !Number.isInteger(value) ? String(Number(value.toPrecision(4))) : String(value ?? "");
  if (isNumber) return element("td", { class: "number" }, text);
  return element("td", { dir: "auto" }, element("div", { class: "clamped" }, text));
}
