/**
 * Runs before the page's scripts, for `counting.py`: knows when the page is at rest, holds back what waits for a pause,
 * and counts added nodes.
 */
(() => {
  /** Timers that wait longer wait for a pause of the reader; shorter ones belong to the frame that is coming. */
  const PAUSE_MS = 50;
  /** How long a pause lasts for what looks at the clock. */
  const LONG_PAUSE_MS = 10_000;
  /** Frames after which a page that never rests is reported. */
  const MOST_FRAMES = 900;

  const native = {
    now: performance.now.bind(performance),
    setTimeout: window.setTimeout.bind(window),
    clearTimeout: window.clearTimeout.bind(window),
    requestAnimationFrame: window.requestAnimationFrame.bind(window),
    cancelAnimationFrame: window.cancelAnimationFrame.bind(window),
  };
  const timers = new Set();
  const frames = new Set();
  /** Work that waits for a pause, by the numbers of its timers. */
  const held = new Map();
  const roots = [document];
  let isHolding = false;
  let paused = 0;
  let heldCount = 0;
  let requests = 0;
  let added = 0;

  performance.now = () => native.now() + paused;
  window.setTimeout = (work, wait = 0, ...rest) => {
    if (isHolding && wait >= PAUSE_MS) {
      held.set(--heldCount, () => work(...rest));
      return heldCount;
    }
    const timer = native.setTimeout(() => {
      timers.delete(timer);
      work(...rest);
    }, wait);
    if (wait < PAUSE_MS) timers.add(timer);
    return timer;
  };
  window.clearTimeout = (timer) => {
    timers.delete(timer);
    if (!held.delete(timer)) native.clearTimeout(timer);
  };
  window.requestAnimationFrame = (work) => {
    const frame = native.requestAnimationFrame((now) => {
      frames.delete(frame);
      work(now);
    });
    frames.add(frame);
    return frame;
  };
  window.cancelAnimationFrame = (frame) => {
    frames.delete(frame);
    native.cancelAnimationFrame(frame);
  };

  /** Note a request, or the reading of its response, until it has ended. */
  const noted = (call) =>
    async function (...given) {
      requests++;
      try {
        return await call.apply(this, given);
      } finally {
        requests--;
      }
    };
  window.fetch = noted(window.fetch.bind(window));
  for (const name of ["arrayBuffer", "blob", "json", "text"]) Response.prototype[name] = noted(Response.prototype[name]);

  const count = (node) => [...node.childNodes].reduce((sum, child) => sum + count(child), 1);
  const observer = new MutationObserver((changes) => {
    for (const { addedNodes } of changes) for (const node of addedNodes) added += count(node);
  });
  const watch = (root) => observer.observe(root, { childList: true, subtree: true });
  watch(document);
  const attachShadow = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function (options) {
    const root = attachShadow.call(this, options);
    roots.push(root);
    watch(root);
    return root;
  };

  const painted = () => new Promise((done) => native.requestAnimationFrame(() => native.setTimeout(done)));
  const isBusy = () => requests > 0 || timers.size > 0 || frames.size > 0;

  /** Take animations to their ends. Returns whether there are any. */
  function finish() {
    const moving = roots.flatMap((root) => root.getAnimations()).filter(({ playState }) => playState === "running");
    for (const animation of moving) animation.finish();
    return moving.length > 0;
  }

  /** Wait until two frames are painted in which nothing was under way: the second shows what the first observed. */
  async function rest() {
    for (let still = 0, k = 0; still < 2; k++) {
      if (k > MOST_FRAMES) throw new Error(`no rest: ${requests} requests, ${timers.size} timers, ${frames.size} frames`);
      await painted();
      still = finish() || isBusy() ? 0 : still + 1;
    }
  }

  /** Do what waits for a pause, and what that leads to. */
  async function pause() {
    await rest();
    paused += LONG_PAUSE_MS;
    for (let k = 0; k < 20 && held.size; k++) {
      const due = [...held.values()];
      held.clear();
      for (const work of due) work();
      await rest();
    }
  }

  window.counting = {
    /** From now on, what waits for a pause waits for `pause`. */
    hold: () => (isHolding = true),
    pause,
    /** @param {string} step */
    begin(step) {
      added = 0;
      console.timeStamp(step);
    },
    /** Returns the nodes added since the beginning of the step. @param {string} step */
    async end(step) {
      await rest();
      console.timeStamp(step);
      return added;
    },
  };
})();
