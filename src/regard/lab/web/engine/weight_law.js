// The law of one attention weight under independent normal logits: density, distribution, quantiles.
//
// α_a > t where Y = ln Σ_{j≠a} e^(s_j) − s_a is below odds = ln((1 − t)/t). Where one normal variable decides, the law of Y
// is a closed form; where two do, one integral. Otherwise it is found by Fourier transforms on a lattice: with
// R = ln Σ_{j≠a} e^(s_j),
//
//   ∫ e^(iωu) (−d/du) Π_j L_j(u + iθ) du = e^(θω) Γ(1 + iω) E e^(−iωR),      L_j(u) = E exp(−e^(u + s_j))
//
// and the transform of −L_j′ is e^(θω) Γ(1 + iω) e^(−iω m_j − sd_j² ω²/2), in closed form. The angle θ keeps e^(θω) Γ from
// vanishing at the frequencies that matter. `error` is what density (in Y, of its largest value) and distribution may
// be off by: what is left at the last frequency, and rounding that the division by e^(θω) Γ(1 + iω) makes larger.
import {requireIndex, requireNumber} from "./check.js";
import {fourierTransform, gammaAlongLine} from "./fourier.js";
import {leftEnd} from "./kernel.js";
import {checkLogits, distinctLaws} from "./moments.js";
import {normalCdf, normalDensity} from "./normal.js";
import {logSumExp, softmax} from "./softmax.js";

const MAX_NODES = 2 ** 14;
const AMPLIFIED = 12; // nats: rounding grows by e^12 at most
const DIGITS = 25; // nats: what is cut off
const SDS = Array.from({length: 19}, (_, k) => k - 9);
const BENDS = [1, 2.5, 5, 9, 14, 20, 30]; // from where two logits are equal: beyond, one has all the weight
const PANEL_ERROR = 1e-11;
const REACH = 7.1; // standard deviations: e^(−7.1²/2) = 1e-11

/**
 * The law of the weight of one key: `density(t)`, `above(t)` = P(α > t) and `quantile(p)` for numbers in (0, 1),
 * `flips(t)` = P(α > t) + P(α < 1 − t), the method and the error.
 */
export function weightLaw(mean, sd, key) {
  checkLogits(mean, sd);
  requireIndex("the key", key, mean.length);
  if (mean.length < 2) throw new RangeError("one key alone always has weight 1; give at least two");
  const event = weightEvent(mean, sd, key);
  const law = closedForm(event) ?? transformedLaw(event);
  const above = (t) => Math.min(Math.max(law.distribution(oddsAt(t)), 0), 1);
  return {
    density: (t) => Math.max(law.density(oddsAt(t)), 0) / (t * (1 - t)),
    above,
    quantile: (p) => quantileOf(law, p),
    flips: (t) => Math.min(1, above(t) + 1 - above(1 - t)),
    method: law.method, error: law.error, peak: law.peak,
  };
}

/** The density at many weights, with points closer together where a flipping density rises; for a figure. */
export function densityCurve(mean, sd, key, nPoints = 161) {
  const law = weightLaw(mean, sd, key);
  const at = Array.from({length: nPoints}, (_, i) => (1 - Math.cos(0.02 + ((Math.PI - 0.04) * i) / (nPoints - 1))) / 2);
  return {at, density: at.map(law.density), method: law.method, error: law.error};
}

/** P(key i has the largest logit), for every key: ∫ φ(z) Π_j Φ((s_i(z) − m_j)/sd_j) dz by the trapezoid rule. */
export function winProbabilities(mean, sd) {
  checkLogits(mean, sd);
  const widest = Math.max(...sd);
  if (widest === 0) {
    const top = Math.max(...mean);
    const n = mean.filter((value) => value === top).length;
    return mean.map((value) => (value === top ? 1 / n : 0));
  }
  return mean.map((own, i) => (sd[i] > 0 ? winOfNoisy(mean, sd, i) : chanceOfAllBelow(own, mean, sd, i)));
}

