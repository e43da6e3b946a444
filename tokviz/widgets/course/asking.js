/**
 * A figure's questions to the server: only the answer to the newest counts, and why there is none is said in the figure.
 */

import { element, fill } from "../shared/dom/elements.js";
import { Latest } from "../shared/net/latest.js";

/** @typedef {{text: string, route: string, query?: Record<string, any>, first?: number | null}} Asked `first`: the step to begin with */

/**
 * @param {import("./figures.js").Context} context
 * @param {(answer: any, asked: Asked) => void} show
 * @param {(asked: Asked, signal: AbortSignal) => Promise<any>} [send] asks another route than a figure's
 */
export function createAsking({ client, connection }, show, send = ({ text, route, query = {} }, signal) => client.json(`course/figure/${route}`, query, text, signal)) {
  const problem = element("p", { class: "problem", role: "alert" });
  const answers = new Latest(send, { refusal: (message) => fill(problem, message), connection });
  return {
    /** Says why there is no answer. */
    problem,
    /** @param {Asked} asked @returns {Promise<any>} the answer; null if there is none, or another question since */
    async ask(asked) {
      const answer = await answers.ask(asked);
      if (answer === null) return null;
      fill(problem);
      show(answer, asked);
      return answer;
    },
    drop: () => answers.drop(),
    dispose: () => {
      answers.drop(); // other figures share the line that says that no answer has come
      answers.dispose();
    },
  };
}
