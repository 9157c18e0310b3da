// What a verdict rests on: words, the smallest example against a claim as a picture and as numbers, and what the letters mean.
import { table } from "../parts/controls.js";
import { element, setAttributes, shape, shortNumber, writeText } from "../parts/dom.js";
import { saveButtons } from "../parts/export.js";
import { mathElement } from "../parts/math.js";
import { makePlot, plotRow } from "../parts/plot.js";

const SIGNS = {
  good: ["holds", "M14 25 L21 32 L35 16"],
  limit: ["holds in the limit", "M12 24 H34 M26 16 L35 24 L26 32"],
  bad: ["fails", "M16 16 L32 32 M32 16 L16 32"],
  open: ["not decided", "M18 19 Q18 13 24 13 Q31 13 31 19 Q31 24 24 26 V29 M24 34 V35"],
  wait: ["being tried", "M15 24 h0 M24 24 h0 M33 24 h0"],
  none: ["no verdict", ""],
};

/** A teacher's mark beside the claim; the function sets it. */
export function makeMark(parent) {
  const svg = shape("svg", { class: "mark", viewBox: "0 0 48 48", role: "img" }, parent);
  shape("circle", { cx: 24, cy: 24, r: 21 }, svg);
  const sign = shape("path", {}, svg);
  return (tone) => {
    setAttributes(svg, { class: `mark ${tone}`, "aria-label": `Verdict: ${SIGNS[tone][0]}` });
    setAttributes(sign, { d: SIGNS[tone][1] });
  };
}

/** The parts of the page below the claim; `show(facts)` fills them, `fade()` says that they are about an earlier claim. */
export function makeEvidence(page) {
  const box = element("div", { class: "evidence", hidden: true }, page.figure);
  const verdict = element("div", { class: "verdict", role: "status" }, box);
  const pictures = element("div", { class: "counterexample" }, box);
  const numbers = element("div", { class: "example-numbers", hidden: true }, page.more);
  const tried = element("details", { class: "fold tried", hidden: true }, page.more);
  const letters = element("details", { class: "fold letters", hidden: true }, page.more);
  element("summary", {}, tried, "How it was tried");
  element("summary", {}, letters, "What the letters mean");
  const [triedBody, lettersBody] = [element("div", {}, tried), element("div", {}, letters)];

  function show(facts) {
    box.hidden = false;
    for (const part of [box, numbers]) part.classList.remove("old");
    showVerdict(facts);
    showPictures(facts);
    showNumbers(facts);
    showTried(facts);
    showLetters(facts.letters);
  }

  function clear() {
    for (const part of [box, numbers, tried, letters]) part.hidden = true;
  }

  function showVerdict({ name, tone, reason, place, nearest, readings }) {
    verdict.replaceChildren();
    setAttributes(verdict, { class: `verdict ${tone}` });
    writeText(element("p", {}, verdict), `**${name}.** ${plainFormula(sentence(reason))}`);
    if (place) element("pre", { role: "group", "aria-label": "The place in the claim", tabindex: 0 }, verdict, place);
    for (const one of readings) {
      writeText(element("p", { class: "said" }, verdict), plainFormula(`Read in one way, it ${one.name.toLowerCase()}: ${one.reason}.`));
    }
    if (nearest) writeText(element("p", {}, verdict), plainFormula(`Near it: ${nearest}.`));
  }

  function showPictures({ example, pictures: planes, links }) {
    pictures.replaceChildren();
    pictures.hidden = example === null;
    if (example === null) return;
    element("h2", {}, pictures, "The smallest example found against it");
    const hasSides = example.sides.left.entries.length > 0 && example.sides.right.entries.length > 0;
    const boxes = plotRow(pictures, Math.max(1, planes.length + (hasSides ? 1 : 0)));
    planes.forEach((plane, i) => drawKeys(boxes[i], plane));
    if (hasSides) drawSides(boxes[planes.length], example.sides, planes.length ? 0.62 : 0.36);
    const row = element("p", { class: "links" }, pictures);
    for (const { words, address } of links) {
      if (address) element("a", { href: address }, row, words);
      else element("span", { class: "said" }, row, words);
    }
    if (links.some(({ address }) => address.includes("look-up"))) {
      element("span", { class: "said" }, row, "Chapter 1 counts keys from 0, and its values are colours.");
    }
    saveButtons(pictures, {
      name: "counterexample", drawings: () => [...pictures.querySelectorAll(".plot")], columns: () => exampleColumns(example),
    });
  }

  function showNumbers({ example }) {
    numbers.hidden = example === null;
    numbers.replaceChildren();
    if (example === null) return;
    const write = table(numbers, ["letter", "value"], "Its numbers");
    const rows = [...example.rows.map(({ value }) => value), example.sides.left.text, example.sides.right.text];
    write([...example.rows.map(({ name }) => name), "left side", "right side"].map((name, i) => [name, rows[i]]));
    numbers.querySelectorAll("tbody th").forEach((cell, i) => {
      if (example.rows[i]) cell.replaceChildren(mathElement(example.rows[i].formula));
      cell.setAttribute("aria-label", cell.textContent); // not every screen reader reads formulas
    });
  }

  function showTried({ tried: how, notes, setting }) {
    tried.hidden = false;
    triedBody.replaceChildren();
    const words = [how ? sentence(how) : "", ...notes.map(sentence), `Read in the setting ${setting}.`];
    for (const one of words.filter(Boolean)) writeText(element("p", {}, triedBody), plainFormula(one));
  }

  function showLetters(found) {
    letters.hidden = found === null;
    lettersBody.replaceChildren();
    if (found === null) return;
    element("p", {}, lettersBody, `${found.setting}: ${found.summary}.`);
    if (found.goal) element("p", {}, lettersBody, "A claim that only defines something is judged by ").append(mathElement(found.goal), ".");
    const write = table(lettersBody, ["letter", "shape", "meaning"]);
    write(found.rows.map(({ shape: size, meaning }) => ["", size, meaning]));
    lettersBody.querySelectorAll("tbody th").forEach((cell, i) => {
      found.rows[i].formulas.forEach((tree, j) => cell.append(j ? ", " : "", mathElement(tree)));
      cell.setAttribute("aria-label", cell.textContent);
    });
  }

  return { show, clear, fade: () => { for (const part of [box, numbers]) part.classList.add("old"); } };
}

