/**
 * What the slides say to the teacher's notes in another window of the browser: where the lesson stands.
 */

/** @typedef {import("./places.js").Place} Place */
/** @typedef {{place: Place, started: number}} Told `started`: when the step began, in ms of the clock */

const NAME = "tokviz:slides:";
const ASK = "where?";

/**
 * Tell where the slides are, whenever that changes, and whoever asks.
 *
 * @param {string} base the app's root
 */
export function createTelling(base) {
  const channel = new BroadcastChannel(NAME + base);
  /** @type {Told | null} */
  let latest = null;
  channel.onmessage = ({ data }) => data === ASK && latest && channel.postMessage(latest);
  return {
    /** @param {Told | null} told null while no slides are on screen */
    tell(told) {
      latest = told;
      channel.postMessage(told);
    },
    dispose() {
      channel.postMessage(null);
      channel.close();
    },
  };
}

/**
 * Hear where the slides are.
 *
 * @param {string} base the app's root @param {(told: Told | null) => void} hear called with null when there are none any more
 */
export function createHearing(base, hear) {
  const channel = new BroadcastChannel(NAME + base);
  channel.onmessage = ({ data }) => data !== ASK && hear(data);
  channel.postMessage(ASK);
  return { dispose: () => channel.close() };
}
