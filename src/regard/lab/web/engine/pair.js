// Two heads that read the same noisy keys: the covariance of their weights, as an integral over the plane.
//
// For one key with logits (s¹, s²), bivariate normal, and y_h = u_h + s^h, let M_ab = E e^(a y₁ + b y₂) exp(−e^y₁ − e^y₂).
// With L = M_00 and P = Π L over keys,
//
//   E α¹_i α²_j = ∫∫ (M_10/L)_i (M_01/L)_j P du₁ du₂  (i ≠ j),      E α¹_i α²_i = ∫∫ (M_11/L)_i P du₁ du₂.
//
// Given a factor z that the two logits share they are independent: each M_ab is a product over z of one-head kernels.
import {kernelMoments, leftEnd, rightEnd} from "./kernel.js";
import {headRule} from "./moments.js";
import {NORMAL_PEAK} from "./normal.js";

const NO_MASS = 1e-14; // of a node: what it adds to no moment

/**
 * Of the integral over the plane: about 1e-10, and about 1e-5 in a sixth of the time, for what moves. Kernels are
 * interpolated from a `table` of this step, through so many `points`.
 */
export const PAIR_FINE = {step: 0.37, depth: 26, table: 1 / 12, points: 10};
export const PAIR_QUICK = {step: 0.62, depth: 14, table: 1 / 6, points: 6};

/**
 * E α¹_i α²_j for all keys i, j. `pairs[i]` holds a key's mean1, sd1, mean2, sd2 and the covariance of its two logits.
 */
export function crossProducts(pairs, precision = PAIR_FINE) {
  const {laws, lawOfKey} = distinctPairs(pairs);
  const rules = [1, 2].map((head) => headRule(laws.map((law) => ({mean: law[`mean${head}`], sd: law[`sd${head}`]})), precision));
  const factors = laws.map((law) => conditionalKernels(law, rules, precision, 1));
  const all = planeMass(rules, factors.map((factor) => ({level: planeProduct(factor, 0, 0)})), laws);
  const nodes = Array.from(all.keys()).filter((i) => all[i] > NO_MASS);
  const mass = Float64Array.from(nodes, (i) => all[i]);
  const kernels = factors.map((factor) => ratiosAt(factor, nodes));
  const product = laws.map(() => new Float64Array(laws.length));
  const own = new Float64Array(laws.length);
  const n = mass.length;
  kernels.forEach((left, l) => {
    kernels.forEach((right, k) => {
      let total = 0;
      for (let i = 0; i < n; i += 1) total += mass[i] * left.first[i] * right.second[i];
      product[l][k] = total;
    });
    for (let i = 0; i < n; i += 1) own[l] += mass[i] * left.both[i];
  });
  return lawOfKey.map((l, i) => lawOfKey.map((k, j) => (i === j ? own[l] : product[l][k])));
}

function distinctPairs(pairs) {
  const names = ["mean1", "sd1", "mean2", "sd2", "covariance"];
  const units = names.map((name) => 1e-13 * Math.max(1e-300, ...pairs.map((pair) => Math.abs(pair[name]))));
  const found = new Map();
  const laws = [];
  const lawOfKey = pairs.map((pair) => {
    const key = names.map((name, k) => Math.round(pair[name] / units[k])).join(" ");
    if (!found.has(key)) {
      found.set(key, laws.length);
      laws.push({...pair, count: 0});
    }
    laws[found.get(key)].count += 1;
    return found.get(key);
  });
  return {laws, lawOfKey};
}

function planeMass(rules, kernels, laws) {
  const [n1, n2] = rules.map((rule) => rule.u.length);
  const mass = new Float64Array(n1 * n2);
  for (let i = 0; i < n1; i += 1) {
    for (let j = 0; j < n2; j += 1) mass[i * n2 + j] = rules[0].weight[i] * rules[1].weight[j];
  }
  kernels.forEach(({level}, l) => {
    const {count} = laws[l];
    for (let i = 0; i < mass.length; i += 1) mass[i] *= count === 1 ? level[i] : level[i] ** count;
  });
  return mass;
}

