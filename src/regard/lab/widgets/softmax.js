// Attention itself, and what no query can reach.

/** α = softmax(s): e^(sᵢ − max s) / Σ e^(sⱼ − max s). */
function softmax(logits) {
  const top = Math.max(...logits);
  const powers = logits.map((logit) => Math.exp(logit - top));
  const total = powers.reduce((sum, power) => sum + power, 0);
  return powers.map((power) => power / total);
}

/** c = Σ αᵢ vᵢ. */
function mixed(weights, values) {
  return values[0].map((_, axis) => weights.reduce((sum, weight, i) => sum + weight * values[i][axis], 0));
}

/** Which points are corners of the convex hull, in order round it (Andrew's monotone chain). */
function hullCorners(points) {
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
  return points.length < 3 ? order : [...chain(order), ...chain(order.reverse())];
}

/**
 * The largest weight any query gives key j: α_j = 1 / (1 + Σ e^(pᵢ·q)) with pᵢ = kᵢ − k_j, so 1 / (1 + min_q Σ e^(pᵢ·q)).
 * The sum is convex in q: Newton's method, with the step halved until it helps. Also that q, from which the search may
 * start when the keys have moved a little.
 */
function largestWeight(keys, j, start) {
  const points = keys.filter((_, i) => i !== j).map(([x, y]) => [x - keys[j][0], y - keys[j][1]]);
  const sum = (q) => points.reduce((total, [x, y]) => total + Math.exp(x * q[0] + y * q[1]), 0);
  let q = start && sum(start) < points.length ? start : [0, 0];
  let least = sum(q);
  for (let round = 0; round < 80; round += 1) {
    let [gx, gy, xx, xy, yy] = [0, 0, 1e-12, 0, 1e-12];
    for (const [x, y] of points) {
      const power = Math.exp(x * q[0] + y * q[1]);
      gx += power * x; gy += power * y;
      xx += power * x * x; xy += power * x * y; yy += power * y * y;
    }
    const determinant = xx * yy - xy * xy;
    const step = [(yy * gx - xy * gy) / determinant, (xx * gy - xy * gx) / determinant];
    if (!(gx * step[0] + gy * step[1] > 1e-14 * least)) break;
    let share = 1;
    let next = sum([q[0] - step[0], q[1] - step[1]]);
    while (!(next < least) && share > 1e-6) {
      share /= 2;
      next = sum([q[0] - share * step[0], q[1] - share * step[1]]);
    }
    if (!(next < least)) break;
    q = [q[0] - share * step[0], q[1] - share * step[1]];
    least = next;
  }
  return { weight: 1 / (1 + least), query: q };
}

/** The same for every key, from what it was before. A corner of the hull, alone at its place, has bound 1. */
function largestWeights(keys, before = []) {
  const corners = new Set(hullCorners(keys));
  const alone = (i) => keys.every((key, j) => j === i || key[0] !== keys[i][0] || key[1] !== keys[i][1]);
  return keys.map((_, i) =>
    keys.length < 2 || (corners.has(i) && alone(i)) ? { weight: 1 } : largestWeight(keys, i, before[i]?.query));
}
