// Chapter 5: a neural bigram model, trained while you watch; and whether its derivatives are right.
import { isServed } from "../parts/api.js";
import { makeAsking } from "../parts/asking.js";
import { makeWordBars } from "../parts/bars.js";
import { button, select, slider, textBox } from "../parts/controls.js";
import { element, setAttributes, writeText } from "../parts/dom.js";
import { saveButtons } from "../parts/export.js";
import { makeLongWork } from "../parts/long_work.js";
import { makeLossCurve } from "../parts/loss_curve.js";
import { openPage } from "../parts/page.js";
import { plotRow } from "../parts/plot.js";
import { pyNumber, pyText } from "../parts/python.js";
import { choiceField, numberField, textField, wholeField } from "../parts/state.js";
import { derivativesPython, makeDerivatives } from "./words-derivatives.js";

const TEXTS = [
  ["python-manual", "the manual of Python"], ["tinyshakespeare", "Shakespeare, a million characters"],
  ["shakespeare", "Shakespeare, the beginning of all plays"], ["ptb/train", "Penn Treebank, newspapers"],
];
const HIDDEN = ["5", "10", "20", "50", "100", "200"];
const SECONDS = { "python-manual": 3, tinyshakespeare: 12, shakespeare: 15, "ptb/train": 15 };
const FIRST = { "python-manual": "list", tinyshakespeare: "king", shakespeare: "king", "ptb/train": "monday" };
const MAX_WORD = 40;
const MAX_DRAW = 999_999;
const START = { text: "python-manual", hidden: "50", seed: 0, word: "", temperature: 0.7, draw: 0 };
const SURE = 0.6;
let found = null; // the last answer of Python, and what it was asked for

const page = openPage({
  question: "A network sees one word and guesses the next. What does it learn about words?",
  lead:
    "Each word gets a vector *x*. From it the network computes *h* = *σ*(*x W*_{1} + *b*_{1}) and the probability of every next word, " +
    "*ŷ* = softmax(*h W*_{2} + *b*_{2}). It learns by the derivatives of its loss: below you can check that they are right. Click any word to see it.",
  fields: {
    network: wholeField(0, 0, MAX_DRAW),
    activation: choiceField("sigmoid", ["sigmoid", "tanh"]),
    mistake: choiceField("none", ["none", "slope", "sign"]),
    text: choiceField(START.text, TEXTS.map(([name]) => name)),
    hidden: choiceField(START.hidden, HIDDEN),
    seed: wholeField(0, 0, 99),
    word: textField("", MAX_WORD),
    temperature: numberField(START.temperature, 0.1, 2),
    draw: wholeField(0, 0, MAX_DRAW),
  },
  python,
  steps: [
    {
      text: "The model was never told what words mean. Which words will have vectors that point nearly where that of “list” points?",
      view: { ...START, word: "the" },
      choices: ["Words that stand beside it", "Words that are followed by the same words", "Words that are spelled alike"],
      right: 1,
      shown: { word: "list" },
      reveal: "The vector of a word has one purpose: to say what comes next. So words with the same words after them get similar vectors: *dictionary*, *tuple*.",
    },
    {
      text: `Find a word that makes the next one nearly certain: more than ${100 * SURE} % for one word.`,
      view: { ...START, word: "list" },
      isDone: () => found !== null && found.next.length > 0 && found.next[0].value > SURE && !found.next[0].mark,
      wait: "Click words, or type one. Think of names that are nearly always followed by the same sign.",
      reveal: "Names of special methods are one way: after `__init__` comes a bracket. One word back is enough there, and hardly anywhere else: see how the sentences below wander.",
    },
    {
      text: "The model has 50 hidden units. On text that it has not seen, what happens to its perplexity with 5 of them?",
      view: START,
      choices: ["It falls: less can go wrong", "It hardly changes", "It rises by almost half"],
      right: 2,
      shown: { hidden: "5" },
      reveal: "From about 60 to about 87, which is worse than counting pairs of words (63.5). All the model knows of a word must pass through five numbers. With 200 units it gains little: 59.5.",
    },
    {
      text: "Someone uses the slope of tanh where the hidden units are sigmoids. Which derivatives come out wrong?",
      view: { ...START, network: 0, activation: "sigmoid", mistake: "none" },
      choices: ["All of them", "Those of the first layer and of the word vector", "Those of the second layer"],
      right: 1,
      shown: { mistake: "slope" },
      reveal: "The slope enters where the chain rule goes back through the hidden units. *W*_{2} and *b*_{2} come after them and are still right: see the derivatives below.",
    },
  ],
});

const boxes = plotRow(page.figure, 2);
const pick = (word) => page.change({ word }, null);
const nearest = makeWordBars(boxes[0], { label: "The nearest words, by the angle between vectors", style: 0, pick });
const following = makeWordBars(boxes[1], { label: "The likeliest next words", style: 1, pick });
nearest.draw({ title: "nearest words", rows: [] });
following.draw({ title: "likely next words", rows: [] });
const unknown = element("p", { class: "notice", role: "status", hidden: true }, page.figure);
const sentences = element("section", { class: "sentences", "aria-label": "Sentences" }, page.figure);
element("h2", {}, sentences, "Sentences, drawn word after word");
const list = element("ul", {}, sentences);
const sentenceControls = element("div", { class: "controls" }, sentences);
slider(page, sentenceControls, "temperature", { label: "temperature: how bold the draws are", low: 0.1, high: 2, step: 0.1, format: (value) => value.toFixed(1) });
button(element("div", { class: "buttons" }, sentenceControls), "Draw again", () => page.change({ draw: (page.values.draw + 1) % (MAX_DRAW + 1) }));

