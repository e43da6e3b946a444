/**
 * A picture in codes: cut into patches, each replaced by the number of the most similar one in a small vocabulary.
 */

import { element, fill } from "../../shared/dom/elements.js";
import { createSegments } from "../../shared/ui/segments.js";
import { createAsking } from "../asking.js";

/** @typedef {{side: number, patch: number, pixels: string, codes: number[], patches: string[]}} Codes as in `beyond.py` */

const SIZES = ["4", "16", "64"];
const CHANNELS = 3;

/** @param {import("../figures.js").Context} context @returns {import("../figures.js").Figure} */
export function create(context) {
  let size = SIZES[1];
  const choice = createSegments("Patches in the vocabulary", SIZES.map((each) => [each, each]), size, (chosen) => (show(chosen), context.changed()));
  const original = element("canvas", { role: "img", "aria-label": "A picture: an evening at the sea" });
  const rebuilt = element("canvas", { role: "img" });
  const numbers = element("div", { class: "code-grid mono", role: "img" });
  const says = element("p", { class: "says", role: "status" });
  const asking = createAsking(context, (answer) => draw(answer));
  const pictures = element("div", { class: "pictures" }, ...[[original, "the picture"], [rebuilt, "from its codes"]].map(([canvas, name]) => element("div", {}, canvas, element("span", { class: "quiet" }, name))));
  const chosen = element("div", { class: "row" }, element("span", { class: "quiet" }, "patches in the vocabulary"), choice.node);
  const node = element("div", { class: "codes" }, chosen, pictures, numbers, says, asking.problem);

  /** @param {string} value */
  function show(value) {
    size = SIZES.includes(value) ? value : SIZES[1];
    choice.show(size);
    void asking.ask({ route: "codes", text: "", query: { size } });
  }

  /** @param {Codes} answer */
  function draw(answer) {
    const { side, patch, codes, patches } = answer;
    const across = side / patch;
    paint(original, side, bytesOf(answer.pixels));
    paint(rebuilt, side, rebuild(answer));
    rebuilt.ariaLabel = `The picture again, made of ${patches.length} different patches`;
    numbers.ariaLabel = `${codes.length} codes, ${across} in a row, each one of ${patches.length}`;
    numbers.style.setProperty("--across", String(across));
    fill(numbers, ...codes.map((code) => element("span", {}, String(code))));
    fill(says, `${across} × ${across} codes instead of ${side} × ${side} colors. This vocabulary is learned from this one picture.`);
  }

  return { node, value: () => size, show, dispose: () => asking.dispose() };
}

/** Put the patches of all codes together: colors, row by row. @param {Codes} codes */
export function rebuild({ side, patch, codes, patches }) {
  const across = side / patch;
  const line = patch * CHANNELS;
  const parts = patches.map(bytesOf);
  const pixels = new Uint8Array(side * side * CHANNELS);
  codes.forEach((code, k) => {
    for (let y = 0; y < patch; y++) {
      const start = ((Math.floor(k / across) * patch + y) * side + (k % across) * patch) * CHANNELS;
      pixels.set(parts[code].subarray(y * line, (y + 1) * line), start);
    }
  });
  return pixels;
}

/** @param {string} hex */
export const bytesOf = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));

/** @param {HTMLCanvasElement} canvas @param {number} side @param {Uint8Array} pixels */
function paint(canvas, side, pixels) {
  canvas.width = canvas.height = side;
  const image = new ImageData(side, side);
  for (let i = 0; i < side * side; i++) image.data.set([...pixels.subarray(i * CHANNELS, (i + 1) * CHANNELS), 255], i * 4);
  canvas.getContext("2d")?.putImageData(image, 0, 0);
}
