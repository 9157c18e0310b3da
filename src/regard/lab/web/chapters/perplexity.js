// Chapter 7: models compared in units that can be compared.
import { isServed } from "../parts/api.js";
import { makeAsking } from "../parts/asking.js";
import { checkList, select, table, textBox } from "../parts/controls.js";
import { element, setAttributes, shortNumber, writeText } from "../parts/dom.js";
import { saveButtons } from "../parts/export.js";
import { openPage } from "../parts/page.js";
import { makePlot, plotRow } from "../parts/plot.js";
import { pyText } from "../parts/python.js";
import { choiceField, someField, textField } from "../parts/state.js";
import { makeSurpriseMaps } from "./perplexity-maps.js";

const MAX_PASSAGE = 4000;
const TEXTS = [["python-manual", "the manual of Python"], ["shakespeare", "plays of Shakespeare"]];
const MODELS = [
  ["letters", "sequences of six characters", 'regard.train_ngram(text, regard.NgramConfig(unit="char", method="kneser-ney", order=6))'],
  ["bytes", "sequences of six bytes", 'regard.train_ngram(text, regard.NgramConfig(unit="byte", method="kneser-ney", order=6))'],
  ["words", "sequences of three words", 'regard.train_ngram(text, regard.NgramConfig(unit="word", method="kneser-ney", order=3))'],
  ["few words", "two words, and only 50 of them known", 'regard.train_ngram(text, regard.NgramConfig(unit="word", method="kneser-ney", order=2, vocabulary=50))'],
  ["bigram", "a network that has seen one word before", "regard.train_by_counts(regard.bigram_task(text, regard.BigramConfig(vocabulary=1000, hidden=50, width=50, iterations=60)))"],
];
const STEPS = [
  ["fold-unicode", "accents off; curly quotes and dashes become plain ones"],
  ["join-lines", "a line break within a paragraph becomes a space"],
  ["split-lines", "each sentence on a line of its own"],
  ["split-words", "punctuation, n't and 's stand apart"],
  ["drop-punctuation", "punctuation that stands apart vanishes"],
  ["lower", "lower case"],
  ["digits", "digits become DG: 1,250 becomes DGDGDGDG"],
  ["digits-n", "numbers become N"],
  ["squeeze-spaces", "one space for several"],
];
const PASSAGES = ["passage A", "passage B"];
const A = `The loop ends when the iterator is exhausted, or
when a "break" statement is executed in its body.
A name that is assigned there keeps its last value
after the loop; if the loop never ran, the name
does not exist, and to use it raises "NameError".
Since Python 3.8 one more keyword, "continue", may
stand in a "finally" clause: few programs have
ever needed it.
`;
const B = `All the world’s a stage,
And all the men and women merely players;
They have their exits and their entrances;
And one man in his time plays many parts,
His acts being seven ages. At first the infant,
Mewling and puking in the nurse’s arms;
Then the whining school-boy, with his satchel
And shining morning face, creeping like snail
Unwillingly to school.
`;
const START = { text: "python-manual", models: ["letters", "words", "few words"], a: A, b: B, steps: [], gains: "words", on: "passage B" };
const EASY = 1.5;
const MIN_EASY = 60;
let found = null; // the last answer, and what it was asked for

