// Chapter 10: what each head of a Transformer reads, and what it is worth: in the page for a small one, by Python for a larger one.
import { askLong, isServed, writeNeedsPython } from "../parts/api.js";
import { select, table } from "../parts/controls.js";
import { element, setAttributes, wholeCharacters } from "../parts/dom.js";
import { openPage } from "../parts/page.js";
import { choiceField } from "../parts/state.js";
import { characterFields, drawPicture, fetchTransformer, makeCharacterModel } from "./characters-model.js";

const MAX_STORY = 400;
const STORY = "Once upon a time, there was a little girl named Lily. She had a red ball. One day, Lily";
const BITS = [["16", "all"], ...["8", "6", "4", "3", "2", "1", "0"].map((bits) => [bits, bits])];
const SHIPPED = "heads-shakespeare"; // what Python takes where it has no other model
const SPACE = "▁"; // how tokenisers of word pieces write one
const SURPRISING = 8; // bits, at which the colour is full
const START = characterFields.text.start;

const page = openPage({
  question: "What does each head of a Transformer read, and would the model miss it?",
  lead:
    "A Transformer with three layers of four heads, trained on Shakespeare, runs in this page. Point at a character to see what the " +
    "chosen head reads there; orange lines show how much each character surprised the model. Then change a head.",
  fields: {
    ...characterFields,
    story: {
      start: STORY, write: (text) => text, expected: `a text of at most ${MAX_STORY} characters`,
      read: (text) => { if (text.length > MAX_STORY) throw new RangeError(text); return text; },
    },
    bits: choiceField("16", BITS.map(([bits]) => bits)),
  },
  python,
  steps: [
    {
      text: "One head of layer 0 reads mostly the character just before. Find it, and choose it.",
      view: { text: START, changes: {}, layer: 1, head: 0 },
      isDone: (values) => values.layer === 0 && values.head === 0,
      wait: "Look for a dark line right beside the diagonal.",
      reveal:
        "Head 0.0 gives two thirds of its weight to the character just before. The other heads of this layer look one to three " +
        "characters back; later layers look further and build on what these have found.",
    },
    {
      text: "What happens to the surprise when head 0.0 is switched off?",
      view: { text: START, changes: {}, layer: 0, head: 0 },
      choices: ["It hardly changes", "It grows", "It falls"],
      right: 1,
      shown: { changes: { "0.0": { off: true } }, layer: 0, head: 0 },
      reveal: "It grows from 1.83 to 3.06 bits a character. Switching off any other head of the model costs less.",
    },
    {
      text: "Give the keys of head 2.1 only 2 bits for each number. Does the text still make sense to the model?",
      view: { text: START, changes: {}, layer: 2, head: 1 },
      isDone: (values) => values.changes["2.1"]?.bits === 2,
      wait: "Choose head 2.1 and move the slider of the bits.",
      reveal: "The surprise stays at 1.83 bits: which key is the nearest survives rounding. With the head switched off it would be 1.89.",
    },
  ],
});

const status = element("p", { class: "said", role: "status" }, page.side, "The model is being fetched …");
fetchTransformer("../../web/models/shakespeare.safetensors").then((model) => {
  status.remove();
  const view = makeCharacterModel(page, model);
  page.confirm(page.side, "confirm", {
    near: 1e-3, isLong: true, // Python computes in single precision, and the first time it loads torch
    sent: ({ text }) => view.question(text, {}), compare: view.compare,
  });
  makeStories();
  page.start();
}, (error) => { status.textContent = `${error.message}; load the page again.`; });

