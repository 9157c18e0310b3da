// What the address says: read, checked, and written when the hand rests. Back and Forward bring earlier views again.

export const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const MAX_CHARACTERS = 8000;
export const MAX_ADDRESS = 12_000; // the server takes 16,000; what does not fit is kept with the entry of the history
const SAME_HAND = 1500; // milliseconds: changes of one control that follow each other this soon are one entry

const POINT_LIKE = { 2: "0.5,1", 3: "0.5,1,0" }; // how points of so many numbers are written

const inRange = (text, low, high) => {
  const value = NUMBER.test(text.trim()) ? Number(text) : NaN;
  if (!(Number.isFinite(value) && low <= value && value <= high)) throw new RangeError(text);
  return value;
};
const writeNumber = (value) => String(Number(value.toFixed(4)) + 0);

export const numberField = (start, low, high) => ({
  start, read: (text) => inRange(text, low, high), write: writeNumber, expected: `a number from ${low} to ${high}`,
});

export const wholeField = (start, low, high) => ({
  start,
  read: (text) => {
    if (!/^[+-]?\d+$/.test(text.trim())) throw new RangeError(text);
    return inRange(text, low, high);
  },
  write: String,
  expected: `a whole number from ${low} to ${high}`,
});

export const choiceField = (start, options) => ({
  start,
  read: (text) => {
    if (!options.includes(text)) throw new RangeError(text);
    return text;
  },
  write: String,
  expected: `one of ${options.filter((option) => option !== "").join(", ")}`, // an empty one is what there is without a link
});

/** A text of `least` to `most` characters. */
export const textField = (start, most, least = 0) => ({
  start,
  read: (text) => {
    if (text.length < least || text.length > most) throw new RangeError(text);
    return text;
  },
  write: String,
  expected: `a text of ${least} to ${most} characters`,
});

/** Some of these words, in their order, written with commas between. */
export const someField = (start, options) => ({
  start,
  read: (text) => {
    const chosen = text ? text.split(",") : [];
    if (!chosen.every((word) => options.includes(word))) throw new RangeError(text);
    return options.filter((word) => chosen.includes(word));
  },
  write: (words) => words.join(","),
  expected: `some of ${options.join(", ")}, with commas between`,
});

/** Several whole numbers from 0, written as 1,1,0; not all of them 0. */
export const countsField = (start, high, most) => ({
  start,
  read: (text) => {
    const numbers = text.split(",").map((part) => wholeField(0, 0, high).read(part));
    if (numbers.length < 2 || numbers.length > most || !numbers.some(Boolean)) throw new RangeError(text);
    return numbers;
  },
  write: (numbers) => numbers.join(","),
  expected: `2 to ${most} whole numbers from 0 to ${high}, not all 0, with commas between`,
});

/** Points, written as 1,0.6;-0.4,1.2; each has as many numbers as the first of the start, from `low` to `high`. */
export const pointsField = (start, most, { high, low = -high, least = 1 }) => ({
  start,
  read: (text) => {
    const rows = text.split(";").map((row) => row.split(",").map((part) => inRange(part, low, high)));
    if (rows.length > most || rows.length < least || rows.some((row) => row.length !== start[0].length)) throw new RangeError(text);
    return rows;
  },
  write: (rows) => rows.map((row) => row.map(writeNumber).join(",")).join(";"),
  expected:
    (most === 1 ? `${start[0].length} numbers` : `${least === most ? most : `${least} to ${most}`} points`) +
    ` written like ${POINT_LIKE[start[0].length]}${most === 1 ? "" : `;${POINT_LIKE[start[0].length]}`}, with numbers from ${low} to ${high}`,
});

/** Rows of numbers, all of one length, written as 1,0;0,1; usually none at all. */
export const matrixField = (mostRows, mostColumns, extent) => ({
  start: [],
  read: (text) => {
    const rows = text.split(";").map((row) => row.split(",").map((part) => inRange(part, -extent, extent)));
    const isEven = rows.every((row) => row.length === rows[0].length);
    if (rows.length > mostRows || rows[0].length > mostColumns || !isEven) throw new RangeError(text);
    return rows;
  },
  write: (rows) => rows.map((row) => row.map(writeNumber).join(",")).join(";"),
  expected: `up to ${mostRows} rows of up to ${mostColumns} numbers from ${-extent} to ${extent}, all of one length, written like 0.5,1;0.5,1`,
});

