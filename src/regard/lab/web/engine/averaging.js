// The deep averaging classifier in the page: the words of one text, each of which can be left out, and the verdict.
//
//   m = Σ αᵢ row(wᵢ) over the different known words that are kept,   logits = bias + factor · (W₂ f(m + b₁) + b₂)
//
// The file is written by `page_classifier.py`. Order plays no part: a shuffled text has the same words.
import {requireWhole} from "./check.js";
import {logSumExp, softmax} from "./softmax.js";
import {normalCdf} from "./normal.js";
import {sigmoid} from "./moments.js";
import {readSafetensors} from "./safetensors.js";
import {splitWords} from "./words.js";

const MAX_WORDS = 4000; // of a text
const SIZES = {labels: 50, words: 100000, hidden: 512, layers: 4};
const NODES = 64; // of the mean slope, where no kinks give it exactly
const ACTIVATIONS = {
  relu: (x) => Math.max(x, 0),
  tanh: Math.tanh,
  sigmoid,
  gelu: (x) => x * normalCdf(x),
  linear: (x) => x,
};

/** The classifier in a file; one that is none, or is damaged, is refused. */
export function readClassifier(buffer) {
  const {metadata, tensors} = readSafetensors(buffer);
  const about = parseAbout(metadata);
  const words = about.words.split("\n");
  const take = (name, ...shape) => {
    const found = tensors[name];
    if (!found || found.shape.join() !== shape.join()) throw new RangeError(`the classifier lacks a sound tensor ${name}`);
    return Float64Array.from(found.data);
  };
  const hidden = requireWhole("the classifier's width", tensors.rows?.shape[1] ?? 0, 1, SIZES.hidden);
  const layers = [];
  for (let width = hidden; `layers.${layers.length}.matrix` in tensors; ) {
    const at = `layers.${layers.length}`;
    const out = requireWhole("a layer's width", tensors[`${at}.matrix`].shape[0], 1, SIZES.hidden);
    layers.push({matrix: asRows(take(`${at}.matrix`, out, width), width), bias: take(`${at}.bias`, out)});
    requireWhole("the number of layers", layers.length, 1, SIZES.layers);
    width = out;
  }
  return {
    labels: about.labels, facts: about.facts ?? {}, activation: about.activation, lengths: about.lengths, factors: about.factors, layers,
    rowOf: new Map(words.map((word, row) => [word, row])),
    rows: take("rows", words.length, hidden), hidden,
    scores: "scores" in tensors ? take("scores", words.length) : null,
    bias: take("words.bias", hidden), labelBias: take("bias", about.labels.length),
  };
}

function parseAbout(metadata) {
  try {
    const about = JSON.parse(metadata.regard);
    const {kind, labels, words, activation, lengths, factors} = about;
    const isSound = kind === "averaging" && typeof words === "string" && labels.length >= 2 && labels.length <= SIZES.labels &&
      activation in ACTIVATIONS && lengths.length >= 1 && lengths.length === factors.length && [...lengths, ...factors].every(Number.isFinite);
    if (isSound && words.split("\n").length <= SIZES.words) return about;
  } catch {
    // told below
  }
  throw new RangeError("this is no averaging classifier: the file does not say what it holds");
}

const asRows = (numbers, width) => Array.from({length: numbers.length / width}, (_, i) => numbers.slice(i * width, (i + 1) * width));

/** The words of a text with their rows, −1 for an unknown one, and how much the words' part counts in a text of this length. */
export function readText(classifier, text) {
  const words = splitWords(text).map((word) => ({...word, row: classifier.rowOf.get(word.word) ?? -1}));
  if (words.length > MAX_WORDS) throw new RangeError(`a text must have at most ${MAX_WORDS} words; this one has ${words.length}`);
  const known = Math.max(1, words.filter(({row}) => row >= 0).length);
  return {words, factor: interpolate(Math.log(known), classifier.lengths.map(Math.log), classifier.factors)};
}

function interpolate(x, xs, ys) {
  const after = xs.findIndex((knot) => knot > x);
  if (after === 0) return ys[0];
  if (after < 0) return ys.at(-1);
  return ys[after - 1] + ((ys[after] - ys[after - 1]) * (x - xs[after - 1])) / (xs[after] - xs[after - 1]);
}

/** α of each different known word that is kept: Map from row to weight. */
function weightsOf({scores}, {words}, kept) {
  if (kept.length !== words.length) throw new RangeError(`expected ${words.length} words to keep or leave out; got ${kept.length}`);
  const rows = [...new Set(words.flatMap(({row}, i) => (kept[i] && row >= 0 ? [row] : [])))];
  const weights = scores === null ? rows.map(() => 1 / rows.length) : rows.length ? softmax(rows.map((row) => scores[row])) : [];
  return new Map(rows.map((row, k) => [row, weights[k]]));
}

