// Keys and a query in the plane, the weights as bars beside it, the output as a colour: everything follows the hand.
import { hullBounds, hullCorners } from "../engine/hull.js";
import { mixValues, softmax } from "../engine/softmax.js";
import { button } from "./controls.js";
import { element, setAttributes, shape } from "./dom.js";
import { makePlane } from "./plane.js";

const PANEL = 300; // the width of the bars beside the plane
const PANEL_TOP = 140;
const MIN_KEYS = 2;

export const shownWeight = (weight) => (weight >= 0.0995 || weight === 0 ? weight.toFixed(2) : weight.toPrecision(2));
export const toRgb = (colour) => [1, 3, 5].map((start) => parseInt(colour.slice(start, start + 2), 16) / 255);
const cssColour = (output) => `rgb(${output.map((share) => Math.round(255 * share)).join(" ")})`;

/** The numbers of a view {keys, colours, query, scale}: logits, weights, output, and of each key the most it can ever have. */
export function computeAttention(view, before = null) {
  const [qx, qy] = view.query;
  const logits = view.keys.map(([kx, ky]) => view.scale * (kx * qx + ky * qy));
  const weights = softmax(logits);
  const isSame = before !== null && JSON.stringify(before.keys) === JSON.stringify(view.keys);
  const largest = isSame ? before.largest : hullBounds(view.keys, before?.largest);
  return {
    keys: view.keys.map((key) => [...key]), logits, weights, largest,
    output: mixValues(weights, view.colours.map(toRgb)),
    bounds: largest.map(({ bound }) => bound),
    corners: isSame ? before.corners : hullCorners(view.keys),
  };
}

/**
 * The figure in `parent` and its buttons in `controls`. `view` is {keys, colours, query, scale, chosen}, which is changed in place;
 * `changed(by)` is told of every change, `released()` when a hand has let go; `newColours` are for keys that are added.
 */