function winOfNoisy(mean, sd, i) {
  const narrowest = Math.min(...sd.filter((value) => value > 0));
  const step = Math.min(0.25, (0.4 * Math.max(narrowest, 1e-3 * sd[i])) / sd[i]);
  let total = 0;
  for (let z = -8.5; z <= 8.5; z += step) total += step * normalDensity(z) * chanceOfAllBelow(mean[i] + sd[i] * z, mean, sd, i);
  return total;
}

function chanceOfAllBelow(level, mean, sd, except) {
  let chance = 1;
  for (let j = 0; j < mean.length && chance > 0; j += 1) {
    if (j === except) continue;
    if (sd[j] > 0) chance *= normalCdf((level - mean[j]) / sd[j]);
    else if (level < mean[j]) chance = 0;
    else if (level === mean[j]) chance /= 2;
  }
  return chance;
}

/** ln((1 − t)/t), to its last digit also near one half. */
function oddsAt(t) {
  requireNumber("a weight", t, 1e-300, 1 - 1e-16);
  return Math.abs(t - 0.5) < 0.25 ? Math.log1p((1 - 2 * t) / t) : Math.log1p(-t) - Math.log(t);
}

/** The t with P(α > t) = 1 − p, that is F(odds) = 1 − p, by halving and Newton's steps. */
function quantileOf(law, p) {
  requireNumber("a probability", p, 1e-12, 1 - 1e-12);
  let [low, high] = law.range;
  for (let round = 0; round < 200 && high - low > 1e-13 * Math.max(1, Math.abs(low)); round += 1) {
    const middle = (low + high) / 2;
    if (law.distribution(middle) < 1 - p) low = middle;
    else high = middle;
  }
  return 1 / (1 + Math.exp((low + high) / 2));
}

/** Own spread, the other noisy laws, and ln Σ e^s of those without noise; all relative to the key's mean. */
function weightEvent(mean, sd, key) {
  const widest = Math.max(...sd);
  const isNoisy = sd.map((value) => value > 1e-20 * widest);
  const others = mean.flatMap((_, j) => (j === key ? [] : [j]));
  const relative = (j) => mean[j] - mean[key];
  const certain = others.filter((j) => !isNoisy[j]).map(relative);
  let noisy = others.filter((j) => isNoisy[j]);
  const lowest = Math.max(certain.length ? Math.max(...certain) : -Infinity,
    ...noisy.map((j) => relative(j) - 9 * sd[j]));
  noisy = noisy.filter((j) => relative(j) + 9 * sd[j] > lowest - 45); // the others never weigh anything
  const found = distinctLaws(noisy.map(relative), noisy.map((j) => sd[j]));
  return {
    ownSd: isNoisy[key] ? sd[key] : 0, laws: found.laws, nNoisy: noisy.length,
    certain: certain.length ? logSumExp(certain) : -Infinity,
  };
}

function closedForm({ownSd, laws, nNoisy, certain}) {
  if (nNoisy === 0) return normalLaw(certain, ownSd);
  if (nNoisy === 1 && certain === -Infinity) return normalLaw(laws[0].mean, Math.hypot(ownSd, laws[0].sd));
  if (nNoisy === 1 && ownSd === 0) return besideCertain(normalLaw(laws[0].mean, laws[0].sd), certain);
  if (nNoisy === 1) return besideOneNoisy(laws[0], ownSd, certain);
  if (nNoisy === 2 && ownSd === 0) return twoNoisyOthers(laws, certain);
  return null;
}

function normalLaw(mean, sd) {
  const rounding = 1e-13;
  if (sd === 0) {
    return {
      density: () => 0, distribution: (y) => (y > mean ? 1 : y === mean ? 0.5 : 0),
      range: [mean - 1, mean + 1], method: "certain", error: rounding, peak: 0,
    };
  }
  return {
    density: (y) => normalDensity((y - mean) / sd) / sd,
    distribution: (y) => normalCdf((y - mean) / sd),
    range: [mean - 9 * sd, mean + 9 * sd], method: "logistic-normal", error: rounding, peak: normalDensity(0) / sd,
  };
}

