/**
 * The figures of all chapters, by the names that the chapters use.
 *
 * What a figure shows is described by a string, its value: links hold it, and sentences of the chapter put others in.
 */

import { createAlternatives } from "./figures/alternatives.js";
import { createApart } from "./figures/apart.js";
import { createBytes } from "./figures/bytes.js";
import { createChanges } from "./figures/changes.js";
import { createCharacter } from "./figures/character.js";
import { createCost } from "./figures/cost.js";
import { createFrequencies } from "./figures/frequencies.js";
import { createGrowth } from "./figures/growth.js";
import { createLadder } from "./figures/ladder.js";
import { createIds } from "./figures/ids.js";
import { createMeasures } from "./figures/measures.js";
import { createMerges } from "./figures/merges.js";
import { createPairs } from "./figures/pairs.js";
import { createSpellings } from "./figures/spellings.js";
import { createUncut } from "./figures/uncut.js";
import { createWindows } from "./figures/windows.js";

/**
 * @typedef {object} Context what a figure gets
 * @property {string} base the app's root, ending in "/"
 * @property {import("../shared/net/client.js").Client} client
 * @property {import("./readertext.js").ReaderText} readerText
 * @property {(connection: import("../shared/net/latest.js").Connection) => void} connection
 * @property {() => void} changed the reader has changed what the figure shows
 */

/**
 * @typedef {object} Figure
 * @property {HTMLElement} node
 * @property {() => string} value what it shows
 * @property {(value: string) => void} show
 * @property {() => void} dispose
 */

/** @type {Record<string, (context: Context) => Figure>} */
export const FIGURES = {
  alternatives: createAlternatives,
  apart: createApart,
  bytes: createBytes,
  changes: createChanges,
  character: createCharacter,
  cost: createCost,
  frequencies: createFrequencies,
  growth: createGrowth,
  ladder: createLadder,
  ids: createIds,
  measures: createMeasures,
  merges: createMerges,
  pairs: createPairs,
  spellings: createSpellings,
  uncut: createUncut,
  windows: createWindows,
};
