// Noise in the plane: three keys with clouds round them, queries as arrows, and outputs that rain onto the triangle of values.
import { QUICK } from "../engine/kernel.js";
import { drawKeys, logitLaw, outputLaw, readDraw, squaredError } from "../engine/noise.js";
import { createRandom } from "../engine/normal.js";
import { averageQuery, copyQuery } from "../engine/queries.js";
import { weightLaw } from "../engine/weight_law.js";
import { askLong, isServed } from "../parts/api.js";
import { palette } from "../parts/colours.js";
import { button, slider, table } from "../parts/controls.js";
import { element, setAttributes, shape, shortNumber } from "../parts/dom.js";
import { saveButtons } from "../parts/export.js";
import { PLANE_SIZE, makePlane } from "../parts/plane.js";
import { makePlot } from "../parts/plot.js";
import { pyArray, pyList, pyNumber } from "../parts/python.js";
import { numberField, pointsField } from "../parts/state.js";
import { searchInPage } from "./search-in-page.js";

const EXTENT = 2;
const KEYS = [[1.2, 0.3], [-0.3, 1.1], [-0.4, 0.2]];
const VALUES = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
const TARGET = [0.5, 0.5, 0];
const CORNERS = [[20, 330], [380, 330], [200, 18]]; // of the triangle, for values 0, 1 and 2
const FLIP = 0.9;
const CLOUD = 160; // dots round a key
const RAIN_RATE = 0.48; // draws a millisecond, however many frames there are: a tab in the background has one a second
const MOST_AT_ONCE = 480;
const MAX_RAIN = 2400;
const MAX_SHOWN = 900;
const DESIGN_ERROR = 0.05; // what pull and push leave to key 2
const OFF_LINE = 0.05; // how far from the line of keys 0 and 1 key 2 must lie so that a query can push it away
const HANDLE_GAP = 25; // between a key and the handles of its noise, in units of the drawing: none lies on another
const MAX_HEADS = 3;
const PATH_PAUSE = 120; // milliseconds for which a design of the search is shown
const LONGEST_PATH = 3000; // of all that wait to be shown
const pause = (milliseconds) => new Promise((go) => { setTimeout(go, milliseconds); });
const DIAMOND = "M0 -9L9 0L0 9L-9 0Z";
const SQUARE = "M-7 -7H7V7H-7Z";

export const planeFields = {
  keys: pointsField(KEYS, 3, EXTENT, 3),
  lengths: pointsField([[0.4, 0, 0]], 1, 1),
  spread: numberField(0.06, 0, 0.6),
  queries: pointsField([[0.9, 1.1]], MAX_HEADS, EXTENT),
  strength: numberField(2, 0.3, 100),
};

const noiseOf = ({ keys, lengths, spread }) => ({ keys, radial: lengths[0].map((sd) => sd * sd), isotropic: spread * spread });
const toTriangle = (weights) => [0, 1].map((axis) => weights.reduce((sum, weight, i) => sum + weight * CORNERS[i][axis], 0));

