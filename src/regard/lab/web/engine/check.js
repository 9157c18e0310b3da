// What every function of the engine asks of its arguments; a message is one line: what was expected, what came.

/** A finite number between two bounds; an error names it. */
export function requireNumber(name, value, low = -Infinity, high = Infinity) {
  if (typeof value !== "number" || !Number.isFinite(value) || value < low || value > high) {
    throw new RangeError(`${name} must be a finite number${rangeText(low, high)}; got ${shortText(value)}`);
  }
  return value;
}

/** A whole number between two bounds. */
export function requireWhole(name, value, low, high) {
  if (!Number.isInteger(value) || value < low || value > high) {
    throw new RangeError(`${name} must be a whole number${rangeText(low, high)}; got ${shortText(value)}`);
  }
  return value;
}

/** A list of finite numbers, of this length if one is given. */
export function requireVector(name, numbers, length = null) {
  const isList = Array.isArray(numbers) || ArrayBuffer.isView(numbers);
  if (!isList || numbers.length === 0 || (length !== null && numbers.length !== length)) {
    const wanted = length === null ? "a list of at least one number" : `a list of ${length} numbers`;
    throw new RangeError(`${name} must be ${wanted}; got ${isList ? `${numbers.length} of them` : shortText(numbers)}`);
  }
  for (let i = 0; i < numbers.length; i += 1) {
    if (typeof numbers[i] !== "number" || !Number.isFinite(numbers[i])) {
      throw new RangeError(`${name} must be finite numbers; number ${i} is ${shortText(numbers[i])}`);
    }
  }
  return numbers;
}

/** Rows of finite numbers, all of one length; of these sizes if they are given. */
export function requireMatrix(name, rows, nRows = null, width = null) {
  if (!Array.isArray(rows) || rows.length === 0 || (nRows !== null && rows.length !== nRows)) {
    const wanted = nRows === null ? "at least one row" : `${nRows} rows`;
    throw new RangeError(`${name} must have ${wanted}; got ${Array.isArray(rows) ? rows.length : shortText(rows)}`);
  }
  const columns = width ?? rows[0]?.length ?? 0;
  rows.forEach((row, i) => requireVector(`row ${i} of ${name}`, row, columns || 1));
  return rows;
}

/** The index of one of n things. */
export function requireIndex(name, index, n) {
  return requireWhole(name, index, 0, n - 1);
}

function rangeText(low, high) {
  if (low === -Infinity && high === Infinity) return "";
  if (high === Infinity) return `, at least ${low}`;
  return low === -Infinity ? `, at most ${high}` : ` from ${low} to ${high}`;
}

function shortText(value) {
  const text = typeof value === "string" ? `"${value}"` : String(value);
  return text.replace(/\s+/g, " ").slice(0, 60);
}
