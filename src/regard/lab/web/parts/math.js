// Formulas as MathML, built from trees [name, part, …] of which only names that are known become elements.

const MATHML = "http://www.w3.org/1998/Math/MathML";
const NAMES = new Set([
  "math", "mrow", "mi", "mn", "mo", "mtext", "mspace", "mfrac", "msub", "msup", "mover", "munder", "munderover", "msqrt",
]);

/** The element of a tree; a part is a text or a tree again. */
export function mathElement([name, ...parts]) {
  const node = document.createElementNS(MATHML, NAMES.has(name) ? name : "mrow");
  if (name === "mspace") node.setAttribute("width", "1em");
  if (name === "mover") node.setAttribute("accent", "true");
  if (name === "mo" && "()[]".includes(parts[0])) node.setAttribute("stretchy", "false");
  node.append(...parts.map((part) => (Array.isArray(part) ? mathElement(part) : part)));
  if (name === "msub" && node.firstChild.localName === "mi") { // without a font for formulas, k_a would have its a on the line
    const base = document.createElementNS(MATHML, "mpadded");
    base.setAttribute("depth", "0.22em");
    node.firstChild.replaceWith(base);
    base.append(mathElement(parts[0]));
  }
  if (name === "mrow" && node.querySelector("mfrac, munder, munderover")) { // brackets grow with what is tall between them
    for (const child of node.children) if (child.localName === "mo") child.removeAttribute("stretchy");
  }
  return node;
}
