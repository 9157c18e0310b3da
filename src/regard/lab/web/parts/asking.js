// A long question that is asked again whenever the view has changed: only the latest answer counts, what is shown stays until it comes.
import { askLong, isServed, writeNeedsPython } from "./api.js";
import { button } from "./controls.js";
import { element, setAttributes } from "./dom.js";

const PATIENCE = 400; // milliseconds after which the page says what is being done

/**
 * A line with progress and Stop in `parent`; `ask(sent)` asks, `show(result, sent)` is given the answer. `kept()` says what the page
 * shows when there is no answer: after Stop, or where Python refuses. `what` is asked for, in words that begin a sentence.
 */
export function makeAsking(page, parent, { question, what, show, hear = () => {}, kept = () => "" }) {
  const box = element("div", { class: "long-work asking", hidden: true }, parent);
  const row = element("div", { class: "buttons" }, box);
  const stop = button(row, "Stop", () => running?.abort());
  const again = button(row, "Go on", () => ask(last), { hidden: true });
  const bar = element("progress", { max: 1, "aria-label": "How far it is" }, row);
  const line = element("p", { class: "said", role: "status" }, box);
  let running = null;
  let last = null;

  function say(text, isFailed = false) {
    box.hidden = !text;
    setAttributes(line, { text });
    line.classList.toggle("failed", isFailed);
    stop.hidden = bar.hidden = running === null;
    again.hidden = running !== null || !text;
  }

  function sayWhereItIs() {
    box.hidden = false;
    for (const part of [stop, bar, again]) part.hidden = true;
    writeNeedsPython(line, what);
  }

  function tell(status) {
    if (status.share === null) bar.removeAttribute("value");
    else bar.value = status.share;
    say(status.message ? `${status.message} …` : "Python is asked …");
    hear(status);
  }

  async function ask(sent) {
    running?.abort();
    last = sent;
    running = null;
    if (!isServed()) return sayWhereItIs();
    const mine = (running = new AbortController());
    let newest = { share: null, message: "", points: [], validation: [], text: "" };
    let isSlow = false;
    const slow = setTimeout(() => { isSlow = true; if (running === mine) tell(newest); }, PATIENCE);
    let outcome;
    try {
      const end = await askLong(page.slug, question, sent, (status) => {
        newest = status;
        if (isSlow && running === mine && status.state !== "done") tell(status);
      }, mine.signal);
      outcome = end?.state === "done" ? { result: end.result } : { words: end?.message || "Python has stopped" };
    } catch (error) {
      outcome = mine.signal.aborted ? { words: "Stopped" } : { words: `Python gave no answer: ${error.message}` };
    }
    clearTimeout(slow);
    if (running !== mine) return undefined; // something else is asked by now
    running = null;
    if (outcome.result) {
      say("");
      show(outcome.result, sent);
    } else say(`${outcome.words}. ${kept()}`.trim(), outcome.words !== "Stopped");
    page.redraw();
    return undefined;
  }

  return { ask, box, isRunning: () => running !== null };
}
