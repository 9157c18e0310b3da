// Text to logits: a character model reads a text in the page. What comes next, and each character's surprise; of a Transformer every
// head's attention: heads can be switched off, sharpened, given noisy keys or keys in few bits.
import { createReader, encodeText, logProbabilities, nextDistribution, readTransformer } from "../engine/transformer.js";
import { createRandom } from "../engine/normal.js";
import { createRecurrentReader, readRecurrent } from "../engine/recurrent.js";
import { readSafetensors } from "../engine/safetensors.js";
import { fetchFile } from "../parts/api.js";
import { button, slider } from "../parts/controls.js";
import { element, setAttributes, shape, shortNumber, wholeCharacters } from "../parts/dom.js";
import { savePictureButtons } from "../parts/export.js";
import { numberField, wholeField } from "../parts/state.js";

export const MAX_LENGTH = 300;
const TEXT = "ROMEO:\nBut, soft! what light through yonder window breaks?\nIt is the e";
const N_SHOWN = 10;
const MOST_BITS = 8; // of surprise, at which the colour is full
const RATE = 60; // characters a second that are written, where the machine can
const MAX_AT_ONCE = 6; // in one frame
const CHANGE = /^(\d+)\.(\d+)(o?)(?:s(\d+\.?\d*|\.\d+))?(?:n(\d+\.?\d*|\.\d+))?(?:b(\d+))?$/;
const SHARPEN = [0.1, 10];
const MOST_NOISE = 2;
const ALL_KEY_BITS = 9; // stands for keys as they are

/** What the address keeps: the text, how bold the writing is, the head that is looked at, and changes such as 0.1o;2.3s2n0.5b4. */
export const characterFields = {
  text: {
    start: TEXT, write: (text) => text, expected: `a text of at most ${MAX_LENGTH} characters`,
    read: (text) => { if (text.length > MAX_LENGTH) throw new RangeError(text); return text; },
  },
  temperature: numberField(0.8, 0.1, 2),
  layer: wholeField(0, 0, 23),
  head: wholeField(0, 0, 31),
  changes: {
    start: {}, expected: "changes of heads, such as 0.1o;2.3s2n0.5b4",
    write: (changes) => Object.entries(changes).map(([place, change]) => place + changeText(change)).join(";"),
    read: (text) => Object.fromEntries(text.split(";").filter(Boolean).map(readChange).filter(([, change]) => Object.keys(change).length)),
  },
};

const changeText = ({ off, sharpen, noise, bits }) =>
  `${off ? "o" : ""}${sharpen ? `s${sharpen}` : ""}${noise ? `n${noise}` : ""}${bits === undefined ? "" : `b${bits}`}`;

function readChange(text) {
  const found = CHANGE.exec(text);
  if (!found) throw new RangeError(text);
  const [, layer, head, off, sharpen, noise, bits] = found;
  const change = {};
  if (off) change.off = true;
  if (sharpen && Number(sharpen) !== 1) change.sharpen = Math.min(Math.max(Number(sharpen), SHARPEN[0]), SHARPEN[1]);
  if (Number(noise)) change.noise = Math.min(Number(noise), MOST_NOISE);
  if (bits && Number(bits) < ALL_KEY_BITS) change.bits = Number(bits);
  return [`${Number(layer)}.${Number(head)}`, change];
}

/** The model in a file of the lab; `address` is relative to the page. */
export async function fetchTransformer(address) {
  return readTransformer(await fetchFile(address));
}

/** The Transformer or recurrent network in the bytes of a file. */
export function readModel(buffer) {
  const isRecurrent = String(readSafetensors(buffer).metadata.regard).startsWith('{"kind": "recurrent"');
  return isRecurrent ? readRecurrent(buffer) : readTransformer(buffer);
}

/** A head's weights as pixels of the ink's colour: row i, column j is how strongly place i reads place j. */
export function drawPicture(canvas, rows, ink, most) {
  const n = rows.length;
  const image = new ImageData(n, n);
  const { data } = image;
  for (let i = 0; i < n; i += 1) {
    for (let j = 0; j < rows[i].length; j += 1) {
      const pixel = 4 * (i * n + j);
      data[pixel] = ink[0];
      data[pixel + 1] = ink[1];
      data[pixel + 2] = ink[2];
      data[pixel + 3] = most * Math.sqrt(rows[i][j]);
    }
  }
  if (canvas.width !== n) canvas.width = canvas.height = n;
  canvas.getContext("2d").putImageData(image, 0, 0);
}

