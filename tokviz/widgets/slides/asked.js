/**
 * A question about what another page showed, on a slide of its own. The address holds that page's link, or that of one
 * that could show the same, and the page to go `back` to.
 */

import { mountFrame } from "../frame/frame.js";
import { element, fill } from "../shared/dom/elements.js";
import { Client, sentenceOf } from "../shared/net/client.js";
import { readFields, readText, writeLink } from "../shared/net/links.js";
import { Slides } from "./slides.js";

/** The address of a page that anybody may have written, within the app. @param {string} base the app's root @param {string} page */
function within(base, page) {
  const { pathname, search, hash } = new URL(`./${page}`, new URL(base, location.href));
  return pathname.replace(/^\/+/, "/") + search + hash;
}

/** @param {HTMLElement} root @param {any} data as for the widget `slides` */
export async function mountAsked(root, data) {
  const { words } = data.lesson;
  const message = element("p", { role: "status" }, words.asking);
  const node = element("div", { class: "tokviz" }, message);
  root.append(node);
  /** @type {{dispose: () => void} | null} */
  let frame = null;
  try {
    const { page = "", back, text: packed = "", ...fields } = readFields(location.hash) ?? {};
    const text = packed && (await readText({ text: packed }));
    const step = await new Client(data.base).json("ask", {}, JSON.stringify({ page, fields, text }));
    // A page that asks about what another one could show has kept what is on it.
    const href = back ? within(data.base, back) : await writeLink(within(data.base, page), fields, text || null);
    const figures = step.figures.map((/** @type {object} */ figure) => ({ ...figure, href }));
    const links = [{ label: step.figures[0].label, href }];
    const slides = new Slides({ ...data.lesson, base: data.base, steps: [{ ...step, figures, links }], notes: "", back: href });
    root.append(slides.node);
    fill(message, words.asked, " ", element("a", { href }, words.back_to_page));
    frame = mountFrame(root, data, slides);
  } catch (error) {
    fill(message, sentenceOf(error));
  }
  return {
    dispose() {
      frame?.dispose();
      node.remove();
    },
  };
}