export function makeAttention(parent, controls, { view, extent, maxKeys, newColours, changed, released = () => {} }) {
  let found = null;
  let parts = [];
  const figure = element("div", { class: "attention-figure" }, parent);
  const label = "Plane of keys and query; focus a point and move it with the arrow keys";
  const plane = makePlane(figure, { extent, label, redraw: () => found && draw() });
  const panel = shape("svg", { viewBox: `0 0 ${PANEL} 300`, class: "panel", role: "img" }, figure);
  const status = element("div", { class: "spoken", "aria-live": "polite" }, parent);
  const hull = shape("polygon", { class: "hull" }, plane.svg);
  const halos = shape("g", { "aria-hidden": "true" }, plane.svg);
  const arrow = shape("line", { class: "arrow" }, plane.svg);
  const handles = shape("g", {}, plane.svg);
  const query = plane.handle(handles, "query", "Query", {
    get: () => view.query,
    move: (point) => { view.query = point; changed("query"); },
    release: () => speak("Query", query),
  });
  shape("path", { d: "M0 -14 L12 10 L-12 10 Z", class: "query-mark" }, query);
  shape("text", { class: "query-name", x: 16, y: -8 }, query).textContent = "q";
  const swatch = shape("rect", { class: "swatch", x: 12, y: 34, width: PANEL - 24, height: 62, rx: 6 }, panel);
  const outputName = shape("text", { class: "heading", x: 12, y: 22 }, panel);
  shape("text", { class: "heading", x: 12, y: 126 }, panel).textContent = "weights α = softmax(C · K q)";
  const bars = shape("g", {}, panel);
  const row = element("div", { class: "buttons" }, controls);
  const more = button(row, "Add key", add, { "aria-label": "Add a key" });
  const fewer = button(row, "Remove key", () => remove(view.chosen), { "aria-label": "Remove the chosen key" });

  function compute() { return (found = computeAttention(view, found)); }

  function draw() {
    compute();
    if (parts.length !== view.keys.length || parts.some((part, i) => part.colour !== view.colours[i])) makeKeys();
    const { x, y } = plane;
    setAttributes(hull, { points: found.corners.map((i) => `${x(view.keys[i][0])},${y(view.keys[i][1])}`).join(" ") });
    setAttributes(arrow, { x1: x(0), y1: y(0), x2: x(view.query[0]), y2: y(view.query[1]) });
    plane.place(query, view.query, `x ${view.query[0].toFixed(2)}, y ${view.query[1].toFixed(2)}`);
    view.keys.forEach(drawKey);
    swatch.style.fill = cssColour(found.output);
    setAttributes(outputName, { text: `output c = (${found.output.map((share) => share.toFixed(2)).join(", ")})` });
    setAttributes(panel, { "aria-label": `Output ${cssColour(found.output)}; weights ${found.weights.map(shownWeight).join(", ")}` });
    setAttributes(more, { disabled: view.keys.length >= maxKeys });
    setAttributes(fewer, { disabled: view.keys.length <= MIN_KEYS });
  }

  const barEnd = (share) => 40 + share * (PANEL - 100);

  function drawKey(key, i) {
    const { group, halo, ring, limit, bar, tick, value } = parts[i];
    const weight = found.weights[i];
    const isInside = found.bounds[i] < 1;
    const spoken = isInside ? `, inside the hull, never more than ${shownWeight(found.bounds[i])}` : "";
    plane.place(group, key, `x ${key[0].toFixed(2)}, y ${key[1].toFixed(2)}, weight ${shownWeight(weight)}${spoken}`);
    group.classList.toggle("chosen", i === view.chosen);
    setAttributes(halo, { cx: plane.x(key[0]), cy: plane.y(key[1]), r: 90 * Math.sqrt(weight), opacity: 0.15 + 0.5 * weight });
    for (const mark of [ring, limit, tick]) setAttributes(mark, { visibility: isInside ? "visible" : "hidden" });
    setAttributes(limit, { text: isInside ? `≤ ${shownWeight(found.bounds[i])}` : "" });
    setAttributes(tick, { x1: barEnd(found.bounds[i]), x2: barEnd(found.bounds[i]) });
    setAttributes(bar, { width: barEnd(weight) - barEnd(0) });
    setAttributes(value, { text: shownWeight(weight) });
  }

  function makeKeys() {
    for (const { group, halo } of parts) group.remove(), halo.remove();
    bars.replaceChildren();
    const height = Math.min(30, 450 / view.keys.length);
    panel.setAttribute("viewBox", `0 0 ${PANEL} ${PANEL_TOP + 10 + height * view.keys.length}`);
    parts = view.keys.map((_, i) => makeKey(i, height));
    handles.append(query); // on top of the keys
  }

  function makeKey(i, height) {
    const colour = view.colours[i];
    const halo = shape("circle", { fill: colour }, halos);
    const group = plane.handle(handles, "key", `Key ${i}`, {
      get: () => view.keys[i],
      move: (point) => { view.keys[i] = point; changed(`key ${i}`); },
      take: () => choose(i),
      release: () => speak(`Key ${i}`, parts[i]?.group),
      press: (event) => {
        if (event.key === "Enter" || event.key === " ") choose(i);
        else if (event.key === "Delete") remove(i);
        else return false;
        return true;
      },
    });
    setAttributes(group, { "data-point": i });
    const ring = shape("circle", { r: 17, class: "inside" }, group);
    shape("circle", { r: 12, fill: colour, class: "dot" }, group);
    shape("text", { class: "name", y: 4.5 }, group).textContent = i;
    const limit = shape("text", { class: "limit", x: 21, y: 5 }, group);
    const top = PANEL_TOP + i * height;
    const size = Math.min(14, height * 0.8);
    shape("text", { class: "bar-name", x: 32, y: top + height * 0.7, "font-size": size }, bars).textContent = i;
    const bar = shape("rect", { x: 40, y: top + height * 0.12, height: height * 0.76, fill: colour }, bars);
    const tick = shape("line", { class: "tick", y1: top, y2: top + height }, bars);
    const value = shape("text", { class: "value", x: PANEL - 8, y: top + height * 0.7, "font-size": size }, bars);
    return { colour, group, halo, ring, limit, bar, tick, value };
  }

  function choose(i) {
    if (i === view.chosen) return;
    view.chosen = i;
    changed("chosen");
  }

  function add() {
    if (view.keys.length >= maxKeys) return;
    const angle = 2.4 * view.keys.length; // the golden angle: new keys do not fall on old ones
    view.colours = [...view.colours, newColours.find((colour) => !view.colours.includes(colour)) ?? newColours[view.colours.length]];
    view.keys.push([Math.cos(angle), Math.sin(angle)].map((part) => Math.round(1300 * part) / 1000));
    view.chosen = view.keys.length - 1;
    changed(null);
  }

  function remove(i) {
    if (view.keys.length <= MIN_KEYS) return;
    view.keys.splice(i, 1);
    view.colours = view.colours.filter((_, j) => j !== i);
    view.chosen = Math.min(view.chosen, view.keys.length - 1);
    changed(null);
  }

  function speak(name, group) {
    released();
    requestAnimationFrame(() => { status.textContent = `${name}: ${group?.getAttribute("aria-valuetext") ?? ""}`; });
  }

  const columns = () => {
    const { logits, weights, bounds } = compute();
    const rows = view.colours.map(toRgb);
    return {
      key: view.keys.map((_, i) => i), x: view.keys.map(([px]) => px), y: view.keys.map(([, py]) => py),
      red: rows.map((row) => row[0]), green: rows.map((row) => row[1]), blue: rows.map((row) => row[2]),
      logit: logits, weight: weights, bound: bounds,
    };
  };

  return { draw, compute, columns, isHeld: plane.isHeld, close: plane.close, buttons: row, drawings: [plane.svg, panel] };
}
