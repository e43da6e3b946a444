/**
 * The Merge replay page: how a tokenizer reads a text, or how its merges were learned, step by step. This module
 * connects the parts.
 *
 * Data flows one way: the settings make a request, the server responds with columns, these become a replay, the player
 * chooses the position, and every part shows it. A standalone page contains its columns and makes no requests.
 */

import { unpackHeld } from "../shared/net/columns.js";
import { PageShell } from "../shared/page/shell.js";
import { makeReplay } from "./model/replay.js";
import { ReplayPage } from "./page.js";
import { Panel } from "./player/panel.js";
import { PageState } from "./state/state.js";

/**
 * @param {HTMLElement} root
 * @param {any} data `base`, `tokenizers`, `samples`, `kinds`: as for all widgets; `limits`: maximum bytes of a
 *   text and maximum merges; `start`: initial choices, from a link; `replay`: columns of a standalone page;
 *   `isFigure`: true if it is a part of a page, and keys are its own only while it has the focus
 * @param {import("../shared/page/shell.js").Host} host
 */
export function mount(root, data, host) {
  const press = (/** @type {KeyboardEvent} */ event) => (panel.press(event), page?.press(event));
  const keydown = (/** @type {KeyboardEvent} */ event) => (press(event), event.stopPropagation());
  const shell = new PageShell(root, data, { name: "replay", late: "the replay", keydown, host });
  const state = new PageState(shell);
  const panel = shell.own(new Panel(shell.node, state));
  const page = shell.isStandalone ? null : new ReplayPage(shell, state, panel);
  shell.ownMemory(state.memory);
  if (!data.isFigure) shell.listen(document, "keydown", press);
  if (page) void page.begin();
  else {
    shell.node.append(panel.node);
    panel.load(makeReplay(unpackHeld(data.replay)));
  }

  return {
    /** @param {any} newer new choices of tokenizers; the replay on screen is kept */
    update(newer) {
      shell.data = newer;
      page?.updateTokenizers();
    },
    dispose: () => shell.dispose(),
  };
}
