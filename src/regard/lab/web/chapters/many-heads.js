// Chapter 4: one head against several under the same noise, where which is better, and the best queries of all.
import { FINE, QUICK } from "../engine/kernel.js";
import { select, slider, table } from "../parts/controls.js";
import { element, setAttributes, shortNumber, writeText } from "../parts/dom.js";
import { saveButtons } from "../parts/export.js";
import { openPage } from "../parts/page.js";
import { makePlot, plotRow } from "../parts/plot.js";
import { pyList, pyNumber } from "../parts/python.js";
import { choiceField, matrixField, numberField, wholeField } from "../parts/state.js";
import { makeSweep } from "../parts/sweep.js";
import { betterRanges, buildExercise, candidateDesigns, evaluateQueries, rangesText } from "./many-heads-law.js";
import { makeSearch } from "./many-heads-search.js";

const NOISES = [["one", "the first key alone"], ["each", "every key, independently"], ["together", "every key, all together"]];
const EVERYWHERE = ["0", "0.0001", "0.001", "0.01"];
const LOW = 0.3;
const HIGH = 100;
const geometric = (count) => Array.from({ length: count }, (_, i) => LOW * (HIGH / LOW) ** (i / (count - 1)));
const SCALES = geometric(41);
const MAP_SCALES = geometric(17);
const MAP_VARIANCES = Array.from({ length: 9 }, (_, i) => i / 8);
const FINE_MAP = { columns: 96, rows: 48 };
const LEAST = 1e-6; // errors below this are alike on the map
const START = { scale: 10, heads: "2", n: 10, variance: 0.5, noise: "one", everywhere: "0.0001", robust: "1", design: [] };

const page = openPage({
  question: "Is one head enough, or are several better? When keys vary in length, the answer depends on the scale.",
  lead:
    "The values of *h* keys are to be averaged. One head reads all of them, or *h* heads read one each and their outputs are averaged. All see " +
    "the same noise. More heads are steadier, but short queries leak more; and a single head that *pushes* may beat them all.",
  fields: {
    scale: numberField(START.scale, LOW, HIGH),
    heads: choiceField(START.heads, ["2", "4", "6"]),
    n: wholeField(START.n, 3, 24),
    variance: numberField(START.variance, 0, 1),
    noise: choiceField(START.noise, NOISES.map(([value]) => value)),
    everywhere: choiceField(START.everywhere, EVERYWHERE),
    robust: choiceField(START.robust, ["1", "2", "4"]),
    design: matrixField(4, 24, 1000),
  },
  python,
  steps: [
    {
      text: "One head pulls towards both wanted keys at scale 10; or two heads pull towards one each. Which has the smaller error?",
      view: { ...START, everywhere: "0", scale: 1 },
      shown: { scale: 10 },
      choices: ["One head", "Two heads", "They are equal"],
      right: 1,
      reveal: "One head flips between the two values. With two heads, noise in one key's length moves only one of them, and it leaves little to move.",
    },
    {
      text: "Find a scale at which one pull head beats two.",
      view: { ...START, everywhere: "0" },
      isDone: (values) => errors(values)[0] < errors(values)[2],
      wait: "Two heads need long queries: a short one leaks to all the other keys.",
      reveal: "Below *C* = 2.174 the noise hardly flips anything, but each of two heads leaks more weight to the other keys than one head does.",
    },
    {
      text: "Now let every key vary in length. Does the push head, which sees nothing of the first key's length, stay best at scale 10?",
      view: { ...START, everywhere: "0" },
      shown: { noise: "each" },
      choices: ["Yes", "No, now pulling with several heads is best", "No, all are equal"],
      right: 1,
      reveal: "Its wanted keys still have the logit 0 whatever their lengths. But it holds the other keys down by their lengths: one in thirteen turns round, and a key that has turned round takes all the weight.",
    },
    {
      text: "Make two pull heads the best design of all: find noise and a scale on the map.",
      view: { ...START, everywhere: "0.01", scale: 2 },
      isDone: (values) => errors(values)[2] === Math.min(...errors(values)),
      wait: "Look for their colour on the map and drag the ring there.",
      reveal: "Noise in every direction hurts a push query most, because it is long in many directions at once.",
    },
  ],
});

