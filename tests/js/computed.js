/** What Python computed for these tests (`cases.py`): columns as the server sends them, and the expected results. */

import { readFileSync } from "node:fs";

const file = process.env.TOKVIZ_CASES;
if (!file) throw new Error("This file is tested against results of Python: run it with `pytest tests/js`.");

export const computed = JSON.parse(readFileSync(file, "utf-8"));
