// A long computation in Python: start it, see how far it is, stop it. Python is asked; it never has to call.

const SOON = 30, EVERY = 250; // milliseconds between questions: what is kept already is there almost at once
const WIDTH = 640, HEIGHT = 180, LEFT = 64, BOTTOM = 34;

function element(name, attributes, parent, text = "") {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.textContent = text;
  parent.append(made);
  return made;
}

const about = (seconds) => (seconds < 90 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`);

function render({ model, el }) {
  let timer = null;
  let wait = SOON;
  el.classList.add("long-work");
  const buttons = element("div", { class: "buttons" }, el);
  const start = element("button", { type: "button", class: "start" }, buttons);
  const stop = element("button", { type: "button", class: "stop", hidden: "" }, buttons, "Stop");
  const bar = element("progress", { max: "1", hidden: "", "aria-label": model.get("label") }, buttons);
  const line = element("p", { class: "line", role: "status" }, el);
  const curve = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  el.append(curve);
  const text = element("pre", { class: "text", hidden: "", "aria-label": "What has been written" }, el);

  function show(status) {
    const isOver = ["done", "stopped", "failed"].includes(status.state);
    const isRunning = !isOver && status.state !== "ready";
    start.hidden = isRunning || (status.state === "done" && model.get("once"));
    stop.hidden = bar.hidden = !isRunning;
    const seconds = model.get("seconds");
    start.textContent = (isOver ? `${model.get("label")} again` : model.get("label")) + (seconds >= 1 ? ` (about ${about(seconds)})` : "");
    if (status.share === null) bar.removeAttribute("value");
    else bar.value = status.share;
    line.textContent = status.state === "stopped" ? `Stopped. ${status.message}` : status.message;
    line.classList.toggle("failed", status.state === "failed");
    text.hidden = !status.text;
    text.textContent = status.text;
    draw(curve, status.points, model.get("axes"));
    clearTimeout(timer);
    wait = isRunning ? Math.min(2 * wait, EVERY) : SOON;
    if (isRunning) timer = setTimeout(() => model.send({ ask: "status" }), wait);
    if (isOver && model.get("state") !== status.state) {
      model.set("state", status.state);
      model.save_changes();
    }
  }

  function begin() {
    model.send({ ask: "start" });
    if (model.get("state") !== "ready") { // so that the notebook hears of the next end too
      model.set("state", "ready");
      model.save_changes();
    }
  }

  const hear = (message) => show(message);
  model.on("msg:custom", hear);
  start.addEventListener("click", begin);
  stop.addEventListener("click", () => model.send({ ask: "stop" }));
  show({ state: model.get("state"), share: null, message: "", points: [], text: "" });
  if (model.get("starts") && model.get("state") === "ready") begin();
  else model.send({ ask: "status" });
  return () => { // gone from the page: nobody waits for it any more
    clearTimeout(timer);
    model.off("msg:custom", hear);
    if (!stop.hidden) model.send({ ask: "stop" });
  };
}

// The curve with the ends of both axes written, and what they are.
function draw(svg, points, [across, up]) {
  svg.replaceChildren();
  svg.toggleAttribute("hidden", points.length < 2);
  if (points.length < 2) return;
  const add = (name, attributes, content = "") => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.textContent = content;
    svg.append(made);
  };
  const [xs, ys] = [0, 1].map((place) => points.map((point) => point[place]));
  const [low, high] = [Math.min(...ys), Math.max(...ys)];
  const x = (value) => LEFT + ((value - xs[0]) / (xs.at(-1) - xs[0] || 1)) * (WIDTH - LEFT - 12);
  const y = (value) => HEIGHT - BOTTOM - ((value - low) / (high - low || 1)) * (HEIGHT - BOTTOM - 14);
  svg.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", `${up} against ${across}: ${short(ys[0])} at first, now ${short(ys.at(-1))}`);
  add("path", { class: "axis", d: `M${LEFT} 8V${HEIGHT - BOTTOM}H${WIDTH - 8}` });
  add("polyline", { class: "curve", points: points.map((point) => `${x(point[0])},${y(point[1])}`).join(" ") });
  add("text", { x: LEFT - 6, y: 18, "text-anchor": "end" }, short(high));
  add("text", { x: LEFT - 6, y: HEIGHT - BOTTOM, "text-anchor": "end" }, short(low));
  add("text", { x: LEFT, y: HEIGHT - 16 }, short(xs[0]));
  add("text", { x: WIDTH - 8, y: HEIGHT - 16, "text-anchor": "end" }, short(xs.at(-1)));
  add("text", { x: (LEFT + WIDTH) / 2, y: HEIGHT - 4, "text-anchor": "middle" }, across);
  add("text", { x: 14, y: HEIGHT / 2, "text-anchor": "middle", transform: `rotate(-90 14 ${HEIGHT / 2})` }, up);
}
const short = (number) => String(Number(number.toPrecision(3)));

export default { render };
