// Questions to Python, where a server is there to be asked.

const ADDRESS = "../../api/";

/** Whether this page came from a server; opened as a file it computes alone. */
export const isServed = () => location.protocol.startsWith("http");

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
    const { value, done } = await reader.read();
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

async function post(chapter, question, sent, signal) {
  const body = JSON.stringify(sent);
  const headers = { "Content-Type": "application/json" };
  const response = await fetch(`${ADDRESS}${chapter}/${question}`, { method: "POST", headers, body, signal });
  if (response.ok) return response;
  const { error } = await response.json().catch(() => ({ error: "Python gave no answer" }));
  throw new Error(error);
}

/** Asks the same question again and again, of which only the latest answer counts. */
export function latest(chapter, question) {
  let before = null;
  return async (sent) => {
    before?.abort();
    const mine = (before = new AbortController());
    try {
      return await ask(chapter, question, sent, mine.signal);
    } catch (error) {
      if (mine.signal.aborted) return null;
      throw error;
    }
  };
}
