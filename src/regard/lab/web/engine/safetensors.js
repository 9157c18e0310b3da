// Files of tensors: 8 bytes with the header's length, the header as JSON, then the numbers. Everything is checked before
// it is read: a damaged file is refused in one line.

const MAX_HEADER = 1e6;
const MAX_NUMBERS = 2e7;
const BYTES = {F16: 2, F32: 4};

/** The tensors by name, each {shape, data: Float32Array}, and the header's own words, `metadata`. */
export function readSafetensors(buffer) {
  if (!(buffer instanceof ArrayBuffer) || buffer.byteLength < 10) throw notAFile("it is too short");
  const view = new DataView(buffer);
  const length = view.getUint32(0, true) + 2 ** 32 * view.getUint32(4, true);
  if (length < 2 || length > MAX_HEADER || 8 + length > buffer.byteLength) throw notAFile("its header has no sound length");
  const {__metadata__: metadata = {}, ...entries} = parseHeader(new Uint8Array(buffer, 8, length));
  const tensors = {};
  let total = 0;
  const spans = [];
  for (const [name, entry] of Object.entries(entries)) {
    const {shape, start, end, type} = checkEntry(name, entry, buffer.byteLength - 8 - length);
    total += (end - start) / BYTES[type];
    if (total > MAX_NUMBERS) throw notAFile(`it has more than ${MAX_NUMBERS} numbers`);
    spans.push([start, end]);
    tensors[name] = {shape, data: readNumbers(view, 8 + length + start, (end - start) / BYTES[type], type)};
  }
  spans.sort((a, b) => a[0] - b[0]);
  if (spans.some(([start], i) => i > 0 && start < spans[i - 1][1])) throw notAFile("two of its tensors overlap");
  return {metadata, tensors};
}

function parseHeader(bytes) {
  try {
    const header = JSON.parse(new TextDecoder("utf-8", {fatal: true}).decode(bytes));
    if (header !== null && typeof header === "object" && !Array.isArray(header)) return header;
  } catch {
    // told below
  }
  throw notAFile("its header is not JSON");
}

function checkEntry(name, entry, size) {
  const {dtype: type, shape, data_offsets: offsets} = entry ?? {};
  if (!(type in BYTES)) throw notAFile(`tensor ${shortName(name)} has numbers of kind ${shortName(String(type))}, not F16 or F32`);
  const isWhole = (value) => Number.isInteger(value) && value >= 0 && value <= 2 ** 40;
  if (!Array.isArray(shape) || !shape.every(isWhole) || !Array.isArray(offsets) || offsets.length !== 2 || !offsets.every(isWhole)) {
    throw notAFile(`tensor ${shortName(name)} has no sound shape or place`);
  }
  const [start, end] = offsets;
  if (end > size || end - start !== BYTES[type] * shape.reduce((product, n) => product * n, 1)) {
    throw notAFile(`tensor ${shortName(name)} does not fit its place`);
  }
  return {shape, start, end, type};
}

function readNumbers(view, start, n, type) {
  const data = new Float32Array(n);
  for (let i = 0; i < n; i += 1) {
    data[i] = type === "F32" ? view.getFloat32(start + 4 * i, true) : halfPrecision(view.getUint16(start + 2 * i, true));
  }
  return data;
}

/** The number that 16 bits stand for: a sign, five bits of exponent, ten of mantissa. */
export function halfPrecision(bits) {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const mantissa = bits & 1023;
  if (exponent === 31) return mantissa ? NaN : sign * Infinity;
  return exponent === 0 ? sign * mantissa * 2 ** -24 : sign * (1 + mantissa / 1024) * 2 ** (exponent - 15);
}

function shortName(name) {
  return JSON.stringify(name.slice(0, 40));
}

function notAFile(reason) {
  return new RangeError(`this is no file of tensors: ${reason}`);
}