/**
 * The view in `page.figure` and `page.side`; the page's fields hold `characterFields`, and perhaps `top_p`. What it gives can `use`
 * another model, and tells the numbers that are shown.
 */
export function makeCharacterModel(page, first) {
  let model = null;
  let [layers, nHeads] = [0, 0]; // a recurrent network has no heads
  let pictures = [];
  const random = createRandom(Date.now() & 0xffffffff);
  let at = -1; // the place in the window whose attention is shown; −1 for the last
  let writing = false;
  const sessions = { plain: null, changed: null };
  let now = null;
  let drawn = ""; // what the pictures of the heads show

  const stage = element("div", { class: "character-stage" }, page.figure);
  const lines = shape("svg", { class: "attention-lines", "aria-hidden": "true" }, stage);
  const strip = element("div", {
    class: "characters", tabindex: 0, role: "slider", "aria-label": "Character whose attention is shown", "aria-valuemin": 0,
  }, stage);
  strip.addEventListener("keydown", (event) => {
    const way = { ArrowLeft: -1, ArrowRight: 1, Home: -1e9, End: 1e9 }[event.key];
    if (way === undefined) return;
    event.preventDefault();
    look(Math.min(now.window.length - 1, Math.max(0, place() + way)));
  });
  strip.addEventListener("pointerover", (event) => { if (event.target.dataset.place) look(Number(event.target.dataset.place)); });
  const said = element("p", { class: "said", role: "status" }, page.figure);
  const box = element("label", { class: "control text-input" }, page.figure);
  element("span", { class: "control-name" }, box, `Text, at most ${MAX_LENGTH} characters`);
  const input = element("textarea", { rows: 3, maxlength: MAX_LENGTH, spellcheck: "false" }, box);
  input.addEventListener("input", () => { stop(); page.change({ text: wholeCharacters(input.value) }, "text"); });
  const map = element("div", { class: "head-map", role: "group", "aria-label": "Heads: each picture is one head's attention" }, page.figure);

  const save = savePictureButtons(page.figure, { name: "heads", pictures: () => pictures.flat().map(({ canvas }) => canvas), perRow: () => nHeads, columns });

  const next = element("section", { class: "next-characters", "aria-label": "What comes next" }, page.side);
  element("h2", {}, next, "What comes next");
  const bars = Array.from({ length: N_SHOWN }, () => {
    const row = button(next, "", () => write(Number(row.dataset.id)), { class: "next-row" });
    const name = element("span", { class: "next-name" }, row);
    const bar = element("span", { class: "next-bar" }, row);
    return { row, name, bar, value: element("span", { class: "next-value" }, row) };
  });
  slider(page, page.side, "temperature", { label: "temperature", low: 0.1, high: 2, step: 0.05, format: (value) => value.toFixed(2) });
  if (page.values.top_p !== undefined) {
    slider(page, page.side, "top_p", { label: "keep the likeliest, together (top-p)", low: 0.05, high: 1, step: 0.05, format: (value) => `${Math.round(100 * value)} %` });
  }
  const buttons = element("div", { class: "buttons" }, page.side);
  const run = button(buttons, "Write on", () => (writing ? stop() : start()));
  button(buttons, "One character", () => { stop(); write(drawId()); });
  const surprise = element("p", { class: "said", role: "status" }, page.side);

  const panel = element("section", { class: "side", "aria-label": "The chosen head" }, page.side);
  const title = element("h2", {}, panel);
  const off = element("input", { type: "checkbox" }, element("label", { class: "check" }, panel));
  off.parentNode.append(" switched off");
  off.addEventListener("change", () => setChange({ off: off.checked || undefined }));
  changeSlider("sharpen", { label: "logits multiplied by", low: SHARPEN[0], high: SHARPEN[1], step: 0.05, log: true, usual: 1 });
  changeSlider("noise", { label: "noise on its keys", low: 0, high: MOST_NOISE, step: 0.05, usual: 0 });
  changeSlider("bits", { label: "bits for each number of its keys", low: 0, high: ALL_KEY_BITS, step: 1, usual: ALL_KEY_BITS, format: (value) => (value === ALL_KEY_BITS ? "all" : String(value)) });
  button(element("div", { class: "buttons" }, panel), "Undo all changes", () => page.change({ changes: {} }));

  use(first);

  /** Read with another model from now on. */
  function use(other) {
    stop();
    model = other;
    [layers, nHeads] = model.kind === "recurrent" ? [0, 0] : [model.config.layers, model.config.heads];
    Object.assign(sessions, { plain: null, changed: null });
    drawn = "";
    map.replaceChildren();
    map.style.gridTemplateColumns = `repeat(${Math.max(nHeads, 1)}, minmax(0, 1fr))`;
    pictures = Array.from({ length: layers }, (_, l) => Array.from({ length: nHeads }, (_, h) => {
      const made = button(map, "", () => page.change({ layer: l, head: h }), { "aria-label": `layer ${l}, head ${h}` });
      const canvas = element("canvas", { width: 1, height: 1, "aria-hidden": "true" }, made);
      return { made, canvas, name: element("span", {}, made, `${l}.${h}`) };
    }));
    panel.hidden = map.hidden = save.firstChild.hidden = nHeads === 0;
  }

  const chosen = () => `${Math.min(page.values.layer, layers - 1)}.${Math.min(page.values.head, nHeads - 1)}`;
  const place = () => (at < 0 || at >= now.window.length ? now.window.length - 1 : at);

  function changeSlider(name, { usual, format = shortNumber, ...how }) {
    slider(page, panel, name, {
      ...how, format,
      get: () => page.values.changes[chosen()]?.[name] ?? usual,
      set: (value) => setChange({ [name]: value === usual ? undefined : value }, name),
    });
  }

  function setChange(part, by = null) {
    const merged = { ...page.values.changes[chosen()], ...part };
    for (const name of Object.keys(merged)) if (merged[name] === undefined) delete merged[name];
    const changes = { ...page.values.changes, [chosen()]: merged };
    if (Object.keys(merged).length === 0) delete changes[chosen()];
    page.change({ changes }, by);
  }

  function look(where) {
    at = where;
    page.redraw();
  }

  /** The text as read so far, going on from where an earlier reading of its beginning ended. */
  function read(kind, text, changes) {
    const key = nHeads ? characterFields.changes.write(changes) : "";
    let session = sessions[kind];
    if (session === null || session.key !== key || !text.startsWith(session.text)) {
      const heads = key === "" ? null : Array.from({ length: layers }, (_, l) =>
        Array.from({ length: nHeads }, (_, h) => changes[`${l}.${h}`] ?? null));
      const reader = nHeads ? createReader(model, { heads }) : createRecurrentReader(model);
      session = sessions[kind] = { key, text: "", bits: [], reader };
    }
    for (const id of encodeText(model, text.slice(session.text.length))) {
      session.bits.push(-logProbabilities(session.reader.logits())[id] / Math.LN2);
      session.reader.read(id);
    }
    session.text = text;
    const { reader, bits } = session;
    return { logits: reader.logits(), attention: reader.attention(), window: reader.window(), bits };
  }

  const distributionNow = () => nextDistribution(now.logits, { temperature: page.values.temperature, topP: page.values.top_p ?? 1 });

  function drawId() {
    const distribution = distributionNow();
    let left = random.uniform();
    const id = distribution.findIndex((share) => (left -= share) < 0);
    return id < 0 ? distribution.indexOf(Math.max(...distribution)) : id;
  }

  function write(id) {
    const characters = Array.from(page.values.text + model.vocabulary[id]);
    at = -1;
    page.change({ text: characters.slice(-MAX_LENGTH).join("") }, "write");
  }

  function start() {
    writing = true;
    const began = performance.now();
    let nWritten = 0;
    const step = () => {
      if (!writing) return;
      const due = Math.min(MAX_AT_ONCE, Math.ceil(((performance.now() - began) / 1000) * RATE) - nWritten);
      let { text } = page.values;
      for (let i = 0; i < due && Array.from(text).length < MAX_LENGTH; i += 1) {
        text += model.vocabulary[drawId()];
        now = readNow(text);
        nWritten += 1;
      }
      at = -1;
      page.change({ text }, "write");
      if (Array.from(text).length >= MAX_LENGTH) stop();
      else requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
    page.redraw();
  }

  /** The text as the model reads it with the changes there are. */
  function readNow(text) {
    const { changes } = page.values;
    return Object.keys(changes).length ? read("changed", text, changes) : read("plain", text, {});
  }

  function stop() {
    writing = false;
    page.redraw();
  }

  /** What the chosen head gives each place, at the place that is looked at. */
  const weightsHere = () => (nHeads ? now.attention[Math.min(page.values.layer, layers - 1)][Math.min(page.values.head, nHeads - 1)][place()] : []);

  function columns() {
    const ids = now.window.slice(1); // without the mark of the beginning, or without what is no longer guessed
    const weights = weightsHere();
    return {
      place: ids.map((_, i) => i), character: ids.map((id) => `"${model.vocabulary[id].replaceAll('"', '""')}"`),
      bits: now.bits.slice(now.bits.length - ids.length),
      ...(nHeads ? { [`weight_of_head_${chosen()}_at_${place() - 1}`]: ids.map((_, i) => weights[i + 1] ?? 0) } : {}),
    };
  }

  function drawStrip() {
    const shownIds = now.window;
    while (strip.children.length > shownIds.length) strip.lastChild.remove();
    const weights = weightsHere();
    const firstBit = now.bits.length - (shownIds.length - 1);
    shownIds.forEach((id, i) => {
      const span = strip.children[i] ?? element("span", { "data-place": String(i) }, strip);
      const character = model.vocabulary[id];
      setAttributes(span, { text: i === 0 && firstBit === 0 ? "⊢" : character === "\n" ? "⏎\n" : id === 0 ? "\ufffd" : character });
      const bits = i === 0 ? 0 : now.bits[firstBit + i - 1];
      span.style.setProperty("--surprise", Math.min(1, bits / MOST_BITS).toFixed(3));
      span.style.setProperty("--weight", (weights[i] ?? 0).toFixed(3));
      span.classList.toggle("here", i === place());
    });
    const text = placeText(weights, place() === 0 ? null : now.bits[firstBit + place() - 1]) +
      (firstBit > 0 ? ` The model sees the last ${shownIds.length} characters; those before them have left its view.` : "");
    setAttributes(strip, { "aria-valuemax": shownIds.length - 1, "aria-valuenow": place(), "aria-valuetext": text });
    setAttributes(said, { text });
    drawLines(weights);
  }

  function placeText(weights, bits) {
    const nameOf = (i) => JSON.stringify(model.vocabulary[now.window[i]]);
    const cost = bits === null ? "" : ` (${bits.toFixed(2)} bits of surprise)`;
    if (nHeads === 0) return `${nameOf(place())}${cost}. A recurrent network has no heads: what it read before is in its state.`;
    const order = Array.from(weights.keys()).sort((i, j) => weights[j] - weights[i]).slice(0, 3);
    const read = order.map((i) => `${nameOf(i)} ${place() - i === 0 ? "(itself)" : `${place() - i} back`} ${(100 * weights[i]).toFixed(0)} %`);
    return `At ${nameOf(place())}${cost}, head ${chosen()} reads ${read.join(", ")}.`;
  }

  function drawLines(weights) {
    const frame = stage.getBoundingClientRect();
    const middle = (i) => {
      const box = strip.children[i].getClientRects()[0] ?? frame;
      return [box.left - frame.left + box.width / 2, box.top - frame.top];
    };
    setAttributes(lines, { viewBox: `0 0 ${frame.width} ${frame.height}`, width: frame.width, height: frame.height });
    const [x, y] = middle(place());
    const strong = Array.from(weights.keys()).filter((i) => weights[i] > 0.02 && i !== place());
    while (lines.children.length > strong.length) lines.lastChild.remove();
    strong.forEach((i, k) => {
      const [tx, ty] = middle(i);
      const line = lines.children[k] ?? shape("path", {}, lines);
      const lift = Math.min(34, 8 + Math.abs(tx - x) / 6);
      setAttributes(line, {
        d: `M${x.toFixed(1)} ${y.toFixed(1)}C${x.toFixed(1)} ${(y - lift).toFixed(1)} ${tx.toFixed(1)} ${(ty - lift).toFixed(1)} ${tx.toFixed(1)} ${ty.toFixed(1)}`,
        "stroke-opacity": Math.min(1, 0.15 + weights[i]).toFixed(2), "stroke-width": (1 + 4 * weights[i]).toFixed(1),
      });
    });
  }

  /** Every head's picture, a pixel for each weight; drawn anew only where it has changed. */
  function drawMap() {
    const ink = getComputedStyle(page.main).color.match(/\d+/g).map(Number);
    const key = `${ink} ${page.values.text} ${characterFields.changes.write(page.values.changes)}`;
    now.attention.forEach((layer, l) => layer.forEach((rows, h) => {
      const { made, canvas, name } = pictures[l][h];
      const change = page.values.changes[`${l}.${h}`];
      setAttributes(made, { "aria-pressed": String(`${l}.${h}` === chosen()) });
      setAttributes(name, { text: `${l}.${h}${change?.off ? " off" : change ? " *" : ""}` });
      if (key !== drawn) drawPicture(canvas, rows, ink, change?.off ? 40 : 255);
    }));
    drawn = key;
  }

  function drawNext() {
    const distribution = distributionNow();
    const order = Array.from(distribution.keys()).sort((i, j) => distribution[j] - distribution[i]).slice(0, N_SHOWN);
    order.forEach((id, k) => {
      const { row, name, bar, value } = bars[k];
      row.dataset.id = id;
      const character = model.vocabulary[id];
      const words = { "\n": "line end", " ": "space" }[character] ?? character;
      setAttributes(name, { text: words });
      setAttributes(value, { text: `${(100 * distribution[id]).toFixed(1)} %` });
      setAttributes(row, { "aria-label": `write ${words}, ${(100 * distribution[id]).toFixed(1)} %` });
      bar.style.width = `${(100 * distribution[id]).toFixed(2)}%`;
    });
  }

  page.onDraw(() => {
    const { text, changes } = page.values;
    const isChanged = nHeads > 0 && Object.keys(changes).length > 0;
    now = readNow(text);
    const plain = isChanged ? read("plain", text, {}) : now;
    if (input.value !== text) input.value = text;
    setAttributes(run, { text: writing ? "Stop" : "Write on" });
    if (nHeads) setAttributes(title, { text: `Layer ${chosen().split(".")[0]}, head ${chosen().split(".")[1]}` });
    off.checked = Boolean(changes[chosen()]?.off);
    const mean = (bits) => (bits.length ? bits.reduce((sum, value) => sum + value, 0) / bits.length : 0);
    const unknown = [...new Set(text)].filter((character) => !model.ids.has(character));
    setAttributes(surprise, {
      text: text === "" ? "There is no text yet: write one, or let the model write." :
        `This text surprises the model by ${mean(plain.bits).toFixed(2)} bits a character` +
        (isChanged ? `, with your changes by ${mean(now.bits).toFixed(2)}.` : ".") +
        (unknown.length ? ` It has never seen ${unknown.slice(0, 8).map((character) => JSON.stringify(character)).join(", ")}: to it, all these are one unknown character.` : ""),
    });
    drawStrip();
    drawMap();
    drawNext();
  });

  /** The numbers that are shown: bits of each character, log₂ p of what may come next, the model. */
  const numbers = () => {
    const plain = read("plain", page.values.text, {});
    return { model, bits: plain.bits, next: Array.from(logProbabilities(plain.logits), (value) => value / Math.LN2) };
  };
  /** What Python is asked to confirm, or why it is not: it knows nothing of changes to heads. */
  const question = (text, asked) => (nHeads && Object.keys(page.values.changes).length
    ? "With your changes of heads, the numbers are the page's own: Python checks the model as it was trained."
    : text ? { ...asked, text } : null);

  /** How far Python's numbers are from those that are shown. */
  function compare({ bits, next: after }) {
    const shown = numbers();
    if (bits.length !== shown.bits.length || after.length !== shown.next.length) return NaN;
    return Math.max(...bits.map((value, i) => Math.abs(value - shown.bits[i])), ...after.map((value, i) => Math.abs(2 ** value - 2 ** shown.next[i])));
  }

  return { use, numbers, question, compare };
}
