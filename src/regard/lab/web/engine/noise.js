// Keys that are known up to noise, and the law of what one or several heads read from them.
//
//   k_i = μ_i (1 + √radial_i g_i + √together g) + √isotropic_i ε,      g_i, g, ε standard normal
//
// Variances are numbers for all keys or lists with one for each; `together` is one number, a length that all keys share.
import {requireMatrix, requireNumber, requireVector} from "./check.js";
import {FINE} from "./kernel.js";
import {weightMoments} from "./moments.js";
import {normalDensity} from "./normal.js";
import {crossProducts, PAIR_FINE, PAIR_QUICK} from "./pair.js";
import {dot, mixValues, softmax} from "./softmax.js";

const MAX_VARIANCE = 1e9;
const RULE_ERROR = 1e-11;
const VALUE_ROUNDING = 16 * 2 ** -52;

/** The noise as one list for each kind, checked; `keys` are the means. */
export function checkNoise({keys, radial = 0, isotropic = 0, together = 0}) {
  requireMatrix("keys", keys);
  const perKey = (name, given) => {
    const list = Array.isArray(given) ? requireVector(`the ${name} variances`, given, keys.length) : keys.map(() => given);
    return list.map((value) => requireNumber(`the ${name} variance`, value, 0, MAX_VARIANCE));
  };
  return {
    keys, radial: perKey("radial", radial), isotropic: perKey("isotropic", isotropic),
    together: requireNumber("the shared variance", together, 0, MAX_VARIANCE),
  };
}

/** Of every head h: logit means, standard deviations without what is shared, loads on the shared factor. */
export function logitLaw(noise, queries, scale = 1) {
  const {keys, radial, isotropic, together} = checkNoise(noise);
  requireMatrix("queries", queries, null, keys[0].length);
  requireNumber("scale", scale);
  const mean = queries.map((query) => keys.map((key) => scale * dot(key, query)));
  const between = queries.map((left, g) => queries.map((right, h) => {
    const along = scale * scale * dot(left, right);
    return keys.map((_, i) => isotropic[i] * along + radial[i] * mean[g][i] * mean[h][i]);
  }));
  return {
    mean, between,
    sd: between.map((row, h) => row[h].map((variance) => Math.sqrt(Math.max(variance, 0)))),
    loads: mean.map((row) => row.map((value) => Math.sqrt(together) * value)),
    isShared: together > 0,
  };
}

/**
 * Mean and covariance of the average of all heads' outputs, exactly; each head's own moments in `heads`. `error` bounds
 * the error of a moment of the weights, `meanError` and `covarianceError` those of the output's entries.
 */
export function outputLaw({values, queries, scale = 1, precision = FINE, ...noise}) {
  const logits = logitLaw(noise, queries, scale);
  requireMatrix("values", values, noise.keys.length);
  const joint = logits.isShared ? averageOverShared(logits, precision) : jointMoments(logits, logits.mean, precision);
  const {centre, apart, reach} = centreValues(values);
  const heads = joint.heads.map((head) => ({...head, output: mixValues(head.mean, apart).map((part, axis) => centre[axis] + part)}));
  const n = heads.length;
  const mean = values[0].map((_, axis) => heads.reduce((sum, head) => sum + head.output[axis], 0) / n);
  const covariance = values[0].map(() => values[0].map(() => 0));
  for (let g = 0; g < n; g += 1) {
    for (let h = 0; h < n; h += 1) addForm(covariance, joint.cross[g][h], apart, 1 / (n * n));
  }
  const rounding = VALUE_ROUNDING * Math.max(...values.flat().map(Math.abs));
  return {
    mean, covariance, variance: covariance.reduce((sum, row, axis) => sum + row[axis], 0), heads, method: joint.method,
    error: joint.error, meanError: joint.error * reach + rounding, covarianceError: joint.error * reach * reach,
  };
}

/**
 * The values from the middle of their range on each axis: weights sum to one and their covariances to zero only up to
 * their errors, which a common part of all values would multiply. `reach` is the largest sum of their sizes on an axis.
 */
