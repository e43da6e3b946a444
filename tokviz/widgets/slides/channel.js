/**
 * What the slides say to the teacher's notes in another window of the browser: where the lesson stands, and how a phone
 * gets the notes. The notes say whether that phone may turn the slides.
 */

/** @typedef {import("./places.js").Place} Place */
/** @typedef {{id: string, key: string, mayTurn: boolean}} NotesRoom `key`: to its notes; `mayTurn`: whether they may turn the slides */
/** @typedef {{place: Place, started: number, room: NotesRoom | null}} Told `started`: when the step began, in ms of the clock */

const NAME = "tokviz:slides:";
const ASK = "where?";

/**
 * Tell where the slides are, whenever that changes, and whoever asks.
 *
 * @param {string} base the app's root @param {(may: boolean) => void} letTurn
 */
export function createTelling(base, letTurn) {
  const channel = new BroadcastChannel(NAME + base);
  let latest = "null";
  const disposal = new AbortController();
  const leave = () => latest !== "null" && channel.postMessage(null); // others may be on screen
  window.addEventListener("pagehide", leave, { signal: disposal.signal });
  channel.onmessage = ({ data }) => {
    if (data === ASK) channel.postMessage(JSON.parse(latest));
    else if (typeof data?.letTurn === "boolean" && latest !== "null") letTurn(data.letTurn);
  };
  return {
    /** @param {Told | null} told null while no slides are on screen */
    tell(told) {
      const newer = JSON.stringify(told);
      if (newer !== latest) channel.postMessage(told);
      latest = newer;
    },
    dispose() {
      leave();
      disposal.abort();
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
  channel.onmessage = ({ data }) => data !== ASK && !("letTurn" in (data ?? {})) && hear(data);
  channel.postMessage(ASK);
  return {
    /** @param {boolean} may */
    letTurn: (may) => channel.postMessage({ letTurn: may }),
    dispose: () => channel.close(),
  };
}
