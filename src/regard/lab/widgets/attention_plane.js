// Drag keys and a query in the plane; weights and output are computed here and told to Python now and then.
// softmax.js and export.js stand before this file in the same module.

const SIZE = 600; // the plane's side, in units of its drawing
const PANEL = 300; // the width of the bars beside it
// Python is told when the hand rests, lets go, or has moved for long: what its answers do to a notebook's page may cost
// several frames.
const PAUSE = 150; // milliseconds
const TOLD_EVERY = 1000;
const LOG_SCALES = [-1, 3];

const round = (number) => Math.round(number * 1000) / 1000;
const shown = (number) => (number >= 0.0995 || number === 0 ? number.toFixed(2) : number.toPrecision(2));
const rgb = (colour) => [1, 3, 5].map((start) => parseInt(colour.slice(start, start + 2), 16) / 255);
const css = (output) => `rgb(${output.map((share) => Math.round(255 * share)).join(" ")})`;

function svg(name, attributes = {}, parent = null) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  set(element, attributes);
  parent?.append(element);
  return element;
}

// Writing what is already there would cost a new layout.
const written = new WeakMap();
function set(element, attributes) {
  if (!written.has(element)) written.set(element, {});
  const before = written.get(element);
  for (const [name, value] of Object.entries(attributes)) {
    if (before[name] === value) continue;
    before[name] = value;
    if (name === "text") element.textContent = value;
    else element.setAttribute(name, value);
  }
}

function html(name, attributes, parent, text = "") {
  const element = document.createElement(name);
  set(element, attributes);
  element.textContent = text;
  parent.append(element);
  return element;
}

