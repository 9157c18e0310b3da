// Chapter 2: mix values in any shares, then take one summand back out of the sum.
import { designQuery } from "../engine/queries.js";
import { identityMatrix } from "../engine/linear.js";
import { recoverPart } from "../engine/subspace.js";
import { select, slider } from "../parts/controls.js";
import { element, shortNumber, writeText } from "../parts/dom.js";
import { saveButtons } from "../parts/export.js";
import { openPage } from "../parts/page.js";
import { makePlot, plotRow } from "../parts/plot.js";
import { pyList, pyNumber } from "../parts/python.js";
import { choiceField, countsField, numberField } from "../parts/state.js";

const MAX_KEYS = 8;
const ERRORS = ["0.1", "0.01", "0.001", "0.0001"];
const DEGREES = Array.from({ length: 90 }, (_, i) => i + 1);
const START = { shares: [1, 1, 0, 0, 0], error: "0.01", angle: 60, length: 1.5 };

const page = openPage({
  question: "How does one query read several values at once, and how is one of them found again in the sum?",
  lead:
    "With orthonormal keys a query can read any mix of the values: equal shares make an average. A key without a share keeps a little " +
    "weight, which shrinks as the query grows. The output is a sum; a projector takes one summand back out.",
  fields: {
    shares: countsField(START.shares, 10, MAX_KEYS),
    error: choiceField(START.error, ERRORS),
    angle: numberField(START.angle, 1, 90),
    length: numberField(START.length, 0.1, 2),
  },
  python,
  steps: [
    {
      text: "Key 0 should get three quarters of the weight, key 1 one quarter, the others nothing. Set the shares.",
      view: START,
      isDone: ({ shares }) => shares[0] > 0 && shares[0] === 3 * shares[1] && shares.slice(2).every((share) => share === 0),
      wait: "Only the ratio of the shares counts.",
      reveal: "Shares 3 and 1 do it: the logits differ by ln 3, and softmax turns differences of logits into ratios of weights.",
    },
    {
      text: "The keys without a share keep 0.1 of the weight. They should keep 0.001, a hundred times less. What happens to the query?",
      view: { ...START, error: "0.1" },
      choices: ["It becomes a hundred times longer", "It becomes about three times longer", "It turns, but keeps its length"],
      right: 1,
      shown: { error: "0.001" },
      reveal: "Weights are exponentials of logits: each factor of ten less costs the same step, ln 10 = 2.3 of the scale C.",
    },
    {
      text: "Let every key have a share: 3, 2, 1, 1 and 1. How much weight ends up where it should not be?",
      view: START,
      shown: { shares: [3, 2, 1, 1, 1] },
      choices: ["None: the mix is exact", "As much as you allow", "It depends on the number of keys"],
      right: 0,
      reveal: "If every weight is positive, logits ln(share) give exactly this mix. Only a weight of zero cannot be reached, because no logit is −∞.",
    },
    {
      text: "Now the sum. Turn *v*_{b} until the orthogonal projector gets *v*_{a} without any error.",
      view: START,
      isDone: ({ angle }) => angle === 90,
      wait: "Its error is the shadow of *v*_{b} on the first axis.",
      reveal: "Only a summand at a right angle leaves no shadow. So what is to be read separately is best written into orthogonal subspaces.",
    },
    {
      text: "At 10 degrees the oblique projector, along *v*_{b}, still gets *v*_{a} exactly. What is the price?",
      view: START,
      shown: { angle: 10 },
      choices: ["There is none", "Noise in the sum grows almost sixfold", "The other summand is lost"],
      right: 1,
      reveal: "Noise across the axis is read as if it were *v*_{b}, and is multiplied by up to 1/sin θ = 5.76.",
    },
  ],
});

const [mixBox, sumBox, curveBox] = plotRow(page.figure, 3);
const mixPlot = makePlot(mixBox, {
  label: "Wanted and reached weight of each key", title: "weight of each key", ratio: 0.3,
  x: { label: "key", low: -0.6, high: 4.6 }, y: { label: "weight", low: 0, high: 1 },
});
const sumPlot = makePlot(sumBox, {
  label: "Two summands, their sum and its projections", title: "the sum and its projections", ratio: 0.72, isEqual: true,
  x: { label: "along A", low: -0.4, high: 3.6 }, y: { label: "across", low: -0.4, high: 2.4 }, onPick: pickSummand,
});
const curvePlot = makePlot(curveBox, {
  label: "Error and noise gain against the angle", title: "error and noise gain", ratio: 0.72,
  x: { label: "angle between the subspaces, degrees", low: 1, high: 90 }, y: { label: "error, gain", low: 0.01, high: 100, log: true },
  onPick: (degrees) => page.change({ angle: Math.round(degrees) }, "angle"),
});