/** Given z, the kernels of both heads of one law: `x[a]` over (u₁, z), times the mass of z, and `y[b]` over (u₂, z). */
function conditionalKernels(law, rules, precision, order) {
  const {loads, rests, z, zMass} = sharedFactor(law, precision);
  const x = headKernels(rules[0].u, law.mean1, loads[0], rests[0], z, precision, order);
  const y = headKernels(rules[1].u, law.mean2, loads[1], rests[1], z, precision, order);
  const nz = z.length;
  for (const rows of x) for (let i = 0; i < rows.length; i += 1) rows[i] *= zMass[i % nz];
  return {x, y, nz};
}

/** M_ab at all nodes of the plane. */
function planeProduct({x, y, nz}, a, b) {
  const [left, right] = [x[a], y[b]];
  const [n1, n2] = [left.length / nz, right.length / nz];
  const found = new Float64Array(n1 * n2);
  for (let i = 0; i < n1; i += 1) {
    for (let j = 0; j < n2; j += 1) {
      let total = 0;
      for (let k = 0, p = i * nz, q = j * nz; k < nz; k += 1, p += 1, q += 1) total += left[p] * right[q];
      found[i * n2 + j] = total;
    }
  }
  return found;
}

/** M_10/L, M_01/L and M_11/L of one law at some nodes. */
function ratiosAt({x: [x0, x1], y: [y0, y1], nz}, nodes) {
  const n2 = y0.length / nz;
  const [first, second, both] = Array.from({length: 3}, () => new Float64Array(nodes.length));
  nodes.forEach((node, at) => {
    let m00 = 0;
    let m10 = 0;
    let m01 = 0;
    let m11 = 0;
    for (let k = 0, a = Math.floor(node / n2) * nz, b = (node % n2) * nz; k < nz; k += 1, a += 1, b += 1) {
      m00 += x0[a] * y0[b];
      m10 += x1[a] * y0[b];
      m01 += x0[a] * y1[b];
      m11 += x1[a] * y1[b];
    }
    if (!(m00 > 1e-300)) return;
    first[at] = m10 / m00;
    second[at] = m01 / m00;
    both[at] = m11 / m00;
  });
  return {first, second, both};
}

/** s^h = mean_h + load_h z + rest_h: each load carries √|ρ| of its standard deviation; and the rule for z ~ N(0, 1). */
function sharedFactor(law, {step, depth}) {
  const both = law.sd1 * law.sd2;
  const correlation = both > 0 ? Math.min(Math.max(law.covariance / both, -1), 1) : 0;
  const share = Math.sqrt(Math.abs(correlation));
  const loads = [law.sd1 * share, Math.sign(correlation) * law.sd2 * share];
  const alone = Math.sqrt(Math.max(0, 1 - Math.abs(correlation)));
  const rests = [law.sd1 * alone, law.sd2 * alone];
  const fastest = Math.max(...loads.map((load, h) => Math.abs(load) / Math.max(1, rests[h] / 4)));
  if (fastest === 0) return {loads, rests, z: [0], zMass: [1]};
  const inZ = step * Math.min(2, 1.2 / fastest);
  const reach = Math.ceil(Math.sqrt(2.1 * depth) / inZ);
  const z = Float64Array.from({length: 2 * reach + 1}, (_, k) => inZ * (k - reach));
  return {loads, rests, z, zMass: z.map((value) => inZ * NORMAL_PEAK * Math.exp((-value * value) / 2))};
}

