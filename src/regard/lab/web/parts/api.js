// Questions to Python, where the lab's server is there to be asked; files of the lab.
import { element } from "./dom.js";
import { MAX_ADDRESS, viewLink } from "./state.js";

const ADDRESS = "../../api/";
const USUAL_LAB = "http://127.0.0.1:8642/"; // where `regard lab` serves unless told otherwise

/** Whether Python can be asked; an exported page computes alone, wherever it lies. */
export const isServed = () => document.body.dataset.exported === undefined;

/** Say in one line that only Python computes this, with the command that starts it and the address of this view there. */
export function writeNeedsPython(line, what = "This part") {
  line.replaceChildren(`${what} is computed by Python: run `);
  element("code", {}, line, "regard lab");
  line.append(" and open ");
  const link = element("a", { target: "_top" }, line, "this view there");
  const lead = () => { link.href = `${USUAL_LAB}chapter/${document.body.dataset.chapter}/${viewLink(MAX_ADDRESS)}`; };
  for (const event of ["pointerenter", "focus", "click"]) link.addEventListener(event, lead); // the view may have changed
  lead();
  line.append(".");
}

/**
 * The bytes of a file of the lab; an exported page holds them itself. The address is written out where this is called, as
 * "../../web/…", which is how the export finds it.
 */
export async function fetchFile(address) {
  const inside = document.querySelector(`script[data-file="${address}"]`);
  if (inside) return Uint8Array.from(atob(inside.textContent), (letter) => letter.charCodeAt(0)).buffer;
  const answer = await fetch(address).catch(sayUnreachable);
  if (!answer.ok) throw new Error("a file of this page could not be fetched");
  return answer.arrayBuffer();
}

/** What Python answers; throws an Error with its one line where it refuses. */
export async function ask(chapter, question, sent, signal) {
  const response = await post(chapter, question, sent, signal);
  return response.json();
}

/**
 * A long question: `hear` is called with {state, share, message, points, validation, text} whenever a line comes; gives the last,
 * which has the `result`. Ends when `signal` is aborted.
 */
export async function askLong(chapter, question, sent, hear, signal) {
  const response = await post(chapter, question, sent, signal);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  let last = null;
  for (;;) {
    const { value, done } = await reader.read().catch(sayUnreachable);
    if (done) return last;
    text += value;
    const lines = text.split("\n");
    text = lines.pop();
    for (const line of lines) hear((last = join(last, JSON.parse(line))));
  }
}

/** A line has what is new of the curves and of the text. */
function join(before, line) {
  if (before === null) return line;
  return {
    ...line, points: [...before.points, ...line.points], validation: [...before.validation, ...line.validation],
    text: line.is_new_text ? line.text : before.text + line.text,
  };
}

/** Where there is no connection, browsers have words of their own, which help nobody. What was aborted stays so. */
function sayUnreachable(error) {
  throw error instanceof TypeError ? new Error("the lab cannot be reached; see whether it still runs") : error;
}

async function post(chapter, question, sent, signal) {
  const body = JSON.stringify(sent);
  const headers = { "Content-Type": "application/json" };
  const response = await fetch(`${ADDRESS}${chapter}/${question}`, { method: "POST", headers, body, signal }).catch(sayUnreachable);
  if (response.ok) return response;
  const { error } = await response.json().catch(() => ({ error: "Python gave no answer" }));
  throw new Error(error);
}

/** The result of a long question; throws an Error with Python's one line where there is none. */
async function askResult(chapter, question, sent, signal) {
  const last = await askLong(chapter, question, sent, () => {}, signal);
  if (last?.state !== "done") throw new Error(last?.message ?? "Python has stopped");
  return last.result;
}

/** Asks the same question again and again, of which only the latest answer counts; null asks nothing, and drops what was asked before. */
export function latest(chapter, question, isLong = false) {
  let before = null;
  return async (sent) => {
    before?.abort();
    if (sent === null) return null;
    const mine = (before = new AbortController());
    try {
      return await (isLong ? askResult : ask)(chapter, question, sent, mine.signal);
    } catch (error) {
      if (mine.signal.aborted) return null;
      throw error;
    }
  };
}
