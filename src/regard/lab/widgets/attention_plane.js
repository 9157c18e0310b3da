// The plane of the lab's first chapter as a widget: weights and output are computed here and told to Python now and then.
import { makeAttention } from "../web/parts/attention.js";
import { element, setAttributes } from "../web/parts/dom.js";
import { saveButtons } from "../web/parts/export.js";

// Python is told when the hand rests, lets go, or has moved for long: what its answers do to a notebook's page may cost
// several frames.
const PAUSE = 150; // milliseconds
const TOLD_EVERY = 1000;
const LOG_SCALES = [-1, 3];

function render({ model, el }) {
  const view = {};
  let told = 0;
  let timer = null;
  let answer = null;
  let isWaiting = false;
  let isTelling = false;

  el.classList.add("attention-plane");
  const top = element("div", {}, el);
  const controls = element("div", { class: "controls" }, el);
  const scaleLabel = element("label", {}, controls);
  const scaleName = element("span", { class: "scale" }, scaleLabel);
  const slider = element("input", { type: "range", min: LOG_SCALES[0], max: LOG_SCALES[1], step: 0.01 }, scaleLabel);
  setAttributes(slider, { "aria-label": "Scale C of the query" });
  const attention = makeAttention(top, controls, {
    view, changed, released: tell,
    extent: model.get("extent"), maxKeys: model.get("max_keys"), newColours: model.get("new_colours"),
  });
  saveButtons(attention.buttons, { name: "attention-plane", drawings: () => attention.drawings, columns: attention.columns });

  function read() {
    view.keys = model.get("points").map((key) => [...key]);
    view.colours = [...model.get("colours")];
    view.query = [...model.get("query")];
    view.scale = model.get("scale");
    view.chosen = Math.min(model.get("chosen"), view.keys.length - 1);
  }

  function draw() {
    isWaiting = false;
    attention.draw();
    const text = view.scale.toPrecision(3);
    setAttributes(scaleName, { text: `scale C = ${text}` });
    setAttributes(slider, { "aria-valuetext": text });
    slider.value = Math.log10(view.scale);
  }

  // Drawn with the next frame, however many events come before it; told to Python after a pause or TOLD_EVERY.
  function changed() {
    if (!isWaiting) {
      isWaiting = true;
      requestAnimationFrame(draw);
    }
    clearTimeout(timer);
    timer = setTimeout(tell, Math.max(0, Math.min(PAUSE, told + TOLD_EVERY - performance.now())));
  }

  function tell() {
    clearTimeout(timer);
    timer = null;
    told = performance.now();
    const { weights, output, bounds } = attention.compute();
    isTelling = true; // each `set` is heard here as well
    model.set("points", structuredClone(view.keys));
    const { colours, query, scale, chosen } = view;
    for (const [name, value] of Object.entries({ colours, query, scale, chosen, weights, output, bounds })) {
      model.set(name, structuredClone(value));
    }
    isTelling = false;
    model.save_changes();
  }

  function heard() {
    if (isTelling || attention.isHeld() || timer !== null) return; // what is under the hand is newer
    const before = JSON.stringify(view);
    read();
    if (JSON.stringify(view) === before) return;
    draw();
    clearTimeout(answer);
    answer = setTimeout(tell, 0); // what these numbers give; after the rest of them, which may be set one by one
  }

  slider.addEventListener("input", () => {
    view.scale = Number((10 ** Number(slider.value)).toPrecision(4));
    changed();
  });
  for (const name of ["points", "colours", "query", "scale", "chosen"]) model.on(`change:${name}`, heard);
  read();
  draw();
  tell();
  return () => {
    clearTimeout(timer);
    clearTimeout(answer);
    attention.close();
  };
}

export default { render };