const notes = element("p", { class: "notice" }, page.figure);
const [curveBox, mapBox] = plotRow(page.figure, 2);
const curvePlot = makePlot(curveBox, {
  label: "Error against scale for each design", title: "exact mean squared error", ratio: 0.85,
  x: { label: "scale C of the queries", low: LOW, high: HIGH, log: true }, y: { label: "squared error", low: 1e-5, high: 1, log: true },
  onPick: (scale) => page.change({ scale: Number(scale.toPrecision(3)) }, "scale"),
});
const mapPlot = makePlot(mapBox, {
  label: "The design with the smallest error, for each scale and variance", title: "design with the smallest error", ratio: 0.85,
  x: { label: "scale C of the queries", low: LOW, high: HIGH, log: true }, y: { label: "variance of the length", low: 0, high: 1 },
  onPick: (scale, variance) => page.change({ scale: Number(scale.toPrecision(3)), variance: Math.round(100 * variance) / 100 }, "map"),
});
const writeTable = table(page.side, ["design", "variance of the output", "squared bias", "error"]);
const better = element("p", { class: "answer" }, page.side);
const controls = element("div", { class: "controls" }, page.side);
slider(page, controls, "scale", { label: "scale C", low: LOW, high: HIGH, step: 0.005, log: true, format: (value) => value.toPrecision(3) });
slider(page, controls, "variance", { label: "variance of the length", low: 0, high: 1, step: 0.01, format: (value) => value.toFixed(2) });
slider(page, controls, "n", { label: "keys", low: 3, high: 24, step: 1, format: String });
select(page, controls, "heads", { label: "wanted keys and heads, h", options: ["2", "4", "6"].map((value) => [value, value]) });
select(page, controls, "noise", { label: "keys whose length varies", options: NOISES });
select(page, controls, "everywhere", { label: "noise in every direction", options: EVERYWHERE.map((value) => [value, value]) });
page.confirm(page.side, "confirm", { sent: situation, compare });
saveButtons(page.side, { name: "many-heads", drawings: () => [curvePlot.svg, mapPlot.svg], columns: curveColumns });

const curveSweep = makeSweep(page.redraw);
const mapSweep = makeSweep(page.redraw);
const memo = { name: null };

/** All designs at the scale of the view, and the one that the search found, if it belongs to these keys. */
function outcomes(values) {
  const exercise = buildExercise(values);
  const name = JSON.stringify([exercise.nKeys, exercise.wanted, values.variance, values.noise, exercise.everywhere, values.scale, values.design, page.isMoving]);
  if (memo.name === name) return memo;
  const designs = candidateDesigns(exercise);
  const found = designs.map(({ name: title, queries }) => ({ name: title, ...evaluateQueries(exercise, queries, values.scale, page.isMoving ? QUICK : FINE) }));
  if (values.design.length && values.design[0].length === exercise.nKeys && values.noise !== "together") {
    found.push({ name: "found by the search", ...evaluateQueries(exercise, values.design, 1, values.design.length > 1 && page.isMoving ? QUICK : FINE) });
  }
  return Object.assign(memo, { name, exercise, designs, found });
}

const errors = (values) => outcomes(values).found.map(({ error }) => error);

page.onDraw((values) => {
  const { exercise, designs, found } = outcomes(values);
  notes.hidden = !exercise.notes.length;
  setAttributes(notes, { text: exercise.notes.join(" ") });
  const best = Math.min(...found.map(({ error }) => error));
  writeTable(found.map((one) => [
    one.name, shortNumber(one.variance), shortNumber(one.squaredBias), { text: shortNumber(one.error), best: one.error === best },
  ]));
  drawCurves(values, exercise, designs, found);
  drawMap(values, exercise, designs);
});

