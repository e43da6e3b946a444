/**
 * The figures of all chapters: a chapter names a module in `figures/`, whose `create` makes the figure. Those that come
 * with a form are made of it by `parts.js`.
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
 * @typedef {Record<string, import("./parts.js").Form>} Forms of the figures that are data, by name
 *
 * @param {string[]} names @param {Forms} forms @param {(path: string) => Promise<any>} [load] loads a module @returns {Promise<Creators>}
 */
export async function loadFigures(names, forms, load = (path) => import(`./${path}`)) {
  const modules = await Promise.all(names.map((name) => load(name in forms ? "parts.js" : `figures/${name}.js`)));
  return Object.fromEntries(names.map((name, i) => [name, (context) => modules[i].create(context, name, forms[name])]));
}
