// Noise in the plane: three keys with clouds round them, queries as arrows, and outputs that rain onto the triangle of values.
import { QUICK } from "../engine/kernel.js";
import { drawKeys, logitLaw, outputLaw, readDraw, squaredError } from "../engine/noise.js";
import { createRandom } from "../engine/normal.js";
import { weightLaw } from "../engine/weight_law.js";
import { palette } from "../parts/colours.js";
import { button, slider, table } from "../parts/controls.js";
import { element, setAttributes, shape, shortNumber } from "../parts/dom.js";
import { saveButtons } from "../parts/export.js";
import { PLANE_SIZE, makePlane } from "../parts/plane.js";
import { makePlot } from "../parts/plot.js";
import { pyArray, pyList, pyNumber } from "../parts/python.js";
import { numberField, pointsField } from "../parts/state.js";
import { DESIGN_NAMES, makeArrows, makeDesignTable } from "./noise-arrows.js";
import {
  ALL_DESIGNS, MAX_HEADS, TARGET, designFields, isPlaced, placed, queriesOf, queryLength, roundQuery, selectedDesign,
} from "./noise-designs.js";
import { makePlaneSearch } from "./noise-search.js";

const EXTENT = 2;
const KEYS = [[1.1, 0.3], [1.1, -0.2], [-0.2, -1.3]];
const VALUES = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
const CORNERS = [[20, 330], [380, 330], [200, 18]]; // of the triangle, for values 0, 1 and 2
const FLIP = 0.9;
const LAW_ERROR = 1e-4; // of the law of a weight: with more, neither its density nor its flips are shown
const CLOUD = 160; // dots round a key
const RAIN_RATE = 0.48; // draws a millisecond, however many frames there are: a tab in the background has one a second
const MOST_AT_ONCE = 480;
const MAX_RAIN = 2400;
const MAX_SHOWN = 900;
const HANDLE_GAP = 25; // between a key and the handles of its noise, in units of the drawing: none lies on another
const DIAMOND = "M0 -9L9 0L0 9L-9 0Z";
const SQUARE = "M-7 -7H7V7H-7Z";
const WHY_NONE = {
  pull: "keys 0 and 1 cancel", push: "the key is at the origin", robust: "not searched for yet",
};

export const planeFields = {
  keys: pointsField(KEYS, 3, { high: EXTENT, least: 3 }),
  lengths: pointsField([[0.6, 0, 0]], 1, { low: 0, high: 1 }),
  spread: numberField(0.06, 0, 0.6),
  ...designFields,
};
export const PLANE_START = Object.fromEntries(Object.entries(planeFields).map(([name, { start }]) => [name, start]));

const noiseOf = ({ keys, lengths, spread }) => ({ keys, radial: lengths[0].map((sd) => sd * sd), isotropic: spread * spread });
const toTriangle = (weights) => [0, 1].map((axis) => weights.reduce((sum, weight, i) => sum + weight * CORNERS[i][axis], 0));

