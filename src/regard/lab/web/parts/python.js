// Values of a view as Python is typed.

/** A number that Python reads as a float. */
export const pyNumber = (value) => (Number.isInteger(value) && Math.abs(value) < 1e15 ? `${value}.0` : String(value));

/** A list, or a list of lists, of numbers. */
export const pyList = (value) => (Array.isArray(value) ? `[${value.map(pyList).join(", ")}]` : pyNumber(value));

export const pyArray = (value) => `np.array(${pyList(value)})`;

/** A text; as a raw string where it has backslashes, as formulas do. */
export const pyText = (text) => (/\\/.test(text) && !/["\n\r]|\\$/.test(text) ? `r"${text}"` : JSON.stringify(text));
