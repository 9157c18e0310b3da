// Two heads that read the same noisy keys: the covariance of their weights, as an integral over the plane.
//
// For one key with logits (s¹, s²), bivariate normal, and y_h = u_h + s^h, let M_ab = E e^(a y₁ + b y₂) exp(−e^y₁ − e^y₂).
// With L = M_00 and P = Π L over keys,
//
//   E α¹_i α²_j = ∫∫ (M_10/L)_i (M_01/L)_j P du₁ du₂  (i ≠ j),      E α¹_i α²_i = ∫∫ (M_11/L)_i P du₁ du₂.
//
// Given a factor z that the two logits share they are independent: each M_ab is a product over z of one-head kernels.
import {kernelMoments} from "./kernel.js";
import {headRule} from "./moments.js";
import {NORMAL_PEAK} from "./normal.js";

/** Of the integral over the plane: about 1e-10, and about 1e-5 in a sixth of the time, for what moves. */
export const PAIR_FINE = {step: 0.4, depth: 25};
export const PAIR_QUICK = {step: 0.62, depth: 14};

/**
 * E α¹_i α²_j for all keys i, j. `pairs[i]` holds a key's mean1, sd1, mean2, sd2 and the covariance of its two logits.
 */
export function crossProducts(pairs, precision = PAIR_FINE) {
  const {laws, lawOfKey} = distinctPairs(pairs);
  const rules = [1, 2].map((head) => headRule(laws.map((law) => ({mean: law[`mean${head}`], sd: law[`sd${head}`]})), precision));
  const kernels = laws.map((law) => pairKernels(law, rules, precision));
  const mass = planeMass(rules, kernels, laws);
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

/** L and the ratios M_10/L, M_01/L, M_11/L of one law at all nodes of the plane. */
function pairKernels(law, rules, precision) {
  const {loads, rests, z, zMass} = sharedFactor(law, precision);
  const x = headKernels(rules[0].u, law.mean1, loads[0], rests[0], z, precision);
  const y = headKernels(rules[1].u, law.mean2, loads[1], rests[1], z, precision);
  const [n1, n2, nz] = [rules[0].u.length, rules[1].u.length, z.length];
  for (const rows of x) for (let i = 0; i < n1; i += 1) for (let k = 0; k < nz; k += 1) rows[i * nz + k] *= zMass[k];
  const found = {level: null, first: null, second: null, both: null};
  [found.level, found.first, found.second, found.both] = Array.from({length: 4}, () => new Float64Array(n1 * n2));
  const [x0, x1] = x;
  const [y0, y1] = y;
  for (let i = 0; i < n1; i += 1) {
    for (let j = 0; j < n2; j += 1) {
      let [m00, m10, m01, m11] = [0, 0, 0, 0];
      for (let k = 0, a = i * nz, b = j * nz; k < nz; k += 1, a += 1, b += 1) {
        m00 += x0[a] * y0[b];
        m10 += x1[a] * y0[b];
        m01 += x0[a] * y1[b];
        m11 += x1[a] * y1[b];
      }
      const place = i * n2 + j;
      found.level[place] = m00;
      if (m00 > 1e-300) {
        found.first[place] = m10 / m00;
        found.second[place] = m01 / m00;
        found.both[place] = m11 / m00;
      }
    }
  }
  return found;
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

/** L and M_1 of one head at u + mean + load z, as arrays over (u, z). */
function headKernels(u, mean, load, rest, z, {depth}) {
  const x = new Float64Array(u.length * z.length);
  for (let i = 0; i < u.length; i += 1) {
    for (let k = 0; k < z.length; k += 1) x[i * z.length + k] = u[i] + mean + load * z[k];
  }
  return kernelMoments(x, rest, 1, depth);
}