page.onRest((values) => {
  const { exercise, designs } = outcomes(values);
  const many = designs.at(-1);
  writeText(better, designs.slice(0, 2).map(({ name, queries }) => {
    const ranges = betterRanges(exercise, queries, many.queries, geometric(17));
    return `**${name[0].toUpperCase()}${name.slice(1)}** has a smaller error than ${many.name} ${rangesText(ranges, shortNumber)}.`;
  }).join(" "));
});

const lawName = ({ nKeys, wanted, noise, everywhere }) => `${nKeys} ${wanted} ${noise} ${everywhere}`;

function curves(exercise, designs) {
  const n = designs.length;
  const found = curveSweep(`${lawName(exercise)} ${exercise.variance}`, n * SCALES.length, (place) =>
    evaluateQueries(exercise, designs[place % n].queries, SCALES[Math.floor(place / n)], QUICK).error);
  return designs.map((_, i) => SCALES.map((scale, k) => [scale, found[n * k + i]]));
}

function drawCurves(values, exercise, designs, found) {
  const lines = curves(exercise, designs).map((points) => points.filter(([, error]) => error !== undefined));
  const lowest = Math.max(1e-7, Math.min(...found.map(({ error }) => error), ...lines.flat().map(([, error]) => error)) / 2);
  const extra = found.length > designs.length ? found.at(-1) : null;
  curvePlot.draw({
    y: { low: 10 ** Math.floor(Math.log10(lowest)), high: 1 },
    legend: [...designs.map(({ name }, i) => ({ name, style: i })), ...(extra ? [{ name: extra.name, style: 4 }] : [])],
    lines: [
      ...lines.map((points, i) => ({ points, style: i })).filter(({ points }) => points.length > 1),
      ...(extra ? [{ points: [[LOW, extra.error], [HIGH, extra.error]], style: 4 }] : []),
    ],
    points: designs.map((_, i) => ({ at: [values.scale, found[i].error], style: i })),
    rules: [{ at: values.scale }],
  });
}

const drawnMap = { name: null };
function drawMap(values, exercise, designs) {
  const [n, nScales, nRows] = [designs.length, MAP_SCALES.length, MAP_VARIANCES.length];
  const laws = MAP_VARIANCES.map((variance) => ({ ...exercise, variance }));
  const best = mapSweep(lawName(exercise), nScales * nRows, (place) => {
    const scale = MAP_SCALES[place % nScales];
    const law = laws[Math.floor(place / nScales)];
    return designs.map(({ queries }) => Math.log(Math.max(LEAST, evaluateQueries(law, queries, scale, QUICK).error)));
  }, MAP_ORDER);
  const step = knownStep(best, nScales);
  const name = `${lawName(exercise)} ${step} ${step === COARSEST ? best.reduce((count) => count + 1, 0) : ""}`;
  if (drawnMap.name !== name) Object.assign(drawnMap, { name, rows: fineMap(best, step, n, nScales, nRows) });
  const { rows } = drawnMap;
  const shown = [...new Set(rows.flat())].sort();
  mapPlot.draw({
    cells: { rows }, legend: shown.map((i) => ({ name: designs[i].name, style: i, filled: true })),
    points: [{ at: [values.scale, values.variance], mark: "ring" }], labels: [{ at: [values.scale, values.variance], text: "here" }],
  });
}

/** Every fourth point of the map first, then those between. */
const MAP_ORDER = [4, 2, 1].flatMap((step, level) => {
  const places = [];
  MAP_VARIANCES.forEach((_, y) => MAP_SCALES.forEach((__, x) => {
    const isHere = y % step === 0 && x % step === 0;
    if (isHere && (level === 0 || y % (2 * step) || x % (2 * step))) places.push(y * MAP_SCALES.length + x);
  }));
  return places;
});

const COARSEST = 8;
/** The distance of the points of the finest grid that is known. Until a finer one is, the map stays as it is. */
function knownStep(best, nScales) {
  const isKnown = (step) => MAP_ORDER.every((place) =>
    place % nScales % step || Math.floor(place / nScales) % step || best[place] !== undefined);
  return [1, 2, 4].find(isKnown) ?? COARSEST;
}