const page = openPage({
  question: "Which model knows a text best, when one counts letters, one counts words, and one calls most words unknown?",
  lead:
    "Perplexity is how many equally likely choices a token was worth, on average. But a token may be a word, a character or a byte, and " +
    "a model that calls every word unknown is never surprised. Bits per character ask all models the same: what does it cost to write " +
    "down this very passage, unknown words spelled out?",
  fields: {
    text: choiceField(START.text, TEXTS.map(([name]) => name)),
    models: someField(START.models, MODELS.map(([name]) => name)),
    a: textField(A, MAX_PASSAGE),
    b: textField(B, MAX_PASSAGE),
    steps: someField([], STEPS.map(([name]) => name)),
    gains: choiceField(START.gains, MODELS.map(([name]) => name)),
    on: choiceField(START.on, PASSAGES),
  },
  python,
  steps: [
    {
      text: "All models have read the manual of Python, and passage A is in its style. “few words” knows 50 words only. Which has the lowest perplexity per word on passage A?",
      view: { ...START, models: ["letters"] },
      choices: ["words, which knows thousands", "few words, which knows 50"],
      right: 1,
      shown: { models: ["words", "few words"] },
      reveal:
        "“few words” has about 7, “words” about 190. More than half of the words are unknown to it, and *unknown* is easily guessed. " +
        "Spell these words out, and the order turns: see the bits per character.",
    },
    {
      text: "On passage A, “letters” has perplexity 4.1 and “words” 191. Which of the two is the better model?",
      view: { ...START, models: ["few words"] },
      choices: ["letters: 4.1 is less than 191", "words: it knows more", "These two numbers do not say"],
      right: 2,
      shown: { models: ["letters", "words"] },
      reveal: "One is per character, the other per word, and a word has several characters. In bits per character, “words” needs about 1.9 and “letters” 2.0.",
    },
    {
      text: "Put both passages in lower case. What was in capitals must be told as well, at a price. For “words”, is anything gained?",
      view: { ...START, models: ["words"] },
      choices: ["On both passages", "On passage B alone", "On neither"],
      right: 1,
      shown: { steps: ["lower"] },
      reveal: "In passage B lines begin with capitals, and “And” was unknown where “and” is not: that is worth more than telling the capitals. In passage A the price is more than the gain.",
    },
    {
      text: `Write a passage A of at least ${MIN_EASY} characters that costs “letters” less than ${EASY} bits per character.`,
      view: { ...START, models: ["letters", "words"] },
      isDone: ({ a }) => a !== A && found !== null && found.asked.a === a && [...a].length >= MIN_EASY && bitsOf("passage A", "letters") < EASY,
      wait: "It has read the manual of Python, so write like that. What do functions do when an argument is wrong?",
      reveal: "A model is good at what it has read: ‘If the argument is not an integer, a \"TypeError\" exception is raised.’ costs about 1.1 bits a character, Shakespeare 3.7.",
    },
  ],
});

const [perplexityBox, bitsBox] = plotRow(page.figure, 2);
const plots = [
  makePlot(perplexityBox, {
    label: "Perplexity of each model on each passage", title: "perplexity: units differ", ratio: 0.55,
    x: { label: "", low: 0.4, high: 1.6, ticks: [] }, y: { label: "per token", low: 1, high: 1000, log: true },
  }),
  makePlot(bitsBox, {
    label: "Bits per character of each model on each passage", title: "bits per character: one unit for all", ratio: 0.55,
    x: { label: "", low: 0.4, high: 1.6, ticks: [] }, y: { label: "bits", low: 0, high: 4 },
  }),
];
const verdict = element("div", { class: "answer" }, page.figure);
const boxes = element("div", { class: "plots plots-2 passages" }, page.figure);
for (const [name, words] of [["a", "passage A"], ["b", "passage B"]]) {
  textBox(page, boxes, name, { label: `${words}, up to ${MAX_PASSAGE.toLocaleString("en")} characters`, most: MAX_PASSAGE, rows: 6 });
}
const asking = makeAsking(page, page.side, {
  question: "compare", what: "The comparison",
  show: (result, asked) => { found = { ...result, asked }; page.redraw(); },
  kept: () => (found ? "What is shown is from before." : ""),
});
const complaint = element("p", { class: "notice", role: "status", hidden: true }, page.side);
select(page, page.side, "text", { label: "all models have learnt from", options: TEXTS });
checkList(page, page.side, "models", { label: "Models", options: MODELS.map(([name, what]) => [name, name, what]) });
checkList(page, page.side, "steps", { label: "Changes to the passages, in this order", options: STEPS.map(([name, what]) => [name, name, what]) });
const saveFigures = saveButtons(page.side, { name: "perplexity", drawings: () => plots.map(({ svg }) => svg), columns: resultColumns });

