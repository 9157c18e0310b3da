// Chapter 3: a key whose length varies, and what that does to the output; as an exercise, and in the plane.
import { FINE, QUICK } from "../engine/kernel.js";
import { identityMatrix } from "../engine/linear.js";
import { logitLaw, outputLaw } from "../engine/noise.js";
import { createRandom } from "../engine/normal.js";
import { logSumExp } from "../engine/softmax.js";
import { weightLaw } from "../engine/weight_law.js";
import { button, select, slider, table, tabs } from "../parts/controls.js";
import { element, shortNumber, writeText } from "../parts/dom.js";
import { saveButtons } from "../parts/export.js";
import { openPage } from "../parts/page.js";
import { makePlot, plotRow } from "../parts/plot.js";
import { pyNumber } from "../parts/python.js";
import { choiceField, numberField, wholeField } from "../parts/state.js";
import { makeSweep } from "../parts/sweep.js";
import { checkDesigns } from "./noise-designs.js";
import { PLANE_START, makeNoisePlane, planeFields } from "./noise-plane.js";

const N_DRAWS = 600;
const SCALES = Array.from({ length: 33 }, (_, i) => 0.3 * (100 / 0.3) ** (i / 32));
const LOPSIDED = 0.9; // a weight above this, or below one minus this, is a flip: the output is one value, not the average
const WANTED = 2;
const EVERYWHERE = ["0", "0.0001", "0.001", "0.01"];
const DESIGNS = ["one pull head", "one push head"];
const START = { view: "exercise", scale: 10, variance: 0.5, n: 6, everywhere: "0.0001", seed: 0 };

const page = openPage({
  question: "Two values are to be averaged, but one key varies in length. Which query notices, and which does not?",
  lead:
    "The key *k*_{a} = (1 + *g*) *μ*_{a} keeps its direction, not its length. A query that *pulls* towards both wanted keys turns *g* into " +
    "a difference of logits *C g* and flips between the two values. One that *pushes* the other keys away gives both wanted keys the logit 0.",
  fields: {
    view: choiceField(START.view, ["exercise", "plane"]),
    scale: numberField(START.scale, 0.3, 100),
    variance: numberField(START.variance, 0, 1),
    n: wholeField(START.n, 3, 20),
    everywhere: choiceField(START.everywhere, EVERYWHERE),
    seed: wholeField(START.seed, 0, 999_999),
    ...planeFields,
  },
  python: (values) => (values.view === "plane" ? plane.python(values) : python(values)),
  check: checkDesigns,
  steps: [
    {
      text: "Pulling at scale 10: how often does the output flip, so that one of the two values has more than 0.9 of the weight?",
      view: { ...START, scale: 1 },
      choices: ["Almost never", "About one time in three", "About three times in four"],
      right: 2,
      shown: { scale: 10 },
      reveal: "The logits differ by *C g*, and *g* is typically 0.7, so they typically differ by 7. Softmax then reads one key and hardly the other.",
    },
    {
      text: "Make the pull head flip in fewer than one of a hundred draws, without changing the noise.",
      view: START,
      isDone: (values) => values.view === "exercise" && values.variance === 0.5 && outcomes(values)[0].flips < 0.01,
      wait: "Try the scale.",
      reveal: "A short query turns the noise into small differences of logits. The price: it also reads the other keys, so the average is impure.",
    },
    {
      text: "The push head gives both wanted keys the logit 0. Its variance is not quite 0 and grows with the scale. Why?",
      view: START,
      choices: ["The length of key a does matter", "The noise in every direction", "The other keys are read"],
      right: 1,
      shown: { everywhere: "0" },
      reveal:
        "A logit (1 + *g*) · 0 stays 0 whatever *g* is. What is left comes from the small noise in every direction, which the query " +
        "multiplies by its length. With that set to 0, as it is now, the push head's output does not vary at all.",
    },
    {
      text: "In the plane: pull flips in 5 of 100 draws. Drag its arrow until fewer than 1 of 1000 flip, with more than 0.85 of the weight on values 0 and 1.",
      view: { ...START, ...PLANE_START, view: "plane", design: "pull" },
      isDone: (values) => values.view === "plane" && values.design === "pull" && plane.facts()?.flips < 0.001 && plane.facts().wanted > 0.85,
      wait: "A shorter query turns the noise into smaller differences of logits. Flips and weights stand beside the figure.",
      reveal:
        "A shorter query flips less, but reads more of key 2. Turning it towards *push* helps as well: the closer it comes to a right angle " +
        "with key 0, the less of that key's length it sees.",
    },
    {
      text: "The robust query stands between pull and push. Where does it go when the length of key 0 no longer varies?",
      view: { ...START, ...PLANE_START, view: "plane", design: "robust" },
      choices: ["To pull", "To push", "It stays"],
      right: 0,
      shown: { lengths: [[0, 0, 0]] },
      reveal:
        "Without that noise nothing speaks against pulling, and a longer query leaves key 2 further behind. Drag the diamond of key 0 out again: " +
        "the more its length varies, the further the robust query turns towards push.",
    },
  ],
});

