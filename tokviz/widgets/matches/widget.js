/**
 * A page of its own for longest matches: on disk, without a server, and in notebooks.
 */

import { PageShell } from "../shared/page/shell.js";
import { MatchesView } from "./view.js";

/**
 * @param {HTMLElement} root
 * @param {{matches: import("./model.js").MatchesData, step?: number}} data
 */
export function mount(root, data) {
  const shell = new PageShell(root, data, { name: "matches-page", late: "the matches" });
  const view = shell.own(new MatchesView());
  shell.node.append(view.node);
  view.show(data.matches, data.step);

  return {
    /** @param {{matches: import("./model.js").MatchesData}} newer */
    update: (newer) => view.show(newer.matches),
    dispose: () => shell.dispose(),
  };
}