function centreValues(values) {
  const centre = values[0].map((_, axis) => {
    const column = values.map((row) => row[axis]);
    return (Math.max(...column) + Math.min(...column)) / 2;
  });
  const apart = values.map((row) => row.map((part, axis) => part - centre[axis]));
  const reach = Math.max(...centre.map((_, axis) => apart.reduce((sum, row) => sum + Math.abs(row[axis]), 0)));
  return {centre, apart, reach};
}

/** E |c − target|² = variance + squared bias. */
export function squaredError(law, target) {
  const bias = law.mean.reduce((sum, value, axis) => sum + (value - target[axis]) ** 2, 0);
  return {error: law.variance + bias, variance: law.variance, squaredBias: bias};
}

/** Moments of each head, and Cov(α^g_i, α^h_j) of every two heads as `cross[g][h][i][j]`; null where it is zero. */
function jointMoments(logits, means, precision) {
  const heads = means.map((mean, h) => weightMoments(mean, logits.sd[h], precision));
  const methods = new Set(heads.map((head) => head.method));
  let error = Math.max(...heads.map((head) => head.error));
  const cross = heads.map((head, g) => heads.map((_, h) => (g === h ? head.covariance : null)));
  for (let g = 0; g < heads.length; g += 1) {
    for (let h = g + 1; h < heads.length; h += 1) {
      const between = logits.between[g][h];
      if (!between.some((value) => value !== 0)) continue;
      if (isSameHead(logits, means, g, h)) {
        cross[g][h] = cross[h][g] = heads[g].covariance;
        continue;
      }
      const found = headCovariance(logits, means, heads, g, h, precision);
      cross[g][h] = found.covariance;
      cross[h][g] = found.covariance[0].map((_, j) => found.covariance.map((row) => row[j]));
      methods.add("pair integral");
      error = Math.max(error, found.error);
    }
  }
  return {heads, cross, method: [...methods].join(" + "), error};
}

function headCovariance(logits, means, heads, g, h, precision) {
  const pairs = means[g].map((mean, i) => ({
    mean1: mean, sd1: logits.sd[g][i], mean2: means[h][i], sd2: logits.sd[h][i], covariance: logits.between[g][h][i],
  }));
  const products = crossProducts(pairs, precision.depth < FINE.depth ? PAIR_QUICK : PAIR_FINE);
  let off = 0; // over all j the products sum to E α^g_i, over all i to E α^h_j
  for (let i = 0; i < products.length; i += 1) {
    off = Math.max(off, Math.abs(products[i].reduce((sum, value) => sum + value, 0) - heads[g].mean[i]));
    off = Math.max(off, Math.abs(products.reduce((sum, row) => sum + row[i], 0) - heads[h].mean[i]));
  }
  const covariance = products.map((row, i) => row.map((value, j) => value - heads[g].mean[i] * heads[h].mean[j]));
  return {covariance, error: 4 * off + 1e-10 + heads[g].error + heads[h].error};
}

function isSameHead(logits, means, g, h) {
  return means[g].every((mean, i) => mean === means[h][i] && logits.sd[g][i] === logits.sd[h][i] &&
    Math.abs(logits.between[g][h][i] - logits.sd[g][i] * logits.sd[h][i]) <= 1e-14 * logits.sd[g][i] * logits.sd[h][i]);
}

/** Given the shared factor z the keys are independent: the trapezoid rule over z, its step chosen by a bound. */
function averageOverShared(logits, precision) {
  const step = sharedStep(logits);
  const reach = Math.ceil(7.3 / step);
  const laws = [];
  for (let k = -reach; k <= reach; k += 1) {
    const z = k * step;
    const means = logits.mean.map((row, h) => row.map((value, i) => value + logits.loads[h][i] * z));
    laws.push({mass: step * normalDensity(z), ...jointMoments(logits, means, precision)});
  }
  const [n, nKeys] = [logits.mean.length, logits.mean[0].length];
  const total = laws.reduce((sum, law) => sum + law.mass, 0);
  const heads = logits.mean.map((_, h) => ({
    mean: average(laws, total, nKeys, (law) => law.heads[h].mean),
    square: average(laws, total, nKeys, (law) => law.heads[h].square),
    method: "conditioning", error: 0,
  }));
  const cross = heads.map(() => heads.map(() => Array.from({length: nKeys}, () => new Array(nKeys).fill(0))));
  for (const law of laws) {
    const share = law.mass / total;
    for (let g = 0; g < n; g += 1) {
      for (let h = 0; h < n; h += 1) {
        for (let i = 0; i < nKeys; i += 1) {
          const apart = share * (law.heads[g].mean[i] - heads[g].mean[i]);
          for (let j = 0; j < nKeys; j += 1) {
            cross[g][h][i][j] += apart * (law.heads[h].mean[j] - heads[h].mean[j]) +
              share * (law.cross[g][h] === null ? 0 : law.cross[g][h][i][j]);
          }
        }
      }
    }
  }
  const error = Math.max(...laws.map((law) => law.error)) + 8 * RULE_ERROR;
  heads.forEach((head, h) => { head.covariance = cross[h][h]; head.error = error; });
  const method = ["conditioning", ...new Set(laws.map((law) => law.method))].join(" + ");
  return {heads, cross, method, error};
}

