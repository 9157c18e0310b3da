// The search for the robust queries of the plane, watched: by the page for one head, which takes a moment, by Python for several.
import { askLong, isServed } from "../parts/api.js";
import { searchInPage } from "./search-in-page.js";

const PATH_PAUSE = 180; // milliseconds for which a design of the search is shown
const LONGEST_PATH = 3000; // of all that wait to be shown
const pause = (milliseconds) => new Promise((go) => { setTimeout(go, milliseconds); });

/**
 * `exercise()` is what is searched for in the page, `sent()` the same as a question to Python, `name()` tells one from another;
 * `show()` is called when another design has been found. `isStill` is true where nothing should move.
 */
export function makePlaneSearch(page, { exercise, sent, name, show, say, isStill }) {
  let running = null;
  let found = { name: null, queries: null };

  /** Search: `isAsked` by a reader, who may stop it, or because the keys have moved. */
  async function run(isAsked) {
    running?.control.abort();
    const mine = (running = { control: new AbortController(), isAsked, name: name() });
    const { signal } = mine.control;
    const path = []; // better and better designs that have not been shown yet
    showPath(path, mine);
    const end = await (isServed() && page.values.heads > 1 ? askPython : askPage)(path, mine).catch((error) => ({ error }));
    while (path.length && !signal.aborted) await pause(PATH_PAUSE);
    if (running !== mine) return;
    running = null;
    if (signal.aborted) say(isAsked ? "Stopped." : "");
    else if (end.error) say(`Python gave no answer: ${end.error.message}.`);
    else if (isAsked) say(end.state === "done" ? `Found. ${end.message}.` : end.message);
    if (!page.isMoving) page.change({}); // what rests is compared with Python's numbers again; a hand that moves will rest by itself
  }

  async function askPython(path, mine) {
    let number = 0; // of the last design that Python has told
    const hear = ({ message, text }) => {
      say(message);
      const step = text ? JSON.parse(text) : null;
      if (step && step.number > number) path.push(step.queries);
      number = step?.number ?? number;
    };
    const last = await askLong("noisy-keys", "search", sent(), hear, mine.control.signal);
    if (last.state === "done") path.push(...last.result.path.slice(number), last.result.queries);
    return last;
  }

  function askPage(path, mine) {
    const hear = ({ message, step }) => {
      if (mine.isAsked) say(message);
      path.push(step.queries);
    };
    return searchInPage(exercise(), page.values.heads, hear, mine.control.signal);
  }

  /** Show the designs of a search one after another, slowly enough to be seen, until it is over. */
  async function showPath(path, mine) {
    while (running === mine && !mine.control.signal.aborted) {
      if (mine.name !== name()) mine.control.abort(); // the keys have moved
      if (isStill()) path.splice(0, path.length - 1);
      if (path.length && !mine.control.signal.aborted) {
        found = { name: mine.name, queries: path.shift().map((query) => query.map((part) => Number(part.toFixed(4)))) };
        show();
      }
      await pause(Math.min(PATH_PAUSE, LONGEST_PATH / (path.length + 1)));
    }
  }

  return {
    run,
    stop: () => running?.control.abort(),
    isRunning: () => running !== null,
    isWatched: () => running?.isAsked ?? false,
    /** What was found for as many heads as there are now; perhaps for other keys, until a new search is over. */
    queries: () => (found.queries?.length === page.values.heads ? found.queries : null),
    isOld: () => found.name !== name(),
  };
}
