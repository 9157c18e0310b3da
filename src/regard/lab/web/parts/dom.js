// Elements of the page, made and changed without writing what is already there.

const SVG = "http://www.w3.org/2000/svg";
const written = new WeakMap();

/** Set attributes, `text` being the content; what has the same value already costs no new layout. */
export function setAttributes(node, attributes) {
  if (!written.has(node)) written.set(node, {});
  const before = written.get(node);
  for (const [name, value] of Object.entries(attributes)) {
    if (before[name] === value) continue;
    before[name] = value;
    if (name === "text") node.textContent = value;
    else if (value === null || value === false) node.removeAttribute(name);
    else node.setAttribute(name, value === true ? "" : value);
  }
  return node;
}

/** A new element of HTML. */
export function element(name, attributes = {}, parent = null, text = "") {
  const node = setAttributes(document.createElement(name), attributes);
  if (text) node.textContent = text;
  parent?.append(node);
  return node;
}

/** A new element of SVG. */
export function shape(name, attributes = {}, parent = null) {
  const node = setAttributes(document.createElementNS(SVG, name), attributes);
  parent?.append(node);
  return node;
}

const MARKS = [
  ["strong", /\*\*(.+?)\*\*/], ["em", /\*(.+?)\*/], ["sub", /_\{(.+?)\}/], ["sup", /\^\{(.+?)\}/], ["code", /`(.+?)`/],
];

/** Write text with **bold**, *italic*, x_{sub}, x^{sup} and `code`; nothing in it is ever read as HTML. */
export function writeText(parent, text) {
  parent.replaceChildren();
  appendText(parent, text);
  return parent;
}

function appendText(parent, text) {
  const found = MARKS.map(([name, pattern]) => ({ name, match: pattern.exec(text) })).filter(({ match }) => match);
  if (!found.length) { parent.append(text); return; }
  const { name, match } = found.reduce((first, next) => (next.match.index < first.match.index ? next : first));
  parent.append(text.slice(0, match.index));
  if (name === "code") element(name, {}, parent, match[1]); // as it is to be typed
  else appendText(element(name, {}, parent), match[1]);
  appendText(parent, text.slice(match.index + match[0].length));
}

const PARTS = /\*(.+?)\*|_\{(.+?)\}|([^*_]+|[*_])/g;
const [SMALL, DROP] = [0.76, 0.26]; // a subscript's size and how far it stands below the line, in sizes of the letters around it

/** Write a label of a drawing, with *italic* and x_{sub}, into an SVG text. */
export function writeLabel(node, label) {
  node.replaceChildren();
  let below = 0; // how far the last part stood below the line
  for (const [, italic, sub, plain] of label.matchAll(PARTS)) {
    const size = sub ? SMALL : 1;
    const wanted = sub ? DROP : 0;
    const part = shape("tspan", {
      ...(below === wanted ? {} : { dy: `${((wanted - below) / size).toFixed(3)}em` }),
      ...(sub ? { "font-size": `${SMALL}em` } : {}), ...(italic ? { "font-style": "italic" } : {}),
    }, node);
    part.textContent = italic ?? sub ?? plain;
    below = wanted;
  }
  return node;
}

/** A text that was typed, without halves of characters: a box that is full may cut one in two. */
export const wholeCharacters = (text) => text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "");

/** A label as it is spoken, without its marks. */
export const plainLabel = (label) => label.replace(/\*(.+?)\*/g, "$1").replace(/_\{(.+?)\}/g, " $1");

/** A number in at most so many digits, as people write it. */
export function shortNumber(value, digits = 4) {
  if (!Number.isFinite(value)) return "∞";
  const rounded = Number(value.toPrecision(digits));
  if (Math.abs(rounded) < 1e-20) return "0"; // rounding of numbers near one
  return Math.abs(rounded) < 1e-4 || Math.abs(rounded) >= 1e6 ? rounded.toExponential() : String(rounded);
}
