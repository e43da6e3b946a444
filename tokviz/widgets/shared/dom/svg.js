/** SVG elements, as `shared/dom/elements.js` has HTML elements. */

const SVG = "http://www.w3.org/2000/svg";

/** @param {string} name @param {Record<string, string | number>} attributes @param {...(Node | string)} children */
export function svg(name, attributes, ...children) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, String(value));
  node.append(...children);
  return node;
}

/** Places at which a slider's ticks are drawn. */
const RESOLUTION = 1000;

/** Ticks above a slider; those that it has passed are darker (`controls.css`). */
export function createTicks() {
  const [all, passed] = [svg("path", {}), svg("path", { class: "passed" })];
  return {
    node: svg("svg", { class: "ticks", viewBox: `0 0 ${RESOLUTION} 1`, preserveAspectRatio: "none", "aria-hidden": "true" }, all, passed),
    /** @param {number[]} places from 0 to 1 */
    draw(places) {
      const distinct = new Set(places.map((place) => Math.round(RESOLUTION * place)));
      const path = Array.from(distinct, (place) => `M${place} 0V1`).join("");
      for (const ticks of [all, passed]) ticks.setAttribute("d", path);
    },
    /** Darken those before the slider's place. @param {number} place */
    pass: (place) => passed.style.setProperty("--place", `${(100 * place).toFixed(2)}%`),
  };
}
