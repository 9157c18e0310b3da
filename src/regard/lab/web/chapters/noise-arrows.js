// The queries of the plane as arrows that can be taken, and the table that names them: each design has its colour and its error.
import { button, tableBox } from "../parts/controls.js";
import { element, setAttributes, shape, shortNumber } from "../parts/dom.js";
import { ALL_DESIGNS, MAX_HEADS, fromPlane, toPlane } from "./noise-designs.js";

const MARKED_LENGTHS = [1, 3, 10];
const TIP = "M13 0L-11 11L-6 0L-11 -11Z";
const NAME_GAP = 21; // between a tip and its name, in units of the drawing
const FAR_OUT = 1.15; // in units of the plane
const [NAME_WIDTH, NAME_HEIGHT] = [0.45, 0.13]; // of a name, too
export const DESIGN_NAMES = { pull: "Pull", push: "Push", robust: "Robust", given: "Given" };

/**
 * Rings that mark lengths, and an arrow for every head of every design. `move(name, head, query)` is called by hand or keyboard,
 * `take(name, head)` when a hand takes one. The rings are made at once, below what comes later; `build` makes the arrows.
 */
export function makeArrows(plane, { query, move, take }) {
  const rings = MARKED_LENGTHS.map((length) => {
    const radius = plane.x(toPlane([length, 0])[0]) - plane.x(0);
    shape("circle", { class: "length-ring", cx: plane.x(0), cy: plane.y(0), r: radius }, plane.svg);
    const name = shape("text", { class: "length-name", x: plane.x(0) - radius, y: plane.y(0), dx: -3, dy: -4, "text-anchor": "end" }, plane.svg);
    name.textContent = length === 1 ? "|q| = 1" : length;
    return name;
  });
  let lines = null;
  let layer = null;
  const made = {};

  /** Make the arrows themselves, above what is there by now; `handles` is where their tips go. */
  function build(handles) {
    lines = shape("g", {}, plane.svg);
    plane.svg.append(handles);
    layer = shape("g", {}, handles);
    for (const name of ALL_DESIGNS) made[name] = Array.from({ length: MAX_HEADS }, (_, h) => makeArrow(name, h));
  }

  function makeArrow(name, head) {
    const line = shape("line", { class: `arrow query-${name}` }, lines);
    const group = plane.handle(layer, `query query-${name}`, DESIGN_NAMES[name], {
      get: () => toPlane(query(name, head)), move: (point) => move(name, head, fromPlane(point)), take: () => take(name, head),
    });
    const tip = shape("path", { class: "arrow-tip", d: TIP }, group);
    const words = shape("text", { class: "arrow-name" }, group);
    return { line, group, tip, words };
  }

  /** Draw them: `designs` has queries by name, null for none; with several heads only those of the selected design are there. */
  function draw(designs, selected) {
    for (const name of rings) setAttributes(name, { "font-size": (13 * plane.zoom).toFixed(1) });
    const areMany = designs[selected]?.length > 1;
    for (const name of ALL_DESIGNS) {
      const queries = designs[name] && (name === selected || (!areMany && designs[name].length === 1)) ? designs[name] : [];
      made[name].forEach((arrow, h) => drawArrow(arrow, name, h, queries, name === selected));
    }
    hideCoveredNames(designs, selected);
    for (const name of ALL_DESIGNS) { // what is selected lies above the others; it is never moved itself, which would cost it the focus
      if (name !== selected && made[name][0].group.compareDocumentPosition(made[selected][0].group) & Node.DOCUMENT_POSITION_PRECEDING) {
        layer.prepend(...made[name].map(({ group }) => group));
      }
    }
  }

  /** A name that the selected one would lie upon is left out: colours tell which arrow it is. */
  function hideCoveredNames(designs, selected) {
    const top = designs[selected]?.length === 1 ? toPlane(designs[selected][0]) : null;
    for (const name of ALL_DESIGNS) {
      const tip = top && name !== selected && designs[name]?.length === 1 ? toPlane(designs[name][0]) : null;
      const isCovered = tip !== null && Math.abs(tip[0] - top[0]) < NAME_WIDTH && Math.abs(tip[1] - top[1]) < NAME_HEIGHT;
      setAttributes(made[name][0].words, { visibility: isCovered ? "hidden" : null });
    }
  }

  function drawArrow({ line, group, tip, words }, name, head, queries, isSelected) {
    const shown = queries[head] ?? null;
    for (const part of [line, group]) {
      setAttributes(part, { visibility: shown ? null : "hidden" });
      part.classList.toggle("selected", isSelected);
    }
    if (!shown) return;
    const [px, py] = toPlane(shown);
    const angle = Math.atan2(shown[1], shown[0]);
    setAttributes(line, { x1: plane.x(0), y1: plane.y(0), x2: plane.x(px), y2: plane.y(py) });
    setAttributes(tip, { transform: `rotate(${((-180 * angle) / Math.PI).toFixed(2)})` });
    const [ux, uy] = [Math.cos(angle), -Math.sin(angle)];
    const isFarOut = Math.abs(px) > FAR_OUT; // there is no room for the name beyond the tip
    const gap = isFarOut ? { x: 0, y: uy > 0 ? 34 : -20 } : { x: NAME_GAP * ux, y: NAME_GAP * uy + 6 };
    const away = isFarOut ? -Math.sign(px) : ux;
    setAttributes(words, {
      text: queries.length > 1 ? `${name} ${head}` : name, x: gap.x.toFixed(1), y: gap.y.toFixed(1),
      "text-anchor": away > 0.4 ? "start" : away < -0.4 ? "end" : "middle",
    });
    setAttributes(group, { "aria-label": `${DESIGN_NAMES[name]} query${queries.length > 1 ? ` of head ${head}` : ""}` });
    plane.place(group, [px, py], `x ${shown[0].toFixed(2)}, y ${shown[1].toFixed(2)}, length ${Math.hypot(...shown).toFixed(2)}`);
  }

  return { build, draw };
}

