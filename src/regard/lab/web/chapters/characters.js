// Chapter 6: text letter by letter. The model that ships reads and writes in the page at once; others are trained from here.
import { ask, askLong, isServed } from "../parts/api.js";
import { element, setAttributes } from "../parts/dom.js";
import { openPage } from "../parts/page.js";
import { pyNumber } from "../parts/python.js";
import { choiceField, numberField, textField, wholeField } from "../parts/state.js";
import { MAX_LENGTH, characterFields, fetchTransformer, makeCharacterModel, readModel } from "./characters-model.js";
import { CORPORA, STEPS, makeTraining } from "./characters-training.js";

const SHIPPED_NAME = "Transformer that ships with Regard";
const KEY = /^characters-[\w.-]{1,100}$/;
const fromOne = { start: 0, read: (text) => wholeField(1, 1, 99).read(text) - 1, write: (value) => String(value + 1), expected: "a whole number from 1 to 99" };
const START_TEXT = characterFields.text.start;

const page = openPage({
  question: "How does a model write, one character at a time, and what surprises it?",
  lead:
    "After every character the model says how likely each one is to come next; writing is drawing from that, again and again. " +
    "The model here was trained on Shakespeare and runs in this page. Orange lines show how much each character surprised it.",
  fields: {
    ...characterFields,
    text: { ...characterFields.text, read: (text) => Array.from(text).slice(0, MAX_LENGTH).join("") },
    layer: fromOne,
    head: fromOne,
    top_p: numberField(1, 0.05, 1),
    prompt: textField("", 500),
    model: { ...textField("", 120), read: (text) => { if (text && !KEY.test(text)) throw new RangeError(text); return text; } },
    corpus: choiceField("tinyshakespeare", CORPORA),
    kind: choiceField("transformer", ["transformer", "recurrent"]),
    steps: choiceField("300", STEPS),
  },
  python,
  steps: [
    {
      text: "One letter is missing in *ROMEO*. Once it stands there, what does the model think comes next?",
      view: { text: "ROME", model: "", changes: {}, temperature: 1 },
      shown: { text: "ROMEO" },
      choices: ["A space", "A colon", "An S"],
      right: 1,
      reveal: "A colon, with more than 99 %: the text it learnt from is plays, and after a name in capitals someone speaks.",
    },
    {
      text: "Set the temperature so that the model hardly ever takes anything but the likeliest character.",
      view: { text: START_TEXT, model: "", changes: {}, temperature: 0.8 },
      isDone: (values) => values.temperature <= 0.3,
      wait: "Move the temperature down, and watch the bars.",
      reveal: "At a low temperature the likeliest character takes all. Press *Write on*: the text is correct but soon goes in circles. At 2 it " +
        "is bold, and spells no word right.",
    },
    {
      text: "*The king is dead, xylophone.* Which character of it surprises the model most?",
      view: { text: "The king is dead, ", model: "", changes: {}, temperature: 0.8 },
      shown: { text: "The king is dead, xylophone." },
      choices: ["The k of king", "The x", "The last e"],
      right: 1,
      reveal: "The x, with 17 bits: the model had given it a chance of one in 100,000. In a word it knows, such as *king*, all but the first letter is " +
        "easy to guess; in this one nothing is.",
    },
    {
      text: "Write something that surprises the model by more than 6 bits a character, in 10 characters or more.",
      view: { text: "To be, or not to be", model: "", changes: {}, temperature: 0.8 },
      isDone: (values) => values.text.length >= 10 && meanBits() > 6,
      wait: "If 64 characters were equally likely, each would cost six bits.",
      reveal: "Letters in no order cost about 11 bits each; if all 65 characters were equally likely, it would be 6. The model is sure of " +
        "what it has seen, and pays for it where something else comes.",
    },
    {
      text: "Training: a recurrent network learns from tinyshakespeare for 100 steps. How many bits a character is it left with on text it has " +
        "not seen? The model that ships has 2.1.",
      view: { kind: "recurrent", corpus: "tinyshakespeare", steps: "100" },
      choices: ["About 5", "About 3", "About 2"],
      right: 1,
      reveal: "About 3. Guessing by frequency alone costs 4.8 bits, and most of what is easy (which letters follow each other) is learnt in the " +
        "first seconds; the last bit takes minutes. Train it below, and see both lines fall.",
    },
  ],
});

let view = null;
let shownKey = ""; // of the model that is read with; empty for the one that ships
const meanBits = () => {
  const bits = view?.numbers().bits ?? [];
  return bits.length ? bits.reduce((sum, value) => sum + value, 0) / bits.length : 0;
};

