// Queries of least expected squared error when keys are noisy: F = E |(1/h) Σ c_h − target|², searched by descent.
//
// F and its gradient come from the exact laws: each head's logit means m_i = μ_i·q and variances q·Σ_i q, and the heads'
// covariances, with dm_i/dq = μ_i and d(q·Σ_i q)/dq = 2 Σ_i q. `searchRobust` is a generator: it yields every design that
// is better than all before it, so that a page can show the queries moving.
import {requireMatrix, requireNumber, requireVector, requireWhole} from "./check.js";
import {nearestOutput} from "./hull.js";
import {addScaled, leastNormSolution, vectorLength} from "./linear.js";
import {weightIntegral} from "./moments.js";
import {checkNoise, logitLaw, outputLaw, squaredError} from "./noise.js";
import {crossTrace} from "./pair.js";
import {dot, mixValues} from "./softmax.js";

const SEARCH = {step: 0.5, depth: 20};
const STARTS = {pull: [1, 0, 0], push: [0, -1, -1], both: [0.5, -0.5, -0.5], opposed: [1, -1, 0]};
const START_SIZES = [2, 6, 16];
const MEMORY = 12;
const MAX_SEARCH_HEADS = 8;

/** F at some queries, to about 1e-6, and its gradient in each of them. */
export function squaredErrorGradient(exercise, queries) {
  const {values, target, ...given} = exercise;
  const noise = checkNoise(given);
  const logits = logitLaw(given, queries);
  const n = queries.length;
  const heads = queries.map((_, h) => headParts(logits.mean[h], logits.sd[h], values));
  const miss = target.map((wanted, axis) => heads.reduce((sum, head) => sum + head.output[axis], 0) / n - wanted);
  let error = dot(miss, miss);
  const gradient = heads.map((head, h) => {
    error += head.variance / (n * n);
    const change = headGradient(head, miss.map((part) => (2 * part) / n), 1 / (n * n));
    return chainToQuery(noise, queries[h], change.mean, change.variance);
  });
  for (let g = 0; g < n; g += 1) {
    for (let h = g + 1; h < n; h += 1) {
      if (!logits.between[g][h].some((value) => value !== 0)) continue;
      error += addPair(noise, queries, logits, heads, g, h, gradient);
    }
  }
  return {error, gradient};
}

/** 2/h² tr Cov(c_g, c_h); its gradient is added. */
function addPair(noise, queries, logits, heads, g, h, gradient) {
  const share = 2 / (queries.length * queries.length);
  const pairs = logits.mean[g].map((mean, i) => ({
    mean1: mean, sd1: logits.sd[g][i], mean2: logits.mean[h][i], sd2: logits.sd[h][i], covariance: logits.between[g][h][i],
  }));
  const found = crossTrace(pairs, heads[g].centred, heads[h].centred);
  for (const [one, other, number] of [[g, h, 1], [h, g, 2]]) {
    const change = chainToQuery(noise, queries[one], found.gradient[`mean${number}`], found.gradient[`variance${number}`]);
    const across = spreadTimes(noise, queries[other], found.gradient.covariance);
    gradient[one] = gradient[one].map((value, axis) => value + share * (change[axis] + across[axis]));
  }
  return share * found.trace;
}

/** One head's integral, mean output, values relative to it, and total variance. */
function headParts(mean, sd, values) {
  const {lawOfKey, integral} = weightIntegral(mean, sd, 4, SEARCH);
  const {mass, ratios} = integral;
  const weight = lawOfKey.map((l) => dot(mass, ratios[0][l]));
  const output = mixValues(weight, values);
  const centred = values.map((value) => addScaled(value, output, -1));
  const squares = centred.map((row) => dot(row, row));
  const width = output.length;
  const along = Array.from({length: width}, () => new Float64Array(mass.length));
  lawOfKey.forEach((l, i) => centred[i].forEach((part, axis) => {
    if (part !== 0) for (let u = 0; u < mass.length; u += 1) along[axis][u] += part * ratios[0][l][u];
  }));
  let variance = 0;
  for (let u = 0; u < mass.length; u += 1) for (const row of along) variance += mass[u] * row[u] * row[u];
  const spread = ratios[0].map((first, l) => first.reduce((sum, value, u) => sum + mass[u] * (ratios[1][l][u] - value * value), 0));
  lawOfKey.forEach((l, i) => { variance += squares[i] * spread[l]; });
  return {lawOfKey, mass, ratios, output, values, centred, squares, along, variance};
}

