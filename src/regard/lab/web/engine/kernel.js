// One noisy logit seen through exp(−eʸ): for y ~ N(x, sd²), M_k(x, sd) = E eᵏʸ exp(−eʸ); L = M_0, D = M_1, Q = M_2.
//
// Every moment of attention under independent normal logits is one integral over products of these kernels. They are
// computed to about 1e-12: over the normal variable where sd is small, over y by a Gauss rule for the density
// exp(y − eʸ) where it is large.
import {NORMAL_PEAK, normalCdfGiven} from "./normal.js";

/** How finely to integrate: `step` of the outer rule (it errs by exp(−π²/step)), `depth` in nats of what is cut off. */
export const FINE = {step: 0.32, depth: 28};
export const QUICK = {step: 0.6, depth: 17};

const SWITCH_SD = 2;
const N_GAUSS = 32;
const EXP_LIMIT = 700;

/** Left of this x a key has less weight than e^−depth. */
export function leftEnd(sd, depth) {
  const sds = Math.sqrt(2 * depth);
  return sd < sds ? -depth - (sd * sd) / 2 : -sds * sd;
}

/** Right of this x, L is below about e^−depth. */
export function rightEnd(sd, depth) {
  return Math.log(depth) + 0.2 + Math.sqrt(2 * depth) * sd;
}

/** L, M_1 … M_order at the points x: a list of order + 1 arrays. */
export function kernelMoments(x, sd, order, depth = FINE.depth) {
  const found = Array.from({length: order + 1}, () => new Float64Array(x.length));
  if (sd === 0) withoutNoise(x, found);
  else if (sd <= SWITCH_SD) overNoise(x, sd, depth, found);
  else overLogit(x, sd, found);
  return found;
}

function withoutNoise(x, found) {
  for (let i = 0; i < x.length; i += 1) {
    const power = Math.exp(Math.min(x[i], EXP_LIMIT));
    let term = Math.exp(-power);
    for (let k = 0; k < found.length; k += 1) {
      found[k][i] = term;
      term = term === 0 ? 0 : term * power;
    }
  }
}

/** The trapezoid rule over z, y = x + sd z; the integrand is analytic where |Im z| < π/2sd, which sets the step. */
function overNoise(x, sd, depth, found) {
  const digits = depth + 4;
  const strip = Math.min(Math.PI / (2 * sd), Math.sqrt(2 * digits));
  const step = (2 * Math.PI * strip) / (digits + (strip * strip) / 2);
  const reach = Math.ceil((Math.sqrt(2 * depth) + (found.length - 2) * sd) / step);
  const n = 2 * reach + 1;
  const [powers, mass] = [new Float64Array(n), new Float64Array(n)];
  for (let j = 0; j < n; j += 1) {
    const z = step * (j - reach);
    powers[j] = Math.exp(sd * z);
    mass[j] = step * NORMAL_PEAK * Math.exp((-z * z) / 2);
  }
  const order = found.length - 1;
  for (let i = 0; i < x.length; i += 1) {
    const scale = Math.exp(Math.min(x[i], EXP_LIMIT));
    let [s0, s1, s2, s3, s4] = [0, 0, 0, 0, 0];
    for (let j = 0; j < n; j += 1) {
      const power = scale * powers[j];
      if (power > EXP_LIMIT) break; // the powers rise, and exp(−700) is nothing
      const t0 = mass[j] * Math.exp(-power);
      const t1 = t0 * power;
      const t2 = t1 * power;
      s0 += t0; s1 += t1; s2 += t2;
      if (order > 2) {
        const t3 = t2 * power;
        s3 += t3; s4 += t3 * power;
      }
    }
    found[0][i] = s0;
    if (order > 0) found[1][i] = s1;
    if (order > 1) found[2][i] = s2;
    if (order > 2) found[3][i] = s3;
    if (order > 3) found[4][i] = s4;
  }
}

