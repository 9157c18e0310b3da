// First and second moments of attention weights under independent normal logits s_i ~ N(mean_i, sd_i²).
//
// With 1/S = ∫ e^(−tS) dt, t = eᵘ, independence makes every moment one integral over products of one-key kernels
// (P = Π L_k, r_i = D_i/L_i, q_i = Q_i/L_i):
//
//   E α_i = ∫ r_i P du        E α_i α_j = ∫ r_i r_j P du  (i ≠ j)        E α_i² = ∫ q_i P du
//
// With one noisy logit its weight is sig(x + sd g), whose moments are one sum. `error` bounds what a moment of the
// weights may be off by: |Σ E α − 1|, which the rule does not know to be 0, and what kernels and cuts leave.
import {requireNumber, requireVector} from "./check.js";
import {FINE, kernelMoments, leftEnd, rightEnd} from "./kernel.js";
import {normalCdf} from "./normal.js";
import {logSumExp, softmax} from "./softmax.js";

const TURN = 20; // of the graded rule: within so much of the right end its step is even
const MAX_LOGIT = 1e6;
const ROUNDING = 64 * 2 ** -52;

/**
 * E α_i, E α_i² and Cov(α_i, α_j) of all keys, the method and the error. Keys with the same mean and sd are computed
 * once.
 */
export function weightMoments(mean, sd, precision = FINE) {
  checkLogits(mean, sd);
  const noisy = sd.flatMap((value, i) => (value > 0 ? [i] : []));
  if (noisy.length === 0 || mean.length === 1) return momentsWithoutNoise(mean);
  return noisy.length === 1 ? momentsOfOneNoisy(mean, sd, noisy[0]) : momentsByIntegral(mean, sd, precision);
}

/** Refuse logits that are not numbers, too large, or of negative spread. */
export function checkLogits(mean, sd) {
  requireVector("the logits' means", mean);
  requireVector("the logits' standard deviations", sd, mean.length);
  mean.forEach((value) => requireNumber("a logit's mean", value, -MAX_LOGIT, MAX_LOGIT));
  sd.forEach((value) => requireNumber("a logit's standard deviation", value, 0, MAX_LOGIT));
}

function momentsWithoutNoise(mean) {
  const weights = softmax(mean);
  return {
    mean: weights, square: weights.map((weight) => weight * weight),
    covariance: weights.map(() => weights.map(() => 0)), method: "certain", error: ROUNDING,
  };
}

function momentsOfOneNoisy(mean, sd, a) {
  const others = mean.filter((_, i) => i !== a);
  const law = logisticNormal(mean[a] - logSumExp(others), sd[a]);
  const shares = softmax(others);
  const share = mean.map((_, i) => (i === a ? -1 : shares[i < a ? i : i - 1]));
  const weight = mean.map((_, i) => (i === a ? law.mean : law.lack * share[i]));
  return {
    mean: weight,
    square: weight.map((value, i) => value * value + law.variance * share[i] * share[i]),
    covariance: share.map((left) => share.map((right) => law.variance * left * right)),
    method: "logistic-normal", error: ROUNDING,
  };
}

/** Mean of sig(x + sd g), its distance from one, and its variance; for any x and sd. */
export function logisticNormal(x, sd) {
  if (x > 0) {
    const mirrored = logisticNormal(-x, sd);
    return {mean: mirrored.lack, lack: mirrored.mean, variance: mirrored.variance};
  }
  const {mean, variance} = sd <= 1 ? narrowLogistic(x, sd) : wideLogistic(x, sd);
  return {mean, lack: 1 - mean, variance};
}

function narrowLogistic(x, sd) {
  const centre = sigmoid(x);
  let [first, second] = [0, 0];
  for (let g = -9.5; g <= 9.501; g += 0.25) {
    const mass = (Math.exp((-g * g) / 2) * 0.25) / Math.sqrt(2 * Math.PI);
    const change = centre * Math.expm1(sd * g) * sigmoid(-(x + sd * g));
    first += mass * change;
    second += mass * change * change;
  }
  return {mean: centre + first, variance: second - first * first};
}

function wideLogistic(x, sd) {
  let [mean, second] = [0, 0];
  for (let w = Math.max(x - 42, -160); w <= 42.125; w += 0.25) {
    const level = sigmoid(w);
    const slope = level * sigmoid(-w) * normalCdf((x - w) / sd) * 0.25;
    mean += slope;
    second += 2 * level * slope;
  }
  return {mean, variance: second - mean * mean};
}

