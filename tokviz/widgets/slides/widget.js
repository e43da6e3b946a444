/** The slides of a class pack, which need no server. */

import { mountPack } from "./pack.js";

/** @param {HTMLElement} root @param {{lesson: import("./slides.js").LessonData}} data */
export const mount = (root, { lesson }) => mountPack(root, lesson);
