// The deep averaging classifier in the page: the words of one text, each of which can be left out, and the verdict.
//
//   m = Σ αᵢ row(wᵢ) over the different known words that are kept,   logits = bias + factor · (W₂ f(m + b₁) + b₂)
//
// The numbers of a text's words come from `page_classifier.py`: {labels, words, rows, scores, bias, layers, activation,
// factor, labelBias}. Order plays no part: a shuffled text has the same words.
import {requireMatrix, requireVector, requireWhole} from "./check.js";
import {logSumExp, softmax} from "./softmax.js";
import {normalCdf} from "./normal.js";
import {sigmoid} from "./moments.js";

const ACTIVATIONS = {
  relu: (x) => Math.max(x, 0),
  tanh: Math.tanh,
  sigmoid,
  gelu: (x) => x * normalCdf(x),
  linear: (x) => x,
};

/** The classifier of one text's words, checked. */
export function readAveraging(given) {
  const {labels, words, rows, scores, bias, layers, activation, labelBias} = given ?? {};
  if (!Array.isArray(labels) || labels.length < 2 || !Array.isArray(words) || !Array.isArray(rows)) {
    throw new RangeError("this is no classifier of a text's words: labels, words or rows are missing");
  }
  requireVector("bias", bias);
  if (rows.length) requireMatrix("rows", rows, null, bias.length);
  if (scores !== null) requireVector("scores", scores, Math.max(rows.length, 1));
  requireVector("labelBias", labelBias, labels.length);
  if (!(activation in ACTIVATIONS)) throw new RangeError(`the activations are ${Object.keys(ACTIVATIONS).join(", ")}`);
  for (const {row} of words) requireWhole("a word's row", row, -1, rows.length - 1);
  layers.reduce((width, {matrix, bias: own}) => {
    requireMatrix("a layer's matrix", matrix, own.length, width);
    return own.length;
  }, bias.length);
  return given;
}

/** ln p of every label where only some words are kept: `kept[i]` says whether word i is. */
export function classifyKept(classifier, kept) {
  const {words, rows, scores, bias, layers, activation, factor, labelBias} = classifier;
  if (kept.length !== words.length) throw new RangeError(`expected ${words.length} words to keep or leave out; got ${kept.length}`);
  const found = [...new Set(words.flatMap(({row}, i) => (kept[i] && row >= 0 ? [row] : [])))];
  const weights = scores === null ? found.map(() => 1 / found.length) : found.length ? softmax(found.map((row) => scores[row])) : [];
  let x = bias.map((value, axis) => found.reduce((sum, row, k) => sum + weights[k] * rows[row][axis], value));
  const activate = ACTIVATIONS[activation];
  for (const {matrix, bias: own} of layers) {
    const active = x.map(activate);
    x = matrix.map((row, out) => row.reduce((sum, value, i) => sum + value * active[i], own[out]));
  }
  const logits = x.map((value, label) => labelBias[label] + factor * value);
  const total = logSumExp(logits);
  return logits.map((value) => value - total);
}

/** By how much the log-odds of a label against all others fall when each word, with all its twins, is left out. */
export function wordEffects(classifier, kept, label) {
  const odds = (logProbs) => logProbs[label] - logSumExp(logProbs.filter((_, other) => other !== label));
  const whole = odds(classifyKept(classifier, kept));
  return classifier.words.map(({row}, i) => {
    if (!kept[i] || row < 0) return 0;
    return whole - odds(classifyKept(classifier, kept.map((yes, j) => yes && classifier.words[j].row !== row)));
  });
}