/** 1 / (1 + e^−x). */
export function sigmoid(x) {
  if (x >= 0) return 1 / (1 + Math.exp(-x));
  const power = Math.exp(x);
  return power / (1 + power);
}

function momentsByIntegral(mean, sd, precision) {
  const {laws, lawOfKey, integral} = weightIntegral(mean, sd, 2, precision);
  const {mass, ratios} = integral;
  const [first, second] = ratios;
  const n = laws.length;
  const level = new Float64Array(n);
  const square = new Float64Array(n);
  const product = laws.map(() => new Float64Array(n));
  for (let i = 0; i < mass.length; i += 1) {
    for (let l = 0; l < n; l += 1) {
      const weighted = mass[i] * first[l][i];
      level[l] += weighted;
      square[l] += mass[i] * second[l][i];
      for (let k = 0; k <= l; k += 1) product[l][k] += weighted * first[k][i];
    }
  }
  const weight = lawOfKey.map((l) => level[l]);
  const covariance = lawOfKey.map((l, i) => lawOfKey.map((k, j) =>
    (i === j ? square[l] : product[Math.max(l, k)][Math.min(l, k)]) - level[l] * level[k]));
  const off = Math.abs(weight.reduce((sum, value) => sum + value, 0) - 1);
  return {
    mean: weight, square: lawOfKey.map((l) => square[l]), covariance, method: "integral",
    error: 4 * off + 4 * Math.exp(-precision.depth) + 1000 * Math.exp(-(Math.PI ** 2) / precision.step),
  };
}

/** Kernels of every different law at the nodes of a rule made for these logits: `mass` is weight · P, `ratios[k − 1]` M_k/L. */
export function weightIntegral(mean, sd, order, precision) {
  const {laws, lawOfKey} = distinctLaws(mean, sd);
  const {u, weight} = headRule(laws, precision);
  const mass = Float64Array.from(weight);
  const ratios = Array.from({length: order}, () => laws.map(() => new Float64Array(u.length)));
  laws.forEach((law, l) => {
    const low = leftEnd(law.sd, precision.depth + 6);
    let n = u.length;
    while (n > 0 && u[n - 1] + law.mean < low) n -= 1; // the nodes fall; further left the key has no weight, and L is 1
    const found = kernelMoments(Float64Array.from({length: n}, (_, i) => u[i] + law.mean), law.sd, order, precision.depth);
    for (let i = 0; i < n; i += 1) {
      const level = found[0][i];
      mass[i] *= law.count === 1 ? level : level ** law.count;
      if (level > 1e-300) for (let k = 1; k <= order; k += 1) ratios[k - 1][l][i] = found[k][i] / level;
    }
  });
  return {laws, lawOfKey, integral: {u, weight, mass, ratios}};
}

/** Different pairs of mean and sd, with how many keys have each; rounding makes no difference. */
export function distinctLaws(mean, sd) {
  const unit = 1e-13 * Math.max(1e-300, ...mean.map(Math.abs));
  const spread = 1e-13 * Math.max(1e-300, ...sd);
  const found = new Map();
  const laws = [];
  const lawOfKey = mean.map((value, i) => {
    const name = `${Math.round(value / unit)} ${Math.round(sd[i] / spread)}`;
    if (!found.has(name)) {
      found.set(name, laws.length);
      laws.push({mean: value, sd: sd[i], count: 0});
    }
    const law = found.get(name);
    laws[law].count += 1;
    return law;
  });
  return {laws, lawOfKey};
}

/**
 * The trapezoid rule in v with u = high − turn · sinh v: fine where narrow kernels act, coarse far to the left, so that
 * wide logits cost a few nodes more, not thousands.
 */
export function headRule(laws, precision) {
  const {step, depth} = precision;
  const low = Math.min(...laws.map((law) => leftEnd(law.sd, depth) - law.mean));
  const high = Math.min(...laws.map((law) => rightEnd(law.sd, depth) - law.mean));
  const turn = TURN * Math.max(1, Math.min(...laws.map((law) => law.sd)) / 4);
  const inV = step / TURN;
  const n = Math.ceil(Math.asinh((high - low) / turn) / inV) + 1;
  const [u, weight] = [new Float64Array(n), new Float64Array(n)];
  for (let k = 0; k < n; k += 1) {
    u[k] = high - turn * Math.sinh(inV * k);
    weight[k] = turn * Math.cosh(inV * k) * inV;
  }
  return {u, weight};
}
