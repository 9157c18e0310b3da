// Small dense matrices as lists of rows: products, singular values, least squares. Sizes are those of a page, some tens.
import {dot} from "./softmax.js";

/** The columns of a matrix as rows. */
export function transpose(rows) {
  return Array.from(rows[0], (_, j) => Array.from(rows, (row) => row[j]));
}

/** A B. */
export function matrixProduct(a, b) {
  const columns = transpose(b);
  return a.map((row) => columns.map((column) => dot(row, column)));
}

/** A x. */
export function matrixVector(a, x) {
  return a.map((row) => dot(row, x));
}

/** |x|, without overflow. */
export function vectorLength(x) {
  return Math.hypot(...x);
}

/** a + t b. */
export function addScaled(a, b, t) {
  return Array.from(a, (value, i) => value + t * b[i]);
}

/** The n × n matrix with ones on its diagonal. */
export function identityMatrix(n) {
  return Array.from({length: n}, (_, i) => Array.from({length: n}, (_, j) => (i === j ? 1 : 0)));
}

/**
 * Singular value decomposition A = Σ sₖ uₖ vₖᵀ by one-sided Jacobi rotations: `left[k]` is uₖ, `right[k]` is vₖ,
 * `sizes` fall. There are min(rows, columns) of them; a vector of a vanishing singular value is zero on the left.
 */
export function singularValues(rows) {
  if (rows.length < rows[0].length) {
    const {left, sizes, right} = singularValues(transpose(rows));
    return {left: right, sizes, right: left};
  }
  const columns = transpose(rows).map((column) => Float64Array.from(column));
  const right = identityMatrix(columns.length).map((row) => Float64Array.from(row));
  for (let sweep = 0; sweep < 60; sweep += 1) {
    let isDone = true;
    for (let p = 0; p < columns.length; p += 1) {
      for (let q = p + 1; q < columns.length; q += 1) isDone = rotatePair(columns, right, p, q) && isDone;
    }
    if (isDone) break;
  }
  const lengths = columns.map((column) => vectorLength(column));
  const order = lengths.map((_, k) => k).sort((i, j) => lengths[j] - lengths[i]);
  return {
    left: order.map((k) => Array.from(columns[k], (value) => (lengths[k] > 0 ? value / lengths[k] : 0))),
    sizes: order.map((k) => lengths[k]),
    right: order.map((k) => Array.from(right[k])),
  };
}

function rotatePair(columns, right, p, q) {
  const [a, b] = [columns[p], columns[q]];
  const [aa, bb, ab] = [dot(a, a), dot(b, b), dot(a, b)];
  if (Math.abs(ab) <= 1e-16 * Math.sqrt(aa) * Math.sqrt(bb)) return true;
  const tau = (bb - aa) / (2 * ab);
  const t = Math.sign(tau || 1) / (Math.abs(tau) + Math.hypot(1, tau));
  const cos = 1 / Math.hypot(1, t);
  for (const [x, y] of [[a, b], [right[p], right[q]]]) {
    for (let i = 0; i < x.length; i += 1) {
      const before = x[i];
      x[i] = cos * (before - t * y[i]);
      y[i] = cos * (t * before + y[i]);
    }
  }
  return false;
}

/**
 * The shortest x with A x as near to the targets as can be, and what is missing, targets − A x. Directions with a
 * singular value below `tolerance` of the largest are left out.
 */
export function leastNormSolution(rows, targets, tolerance = 1e-8) {
  const {left, sizes, right} = singularValues(rows);
  const solution = new Array(rows[0].length).fill(0);
  const missing = Array.from(targets);
  sizes.forEach((size, k) => {
    if (!(size > tolerance * sizes[0])) return;
    const part = dot(left[k], targets);
    for (let i = 0; i < solution.length; i += 1) solution[i] += (part / size) * right[k][i];
    for (let i = 0; i < missing.length; i += 1) missing[i] -= part * left[k][i];
  });
  return {solution, missing};
}

/** x ≥ 0 with |A x − b| least, by Lawson and Hanson's active sets; A is a list of rows. */
export function nonNegativeLeastSquares(rows, targets) {
  const columns = transpose(rows);
  const n = columns.length;
  const x = new Array(n).fill(0);
  const isFree = new Array(n).fill(false);
  const scale = Math.max(...columns.map((column) => vectorLength(column)), 1e-300);
  for (let round = 0; round < 30 * n; round += 1) {
    const missing = rows.map((row, i) => targets[i] - dot(row, x));
    const gains = columns.map((column, j) => (isFree[j] ? -Infinity : dot(column, missing)));
    const best = gains.indexOf(Math.max(...gains));
    if (!(gains[best] > 1e-14 * scale * Math.max(vectorLength(targets), 1e-300))) break;
    isFree[best] = true;
    if (!moveWithinBounds(rows, targets, x, isFree)) break;
  }
  return x;
}

/** The least squares solution over the free columns, approached until a bound is met; false if nothing can move. */
function moveWithinBounds(rows, targets, x, isFree) {
  for (let inner = 0; inner < 3 * x.length + 3; inner += 1) {
    const free = isFree.flatMap((yes, j) => (yes ? [j] : []));
    if (free.length === 0) return false;
    const {solution} = leastNormSolution(rows.map((row) => free.map((j) => row[j])), targets, 1e-14);
    if (solution.every((value) => value > 0)) {
      free.forEach((j, k) => { x[j] = solution[k]; });
      return true;
    }
    let share = 1;
    free.forEach((j, k) => { if (solution[k] <= 0) share = Math.min(share, x[j] / (x[j] - solution[k])); });
    if (!Number.isFinite(share)) share = 0;
    free.forEach((j, k) => {
      x[j] += share * (solution[k] - x[j]);
      if (solution[k] <= 0 && x[j] <= 1e-15) { x[j] = 0; isFree[j] = false; }
    });
  }
  return true;
}