/** L = ∫ e^(w − eʷ) Φ((w − x)/sd) dw and M_k = ∫ e^((k−1)w) e^(w − eʷ) φ((w − x)/sd)/sd dw, by the Gauss rule. */
function overLogit(x, sd, found) {
  const {nodes, weights, powers} = gumbelRule();
  const order = found.length - 1;
  const height = NORMAL_PEAK / sd;
  for (let i = 0; i < x.length; i += 1) {
    let [s0, s1, s2, s3, s4] = [0, 0, 0, 0, 0];
    for (let j = 0; j < nodes.length; j += 1) {
      const z = (nodes[j] - x[i]) / sd;
      if (z > 9) { s0 += weights[j]; continue; }
      if (z < -9) continue;
      const bell = Math.exp((-z * z) / 2);
      s0 += weights[j] * normalCdfGiven(z, bell);
      const t1 = weights[j] * height * bell;
      const t2 = t1 * powers[j];
      s1 += t1; s2 += t2;
      if (order > 2) {
        const t3 = t2 * powers[j];
        s3 += t3; s4 += t3 * powers[j];
      }
    }
    found[0][i] = s0;
    if (order > 0) found[1][i] = s1;
    if (order > 1) found[2][i] = s2;
    if (order > 2) found[3][i] = s3;
    if (order > 3) found[4][i] = s4;
  }
}

let keptRule = null;

/** Nodes, weights and e^node of the Gauss rule for the density exp(w − eʷ): Lanczos' recurrence on a fine trapezoid rule. */
function gumbelRule() {
  if (keptRule !== null) return keptRule;
  const [w, mass] = [[], []];
  for (let at = 4.5; at > -105; at -= 0.125) {
    w.push(at);
    mass.push(Math.exp(at - Math.exp(at)) * 0.125);
  }
  const basis = [];
  const [diagonal, beside] = [[], []];
  let vector = mass.map(Math.sqrt);
  for (let k = 0; k < N_GAUSS; k += 1) {
    const length = Math.sqrt(sumOf(vector, vector));
    if (k > 0) beside.push(length);
    const unit = vector.map((value) => value / length);
    basis.push(unit);
    diagonal.push(unit.reduce((sum, value, i) => sum + value * value * w[i], 0));
    vector = unit.map((value, i) => value * w[i]);
    for (let twice = 0; twice < 2; twice += 1) {
      for (const axis of basis) {
        const part = sumOf(axis, vector);
        vector = vector.map((value, i) => value - part * axis[i]);
      }
    }
  }
  const {values, first} = tridiagonalEigen(diagonal, beside);
  const kept = values.flatMap((_, k) => (first[k] * first[k] > 1e-26 ? [k] : []));
  keptRule = {
    nodes: Float64Array.from(kept, (k) => values[k]),
    weights: Float64Array.from(kept, (k) => first[k] * first[k]),
    powers: Float64Array.from(kept, (k) => Math.exp(values[k])),
  };
  return keptRule;
}

function sumOf(a, b) {
  let total = 0;
  for (let i = 0; i < a.length; i += 1) total += a[i] * b[i];
  return total;
}

/** Eigenvalues of a symmetric tridiagonal matrix and the first entry of each eigenvector (implicit QL with shifts). */
export function tridiagonalEigen(diagonal, beside) {
  const n = diagonal.length;
  const [d, e, z] = [Float64Array.from(diagonal), new Float64Array(n), new Float64Array(n)];
  for (let i = 0; i + 1 < n; i += 1) e[i] = beside[i];
  z[0] = 1;
  for (let l = 0; l < n; l += 1) {
    for (let round = 0; round < 100; round += 1) {
      let m = l;
      while (m + 1 < n && Math.abs(e[m]) > 2 ** -53 * (Math.abs(d[m]) + Math.abs(d[m + 1]))) m += 1;
      if (m === l) break;
      let g = (d[l + 1] - d[l]) / (2 * e[l]);
      let r = Math.hypot(g, 1);
      g = d[m] - d[l] + e[l] / (g + (g < 0 ? -r : r));
      let [s, c, p] = [1, 1, 0];
      for (let i = m - 1; i >= l; i -= 1) {
        const [f, b] = [s * e[i], c * e[i]];
        r = Math.hypot(f, g);
        e[i + 1] = r;
        s = f / r;
        c = g / r;
        g = d[i + 1] - p;
        r = (d[i] - g) * s + 2 * c * b;
        p = s * r;
        d[i + 1] = g + p;
        g = c * r - b;
        const before = z[i + 1];
        z[i + 1] = s * z[i] + c * before;
        z[i] = c * z[i] - s * before;
      }
      d[l] -= p;
      e[l] = g;
      e[m] = 0;
    }
  }
  return {values: Array.from(d), first: Array.from(z)};
}
