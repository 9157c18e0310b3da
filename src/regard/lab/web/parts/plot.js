// Plots as SVG in the page's own colours: axes, lines, areas, bars, points, coloured cells. Drawn anew at every change.
import { element, plainLabel, setAttributes, shape, shortNumber, writeLabel } from "./dom.js";

// In pixels where letters have their usual size; all grow with the letters.
const MARGIN = { left: 64, right: 14, top: 26, bottom: 42 };
const LETTER = 7.2; // what a letter of the legend takes, about
const LEGEND_ROW = 19;

/** The places of ticks: round numbers on a straight axis, powers of ten (and 2, 5 where there are few) on a log one. */
export function ticks({ low, high, log }, most = 6) {
  if (!log) {
    const rough = (high - low) / most;
    const unit = 10 ** Math.floor(Math.log10(rough));
    const step = unit * [1, 2, 2.5, 5, 10].find((factor) => factor * unit >= rough * 0.999);
    const first = Math.ceil(low / step - 1e-9);
    const count = Math.floor(high / step + 1e-9) - first + 1;
    return Array.from({ length: Math.max(0, count) }, (_, i) => Number(((first + i) * step).toPrecision(12)));
  }
  const [from, to] = [Math.ceil(Math.log10(low) - 1e-9), Math.floor(Math.log10(high) + 1e-9)];
  const factors = to - from < 3 ? [1, 3] : [1];
  const every = Math.max(1, Math.ceil((to - from + 1) / most));
  const found = [];
  for (let power = from - 1; power <= to; power += 1) {
    if (factors.length === 1 && (power - from) % every) continue;
    for (const factor of factors) found.push(Number((factor * 10 ** power).toPrecision(12)));
  }
  return found.filter((value) => value >= low * 0.999 && value <= high * 1.001);
}

// Shorter than 0.0001, which would reach the name of the axis.
const tickName = (value) => (value > 0 && value < 1e-3 ? Number(value.toPrecision(4)).toExponential() : shortNumber(value));

const place = ({ low, high, log }, value) =>
  log ? (Math.log(value) - Math.log(low)) / (Math.log(high) - Math.log(low)) : (value - low) / (high - low);
const unplace = ({ low, high, log }, share) => (log ? low * (high / low) ** share : low + share * (high - low));

/**
 * A plot in `parent`. `label` is what a screen reader says; `x` and `y` are axes {label, low, high, log} which `draw` may change, perhaps with {ticks}, `x` also with {names};
 * `ratio` is height by width; with `isEqual` both axes have one unit of length; `onPick(x, y)` is called where the plot is
 * clicked or dragged over.
 */