/** What every hidden unit gets, layer by layer, and last the logits of the words' part, from the mean of the rows. */
function layerInputs({bias, layers, activation}, mean) {
  const inputs = [Array.from(bias, (value, axis) => value + mean[axis])];
  for (const {matrix, bias: own} of layers) {
    const active = inputs.at(-1).map(ACTIVATIONS[activation]);
    inputs.push(matrix.map((row, out) => row.reduce((sum, value, i) => sum + value * active[i], own[out])));
  }
  return inputs;
}

function meanOf({rows, hidden}, weights) {
  const mean = new Float64Array(hidden);
  for (const [row, weight] of weights) for (let i = 0; i < hidden; i += 1) mean[i] += weight * rows[row * hidden + i];
  return mean;
}

/** ln p of every label where only some words are kept: `kept[i]` says whether word i is. */
export function classifyKept(classifier, text, kept) {
  const said = layerInputs(classifier, meanOf(classifier, weightsOf(classifier, text, kept))).at(-1);
  const logits = said.map((value, label) => classifier.labelBias[label] + text.factor * value);
  const total = logSumExp(logits);
  return logits.map((value) => value - total);
}

/**
 * What each kept word does to the log-odds of one label against another, in nats, by integrated gradients: with those of the empty
 * text, `baseline`, they add up to the log-odds. A word that stands several times is given its share in equal parts.
 */
export function wordShares(classifier, text, kept, label, against) {
  const weights = weightsOf(classifier, text, kept);
  const mean = meanOf(classifier, weights);
  const slopes = meanSlopes(classifier, mean, label, against);
  const count = new Map();
  text.words.forEach(({row}, i) => { if (kept[i] && row >= 0) count.set(row, (count.get(row) ?? 0) + 1); });
  const {rows, hidden} = classifier;
  const shares = text.words.map(({row}, i) => {
    if (!kept[i] || row < 0) return 0;
    let sum = 0;
    for (let axis = 0; axis < hidden; axis += 1) sum += rows[row * hidden + axis] * slopes[axis];
    return (text.factor * weights.get(row) * sum) / count.get(row);
  });
  const empty = classifyKept(classifier, text, kept.map(() => false));
  return {shares, baseline: empty[label] - empty[against]};
}

/** The mean over t from 0 to 1 of the slope of logit(label) − logit(against) by the mean, at t · mean. */
function meanSlopes(classifier, mean, label, against) {
  const sum = new Float64Array(classifier.hidden);
  for (const [time, width] of times(classifier, mean)) {
    const at = slopesAt(classifier, mean.map((value) => time * value), label, against);
    for (let i = 0; i < sum.length; i += 1) sum[i] += width * at[i];
  }
  return sum;
}

/** Times and their weights: of relu the middles between kinks, between which slopes do not change; else a fine rule. */
function times(classifier, mean) {
  if (classifier.activation !== "relu") return Array.from({length: NODES * NODES}, (_, i) => [(i + 0.5) / NODES ** 2, 1 / NODES ** 2]);
  let ends = [0, 1];
  for (let depth = 0; depth < classifier.layers.length; depth += 1) {
    const inputs = ends.map((time) => layerInputs(classifier, mean.map((value) => time * value))[depth]);
    const crossings = [];
    for (let k = 0; k + 1 < ends.length; k += 1) {
      inputs[k].forEach((before, unit) => {
        const after = inputs[k + 1][unit];
        if (before * after < 0) crossings.push(ends[k] + ((ends[k + 1] - ends[k]) * before) / (before - after));
      });
    }
    ends = [...new Set([...ends, ...crossings])].sort((a, b) => a - b);
  }
  return ends.slice(1).map((end, k) => [(end + ends[k]) / 2, end - ends[k]]);
}

function slopesAt(classifier, mean, label, against) {
  const {layers, activation} = classifier;
  const inputs = layerInputs(classifier, mean);
  let slopes = inputs.at(-1).map((_, out) => (out === label) - (out === against));
  for (let depth = layers.length - 1; depth >= 0; depth -= 1) {
    const {matrix} = layers[depth];
    slopes = inputs[depth].map((x, i) => slopeOf(activation, x) * slopes.reduce((sum, slope, out) => sum + slope * matrix[out][i], 0));
  }
  return slopes;
}

function slopeOf(activation, x) {
  if (activation === "relu") return x > 0 ? 1 : 0;
  if (activation === "tanh") return 1 - Math.tanh(x) ** 2;
  if (activation === "sigmoid") return sigmoid(x) * sigmoid(-x);
  if (activation === "gelu") return normalCdf(x) + (x * Math.exp((-x * x) / 2)) / Math.sqrt(2 * Math.PI);
  return 1;
}