element("h2", {}, page.side, "Mix the values");
const mixText = element("p", { class: "answer" }, page.side);
const mixControls = element("div", { class: "controls" }, page.side);
let remembered = [...page.values.shares]; // so that keys that are taken away and given back have their shares again
slider(page, mixControls, null, {
  label: "keys", low: 2, high: MAX_KEYS, step: 1, get: () => page.values.shares.length, set: setCount, format: String,
});
select(page, mixControls, "error", { label: "what the other keys may keep", options: ERRORS.map((error) => [error, error]) });
const shareRows = Array.from({ length: MAX_KEYS }, (_, i) => slider(page, mixControls, null, {
  label: `share of key ${i}`, low: 0, high: 10, step: 1, format: String,
  get: () => page.values.shares[i] ?? 0,
  set: (share) => setShares(page.values.shares.map((old, j) => (j === i ? share : old)), `share ${i}`),
}).row);
element("h2", {}, page.side, "Take one summand back out");
const sumText = element("p", { class: "answer" }, page.side);
const sumControls = element("div", { class: "controls" }, page.side);
slider(page, sumControls, "angle", { label: "angle between the subspaces", low: 1, high: 90, step: 1, format: (value) => `${shortNumber(value)}°` });
slider(page, sumControls, "length", { label: "length of *v*_{b}", low: 0.1, high: 2, step: 0.1 });
page.confirm(page.side, "confirm", { sent: situation, compare });
saveButtons(page.side, { name: "average", what: "the weights:", drawings: () => [mixPlot.svg], columns: mixColumns });
saveButtons(page.more, { name: "subspace", what: "the sum:", drawings: () => [sumPlot.svg, curvePlot.svg], columns: curveColumns });

function setCount(count) {
  const shares = Array.from({ length: count }, (_, i) => remembered[i] ?? 0);
  setShares(shares, "keys");
}

/** Take these shares; where all would be 0 the first stays, as nothing wanted is no mix. */
function setShares(shares, by) {
  const some = shares.some(Boolean) ? shares : [1, ...shares.slice(1)];
  page.change({ shares: some }, by);
}

function pickSummand(x, y) {
  const [dx, dy] = [Math.max(x - 1, 0.001), Math.max(y, 0)]; // the sum's end is where the pointer is; v_a is (1, 0)
  const angle = Math.min(90, Math.max(1, Math.round((Math.atan2(dy, dx) * 180) / Math.PI)));
  const length = Math.min(2, Math.max(0.1, Math.round(10 * Math.hypot(dx, dy)) / 10));
  page.change({ angle, length }, "summand");
}

function computeMix({ shares, error }) {
  const total = shares.reduce((sum, share) => sum + share, 0);
  const wanted = shares.map((share) => share / total);
  return { wanted, ...designQuery(identityMatrix(shares.length), wanted, { error: Number(error) }) };
}

function computeSum({ angle, length }) {
  const turn = (angle * Math.PI) / 180;
  const axis = [Math.cos(turn), Math.sin(turn)];
  const second = axis.map((part) => length * part);
  const found = recoverPart([1 + second[0], second[1]], [[1], [0]], axis.map((part) => [part]));
  return { second, total: [1 + second[0], second[1]], ...found, size: Math.hypot(...found.error) };
}

page.onDraw((values) => {
  remembered = Array.from({ length: MAX_KEYS }, (_, i) => values.shares[i] ?? remembered[i] ?? 0);
  shareRows.forEach((row, i) => { row.hidden = i >= values.shares.length; });
  drawMix(computeMix(values), values);
  drawSum(computeSum(values), values);
});