/** A formula of a sentence with its subscripts below the line; no star of it is read as emphasis. */
const plainFormula = (text) => text.replace(/(?<!\*)\*(?!\*)/g, "∗").replace(/\balpha\b/g, "α").replace(/\^\(([^()]*)\)/g, "^{$1}").replace(/_(\w+)/g, "_{$1}");
/** A reason as a sentence; a letter of the claim that begins it stays small. */
const sentence = (text) => text.replace(/^[a-z](?=[a-z]+\b(?!_))/, (first) => first.toUpperCase()) + (/[.!?]$/.test(text) ? "" : ".");

/** Keys with the weight of each, and the direction of the query; on a line where no second coordinate tells them apart. */
function drawKeys(parent, { head, keys, query, weights, marked }) {
  const reach = Math.max(1, ...keys.flat().map(Math.abs)) * 1.25;
  const longest = query === null ? 0 : Math.hypot(...query);
  const most = Math.max(...keys.map((key) => Math.hypot(...key)), 1);
  const arrow = longest > most ? query.map((part) => (part * most) / longest) : query;
  const all = [...keys, [0, 0], ...(arrow ? [arrow] : [])];
  const isLine = all.every((point) => Math.abs(point[1]) < 1e-9);
  const low = (axis) => Math.min(...all.map((point) => point[axis])) - 0.2 * reach;
  const high = (axis) => Math.max(...all.map((point) => point[axis])) + 0.35 * reach;
  const plot = makePlot(parent, {
    label: `Keys of the counterexample${head ? `, ${head}` : ""}`, title: `keys${query ? `, and the query${head ? ` of ${head}` : ""}` : ""}`,
    x: { label: isLine ? "the only coordinate in which they differ" : "first coordinate", low: low(0), high: high(0) },
    y: isLine ? { label: "", low: -1, high: 2, ticks: [] } : { label: "second coordinate", low: low(1), high: high(1) },
    isEqual: !isLine, ratio: isLine ? 0.36 : 0.62,
  });
  const nearOrigin = arrow !== null && Math.hypot(...arrow) < 1e-9;
  plot.draw({
    lines: arrow && !nearOrigin ? [{ points: [[0, 0], arrow], style: 1 }] : [],
    points: [{ at: [0, 0], style: 9 }, ...keys.map((at, i) => ({ at, style: weights && weights[i] > 0.5 ? 2 : 0 }))],
    labels: keyLabels({ keys, weights, marked }, isLine ? 0.12 * (high(0) - low(0)) : 0.03 * reach, isLine),
    rules: isLine ? [{ at: 0, axis: "y" }] : [],
    legend: query ? [{ name: nearOrigin ? "the query is 0" : `query, length ${shortNumber(longest, 3)}`, style: 1 }] : [],
  });
  if (weights) element("p", { class: "said" }, parent, "Beside each key: its letter or number, and its weight.");
}