/**
 * Where the key itself has no noise, the noisy ones must stay in the room ln(e^y − e^certain) that certain ones leave:
 * the law of Y is that of their own ln Σ e^s, seen from there.
 */
function besideCertain(noisy, certain) {
  return {
    ...noisy,
    density: (y) => (y > certain ? noisy.density(roomBeside(y, certain)) / -Math.expm1(certain - y) : 0),
    distribution: (y) => (y > certain ? noisy.distribution(roomBeside(y, certain)) : 0),
    range: [certain, logSumExp([certain, noisy.range[1]])],
  };
}

/**
 * The key and one other are noisy beside certain ones: Y = ln(e^certain + e^s) + own noise. Given s ~ N(mean, sd²), Y is
 * normal; what is left is one integral over s.
 */
function besideOneNoisy({mean, sd}, ownSd, certain) {
  const level = (s) => Math.max(s, certain) + Math.log1p(Math.exp(-Math.abs(s - certain)));
  const bends = [...BENDS.map((way) => certain - way), certain, ...BENDS.map((way) => certain + way)];
  const integrate = (y, part) => {
    const turns = SDS.map((way) => roomBeside(y + way * ownSd, certain));
    return overPanels(mean, sd, [...bends, ...turns], (s) => part((y - level(s)) / ownSd));
  };
  return {
    density: (y) => integrate(y, normalDensity) / ownSd,
    distribution: (y) => integrate(y, normalCdf),
    range: [level(mean - 9 * sd) - 9 * ownSd, level(mean + 9 * sd) + 9 * ownSd],
    method: "panels", error: PANEL_ERROR, peak: normalDensity(0) / ownSd,
  };
}

/**
 * Two others are noisy, the key is not: Y = ln(e^s + e^t). One of them is below y − ln 2, the half of what y allows; given
 * it, the other must stay in the room that it leaves. Of the pairs where both are below, the second sum counts none.
 */
function twoNoisyOthers(laws, certain) {
  const [one, other] = laws.length === 1 ? [laws[0], laws[0]] : laws;
  const below = (y, given, free, part) => {
    const half = y - Math.LN2;
    const turns = SDS.map((way) => roomBeside(y, free.mean + way * free.sd));
    return overPanels(given.mean, given.sd, [...BENDS.map((way) => half - way), ...turns], (s) =>
      part((roomBeside(y, s) - free.mean) / free.sd, s - y), half);
  };
  const density = (y, given, free) => below(y, given, free, (z, depth) => normalDensity(z) / -Math.expm1(depth)) / free.sd;
  const ends = (way) => logSumExp([one.mean + way * one.sd, other.mean + way * other.sd]);
  const law = {
    density: (y) => density(y, one, other) + density(y, other, one),
    distribution: (y) => {
      const both = normalCdf((y - Math.LN2 - one.mean) / one.sd);
      return below(y, one, other, normalCdf) + below(y, other, one, (z) => normalCdf(z) - both);
    },
    range: [ends(-9), ends(9)], method: "panels", error: PANEL_ERROR, peak: normalDensity(0) / Math.min(one.sd, other.sd),
  };
  return certain > -Infinity ? besideCertain(law, certain) : law;
}

/** ln(e^y − e^s), what s leaves below y. */
function roomBeside(y, s) {
  return y > s ? y + Math.log(-Math.expm1(s - y)) : -Infinity;
}

/**
 * E part(s) over s < most, s ~ N(mean, sd²), by Gauss' rule on panels. They end at the normal's standard deviations and at
 * `ends`, where `part` begins, turns and ends: so none is missed where one spread is far smaller than the other.
 */
function overPanels(mean, sd, ends, part, most = Infinity) {
  const [low, high] = [mean - 9 * sd, Math.min(mean + 9 * sd, most)];
  if (high <= low) return 0;
  const inside = [...SDS.map((way) => mean + way * sd), ...ends].filter((s) => s > low && s < high);
  const all = [low, ...inside.sort((a, b) => a - b), high];
  let total = 0;
  for (let k = 1; k < all.length; k += 1) {
    const [half, middle] = [(all[k] - all[k - 1]) / 2, (all[k] + all[k - 1]) / 2];
    for (let i = 0; half > 0 && i < PANEL.length; i += 1) {
      const s = middle + half * PANEL[i].node;
      total += (half * PANEL[i].weight * normalDensity((s - mean) / sd) * part(s)) / sd;
    }
  }
  return total;
}

