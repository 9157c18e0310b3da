// Queries that copy one key's value, average some, or mix them in given shares; q = base + C · direction.
//
//   dual     every gap exactly 1 and the query shortest; where the keys are too dependent for that, as margin
//   margin   every gap at least 1 and the query shortest
//   pull     towards the wanted keys: a mix of them alone
//   push     away from the others, wanted logits held at 0: noise in a wanted key's length does (1 + g) · 0 = 0
import {requireMatrix, requireNumber, requireVector, requireWhole} from "./check.js";
import {HULL_TOLERANCE, nearestMixToOrigin} from "./hull.js";
import {addScaled, leastNormSolution, matrixVector, singularValues, transpose, vectorLength} from "./linear.js";
import {dot, logSumExp, mixValues, softmax} from "./softmax.js";

const FAMILIES = {dual: dualDirection, margin: marginDirection, pull: pullDirection, push: pushDirection};
const ENTRY_ROUNDING = 8 * 2 ** -52;

/** The scale C at which q = C Σ kᵢ over `nChosen` of `nKeys` orthonormal keys leaves `error` of the weight outside. */
export function averageScale(nKeys, nChosen, error) {
  requireWhole("the number of chosen keys", nChosen, 1, nKeys);
  const others = nKeys - nChosen;
  return others === 0 ? 0 : Math.max(0, Math.log(others / nChosen) - logOddsOfError(error));
}

/** The least C ≥ 0 at which keys with logits offset − C · gap hold no more than `error` of the weight. */
export function smallestScale(offsets, gaps, error) {
  const target = logOddsOfError(error);
  if (offsets.length === 0) return 0;
  if (!(Math.min(...gaps) > 0)) throw new RangeError(`no scale outgrows a gap that is not positive; got ${Math.min(...gaps)}`);
  let scale = 0;
  for (let round = 0; round < 200; round += 1) {
    const logits = gaps.map((gap, i) => offsets[i] - scale * gap);
    const step = (logSumExp(logits) - target) / dot(softmax(logits), gaps);
    if (!(step > 8 * 2 ** -53 * scale)) break;
    scale += step;
  }
  return scale;
}

/** The scale along `query` at which key `index` keeps all but `error` of the weight; null where no scale does. */
export function copyScaleAlong(keys, index, query, error) {
  const gaps = keys.flatMap((key, i) => (i === index ? [] : [dot(addScaled(keys[index], key, -1), query)]));
  return gaps.every((gap) => gap > 0) ? smallestScale(gaps.map(() => 0), gaps, error) : null;
}

/**
 * A query that reads the keys with the wanted weights, which sum to one: exactly if all are positive, else keys without
 * weight keep `error`. Also its scale, the weights that it really gives, and `leak`, what unwanted keys keep.
 */
export function designQuery(keys, wanted, {error = 0.01, family = "dual"} = {}) {
  requireMatrix("keys", keys);
  requireVector("weights", wanted, keys.length);
  const total = wanted.reduce((sum, weight) => sum + weight, 0);
  if (wanted.some((weight) => weight < 0) || Math.abs(total - 1) > 1e-6) {
    throw new RangeError(`weights must not be negative and must sum to 1; they sum to ${total}`);
  }
  if (!(family in FAMILIES)) throw new RangeError(`the families are ${Object.keys(FAMILIES).join(", ")}; got ${family}`);
  const shares = wanted.map((weight) => weight / total);
  const support = shares.map((weight) => weight > 0);
  const base = baseQuery(keys, shares, support, family);
  const isExact = support.every(Boolean);
  const direction = isExact ? base.map(() => 0) : FAMILIES[family](keys, support);
  const scale = isExact ? 0 : scaleFor(keys, support, base, direction, error);
  const query = addScaled(base, direction, scale);
  const weights = softmax(matrixVector(keys, query));
  const leak = weights.reduce((sum, weight, i) => (support[i] ? sum : sum + weight), 0);
  return {query, scale, weights, leak, isExact, norm: vectorLength(query)};
}

/** `designQuery` for one key. */
export function copyQuery(keys, index, options) {
  return designQuery(keys, keys.map((_, i) => (i === index ? 1 : 0)), options);
}

/** `designQuery` for equal shares of some keys. */
export function averageQuery(keys, chosen, options) {
  return designQuery(keys, keys.map((_, i) => (chosen.includes(i) ? 1 / chosen.length : 0)), options);
}

/** The shortest query with logits ln w on the wanted keys, at any shift; for pull and push at mean 0. */
function baseQuery(keys, shares, support, family) {
  const logs = shares.filter((weight) => weight > 0).map(Math.log);
  const zero = new Array(keys[0].length).fill(0);
  if (Math.max(...logs) === Math.min(...logs)) return zero;
  const mean = logs.reduce((sum, value) => sum + value, 0) / logs.length;
  const levels = logs.map((value) => value - mean);
  if (family === "dual") {
    let place = 0;
    const all = support.map((yes) => (yes ? levels[place++] : 0));
    const found = leastNormShifted(keys, all);
    if (isRounding(found.missing, all)) return found.solution;
  }
  const rows = keys.filter((_, i) => support[i]);
  const isFixed = (family === "pull" || family === "push") && !support.every(Boolean);
  const found = isFixed ? leastNormSolution(rows, levels) : leastNormShifted(rows, levels);
  if (!isRounding(found.missing, levels)) throw new RangeError("no query gives the wanted keys these weights");
  return found.solution;
}