function render({ model, el }) {
  const extent = model.get("extent");
  const state = {};
  let told = 0;
  let timer = null;
  let answer = null;
  let waiting = false;
  let dragged = null;
  let box = null;
  let telling = false;
  let zoom = 1; // points grow where the plane is small, so that a finger meets them

  // The frame that stays; keys are drawn anew only when their number changes.
  el.classList.add("attention-plane");
  const figure = html("div", { class: "figure" }, el);
  const plane = svg("svg", { viewBox: `0 0 ${SIZE} ${SIZE}`, class: "plane", role: "group" }, figure);
  plane.setAttribute("aria-label", "Plane of keys and query; focus a point and move it with the arrow keys");
  const panel = svg("svg", { viewBox: `0 0 ${PANEL} ${SIZE}`, class: "panel", role: "img" }, figure);
  const controls = html("div", { class: "controls" }, el);
  const status = html("div", { class: "spoken", "aria-live": "polite" }, el);

  const x = (value) => SIZE * (0.5 + value / (2 * extent));
  const y = (value) => SIZE * (0.5 - value / (2 * extent));
  for (let tick = -Math.floor(extent); tick <= extent; tick += 1) {
    const kind = tick === 0 ? "axis" : "grid";
    svg("line", { class: kind, x1: x(tick), x2: x(tick), y1: 0, y2: SIZE }, plane);
    svg("line", { class: kind, y1: y(tick), y2: y(tick), x1: 0, x2: SIZE }, plane);
  }
  const hull = svg("polygon", { class: "hull" }, plane);
  const halos = svg("g", { "aria-hidden": "true" }, plane);
  const arrow = svg("line", { class: "arrow" }, plane);
  const handles = svg("g", {}, plane);
  const query = handle("query", "Query");
  svg("path", { d: "M0 -14 L12 10 L-12 10 Z", class: "query-mark" }, query);
  svg("text", { class: "query-name", x: 16, y: -8 }, query).textContent = "q";
  const swatch = svg("rect", { class: "swatch", x: 12, y: 34, width: PANEL - 24, height: 62, rx: 6 }, panel);
  const outputName = svg("text", { class: "heading", x: 12, y: 22 }, panel);
  svg("text", { class: "heading", x: 12, y: 126 }, panel).textContent = "weights α = softmax(C · K q)";
  const bars = svg("g", {}, panel);

  const scaleLabel = html("label", {}, controls);
  const scaleName = html("span", { class: "scale" }, scaleLabel);
  const slider = html("input", { type: "range", min: LOG_SCALES[0], max: LOG_SCALES[1], step: 0.01 }, scaleLabel);
  slider.setAttribute("aria-label", "Scale C of the query");
  const buttons = html("div", { class: "buttons" }, controls);
  const more = html("button", { type: "button", "aria-label": "Add a key" }, buttons, "Add key");
  const fewer = html("button", { type: "button", "aria-label": "Remove the chosen key" }, buttons, "Remove key");
  const files = { SVG: saveSvg, PNG: savePixels, CSV: saveCsv };
  for (const [name, action] of Object.entries(files)) {
    html("button", { type: "button", "aria-label": `Save as ${name}` }, buttons, name).addEventListener("click", action);
  }

  let keyParts = [];

  function read() {
    state.keys = model.get("points").map((key) => [...key]);
    state.colours = [...model.get("colours")];
    state.query = [...model.get("query")];
    state.scale = model.get("scale");
    state.chosen = Math.min(model.get("chosen"), state.keys.length - 1);
    state.bounds = null;
  }

  function compute() {
    const [qx, qy] = state.query;
    state.logits = state.keys.map(([kx, ky]) => state.scale * (kx * qx + ky * qy));
    state.weights = softmax(state.logits);
    state.output = mixed(state.weights, state.colours.map(rgb));
    if (state.bounds === null) {
      state.largest = largestWeights(state.keys, state.largest);
      state.bounds = state.largest.map(({ weight }) => weight);
      state.corners = hullCorners(state.keys);
    }
  }

  function draw() {
    waiting = false;
    compute();
    if (keyParts.length !== state.keys.length) makeKeys();
    set(hull, { points: state.corners.map((i) => `${x(state.keys[i][0])},${y(state.keys[i][1])}`).join(" ") });
    set(arrow, { x1: x(0), y1: y(0), x2: x(state.query[0]), y2: y(state.query[1]) });
    place(query, state.query, `x ${state.query[0].toFixed(2)}, y ${state.query[1].toFixed(2)}`);
    state.keys.forEach(drawKey);
    swatch.style.fill = css(state.output);
    set(outputName, { text: `output c = (${state.output.map((share) => share.toFixed(2)).join(", ")})` });
    set(panel, { "aria-label": `Output ${css(state.output)}; weights ${state.weights.map(shown).join(", ")}` });
    set(scaleName, { text: `scale C = ${state.scale.toPrecision(3)}` });
    slider.value = Math.log10(state.scale);
    more.disabled = state.keys.length >= model.get("max_keys");
    fewer.disabled = state.keys.length <= 2;
  }

  function drawKey(key, i) {
    const { group, halo, ring, limit, bar, tick, value } = keyParts[i];
    const weight = state.weights[i];
    const isInside = state.bounds[i] < 1;
    const spoken = isInside ? `, inside the hull, never more than ${shown(state.bounds[i])}` : "";
    place(group, key, `x ${key[0].toFixed(2)}, y ${key[1].toFixed(2)}, weight ${shown(weight)}${spoken}`);
    group.classList.toggle("chosen", i === state.chosen);
    set(halo, { cx: x(key[0]), cy: y(key[1]), r: 90 * Math.sqrt(weight), opacity: 0.15 + 0.5 * weight });
    for (const mark of [ring, limit, tick]) set(mark, { visibility: isInside ? "visible" : "hidden" });
    set(limit, { text: isInside ? `≤ ${shown(state.bounds[i])}` : "" });
    set(tick, { x1: barLength(state.bounds[i]), x2: barLength(state.bounds[i]) });
    set(bar, { width: barLength(weight) - barLength(0) });
    set(value, { text: shown(weight) });
  }

  const barLength = (share) => 40 + share * (PANEL - 100);

  function makeKeys() {
    forgetKeys();
    const height = Math.min(30, (SIZE - 150) / state.keys.length);
    panel.setAttribute("viewBox", `0 0 ${PANEL} ${150 + height * state.keys.length}`);
    keyParts = state.keys.map((_, i) => {
      const colour = state.colours[i];
      const halo = svg("circle", { fill: colour }, halos);
      const group = handle("key", `Key ${i}`, i);
      const ring = svg("circle", { r: 17, class: "inside" }, group);
      svg("circle", { r: 12, fill: colour, class: "dot" }, group);
      svg("text", { class: "name", y: 4.5 }, group).textContent = i;
      const limit = svg("text", { class: "limit", x: 21, y: 5 }, group);
      const top = 140 + i * height;
      const size = Math.min(14, height * 0.8);
      svg("text", { class: "bar-name", x: 32, y: top + height * 0.7, "font-size": size }, bars).textContent = i;
      const bar = svg("rect", { x: 40, y: top + height * 0.12, height: height * 0.76, fill: colour }, bars);
      const tick = svg("line", { class: "tick", y1: top, y2: top + height }, bars);
      const value = svg("text", { class: "value", x: PANEL - 8, y: top + height * 0.7, "font-size": size }, bars);
      return { group, halo, ring, limit, bar, tick, value };
    });
    handles.append(query); // on top of the keys
  }

  function place(group, [px, py], spoken) {
    set(group, { transform: `translate(${x(px)} ${y(py)}) scale(${zoom})`, "aria-valuenow": px, "aria-valuetext": spoken });
  }

  // A point that can be taken by pointer or keyboard; `index` is that of a key.
  function handle(kind, label, index = null) {
    const group = svg("g", { class: `handle ${kind}`, tabindex: 0, role: "slider", "aria-label": label }, handles);
    set(group, { "aria-valuemin": -extent, "aria-valuemax": extent, "data-point": index ?? "query" });
    svg("circle", { r: 22, class: "reach" }, group);
    group.addEventListener("pointerdown", (event) => take(event, group, index));
    group.addEventListener("pointermove", (event) => drag(event, index));
    group.addEventListener("pointerup", () => release(index));
    group.addEventListener("pointercancel", () => release(index));
    group.addEventListener("keydown", (event) => press(event, index));
    return group;
  }

  function take(event, group, index) {
    if (event.button !== 0) return;
    event.preventDefault();
    group.focus();
    group.setPointerCapture(event.pointerId);
    dragged = group;
    box = plane.getBoundingClientRect(); // asked once: each time it would cost a layout
    choose(index);
  }

  function drag(event, index) {
    if (dragged === null || dragged !== event.currentTarget) return;
    const px = ((event.clientX - box.left) / box.width - 0.5) * 2 * extent;
    const py = (0.5 - (event.clientY - box.top) / box.height) * 2 * extent;
    move(index, [px, py]);
  }

  function release(index) {
    if (dragged === null) return;
    dragged = null;
    tell();
    speak(index);
  }

  function press(event, index) {
    const step = event.shiftKey ? 0.25 : 0.05;
    const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    const way = ways[event.key];
    const isKey = index !== null;
    if (way) {
      const [px, py] = isKey ? state.keys[index] : state.query;
      move(index, [px + step * way[0], py + step * way[1]]);
    } else if (isKey && (event.key === "Enter" || event.key === " ")) choose(index);
    else if (isKey && event.key === "Delete") remove(index);
    else return;
    event.preventDefault();
    speak(index);
  }

  function move(index, point) {
    const [px, py] = point.map((value) => round(Math.min(extent, Math.max(-extent, value))));
    if (index === null) state.query = [px, py];
    else {
      state.keys[index] = [px, py];
      state.bounds = null;
    }
    changed();
  }

  function choose(index) {
    if (index === null || index === state.chosen) return;
    state.chosen = index;
    changed();
  }

  function add() {
    if (state.keys.length >= model.get("max_keys")) return;
    const angle = 2.4 * state.keys.length; // the golden angle: new keys do not fall on old ones
    state.keys.push([round(1.3 * Math.cos(angle)), round(1.3 * Math.sin(angle))]);
    state.colours.push(model.get("new_colours")[state.colours.length]);
    state.chosen = state.keys.length - 1;
    state.bounds = null;
    changed();
  }

  function remove(index) {
    if (state.keys.length <= 2) return;
    state.keys.splice(index, 1);
    state.colours.splice(index, 1);
    state.chosen = Math.min(state.chosen, state.keys.length - 1);
    state.bounds = null;
    forgetKeys(); // each one's number and colour may be another's now
    changed();
  }

  // Drawn with the next frame, however many events come before it; told to Python after a pause or TOLD_EVERY.
  function changed() {
    if (!waiting) {
      waiting = true;
      requestAnimationFrame(draw);
    }
    clearTimeout(timer);
    timer = setTimeout(tell, Math.max(0, Math.min(PAUSE, told + TOLD_EVERY - performance.now())));
  }

  function tell() {
    clearTimeout(timer);
    timer = null;
    told = performance.now();
    compute();
    telling = true; // each `set` is heard here as well
    model.set("points", structuredClone(state.keys));
    for (const name of ["colours", "query", "scale", "chosen", "weights", "output", "bounds"]) {
      model.set(name, structuredClone(state[name]));
    }
    telling = false;
    model.save_changes();
  }

  function speak(index) {
    compute();
    const name = index === null ? "Query" : `Key ${index}`;
    const group = index === null ? query : keyParts[index]?.group;
    requestAnimationFrame(() => { status.textContent = `${name}: ${group?.getAttribute("aria-valuetext") ?? ""}`; });
  }

  function heard() {
    if (telling || dragged !== null || timer !== null) return; // what is under the hand is newer
    const view = () => JSON.stringify([state.keys, state.query, state.scale, state.chosen, state.colours]);
    const before = view();
    read();
    if (view() === before) return;
    forgetKeys();
    draw();
    clearTimeout(answer);
    answer = setTimeout(tell, 0); // what these numbers give; after the rest of them, which may be set one by one
  }

  function forgetKeys() {
    for (const { group, halo } of keyParts) group.remove(), halo.remove();
    bars.replaceChildren();
    keyParts = [];
  }

  const figureText = () => svgText([plane, panel], model.get("_css") ?? "");
  function saveSvg() { saveText("attention-plane.svg", figureText(), "image/svg+xml"); }
  function savePixels() { savePng("attention-plane.png", figureText()); }
  function saveCsv() {
    const rows = state.keys.map((key, i) =>
      [i, ...key, ...rgb(state.colours[i]), state.logits[i], state.weights[i], state.bounds[i]].join(","));
    saveText("attention-plane.csv", ["key,x,y,red,green,blue,logit,weight,bound", ...rows, ""].join("\n"), "text/csv");
  }

  slider.addEventListener("input", () => {
    state.scale = Number((10 ** Number(slider.value)).toPrecision(4));
    changed();
  });
  more.addEventListener("click", add);
  fewer.addEventListener("click", () => remove(state.chosen));
  for (const name of ["points", "colours", "query", "scale", "chosen"]) model.on(`change:${name}`, heard);

  const sized = new ResizeObserver(() => {
    const wanted = Math.max(1, SIZE / Math.max(plane.clientWidth, 1));
    if (Math.abs(wanted - zoom) < 0.01) return;
    zoom = wanted;
    draw();
  });

  read();
  draw();
  tell();
  sized.observe(plane);
  const scrolled = () => { if (dragged !== null) box = plane.getBoundingClientRect(); };
  document.addEventListener("scroll", scrolled, { capture: true, passive: true });
  return () => {
    clearTimeout(timer);
    clearTimeout(answer);
    document.removeEventListener("scroll", scrolled, { capture: true });
    sized.disconnect();
  };
}

export default { render };
