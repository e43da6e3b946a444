/**
 * A chart as a file: drawn by Plotly, in the colors of the page. Its script is loaded when a chart is saved.
 */

/** Pixels of a PNG for each unit of the figure, so that it is sharp on slides. */
const SCALE = 2;

/** @typedef {{format: "png" | "svg", filename: string, width: number, height: number, scale: number}} Options */
/** @typedef {{downloadImage: (figure: object, options: Options) => Promise<unknown>}} Plotly */

/** @type {Promise<Plotly> | undefined} */
let loading;

/**
 * @param {string} files address of the widgets' files
 * @param {string} json the figure
 * @param {HTMLElement} node whose colors it takes
 * @param {{format: "png" | "svg", filename: string}} file
 */
export async function savePicture(files, json, node, file) {
  loading ??= load(new URL(`${files}js/plotly.min.js`, document.baseURI).href).catch((error) => {
    loading = undefined;
    throw error;
  });
  const plotly = await loading;
  const { data, layout } = inColors(JSON.parse(json), colorsOf(node));
  const { width, height } = layout;
  await plotly.downloadImage({ data, layout }, { ...file, width, height, scale: file.format === "png" ? SCALE : 1 });
}

/** The colors of a page's text and background, and its font. @param {HTMLElement} node */
function colorsOf(node) {
  const probe = document.createElement("span");
  node.append(probe);
  const [ink, page] = ["--ink", "--page"].map((name) => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  });
  const family = getComputedStyle(probe).fontFamily;
  probe.remove();
  return { ink, page, family };
}

/**
 * A figure in these colors.
 *
 * @param {{data: object[], layout: Record<string, any>}} figure
 * @param {{ink: string, page: string, family: string}} colors
 * @returns {{data: object[], layout: Record<string, any>}}
 */
export function inColors({ data, layout }, { ink, page, family }) {
  return { data, layout: { ...layout, font: { ...layout.font, color: ink, family }, paper_bgcolor: page } };
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