tabs(page, page.figure, "view", { label: "View", options: [["exercise", "The exercise"], ["plane", "Noise in the plane"]] });
const exercise = element("div", {}, page.figure);
const side = element("div", { class: "side" }, page.side);
const [keyBox, curveBox, pullBox, pushBox] = plotRow(exercise, 4);
const keyPlot = makePlot(keyBox, {
  label: "Draws of the noisy key", title: `${N_DRAWS} draws of key a`, ratio: 0.62, isEqual: true,
  x: { label: "along *μ*_{a}", low: -1.5, high: 3.5 }, y: { label: "along *μ*_{b}", low: -0.9, high: 1.3 },
});
const curvePlot = makePlot(curveBox, {
  label: "Variance of the output against the scale", title: "exact variance of the output", ratio: 0.62,
  x: { label: "scale C of the query", low: 0.3, high: 100, log: true }, y: { label: "variance", low: 1e-5, high: 1, log: true },
  onPick: (scale) => page.change({ scale: Number(scale.toPrecision(3)) }, "scale"),
});
const weightPlots = [pullBox, pushBox].map((box, i) => makePlot(box, {
  label: `Weight of key a, ${DESIGNS[i]}`, title: `${DESIGNS[i]}: draws and exact density`, ratio: 0.62,
  x: { label: "weight of key a", low: 0, high: 1 }, y: { label: "density", low: 0, high: 8 },
}));
const writeTable = table(side, ["design", "variance, exact", `over ${N_DRAWS} draws`, "chance of a flip, exact"]);
element("p", { class: "said" }, side, `In a flip, key a has more than ${LOPSIDED} of the weight, or less than 0.1, where it should have one half.`);
const verdict = element("p", { class: "answer" }, side);
const controls = element("div", { class: "controls" }, side);
slider(page, controls, "scale", { label: "scale C", low: 0.3, high: 100, step: 0.005, log: true, format: (value) => value.toPrecision(3) });
slider(page, controls, "variance", { label: "variance of the length", low: 0, high: 1, step: 0.01, format: (value) => value.toFixed(2) });
slider(page, controls, "n", { label: "keys", low: 3, high: 20, step: 1, format: String });
select(page, controls, "everywhere", { label: "noise in every direction", options: EVERYWHERE.map((value) => [value, value]) });
const row = element("div", { class: "buttons" }, side);
button(row, "Draw again", () => page.change({ seed: (page.values.seed + 1) % 1_000_000 }));
saveButtons(row, { name: "noisy-keys", drawings: () => [keyPlot, curvePlot, ...weightPlots].map((plot) => plot.svg), columns });
page.confirm(side, "confirm", { sent: situation, compare });
const plane = makeNoisePlane(page, page.figure, page.side);

/** The exercise: orthonormal keys of which the first varies in length, and the two queries without their scale. */
function setting({ n, variance, everywhere }) {
  const keys = identityMatrix(n);
  const pull = keys.map((_, i) => (i < WANTED ? 1 : 0));
  return {
    noise: { keys, radial: keys.map((_, i) => (i === 0 ? variance : 0)), isotropic: Number(everywhere) },
    queries: [pull, pull.map((part) => part - 1)],
  };
}

const memo = { name: null };
/** Of both designs: the exact variance of the output, the chance of a flip, and the law of the first key's weight. */
function outcomes(values) {
  const name = `${values.n} ${values.variance} ${values.everywhere} ${values.scale} ${page.isMoving}`;
  if (memo.name !== name) Object.assign(memo, { name, found: computeOutcomes(values) });
  return memo.found;
}

/** Whether the log-odds of key a, which move by twice the largest change of a logit at most, can reach ±ln 9 within 8 sd. */
function canFlip(mean, sd) {
  const odds = mean[0] - logSumExp(mean.slice(1));
  return Math.abs(odds) + 16 * Math.max(...sd) > Math.log(LOPSIDED / (1 - LOPSIDED));
}

