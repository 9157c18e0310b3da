// The exercise of chapter 4: h wanted values are averaged by one head or by several while lengths of keys vary.
import { identityMatrix } from "../engine/linear.js";
import { outputLaw, squaredError } from "../engine/noise.js";
import { normalDensity } from "../engine/normal.js";
import { mixValues, softmax } from "../engine/softmax.js";

/** The exercise that comes nearest to the controls, and sentences where it is not what they say. */
export function buildExercise({ n, heads, variance, noise, everywhere }) {
  const wanted = Number(heads);
  const notes = [];
  if (n <= wanted) notes.push(`${wanted} wanted keys need at least one other key: ${wanted + 1} keys are used instead of ${n}.`);
  if (noise === "together" && everywhere !== "0") {
    notes.push("When all lengths vary together, noise in every direction is left out: Python would take minutes to check it.");
  }
  const nKeys = Math.max(n, wanted + 1);
  return {
    nKeys, wanted, variance, noise, everywhere: noise === "together" ? 0 : Number(everywhere), notes,
    keys: identityMatrix(nKeys), target: Array.from({ length: nKeys }, (_, i) => (i < wanted ? 1 / wanted : 0)),
  };
}

/** Queries without their scale: one head that pulls, one that pushes, two that share the wanted keys, one for each. */
export function candidateDesigns({ keys, nKeys, wanted }) {
  const indicator = (from, to, level) => Array.from({ length: nKeys }, (_, i) => (i >= from && i < to ? level : 0));
  const designs = [
    { name: "one pull head", queries: [indicator(0, wanted, 1)] },
    { name: "one push head", queries: [indicator(wanted, nKeys, -1)] },
    { name: "2 pull heads", queries: [indicator(0, wanted / 2, 1), indicator(wanted / 2, wanted, 1)] },
  ];
  return wanted === 2 ? designs : [...designs, { name: `${wanted} pull heads`, queries: keys.slice(0, wanted) }];
}

/** E |c − target|² = variance + squared bias of heads with these queries, exactly. */
export function evaluateQueries(exercise, queries, scale, precision) {
  if (exercise.noise === "together") return togetherError(exercise, queries, scale);
  const { target, ...given } = searchedExercise(exercise);
  return squaredError(outputLaw({ ...given, queries, scale, ...(precision ? { precision } : {}) }), target);
}

/** Keys that vary independently, their values and the target, as the engine takes them. */
export function searchedExercise({ keys, noise, variance, everywhere, target }) {
  const radial = noise === "one" ? keys.map((_, i) => (i === 0 ? variance : 0)) : variance;
  return { keys, radial, isotropic: everywhere, values: keys, target };
}

/**
 * One number g for all lengths: given g every weight is certain, and what is left is an integral over g. Weights have poles π/(gap of
 * logits) away from the real line, which sets the step of the trapezoid rule.
 */
function togetherError({ keys, variance, target }, queries, scale) {
  const sd = Math.sqrt(variance);
  const widest = Math.max(...queries.map((query) => scale * (Math.max(...query) - Math.min(...query))));
  const step = sd === 0 ? 20 : Math.min(0.25, 0.75 / (sd * widest));
  const reach = sd === 0 ? 0 : Math.ceil(8 / step);
  const mean = target.map(() => 0);
  let [square, mass] = [0, 0];
  for (let k = -reach; k <= reach; k += 1) {
    const share = normalDensity(k * step);
    const longer = scale * (1 + sd * k * step);
    const heads = queries.map((query) => softmax(query.map((level) => longer * level)));
    const output = mixValues(heads.map(() => 1 / heads.length), heads);
    mass += share;
    for (let i = 0; i < keys.length; i += 1) {
      mean[i] += share * output[i];
      square += share * (output[i] - target[i]) ** 2;
    }
  }
  const squaredBias = mean.reduce((sum, part, i) => sum + (part / mass - target[i]) ** 2, 0);
  const error = square / mass;
  return { error, variance: Math.max(0, error - squaredBias), squaredBias };
}

/** The scales between which the first design errs less than the second: pairs of ends, null where that is as far as was looked. */
export function betterRanges(exercise, one, many, scales) {
  const gap = (scale) => evaluateQueries(exercise, one, scale).error - evaluateQueries(exercise, many, scale).error + 1e-12;
  const gaps = scales.map(gap);
  const ends = gaps[0] < 0 ? [null] : [];
  for (let i = 1; i < gaps.length; i += 1) {
    if (gaps[i - 1] < 0 !== gaps[i] < 0) ends.push(equalScale(gap, scales[i - 1], scales[i], gaps[i - 1], gaps[i]));
  }
  if (gaps.at(-1) < 0) ends.push(null);
  return Array.from({ length: ends.length / 2 }, (_, i) => [ends[2 * i], ends[2 * i + 1]]);
}

/** Where the gap is zero, by false position on the logarithm with the Illinois change. */
function equalScale(gap, low, high, gapLow, gapHigh) {
  let [a, b, fa, fb] = [Math.log(low), Math.log(high), gapLow, gapHigh];
  for (let round = 0; round < 60 && Math.abs(b - a) > 1e-7; round += 1) {
    const c = (a * fb - b * fa) / (fb - fa);
    const fc = gap(Math.exp(c));
    if (fc === 0) return Math.exp(c);
    if (fc < 0 === fb < 0) fa /= 2;
    else [a, fa] = [b, fb];
    [b, fb] = [c, fc];
  }
  return Math.exp(b);
}

/** The ranges in words. */
export function rangesText(ranges, format) {
  if (!ranges.length) return "at no scale";
  return ranges.map(([low, high]) => {
    if (low === null) return high === null ? "at every scale" : `below C\u00a0=\u00a0${format(high)}`;
    return high === null ? `above C\u00a0=\u00a0${format(low)}` : `from C\u00a0=\u00a0${format(low)} to ${format(high)}`;
  }).join(" and ");
}
