/**
 * The parts of the player's panel, connected to what the reader can do with them.
 */

import { element } from "../shared/dom/elements.js";
import { createBars } from "./bars.js";
import { createDecode } from "./decode.js";
import { createFollow } from "./follow.js";
import { createMerges } from "./merges.js";
import { createOverview } from "./overview.js";
import { createPredict } from "./predict.js";
import { Stage } from "./stage.js";
import { Timeline } from "./timeline.js";

/** @typedef {ReturnType<typeof createParts>} Parts */

/**
 * @typedef {object} OwnActions
 * @property {(symbol: number | null) => void} follow follow the token with this symbol, or none
 * @property {(by: -1 | 1) => void} walk follow the next or previous token
 * @property {() => void} reveal show the answer to a question
 */
/** @typedef {Record<import("./keys.js").Action, () => void> & import("./timeline.js").Actions & OwnActions} Actions */

/** @param {import("./player.js").Speed} speed @param {Actions} act */
export function createParts(speed, act) {
  const stage = new Stage({ select: act.follow, window: (from, to) => overview.window(from, to) });
  const overview = createOverview((symbol) => stage.moveWindow(symbol));
  return {
    stage,
    overview,
    caption: element("p", { class: "caption" }),
    /** The caption for screen readers. */
    spoken: element("p", { class: "unseen", role: "status" }),
    figures: element("dl", { class: "figures" }),
    bars: createBars(),
    predict: createPredict({ answered: act.reveal }),
    timeline: new Timeline(speed, act),
    merges: createMerges(act.seek),
    follow: createFollow({ seek: act.seek, walk: act.walk, close: () => act.follow(null) }),
    decode: createDecode(),
  };
}
