/**
 * The parts of the player's panel, connected to what the reader can do with them.
 */

import { button, element } from "../../shared/dom/elements.js";
import { createBars } from "../explain/bars.js";
import { StageCard } from "../explain/card.js";
import { createLookup } from "../decode/lookup.js";
import { WayBack } from "../decode/wayback.js";
import { createLegend, createLettersKey } from "../explain/legend.js";
import { createMerges } from "../explain/merges.js";
import { createOverview } from "../stage/overview.js";
import { createVote } from "../predict/vote.js";
import { Stage } from "../stage/stage.js";
import { Timeline } from "./timeline.js";

/** @typedef {ReturnType<typeof createParts>} Parts */

/**
 * @typedef {object} OwnActions
 * @property {(symbol: number | null) => void} follow follow the token with this symbol, or none
 * @property {() => void} release follow no token, and give the focus back to it
 * @property {(block: import("../tower/tower.js").Block) => void} pick go to the step that makes a block, and follow it
 * @property {(by: -1 | 1) => void} walk follow the next or previous token
 * @property {(i: number) => void} choose answer a question with this choice
 * @property {() => void} reveal show the answer to a question
 * @property {() => void} give give the answer to a question, go on, or play again
 * @property {(animated: boolean) => void} unmerge show the position of the way back
 */
/** @typedef {Record<Exclude<import("./keys.js").Action, "choose">, () => void> & import("./timeline.js").Actions & OwnActions} Actions */

/** @param {import("./player.js").Speed} speed @param {Actions} act */
export function createParts(speed, act) {
  const legend = createLegend();
  const timeline = new Timeline(speed, act);
  const sized = (/** @type {boolean} */ isTall) => timeline.node.classList.toggle("stays", isTall);
  const stage = new Stage({ sized, select: act.follow, pick: act.pick, window: (from, to) => overview.window(from, to), drawn: legend.show });
  const overview = createOverview((symbol) => stage.moveWindow(symbol));
  const letters = createLettersKey();
  const pane = element("div", { class: "stage-pane" }, stage.node, stage.brief, letters.node, overview.node, legend.node);
  return {
    stage,
    overview,
    caption: element("p", { class: "caption" }),
    /** The caption for screen readers. */
    spoken: element("p", { class: "unseen", role: "status" }),
    figures: element("dl", { class: "counts figures" }),
    bars: createBars(),
    letters,
    /** Holds the stage, with what belongs to it. */
    pane,
    card: new StageCard(pane, stage, { seek: act.seek, walk: act.walk, close: act.release }),
    vote: createVote({ answered: act.reveal, give: act.give }),
    timeline,
    merges: createMerges(act.seek),
    lookup: createLookup(),
    wayBack: new WayBack(speed, { moved: act.unmerge, close: act.decode }),
  };
}

/**
 * Create what is set once in a while, parted by what it is for, and the button that shows and hides it.
 *
 * @param {Record<string, HTMLElement>} parts by their titles
 */
export function createSettings(parts) {
  const sections = Object.entries(parts).map(([title, part]) => element("section", { "aria-label": title }, element("h2", { class: "quiet" }, title), part));
  const node = element("div", { class: "folded", hidden: true }, ...sections);
  const fold = button("Settings", () => {
    node.hidden = !node.hidden;
    fold.setAttribute("aria-expanded", String(!node.hidden));
  }, { "aria-expanded": "false" });
  return { node, fold };
}
