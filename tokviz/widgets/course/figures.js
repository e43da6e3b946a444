/**
 * The figures of all chapters: a chapter names a module in `figures/`, whose `create` makes the figure.
 *
 * What a figure shows is described by a string, its value: links hold it, and sentences of the chapter put others in.
 */

/**
 * @typedef {object} Context what a figure gets
 * @property {string} [base] the app's root, ending in "/"; absent in a file without a server
 * @property {Pick<import("../shared/net/client.js").Client, "json" | "columns" | "sample" | "token">} client
 * @property {import("./readertext.js").ReaderText} readerText
 * @property {(connection: import("../shared/net/latest.js").Connection) => void} connection
 * @property {() => void} changed the reader has changed what the figure shows
 */

/**
 * @typedef {object} Figure
 * @property {HTMLElement} node
 * @property {() => string} value what it shows
 * @property {(value: string) => void} show
 * @property {() => void} dispose
 */

/**
 * Load the modules of figures, each only where a chapter has it.
 *
 * @typedef {Record<string, (context: Context) => Figure>} Creators
 *
 * @param {string[]} names @param {(name: string) => Promise<any>} [load] loads one @returns {Promise<Creators>}
 */
export async function loadFigures(names, load = (name) => import(`./figures/${name}.js`)) {
  const modules = await Promise.all(names.map(load));
  return Object.fromEntries(names.map((name, i) => [name, modules[i].create]));
}
