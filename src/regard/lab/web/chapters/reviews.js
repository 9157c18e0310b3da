// Chapter 8: a verdict on a film review, word by word. Words are left out by a click, shuffled, and the verdict follows.
import { classifyKept, readClassifier, readText, wordShares } from "../engine/averaging.js";
import { createRandom } from "../engine/normal.js";
import { fetchFile } from "../parts/api.js";
import { button } from "../parts/controls.js";
import { element, setAttributes, shape, wholeCharacters } from "../parts/dom.js";
import { saveButtons } from "../parts/export.js";
import { openPage } from "../parts/page.js";
import { choiceField, textField, wholeField } from "../parts/state.js";
import { makePythonPart } from "./reviews-python.js";

const MAX_REVIEW = 4000;
const MAX_BARS = 14;
const [NEGATIVE, POSITIVE] = [0, 1];
const REVIEW =
  "The plot is not bad at all, and the actors are a joy to watch, but the jokes fall flat and the ending is a mess.";

const page = openPage({
  question: "Which words decide whether a review is for or against a film?",
  lead:
    "A small network takes a few numbers for each word, averages them, and reads its verdict off the mean. Click a word to leave it " +
    "out. **Blue** always speaks for positive, **orange** for negative.",
  fields: {
    review: textField(REVIEW, MAX_REVIEW),
    out: {
      start: [], write: (places) => places.join("."), expected: "numbers of words that are left out, with points between",
      read: (text) => text.split(".").filter(Boolean).map((part) => wholeField(0, 0, 999).read(part)),
    },
    seed: wholeField(0, 0, 999_999),
    form: choiceField("classic", ["classic", "strong"]),
    data: choiceField("movie-snippets", ["movie-snippets", "imdb"]),
  },
  python,
  steps: [
    {
      text: "*A dull plot, but the actors are a joy to watch.* Turn the verdict to positive; leave out two words at most.",
      view: { review: "A dull plot, but the actors are a joy to watch.", out: [], seed: 0 },
      isDone: (values) => values.out.length <= 2 && values.out.length > 0 && judge(values)?.probability > 0.5,
      wait: "Look for the words that are most orange.",
      reveal: "Without *dull* and *plot* it is positive. That *plot* speaks against a film is no mistake of the page: of 152 training " +
        "sentences that mention a plot, 107 are negative.",
    },
    {
      text: "The words of the review are about to be shuffled. What happens to the verdict?",
      view: { review: REVIEW, out: [], seed: 0 },
      choices: ["It changes a little", "Nothing at all", "It may turn round"],
      right: 1,
      shown: { seed: 7 },
      reveal: "Nothing at all. A mean does not know which word came first, so a review and a bag of its words are the same to the network.",
    },
    {
      text: "*The film is not bad.* What does the network say?",
      view: { review: "The film is bad.", out: [], seed: 0 },
      shown: { review: "The film is not bad." },
      choices: ["Positive", "Undecided", "Negative"],
      right: 2,
      reveal: "Negative, with 93 %: it is wrong. *bad* speaks against the film, and so does *not*. That *not* turns round what follows it " +
        "cannot be seen in a mean. Leave out *not*: the verdict hardly moves.",
    },
    {
      text: "*The film is not good.* And what does it say of this?",
      view: { review: "The film is good.", out: [], seed: 0 },
      shown: { review: "The film is not good." },
      choices: ["Positive", "Negative"],
      right: 0,
      reveal: "Positive, with 65 %: wrong again. *good* adds 0.8 nats, *not* takes away only 0.2. The classifier below, which reads pairs of " +
        "words too, can know *not good*.",
    },
    {
      text: "*Good, good, good, good, dull.* Four against one: what does the network say?",
      view: { review: "Good, good, good, good.", out: [], seed: 0 },
      shown: { review: "Good, good, good, good, dull." },
      choices: ["Positive", "Negative"],
      right: 1,
      reveal: "Negative, with 92 %. Every word counts once, however often it stands there, and *dull* says more than *good*.",
    },
  ],
});

let classifier = null;
const status = element("p", { class: "said", role: "status" }, page.figure, "The classifier is being fetched …");
fetchFile("../../web/models/films.safetensors").then((bytes) => {
  classifier = readClassifier(bytes);
  status.remove();
  makeView();
  makePythonPart(page, tint);
  page.start();
}).catch((error) => { page.figure.prepend(status); status.textContent = `${error.message}; load the page again.`; });

