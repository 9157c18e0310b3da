// Attention itself: logits → weights → mixed values.
import {requireMatrix, requireNumber, requireVector} from "./check.js";

/** α = softmax(s): e^(sᵢ − max s) / Σ e^(sⱼ − max s). A logit of −∞ weighs nothing, logits of +∞ share the weight. */
export function softmax(logits) {
  const top = largest(logits);
  const n = logits.length;
  const weights = new Array(n);
  let total = 0;
  for (let i = 0; i < n; i += 1) {
    const below = top === Infinity ? (logits[i] === Infinity ? 0 : -Infinity) : logits[i] - top;
    weights[i] = Math.exp(below);
    total += weights[i];
  }
  for (let i = 0; i < n; i += 1) weights[i] /= total;
  return weights;
}

/** ln Σ e^sᵢ. */
export function logSumExp(logits) {
  let top = -Infinity;
  for (const logit of logits) if (logit > top) top = logit;
  if (!Number.isFinite(top)) return top;
  let total = 0;
  for (const logit of logits) total += Math.exp(logit - top);
  return top + Math.log(total);
}

/** −Σ p ln p, in nats. */
export function entropy(weights) {
  let total = 0;
  for (const weight of weights) if (weight > 0) total -= weight * Math.log(weight);
  return total;
}

/** Σ aᵢ bᵢ. */
export function dot(a, b) {
  let total = 0;
  for (let i = 0; i < a.length; i += 1) total += a[i] * b[i];
  return total;
}

/** c = Σ αᵢ vᵢ. */
export function mixValues(weights, values) {
  return Array.from(values[0], (_, axis) => {
    let total = 0;
    for (let i = 0; i < weights.length; i += 1) total += weights[i] * values[i][axis];
    return total;
  });
}

/** Logits scale · kᵢ·q, their weights, and what the query reads: one row of `values` for each of `keys`. */
export function attend({query, keys, values, scale = 1}) {
  requireVector("query", query);
  requireMatrix("keys", keys, null, query.length);
  requireMatrix("values", values, keys.length);
  requireNumber("scale", scale);
  const logits = keys.map((key) => scale * dot(key, query));
  const weights = softmax(logits);
  return {logits, weights, output: mixValues(weights, values)};
}

function largest(logits) {
  let top = -Infinity;
  for (const logit of logits) {
    if (Number.isNaN(logit)) throw new RangeError("the logits hold NaN: remove it or its key");
    if (logit > top) top = logit;
  }
  if (top === -Infinity) throw new RangeError("no key may be read: there is none, or each has a logit of −∞");
  return top;
}