function computeOutcomes(values) {
  const { noise, queries } = setting(values);
  const precision = page.isMoving ? QUICK : FINE;
  return queries.map((query) => {
    const logits = logitLaw(noise, [query], values.scale);
    const [mean, sd] = [logits.mean[0], logits.sd[0]];
    const { variance } = outputLaw({ ...noise, values: noise.keys, queries: [query], scale: values.scale, precision });
    const law = canFlip(mean, sd) ? weightLaw(mean, sd, 0) : null;
    return { variance: variance < 1e-30 ? 0 : variance, flips: law ? law.flips(LOPSIDED) : 0, law, mean, sd };
  });
}

const drawn = { name: null };
/** The same standard normal numbers for one seed, so that draws move with the controls and do not jump. */
function normals({ seed, n }) {
  if (drawn.name !== `${seed},${n}`) {
    const random = createRandom(seed);
    const list = (length) => Float64Array.from({ length }, () => random.normal());
    Object.assign(drawn, { name: `${seed},${n}`, length: list(N_DRAWS), across: list(2 * N_DRAWS), logits: [list(n * N_DRAWS), list(n * N_DRAWS)] });
  }
  return drawn;
}

/**
 * Draws of the weights of one design, `n` in a row for each; key a's length is the one that is drawn in the plane. Plain loops: this
 * runs at every frame.
 */
function drawWeights(values, design, { mean, sd }) {
  const { length, logits } = normals(values);
  const { n } = values;
  const spread = Math.sqrt(Number(values.everywhere)) * values.scale * Math.sqrt(design === 0 ? WANTED : n - WANTED);
  const long = Math.sqrt(values.variance) * mean[0];
  const weights = new Float64Array(n * N_DRAWS);
  for (let d = 0; d < N_DRAWS; d += 1) {
    let [top, total] = [-Infinity, 0];
    for (let i = 0, at = d * n; i < n; i += 1, at += 1) {
      weights[at] = mean[i] + (i === 0 ? long * length[d] : 0) + (sd[i] > 0 ? spread * logits[design][at] : 0);
      if (weights[at] > top) top = weights[at];
    }
    for (let at = d * n; at < (d + 1) * n; at += 1) total += weights[at] = Math.exp(weights[at] - top);
    for (let at = d * n; at < (d + 1) * n; at += 1) weights[at] /= total;
  }
  return weights;
}

const sweep = makeSweep(page.redraw);
function curves(values) {
  const { noise, queries } = setting(values);
  const name = `${values.n} ${values.variance} ${values.everywhere}`;
  const found = sweep(name, 2 * SCALES.length, (place) =>
    outputLaw({ ...noise, values: noise.keys, queries: [queries[place % 2]], scale: SCALES[place >> 1], precision: QUICK }).variance);
  return DESIGNS.map((_, i) => SCALES.map((scale, k) => [scale, found[2 * k + i]]));
}

page.onDraw((values) => {
  const isPlane = values.view === "plane";
  exercise.hidden = side.hidden = isPlane;
  if (isPlane) return;
  const found = outcomes(values);
  const samples = found.map((one, i) => drawWeights(values, i, one));
  drawKeyCloud(values);
  drawCurves(values, found);
  found.forEach((one, i) => drawDensity(weightPlots[i], one, samples[i].filter((_, at) => at % values.n === 0), i));
  writeTable(found.map((one, i) => [
    DESIGNS[i], shortNumber(one.variance), shortNumber(sampledVariance(samples[i], values.n)), one.flips > 1e-9 ? shortNumber(one.flips, 3) : "< 1e-9",
  ]));
  writeText(verdict, verdictText(values, found));
  verdict.hidden = values.step === 3 && values.everywhere !== "0"; // it would tell what that step asks
});

function verdictText({ everywhere, variance }, [pull, push]) {
  if (variance === 0 && everywhere === "0") return "Without any noise nothing varies, whatever the query.";
  if (everywhere === "0") return "Here *g* is the only noise: the output of the pull head varies with it; to the push head **it changes nothing at all**.";
  return (
    `The length of key a does not reach the push head. What is left of its variance, ${shortNumber(push.variance, 3)}, comes from the ` +
    `noise in every direction and grows with the scale.` +
    (push.variance > pull.variance ? " Here that is more than what the pull head suffers." : "")
  );
}

