/**
 * The page of the lesson's questions without a room.
 */

import { pageData, root } from "./page.js";
import { mountSheet } from "./sheet.js";

mountSheet(root, /** @type {any} */ (pageData()));
