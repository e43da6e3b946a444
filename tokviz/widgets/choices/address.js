/**
 * Choices in the query of the address, so that it can be copied and reloaded: only those that differ from the default.
 */

/**
 * @typedef {object} Kept
 * @property {string} parameter of the query
 * @property {string | string[]} default the value, or values, without it
 * @property {Record<string, string>} [written] how a value is written, if otherwise than it is
 */

/** @typedef {{name: string, address?: Kept}} Field */

/**
 * The query with these choices.
 *
 * @param {string} query as it is
 * @param {Field[]} fields
 * @param {Record<string, any>} values by name of the field
 * @returns {string} "" or with a question mark
 */
export function queryOf(query, fields, values) {
  const parameters = new URLSearchParams(query);
  for (const { name, address } of fields) {
    if (!address) continue;
    const [chosen, usual] = [list(values[name]), list(address.default)];
    parameters.delete(address.parameter);
    if (isSame(chosen, usual)) continue;
    for (const value of chosen) parameters.append(address.parameter, address.written?.[value] ?? value);
    if (!chosen.length) parameters.append(address.parameter, "");
  }
  return parameters.size ? `?${parameters}` : "";
}

/** @param {string | string[]} value */
const list = (value) => (Array.isArray(value) ? value : [value]);

/** @param {string[]} one @param {string[]} other */
const isSame = (one, other) => one.length === other.length && one.every((value) => other.includes(value));
