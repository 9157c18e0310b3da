// Work that takes longer than a moment: a button that begins and stops it, how far it is, and what was lost or kept.
import { askLong, isServed, writeNeedsPython } from "./api.js";
import { button } from "./controls.js";
import { element, setAttributes } from "./dom.js";

/** How long something takes, in words. */
export const aboutTime = (seconds) => (seconds < 90 ? `${Math.max(1, Math.round(seconds))} s` : `${Math.round(seconds / 60)} min`);

/**
 * A button with its progress in `parent`. `label()` and `seconds()` are what the button says, `sent()` is the question; `hear(status)`
 * is called on the way, `finish(result)` at the end, `stop()` after the reader has stopped it: Python may have kept a part.
 */
export function makeLongWork(page, parent, { question, label, seconds = () => 0, sent, hear = () => {}, finish, stop = () => {} }) {
  const box = element("div", { class: "long-work" }, parent);
  const row = element("div", { class: "buttons" }, box);
  const run = button(row, label(), () => (running ? running.abort() : start()));
  const bar = element("progress", { max: 1, "aria-label": label() }, row);
  const line = element("p", { class: "said", role: "status" }, box);
  let running = null;
  draw();
  page.onDraw(draw);

  function draw() {
    const time = seconds();
    setAttributes(run, { text: running ? "Stop" : label() + (time >= 1 ? ` (about ${aboutTime(time)})` : ""), disabled: !isServed() });
    bar.hidden = !running;
    if (!isServed() && !line.textContent) writeNeedsPython(line, "This");
  }

  function say(text, isFailed = false) {
    setAttributes(line, { text });
    line.classList.toggle("failed", isFailed);
  }

  async function start() {
    if (running || !isServed()) return;
    const mine = (running = new AbortController());
    let last = "";
    say("Python is asked …");
    bar.removeAttribute("value");
    draw();
    try {
      const status = await askLong(page.slug, question, sent(), (now) => {
        if (mine.signal.aborted) return;
        last = now.state === "queued" ? "" : now.message;
        say(now.message);
        if (now.share === null) bar.removeAttribute("value");
        else bar.value = now.share;
        hear(now);
      }, mine.signal);
      running = null;
      if (status?.state === "done") finish(status.result);
      else say(status?.state === "failed" ? `${status.message}.` : "Python has stopped; begin again.", true);
    } catch (error) {
      running = null;
      if (mine.signal.aborted) { say(`Stopped.${last && ` ${last[0].toUpperCase()}${last.slice(1)}.`}`); stop(); }
      else say(`Python gave no answer: ${error.message}.`, true);
    }
    draw();
    page.redraw();
  }

  return { box, start, say, abort: () => running?.abort(), isRunning: () => running !== null };
}
