/**
 * A page of its own for a lattice: on disk, without a server, and in notebooks.
 */

import { PageShell } from "../shared/page/shell.js";
import { readLattice } from "./model.js";
import { LatticeView } from "./view.js";

/**
 * @param {HTMLElement} root
 * @param {{lattice: import("./model.js").LatticeData}} data
 */
export function mount(root, data) {
  const shell = new PageShell(root, data, { name: "lattice-page", late: "the lattice" });
  const view = shell.own(new LatticeView());
  shell.node.append(view.node);
  view.show(readLattice(data.lattice));

  return {
    /** @param {{lattice: import("./model.js").LatticeData}} newer */
    update: (newer) => view.show(readLattice(newer.lattice)),
    dispose: () => shell.dispose(),
  };
}