/** L, M_1 … M_order of one head at u + mean + load z, as arrays over (u, z). */
function headKernels(u, mean, load, rest, z, {depth, table, points}, order = 1) {
  const x = new Float64Array(u.length * z.length);
  let low = Infinity;
  let high = -Infinity;
  for (let i = 0; i < u.length; i += 1) {
    for (let k = 0; k < z.length; k += 1) {
      const value = u[i] + mean + load * z[k];
      x[i * z.length + k] = value;
      if (value < low) low = value;
      if (value > high) high = value;
    }
  }
  const step = table * Math.max(1, rest / 2);
  low = Math.max(low, leftEnd(rest, depth + 6)); // further left L is 1 and the others are nothing
  high = Math.min(high, rightEnd(rest, depth + 6)); // further right all of them are
  const n = Math.ceil(Math.max(high - low, 0) / step) + points;
  if (rest === 0 || 2 * n > x.length) return kernelMoments(x, rest, order, depth);
  const start = low - (points / 2) * step;
  const rows = kernelMoments(Float64Array.from({length: n + points}, (_, k) => start + step * k), rest, order, depth);
  return interpolate(rows, x, {start, step, low, high, points});
}

/** Values between those of evenly spaced tables, by Lagrange's polynomial through the nearest points. */
function interpolate(tables, x, {start, step, low, high, points}) {
  const found = tables.map(() => new Float64Array(x.length));
  const scales = Float64Array.from({length: points}, (_, k) => {
    let product = 1;
    for (let j = 0; j < points; j += 1) if (j !== k) product *= k - j;
    return 1 / product;
  });
  const weights = new Float64Array(points);
  for (let i = 0; i < x.length; i += 1) {
    if (x[i] >= high) continue;
    if (x[i] <= low) {
      found[0][i] = 1;
      continue;
    }
    const place = (x[i] - start) / step;
    const first = Math.floor(place) - points / 2 + 1;
    const t = place - first;
    const nearest = Math.round(t);
    if (t === nearest) {
      for (let m = 0; m < tables.length; m += 1) found[m][i] = tables[m][first + nearest];
      continue;
    }
    let product = 1;
    for (let k = 0; k < points; k += 1) product *= t - k;
    for (let k = 0; k < points; k += 1) weights[k] = (product * scales[k]) / (t - k);
    for (let m = 0; m < tables.length; m += 1) {
      let total = 0;
      for (let k = 0; k < points; k += 1) total += weights[k] * tables[m][first + k];
      found[m][i] = total;
    }
  }
  return found;
}

const NAMES = {mean1: [1, 0], mean2: [0, 1], variance1: [2, 0], variance2: [0, 2], covariance: [1, 1]};

/**
 * tr Cov(c¹, c²) of two heads, with its derivatives in every key's means, variances and covariance. `left` and `right` are
 * the values relative to each head's mean output. The kernels differentiate into each other: M_a′ = a M_a − M_{a+1}.
 */
export function crossTrace(pairs, left, right, precision = PAIR_QUICK) {
  const {laws, lawOfKey} = distinctPairs(pairs);
  const rules = [1, 2].map((head) => headRule(laws.map((law) => ({mean: law[`mean${head}`], sd: law[`sd${head}`]})), precision));
  const kernels = laws.map((law) => pairMoments(law, rules, precision));
  const mass = planeMass(rules, kernels.map((kernel) => ({level: kernel[0][0]})), laws);
  const n = mass.length;
  const [sumLeft, sumRight] = [left, right].map((values) => laws.map((_, l) => sumRows(values, lawOfKey, l)));
  const own = laws.map((_, l) => lawOfKey.reduce((sum, law, i) => (law === l ? sum + inner(left[i], right[i]) : sum), 0));
  const width = left[0].length;
  const [g1, g2] = [sumRatios(kernels, sumLeft, 1, 0, n, width), sumRatios(kernels, sumRight, 0, 1, n, width)];
  const psi = new Float64Array(n);
  for (let i = 0; i < n; i += 1) {
    for (let a = 0; a < width; a += 1) psi[i] += g1[a][i] * g2[a][i];
    kernels.forEach((kernel, l) => {
      if (own[l] !== 0) psi[i] += own[l] * (ratio(kernel, 1, 1, i) - ratio(kernel, 1, 0, i) * ratio(kernel, 0, 1, i));
    });
  }
  let trace = 0;
  for (let i = 0; i < n; i += 1) trace += mass[i] * psi[i];
  const gradient = {};
  for (const [name, [n1, n2]] of Object.entries(NAMES)) {
    const changes = kernels.map((kernel) => lawChange(kernel, n1, n2, {mass, psi, g1, g2, n, width}));
    gradient[name] = lawOfKey.map((l, i) => changes[l].level + inner(left[i], changes[l].along2) +
      inner(right[i], changes[l].along1) + inner(left[i], right[i]) * changes[l].own);
  }
  return {trace, gradient};
}

