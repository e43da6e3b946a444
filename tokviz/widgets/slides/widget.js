/** The slides of a class pack, which need no server. */

import { mountPack } from "./pack.js";

/** @param {HTMLElement} root @param {import("./pack.js").PackData} data @param {unknown} on @param {(path: string) => Promise<any>} load */
export const mount = (root, data, on, load) => mountPack(root, data, load);
