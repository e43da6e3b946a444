/**
 * The page of the lesson's questions without a room.
 */

import { baseOf, pageData, root } from "./page.js";
import { mountSheet } from "./sheet.js";

const data = pageData();
mountSheet(root, { base: baseOf(data), sheets: data.sheets, questions: data.questions });