function ratio(kernel, a, b, i) {
  const level = kernel[0][0][i];
  return level > 1e-300 ? kernel[a][b][i] / level : 0;
}

function inner(a, b) {
  let total = 0;
  for (let i = 0; i < a.length; i += 1) total += a[i] * b[i];
  return total;
}

function sumRows(values, lawOfKey, l) {
  const total = new Array(values[0].length).fill(0);
  values.forEach((row, i) => { if (lawOfKey[i] === l) row.forEach((value, a) => { total[a] += value; }); });
  return total;
}

/** Σ_l values_l (M_ab/L)_l at every node of the plane, for each axis. */
function sumRatios(kernels, sums, a, b, n, width) {
  const found = Array.from({length: width}, () => new Float64Array(n));
  kernels.forEach((kernel, l) => {
    for (let axis = 0; axis < width; axis += 1) {
      const share = sums[l][axis];
      if (share !== 0) for (let i = 0; i < n; i += 1) found[axis][i] += share * ratio(kernel, a, b, i);
    }
  });
  return found;
}

/** What a change of one law's means, variances or covariance does to the integral, as far as its own kernels go. */
function lawChange(kernel, n1, n2, {mass, psi, g1, g2, n, width}) {
  const found = {level: 0, own: 0, along1: new Array(width).fill(0), along2: new Array(width).fill(0)};
  const half = n1 + n2 === 2 && n1 !== n2 ? 0.5 : 1;
  for (let i = 0; i < n; i += 1) {
    if (mass[i] < 1e-18) continue;
    const [r1, r2, r12] = [ratio(kernel, 1, 0, i), ratio(kernel, 0, 1, i), ratio(kernel, 1, 1, i)];
    const level = half * derivative(kernel, 0, 0, n1, n2, i);
    const d1 = half * derivative(kernel, 1, 0, n1, n2, i) - r1 * level;
    const d2 = half * derivative(kernel, 0, 1, n1, n2, i) - r2 * level;
    const d12 = half * derivative(kernel, 1, 1, n1, n2, i) - r12 * level;
    found.level += mass[i] * psi[i] * level;
    found.own += mass[i] * (d12 - r2 * d1 - r1 * d2);
    for (let axis = 0; axis < width; axis += 1) {
      found.along2[axis] += mass[i] * d1 * g2[axis][i];
      found.along1[axis] += mass[i] * d2 * g1[axis][i];
    }
  }
  return found;
}

/** ∂^(n1 + n2) M_ab / L, by M_a′ = a M_a − M_{a+1} in each head. */
function derivative(kernel, a, b, n1, n2, i) {
  if (n1 > 0) return a * derivative(kernel, a, b, n1 - 1, n2, i) - derivative(kernel, a + 1, b, n1 - 1, n2, i);
  if (n2 > 0) return b * derivative(kernel, a, b, 0, n2 - 1, i) - derivative(kernel, a, b + 1, 0, n2 - 1, i);
  return ratio(kernel, a, b, i);
}

/** M_ab of one law at all nodes of the plane, as far as derivatives need them. */
function pairMoments(law, rules, precision) {
  const factor = conditionalKernels(law, rules, precision, 3);
  return [0, 1, 2, 3].map((a) => [0, 1, 2, 3].map((b) => (
    Math.max(a, b) === 3 && Math.min(a, b) > 1 ? null : planeProduct(factor, a, b))));
}
