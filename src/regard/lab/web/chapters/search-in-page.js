// The search for robust queries where there is no Python: the page's own, a little of it in each frame.
import { searchRobust } from "../engine/robust.js";
import { shortNumber } from "../parts/dom.js";

const FRAME_SHARE = 12; // milliseconds of a frame
const LONGEST_FRAME = 50; // milliseconds: a tab in the background has one frame a second
const nextFrame = () => new Promise((go) => { requestAnimationFrame(go); setTimeout(go, LONGEST_FRAME); });

/** Gives what Python's search gives at its end; `hear({message, step})` is called with every better design. Throws when `signal` is aborted. */
export async function searchInPage(exercise, heads, hear, signal) {
  const search = searchRobust(exercise, { heads });
  const steps = [];
  const tell = (number, error) => `${number} designs tried; the smallest error so far is ${shortNumber(error)}`;
  for (;;) {
    const began = performance.now();
    while (performance.now() - began < FRAME_SHARE) {
      const { value, done } = search.next();
      if (done) return { state: "done", message: tell(value.number, steps.at(-1).error), result: { steps } };
      const queries = value.queries.map((query) => query.map((part) => Number(part.toFixed(4))));
      steps.push({ number: value.number, error: value.error, queries });
      hear({ message: tell(value.number, value.error), step: steps.at(-1) });
    }
    await nextFrame();
    signal.throwIfAborted();
  }
}
