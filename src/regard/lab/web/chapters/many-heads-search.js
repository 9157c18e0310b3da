// The search for the best queries of all, watched: Python, or the page, goes down the exact gradient; the bars move with it.
import { askLong, isServed } from "../parts/api.js";
import { button, select } from "../parts/controls.js";
import { element, setAttributes, shortNumber } from "../parts/dom.js";
import { saveButtons } from "../parts/export.js";
import { makePlot, plotRow } from "../parts/plot.js";
import { searchedExercise } from "./many-heads-law.js";
import { searchInPage } from "./search-in-page.js";

/** The section below the figures; what is found becomes the view's `design`, which the address keeps. */
export function makeSearch(page, parent, { exerciseOf }) {
  let running = null;
  let steps = []; // {number, error, queries} of every design that was better than all before
  let at = -1; // the step that is shown; −1 for the last

  const section = element("section", { "aria-label": "The robust design" }, parent);
  element("h2", {}, section, "The robust design");
  element("p", { class: "lead" }, section,
    "There may be queries that are better than pulling and pushing. The search begins at the best of several starts and changes all queries little " +
    "by little, always in the direction in which the exact error falls fastest.");
  const row = element("div", { class: "buttons" }, section);
  select(page, row, "robust", { label: "heads to design", options: ["1", "2", "4"].map((value) => [value, value]) });
  const start = button(row, "", () => (running ? running.abort() : run()));
  const forget = button(row, "Remove it", () => { steps = []; page.change({ design: [] }); });
  const status = element("p", { class: "said", role: "status" }, section);
  const stepRow = element("label", { class: "control slider" }, section);
  element("span", { class: "control-name" }, stepRow, "step of the search");
  const stepShown = element("output", {}, stepRow);
  const stepInput = element("input", { type: "range", min: 1, max: 1, step: 1, "aria-label": "step of the search" }, stepRow);
  const boxes = plotRow(section, 2);
  const errorPlot = makePlot(boxes[0], {
    label: "How the error fell", title: "error of the best so far", ratio: 0.5,
    x: { label: "designs tried", low: 1, high: 2 }, y: { label: "error", low: 1e-6, high: 1, log: true },
  });
  const barPlot = makePlot(boxes[1], {
    label: "The queries as bars", title: "mean logit of each key, head by head", ratio: 0.5,
    x: { label: "key", low: -0.5, high: 3.5 }, y: { label: "mean logit", low: -1, high: 1 },
  });
  const save = saveButtons(section, { name: "robust-design", drawings: () => [errorPlot.svg, barPlot.svg], columns });

  stepInput.addEventListener("input", () => {
    at = Number(stepInput.value) - 1;
    page.change({ design: steps[at].queries }, "step");
  });

  async function run() {
    const mine = (running = new AbortController());
    const { nKeys, wanted, variance, everywhere, noise } = exerciseOf(page.values);
    const sent = { n_keys: nKeys, n_wanted: wanted, variance, everywhere, noise, n_heads: Number(page.values.robust) };
    steps = [];
    at = -1;
    page.redraw();
    try {
      const last = isServed() ? await askLong("many-heads", "search", sent, hearPython, mine.signal)
        : await searchInPage(searchedExercise(exerciseOf(page.values)), sent.n_heads, hear, mine.signal);
      if (last.state === "done") steps = last.result.steps;
      setAttributes(status, { text: last.message });
    } catch (error) {
      setAttributes(status, { text: mine.signal.aborted ? `Stopped. ${status.textContent}` : `Python gave no answer: ${error.message}.` });
    }
    running = null;
    page.change(steps.length ? { design: steps.at(-1).queries } : {});
  }

  const hearPython = ({ message, text }) => hear({ message, step: text ? JSON.parse(text) : null });

  function hear({ message, step }) {
    setAttributes(status, { text: message });
    if (step && step.number !== steps.at(-1)?.number) {
      steps.push(step);
      Object.assign(page.values, { design: step.queries });
    }
    page.redraw();
  }

  page.onDraw((values) => {
    const { nKeys, wanted, noise } = exerciseOf(values);
    const isPossible = noise !== "together";
    const isFound = values.design.length > 0 && values.design[0].length === nKeys;
    setAttributes(start, { text: running ? "Stop" : steps.length ? "Find the robust design again" : "Find the robust design", disabled: !isPossible });
    if (noise === "together") setAttributes(status, { text: "The search needs keys that vary independently; here all vary together." });
    else if (values.design.length && !isFound) setAttributes(status, { text: `The design that was found is for ${values.design[0].length} keys, and here are ${nKeys}.` });
    else if (!running && !steps.length) setAttributes(status, { text: isFound ? "This design came with the link." : "" });
    setAttributes(forget, { disabled: !isFound || Boolean(running) });
    const shown = at < 0 ? steps.length - 1 : Math.min(at, steps.length - 1);
    stepRow.hidden = steps.length < 2 || running;
    setAttributes(stepInput, { max: steps.length, "aria-valuetext": `${shown + 1} of ${steps.length}` });
    stepInput.value = shown + 1;
    setAttributes(stepShown, { text: `${shown + 1} of ${steps.length}` });
    boxes[0].hidden = steps.length < 2;
    boxes[1].hidden = save.hidden = !isFound;
    if (steps.length > 1) drawErrors(shown);
    if (isFound) drawBars(values.design, wanted);
  });

  function drawErrors(shown) {
    const points = steps.flatMap(({ number, error }, i) => (i ? [[number, steps[i - 1].error], [number, error]] : [[number, error]]));
    const least = Math.max(1e-9, steps.at(-1).error);
    errorPlot.draw({
      x: { high: Math.max(2, steps.at(-1).number) },
      y: { low: 10 ** Math.floor(Math.log10(least)), high: 10 ** Math.ceil(Math.log10(Math.max(steps[0].error, 2 * least))) },
      lines: [{ points, style: 0 }], points: [{ at: [steps[shown].number, steps[shown].error], style: 1 }],
    });
  }

  /** The mean logit that each head gives each wanted key, and the others' mean; keys are the axes. */
  function drawBars(queries, wanted) {
    const rows = queries.map((query) => [
      ...query.slice(0, wanted), query.slice(wanted).reduce((sum, part) => sum + part, 0) / (query.length - wanted),
    ]);
    const reach = Math.max(0.1, ...rows.flat().map(Math.abs));
    const wide = 0.8 / rows.length;
    barPlot.draw({
      x: { low: -0.5, high: wanted + 0.5, ticks: rows[0].slice(0, wanted).map((_, i) => i), label: `key; the mean of the other ${queries[0].length - wanted} stands last` }, y: { low: -1.1 * reach, high: 1.1 * reach },
      legend: rows.map((_, h) => ({ name: `head ${h}`, style: h, filled: true })),
      bars: rows.flatMap((row, h) => row.map((value, i) => ({ from: i - 0.4 + h * wide, to: i - 0.4 + (h + 1) * wide, value, style: h }))),
      rules: [{ at: 0, axis: "y" }],
      labels: rows.length === 1 ? rows[0].map((value, i) => ({ at: [i - 0.25, Math.max(value, 0)], text: shortNumber(value, 3) })) : [],
    });
  }

  function columns() {
    const list = steps.length ? steps : [{ number: 0, error: "", queries: page.values.design }];
    const found = { design: list.map(({ number }) => number), error: list.map(({ error }) => error) };
    list[0].queries.forEach((query, h) => query.forEach((_, i) => { found[`q_${h}_${i}`] = list.map(({ queries }) => queries[h][i]); }));
    return found;
  }
}
