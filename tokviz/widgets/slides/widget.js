/**
 * The Lesson page's widget: sharing, and slides in presenter mode; or the teacher's notes, which
 * follow the slides. Without a server, the slides of a class pack.
 */

import { mountFrame } from "../frame/frame.js";
import { mountAsked } from "./asked.js";
import { mountNotes } from "./notes.js";
import { mountPack } from "./pack.js";
import { Slides } from "./slides.js";

/**
 * @param {HTMLElement} root
 * @param {any} data see `mountFrame`, and `lesson`: see `LessonData`; `kind`: "slides", "notes", or "question": about
 *   what another page showed
 */
export function mount(root, data) {
  const lesson = { ...data.lesson, base: data.base };
  if (data.base === undefined) return mountPack(root, data.lesson);
  if (data.kind === "question") return mountAsked(root, data);
  if (data.kind === "notes") return mountNotes(root, lesson);
  const slides = new Slides(lesson);
  root.append(slides.node);
  return mountFrame(root, data, slides);
}
