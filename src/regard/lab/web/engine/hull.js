// What lies in a hull: outputs that a mix of values reaches, and keys that no query can read alone.
import {requireIndex, requireMatrix, requireVector} from "./check.js";
import {nonNegativeLeastSquares, transpose, vectorLength} from "./linear.js";
import {entropy, mixValues} from "./softmax.js";

/** √eps: what lies closer than this part of the largest difference counts as coinciding. */
export const HULL_TOLERANCE = 1e-8;

/** Which points of the plane are corners of their convex hull, in order round it (Andrew's monotone chain). */
export function hullCorners(points) {
  const order = points.map((_, i) => i).sort((i, j) => points[i][0] - points[j][0] || points[i][1] - points[j][1]);
  const turn = (o, a, b) =>
    (points[a][0] - points[o][0]) * (points[b][1] - points[o][1]) -
    (points[a][1] - points[o][1]) * (points[b][0] - points[o][0]);
  const chain = (indices) => {
    const kept = [];
    for (const i of indices) {
      while (kept.length > 1 && turn(kept.at(-2), kept.at(-1), i) <= 1e-9) kept.pop();
      kept.push(i);
    }
    return kept.slice(0, -1);
  };
  return points.length < 3 ? order : [...chain(order), ...chain([...order].reverse())];
}

/** Convex weights whose mix of the points, of any width, lies nearest to the origin (least distance programming). */
export function nearestMixToOrigin(points) {
  const system = [...transpose(points), new Array(points.length).fill(1)];
  const goal = [...new Array(points[0].length).fill(0), 1];
  const amounts = nonNegativeLeastSquares(system, goal);
  const total = amounts.reduce((sum, amount) => sum + amount, 0);
  return amounts.map((amount) => amount / total);
}

/** Is the wanted output a mix of the values? If not, the nearest one: `mix` of the values, `distance` to the target. */
export function nearestOutput(values, target) {
  requireMatrix("values", values);
  requireVector("target", target, values[0].length);
  const relative = values.map((value) => value.map((part, axis) => part - target[axis]));
  const size = Math.max(...relative.map((row) => vectorLength(row)));
  if (size === 0) {
    return {isInside: true, mix: values.map(() => 1 / values.length), nearest: [...target], distance: 0};
  }
  const mix = nearestMixToOrigin(relative.map((row) => row.map((part) => part / size)));
  const nearest = mixValues(mix, values);
  const distance = vectorLength(mixValues(mix, relative));
  return {isInside: distance <= HULL_TOLERANCE * size, mix, nearest, distance};
}

/**
 * The largest weight that any query gives key j of some keys in the plane. α_j = 1/(1 + Σ e^(pᵢ·q)), pᵢ = kᵢ − k_j, so
 * the bound is 1/(1 + min_q Σ e^(pᵢ·q)): Newton's method on a convex sum. `query` attains it, null where it is only
 * approached; `combination` is the most even mix of the others that equals the key, with entropy `entropyNats`.
 */
export function hullBound(keys, index, start = null) {
  requireMatrix("keys", keys, null, 2);
  requireIndex("the key", index, keys.length);
  if (keys.length < 2 || isAloneAtCorner(keys, index, new Set(hullCorners(keys)))) return {bound: 1, isInside: false};
  return boundOfInnerKey(keys, index, start);
}

/** `hullBound` of every key; `before` is the last answer, from which the search starts when keys have moved a little. */
export function hullBounds(keys, before = []) {
  requireMatrix("keys", keys, null, 2);
  const corners = new Set(hullCorners(keys));
  return keys.map((_, i) =>
    keys.length < 2 || isAloneAtCorner(keys, i, corners)
      ? {bound: 1, isInside: false}
      : boundOfInnerKey(keys, i, before[i]?.query ?? null));
}

function isAloneAtCorner(keys, index, corners) {
  const [x, y] = keys[index];
  return corners.has(index) && keys.every((key, j) => j === index || key[0] !== x || key[1] !== y);
}

function boundOfInnerKey(keys, index, start) {
  const points = keys.filter((_, i) => i !== index).map(([x, y]) => [x - keys[index][0], y - keys[index][1]]);
  const {query, least} = leastExponentialSum(points, start);
  const shares = points.map(([x, y]) => Math.exp(x * query[0] + y * query[1]) / least);
  const combination = [...shares.slice(0, index), 0, ...shares.slice(index)].map((share) => (share < 1e-12 ? 0 : share));
  const isAttained = shares.every((share) => share >= 1e-12);
  return {
    bound: 1 / (1 + least), isInside: true, query: isAttained ? query : null, combination,
    entropyNats: entropy(combination),
  };
}

/** min_q Σ e^(pᵢ·q) and its q, by Newton's method with the step halved until it helps. */
function leastExponentialSum(points, start) {
  const sum = (q) => points.reduce((total, [x, y]) => total + Math.exp(x * q[0] + y * q[1]), 0);
  let q = start !== null && sum(start) < points.length ? start : [0, 0];
  let least = sum(q);
  for (let round = 0; round < 120; round += 1) {
    let [gx, gy, xx, xy, yy] = [0, 0, 1e-13, 0, 1e-13];
    for (const [x, y] of points) {
      const power = Math.exp(x * q[0] + y * q[1]);
      gx += power * x; gy += power * y;
      xx += power * x * x; xy += power * x * y; yy += power * y * y;
    }
    const determinant = xx * yy - xy * xy;
    const step = [(yy * gx - xy * gy) / determinant, (xx * gy - xy * gx) / determinant];
    const decrement = (gx * step[0] + gy * step[1]) / least;
    if (!(decrement > 1e-28)) break;
    let share = 1;
    let next = sum([q[0] - step[0], q[1] - step[1]]);
    while (!(next < least) && share > 1e-6) {
      share /= 2;
      next = sum([q[0] - share * step[0], q[1] - share * step[1]]);
    }
    if (decrement < 1e-10) [share, next] = [1, sum([q[0] - step[0], q[1] - step[1]])]; // the gain drowns in rounding
    else if (!(next < least)) break;
    q = [q[0] - share * step[0], q[1] - share * step[1]];
    least = next;
  }
  return {query: q, least};
}