/** Derivatives of slope·E c + share · tr Cov c in every logit's mean and variance. */
function headGradient(head, slope, share) {
  const {lawOfKey, mass, ratios, values, centred, squares, along} = head;
  const [r1, r2, r3, r4] = ratios;
  const n = mass.length;
  const linear = values.map((value) => dot(value, slope));
  const psi = new Float64Array(n);
  for (const row of along) for (let u = 0; u < n; u += 1) psi[u] += share * row[u] * row[u];
  lawOfKey.forEach((l, i) => {
    for (let u = 0; u < n; u += 1) psi[u] += r1[l][u] * linear[i] + share * squares[i] * (r2[l][u] - r1[l][u] * r1[l][u]);
  });
  const sums = r1.map((_, l) => lawSums(mass, psi, along, [r1[l], r2[l], r3[l], r4[l]]));
  const of = (name) => lawOfKey.map((l, i) => {
    const found = sums[l][name];
    return found.level + linear[i] * found.first + share * (2 * dot(centred[i], found.along) + squares[i] * found.own);
  });
  return {mean: of("mean"), variance: of("variance")};
}

/** Integrals of one law's derivatives: M_k′ = k M_k − M_{k+1} in the mean, half the second derivative in the variance. */
function lawSums(mass, psi, along, [r1, r2, r3, r4]) {
  const found = {};
  for (const name of ["mean", "variance"]) {
    const sum = {level: 0, first: 0, own: 0, along: along.map(() => 0)};
    for (let u = 0; u < mass.length; u += 1) {
      const [a, b, c, d] = [r1[u], r2[u], r3[u], r4[u]];
      const level = name === "mean" ? -a : (b - a) / 2;
      const first = (name === "mean" ? a - b : (a - 3 * b + c) / 2) - a * level;
      const second = (name === "mean" ? 2 * b - c : (4 * b - 5 * c + d) / 2) - b * level;
      sum.level += mass[u] * psi[u] * level;
      sum.first += mass[u] * first;
      sum.own += mass[u] * (second - 2 * a * first);
      for (let axis = 0; axis < along.length; axis += 1) sum.along[axis] += mass[u] * along[axis][u] * first;
    }
    found[name] = sum;
  }
  return found;
}

/** Σ_i dmean_i μ_i + 2 dvariance_i Σ_i q. */
function chainToQuery(noise, query, byMean, byVariance) {
  const found = spreadTimes(noise, query, byVariance.map((value) => 2 * value));
  noise.keys.forEach((key, i) => key.forEach((part, axis) => { found[axis] += byMean[i] * part; }));
  return found;
}

/** Σ_i share_i Σ_i q, Σ_i = isotropic_i I + radial_i μ_i μ_iᵀ. */
function spreadTimes({keys, radial, isotropic}, query, shares) {
  const found = query.map(() => 0);
  keys.forEach((key, i) => {
    const along = shares[i] * radial[i] * dot(key, query);
    key.forEach((part, axis) => { found[axis] += along * part + shares[i] * isotropic[i] * query[axis]; });
  });
  return found;
}

/** Named designs to start from: all wanted keys for every head, or shared out among the heads. */
export function startingDesigns({keys, values, target}, nHeads) {
  const {mix} = nearestOutput(values, target);
  const most = Math.max(...mix);
  const wanted = mix.flatMap((weight, i) => (weight > 1e-6 * most ? [i] : []));
  const shares = {together: Array.from({length: nHeads}, () => wanted)};
  if (nHeads > 1) {
    const first = (h) => h % wanted.length;
    shares["shared out"] = Array.from({length: nHeads}, (_, h) => wanted.filter((_, k) => k >= first(h) && (k - first(h)) % nHeads === 0));
  }
  const found = [];
  for (const [sharing, parts] of Object.entries(shares)) {
    for (const [family, [own, others, rest]] of Object.entries(STARTS)) {
      if (family === "opposed" && sharing === "together") continue;
      for (const size of START_SIZES) {
        const queries = parts.map((part, h) => {
          const longer = sharing === "together" ? size * (1 + 0.1 * h) : size; // identical heads would stay identical
          const logits = keys.map((_, i) => longer * (part.includes(i) ? own : wanted.includes(i) ? others : rest));
          return leastNormSolution(keys, logits, 1e-15).solution;
        });
        found.push({name: `${family} ${size} ${sharing}`, queries});
      }
    }
  }
  return found;
}

/**
 * Looks for the best queries of `heads` heads, none longer than `bound`. Yields {number, error, queries} for every design
 * that is better than all before it; returns the last with its exact law. The keys' noise must be independent.
 */