/** Nodes and weights of Gauss' rule of 16 points on (−1, 1): zeros of Legendre's polynomial by Newton's steps. */
const PANEL = Array.from({length: 16}, (_, k) => {
  let node = Math.cos((Math.PI * (k + 0.75)) / 16.5);
  let slope = 1;
  for (let round = 0; round < 100; round += 1) {
    let [before, value] = [1, node];
    for (let n = 2; n <= 16; n += 1) [before, value] = [value, ((2 * n - 1) * node * value - (n - 1) * before) / n];
    slope = (16 * (node * value - before)) / (node * node - 1);
    const step = value / slope;
    node -= step;
    if (Math.abs(step) < 1e-16) break;
  }
  return {node, weight: 2 / ((1 - node * node) * slope * slope)};
});

/** The law by Fourier transforms; more frequencies until the last ones no longer count. */
function transformedLaw(event) {
  const {ownSd, laws, certain} = event;
  if (ownSd === 0 && certain > -Infinity) return besideCertain(transformedLaw({...event, certain: -Infinity}), certain);
  const levels = [...laws.map((law) => law.mean), certain];
  const shares = softmax(levels.map((level, l) => level + (l < laws.length ? Math.log(laws[l].count) : 0)));
  const spread = Math.hypot(ownSd, ...laws.map((law, l) => (shares[l] * law.sd) / Math.sqrt(law.count)));
  const most = ownSd > 0 ? REACH / ownSd : Infinity;
  let cut = Math.min(most, Math.max(3, 9 / Math.max(spread, 1e-6)));
  let best = null;
  for (let round = 0; round < 8; round += 1) {
    const found = transformAt(event, cut);
    if (found === null) break;
    if (best === null || found.error < best.error) best = found;
    if (best.error < 1e-9 || cut >= most) break;
    cut = Math.min(most, 1.8 * cut);
  }
  return best ?? needleLaw(event, shares, spread);
}

/** A weight that hardly varies: Y is normal but for a share of about its largest standard deviation. */
function needleLaw({laws, certain}, shares, spread) {
  const levels = laws.map((law) => law.mean + Math.log(law.count) + (law.sd * law.sd) / 2);
  const pulled = laws.reduce((sum, law, l) => sum + ((shares[l] * law.sd) ** 2) / law.count, 0);
  const law = normalLaw(logSumExp([...levels, certain]) - pulled / 2, spread);
  return {...law, method: "normal approximation", error: Math.min(1, Math.max(...laws.map((one) => one.sd)))};
}

function transformAt(event, cut) {
  const {ownSd, laws, certain} = event;
  const amplified = AMPLIFIED - Math.max(0, Math.log(cut / 20) - 2.8); // with many frequencies, rounding adds up
  const wanted = [amplified, AMPLIFIED].map((nats) => Math.min(Math.PI / 2, nats / cut)); // π/2 − θ
  const beside = wanted.find((angle) => lattice(event, cut, angle) !== null) ?? wanted[0];
  const theta = Math.PI / 2 - beside;
  const grid = lattice(event, cut, beside);
  if (grid === null) return null;
  const {n, period, left} = grid;
  const step = period / n;
  const gamma = gammaTable(n, period, theta);
  const factors = laws.map((law) => ({...kernelOnLattice(law, gamma, n, period, left), count: law.count}));
  if (certain > -Infinity) factors.push({...certainOnLattice(certain, theta, n, step, left), count: 1});
  const {re, im} = derivativeOfProduct(factors, n);
  fourierTransform(re, im, 1);
  const last = Math.min(n / 2 - 1, Math.ceil((cut * period) / (2 * Math.PI)));
  const [cr, ci] = [new Float64Array(last + 1), new Float64Array(last + 1)];
  for (let k = 0; k <= last; k += 1) {
    const omega = (2 * Math.PI * k) / period;
    const size = step * Math.exp(-gamma.log[k] - (ownSd * ownSd * omega * omega) / 2);
    const turn = omega * left - gamma.angle[k];
    const [c, s] = [Math.cos(turn), Math.sin(turn)];
    cr[k] = size * (re[k] * c - im[k] * s);
    ci[k] = size * (re[k] * s + im[k] * c);
  }
  return seriesLaw(cr, ci, grid, {cut, rounding: 2 ** -52 * Math.exp(beside * cut)});
}

