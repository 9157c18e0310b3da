// Are the derivatives right? Every number of a small network is nudged, and the loss is seen to change.
import { isServed, latest, writeNeedsPython } from "../parts/api.js";
import { button, select, table } from "../parts/controls.js";
import { element, setAttributes, writeText } from "../parts/dom.js";
import { makePlot } from "../parts/plot.js";
import { pyText } from "../parts/python.js";

const NAMES = { x: "x", w1: "W₁", b1: "b₁", w2: "W₂", b2: "b₂" };
const LONG_NAMES = {
  x: "the word vector *x*", w1: "the weights *W*_{1} of the first layer", b1: "its offsets *b*_{1}",
  w2: "the weights *W*_{2} of the second layer", b2: "its offsets *b*_{2}",
};
const METHODS = ["central difference", "complex step"];
const MISTAKES = [["none", "none"], ["slope", "the slope of the other function"], ["sign", "y − ŷ instead of ŷ − y"]];
const MIN_GAP = 1e-18; // what a gap of nothing is drawn as

/** The section in `parent`: a random network, a mistake to make, and where it shows. */
export function makeDerivatives(page, parent) {
  const section = element("section", { class: "derivatives", "aria-label": "Are the derivatives right?" }, parent);
  element("h2", {}, section, "Are the derivatives right?");
  element("p", { class: "said" }, section, "A small random network. Each derivative by its formula is set beside one that is measured: change a number a little, and see how the loss changes. Make a mistake on purpose, and see where it shows.");
  const controls = element("div", { class: "controls" }, section);
  select(page, controls, "activation", { label: "function of the hidden units", options: [["sigmoid", "sigmoid"], ["tanh", "tanh"]] });
  select(page, controls, "mistake", { label: "mistake to make", options: MISTAKES });
  const again = button(element("div", { class: "buttons" }, controls), "", () => page.change({ network: (page.values.network + 1) % 1_000_000 }));
  const verdict = element("p", { role: "status" }, section);
  const plot = makePlot(element("div", { class: "plot-box" }, section), {
    label: "How far each derivative is from what was measured", title: "gap between formula and measurement", ratio: 0.42,
    x: { label: "derivative of the loss by", low: 0.5, high: 5.5, ticks: [1, 2, 3, 4, 5], names: { 1: "x", 2: "W₁", 3: "b₁", 4: "W₂", 5: "b₂" } },
    y: { label: "relative gap", low: MIN_GAP / 2, high: 10, log: true },
  });
  const write = table(section, ["derivative by", "numbers", "largest", "gap to central differences", "gap to complex steps", "right"], "", { isWide: true });
  const ask = latest(page.slug, "derivatives");
  let asked = "";
  page.onDraw(({ network }) => setAttributes(again, { text: `Draw another network (this is number ${network})` }));
  page.onRest(async ({ network, activation, mistake }) => {
    const question = JSON.stringify([network, activation, mistake]);
    if (question === asked) return;
    asked = question;
    if (!isServed()) { writeNeedsPython(verdict, "The comparison of derivatives"); return; }
    try {
      const answer = await ask({ network, activation, mistake });
      if (answer !== null) show(answer);
    } catch (error) {
      verdict.textContent = `Python gave no answer: ${error.message}.`;
    }
  });

  function show({ rows, tolerances }) {
    const wrong = rows.filter(({ holds }) => !holds).map(({ parameter }) => LONG_NAMES[parameter]);
    writeText(verdict, wrong.length ? `**Wrong derivatives:** those by ${wrong.join(", ")}.` : "**All derivatives are right.** Only rounding is left.");
    plot.draw({
      points: METHODS.flatMap((method, m) => rows.map(({ gaps }, i) => ({
        at: [i + 1 + (m ? 0.12 : -0.12), Math.max(MIN_GAP, gaps[method])], style: m, mark: m ? "square" : "dot",
      }))),
      lines: METHODS.map((method, m) => ({ points: [[0.5, tolerances[method]], [5.5, tolerances[method]]], style: m })),
      legend: METHODS.map((name, m) => ({ name: `${name}; line: its limit`, style: m })),
    });
    write(rows.map(({ parameter, entries, largest, gaps, holds }) => [
      NAMES[parameter], entries, largest.toPrecision(2), ...METHODS.map((method) => gaps[method].toExponential(1)), { text: holds ? "yes" : "no", best: !holds },
    ]));
  }
}

/** Code that checks the same network, with the same mistake. */
export function derivativesPython({ network, activation, mistake }) {
  if (mistake !== "none") {
    return `
import numpy as np
from regard.lab.chapters.words.gradients import check_derivatives, draw_network

rows = check_derivatives(draw_network(${network}, activation=${pyText(activation)}), mistake=${pyText(mistake)})
for row in rows:
    print(row.parameter, *row.gaps.values())
`;
  }
  return `
import numpy as np
from regard.models.bigram import BigramNetwork
from regard.training.bigram.gradient_check import check_gradients

rng = np.random.default_rng(${network})
shapes = [(7, 5), (5, 4), (4,), (4, 7), (7,)]
network = BigramNetwork(*(rng.standard_normal(shape) for shape in shapes), activation=${pyText(activation)})
x, y = rng.standard_normal((3, 5)), rng.dirichlet(np.ones(7), size=3)
rows = check_gradients(network, x, y, rng)
for row in rows:
    print(row.parameter, row.central_difference / row.largest_derivative, row.complex_step / row.largest_derivative)
`;
}