function scaleFor(keys, support, base, direction, error) {
  const seen = relativeToMean(keys, support);
  const [logits, levels] = [matrixVector(seen, base), matrixVector(seen, direction)];
  const top = logSumExp(logits.filter((_, i) => support[i]));
  const others = logits.flatMap((_, i) => (support[i] ? [] : [i]));
  return smallestScale(others.map((i) => logits[i] - top), others.map((i) => -levels[i]), error);
}

function dualDirection(keys, support, equalGaps = true) {
  const seen = relativeToMean(keys, support);
  const others = seen.filter((_, i) => !support[i]);
  const size = Math.max(...others.map((row) => vectorLength(row)));
  const direction = separate(negate(removeSpan(others, seen.filter((_, i) => support[i]))), size, equalGaps);
  if (direction === null) throw new RangeError("no query lifts the wanted keys above all others");
  return direction;
}

function marginDirection(keys, support) {
  return dualDirection(keys, support, false);
}

function pullDirection(keys, support) {
  const rows = keys.filter((_, i) => support[i]);
  const level = rows.map(() => 1);
  const {solution, missing} = leastNormSolution(rows, level);
  if (!isRounding(missing, level)) throw new RangeError("no mix of the wanted keys has one logit on all of them");
  const isAbove = keys.every((key, i) => support[i] || dot(key, solution) <= 1 - HULL_TOLERANCE);
  if (!isAbove) throw new RangeError("pulling towards the wanted keys pulls another key no less");
  return solution;
}

function pushDirection(keys, support) {
  const others = keys.filter((_, i) => !support[i]);
  const size = Math.max(...others.map((row) => vectorLength(row)));
  const direction = separate(negate(removeSpan(others, keys.filter((_, i) => support[i]))), size, true);
  if (direction === null) throw new RangeError("no query holds the wanted logits at 0 and lowers all others");
  return direction;
}

/** The shortest u with dᵢ·u = 1 for every difference, or with dᵢ·u ≥ 1; null where there is none. */
function separate(differences, size, equalGaps) {
  if (size === 0) return null;
  const scaled = differences.map((row) => row.map((value) => value / size));
  if (equalGaps) {
    const level = scaled.map(() => 1);
    const {solution, missing} = leastNormSolution(scaled, level);
    if (isRounding(missing, level) && vectorLength(solution) * HULL_TOLERANCE < 1) {
      return solution.map((value) => value / size);
    }
  }
  const nearest = mixValues(nearestMixToOrigin(scaled), scaled);
  const least = Math.min(...scaled.map((row) => dot(row, nearest)));
  if (vectorLength(nearest) <= HULL_TOLERANCE || least <= 0) return null;
  return nearest.map((value) => value / least / size);
}

function leastNormShifted(keys, logits) {
  const mean = logits.reduce((sum, value) => sum + value, 0) / logits.length;
  const centred = relativeToMean(keys, keys.map(() => true));
  const {solution, missing} = leastNormSolution(centred, logits.map((value) => value - mean));
  const left = missing.reduce((sum, value) => sum + value, 0) / missing.length;
  return {solution, missing: missing.map((value) => value - left)};
}

/** The keys as seen from the mean of some; what is mere rounding of their entries is 0. */
function relativeToMean(keys, support) {
  const chosen = keys.filter((_, i) => support[i]);
  const share = chosen.map(() => 1 / chosen.length);
  const seen = keys.map((key) => addScaled(key, chosen[0], -1));
  const mean = mixValues(share, seen.filter((_, i) => support[i]));
  const small = ENTRY_ROUNDING * Math.max(...keys.map((key) => Math.max(...key.map(Math.abs))));
  return seen.map((row) => addScaled(row, mean, -1).map((value) => (Math.abs(value) <= small ? 0 : value)));
}

/** Vectors without their part in the span of others. */
function removeSpan(vectors, spanning) {
  const {sizes, right} = singularValues(spanning);
  const basis = right.filter((_, k) => sizes[k] > 1e-13 * sizes[0]);
  const columns = basis.length ? transpose(basis) : null;
  return vectors.map((vector) => {
    if (columns === null) return [...vector];
    const parts = basis.map((axis) => dot(axis, vector));
    return vector.map((value, i) => value - dot(columns[i], parts));
  });
}

function negate(rows) {
  return rows.map((row) => row.map((value) => -value));
}

function isRounding(missing, targets, tolerance = 1e-9) {
  return Math.max(...missing.map(Math.abs)) <= tolerance * Math.max(1, ...targets.map(Math.abs));
}

function logOddsOfError(error) {
  requireNumber("error", error, 1e-300, 1 - 1e-15);
  return Math.log(error) - Math.log1p(-error);
}