/** The period, which holds all kernels and the law of Y, and so many nodes that all spectra fit. */
function lattice({ownSd, laws, certain}, cut, beside) {
  const depth = DIGITS + AMPLIFIED;
  const left = Math.min(...laws.map((law) => leftEnd(law.sd, depth) - law.mean), certain > -Infinity ? -depth - certain : Infinity);
  const spent = Math.log(depth / Math.sin(Math.min(beside, Math.PI / 2)));
  const right = Math.max(...laws.map((law) => spent - law.mean + Math.sqrt(2 * depth) * law.sd));
  const low = Math.max(certain, ...laws.map((law) => law.mean - 8.5 * law.sd));
  const high = Math.max(certain, ...laws.map((law) => law.mean + 8.5 * law.sd + Math.log(law.count))) + Math.log(laws.length + 1);
  const width = high - low + 17 * ownSd;
  const period = Math.max(right - left, 1.05 * width);
  const narrowest = certain > -Infinity ? 0 : Math.min(...laws.map((law) => law.sd));
  const nyquist = Math.max(highestFrequency(narrowest, beside), ...laws.map((law) => highestFrequency(law.sd, beside)),
    (cut + (DIGITS + beside * cut) / (Math.PI - beside)) / 2, Math.min(1.1 * cut, highestFrequency(0, beside)));
  const n = 2 ** Math.max(5, Math.ceil(Math.log2((period * nyquist) / Math.PI)));
  if (n > MAX_NODES) return null;
  return {n, period, left, start: low - 8.5 * ownSd - 0.02 * width, range: [low - 9 * ownSd, high + 9 * ownSd]};
}

/** The Ω with beside · Ω + sd² Ω²/2 = DIGITS. */
function highestFrequency(sd, beside) {
  if (sd === 0) return DIGITS / beside;
  return (2 * DIGITS) / (beside + Math.sqrt(beside * beside + 2 * sd * sd * DIGITS));
}

/** ln |e^(θω) Γ(1 + iω)| and its angle at the frequencies 2πk/period; `below` for −ω, where e^(θω) is small. */
function gammaTable(n, period, theta) {
  const [log, below, angle] = [new Float64Array(n / 2 + 1), new Float64Array(n / 2 + 1), new Float64Array(n / 2 + 1)];
  for (let k = 0; k <= n / 2; k += 1) {
    const omega = (2 * Math.PI * k) / period;
    const found = gammaAlongLine(omega);
    log[k] = found.log + theta * omega;
    below[k] = found.log - theta * omega;
    angle[k] = found.angle;
  }
  return {log, below, angle};
}

/** D = −L′ and L of one noisy law at u_m + iθ, from their spectra; L is 1 at the left end. */
function kernelOnLattice({mean, sd}, gamma, n, period, left) {
  const [dr, di, lr, li] = Array.from({length: 4}, () => new Float64Array(n));
  for (let k = 1 - n / 2; k < n / 2; k += 1) {
    const size = Math.abs(k);
    const omega = (2 * Math.PI * k) / period;
    const power = (k < 0 ? gamma.below[size] : gamma.log[size]) - (sd * sd * omega * omega) / 2;
    if (power < -46) continue;
    const turn = (k < 0 ? -1 : 1) * gamma.angle[size] - omega * (mean + left);
    const height = Math.exp(power) / period;
    const [re, im, place] = [height * Math.cos(turn), height * Math.sin(turn), k < 0 ? k + n : k];
    dr[place] = re;
    di[place] = im;
    if (k !== 0) { // ∫ D du: e^(−iωu)/(−iω)
      lr[place] = -im / omega;
      li[place] = re / omega;
    }
  }
  fourierTransform(dr, di, -1);
  fourierTransform(lr, li, -1);
  const [r0, i0] = [lr[0], li[0]];
  for (let m = 0; m < n; m += 1) {
    lr[m] = 1 - m / n - (lr[m] - r0);
    li[m] = -(li[m] - i0);
  }
  return {dr, di, lr, li};
}