let last = { key: null };

/** Everything that the page shows of a review; computed once for each view. */
function judge({ review, out, seed }) {
  if (classifier === null) return null;
  const key = JSON.stringify([review, out, seed]);
  if (last.key === key) return last;
  const text = readText(classifier, review);
  const left = new Set(out);
  const kept = text.words.map((_, i) => !left.has(i));
  const logProbs = classifyKept(classifier, text, kept);
  const { shares, baseline } = wordShares(classifier, text, kept, POSITIVE, NEGATIVE);
  const order = shuffle(text.words.length, seed);
  last = { key, text, kept, shares, baseline, order, logOdds: logProbs[POSITIVE] - logProbs[NEGATIVE], probability: Math.exp(logProbs[POSITIVE]) };
  return last;
}

/** 0 … n − 1 in the order that belongs to a seed; 0 leaves it as it is. */
function shuffle(n, seed) {
  const order = Array.from({ length: n }, (_, i) => i);
  if (seed === 0) return order;
  const random = createRandom(seed);
  for (let i = n - 1; i > 0; i -= 1) {
    const j = Math.floor(random.uniform() * (i + 1));
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}

/** The words that are kept, in the order in which they are shown. */
function orderedText({ text, kept, order }) {
  return order.filter((i) => kept[i]).map((i) => text.words[i].text).join(" ") || " ";
}

/** Colour a word by its share: blue for positive, orange for negative, as strong as it is beside the largest. */
function tint(node, share, largest) {
  const strength = largest > 0 ? Math.min(1, Math.abs(share) / largest) : 0;
  node.style.setProperty("--tint", strength < 0.04 ? "0" : (0.15 + 0.85 * strength).toFixed(3));
  node.classList.toggle("against", share < 0);
}

const signed = (value, digits = 2) => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(digits)}`;
const percent = (share) => (share > 0.9995 ? "more than 99.9" : share < 0.0005 ? "less than 0.1" : (100 * share).toFixed(1));

function makeView() {
  const verdict = makeVerdict(page.figure);
  const strip = element("div", { class: "review-words", role: "group", "aria-label": "Words of the review; a click leaves one out or brings it back" }, page.figure);
  const chips = [];
  const bars = makeBars(page.figure);
  const { facts } = classifier;

  const box = element("label", { class: "control text-input" }, page.side);
  element("span", { class: "control-name" }, box, `Your review, at most ${MAX_REVIEW.toLocaleString("en")} characters`);
  const input = element("textarea", { rows: 4, maxlength: MAX_REVIEW }, box);
  input.addEventListener("input", () => page.change({ review: wholeCharacters(input.value), out: [] }, "review"));
  const buttons = element("div", { class: "buttons" }, page.side);
  button(buttons, "Shuffle the words", () => page.change({ seed: 1 + Math.floor(Math.random() * 999_998) }));
  const back = button(buttons, "As it was written", () => page.change({ seed: 0 }));
  const all = button(buttons, "Bring all words back", () => page.change({ out: [] }));
  const sum = element("p", { class: "said", role: "status" }, page.side);
  const usual = element("p", { class: "said" }, page.side);
  page.confirm(page.side, "confirm", {
    sent: () => ({ text: orderedText(judge(page.values)) }),
    compare: (answer) => {
      const { shares, kept, order, logOdds, baseline } = judge(page.values);
      const mine = order.filter((i) => kept[i]).map((i) => shares[i]);
      const words = answer.pieces.filter(([text]) => text.trim());
      if (words.length !== mine.length) return NaN;
      const parts = words.map(([, share], i) => Math.abs(share - mine[i]));
      return Math.max(Math.abs(answer.log_odds - logOdds), Math.abs(answer.baseline - baseline), ...parts);
    },
    hear: ({ familiarity }) => {
      if (familiarity === null) return;
      const warnings = familiarity.warnings.map((warning) => ` Unlike the training reviews: ${warning}.`).join("");
      usual.textContent = `Answers like this one were right in about ${(100 * familiarity.expected_accuracy).toFixed(0)} of 100 reviews.${warnings}`;
    },
  });
  element("p", { class: "said" }, page.side,
    `The network ships with Regard: ${facts.words.toLocaleString("en")} words, ${facts.hidden} numbers each. It learnt from ${facts.trained_on} of ` +
    `film reviews and is right in ${(100 * facts.accuracy).toFixed(1)} ± ${(100 * facts.standard_error).toFixed(1)} % of ${facts.measured_on}.`);

  function draw(values) {
    const now = judge(values);
    if (input.value !== values.review) input.value = values.review;
    verdict.draw(now);
    drawWords(now);
    bars.draw(now);
    back.disabled = values.seed === 0;
    all.disabled = values.out.length === 0;
    const unknown = now.text.words.filter(({ row }) => row < 0).length;
    const added = now.logOdds - now.baseline;
    setAttributes(sum, {
      text: now.text.words.length === 0 ? "Write something: without a word, the network has nothing to go by." :
        `Log-odds of positive: ${signed(now.logOdds)} nats = ${signed(now.baseline)} before any word ${signed(added)} for the words.` +
        (unknown ? ` ${unknown} of ${now.text.words.length} words are unknown to it and count for nothing.` : ""),
    });
  }

  function drawWords({ text, kept, shares, order }) {
    const before = chips.length <= 150 ? chips.map((chip) => chip.getBoundingClientRect()) : [];
    const moved = strip.dataset.order !== order.join();
    while (chips.length > text.words.length) chips.pop().remove();
    const largest = Math.max(...shares.map(Math.abs), 0.05);
    text.words.forEach((word, i) => {
      const chip = (chips[i] ??= button(strip, "", () => toggle(i), { class: "word" }));
      setAttributes(chip, { text: word.text, "aria-pressed": String(kept[i]), title: describe(word, kept[i], shares[i]) });
      chip.classList.toggle("unknown", word.row < 0);
      tint(chip, kept[i] ? shares[i] : 0, largest);
    });
    if (!moved) return;
    const isSame = strip.dataset.review === text.words.map(({ word }) => word).join(" ");
    strip.dataset.order = order.join();
    strip.dataset.review = text.words.map(({ word }) => word).join(" ");
    for (const i of order) strip.append(chips[i]);
    if (isSame && matchMedia("(prefers-reduced-motion: no-preference)").matches) glide(before);
  }

  /** Words glide from where they were to where they are now. */
  function glide(before) {
    before.forEach(({ left, top }, i) => {
      const now = chips[i].getBoundingClientRect();
      chips[i].animate([{ transform: `translate(${left - now.left}px, ${top - now.top}px)` }, { transform: "none" }], { duration: 450, easing: "ease" });
    });
  }

  function toggle(i) {
    const { out } = page.values;
    page.change({ out: out.includes(i) ? out.filter((place) => place !== i) : [...out, i].sort((a, b) => a - b) });
  }

  const describe = ({ row }, isKept, share) =>
    row < 0 ? "unknown to the network" : !isKept ? "left out" : `${signed(share)} nats for ${share < 0 ? "negative" : "positive"}`.replace(/[−+]/, "");

  page.onDraw(draw);
  saveButtons(page.figure, {
    name: "review", drawings: () => [verdict.svg, bars.svg],
    columns: () => {
      const rows = rowsOf(judge(page.values), Infinity);
      return { word: rows.map(({ name }) => JSON.stringify(name)), times: rows.map(({ times }) => times), nats: rows.map(({ share }) => share) };
    },
  });
}

/** The verdict as one bar: negative on the left in orange, positive on the right in blue. */
function makeVerdict(parent) {
  const svg = shape("svg", { class: "verdict-bar plot", role: "img" }, parent);
  const [low, high] = [shape("rect", { class: "c1", x: 0, y: 26, height: 22 }, svg), shape("rect", { class: "c0", y: 26, height: 22 }, svg)];
  shape("path", { class: "rule" }, svg);
  const names = ["start", "end"].map((anchor) => shape("text", { class: "verdict-name", y: 18, "text-anchor": anchor }, svg));
  const draw = ({ probability }) => {
    const width = Math.max(240, Math.floor(parent.getBoundingClientRect().width));
    const at = (1 - probability) * width;
    setAttributes(svg, {
      viewBox: `0 0 ${width} 52`, width, height: 52,
      "aria-label": `${probability > 0.5 ? "positive" : "negative"}, ${percent(Math.max(probability, 1 - probability))} %`,
    });
    setAttributes(low, { width: Math.max(0, at - 1) });
    setAttributes(high, { x: at + 1, width: Math.max(0, width - at - 1) });
    setAttributes(svg.children[2], { d: `M${width / 2} 22v30` });
    setAttributes(names[0], { x: 0, text: `negative ${percent(1 - probability)} %`, class: `verdict-name${probability > 0.5 ? "" : " best"}` });
    setAttributes(names[1], { x: width, text: `positive ${percent(probability)} %`, class: `verdict-name${probability > 0.5 ? " best" : ""}` });
  };
  new ResizeObserver(() => { const now = judge(page.values); if (now) draw(now); }).observe(parent);
  return { svg, draw };
}

/** Every different word with what it does, the largest first; what is left over together, and what holds before any word. */
function rowsOf({ text, kept, shares, baseline }, most) {
  const found = new Map();
  text.words.forEach(({ word }, i) => {
    if (!kept[i] || shares[i] === 0) return;
    const row = found.get(word) ?? { name: word, times: 0, share: 0 };
    found.set(word, { ...row, times: row.times + 1, share: row.share + shares[i] });
  });
  const rows = [...found.values()].sort((a, b) => Math.abs(b.share) - Math.abs(a.share));
  const others = rows.slice(most);
  const together = { name: `${others.length} other words`, times: 1, share: others.reduce((sum, { share }) => sum + share, 0) };
  return [...rows.slice(0, most), ...(others.length ? [together] : []), { name: "(before any word)", times: 1, share: baseline }];
}

/** Bars to the left for negative, to the right for positive; with all of them the log-odds are whole. */
function makeBars(parent) {
  const box = element("div", { class: "plot-box" }, parent);
  const svg = shape("svg", { class: "plot", role: "img", "aria-label": "What each word adds to the log-odds of positive, in nats" }, box);
  const draw = (now) => {
    const rows = rowsOf(now, MAX_BARS);
    const unit = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
    const width = Math.max(280, Math.floor(box.getBoundingClientRect().width));
    const [name, value, high] = [130 * unit, 56 * unit, 22 * unit];
    const room = width - name - 2 * value;
    const [left, right] = [-1, 1].map((side) => Math.max(...rows.map(({ share }) => side * share), 0.05));
    const least = Math.min(0.5, Math.max(0.25, (48 * unit) / room)); // of the room, for either side
    const middle = name + value + room * Math.min(1 - least, Math.max(least, left / (left + right)));
    const scale = Math.min((middle - name - value) / left, (width - value - middle) / right);
    const height = 26 * unit + rows.length * high + 6;
    setAttributes(svg, { viewBox: `0 0 ${width} ${height}`, width, height });
    const group = shape("g", {});
    const write = (x, y, text, anchor, kind = "note") => { shape("text", { class: kind, x, y, "text-anchor": anchor }, group).textContent = text; };
    write(middle - 8, 15 * unit, "← for negative", "end", "tick");
    write(middle + 8, 15 * unit, "for positive →", "start", "tick");
    write(name - 8 * unit, 15 * unit, "nats", "end", "tick");
    shape("path", { class: "axis", d: `M${middle} ${22 * unit}v${rows.length * high + 4}` }, group);
    rows.forEach(({ name: word, times, share }, k) => {
      const y = 26 * unit + k * high;
      const long = Math.abs(share) * scale;
      const shown = word.length > 17 ? `${word.slice(0, 16)}…` : word;
      write(name - 8 * unit, y + 0.68 * high, times > 1 ? `${shown} ×${times}` : shown, "end");
      shape("rect", { class: `bar c${share < 0 ? 1 : 0}`, x: share < 0 ? middle - long : middle, y: y + 2, width: Math.max(0.5, long), height: high - 5 }, group);
      write(share < 0 ? middle - long - 5 : middle + long + 5, y + 0.68 * high, signed(share), share < 0 ? "end" : "start", "tick");
    });
    svg.replaceChildren(group);
  };
  new ResizeObserver(() => { const now = judge(page.values); if (now) draw(now); }).observe(box);
  return { svg, draw };
}

function python(values) {
  const now = judge(values);
  return `
from regard.evaluation.attribution import explain
from regard.lab.chapters.reviews.page_classifier import shipped_classifier

classifier = shipped_classifier()
review = ${JSON.stringify(orderedText(now))}
found = explain(classifier, review)
print(found.probabilities)
for start, end, nats in zip(found.attribution.starts, found.attribution.ends, found.shares):
    print(review[start:end], nats, "nats for", found.label)
`;
}