/** Build the view; `facts(name)` are the exact numbers of a design as it is now, by default of the one that is selected. */
export function makeNoisePlane(page, figureParent, sideParent) {
  const figure = element("div", { class: "noise-grid" }, figureParent);
  const side = element("div", { class: "side" }, sideParent);
  const colours = palette(3);
  const random = createRandom(7);
  const cloud = Array.from({ length: 3 }, () => Array.from({ length: CLOUD }, () => [random.normal(), random.normal(), random.normal()]));
  const isStill = matchMedia("(prefers-reduced-motion: reduce)");
  const known = {}; // facts by the name of the design
  let rain = { name: null };
  isStill.addEventListener("change", () => page.redraw());
  const search = makePlaneSearch(page, {
    exercise: () => ({ ...noiseOf(page.values), values: VALUES, target: TARGET }),
    sent: () => ({ ...sentNoise(page.values), n_heads: page.values.heads }),
    name: () => JSON.stringify([sentNoise(page.values), page.values.heads]),
    show: () => page.redraw(), say: (words) => setAttributes(status, { text: words }), isStill: () => isStill.matches,
  });
  const queriesNow = (name) => queriesOf(name, page.values, search.queries());

  const left = element("div", { class: "noise-left" }, figure);
  const plane = makePlane(left, {
    extent: EXTENT, label: "Plane of three noisy keys and the queries; focus a point and move it with the arrow keys", redraw: () => page.redraw(),
  });
  const arrows = makeArrows(plane, {
    query: (name, head) => queriesNow(name)[head],
    take: (name, head) => page.change({ design: name }, `${name} ${head}`),
    move: (name, head, query) => place(name, queriesNow(name).map((old, h) => (h === head ? query : roundQuery(old))), `${name} ${head}`),
  });
  const clouds = colours.map((colour) => shape("path", { class: "cloud", stroke: colour }, plane.svg));
  const rings = colours.map((colour) => [1, 2].map(() => shape("ellipse", { class: "spread-ring", stroke: colour }, plane.svg)));
  const layer = shape("g", {});
  const lengthHandles = colours.map((colour, i) => noiseHandle(`Length noise of key ${i}`, DIAMOND, colour, () => lengthPlace(i), (point) => moveLength(i, point)));
  const spreadHandle = noiseHandle("Noise in every direction", SQUARE, colours[0], spreadPlace, moveSpread);
  const keyHandles = colours.map((colour, i) => {
    const group = plane.handle(layer, "key", `Key ${i}`, {
      get: () => page.values.keys[i],
      move: (point) => page.change({ keys: page.values.keys.map((key, j) => (j === i ? point : key)) }, `key ${i}`),
    });
    shape("circle", { r: 12, fill: colour, class: "dot" }, group);
    shape("text", { class: "name", y: 4.5 }, group).textContent = i;
    return group;
  });
  arrows.build(layer);

  const writeDesigns = makeDesignTable(left, { select: (design) => page.change({ design }) });
  const rule = element("p", { class: "said" }, left);
  const row = element("div", { class: "buttons" }, left);
  const robust = button(row, "", () => (search.isWatched() ? search.stop() : watchSearch()));
  const back = button(row, "Put it back", () => page.change(placed(selectedDesign(page.values), [])));
  const counts = element("div", { class: "buttons", role: "group", "aria-label": "Heads" }, row);
  const countButtons = Array.from({ length: MAX_HEADS }, (_, i) =>
    button(counts, i ? `${i + 1} heads` : "1 head", () => setHeads(i + 1)));
  const status = element("p", { class: "said", role: "status" }, left);

  const right = element("div", { class: "noise-right" }, figure);
  const triangle = shape("svg", { viewBox: "0 0 400 352", class: "triangle", role: "img" }, right);
  shape("polygon", { class: "triangle-edge", points: CORNERS.map((corner) => corner.join(",")).join(" ") }, triangle);
  const drops = shape("path", { class: "drops" }, triangle);
  CORNERS.forEach(([x, y], i) => {
    shape("circle", { cx: x, cy: y, r: 11, fill: colours[i] }, triangle);
    shape("text", { class: "corner-name", x, y: y + 4.5, "text-anchor": "middle" }, triangle).textContent = i;
  });
  const [goalX, goalY] = toTriangle(TARGET);
  shape("path", { class: "goal", d: `M${goalX - 9} ${goalY - 9}l18 18m0 -18l-18 18` }, triangle);
  const meanMark = shape("circle", { class: "mean-mark", r: 7 }, triangle);
  const densityBox = element("div", { class: "plot-box" }, right);
  const density = makePlot(densityBox, {
    label: "Weight of key 0: draws and exact density", title: "weight of key 0", ratio: 0.42,
    x: { label: "weight of key 0 in the output", low: 0, high: 1 }, y: { label: "density", low: 0, high: 6 },
  });

  element("p", { class: "said" }, side,
    "Drag keys, arrows and noise: a diamond says how much a key's length varies, the square how much noise there is in every direction. " +
    "Each dot in the triangle is what the selected query read in one draw of the keys. It should read the average of values 0 and 1, " +
    "the cross; the ring is the exact mean. The error is the expected squared distance from the cross.");
  const controls = element("div", { class: "controls" }, side);
  slider(page, controls, "length", {
    label: "length of the selected query", low: 0.1, high: 300, step: 0.005, log: true, format: (value) => value.toPrecision(3),
    get: () => Math.max(0.1, queryLength(queriesNow(selectedDesign(page.values)) ?? [[0, 0]])), set: stretch,
  });
  const writeFacts = table(side, ["of the selected query's output", "exact", "counted"]);
  element("p", { class: "said" }, side, `In a flip, key 0 has more than ${FLIP} of the weight, or less than 0.1: beyond the dotted lines.`);
  saveButtons(side, { name: "noise-plane", drawings: () => [plane.svg, triangle, density.svg], columns });
  page.confirm(side, "plane", { sent: sentPlane, compare });
  page.onRest(({ view, heads }) => {
    const follows = !isPlaced("robust", page.values) && heads === 1; // several heads take seconds: a reader asks for them
    if (view === "plane" && follows && search.isOld() && !search.isRunning()) search.run(false);
  });

  /** The designs that Python is asked about, the selected one first, of which it tells the flips; of several heads one, which takes it long enough. */
  function askedDesigns(values) {
    const selected = selectedDesign(values);
    const there = [selected, ...ALL_DESIGNS.filter((name) => name !== selected)].filter((name) => queriesNow(name));
    const isQuick = there.every((name) => queriesNow(name).length === 1);
    return isQuick ? there : there.slice(0, 1);
  }

  function sentPlane(values) {
    const names = askedDesigns(values);
    if (values.view !== "plane" || search.isRunning() || !names.length) return null;
    return { ...sentNoise(values), designs: names.map(queriesNow) };
  }

  function compare({ outcomes, flips }, values) {
    const pairs = askedDesigns(values).flatMap((name, i) => {
      const found = facts(name);
      return [...outcomes[i].mean.map((part, axis) => [part, found.mean[axis]]), [outcomes[i].variance, found.variance]];
    });
    const own = facts(askedDesigns(values)[0]).flips ?? null; // null where the page's law is not exact enough to be shown
    if (flips !== null && own !== null) pairs.push([flips, own]);
    return Math.max(...pairs.map(([one, other]) => Math.abs(one - other)));
  }

  function noiseHandle(name, mark, colour, get, move) {
    const group = plane.handle(layer, "noise", name, { get, move });
    shape("path", { d: mark, fill: colour, class: "noise-mark" }, group);
    shape("title", {}, group).textContent = name;
    return group;
  }

  const gap = () => (HANDLE_GAP * plane.zoom * 2 * EXTENT) / PLANE_SIZE;
  const away = (i) => {
    const key = page.values.keys[i];
    const length = Math.hypot(...key);
    return length > 1e-6 ? key.map((part) => part / length) : [1, 0];
  };
  function lengthPlace(i) {
    const far = Math.hypot(...page.values.keys[i]) * (1 + page.values.lengths[0][i]) + gap();
    const room = (0.96 * EXTENT) / Math.max(...away(i).map(Math.abs)); // inside the plane, where it can be taken again
    return away(i).map((part) => Math.min(far, room) * part);
  }
  function moveLength(i, point) {
    const [ux, uy] = away(i);
    const length = Math.max(Math.hypot(...page.values.keys[i]), 0.05);
    const sd = Math.min(1, Math.max(0, (point[0] * ux + point[1] * uy - gap()) / length - 1));
    page.change({ lengths: [page.values.lengths[0].map((old, j) => (j === i ? Number(sd.toFixed(3)) : old))] }, `length ${i}`);
  }
  function spreadPlace() {
    const [ux, uy] = away(0);
    const out = page.values.spread + gap();
    return [page.values.keys[0][0] - uy * out, page.values.keys[0][1] + ux * out];
  }
  function moveSpread(point) {
    const [ux, uy] = away(0);
    const out = (point[1] - page.values.keys[0][1]) * ux - (point[0] - page.values.keys[0][0]) * uy;
    page.change({ spread: Number(Math.min(0.6, Math.max(0, out - gap())).toFixed(3)) }, "spread");
  }

  /**
   * Exact mean, variance and error of a design; of the selected one, if it has one head, also the law of key 0's weight and the chance of
   * a flip. Null where there is no such design. While things move, what is not selected is a little less exact, or, with several heads,
   * not known.
   */
  function facts(name = selectedDesign(page.values)) {
    const queries = queriesNow(name);
    if (queries === null) return null;
    const { keys, lengths, spread } = page.values;
    const key = JSON.stringify([keys, lengths, spread, queries]);
    const isSelected = name === selectedDesign(page.values);
    const isResting = !(page.isMoving || search.isRunning());
    const isFine = isResting || (isSelected && queries.length === 1);
    const old = known[name];
    const isKnown = old?.key === key && (old.isFine || !isFine);
    if (isKnown && (old.hasLaw || !isSelected)) return old;
    if (!isSelected && !isResting && queries.length > 1) return { key, queries };
    const found = isKnown ? old : { key, queries, isFine, ...outcome(queries, isFine) };
    if (isSelected) addLaw(found);
    return (known[name] = found);
  }

  function outcome(queries, isFine) {
    const law = outputLaw({ ...noiseOf(page.values), values: VALUES, queries, ...(isFine ? {} : { precision: QUICK }) });
    return { mean: law.mean, variance: law.variance, error: squaredError(law, TARGET).error, wanted: law.mean[0] + law.mean[1] };
  }

  function addLaw(found) {
    const isOne = found.queries.length === 1;
    const logits = logitLaw(noiseOf(page.values), found.queries);
    found.hasLaw = true;
    const law = isOne && logits.sd[0].some(Boolean) ? weightLaw(logits.mean[0], logits.sd[0], 0) : null;
    const isKnown = law === null || law.error < LAW_ERROR;
    found.law = isKnown ? law : null;
    found.flips = isOne && isKnown ? law?.flips(FLIP) ?? 0 : null;
  }

  /** More drops: outputs of fresh draws of the keys. */
  function rainOn({ key, queries }) {
    const now = performance.now();
    if (rain.key !== key) rain = { key, drops: [], count: 0, flips: 0, bins: new Array(40).fill(0), random: createRandom(1), time: now };
    const due = Math.min(MOST_AT_ONCE, Math.max(1, Math.round(RAIN_RATE * (now - rain.time))));
    const wanted = isStill.matches ? MAX_SHOWN : Math.min(MAX_RAIN, rain.count + due);
    rain.time = now;
    if (rain.count >= wanted) return false;
    for (const drawn of drawKeys(noiseOf(page.values), rain.random, wanted - rain.count)) {
      const { output } = readDraw(drawn, VALUES, queries);
      rain.drops.push(toTriangle(output));
      rain.flips += output[0] > FLIP || output[0] < 1 - FLIP ? 1 : 0;
      rain.bins[Math.min(39, Math.floor(40 * output[0]))] += 1;
      rain.count += 1;
    }
    if (rain.drops.length > MAX_SHOWN) rain.drops.splice(0, rain.drops.length - MAX_SHOWN);
    return true;
  }

  page.onDraw((values) => {
    figure.hidden = side.hidden = values.view !== "plane";
    if (values.view !== "plane") return;
    drawPlane(values);
    const selected = selectedDesign(values);
    const shown = Object.fromEntries(ALL_DESIGNS.map((name) => [name, queriesNow(name)]));
    arrows.draw(shown, selected);
    writeDesigns(Object.fromEntries(ALL_DESIGNS.filter((name) => shown[name] || name !== "given").map((name) => [name, rowOf(name, shown)])), selected);
    setAttributes(rule, { text: ruleOf(selected, values) });
    drawOutput(facts(), selected);
    setAttributes(robust, { text: search.isWatched() ? "Stop the search" : "Search for the best" });
    setAttributes(back, { disabled: !isPlaced(selected, values) });
    countButtons.forEach((made, i) => setAttributes(made, { "aria-pressed": String((shown[selected]?.length ?? values.heads) === i + 1) }));
  });

  const rowOf = (name, shown) => (shown[name]
    ? { ...facts(name), length: queryLength(shown[name]), isPlaced: isPlaced(name, page.values) } : { why: WHY_NONE[name] });

  /** What the selected query is, in words. */
  function ruleOf(name, values) {
    if (isPlaced(name, values)) return "You have moved this query: it stays where it is when keys move.";
    const isOne = values.heads === 1;
    const isSearched = !search.isOld() || search.isRunning();
    return {
      pull: isOne ? "Pull points along the sum of keys 0 and 1, long enough to leave key 2 behind." : "Each head of pull is the shortest query that reads one wanted key.",
      push: isOne ? "Push stands at right angles to the wanted key whose length varies more: that length does not matter." : "Each head of push stands at right angles to a wanted key.",
      robust: isSearched ? "Robust has the least error that a search over all queries has found."
        : isOne ? "Robust is searched for again as soon as nothing moves." : "Search for the robust queries of these keys: it takes some seconds.",
      given: "Given came with the link.",
    }[name];
  }

  function drawOutput(found, selected) {
    setAttributes(triangle, { class: `triangle query-${selected}` });
    const isRaining = found !== null && rainOn(found);
    if (found === null) rain = { drops: [], bins: new Array(40).fill(0), count: 0 };
    setAttributes(drops, { d: rain.drops.map(([x, y]) => `M${x.toFixed(1)} ${y.toFixed(1)}h0`).join("") });
    const [meanX, meanY] = found ? toTriangle(found.mean) : [-99, -99];
    setAttributes(meanMark, { cx: meanX, cy: meanY });
    setAttributes(triangle, { "aria-label": `Outputs on the triangle of values; exact mean ${found?.mean.map((part) => part.toFixed(2)).join(", ") ?? "unknown"}` });
    drawDensity(found, selected);
    const isCounted = found?.queries.length === 1 && rain.count > 0;
    writeFacts(found === null ? [] : [
      ["flips", found.flips === null ? "–" : `${(100 * found.flips).toFixed(1)} %`, isCounted ? `${rain.flips} of ${rain.count}` : "–"],
      ["weight of values 0 and 1", shortNumber(found.wanted, 3), ""],
    ]);
    if (isRaining) page.redraw();
  }

  function drawPlane(values) {
    const { x, y } = plane;
    values.keys.forEach((key, i) => {
      const [sd, spread] = [values.lengths[0][i], values.spread];
      const dots = cloud[i].map(([g, a, b]) => `M${x(key[0] * (1 + sd * g) + spread * a).toFixed(1)} ${y(key[1] * (1 + sd * g) + spread * b).toFixed(1)}h0`);
      setAttributes(clouds[i], { d: dots.join("") });
      const unit = x(1) - x(0);
      const turn = (-Math.atan2(key[1], key[0]) * 180) / Math.PI;
      rings[i].forEach((ring, k) => setAttributes(ring, {
        rx: (k + 1) * unit * Math.hypot(sd * Math.hypot(...key), spread), ry: (k + 1) * unit * spread,
        transform: `translate(${x(key[0])} ${y(key[1])}) rotate(${turn})`,
      }));
      plane.place(keyHandles[i], key, `x ${key[0].toFixed(2)}, y ${key[1].toFixed(2)}`);
      plane.place(lengthHandles[i], lengthPlace(i), `length varies by ${(100 * sd).toFixed(0)} percent`);
    });
    plane.place(spreadHandle, spreadPlace(), `standard deviation ${values.spread.toFixed(2)}`);
  }

  function drawDensity(found, selected) {
    const at = Array.from({ length: 101 }, (_, i) => (1 - Math.cos(0.02 + ((Math.PI - 0.04) * i) / 100)) / 2);
    const isNeedle = !found?.law || found.variance < 1e-5;
    density.draw({
      rules: [{ at: 0.5 }, { at: FLIP }, { at: 1 - FLIP }],
      bars: rain.bins.map((count, i) => ({ from: i / 40, to: (i + 1) / 40, value: (40 * count) / Math.max(rain.count, 1), style: 0 })),
      lines: isNeedle ? [] : [{ points: at.map((weight) => [weight, Math.min(found.law.density(weight), 50)]), style: 9 }], // orange is key 1
      legend: isNeedle ? [] : [{ name: "draws", style: 0, filled: true }, { name: "exact density", style: 9 }],
    });
  }

  function place(name, queries, by) {
    page.change({ design: name, ...placed(name, queries) }, by);
  }

  /** Make the selected query, or the longest of its heads, so long. */
  function stretch(length) {
    const name = selectedDesign(page.values);
    const queries = queriesNow(name);
    const before = queries && queryLength(queries);
    if (before) place(name, queries.map((query) => roundQuery(query.map((part) => (part * length) / before))), "length");
  }

  function setHeads(heads) {
    const isGiven = selectedDesign(page.values) === "given";
    page.change({ heads, pull: [], push: [], robust: [], ...(isGiven ? { design: "pull" } : {}) });
  }

  function watchSearch() {
    page.change({ design: "robust", robust: [] });
    search.run(true);
  }

  const sentNoise = ({ keys, lengths, spread }) => ({ keys, lengths: lengths[0], spread });

  function columns() {
    const at = Array.from({ length: 99 }, (_, i) => (i + 1) / 100);
    const found = facts();
    return { weight: at, density: at.map((weight) => (found?.law ? found.law.density(weight) : "")) };
  }

  const pythonNow = (values) => planePython(values, askedDesigns(values).map((name) => [name, queriesNow(name)]));

  return { facts, python: pythonNow };
}

function planePython({ keys, lengths, spread }, designs) {
  const radial = lengths[0].map((sd, i) => (sd ? ` + regard.radial(${pyNumber(Number((sd * sd).toPrecision(15)))}, key=${i})` : "")).join("");
  const rows = designs.map(([name, queries]) => `    "${name}": ${pyList(queries)},`).join("\n");
  const hasFlips = designs[0]?.[1].length === 1;
  return `
import numpy as np
import regard

noise = regard.isotropic(${pyNumber(Number((spread * spread).toPrecision(15)))})${radial}
keys = regard.GaussianKeys(${pyArray(keys)}, noise)
designs = {
${rows}
}
laws = {name: regard.output_law(keys, np.eye(3), np.array(queries)) for name, queries in designs.items()}  # heads are averaged
for name, law in laws.items():
    print(name, law.mean_squared_error(np.array([0.5, 0.5, 0.0])), law.variance)
${hasFlips ? `law = laws["${designs[0][0]}"]
print(law.probability(0, above=0.9).value + 1 - law.probability(0, above=0.1).value)  # flips` : ""}
`;
}