textBox(page, page.side, "word", { label: "a word", most: MAX_WORD, placeholder: "list" });
const wordBox = page.side.lastChild.querySelector("input");
const asking = makeAsking(page, page.side, {
  question: "show", what: "What the model has learnt",
  show: (result, sent) => { found = { ...result, sent }; page.redraw(); },
  hear: ({ points }) => { if (points.length > 1 && found === null) curve.draw({ training: points }); },
  kept: () => (found ? `What is shown is the model of ${modelName(found.sent)}.` : "No model is there yet."),
});
select(page, page.side, "text", { label: "it learns from", options: TEXTS });
const modelControls = element("div", { class: "controls" }, page.side);
select(page, modelControls, "hidden", { label: "hidden units", options: HIDDEN.map((count) => [count, count]) });
slider(page, modelControls, "seed", { label: "seed of its start", low: 0, high: 99, step: 1, format: String });
const facts = element("p", { class: "training-facts" }, page.side);
const training = makeLongWork(page, page.side, {
  question: "train", label: () => "Train it again, and watch", seconds: () => SECONDS[page.values.text],
  sent: () => modelOf(page.values),
  hear: ({ points }) => { if (points.length > 1) curve.draw({ training: points, last: 40 }); },
  finish: () => { training.say("Trained, and kept."); asked = ""; askModel(page.values); },
  stop: () => { training.say(found ? "Stopped. What is shown is the model that was trained before." : "Stopped."); page.redraw(); },
});
const curve = makeLossCurve(page.side, { label: "The loss while it learns", x: "step", y: "nats a word", name: "loss" });
const saveFigures = saveButtons(page.figure, { name: "words", drawings: () => [nearest.svg, following.svg], columns: wordColumns });
makeDerivatives(page, page.more);

if (!isServed()) { // no empty figures: where they would be, a line says where they are
  for (const part of [boxes[0].parentNode, sentences, saveFigures]) part.hidden = true;
  page.figure.prepend(asking.box);
}

let asked = "";
page.onRest(askModel);
page.onDraw((values) => {
  setAttributes(wordBox, { placeholder: FIRST[values.text] });
  if (found !== null) draw(found);
});
page.start();

function modelOf({ text, hidden, seed }) { return { text, hidden: Number(hidden), seed }; }

function modelName({ text, hidden }) { return `${TEXTS.find(([name]) => name === text)[1]} with ${hidden} hidden units`; }

function askModel(values) {
  const sent = { ...modelOf(values), word: values.word, temperature: values.temperature, draw: values.draw };
  const question = JSON.stringify(sent);
  if (question === asked || training.isRunning()) return;
  asked = question;
  asking.ask(sent);
}

function draw(now) {
  const { word, nearest: near, next, unknown: wrong, curve: points, sentences: lines, note } = now;
  nearest.draw({ title: `nearest to “${word}”: cosine`, rows: near.map((row) => ({ name: row.word, value: row.value })) });
  following.draw({
    title: `after “${word}”: probability`, rows: next.map((row) => ({ name: row.mark || row.word, value: row.value, isFixed: Boolean(row.mark) })),
  });
  unknown.hidden = !wrong;
  setAttributes(unknown, { text: wrong ? `${wrong}.` : "" });
  if (list.dataset.lines !== lines.join("\n")) {
    list.dataset.lines = lines.join("\n");
    list.replaceChildren(...lines.map((line) => element("li", {}, null, line)));
  }
  if (!training.isRunning()) curve.draw({ training: points, validation: [[points.at(-1)[0], now.validation_nats]] });
  writeText(facts, `The loss fell from ${points[0][1].toFixed(2)} to **${points.at(-1)[1].toFixed(2)} nats a word** in ${points.at(-1)[0]} steps. ` +
    `On the last tenth of the text, which it has not seen, its perplexity is **${now.perplexity.toFixed(1)}**; counting pairs of words gives ` +
    `${now.counts_perplexity.toFixed(1)}.${note ? ` ${note}` : ""}`);
}

function wordColumns() {
  const quoted = (word) => `"${word.replaceAll('"', '""')}"`;
  const { nearest: near, next } = found ?? { nearest: [], next: [] };
  return {
    nearest: near.map((row) => quoted(row.word)), cosine: near.map((row) => row.value),
    next: next.map((row) => quoted(row.word)), probability: next.map((row) => row.value),
  };
}

function python(values) {
  const { text, hidden, seed, temperature, draw: drawSeed } = values;
  const word = (values.word.trim() || FIRST[text]).toLowerCase();
  return `${derivativesPython(values)}
from regard.lab.texts import MAX_CHARACTERS
from regard.models.sampling import Sampling, stream
from regard.text.corpora.corpus import find_corpus
from regard.text.normalise.prepare import prepare
from regard.text.vectors.word_vectors import WordVectors
from regard.training.bigram.train import BigramConfig, bigram_task, train_by_counts

text = find_corpus(${pyText(text)}).text[:MAX_CHARACTERS].translate(str.maketrans("", "", '"*\`'))
steps = ("fold-unicode", "join-lines", "split-lines", "split-words", "lower", "squeeze-spaces")
lines = prepare(text, steps).text.splitlines(keepends=True)
learn = "".join(lines[: len(lines) - int(0.1 * len(lines))])
config = BigramConfig(vocabulary=1000, hidden=${hidden}, iterations=40, seed=${seed})
model = train_by_counts(bigram_task(learn, config))
words = model.tokeniser.vocabulary[2:]  # without <unk> and </s>
near = WordVectors(words, model.network.vectors[2:-1]).nearest(${pyText(word)}, 10)
print(near)
for rng in np.random.default_rng(${drawSeed}).spawn(5):
    print("".join(stream(model, rng, length=40, how=Sampling(${pyNumber(temperature)}))).partition("\\n")[0])
`;
}