/** The values that an address gives, and a sentence for each that was wrong. */
export function readLink(search, fields) {
  const parameters = new URLSearchParams(search);
  const values = {};
  const complaints = [];
  for (const [name, field] of Object.entries(fields)) {
    values[name] = structuredClone(field.start);
    const text = parameters.getAll(name).at(-1)?.slice(0, MAX_CHARACTERS);
    if (text === undefined) continue;
    try {
      values[name] = field.read(text);
    } catch {
      const short = text.length <= 40 ? text : `${text.slice(0, 40)}…`;
      const start = field.write(field.start);
      complaints.push(`${name} in this link should be ${field.expected}, not '${short}'; ` +
        (start ? `${start} is used instead` : "it is ignored"));
    }
  }
  return { values, complaints };
}

/** The query of an address that gives these values; what has its usual value, or is too long, is left out; other parameters stay. */
export function writeLink(search, values, fields, most = MAX_ADDRESS) {
  const parameters = new URLSearchParams(search);
  for (const [name, field] of Object.entries(fields)) {
    const text = field.write(values[name]);
    if (text === field.write(field.start)) parameters.delete(name);
    else parameters.set(name, text);
  }
  for (const [name] of [...parameters].sort(([, one], [, other]) => other.length - one.length)) {
    if (parameters.toString().length > most && name in fields) parameters.delete(name);
  }
  const query = parameters.toString().replaceAll("%2C", ",").replaceAll("%3B", ";");
  return query ? `?${query}` : "";
}

let viewOfPage = () => location.search;

/** The query of an address that gives the view of this page to the lab; where it is longer than `most`, without the longest texts. */
export const viewLink = (most = Infinity) => viewOfPage(most);

/** Fields that start with the view that the page was saved with, if it was saved with one. */
function savedFields(fields) {
  const { values } = readLink(document.body.dataset.view ?? "", fields);
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, { ...field, start: values[name] }]));
}

/** The texts of a view that no address can hold; null where all fit. */
function longTexts(values, fields) {
  const shown = new URLSearchParams(writeLink("", values, fields));
  const isLeftOut = (name) => !shown.has(name) && fields[name].write(values[name]) !== fields[name].write(fields[name].start);
  const names = Object.keys(fields).filter(isLeftOut);
  return names.length ? Object.fromEntries(names.map((name) => [name, values[name]])) : null;
}

/** The view in the address bar; `restore` is called when Back or Forward brings another. */
export function openState(fieldsOfLab, restore) {
  const fields = savedFields(fieldsOfLab);
  const { values, complaints } = readLink(location.search, fields);
  Object.assign(values, history.state?.long ?? {});
  viewOfPage = (most) => writeLink("", values, fieldsOfLab, most);
  let last = { control: null, hand: -1, time: -Infinity };
  let hand = 0; // counts how often the pointer came down: each time is another move
  let isDown = false;
  addEventListener("pointerdown", () => { hand += 1; isDown = true; }, { capture: true });
  for (const name of ["pointerup", "pointercancel"]) addEventListener(name, () => { isDown = false; }, { capture: true });
  addEventListener("popstate", () => {
    last = { control: null, hand: -1, time: -Infinity };
    Object.assign(values, readLink(location.search, fields).values, history.state?.long ?? {});
    restore();
  });

  /**
   * Write the values, and say whether the address holds all of them. A control that is still being moved changes its own entry
   * instead of adding one.
   */
  function keep(control) {
    const query = writeLink(location.search, values, fields);
    const now = performance.now();
    const isSoon = isDown || now - last.time < SAME_HAND;
    const isSame = control !== null && control === last.control && hand === last.hand && isSoon;
    last = { control, hand, time: now };
    const long = longTexts(values, fields);
    if (query === location.search && JSON.stringify(long) === JSON.stringify(history.state?.long ?? null)) return long === null;
    const address = location.pathname + query + location.hash;
    if (isSame) history.replaceState({ long }, "", address);
    else history.pushState({ long }, "", address);
    return long === null;
  }

  return { values, complaints, keep };
}
