/** Print the functions in `tokviz/widgets` with more lines than the first argument, one per line: FILE NAME LINES. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

const FOLDER = new URL("../../tokviz/widgets/", import.meta.url).pathname;
const most = Number(process.argv[2]);

for (const file of readdirSync(FOLDER, { recursive: true }).filter((name) => name.endsWith(".js"))) {
  const source = ts.createSourceFile(file, readFileSync(join(FOLDER, file), "utf8"), ts.ScriptTarget.Latest, true);
  report(source, source);
}

/** @param {ts.Node} node @param {ts.SourceFile} source */
function report(node, source) {
  const lineOf = (/** @type {number} */ place) => source.getLineAndCharacterOfPosition(place).line;
  if (ts.isFunctionLike(node) && lineOf(node.end) - lineOf(node.getStart()) >= most)
    console.log(source.fileName, node.name?.getText() ?? "(anonymous)", lineOf(node.end) - lineOf(node.getStart()) + 1);
  ts.forEachChild(node, (child) => report(child, source));
}