const honest = element("section", { "aria-label": "The honest table" }, page.more);
element("h2", {}, honest, "The honest table");
const writeRows = table(honest, ["passage", "model", "tokens scored", "line ends", "unknown", "perplexity", "of known tokens", "bits per character", "bits per byte", "gained"], "", { isWide: true });
const warnings = element("details", { class: "fold wary", hidden: true }, page.more);
const warningsTitle = element("summary", {}, warnings, "Be wary");
const warningList = element("ul", {}, warnings);
const maps = makeSurpriseMaps(page, page.more);
const gainSection = element("section", { "aria-label": "What each change gains" }, page.more);
element("h2", {}, gainSection, "What each change gains");
element("p", { class: "said" }, gainSection, "A change that makes a passage easier is charged for what it erased: capitals and line breaks must be told as well, because the passage has to be written down as it was.");
const gainControls = element("div", { class: "controls" }, gainSection);
select(page, gainControls, "gains", { label: "model", options: MODELS.map(([name]) => [name, name]) });
select(page, gainControls, "on", { label: "on", options: PASSAGES.map((name) => [name, name]) });
const writeGains = table(gainSection, ["change", "tokens", "unknown", "perplexity", "bits to restore", "bits per character", "gained"], "", { isWide: true });
const noGains = element("p", { class: "said" }, gainSection);

let asked = "";
page.onRest((values) => {
  const { text, models, a, b, steps, gains, on } = values;
  const sent = { text, models, a, b, steps, gains, on };
  const question = JSON.stringify(sent);
  if (question === asked) return;
  asked = question;
  const wrong = complaintOf(sent);
  setAttributes(complaint, { text: wrong });
  complaint.hidden = !wrong;
  if (models.length && (a.trim() || b.trim())) asking.ask(sent);
});
page.onDraw(() => { if (found !== null) draw(found); });
if (!isServed()) { // what only Python fills
  for (const part of [page.more, perplexityBox.parentNode, verdict, saveFigures]) part.hidden = true;
  page.figure.prepend(asking.box);
}
page.start();
if (found === null) plots.forEach((plot) => plot.draw({ bars: [] }));

function complaintOf({ a, b, models }) {
  const wrong = [
    models.length ? "" : "Tick at least one model.", a.trim() ? "" : "Passage A is empty: type or paste something.",
    b.trim() ? "" : "Passage B is empty: type or paste something.",
  ];
  return wrong.filter(Boolean).join(" ");
}

function bitsOf(passage, model) {
  return found.rows.find((row) => row.passage === passage && row.model === model)?.bits_per_character ?? Infinity;
}

function draw({ rows, warnings: lines, maps: surprise, gains }) {
  drawBars(rows);
  writeVerdict(rows);
  writeRows(rows.map((row) => {
    const best = Math.min(...rows.filter(({ passage }) => passage === row.passage).map((one) => one.bits_per_character));
    return [
      row.passage, row.model, `${row.tokens.toLocaleString("en")} ${row.unit}s`, row.line_ends, `${(100 * row.unknown_share).toFixed(1)} %`,
      `${shortNumber(row.perplexity)} per ${row.unit}`, row.perplexity_known === null ? "–" : shortNumber(row.perplexity_known),
      { text: row.bits_per_character.toFixed(3), best: row.bits_per_character === best }, row.bits_per_byte.toFixed(3),
      row.gained === null ? "" : signed(row.gained),
    ];
  }));
  warnings.hidden = !lines.length;
  setAttributes(warningsTitle, { text: `Be wary: ${lines.length === 1 ? "one reason" : `${lines.length} reasons`}` });
  if (warningList.dataset.lines !== JSON.stringify(lines)) {
    warningList.dataset.lines = JSON.stringify(lines);
    warningList.replaceChildren(...lines.map((line) => element("li", {}, null, line)));
  }
  maps.draw(surprise);
  writeGains(gains.map((row, i) => [
    row.prepare, row.tokens, `${(100 * row.unknown).toFixed(1)} %`, shortNumber(row.perplexity), row.restored_bits.toFixed(3),
    row.bits_per_character.toFixed(3), i ? signed(row.gained) : "",
  ]));
  setAttributes(noGains, { text: gains.length ? "" : "Tick changes to see what each of them gains." });
}