export function* searchRobust(exercise, {heads = 1, bound = 60, rounds = 60} = {}) {
  const {values, target, keys, together = 0} = exercise;
  requireMatrix("values", values, keys.length);
  requireVector("target", target, values[0].length);
  requireWhole("the number of heads", heads, 1, MAX_SEARCH_HEADS);
  requireNumber("the bound on a query's length", bound, 1e-3, 1e6);
  if (together > 0) throw new RangeError("the search needs keys that vary independently; here all vary together");
  let [number, best] = [0, null];
  const evaluate = (queries) => {
    number += 1;
    const found = squaredErrorGradient(exercise, queries);
    if (best === null || found.error < best.error) best = {number, error: found.error, queries, isNew: true};
    return found;
  };
  const news = function* () {
    if (best?.isNew) {
      best.isNew = false;
      yield {number: best.number, error: best.error, queries: best.queries};
    }
  };
  const starts = [];
  for (const {queries} of startingDesigns(exercise, heads)) {
    const inside = queries.map((query) => unsquash(query, bound));
    starts.push({free: inside, error: evaluate(inside.map((free) => squash(free, bound).query)).error});
    yield* news();
  }
  starts.sort((a, b) => a.error - b.error);
  const followed = [];
  for (const start of starts.slice(0, 2)) followed.push(yield* descend(start.free, evaluate, news, {bound, rounds, tolerance: 1e-6}));
  followed.sort((a, b) => a.error - b.error);
  yield* descend(followed[0].free, evaluate, news, {bound, rounds, tolerance: 1e-8});
  const law = outputLaw({...exercise, queries: best.queries});
  return {number, queries: best.queries, law, ...squaredError(law, target)};
}

/** L-BFGS with halved steps, over queries squashed into the ball. */
function* descend(start, evaluate, news, {bound, rounds, tolerance}) {
  const shape = start.map((row) => row.length);
  const unflatten = (flat) => {
    let at = 0;
    return shape.map((n) => flat.slice(at, (at += n)));
  };
  const value = (flat) => {
    const squashed = unflatten(flat).map((free) => squash(free, bound));
    const found = evaluate(squashed.map(({query}) => query));
    return {error: found.error, gradient: found.gradient.flatMap((row, h) => squashed[h].pullBack(row))};
  };
  let x = start.flat();
  let now = value(x);
  const memory = [];
  for (let round = 0; round < rounds; round += 1) {
    const direction = quasiNewton(now.gradient, memory);
    const slope = dot(direction, now.gradient);
    if (!(slope < 0)) break;
    let share = memory.length ? 1 : Math.min(1, 1 / vectorLength(now.gradient));
    let [next, found] = [x, now];
    for (; share > 1e-8; share /= 3) {
      next = addScaled(x, direction, share);
      found = value(next);
      if (found.error <= now.error + 1e-4 * share * slope) break;
    }
    yield* news();
    const gain = now.error - found.error;
    if (!(gain > 0)) break;
    const [s, y] = [addScaled(next, x, -1), addScaled(found.gradient, now.gradient, -1)];
    if (dot(s, y) > 1e-12 * vectorLength(s) * vectorLength(y)) memory.push({s, y, rho: 1 / dot(s, y)});
    if (memory.length > MEMORY) memory.shift();
    [x, now] = [next, found];
    if (gain < tolerance * Math.max(now.error, 1e-6)) break;
  }
  return {free: unflatten(x), error: now.error};
}

/** −H⁻¹ g by the two-loop recursion. */
function quasiNewton(gradient, memory) {
  let q = gradient.map((value) => -value);
  const shares = [];
  for (const {s, y, rho} of [...memory].reverse()) {
    const share = rho * dot(s, q);
    shares.push(share);
    q = addScaled(q, y, -share);
  }
  const last = memory.at(-1);
  if (last) {
    const factor = dot(last.s, last.y) / dot(last.y, last.y);
    q = q.map((value) => value * factor);
  }
  for (const {s, y, rho} of memory) q = addScaled(q, s, shares.pop() - rho * dot(y, q));
  return q;
}

/** q = x/√(1 + |x|²/bound²), and the map that takes gradients in q back to x. */
function squash(free, bound) {
  const squeeze = 1 / Math.sqrt(1 + dot(free, free) / (bound * bound));
  return {
    query: free.map((value) => value * squeeze),
    pullBack: (gradient) => {
      const along = (dot(gradient, free) * squeeze * squeeze) / (bound * bound);
      return gradient.map((value, axis) => squeeze * (value - along * free[axis]));
    },
  };
}

function unsquash(query, bound) {
  const length = vectorLength(query);
  const inside = query.map((value) => value * Math.min(1, (0.98 * bound) / Math.max(length, 1e-300)));
  const stretch = 1 / Math.sqrt(1 - dot(inside, inside) / (bound * bound));
  return inside.map((value) => value * stretch);
}