function average(laws, total, n, part) {
  const sum = new Array(n).fill(0);
  for (const law of laws) part(law).forEach((value, i) => { sum[i] += (law.mass / total) * value; });
  return sum;
}

/**
 * The largest step of the trapezoid rule over z that errs by less than RULE_ERROR. At z + iy the logits turn by the
 * angles y (load − centre); within ±θ/2 no weight exceeds 1/cos(θ/2), and what a key turns further is moved into its own
 * noise, where it costs a factor exp(b²/2sd²).
 */
function sharedStep(logits) {
  const theta = 2.8;
  const apart = logits.loads.map((row) => {
    const centre = (Math.max(...row) + Math.min(...row)) / 2;
    return row.map((load) => Math.abs(load - centre));
  });
  const widest = apart[0].map((_, i) => Math.max(...apart.map((row) => row[i])));
  const own = logits.sd.length === 1 ? logits.sd[0] : widest.map(() => 0);
  const digits = Math.log(2 / RULE_ERROR) - 2 * Math.log(Math.cos(theta / 2));
  let best = 0;
  const tried = Array.from({length: 200}, (_, k) => 10 * 10 ** (-4 + (4 * k) / 199));
  for (const y of [...tried, theta / 2 / Math.max(...widest, theta / 20)]) {
    const cost = widest.reduce((sum, reach, i) => {
      const further = Math.max(y * reach * (1 - 1e-12) - theta / 2, 0);
      return sum + (further / Math.max(own[i], 1e-150)) ** 2 / 2;
    }, 0);
    best = Math.max(best, (2 * Math.PI * y) / (digits + (y * y) / 2 + cost));
  }
  return Math.min(best, 1);
}

/** covariance += share · Vᵀ C V. */
function addForm(covariance, weights, values, share) {
  if (weights === null) return;
  weights.forEach((row, i) => {
    const pulled = mixValues(row, values);
    for (let a = 0; a < pulled.length; a += 1) {
      const left = share * values[i][a];
      if (left !== 0) for (let b = 0; b < pulled.length; b += 1) covariance[a][b] += left * pulled[b];
    }
  });
}

/** Draws of all keys: lists of n points, as many as asked for. */
export function drawKeys(noise, random, nDraws) {
  const {keys, radial, isotropic, together} = checkNoise(noise);
  return Array.from({length: nDraws}, () => {
    const common = together > 0 ? Math.sqrt(together) * random.normal() : 0;
    return keys.map((key, i) => {
      const longer = 1 + common + (radial[i] > 0 ? Math.sqrt(radial[i]) * random.normal() : 0);
      const spread = Math.sqrt(isotropic[i]);
      return key.map((value) => value * longer + (spread > 0 ? spread * random.normal() : 0));
    });
  });
}

/** What the average of the heads reads from one draw of the keys, and the first head's weights. */
export function readDraw(drawn, values, queries, scale = 1) {
  const weights = queries.map((query) => softmax(drawn.map((key) => scale * dot(key, query))));
  const outputs = weights.map((row) => mixValues(row, values));
  return {
    weights: weights[0],
    output: outputs[0].map((_, axis) => outputs.reduce((sum, output) => sum + output[axis], 0) / outputs.length),
  };
}
