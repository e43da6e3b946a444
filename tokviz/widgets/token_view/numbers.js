/**
 * Where a token that lies over several lines has its id, in the view of numbers alone.
 */

/**
 * Split a piece's text into white space before what its id stands beneath, that itself, which is in one line, and what
 * comes after it from the first line end on. Of white space alone, the id stands at its first line end.
 *
 * @param {string} text
 * @returns {[lead: string, core: string, tail: string]}
 */
export function partsOf(text) {
  const [, lead, core, tail] = /** @type {RegExpMatchArray} */ (text.match(/^(\s*)(\S[^\r\n]*)(.*)$/s) ?? text.match(/^([^\r\n]*)()(.*)$/s));
  return core || tail ? [lead, core, tail] : ["", lead, ""];
}

/** Where a piece that begins with a line end goes on with text in a later line; 0 for any other. @param {string} text */
export function laterStart(text) {
  const [lead, core] = partsOf(text);
  return core !== "" && /[\r\n]/.test(lead) ? lead.length : 0;
}
