/**
 * Start the widget of a self-contained page. `html.py` puts this script into the page.
 *
 * The page contains the source of the widget's modules in parts; the index of a module replaces each import path.
 * Imported modules come before those that import them, so their addresses are known by then.
 */

/** @param {string} id @returns {any} the parsed content of a JSON script element; bytes in it become an ArrayBuffer */
function read(id) {
  const script = /** @type {HTMLElement} */ (document.getElementById(id));
  return JSON.parse(script.textContent ?? "", (_, value) =>
    typeof value?.$base64 === "string" ? bytesOf(value.$base64) : value,
  );
}

/** @param {string} base64 */
function bytesOf(base64) {
  const characters = atob(base64);
  const bytes = new Uint8Array(characters.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = characters.charCodeAt(i);
  return bytes.buffer;
}

/** @param {(string | number)[][]} modules @returns {string[]} their addresses */
function addressesOf(modules) {
  /** @type {string[]} */
  const addresses = [];
  for (const parts of modules) {
    const source = parts.map((part) => (typeof part === "number" ? addresses[part] : part));
    addresses.push(URL.createObjectURL(new Blob(source, { type: "text/javascript" })));
  }
  return addresses;
}

const OLD = "It needs a browser from 2024 or later.";
const FORBIDDEN = "The program that shows it forbids its scripts: script-src in that program's Content Security Policy lacks blob:";

const root = /** @type {HTMLElement} */ (document.getElementById("widget"));
let reason = OLD;

// Known before or after the failure.
document.addEventListener("securitypolicyviolation", ({ blockedURI }) => {
  if (!blockedURI.startsWith("blob")) return;
  reason = FORBIDDEN;
  if (!("started" in root.dataset)) sayFailed();
});

const addresses = addressesOf(read("modules"));
/** Load a module that the page holds for later. @param {string} path */
const load = (path) => import(addresses[read("late")[path]]);

import(addresses[addresses.length - 1])
  .then(({ mount }) => {
    mount(root, read("data"), { text() {}, state() {} }, load);
    root.dataset.started = "";
  })
  .catch((error) => {
    console.error(error);
    sayFailed();
  });

function sayFailed() {
  root.textContent = `This page could not start. ${reason}`;
}