/** Build the view; `facts()` are the exact numbers of what it shows now. */
export function makeNoisePlane(page, figureParent, sideParent) {
  const figure = element("div", { class: "noise-grid" }, figureParent);
  const side = element("div", { class: "side" }, sideParent);
  const colours = palette(3);
  const random = createRandom(7);
  const cloud = Array.from({ length: 3 }, () => Array.from({ length: CLOUD }, () => [random.normal(), random.normal(), random.normal()]));
  const isStill = matchMedia("(prefers-reduced-motion: reduce)");
  let known = { name: null };
  let rain = { name: null };
  let search = null;
  isStill.addEventListener("change", () => page.redraw());

  const left = element("div", { class: "noise-left" }, figure);
  const plane = makePlane(left, {
    extent: EXTENT, label: "Plane of three noisy keys and the queries; focus a point and move it with the arrow keys", redraw: () => page.redraw(),
  });
  const clouds = colours.map((colour) => shape("path", { class: "cloud", stroke: colour }, plane.svg));
  const rings = colours.map((colour) => [1, 2].map(() => shape("ellipse", { class: "spread-ring", stroke: colour }, plane.svg)));
  const arrows = Array.from({ length: MAX_HEADS }, () => shape("line", { class: "arrow" }, plane.svg));
  const layer = shape("g", {}, plane.svg);
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
  const queryHandles = Array.from({ length: MAX_HEADS }, (_, h) => {
    const group = plane.handle(layer, "query", h ? `Query of head ${h}` : "Query", {
      get: () => page.values.queries[h],
      move: (point) => page.change({ queries: page.values.queries.map((query, j) => (j === h ? point : query)) }, `query ${h}`),
    });
    shape("path", { d: "M0 -14 L12 10 L-12 10 Z", class: "query-mark" }, group);
    shape("text", { class: "query-name", x: 16, y: -8 }, group).textContent = h ? `q${"₀₁₂"[h]}` : "q";
    return group;
  });

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
    "Drag the keys and the query; each diamond says how much the length of a key varies, the square how much noise there is in every direction. " +
    "Each dot in the triangle is " +
    "what the query read in one draw of the keys; the cross is what it should read, the average of values 0 and 1; the ring is the exact mean. " +
    `In a flip, key 0 has more than ${FLIP} of the weight, or less than 0.1: beyond the dotted lines.`);
  const writeFacts = table(side, ["of the output", "exact", "counted"]);
  const row = element("div", { class: "buttons" }, side);
  const pull = button(row, "Pull", () => use(pullDesign()));
  const push = button(row, "Push", () => use(pushDesign()));
  const robust = button(row, "Search for the best", () => (search ? stopSearch() : runSearch()));
  const fewer = button(row, "One head fewer", () => setHeads(page.values.queries.length - 1));
  const more = button(row, "One head more", () => setHeads(page.values.queries.length + 1));
  const status = element("p", { class: "said", role: "status" }, side);
  const controls = element("div", { class: "controls" }, side);
  slider(page, controls, "strength", { label: "scale C", low: 0.3, high: 100, step: 0.005, log: true, format: (value) => value.toPrecision(3) });
  saveButtons(side, { name: "noise-plane", drawings: () => [plane.svg, triangle, density.svg], columns });
  page.confirm(side, "plane", {
    sent: (values) => (values.view === "plane" && !search ? { ...sentNoise(values), queries: values.queries, scale: values.strength } : null),
    compare: (told) => {
      const found = facts();
      const pairs = [...told.mean.map((part, i) => [part, found.mean[i]]), [told.variance, found.variance]];
      if (found.flips !== null) pairs.push([told.flips, found.flips]);
      return Math.max(...pairs.map(([one, other]) => Math.abs(one - other)));
    },
  });

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
    return [page.values.keys[0][0] + uy * out, page.values.keys[0][1] - ux * out];
  }
  function moveSpread(point) {
    const [ux, uy] = away(0);
    const out = (point[0] - page.values.keys[0][0]) * uy - (point[1] - page.values.keys[0][1]) * ux;
    page.change({ spread: Number(Math.min(0.6, Math.max(0, out - gap())).toFixed(3)) }, "spread");
  }

  /** Exact mean, variance and error; with one head also the law of key 0's weight and the chance of a flip. */
  function facts() {
    const values = page.values;
    const name = JSON.stringify([values.keys, values.lengths, values.spread, values.queries, values.strength]);
    const isOne = values.queries.length === 1;
    const isFine = isOne || !(page.isMoving || search);
    if (known.name === name && (known.isFine || !isFine)) return known;
    const noise = noiseOf(values);
    const law = outputLaw({ ...noise, values: VALUES, queries: values.queries, scale: values.strength, ...(isFine ? {} : { precision: QUICK }) });
    const found = { name, isFine, mean: law.mean, variance: law.variance, error: squaredError(law, TARGET).error, wanted: law.mean[0] + law.mean[1] };
    if (isOne) {
      const logits = logitLaw(noise, values.queries, values.strength);
      found.law = logits.sd[0].some(Boolean) ? weightLaw(logits.mean[0], logits.sd[0], 0) : null;
    }
    found.flips = found.law ? found.law.flips(FLIP) : isOne ? 0 : null;
    return (known = found);
  }

  /** More drops: outputs of fresh draws of the keys. */
  function rainOn(name) {
    const now = performance.now();
    if (rain.name !== name) rain = { name, drops: [], count: 0, flips: 0, bins: new Array(40).fill(0), random: createRandom(1), time: now };
    const due = Math.min(MOST_AT_ONCE, Math.max(1, Math.round(RAIN_RATE * (now - rain.time))));
    const wanted = isStill.matches ? MAX_SHOWN : Math.min(MAX_RAIN, rain.count + due);
    rain.time = now;
    if (rain.count >= wanted) return false;
    const { queries, strength } = page.values;
    for (const drawn of drawKeys(noiseOf(page.values), rain.random, wanted - rain.count)) {
      const { output } = readDraw(drawn, VALUES, queries, strength);
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
    const found = facts();
    const isRaining = rainOn(found.name);
    setAttributes(drops, { d: rain.drops.map(([x, y]) => `M${x.toFixed(1)} ${y.toFixed(1)}h0`).join("") });
    const [meanX, meanY] = toTriangle(found.mean);
    setAttributes(meanMark, { cx: meanX, cy: meanY });
    setAttributes(triangle, { "aria-label": `Outputs on the triangle of values; exact mean ${found.mean.map((part) => part.toFixed(2)).join(", ")}` });
    drawDensity(found);
    const percent = (share) => `${(100 * share).toFixed(1)} %`;
    writeFacts([
      ["flips", found.flips === null ? "–" : percent(found.flips), rain.count ? `${rain.flips} of ${rain.count}` : "–"],
      ["weight of values 0 and 1", shortNumber(found.wanted, 3), ""],
      ["variance", shortNumber(found.variance, 3), ""],
      ["mean squared error", shortNumber(found.error, 3), ""],
    ]);
    setAttributes(robust, { text: search ? "Stop the search" : "Search for the best" });
    setAttributes(fewer, { disabled: values.queries.length <= 1 });
    setAttributes(more, { disabled: values.queries.length >= MAX_HEADS });
    for (const [made, design, why] of [
      [pull, pullDesign(), "No query that pulls towards keys 0 and 1 leaves key 2 behind"],
      [push, pushDesign(), "Key 2 lies on the line through key 0 and the origin: no query pushes it away alone"],
    ]) setAttributes(made, { disabled: design === null, title: design === null ? why : null });
    if (isRaining) page.redraw();
  });

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
    for (let h = 0; h < MAX_HEADS; h += 1) {
      const query = values.queries[h];
      for (const part of [arrows[h], queryHandles[h]]) part.toggleAttribute("hidden", !query), (part.style.display = query ? "" : "none");
      if (!query) continue;
      setAttributes(arrows[h], { x1: x(0), y1: y(0), x2: x(query[0]), y2: y(query[1]) });
      plane.place(queryHandles[h], query, `x ${query[0].toFixed(2)}, y ${query[1].toFixed(2)}`);
    }
  }

  function drawDensity(found) {
    const at = Array.from({ length: 101 }, (_, i) => (1 - Math.cos(0.02 + ((Math.PI - 0.04) * i) / 100)) / 2);
    const isNeedle = !found.law || found.variance < 1e-5;
    density.draw({
      rules: [{ at: 0.5 }, { at: FLIP }, { at: 1 - FLIP }],
      bars: rain.bins.map((count, i) => ({ from: i / 40, to: (i + 1) / 40, value: (40 * count) / Math.max(rain.count, 1), style: 0 })),
      lines: isNeedle ? [] : [{ points: at.map((weight) => [weight, Math.min(found.law.density(weight), 50)]), style: 1 }],
      legend: isNeedle ? [] : [{ name: "draws", style: 0, filled: true }, { name: "exact density", style: 1 }],
    });
  }

  /** The query that gives keys 0 and 1 the same logit, and key 2 a lower one; null where these keys allow none. */
  function pullDesign() {
    try {
      return { ...fit([averageQuery(page.values.keys, [0, 1], { error: DESIGN_ERROR, family: "pull" }).query]), words: "" };
    } catch {
      return null;
    }
  }

  /**
   * A query at right angles to keys 0 and 1, away from key 2. In a plane both are at right angles to it only if they lie on one line
   * through the origin, so key 1 is put there; null where key 2 lies on that line, too.
   */
  function pushDesign() {
    const [first, second, third] = page.values.keys;
    const [ux, uy] = away(0);
    const side = third[1] * ux - third[0] * uy; // of key 2, from the line
    const length = Math.hypot(...first);
    if (Math.abs(side) < OFF_LINE || length < OFF_LINE) return null;
    const reach = -Math.log((2 * DESIGN_ERROR) / (1 - DESIGN_ERROR)) / side;
    const found = fit([[uy * reach, -ux * reach]]);
    if (Math.abs(second[0] * uy - second[1] * ux) < 1e-9) return { ...found, words: "" };
    const way = second[0] * ux + second[1] * uy > 0 ? 1 : -1;
    const most = Math.min(Math.hypot(...second) / length, EXTENT / Math.max(...first.map(Math.abs)));
    const times = way * Math.max(0.1, Math.floor(10 * most) / 10); // few digits, so that the address keeps the line exactly
    return {
      ...found, keys: [first, first.map((part) => Number((times * part).toFixed(4))), third],
      words: "Key 1 was put on the line through key 0 and the origin. The query stands at right angles to that line and gives both keys the " +
        "logit 0, however long they are: drag the length noise of key 0 and see.",
    };
  }

  /** Queries drawn inside the plane, with the scale that makes up for it. */
  function fit(queries) {
    const longest = Math.max(...queries.flat().map(Math.abs));
    const strength = Number(Math.min(100, Math.max(0.3, longest / 1.4)).toPrecision(4));
    return { queries: queries.map((query) => query.map((part) => Math.min(EXTENT, Math.max(-EXTENT, Number((part / strength).toFixed(3)))))), strength };
  }

  function use({ words, ...found }) {
    status.textContent = words;
    page.change(found);
  }

  function setHeads(count) {
    const queries = page.values.queries.slice(0, count);
    while (queries.length < count) queries.push(copyDirection(queries.length));
    page.change({ queries });
  }

  /** A query for one head more: towards key 0, 1 or 2. */
  function copyDirection(h) {
    try {
      return fit([copyQuery(page.values.keys, h % 2, { error: 0.05, family: "margin" }).query]).queries[0];
    } catch {
      return [...page.values.keys[h % 2]];
    }
  }

  const sentNoise = ({ keys, lengths, spread }) => ({ keys, lengths: lengths[0].map(Math.abs), spread });

  async function runSearch() {
    search = new AbortController();
    const sent = { ...sentNoise(page.values), n_heads: page.values.queries.length };
    const path = []; // better and better designs that have not been shown yet
    try {
      const hear = ({ message, step }) => {
        status.textContent = message;
        if (step) path.push(fit(step.queries));
        page.redraw();
      };
      showPath(path, search.signal);
      let number = 0; // of the last design that Python has told
      const hearPython = ({ message, text }) => {
        const step = text ? JSON.parse(text) : null;
        hear({ message, step: step && step.number > number ? step : null });
        number = step?.number ?? number;
      };
      const last = isServed() ? await askLong("noisy-keys", "search", sent, hearPython, search.signal)
        : await searchInPage({ ...noiseOf(page.values), values: VALUES, target: TARGET }, sent.n_heads, hear, search.signal);
      if (isServed() && last.state === "done") path.push(...[...last.result.path.slice(number), last.result.queries].map(fit));
      while (path.length && !search.signal.aborted) await pause(PATH_PAUSE);
      search.signal.throwIfAborted();
      status.textContent = last.state === "done" ? `Found. ${last.message}.` : last.message;
    } catch (error) {
      status.textContent = search?.signal.aborted ? "Stopped." : `Python gave no answer: ${error.message}.`;
    }
    search = null;
    page.change({});
  }

  /** Show the designs of a search one after another, slowly enough to be seen, until it is over. */
  async function showPath(path, signal) {
    while (search?.signal === signal && !signal.aborted) {
      if (isStill.matches) path.splice(0, path.length - 1);
      if (path.length) {
        Object.assign(page.values, path[0]);
        path.shift();
        page.redraw();
      }
      await pause(Math.min(PATH_PAUSE, LONGEST_PATH / (path.length + 1)));
    }
  }

  function stopSearch() { search.abort(); }

  function columns() {
    const at = Array.from({ length: 99 }, (_, i) => (i + 1) / 100);
    const found = facts();
    return { weight: at, density: at.map((weight) => (found.law ? found.law.density(weight) : "")) };
  }

  return { facts };
}

export function planePython({ keys, lengths, spread, queries, strength }) {
  const radial = lengths[0].map((sd, i) => (sd ? ` + regard.radial(${pyNumber(Number((sd * sd).toPrecision(15)))}, key=${i})` : "")).join("");
  return `
import numpy as np
import regard

noise = regard.isotropic(${pyNumber(Number((spread * spread).toPrecision(15)))})${radial}
keys = regard.GaussianKeys(${pyArray(keys)}, noise)
queries = ${pyNumber(strength)} * np.array(${pyList(queries)})
law = regard.output_law(keys, np.eye(3), queries)  # the heads' outputs are averaged
print(law.mean, law.variance, law.mean_squared_error(np.array([0.5, 0.5, 0.0])))
${queries.length === 1 ? "print(law.probability(0, above=0.9).value + 1 - law.probability(0, above=0.1).value)  # flips" : ""}
`;
}