/** A table with a row for each design, whose name selects it; `write(rows, selected)` takes {length, error, variance} or words by name. */
export function makeDesignTable(parent, { select }) {
  const { box, watch } = tableBox(parent);
  const made = element("table", { class: "designs" }, box);
  watch.observe(made);
  const head = element("tr", {}, element("thead", {}, made));
  ["query", "length", "error", "variance"].forEach((words, i) => element("th", { scope: "col", class: i ? "number" : null }, head, words));
  const body = element("tbody", {}, made);
  const rows = Object.fromEntries(ALL_DESIGNS.map((name) => [name, makeRow(name)]));

  function makeRow(name) {
    const row = element("tr", {}, body);
    const chosen = button(element("th", { scope: "row" }, row), "", () => select(name), { class: `design-name query-${name}` });
    const swatch = shape("svg", { viewBox: "0 0 26 14", class: "design-swatch", "aria-hidden": "true" }, chosen);
    shape("path", { class: "arrow", d: "M1 7H16" }, swatch);
    shape("path", { class: "arrow-tip", d: "M25 7L13 1L15.500 7L13 13Z" }, swatch);
    const words = element("span", {}, chosen);
    const cells = Array.from({ length: 3 }, () => element("td", { class: "number" }, row));
    return { row, chosen, words, cells };
  }

  return (found, selected) => {
    const least = Math.min(...Object.values(found).map((one) => one?.error ?? Infinity));
    for (const [name, { row, chosen, words, cells }] of Object.entries(rows)) {
      const one = found[name];
      row.hidden = one === undefined;
      if (!one) continue;
      setAttributes(chosen, { "aria-pressed": String(name === selected) });
      setAttributes(words, { text: DESIGN_NAMES[name] + (one.isPlaced ? ", moved" : "") });
      const hasNumbers = one.error !== undefined;
      setAttributes(cells[0], { text: one.why ?? shortNumber(one.length, 3), colspan: one.why ? 3 : 1 });
      setAttributes(cells[1], { text: hasNumbers ? shortNumber(one.error, 3) : "…" });
      setAttributes(cells[2], { text: hasNumbers ? shortNumber(one.variance, 3) : "…" });
      for (const cell of cells.slice(1)) cell.hidden = Boolean(one.why);
      cells[1].classList.toggle("best", hasNumbers && one.error === least);
    }
  };
}
