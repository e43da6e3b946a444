/** The reader's own merges are checked. */

import { Checking } from "../checking.js";
import { PATTERNS } from "../../shared/ui/patterns.js";
import { TIES } from "../../replay/input/options.js";

/** @param {import("../figures.js").Context} context @returns {import("../figures.js").Figure} */
export const create = (context) =>
  new Checking(context, {
    route: "merges",
    label: "Your merges",
    settings: [
      { name: "split", label: "Split", choices: PATTERNS },
      { name: "merges", label: "Merges", type: "number" },
      { name: "ties", label: "Ties", choices: [["", "any"], ...TIES] },
      { name: "special", label: "Special token" },
    ],
  });
