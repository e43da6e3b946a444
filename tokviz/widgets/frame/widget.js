/**
 * The Lesson page: sharing and presenting at once. Slides, notes and questions about other pages have many modules, which
 * are loaded when they are wanted.
 */

import { element } from "../shared/dom/elements.js";
import { mountFrame } from "./frame.js";

/** @typedef {{dispose: () => void, update?: (newer: any) => void}} Part */

/**
 * @param {HTMLElement} root
 * @param {any} data see `mountFrame`, and `lesson`: see `LessonData`; `kind`: "slides", "notes", or "question": about
 *   what another page showed
 * @param {{failed?: (error: unknown) => void}} on `failed`: modules could not be loaded
 */
export function mount(root, data, { failed }) {
  const lesson = { ...data.lesson, base: data.base };
  if (data.kind === "question") return mountLater(async () => (await import("../slides/asked.js")).mountAsked(root, data), failed);
  if (data.kind === "notes") return mountLater(async () => (await import("../slides/notes.js")).mountNotes(root, lesson), failed);
  return mountFrame(root, data, createLateSlides(root, lesson));
}

/** Mount a part once its modules have arrived. @param {() => Promise<Part>} start @param {(error: unknown) => void} [failed] they did not */
function mountLater(start, failed) {
  /** @type {Part | null} */
  let part = null;
  let isDisposed = false;
  void start().then((started) => (isDisposed ? started.dispose() : (part = started)), failed);
  return {
    /** @param {any} newer */
    update: (newer) => part?.update?.(newer),
    dispose() {
      isDisposed = true;
      part?.dispose();
    },
  };
}

/**
 * The slides, which are loaded when presenter mode is first entered.
 *
 * @param {HTMLElement} root @param {import("../slides/slides.js").LessonData} lesson
 * @returns {import("./frame.js").Presented}
 */
function createLateSlides(root, lesson) {
  const bar = element("div", { class: "row" });
  let isPresenting = false;
  /** @type {Part | null} */
  let loading = null;

  async function load() {
    const { Slides } = await import("../slides/slides.js");
    const slides = new Slides(lesson);
    const votes = element("link", { rel: "stylesheet", href: `${lesson.base}_tokviz/static/room/votes.css` });
    /** @type {ShadowRoot} */ (root.getRootNode()).prepend(votes); // before the slides' own, which adapts it
    root.append(slides.node);
    bar.append(slides.bar);
    slides.present(isPresenting);
    return { update: (/** @type {boolean} */ presented) => slides.present(presented), dispose: () => (votes.remove(), slides.dispose()) };
  }

  return {
    bar,
    present(presented) {
      isPresenting = presented;
      if (presented) loading ??= mountLater(load, () => (loading = null)); // tried again the next time
      /** @type {any} */ (loading)?.update(presented);
    },
    dispose: () => loading?.dispose(),
  };
}