/** A label for each key; on a line, one that is near to the label on its left stands above it, and elsewhere they are written as one. */
function keyLabels({ keys, weights, marked }, near, isLine) {
  const name = (i) => Object.entries(marked).find(([, place]) => place === i)?.[0] ?? String(i + 1);
  const text = (i) => (weights ? `${name(i)}: ${shortNumber(weights[i] < 1e-6 ? 0 : weights[i], 2)}` : name(i));
  const found = [];
  for (const i of keys.map((_, place) => place).sort((one, other) => keys[one][0] - keys[other][0])) {
    const before = found.find(({ at }) => Math.hypot(keys[i][0] - at[0], isLine ? 0 : keys[i][1] - at[1]) < near);
    if (before && !isLine) before.text += `, ${text(i)}`;
    else found.push({ at: [keys[i][0], isLine ? 0.35 * found.filter(({ at }) => keys[i][0] - at[0] < near).length : keys[i][1]], text: text(i) });
  }
  return found;
}

/** Both sides of the claim, entry by entry. */
function drawSides(parent, { left, right }, ratio) {
  const entries = left.entries.length >= right.entries.length ? left.entries : right.entries;
  const at = (side, i) => (side.length === 1 ? side[0] : side[i] ?? 0);
  const values = entries.flatMap((_, i) => [at(left.entries, i), at(right.entries, i)]);
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const room = 0.08 * (high - low || 1);
  const plot = makePlot(parent, {
    label: "Both sides of the claim", title: "the two sides", ratio,
    x: { label: entries.length > 1 ? "entry" : "", low: 0.4, high: entries.length + 0.6, ticks: entries.length > 1 ? entries.map((_, i) => i + 1) : [] },
    y: { label: "value", low: low - (low < 0 ? room : 0), high: high + room },
  });
  plot.draw({
    bars: entries.flatMap((_, i) => [
      { from: i + 0.65, to: i + 0.98, value: at(left.entries, i), style: 0 },
      { from: i + 1.02, to: i + 1.35, value: at(right.entries, i), style: 1 },
    ]),
    legend: [{ name: `left: ${clip(left.text)}`, style: 0, filled: true }, { name: `right: ${clip(right.text)}`, style: 1, filled: true }],
  });
}

const clip = (text) => (text.length > 28 ? `${text.slice(0, 27)}…` : text);

function exampleColumns({ rows, sides }) {
  const quoted = (text) => `"${text.replaceAll('"', '""')}"`;
  return {
    what: [...rows.map(({ name }) => name), "left side", "right side"],
    value: [...rows.map(({ value }) => value), sides.left.text, sides.right.text].map(quoted),
  };
}
