// Words with a bar each, as a drawing that can be saved; a word may be chosen by click or keyboard.
import { setAttributes, shape, shortNumber } from "./dom.js";

const ROW = 27;
const TOP = 30;
const VALUE = 54; // what the number at the end of a bar takes

/** The drawing in `parent`; `draw({title, rows})` takes rows {name, value, isFixed}, of which those that are not fixed can be picked. */
export function makeWordBars(parent, { label, style, pick }) {
  const svg = shape("svg", { class: "plot word-bars", role: "group", "aria-label": label }, parent);
  let last = null;

  function draw(content) {
    last = content;
    const width = Math.floor(parent.getBoundingClientRect().width);
    if (!width) return;
    const unit = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
    const [row, top] = [ROW * unit, TOP * unit];
    const names = Math.min(0.45 * width, 14 + 8.2 * unit * Math.max(4, ...content.rows.map(({ name }) => name.length)));
    const most = Math.max(1e-9, ...content.rows.map(({ value }) => value));
    const height = top + row * Math.max(1, content.rows.length);
    setAttributes(svg, { viewBox: `0 0 ${width} ${height}`, width, height });
    const group = shape("g", {});
    shape("text", { class: "plot-title", x: 0, y: 15 * unit }, group).textContent = content.title;
    content.rows.forEach(({ name, value, isFixed }, i) => {
      const y = top + i * row;
      const line = shape("g", isFixed ? {} : { class: "pick", role: "button", tabindex: 0, "aria-label": `${name}, ${shortNumber(value, 2)}` }, group);
      shape("rect", { class: "reach", x: 0, y, width, height: row - 2 }, line);
      shape("text", { class: isFixed ? "tick" : "note", x: names - 8, y: y + 0.66 * row, "text-anchor": "end" }, line).textContent = name;
      const length = (Math.max(0, value) / most) * (width - names - VALUE * unit);
      shape("rect", { class: `bar c${style}`, x: names, y: y + 0.16 * row, width: Math.max(1, length), height: 0.62 * row }, line);
      shape("text", { class: "note", x: names + length + 6, y: y + 0.66 * row }, line).textContent = shortNumber(value, 2);
      if (isFixed) return;
      line.addEventListener("click", () => pick(name));
      line.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        pick(name);
      });
    });
    svg.replaceChildren(group);
  }

  new ResizeObserver(() => { if (last) draw(last); }).observe(parent);
  return { svg, draw };
}
