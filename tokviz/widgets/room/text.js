/**
 * Texts of questions.
 */

import { element } from "../shared/dom/elements.js";

/** The nodes of a text whose backquotes enclose a piece of text or a token. @param {string} text @returns {(Node | string)[]} */
export const marked = (text) => text.split("`").map((part, k) => (k % 2 ? element("code", {}, part) : part));