export function makePlot(parent, { label, title = "", x, y, ratio = 0.62, isEqual = false, onPick }) {
  const svg = shape("svg", { class: "plot", role: "img", "aria-label": label }, parent);
  let size = { width: 0, height: 0, unit: 1 };
  let last = null;
  let frame = { name: null };
  const axes = { x: { ...x }, y: { ...y } };
  const inner = () => {
    const top = size.unit * (MARGIN.top + last.legendRows * LEGEND_ROW);
    return {
      left: size.unit * MARGIN.left, top,
      width: size.width - size.unit * (MARGIN.left + MARGIN.right), height: size.height - top - size.unit * MARGIN.bottom,
    };
  };
  const toX = (value) => inner().left + place(axes.x, value) * inner().width;
  const toY = (value) => inner().top + (1 - place(axes.y, value)) * inner().height;

  function draw(content) {
    last = { lines: [], areas: [], bars: [], points: [], rules: [], cells: null, labels: [], legend: [], ...content };
    Object.assign(axes.x, content.x);
    Object.assign(axes.y, content.y);
    if (!size.width) measure();
    if (!size.width) return;
    layLegend();
    if (isEqual) equalUnits();
    drawFrame();
    const { left, top, width, height } = inner();
    const group = shape("g", {});
    for (const { at, axis = "x" } of last.rules) drawRule(group, at, axis);
    const clip = shape("svg", { x: left, y: top - 5, width, height: height + 10, overflow: "hidden" }, group);
    clip.setAttribute("viewBox", `${left} ${top - 5} ${width} ${height + 10}`);
    for (const area of last.areas) shape("path", { class: `area s${area.style}`, d: areaPath(area.points) }, clip);
    for (const bar of last.bars) drawBar(bar, clip);
    for (const line of last.lines) shape("path", { class: `line s${line.style}`, d: linePath(line.points) }, clip);
    if (last.dots) shape("path", { class: `dots s${last.dots.style}`, d: dotPath(last.dots.at) }, clip);
    for (const point of last.points) drawPoint(group, point);
    for (const { at, text, anchor = "start" } of last.labels) {
      writeLabel(shape("text", { class: "note", x: toX(at[0]) + 6, y: toY(at[1]) - 6, "text-anchor": anchor }, group), text);
    }
    svg.lastChild.replaceWith(group);
  }

  /** What stays while lines move: drawn anew only if it has changed. */
  function drawFrame() {
    const { cells, legend } = last;
    const name = JSON.stringify([size, axes, legend]);
    if (name === frame.name && cells?.rows === frame.rows) return;
    frame = { name, rows: cells?.rows };
    setAttributes(svg, { viewBox: `0 0 ${size.width} ${size.height}`, width: size.width, height: size.height });
    const group = shape("g", {});
    if (cells) drawCells(group, cells);
    drawAxes(group);
    drawLegend(group);
    svg.replaceChildren(group, shape("g", {}));
  }

  /** Widen one axis until a unit is as long on both. */
  function equalUnits() {
    const wanted = { x: { ...x, ...last.x }, y: { ...y, ...last.y } };
    const { width, height } = inner();
    const unit = Math.min(width / (wanted.x.high - wanted.x.low), height / (wanted.y.high - wanted.y.low));
    axes.x.high = wanted.x.low + width / unit;
    axes.y.high = wanted.y.low + height / unit;
  }

  function layLegend() {
    let [row, at] = [0, 0];
    last.entries = last.legend.map((entry) => {
      const width = 34 + LETTER * plainLabel(entry.name).length;
      if (at > 0 && at + width > size.width / size.unit - MARGIN.left) [row, at] = [row + 1, 0];
      const found = { ...entry, row, at };
      at += width + 8;
      return found;
    });
    last.legendRows = last.legend.length ? row + 1 : 0;
  }

  function drawLegend(group) {
    for (const { name, style, row, at, filled } of last.entries) {
      const [left, up] = [size.unit * (MARGIN.left + at), size.unit * (MARGIN.top + row * LEGEND_ROW)];
      if (filled) shape("rect", { class: `cell c${style}`, x: left, y: up - 6, width: 24, height: 12 }, group);
      else shape("path", { class: `line s${style}`, d: `M${left} ${up}h24` }, group);
      writeLabel(shape("text", { class: "note", x: left + 30, y: up + 4.5 * size.unit }, group), name);
    }
  }

  function drawAxes(group) {
    const { left, top, width, height } = inner();
    if (title) shape("text", { class: "plot-title", x: left, y: 14 * size.unit }, group).textContent = title;
    for (const value of axes.x.ticks ?? ticks(axes.x, Math.max(2, Math.floor(width / 70 / size.unit)))) {
      shape("path", { class: "grid", d: `M${toX(value)} ${top}v${height}` }, group);
      shape("text", { class: "tick", x: toX(value), y: top + height + 16 * size.unit, "text-anchor": "middle" }, group).textContent = axes.x.names?.[value] ?? shortNumber(value);
    }
    for (const value of axes.y.ticks ?? ticks(axes.y, Math.max(2, Math.floor(height / 40 / size.unit)))) {
      shape("path", { class: "grid", d: `M${left} ${toY(value)}h${width}` }, group);
      shape("text", { class: "tick", x: left - 6, y: toY(value) + 4, "text-anchor": "end" }, group).textContent = tickName(value);
    }
    shape("path", { class: "axis", d: `M${left} ${top}v${height}h${width}` }, group);
    writeLabel(shape("text", { class: "axis-name", x: left + width / 2, y: top + height + 36 * size.unit, "text-anchor": "middle" }, group), axes.x.label);
    const name = shape("text", { class: "axis-name", transform: `translate(${12 * size.unit} ${top + height / 2}) rotate(-90)`, "text-anchor": "middle" }, group);
    writeLabel(name, axes.y.label);
  }

  const clampY = (value) => (axes.y.log ? Math.max(value, axes.y.low * 1e-3) : value);
  const linePath = (points) => points.map(([px, py], i) => `${i ? "L" : "M"}${toX(px).toFixed(1)} ${toY(clampY(py)).toFixed(1)}`).join("");
  const areaPath = (points) => {
    const base = toY(axes.y.log ? axes.y.low : Math.max(0, axes.y.low));
    return `${linePath(points)}L${toX(points.at(-1)[0])} ${base}L${toX(points[0][0])} ${base}Z`;
  };

  // Many small dots as one path: lines of no length with round ends.
  const dotPath = (at) => at.map(([px, py]) => `M${toX(px).toFixed(1)} ${toY(py).toFixed(1)}h0`).join("");

  function drawRule(group, at, axis) {
    const { left, top, width, height } = inner();
    const d = axis === "x" ? `M${toX(at)} ${top}v${height}` : `M${left} ${toY(at)}h${width}`;
    shape("path", { class: "rule", d }, group);
  }

  function drawBar({ from, to, value, style }, clip) {
    const base = toY(axes.y.log ? axes.y.low : Math.min(Math.max(0, axes.y.low), axes.y.high));
    const up = toY(clampY(value));
    shape("rect", {
      class: `bar c${style}`, x: Math.min(toX(from), toX(to)), width: Math.max(0.5, Math.abs(toX(to) - toX(from))),
      y: Math.min(base, up), height: Math.abs(base - up),
    }, clip);
  }

  function drawPoint(group, { at, style, mark = "dot" }) {
    const [px, py] = [toX(at[0]), Math.min(inner().top + inner().height, Math.max(inner().top, toY(clampY(at[1]))))];
    if (mark === "square") shape("rect", { class: `point c${style}`, x: px - 5, y: py - 5, width: 10, height: 10 }, group);
    else if (mark === "ring") shape("circle", { class: "ring", cx: px, cy: py, r: 7 }, group);
    else shape("circle", { class: `point c${style}`, cx: px, cy: py, r: 5.5 }, group);
  }

  // Rows of cells from the bottom, each row runs of one style: {rows: [[style, style, …], …]}.
  function drawCells(group, { rows }) {
    const { left, top, width, height } = inner();
    const high = height / rows.length;
    rows.forEach((row, i) => {
      let from = 0;
      for (let to = 1; to <= row.length; to += 1) {
        if (to < row.length && row[to] === row[from]) continue;
        const [begin, end] = [left + (from / row.length) * width, left + (to / row.length) * width];
        shape("rect", { class: `cell c${row[from]}`, x: begin, width: end - begin, y: top + height - (i + 1) * high, height: high }, group);
        from = to;
      }
    });
  }

  function measure() {
    const width = Math.floor(parent.getBoundingClientRect().width);
    if (!width) return false;
    const unit = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
    const height = Math.round(Math.min(Math.max(230 * unit, width * ratio), 0.62 * Math.max(innerHeight, 700)));
    if (width === size.width && height === size.height && unit === size.unit) return false;
    size = { width, height, unit };
    return true;
  }

  new ResizeObserver(() => { if (last && measure()) draw(last); }).observe(parent);
  if (onPick) {
    svg.classList.add("pickable");
    const pick = (event) => {
      const box = svg.getBoundingClientRect();
      const { left, top, width, height } = inner();
      const share = [(event.clientX - box.left - left) / width, 1 - (event.clientY - box.top - top) / height];
      const [px, py] = share.map((part) => Math.min(1, Math.max(0, part)));
      onPick(unplace(axes.x, px), unplace(axes.y, py));
    };
    svg.addEventListener("pointerdown", (event) => { svg.setPointerCapture(event.pointerId); pick(event); });
    svg.addEventListener("pointermove", (event) => { if (svg.hasPointerCapture(event.pointerId)) pick(event); });
  }
  return { svg, draw, axes };
}

/** A box for one plot or several, beside each other where there is room. */
export function plotRow(parent, count = 2) {
  const row = element("div", { class: `plots plots-${count}` }, parent);
  return Array.from({ length: count }, () => element("div", { class: "plot-box" }, row));
}
