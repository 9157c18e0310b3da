// Subspaces: one summand back out of a sum. A basis is a list of rows, its vectors are the columns.
import {requireMatrix, requireVector} from "./check.js";
import {matrixProduct, matrixVector, singularValues, transpose, vectorLength} from "./linear.js";
import {dot} from "./softmax.js";

const ROUNDING_UNIT = 2 ** -52;

/** An orthonormal basis of the span of the columns; an error names how many of them depend on the others. */
export function orthonormalBasis(basis, name = "basis") {
  requireMatrix(name, basis);
  const columns = transpose(basis).map((column) => {
    const size = Math.max(...column.map(Math.abs)) || 1; // lengths do not matter to a span, and squares may overflow
    return column.map((value) => value / size);
  });
  const found = [];
  const left = columns.map((column) => [...column]);
  let first = 0;
  for (let k = 0; k < columns.length; k += 1) {
    const lengths = left.map((column) => (column === null ? -1 : vectorLength(column)));
    const farthest = lengths.indexOf(Math.max(...lengths));
    if (k === 0) first = lengths[farthest];
    if (!(lengths[farthest] > Math.max(basis.length, columns.length) * ROUNDING_UNIT * first)) {
      const n = columns.length;
      throw new RangeError(`the ${n} columns of ${name} span only ${k} dimensions: some depend on the others`);
    }
    let vector = left[farthest];
    for (let twice = 0; twice < 2; twice += 1) vector = withoutSpan(vector, found);
    const length = vectorLength(vector);
    found.push(vector.map((value) => value / length));
    left[farthest] = null;
    for (let j = 0; j < left.length; j += 1) if (left[j] !== null) left[j] = withoutSpan(left[j], [found[k]]);
  }
  return transpose(found);
}

/** P with P s = the part of s in the span of the columns. */
export function projector(basis) {
  const q = orthonormalBasis(basis);
  return matrixProduct(q, transpose(q));
}

/** The part of a vector in the span of the columns. */
export function extractPart(total, basis) {
  requireVector("total", total, basis.length);
  const q = orthonormalBasis(basis);
  return matrixVector(q, matrixVector(transpose(q), total));
}

/** The angles between two subspaces in radians, smallest first: cosines and sines together, exact at every angle. */
export function principalAngles(basisA, basisB) {
  return anglesBetween(orthonormalBasis(basisA, "basis A"), orthonormalBasis(basisB, "basis B"));
}

/**
 * v_a from total = v_a + v_b by the projector onto A along B; `error` is what the orthogonal projector gets wrong,
 * `angles` are the principal angles, `noiseGain` = 1/sin θ is how much longer noise in the sum can become.
 */
export function recoverPart(total, basisA, basisB) {
  const [qa, qb] = [orthonormalBasis(basisA, "basis A"), orthonormalBasis(basisB, "basis B")];
  requireVector("total", total, qa.length);
  const angles = anglesBetween(qa, qb);
  if (angles[0] <= 16 * Math.max(qa.length, qa[0].length) * ROUNDING_UNIT) {
    throw new RangeError("the two subspaces share a direction, along which the summands cannot be told apart");
  }
  const spanB = transpose(qb);
  const aside = (vector) => withoutSpan(withoutSpan(vector, spanB), spanB); // twice, or a small angle costs digits
  const beside = transpose(qa).map(aside); // N Qa, column by column
  const rest = aside(total);
  const {left, sizes, right} = singularValues(transpose(beside));
  const coordinates = new Array(beside.length).fill(0);
  sizes.forEach((size, k) => {
    const part = dot(left[k], rest) / size;
    for (let i = 0; i < coordinates.length; i += 1) coordinates[i] += part * right[k][i];
  });
  const value = matrixVector(qa, coordinates);
  const projected = matrixVector(qa, matrixVector(transpose(qa), total));
  return {
    value,
    projected,
    error: projected.map((part, i) => part - value[i]),
    angles,
    worstErrorPerUnit: Math.cos(angles[0]),
    noiseGain: 1 / Math.sin(angles[0]),
  };
}

function anglesBetween(qa, qb) {
  if (qa.length !== qb.length) {
    throw new RangeError(`both bases need vectors of one width; got ${qa.length} and ${qb.length}`);
  }
  const [wide, narrow] = qa[0].length < qb[0].length ? [qb, qa] : [qa, qb];
  const span = transpose(wide);
  const cosines = singularValues(matrixProduct(span, narrow)).sizes;
  const beside = transpose(transpose(narrow).map((column) => withoutSpan(column, span)));
  const sines = singularValues(beside).sizes.slice(0, narrow[0].length).reverse();
  return cosines.map((cosine, k) => Math.atan2(sines[k], cosine));
}

/** A vector without its part in the span of orthonormal vectors. */
function withoutSpan(vector, orthonormal) {
  const parts = orthonormal.map((axis) => dot(axis, vector));
  return Array.from(vector, (value, i) => orthonormal.reduce((sum, axis, k) => sum - parts[k] * axis[i], value));
}
