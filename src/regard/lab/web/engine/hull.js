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
  const corners = hullCorners(keys);
  if (keys.length < 2 || isAloneAtCorner(keys, index, new Set(corners))) return {bound: 1, isInside: false};
  return boundOfInnerKey(keys, index, corners, start);
}

/** `hullBound` of every key; `before` is the last answer, from which the search starts when keys have moved a little. */
export function hullBounds(keys, before = []) {
  requireMatrix("keys", keys, null, 2);
  const corners = hullCorners(keys);
  const isCorner = new Set(corners);
  return keys.map((_, i) =>
    keys.length < 2 || isAloneAtCorner(keys, i, isCorner)
      ? {bound: 1, isInside: false}
      : boundOfInnerKey(keys, i, corners, before[i]?.query ?? null));
}

function isAloneAtCorner(keys, index, corners) {
  const [x, y] = keys[index];
  return corners.has(index) && keys.every((key, j) => j === index || key[0] !== x || key[1] !== y);
}

/** The keys on the edge of the hull that holds this one; all keys where it lies inside. */
function keysOfFace(keys, index, corners) {
  const all = keys.map((_, i) => i);
  for (let k = 0; k < corners.length; k += 1) {
    const [ax, ay] = keys[corners[k]];
    const [bx, by] = keys[corners[(k + 1) % corners.length]];
    const isOn = (i) => Math.abs((bx - ax) * (keys[i][1] - ay) - (by - ay) * (keys[i][0] - ax)) <= 1e-9;
    if (isOn(index)) return all.filter(isOn);
  }
  return all;
}

function boundOfInnerKey(keys, index, corners, start) {
  const face = keysOfFace(keys, index, corners).filter((i) => i !== index); // ever longer queries leave the others nothing
  const [x, y] = [0, 1].map((axis) => Float64Array.from(face, (i) => keys[i][axis] - keys[index][axis]));
  const {query, least} = leastExponentialSum(x, y, start);
  const combination = keys.map(() => 0);
  face.forEach((i, k) => {
    const share = Math.exp(x[k] * query[0] + y[k] * query[1]) / least;
    combination[i] = share < 1e-12 ? 0 : share;
  });
  const isAttained = combination.every((share, i) => i === index || share > 0);
  return {
    bound: 1 / (1 + least), isInside: true, query: isAttained ? query : null, combination,
    entropyNats: entropy(combination),
  };
}

/** min_q Σ e^(xᵢq₀ + yᵢq₁) and its q, by Newton's method with the step halved until it helps. */
function leastExponentialSum(x, y, start) {
  const sum = (q0, q1) => {
    let total = 0;
    for (let i = 0; i < x.length; i += 1) total += Math.exp(x[i] * q0 + y[i] * q1);
    return total;
  };
  let [q0, q1] = start !== null && sum(...start) < x.length ? start : [0, 0];
  let least = sum(q0, q1);
  for (let round = 0; round < 120; round += 1) {
    let [gx, gy, xx, xy, yy] = [0, 0, 1e-13, 0, 1e-13];
    for (let i = 0; i < x.length; i += 1) {
      const power = Math.exp(x[i] * q0 + y[i] * q1);
      gx += power * x[i]; gy += power * y[i];
      xx += power * x[i] * x[i]; xy += power * x[i] * y[i]; yy += power * y[i] * y[i];
    }
    const determinant = xx * yy - xy * xy;
    const step0 = (yy * gx - xy * gy) / determinant;
    const step1 = (xx * gy - xy * gx) / determinant;
    const decrement = (gx * step0 + gy * step1) / least;
    if (!(decrement > 1e-28)) break;
    let share = 1;
    let next = sum(q0 - step0, q1 - step1);
    while (!(next < least) && share > 1e-6) {
      share /= 2;
      next = sum(q0 - share * step0, q1 - share * step1);
    }
    if (decrement < 1e-10) [share, next] = [1, sum(q0 - step0, q1 - step1)]; // the gain drowns in rounding
    else if (!(next < least)) break;
    q0 -= share * step0;
    q1 -= share * step1;
    least = next;
  }
  return {query: [q0, q1], least};
}
