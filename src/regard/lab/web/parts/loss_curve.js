// How a loss falls while a model learns: training and validation as two lines, each with its own points.
import { element } from "./dom.js";
import { saveButtons } from "./export.js";
import { makePlot } from "./plot.js";

/** The plot in `parent`, hidden until there is a line; `draw({training, validation})` takes lists of [x, y]. */
export function makeLossCurve(parent, { label, x, y, name = "loss" }) {
  const box = element("div", { class: "loss-curve", hidden: true }, parent);
  const plot = makePlot(element("div", { class: "plot-box" }, box), {
    label, title: label, ratio: 0.45, x: { label: x, low: 0, high: 1 }, y: { label: y, low: 0, high: 1 },
  });
  let shown = { training: [], validation: [] };
  saveButtons(box, { name, drawings: () => [plot.svg], columns });

  function columns() {
    const rows = ["training", "validation"].flatMap((kind) => shown[kind].map(([at, loss]) => [kind, at, loss]));
    return { kind: rows.map(([kind]) => kind), [x]: rows.map(([, at]) => at), loss: rows.map(([, , loss]) => loss) };
  }

  function draw({ training = [], validation = [], last = 0 }) {
    shown = { training, validation };
    const all = [...training, ...validation];
    box.hidden = training.length < 2 && validation.length < 2;
    if (box.hidden) return;
    const losses = all.map(([, loss]) => loss);
    const [low, high] = [Math.min(...losses), Math.max(...losses)];
    const room = 0.06 * (high - low || 1);
    plot.draw({
      x: { low: Math.min(...all.map(([at]) => at), 0), high: Math.max(last, ...all.map(([at]) => at)) },
      y: { low: Math.max(0, low - room), high: high + room },
      lines: [
        ...(training.length > 1 ? [{ points: training, style: 0 }] : []),
        ...(validation.length > 1 ? [{ points: validation, style: 1 }] : []),
      ],
      points: validation.map((at) => ({ at, style: 1 })),
      legend: [
        ...(training.length ? [{ name: "training (mean of the last steps)", style: 0 }] : []),
        ...(validation.length ? [{ name: "validation", style: 1 }] : []),
      ],
    });
  }

  return { box, plot, draw };
}
