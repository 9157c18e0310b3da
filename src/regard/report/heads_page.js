// Every head of a model as a map; the chosen one with its pattern on the text and its figures.

const NS = "http://www.w3.org/2000/svg";
const KIND_COLOURS = ["#D55E00", "#0072B2", "#56B4E9", "#009E73", "#CC79A7", "#999999", "#E69F00", "#F0E442", "transparent"];
const CELL = 26;
const SIZE = 520;
const MARGIN = 62;

function make(parent, tag, attributes = {}, text = null) {
  const isSvg = parent instanceof SVGElement || tag === "svg";
  const element = isSvg ? document.createElementNS(NS, tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (text !== null) element.textContent = text;
  parent.append(element);
  return element;
}

/** The keys and levels that Python has packed: two bytes a key, then one byte a level. */
async function unpack(text, n) {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  const plain = await new Response(stream).arrayBuffer();
  return { keys: new Uint16Array(plain, 0, n), levels: new Uint8Array(plain, 2 * n, n) };
}

/** Light for the least number, blue for the largest; on a scale of logarithms where numbers span hundreds. */
function shader(numbers) {
  const known = numbers.filter((x) => Number.isFinite(x));
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const isLog = low > 0 && high / low > 100;
  const place = isLog ? (x) => Math.log(x / low) / Math.log(high / low) : (x) => (x - low) / (high - low || 1);
  const mix = (a, b, t) => Math.round(a + (b - a) * t);
  return (x) => {
    if (!Number.isFinite(x)) return "transparent";
    const t = place(x);
    return `rgb(${mix(250, 0, t)},${mix(250, 84, t)},${mix(245, 140, t)})`;
  };
}

function show(value) {
  if (value === null || value === undefined) return "–";
  if (typeof value !== "number") return String(value);
  return Number.isInteger(value) ? String(value) : Math.abs(value) >= 0.001 ? value.toPrecision(3) : value.toExponential(1);
}

function styled(svg, css) {
  const copy = svg.cloneNode(true);
  const { width, height } = svg.viewBox.baseVal;
  const paper = getComputedStyle(document.body).backgroundColor;
  const ground = /rgba\(.*, 0\)|transparent/.test(paper) ? "#ffffff" : paper;
  copy.setAttribute("xmlns", NS);
  copy.setAttribute("width", width);
  copy.setAttribute("height", height);
  const inner = new XMLSerializer().serializeToString(copy).replace(
    />/, `><style>${css.replaceAll(".heads ", "")}</style><rect width="${width}" height="${height}" fill="${ground}"/>`);
  return inner.replace("<svg", `<svg style="color:${getComputedStyle(svg).color}"`);
}

function saveSvg(name, svg, css) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([styled(svg, css)], { type: "image/svg+xml" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Draw the study, and draw it anew whenever Python sets another. */
function render({ model, el }) {
  const redraw = () => {
    el.replaceChildren();
    draw({ model, el });
  };
  model.on?.("change:study", redraw);
  redraw();
}

function draw({ model, el }) {
  const data = model.get("study");
  const css = model.get("_css") ?? "";
  if (!data?.rows?.length) {
    make(el, "p", {}, "There are no heads to show: make a map with HeadMap.of(model, text).");
    return;
  }
  const root = make(el, "div", { class: "heads" });
  const views = make(root, "div", { class: "views" });
  const left = make(views, "section", { class: "view" });
  const right = make(views, "section", { class: "view" });
  const numeric = data.columns.filter((name) => data.rows.some((row) => typeof row[name] === "number"));
  const state = { head: 0, column: "kind", patterns: null, query: null };

  make(left, "h2", {}, "Heads: layer by layer");
  const mapTools = make(left, "div", { class: "tools" });
  const label = make(mapTools, "label", {}, "coloured by ");
  const select = make(label, "select", { "aria-label": "coloured by" });
  for (const name of ["kind", ...numeric.filter((each) => !["layer", "head"].includes(each))]) {
    make(select, "option", { value: name }, name.replaceAll("_", " "));
  }
  make(mapTools, "button", { type: "button" }, "Save SVG").addEventListener("click", () => saveSvg("heads.svg", map, css));
  const [width, height] = [data.n_heads * CELL + 46, data.n_layers * CELL + 46];
  const map = make(left, "svg", { viewBox: `0 0 ${width} ${height}`, class: "map", role: "group", "aria-label": "map of heads" });
  map.style.maxWidth = `${1.7 * width}px`;
  make(map, "text", { x: 44 + data.n_heads * CELL / 2, y: 12, "text-anchor": "middle" }, "head");
  make(map, "text", { x: 10, y: 32 + data.n_layers * CELL / 2, "text-anchor": "middle",
    transform: `rotate(-90 10 ${32 + data.n_layers * CELL / 2})` }, "layer");
  for (let h = 0; h < data.n_heads; h += 1) make(map, "text", { x: 40 + (h + 0.5) * CELL, y: 27, "text-anchor": "middle" }, h);
  for (let l = 0; l < data.n_layers; l += 1) make(map, "text", { x: 34, y: 36 + (l + 0.6) * CELL, "text-anchor": "end" }, l);
  const cells = data.rows.map((row, i) => {
    const cell = make(map, "rect", { x: 40 + row.head * CELL, y: 34 + row.layer * CELL, width: CELL - 2, height: CELL - 2,
      rx: 3, class: "cell", tabindex: 0, role: "button" });
    make(cell, "title");
    cell.addEventListener("click", () => choose(i));
    cell.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -data.n_heads, ArrowDown: data.n_heads }[event.key];
      if (event.key === "Enter" || event.key === " ") choose(i);
      else if (step && cells[i + step]) { choose(i + step); cells[i + step].focus(); }
      else return;
      event.preventDefault();
    });
    return cell;
  });
  const legend = make(left, "ul", { class: "legend" });

  const heading = make(right, "h2");
  const patternTools = make(right, "div", { class: "tools" });
  make(patternTools, "span", {}, `the ${data.places} largest weights of each query`);
  make(patternTools, "button", { type: "button" }, "Save SVG").addEventListener("click", () => {
    const row = data.rows[state.head];
    saveSvg(`layer-${row.layer}-head-${row.head}.svg`, pattern, css);
  });
  const pattern = make(right, "svg", { viewBox: `0 0 ${SIZE + MARGIN + 8} ${SIZE + MARGIN + 8}`, class: "pattern", role: "img" });
  const read = make(right, "p", { class: "read", "aria-live": "polite" }, "Point at a row: a query, and what it reads.");
  const facts = make(root, "dl", { class: "facts" });
  const notes = make(root, "div", { class: "notes" });
  for (const note of data.notes) make(notes, "p", {}, note);

  function colour() {
    const isKind = state.column === "kind";
    const kinds = data.kinds.map((kind) => kind[0]);
    const shade = isKind ? null : shader(data.rows.map((row) => row[state.column]));
    data.rows.forEach((row, i) => {
      cells[i].setAttribute("fill", isKind ? KIND_COLOURS[kinds.indexOf(row.kind)] : shade(row[state.column]));
      const name = `layer ${row.layer} head ${row.head}: ${row.kind}${isKind ? "" : `, ${state.column} ${show(row[state.column])}`}`;
      cells[i].setAttribute("aria-label", name);
      cells[i].setAttribute("aria-pressed", i === state.head);
      cells[i].firstChild.textContent = name;
    });
    legend.replaceChildren();
    const numbers = data.rows.map((row) => row[state.column]).filter((x) => Number.isFinite(x));
    const entries = isKind
      ? data.kinds.filter((kind) => data.rows.some((row) => row.kind === kind[0]))
        .map((kind) => [KIND_COLOURS[kinds.indexOf(kind[0])], `${kind[0]} (${kind[1]})`])
      : [Math.min(...numbers), Math.max(...numbers)].map((x) => [shade(x), show(x)]);
    for (const [fill, text] of entries) {
      const item = make(legend, "li");
      make(item, "i").style.background = fill;
      item.append(text);
    }
  }

  function drawPattern() {
    const row = data.rows[state.head];
    const n = data.tokens.length;
    const unit = SIZE / n;
    pattern.replaceChildren();
    heading.textContent = `Layer ${row.layer}, head ${row.head}: ${row.kind}`;
    pattern.setAttribute("aria-label", `pattern of layer ${row.layer} head ${row.head}`);
    make(pattern, "text", { x: MARGIN + SIZE / 2, y: 12, "text-anchor": "middle" }, "key (is read)");
    make(pattern, "text", { x: 12, y: MARGIN + SIZE / 2, "text-anchor": "middle", transform: `rotate(-90 12 ${MARGIN + SIZE / 2})` }, "query (reads)");
    make(pattern, "rect", { x: MARGIN, y: MARGIN, width: SIZE, height: SIZE, class: "frame" });
    const every = [1, 2, 5, 10, 20, 50, 100].find((step) => n / step <= 28) ?? 100;
    for (let i = 0; i < n; i += every) {
      const at = MARGIN + (i + 0.5) * unit;
      const name = n <= 36 ? data.tokens[i].slice(0, 7) : i;
      make(pattern, "text", { x: MARGIN - 4, y: at + 4, "text-anchor": "end" }, name);
      make(pattern, "text", { x: at, y: MARGIN - 5, transform: `rotate(-60 ${at} ${MARGIN - 5})` }, name);
    }
    if (state.patterns === null) return;
    // one path for each of 16 strengths: thousands of rectangles would be slow
    const paths = Array.from({ length: 16 }, () => []);
    const base = state.head * n * data.places;
    for (let query = 0; query < n; query += 1) {
      for (let place = 0; place < data.places; place += 1) {
        const at = base + query * data.places + place;
        const level = state.patterns.levels[at];
        if (level < 8) break;
        paths[level >> 4].push(`M${(MARGIN + state.patterns.keys[at] * unit).toFixed(2)} ${(MARGIN + query * unit).toFixed(2)}h${unit.toFixed(2)}v${unit.toFixed(2)}h-${unit.toFixed(2)}z`);
      }
    }
    paths.forEach((parts, i) => {
      if (parts.length) make(pattern, "path", { d: parts.join(""), class: "weight", "fill-opacity": ((i + 0.5) / 16).toFixed(3) });
    });
  }

  function point(event) {
    const box = pattern.getBoundingClientRect();
    const scale = (SIZE + MARGIN + 8) / box.width;
    const n = data.tokens.length;
    const query = Math.floor(((event.clientY - box.top) * scale - MARGIN) / SIZE * n);
    if (state.patterns === null || query < 0 || query >= n) return;
    pattern.querySelector(".marker")?.remove();
    make(pattern, "rect", { x: MARGIN, y: MARGIN + query * SIZE / n, width: SIZE, height: SIZE / n, class: "marker" });
    const base = (state.head * n + query) * data.places;
    const parts = [];
    for (let place = 0; place < Math.min(5, data.places); place += 1) {
      const weight = (state.patterns.levels[base + place] / 255) ** 2;
      if (weight >= 0.01) parts.push(`${data.tokens[state.patterns.keys[base + place]]} (${state.patterns.keys[base + place]}) ${weight.toFixed(2)}`);
    }
    read.textContent = `Query ${query}, “${data.tokens[query]}”, reads: ${parts.join(", ")}`;
  }

  function choose(i) {
    state.head = i;
    colour();
    drawPattern();
    read.textContent = "Point at a row: a query, and what it reads.";
    facts.replaceChildren();
    for (const name of data.columns) {
      const line = make(facts, "div");
      make(line, "dt", {}, name.replaceAll("_", " "));
      make(line, "dd", {}, show(data.rows[i][name]));
    }
  }

  select.addEventListener("change", () => { state.column = select.value; colour(); });
  pattern.addEventListener("pointermove", point);
  pattern.addEventListener("pointerdown", point);
  choose(0);
  const n = data.n_layers * data.n_heads * data.tokens.length * data.places;
  unpack(data.packed, n).then((patterns) => {
    state.patterns = patterns;
    drawPattern();
    root.dataset.ready = "yes";
  });
}

export default { render };