const signed = (value) => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(3)}`;

function drawBars(rows) {
  const models = [...new Set(rows.map(({ model }) => model))];
  const passages = [...new Set(rows.map(({ passage }) => passage))];
  const names = Object.fromEntries(models.map((model, i) => [i + 1, model]));
  const x = { low: 0.4, high: models.length + 0.6, ticks: models.map((_, i) => i + 1), names };
  const bars = (cost) => rows.map((row) => {
    const left = models.indexOf(row.model) + 0.62 + passages.indexOf(row.passage) * 0.4;
    return { from: left, to: left + (passages.length > 1 ? 0.36 : 0.76), value: row[cost], style: PASSAGES.indexOf(row.passage) };
  });
  const legend = passages.map((name) => ({ name, style: PASSAGES.indexOf(name), filled: true }));
  const perplexities = rows.map(({ perplexity }) => perplexity ?? 1);
  plots[0].draw({ x, y: { low: 1, high: 1.6 * Math.max(10, ...perplexities) }, bars: bars("perplexity"), legend });
  plots[1].draw({ x, y: { low: 0, high: 1.1 * Math.max(1, ...rows.map((row) => row.bits_per_character)) }, bars: bars("bits_per_character"), legend });
}

/** Which model looks best on each passage, and which is. */
function writeVerdict(rows) {
  const lines = [...new Set(rows.map(({ passage }) => passage))].map((passage) => {
    const mine = rows.filter((row) => row.passage === passage);
    const least = (cost) => mine.reduce((best, row) => (row[cost] < best[cost] ? row : best));
    const [looks, best] = [least("perplexity"), least("bits_per_character")];
    return `**${passage}**: “${looks.model}” has the lowest perplexity, ${shortNumber(looks.perplexity)} per ${looks.unit}. ` +
      `${looks === best ? "It also has" : `“${best.model}” has`} the fewest bits per character, **${best.bits_per_character.toFixed(3)}**` +
      (looks === best ? "." : `, against ${looks.bits_per_character.toFixed(3)}.`);
  });
  if (verdict.dataset.lines === lines.join("\n")) return;
  verdict.dataset.lines = lines.join("\n");
  verdict.replaceChildren(...lines.map((line) => writeText(element("p"), line)));
}

function resultColumns() {
  const rows = found?.rows ?? [];
  const names = ["passage", "model", "unit", "tokens", "line_ends", "unknown_share", "perplexity", "perplexity_known", "characters", "bits_per_character", "bits_per_byte"];
  return Object.fromEntries(names.map((name) => [name, rows.map((row) => row[name] ?? "")]));
}

function python({ text, models, a, b, steps }) {
  const trained = MODELS.filter(([name]) => models.includes(name)).map(([name, , code]) => `    ${pyText(name)}: ${code},`);
  const passages = [["passage A", a], ["passage B", b]].filter(([, words]) => words.trim()).map(([name, words]) => `    ${pyText(name)}: ${pyText(words)},`);
  return `
import regard

text = regard.find_corpus(${pyText(text)}).text[:1200000]
models = {
${trained.join("\n")}
}
passages = {
${passages.join("\n")}
}
for passage, words in passages.items():
    for name, model in models.items():
        result = model.perplexity(words, name=passage, steps=[${steps.map(pyText).join(", ")}])
        print(passage, name, result.tokens, result.perplexity, result.bits_per_character, sep="; ")
`;
}