function drawMix(mix, { shares }) {
  mixPlot.draw({
    x: { low: -0.6, high: shares.length - 0.4, ticks: shares.map((_, i) => i) },
    legend: [{ name: "wanted", style: 9, filled: true }, { name: "reached", style: 0, filled: true }],
    bars: mix.wanted.flatMap((weight, i) => [
      { from: i - 0.38, to: i - 0.02, value: weight, style: 9 }, { from: i + 0.02, to: i + 0.38, value: mix.weights[i], style: 0 },
    ]),
  });
  const query = mix.query.map((part) => shortNumber(part)).join(", ");
  writeText(mixText, mix.isExact
    ? `The query *q* = (${query}) gives these weights exactly.`
    : `The query *q* = (${query}), at scale *C* = ${shortNumber(mix.scale)}, gives these weights, except that keys without a share ` +
      `keep **${shortNumber(mix.leak, 3)}** of the weight.`);
}

function drawSum(sum, { angle, length }) {
  const columns = curveColumns();
  sumPlot.draw({
    legend: [
      { name: "*v*_{a}", style: 0 }, { name: "*v*_{b}", style: 1 }, { name: "sum", style: 9 },
      { name: "orthogonal", style: 1, filled: true }, { name: "oblique", style: 2, filled: true },
    ],
    lines: [
      { points: [[0, 0], [1, 0]], style: 0 }, { points: [[0, 0], sum.second], style: 1 }, { points: [[0, 0], sum.total], style: 9 },
      { points: [sum.total, sum.projected], style: 3 },
    ],
    points: [
      { at: sum.total, mark: "ring" }, { at: sum.projected, style: 1, mark: "square" }, { at: sum.value, style: 2 },
    ],
    labels: [{ at: sum.total, text: "drag" }],
  });
  curvePlot.draw({
    legend: [{ name: "error, orthogonal", style: 1 }, { name: "noise gain, oblique", style: 2 }],
    lines: [
      { points: DEGREES.map((degree, i) => [degree, columns.error[i]]), style: 1 },
      { points: DEGREES.map((degree, i) => [degree, columns.noise_gain[i]]), style: 2 },
    ],
    points: [{ at: [angle, sum.size], style: 1, mark: "square" }, { at: [angle, sum.noiseGain], style: 2 }],
  });
  writeText(sumText,
    `The orthogonal projector gives *P*_{A}(*v*_{a} + *v*_{b}) = ${shortNumber(sum.projected[0])} where *v*_{a} is 1: an error of ` +
    `**${shortNumber(sum.size)}** = |*v*_{b}| cos θ. The oblique one, along *v*_{b}, gives ${shortNumber(sum.value[0])}; its price is that ` +
    `noise in the sum may grow by **${shortNumber(sum.noiseGain)}** = 1/sin θ.`);
}

function mixColumns() {
  const mix = computeMix(page.values);
  return { key: mix.wanted.map((_, i) => i), wanted: mix.wanted, reached: mix.weights };
}

/** The error of the orthogonal projector, |v_b| cos θ, and the noise gain of the oblique one, 1/sin θ. */
function curveColumns() {
  const turns = DEGREES.map((degree) => (degree * Math.PI) / 180);
  return {
    degrees: DEGREES, error: turns.map((turn) => page.values.length * Math.cos(turn)), noise_gain: turns.map((turn) => 1 / Math.sin(turn)),
  };
}

function situation({ shares, error, angle, length }) {
  return { shares, error: Number(error), angle, length };
}

function compare(told, values) {
  const [mix, sum] = [computeMix(values), computeSum(values)];
  const pairs = [
    ...told.query.map((part, i) => [part, mix.query[i]]), ...told.weights.map((weight, i) => [weight, mix.weights[i]]),
    ...told.projected.map((part, i) => [part, sum.projected[i]]), ...told.recovered.map((part, i) => [part, sum.value[i]]),
    [told.noise_gain, sum.noiseGain],
  ];
  return Math.max(...pairs.map(([left, right]) => Math.abs(left - right) / Math.max(1, Math.abs(left))));
}

function python({ shares, error, angle, length }) {
  return `
import numpy as np
import regard

shares = np.array(${pyList(shares)})
design = regard.mix(np.eye(${shares.length}), shares / shares.sum(), error=${error})
print(design.query, design.weights)

angle = np.radians(${pyNumber(angle)})
axis_a, axis_b = np.array([[1.0], [0.0]]), np.array([[np.cos(angle)], [np.sin(angle)]])
total = axis_a[:, 0] + ${pyNumber(length)} * axis_b[:, 0]
print(regard.extract(total, axis_a))  # orthogonal: errs by |v_b| cos θ
found = regard.recover(total, axis_a, axis_b)
print(found.value, found.noise_gain)  # oblique: exact, but noise grows
`;
}

page.start();