/** A model of word pieces that tells stories, which Python runs: keys of all its heads in few bits. */
function makeStories() {
  const section = element("section", { class: "stories", "aria-label": "A larger model" }, page.more);
  const title = element("h2", {}, section, "A larger model, by Python");
  const box = element("label", { class: "control text-input" }, section);
  element("span", { class: "control-name" }, box, `Beginning of a story, at most ${MAX_STORY} characters`);
  const input = element("textarea", { rows: 3, maxlength: MAX_STORY, spellcheck: "false" }, box);
  input.addEventListener("input", () => page.change({ story: wholeCharacters(input.value) }, "story"));
  select(page, section, "bits", { label: "bits for each number of all keys", options: BITS });
  const said = element("p", { class: "said", role: "status" }, section);
  const strip = element("p", { class: "characters" }, section);
  const columns = element("div", { class: "plots plots-2", hidden: true }, section);
  const pictures = element("div", {}, columns);
  const map = element("div", { class: "head-map", role: "img", "aria-label": "Attention of every head" }, pictures);
  const caption = element("p", { class: "said" }, pictures);
  const writeNext = table(element("div", {}, columns), ["what comes next", "keys as they are", "keys in few bits"]);
  const fewBits = columns.querySelector("th:last-child");
  let asking = null;
  let asked = "";
  let painted = null; // the weights that the map shows, and the ink that it is painted with
  page.onDraw(drawHeads);
  page.onDraw(({ story }) => { if (input.value !== story) input.value = story; });
  page.onRest(async ({ story, bits }) => {
    if (!isServed()) {
      writeNeedsPython(said);
      return;
    }
    const question = JSON.stringify([story, bits]);
    if (question === asked) return; // something else of the view has changed
    asked = question;
    asking?.abort();
    if (!story.trim()) {
      said.textContent = "Write the beginning of a story, and the model reads it.";
      columns.hidden = true;
      strip.replaceChildren();
      return;
    }
    const mine = (asking = new AbortController());
    const hear = ({ state, message }) => { if (state !== "done" && !mine.signal.aborted) said.textContent = message; };
    try {
      const last = await askLong(page.slug, "read", { text: story, bits: Number(bits), layer: -1, head: -1 }, hear, mine.signal);
      if (!mine.signal.aborted && last.state === "done") show(last.result, bits);
    } catch (error) {
      if (!mine.signal.aborted) said.textContent = `Python gave no answer: ${error.message}.`;
    }
  });

  function show({ model, n_layers: nLayers, n_heads: nHeads, tokens, before, after }, bits) {
    const mean = ({ surprise }) => surprise.slice(1).reduce((sum, value) => sum + value, 0) / (surprise.length - 1);
    said.textContent = `${model === SHIPPED ? "The model above" : model}, ${nLayers} layers of ${nHeads} heads, read ${tokens.length} tokens: ` +
      `${mean(before).toFixed(2)} bits of surprise a token` + (bits === "16" ? "." : `, with keys in ${bits} bit${bits === "1" ? "" : "s"} ${mean(after).toFixed(2)}.`);
    if (model === SHIPPED) title.textContent = "The model above, by Python";
    columns.hidden = false;
    caption.textContent = `A row for each of the ${nLayers} layers, a picture for each of its ${nHeads} heads: line by line, how strongly a token reads those before it.`;
    fewBits.textContent = bits === "16" ? "keys in few bits" : `keys in ${bits} bit${bits === "1" ? "" : "s"}`;
    strip.replaceChildren(...tokens.map((token, i) => {
      const span = element("span", {}, null, token.replaceAll(SPACE, " "));
      span.style.setProperty("--surprise", Math.min(1, (after.surprise[i] ?? 0) / SURPRISING).toFixed(3));
      span.style.setProperty("--weight", "0");
      return span;
    }));
    painted = { weights: after.weights, n: tokens.length, nHeads, ink: "" };
    drawHeads();
    const later = new Map(after.next.map(({ token, probability }) => [token, probability]));
    writeNext(before.next.map(({ token, probability }) => [
      `“${token.replaceAll(SPACE, " ")}”`, `${(100 * probability).toFixed(1)} %`,
      bits === "16" ? "–" : later.has(token) ? `${(100 * later.get(token)).toFixed(1)} %` : "less",
    ]));
  }

  /** Every head in the colour of the page's ink, anew where the theme has changed. */
  function drawHeads() {
    const ink = getComputedStyle(page.main).color.match(/\d+/g).map(Number);
    if (painted === null || painted.ink === String(ink)) return;
    painted.ink = String(ink);
    const { weights, n, nHeads } = painted;
    map.style.gridTemplateColumns = `repeat(${nHeads}, minmax(0, 1fr))`;
    map.replaceChildren();
    for (const head of weights.flat()) {
      let place = 0;
      const rows = Array.from({ length: n }, (_, i) => head.slice(place, (place += i + 1)).map((level) => (level / 255) ** 2));
      drawPicture(element("canvas", {}, map), rows, ink, 255);
    }
  }
}

function python({ text, temperature, changes }) {
  const note = Object.keys(changes).length ? "# as trained: changes of heads are the page's own\n" : "";
  return `
import numpy as np
from regard.lab.chapters.characters.page_model import shipped_model

${note}model = shipped_model()
ids = model.tokeniser.encode(${JSON.stringify(text)}).ids
print(-model.token_log_probs(ids).sum() / np.log(2) / max(len(ids), 1), "bits a character")

reader = model.reader()
for token in ids:
    reader.read(int(token))
powers = np.exp(reader.next_log_probs() / ${temperature})
powers[model.tokeniser.unknown] = 0
for token in np.argsort(-powers)[:10]:
    print(repr(model.tokeniser.vocabulary[token]), powers[token] / powers.sum())
`;
}
