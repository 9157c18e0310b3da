// Controls that belong to a value of the view: each writes it, and shows it again whenever the view is drawn.
import { element, plainLabel, setAttributes, shortNumber, wholeCharacters, writeText } from "./dom.js";

const NUMBER_ALONE = /^<? ?[+\u2212-]?[\d.]+(e[+-]?\d+)?( %| of \d+)?$/; // never broken at its minus or its unit

/** A slider with its name and value; on a log scale, `step` is that of the decimal logarithm, and both ends can be reached. */
export function slider(page, parent, name, { label, low, high, step, log = false, format = shortNumber, get, set }) {
  const count = Math.round(Math.log10(high / low) / step);
  const toPlace = (value) => (log ? (count * Math.log(value / low)) / Math.log(high / low) : value);
  const toValue = (place) => (log ? Number((low * (high / low) ** (place / count)).toPrecision(4)) : Number(place.toFixed(6)));
  const read = get ?? (() => page.values[name]);
  const write = set ?? ((value) => page.change({ [name]: value }, name));
  const row = element("label", { class: "control slider" }, parent);
  const title = writeText(element("span", { class: "control-name" }, row), label);
  const shown = element("output", {}, row);
  const ends = log ? { min: 0, max: count, step: 1 } : { min: low, max: high, step };
  const input = element("input", { type: "range", ...ends, "aria-label": plainLabel(label) }, row);
  input.addEventListener("input", () => write(Math.min(high, Math.max(low, toValue(Number(input.value))))));
  page.onDraw(() => {
    const value = read();
    const text = format(value);
    if (toValue(Number(input.value)) !== value) input.value = toPlace(value);
    setAttributes(input, { "aria-valuetext": text });
    setAttributes(shown, { text });
  });
  return { row, title, input };
}

/** A list to choose from: `options` are pairs of value and words. */
export function select(page, parent, name, { label, options }) {
  const row = element("label", { class: "control select" }, parent);
  element("span", { class: "control-name" }, row, label);
  const list = element("select", {}, row);
  for (const [value, words] of options) element("option", { value }, list, words);
  list.addEventListener("change", () => page.change({ [name]: list.value }, null));
  page.onDraw(() => { if (list.value !== String(page.values[name])) list.value = page.values[name]; });
  return row;
}

/** Boxes to tick, of which any number may be: `options` are triples of value, name and what it is. */
export function checkList(page, parent, name, { label, options }) {
  const box = element("fieldset", { class: "ticks" }, parent);
  element("legend", {}, box, label);
  const inputs = options.map(([value, words, what]) => {
    const row = element("label", { class: "check" }, box);
    const input = element("input", { type: "checkbox" }, row);
    const text = element("span", {}, row);
    element("strong", {}, text, words);
    if (what) text.append(` ${what}`);
    input.addEventListener("change", () => {
      const chosen = options.map(([one]) => one).filter((one) => (one === value ? input.checked : page.values[name].includes(one)));
      page.change({ [name]: chosen }, null);
    });
    return [value, input];
  });
  page.onDraw(() => { for (const [value, input] of inputs) input.checked = page.values[name].includes(value); });
  return box;
}

/** A box to write in; with `rows` above 1 it has several lines. What is longer than `most` cannot be typed. */
export function textBox(page, parent, name, { label, most, rows = 1, placeholder = "" }) {
  const row = element("label", { class: "control text-input" }, parent);
  element("span", { class: "control-name" }, row, label);
  const attributes = { maxlength: most, spellcheck: "false", autocomplete: "off", placeholder };
  const input = rows > 1 ? element("textarea", { rows, ...attributes }, row) : element("input", { type: "text", ...attributes }, row);
  input.addEventListener("input", () => page.change({ [name]: wholeCharacters(input.value) }, name));
  page.onDraw(() => { if (input.value !== page.values[name]) input.value = page.values[name]; });
  return { row, input };
}

export function button(parent, words, action, attributes = {}) {
  const made = element("button", { type: "button", ...attributes }, parent, words);
  made.addEventListener("click", action);
  return made;
}

/** Buttons of which one is pressed: `options` are pairs of value and words. */
export function tabs(page, parent, name, { label, options }) {
  const row = element("div", { class: "tabs", role: "group", "aria-label": label }, parent);
  const buttons = options.map(([value, words]) => [value, button(row, words, () => page.change({ [name]: value }, null))]);
  page.onDraw(() => {
    for (const [value, made] of buttons) setAttributes(made, { "aria-pressed": String(page.values[name] === value) });
  });
  return row;
}

/** The box of a table, which scrolls where the table is wider; then the keyboard can reach it. */
export function tableBox(parent) {
  const box = element("div", { class: "table" }, parent);
  const watch = new ResizeObserver(() => setAttributes(box, { tabindex: box.scrollWidth > box.clientWidth ? 0 : null }));
  watch.observe(box);
  return { box, watch };
}

/** A table whose rows are written anew: `columns` are its headings; a wide one has its rows as cards where the page is narrow. */
export function table(parent, columns, caption, { isWide = false } = {}) {
  const { box, watch } = tableBox(parent);
  const made = element("table", { class: isWide ? "wide" : null }, box);
  watch.observe(made);
  if (caption) element("caption", {}, made, caption);
  const head = element("tr", {}, element("thead", {}, made));
  columns.forEach((column, i) => element("th", { scope: "col", class: i ? "number" : null }, head, column));
  const body = element("tbody", {}, made);
  return (rows) => {
    while (body.rows.length > rows.length) body.lastChild.remove();
    rows.forEach((cells, y) => {
      const row = body.rows[y] ?? element("tr", {}, body);
      cells.forEach((cell, x) => {
        const text = String(cell.text ?? cell);
        const made = row.cells[x] ?? element(x ? "td" : "th", { "data-label": columns[x], ...(x ? { class: "number" } : { scope: "row" }) }, row);
        setAttributes(made, { text });
        made.classList.toggle("best", Boolean(cell.best));
        made.classList.toggle("one-line", NUMBER_ALONE.test(text));
      });
    });
  };
}
