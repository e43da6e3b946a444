/**
 * Run all `*.test.js` in this process, each as a suite named like its file. Most of the time that a file takes in a
 * process of its own is the start of node.
 *
 * What a file's tests do to globals and timers is undone after them, so no other file sees it; hooks at the top of a
 * file are its suite's. Modules are shared: a test must not depend on what others left in one.
 */

import { readdirSync } from "node:fs";
import { after, mock, suite } from "node:test";

const globals = Object.getOwnPropertyDescriptors(globalThis);

function restore() {
  mock.reset();
  mock.timers.reset();
  for (const name of Reflect.ownKeys(globalThis))
    if (!Object.hasOwn(globals, name)) Reflect.deleteProperty(globalThis, name); // node's own symbols stay
  Object.defineProperties(globalThis, globals);
}

for (const file of readdirSync(import.meta.dirname).sort()) {
  if (!file.endsWith(".test.js")) continue;
  suite(file, async () => {
    after(restore);
    await import(`./${file}`);
  });
}
