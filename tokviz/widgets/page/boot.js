/**
 * Starts a widget in a page of its own that holds all it needs. `html.py` puts this script into the page.
 *
 * The page has the widget's modules as text, each in parts: between two parts stands the number of the module that is
 * imported there. A module that is imported comes before those that import it, so its address is known by then.
 */

/** @param {string} id @returns {any} what a script of JSON says; bytes in it become an ArrayBuffer */
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

/** @param {(string | number)[][]} modules @returns {string} the address of the last one */
function addressOfWidget(modules) {
  /** @type {string[]} */
  const addresses = [];
  for (const parts of modules) {
    const source = parts.map((part) => (typeof part === "number" ? addresses[part] : part));
    addresses.push(URL.createObjectURL(new Blob(source, { type: "text/javascript" })));
  }
  return addresses[addresses.length - 1];
}

const root = /** @type {HTMLElement} */ (document.getElementById("widget"));
import(addressOfWidget(read("modules")))
  .then(({ mount }) => mount(root, read("data"), { text() {}, state() {} }))
  .catch((error) => {
    console.error(error);
    root.textContent = "This page could not start. It needs a browser that is not older than 2024.";
  });