/** L = exp(−e^(u + iθ + certain)) and D = e^(u + iθ + certain) L. */
function certainOnLattice(certain, theta, n, step, left) {
  const [dr, di, lr, li] = Array.from({length: 4}, () => new Float64Array(n));
  const [cos, sin] = [Math.cos(theta), Math.sin(theta)];
  for (let m = 0; m < n; m += 1) {
    const power = Math.exp(Math.min(left + m * step + certain, 700));
    const [re, im] = [power * cos, power * sin];
    if (re > 700) break;
    const size = Math.exp(-re);
    lr[m] = size * Math.cos(im);
    li[m] = -size * Math.sin(im);
    dr[m] = re * lr[m] - im * li[m];
    di[m] = re * li[m] + im * lr[m];
  }
  return {dr, di, lr, li};
}

/** −(Π L)′ = Σ_j count_j D_j L_j^(count_j − 1) Π_{k≠j} L_k^count_k. */
function derivativeOfProduct(factors, n) {
  const [re, im] = [new Float64Array(n), new Float64Array(n)];
  for (let m = 0; m < n; m += 1) {
    let [pr, pi, sr, si] = [1, 0, 0, 0]; // the product so far, and minus its derivative
    for (const {dr, di, lr, li, count} of factors) {
      const [a, b, c, d] = [lr[m], li[m], dr[m], di[m]];
      for (let times = 0; times < count; times += 1) {
        [sr, si] = [sr * a - si * b + pr * c - pi * d, sr * b + si * a + pr * d + pi * c];
        [pr, pi] = [pr * a - pi * b, pr * b + pi * a];
      }
    }
    re[m] = sr;
    im[m] = si;
  }
  return {re, im};
}

/** Density and distribution of Y from E e^(−iωY) at the frequencies 2πk/period. */
function seriesLaw(cr, ci, {period, start, range}, {cut, rounding}) {
  const last = cr.length - 1;
  const left = Math.max(Math.hypot(cr[last], ci[last]), Math.hypot(cr[last - 1], ci[last - 1]) / 4);
  let biggest = 0;
  for (let k = 1; k <= last; k += 1) biggest += 2 * Math.hypot(cr[k], ci[k]);
  const peak = (1 + biggest) / period;
  const sums = (y, whole) => {
    const turn = (2 * Math.PI * (y - start)) / period;
    const [c, s] = [Math.cos(turn), Math.sin(turn)];
    let [xr, xi, total] = [1, 0, whole ? y - start : 1];
    for (let k = 1; k <= last; k += 1) {
      [xr, xi] = [xr * c - xi * s, xr * s + xi * c];
      const [ar, ai] = [startR[k], startI[k]];
      total += whole
        ? (2 * (ar * xi + ai * (xr - 1))) * (period / (2 * Math.PI * k))
        : 2 * (ar * xr - ai * xi);
    }
    return total / period;
  };
  const [startR, startI] = [new Float64Array(last + 1), new Float64Array(last + 1)];
  for (let k = 0; k <= last; k += 1) { // seen from the start of the period, where the law is nothing
    const turn = (2 * Math.PI * k * start) / period;
    const [c, s] = [Math.cos(turn), Math.sin(turn)];
    startR[k] = cr[k] * c - ci[k] * s;
    startI[k] = cr[k] * s + ci[k] * c;
  }
  const inside = (y) => y > start && y < start + period;
  return {
    density: (y) => (inside(y) ? sums(y, false) : 0),
    distribution: (y) => (inside(y) ? sums(y, true) : y <= start ? 0 : 1),
    range, method: "transform", peak,
    error: 4 * left + rounding * Math.max(1, cut / 20) + 1e-11,
  };
}