/** The best design in each fine cell: logarithms of errors are interpolated between the points of the finest grid that is known. */
function fineMap(best, step, n, nScales, nRows) {
  return Array.from({ length: FINE_MAP.rows }, (_, row) => Array.from({ length: FINE_MAP.columns }, (__, column) => {
    const y = ((row + 0.5) / FINE_MAP.rows) * (nRows - 1);
    const x = ((column + 0.5) / FINE_MAP.columns) * (nScales - 1);
    const [y0, x0] = [Math.floor(y / step) * step, Math.floor(x / step) * step];
    const [y1, x1] = [Math.min(y0 + step, nRows - 1), Math.min(x0 + step, nScales - 1)];
    const [v, u] = [y1 > y0 ? (y - y0) / (y1 - y0) : 0, x1 > x0 ? (x - x0) / (x1 - x0) : 0];
    const at = (py, px) => best[py * nScales + px];
    const corners = [at(y0, x0), at(y0, x1), at(y1, x0), at(y1, x1)];
    if (corners.some((corner) => corner === undefined)) return 0;
    const level = (i) => (1 - v) * ((1 - u) * corners[0][i] + u * corners[1][i]) + v * ((1 - u) * corners[2][i] + u * corners[3][i]);
    let least = 0;
    for (let i = 1; i < n; i += 1) if (level(i) < level(least)) least = i;
    return least;
  }));
}

function curveColumns() {
  const { exercise, designs } = outcomes(page.values);
  const all = curves(exercise, designs);
  return { scale: SCALES, ...Object.fromEntries(designs.map(({ name }, i) => [name, all[i].map(([, error]) => error ?? "")])) };
}

function situation(values) {
  const { exercise, found, designs } = outcomes(values);
  return {
    n_keys: exercise.nKeys, n_wanted: exercise.wanted, variance: values.variance, everywhere: exercise.everywhere, noise: values.noise,
    scale: values.scale, design: found.length > designs.length ? values.design : [],
  };
}

/** Beyond some scale Python samples what is shared; only what it knows exactly is compared. */
function compare(told, values) {
  const { found, exercise, designs } = outcomes(values);
  const exact = found.map((one, i) => (i === designs.length ? evaluateQueries(exercise, values.design, 1) : one));
  const pairs = told.outcomes.flatMap((one, i) => (one.uncertainty > 1e-6 ? [] : [[one.variance, exact[i].variance], [one.error, exact[i].error]]));
  return Math.max(0, ...pairs.map(([left, right]) => Math.abs(left - right)));
}

makeSearch(page, page.more, { exerciseOf: (values) => outcomes(values).exercise });

function python(values) {
  const { exercise, found, designs } = outcomes(values);
  const { nKeys, wanted, variance, everywhere, noise } = exercise;
  const keys = noise === "together"
    ? `shared = ${pyNumber(variance)} ** 0.5 * axes[None]  # one number for all lengths
keys = regard.GaussianKeys(axes, regard.isotropic(0.0), shared=shared)`
    : `noise = regard.isotropic(${everywhere}) + regard.radial(${pyNumber(variance)}${noise === "one" ? ", key=0" : ""})
keys = regard.GaussianKeys(axes, noise)`;
  return `
import numpy as np
import regard

n_keys, wanted, scale = ${nKeys}, ${wanted}, ${pyNumber(values.scale)}
axes = np.eye(n_keys)
target = axes[:wanted].mean(axis=0)
${keys}
designs = {
    "one pull head": scale * axes[:wanted].sum(axis=0)[None],
    "one push head": -scale * axes[wanted:].sum(axis=0)[None],
    "2 pull heads": scale * np.stack([half.sum(axis=0) for half in np.split(axes[:wanted], 2)]),
${wanted > 2 ? '    f"{wanted} pull heads": scale * axes[:wanted],\n' : ""}${
  found.length > designs.length ? `    "found by the search": np.array(${pyList(values.design)}),\n` : ""}}
for name, queries in designs.items():
    law = regard.output_law(keys, axes, queries)
    print(name, law.variance, law.mean_squared_error(target), sep="; ")
# The search itself: regard.robust(keys, axes, target, heads=${values.robust})
`;
}

page.start();
