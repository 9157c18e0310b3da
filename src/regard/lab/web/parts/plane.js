// A square of the plane with points that can be taken by pointer or keyboard.
import { setAttributes, shape } from "./dom.js";

export const PLANE_SIZE = 600; // its side, in units of its drawing
const roundPoint = (value) => Math.round(value * 1000) / 1000;
const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/** The square from −extent to extent, with its grid; `redraw` is called when its size in the page has changed. */
export function makePlane(parent, { extent, label, redraw }) {
  const svg = shape("svg", { viewBox: `0 0 ${PLANE_SIZE} ${PLANE_SIZE}`, class: "plane", role: "group", "aria-label": label }, parent);
  const plane = { svg, x, y, handle, place, zoom: 1, isHeld: () => held !== null, close };
  let held = null;
  let box = null;

  function x(value) { return PLANE_SIZE * (0.5 + value / (2 * extent)); }
  function y(value) { return PLANE_SIZE * (0.5 - value / (2 * extent)); }

  for (let tick = -Math.floor(extent); tick <= extent; tick += 1) {
    const kind = tick === 0 ? "axis" : "grid";
    shape("line", { class: kind, x1: x(tick), x2: x(tick), y1: 0, y2: PLANE_SIZE }, svg);
    shape("line", { class: kind, y1: y(tick), y2: y(tick), x1: 0, x2: PLANE_SIZE }, svg);
  }

  /**
   * A point that can be moved: `get()` says where it is, `move(point)` puts it elsewhere, `take()` and `release()` are told when a
   * hand comes and goes, `press(event)` may answer other keys and then returns true.
   */
  function handle(layer, kind, name, { get, move, take = () => {}, release = () => {}, press = () => false }) {
    const group = shape("g", { class: `handle ${kind}`, tabindex: 0, role: "slider", "aria-label": name }, layer);
    setAttributes(group, { "aria-valuemin": -extent, "aria-valuemax": extent, "aria-valuenow": 0 });
    shape("circle", { r: 22, class: "reach" }, group);
    const put = (point) => move(point.map((value) => roundPoint(Math.min(extent, Math.max(-extent, value)))));
    group.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      event.preventDefault();
      group.focus();
      group.setPointerCapture(event.pointerId);
      held = group;
      box = svg.getBoundingClientRect(); // asked once: each time it would cost a layout
      take();
    });
    group.addEventListener("pointermove", (event) => {
      if (held !== group) return;
      const px = ((event.clientX - box.left) / box.width - 0.5) * 2 * extent;
      const py = (0.5 - (event.clientY - box.top) / box.height) * 2 * extent;
      put([px, py]);
    });
    const letGo = () => { if (held === group) { held = null; release(); } };
    group.addEventListener("pointerup", letGo);
    group.addEventListener("pointercancel", letGo);
    group.addEventListener("keydown", (event) => {
      const way = WAYS[event.key];
      const step = event.shiftKey ? 0.25 : 0.05;
      if (way) put(get().map((value, axis) => value + step * way[axis]));
      else if (!press(event)) return;
      event.preventDefault();
      release();
    });
    return group;
  }

  /** Put a handle where its point is; `spoken` is what a screen reader says of it. */
  function place(group, [px, py], spoken) {
    setAttributes(group, {
      transform: `translate(${x(px)} ${y(py)}) scale(${plane.zoom})`, "aria-valuenow": px, "aria-valuetext": spoken,
    });
  }

  const scrolled = () => { if (held !== null) box = svg.getBoundingClientRect(); };
  document.addEventListener("scroll", scrolled, { capture: true, passive: true });
  const sized = new ResizeObserver(() => {
    const wanted = Math.max(1, PLANE_SIZE / Math.max(svg.clientWidth, 1)); // points grow where the plane is small: a finger meets them
    if (Math.abs(wanted - plane.zoom) < 0.01) return;
    plane.zoom = wanted;
    redraw();
  });
  sized.observe(svg);

  function close() {
    document.removeEventListener("scroll", scrolled, { capture: true });
    sized.disconnect();
  }

  return plane;
}