const status = element("p", { class: "said", role: "status" }, page.side, "The model is being fetched …");
fetchTransformer("../../web/models/shakespeare.safetensors").then((shipped) => {
  if (page.values.prompt && page.values.text === START_TEXT) page.values.text = page.values.prompt.slice(-MAX_LENGTH); // a link of before
  page.values.prompt = "";
  view = makeCharacterModel(page, shipped);
  const models = makeModels(shipped);
  makeTraining(page, models);
  makeConfirmation();
  status.remove();
  page.start();
  models.list();
}).catch((error) => { page.side.prepend(status); status.textContent = `${error.message}; load the page again.`; });

/** The list of models that can be read with, above the text; a kept one comes from Python. */
function makeModels(shipped) {
  const row = element("label", { class: "control select" });
  page.figure.prepend(row);
  element("span", { class: "control-name" }, row, "Model");
  const list = element("select", { "aria-label": "Model" }, row);
  const note = element("p", { class: "said", role: "status" });
  row.after(note);
  note.hidden = true;
  const known = new Map([["", SHIPPED_NAME]]);
  const opened = new Map([["", shipped]]);
  let inUse = "";
  let asking = null;
  list.addEventListener("change", () => page.change({ model: list.value }));
  page.onDraw(({ model }) => { if (list.value !== model && known.has(model)) list.value = model; });
  page.onDraw(({ model }) => { if (model !== inUse) open(model); });
  write();

  function write() {
    list.replaceChildren();
    for (const [key, label] of known) element("option", { value: key }, list, label);
    list.value = known.has(page.values.model) ? page.values.model : "";
  }

  function say(text) {
    setAttributes(note, { text });
    note.hidden = !text;
  }

  async function open(wanted) {
    let key = (inUse = wanted);
    asking?.abort();
    say("");
    if (!opened.has(key)) {
      if (!isServed()) return say("This model was trained in a lab with Python; the one that ships is shown."); // which is in use from the start
      const mine = (asking = new AbortController());
      say("The model is being loaded …");
      try {
        const last = await askLong(page.slug, "load", { model: key }, () => {}, mine.signal);
        if (mine.signal.aborted) return null;
        if (last.state !== "done") throw new Error(last.message);
        opened.set(key, readModel(Uint8Array.from(atob(last.result.file), (letter) => letter.charCodeAt(0)).buffer));
        known.set(key, last.result.label);
        write();
        say("");
      } catch (error) {
        if (mine.signal.aborted) return null;
        say(`${error.message}. The model that ships is shown.`);
        key = "";
      }
    }
    shownKey = key;
    view.use(opened.get(key));
    page.change({}); // nothing else has changed, but Python is to be asked anew
    return null;
  }

  /** Ask Python which models are kept. */
  async function listKept() {
    if (!isServed()) return;
    try {
      const { models } = await ask(page.slug, "kept", {});
      for (const key of [...known.keys()]) if (key) known.delete(key);
      for (const { key, label } of models) known.set(key, label);
      write();
    } catch {
      // The model that ships is there in any case.
    }
  }

  return {
    list: listKept,
    show: async (key) => { opened.delete(key); if (inUse === key) inUse = null; await listKept(); page.change({ model: key }); },
  };
}

function makeConfirmation() {
  page.confirm(page.side, "confirm", {
    near: 1e-3, // Python computes in single precision
    isLong: true, // the first one loads torch
    sent: ({ text }) => view.question(text, { model: shownKey || "shipped" }),
    compare: (answer) => view.compare(answer),
  });
}

function python({ text, temperature, top_p: topP, changes }) {
  const note = Object.keys(changes).length ? "# as trained: changes of heads are the page's own\n" : "";
  const opening = shownKey
    ? `from regard.lab.model_cache import model_folder\nfrom regard.models.checkpoint import load_model\n\n${note}model = load_model(model_folder(${JSON.stringify(shownKey)}))`
    : `from regard.lab.chapters.characters.page_model import shipped_model\n\n${note}model = shipped_model()`;
  return `
import numpy as np
from regard.models.sampling import Sampling, shape_probs
${opening}
ids = model.tokeniser.encode(${JSON.stringify(text)}).ids
bits = -model.token_log_probs(ids) / np.log(2)
print(bits.sum() / max(len(bits), 1), "bits a character")

reader = model.reader()
for token in ids:
    reader.read(int(token))
how = Sampling(${pyNumber(temperature)}, top_p=${pyNumber(topP)})
shares = shape_probs(reader.next_log_probs(), how, never=model.tokeniser.unknown)
for token in np.argsort(-shares)[:10]:
    print(repr(model.tokeniser.vocabulary[token]), shares[token])
`;
}