function drawKeyCloud(values) {
  const { length, across } = normals(values);
  const [long, spread] = [Math.sqrt(values.variance), Math.sqrt(Number(values.everywhere))];
  const at = Array.from({ length: N_DRAWS }, (_, d) => [1 + long * length[d] + spread * across[2 * d], spread * across[2 * d + 1]]);
  keyPlot.draw({
    dots: { at, style: 0 }, rules: [{ at: 0 }, { at: 0, axis: "y" }],
    points: [{ at: [1, 0], style: 0 }, { at: [0, 1], style: 1, mark: "square" }],
    labels: [{ at: [1, 0], text: "mean of key a" }, { at: [0, 1], text: "key b" }],
  });
}

function drawCurves(values, found) {
  const lines = curves(values).map((points) => points.filter(([, value]) => value > 1e-12));
  const all = lines.flat().map(([, value]) => value);
  const low = all.length ? 10 ** Math.floor(Math.log10(Math.max(1e-9, Math.min(...all)))) : 1e-5;
  curvePlot.draw({
    y: { low: Math.min(low, 1e-2), high: 1 },
    legend: DESIGNS.map((name, i) => ({ name: lines[i].length ? name : `${name}: 0 at every scale`, style: i })),
    lines: lines.map((points, i) => ({ points, style: i })).filter(({ points }) => points.length > 1),
    points: found.flatMap((one, i) => (one.variance > 1e-12 ? [{ at: [values.scale, one.variance], style: i }] : [])),
    rules: [{ at: values.scale }],
  });
}

function drawDensity(plot, { law }, weights, style) {
  const counts = new Array(40).fill(0);
  for (const weight of weights) counts[Math.min(39, Math.floor(40 * weight))] += 1;
  const mean = weights.reduce((sum, weight) => sum + weight, 0) / weights.length;
  const isNeedle = Math.sqrt(weights.reduce((sum, weight) => sum + (weight - mean) ** 2, 0) / weights.length) < 0.003 || law === null;
  const at = Array.from({ length: 121 }, (_, i) => (1 - Math.cos(0.02 + ((Math.PI - 0.04) * i) / 120)) / 2);
  plot.draw({
    y: { high: isNeedle ? 40 : 8 },
    rules: [{ at: 0.5 }],
    bars: counts.map((count, i) => ({ from: i / 40, to: (i + 1) / 40, value: (40 * count) / weights.length, style })),
    lines: isNeedle ? [] : [{ points: at.map((weight) => [weight, Math.min(law.density(weight), 100)]), style }],
    labels: isNeedle ? [{ at: [0.52, 30], text: "all draws are alike" }] : [],
  });
}

/** The variances of all weights over the draws, summed: values are orthonormal. */
function sampledVariance(weights, n) {
  let total = 0;
  for (let i = 0; i < n; i += 1) {
    let [sum, square] = [0, 0];
    for (let at = i; at < weights.length; at += n) sum += weights[at];
    for (let at = i; at < weights.length; at += n) square += (weights[at] - sum / N_DRAWS) ** 2;
    total += square / N_DRAWS;
  }
  return total;
}

function columns() {
  const [pull, push] = curves(page.values);
  return { scale: SCALES, "one pull head": pull.map(([, value]) => value ?? ""), "one push head": push.map(([, value]) => value ?? "") };
}

function situation({ view, n, variance, everywhere, scale }) {
  return view === "plane" ? null : { n_keys: n, variance, everywhere: Number(everywhere), scale };
}

function compare(told, values) {
  const found = outcomes(values);
  return Math.max(...told.outcomes.flatMap((one, i) => [
    Math.abs(one.variance - found[i].variance), Math.abs(one.flips - found[i].flips),
  ]));
}

function python({ n, variance, everywhere, scale }) {
  return `
import numpy as np
import regard

n_keys, scale = ${n}, ${pyNumber(scale)}
noise = regard.isotropic(${everywhere}) + regard.radial(${pyNumber(variance)}, key=0)
keys = regard.GaussianKeys(np.eye(n_keys), noise)
pull = scale * np.eye(n_keys)[:2].sum(axis=0)
push = -scale * np.eye(n_keys)[2:].sum(axis=0)
for query in (pull, push):
    law = regard.output_law(keys, np.eye(n_keys), query)
    flips = law.probability(0, above=0.9).value + 1 - law.probability(0, above=0.1).value
    print(law.variance, flips)
`;
}

page.start();
