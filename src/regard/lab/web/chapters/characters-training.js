// Training from the page of chapter 6: what, on which text, for how long; its loss as two lines; what was stopped goes on.
import { askLong } from "../parts/api.js";
import { select } from "../parts/controls.js";
import { element, setAttributes } from "../parts/dom.js";
import { makeLongWork } from "../parts/long_work.js";
import { makeLossCurve } from "../parts/loss_curve.js";

export const CORPORA = ["python-manual", "tinyshakespeare", "shakespeare", "ptb/train"];
export const STEPS = ["20", "100", "300", "1000", "2000", "4000"];
const NAMES = {
  "python-manual": "the Python manual", tinyshakespeare: "tinyshakespeare", shakespeare: "Shakespeare's plays", "ptb/train": "Penn Treebank",
};
const KIND_NAMES = [["transformer", "a Transformer"], ["recurrent", "a recurrent network"]];
const SECONDS = { transformer: 0.03, recurrent: 0.03 }; // a step, on one core
const AT_FIRST = 5;

/** The section below the figure; `models.show(key)` reads with what was trained. */
export function makeTraining(page, models) {
  const section = element("section", { "aria-label": "Train a model" }, page.more);
  element("h2", {}, section, "Train one yourself");
  element("p", { class: "said" }, section,
    "A Transformer with 2 layers of 4 heads, or a recurrent network (a GRU of 128 numbers). Python trains it and keeps it; then it runs in this " +
    "page, in the place of the model above. Stopped training is kept too, and goes on where it stopped.");
  const row = element("div", { class: "controls" }, section);
  select(page, row, "kind", { label: "What learns", options: KIND_NAMES });
  select(page, row, "corpus", { label: "Text to learn from", options: CORPORA.map((name) => [name, NAMES[name]]) });
  select(page, row, "steps", { label: "Steps", options: STEPS.map((steps) => [steps, Number(steps).toLocaleString("en")]) });
  const sent = () => ({ corpus: page.values.corpus, kind: page.values.kind, steps: Number(page.values.steps) });
  let asked = null;
  const work = makeLongWork(page, section, {
    question: "train", label: () => "Train it", seconds: () => AT_FIRST + SECONDS[page.values.kind] * Number(page.values.steps),
    sent: () => (asked = sent()),
    hear: ({ points, validation }) => curve.draw({ training: points, validation, last: asked.steps }),
    finish: ({ key, note: found }) => { setAttributes(note, { text: found }); models.show(key); },
    stop: showStopped,
  });
  const note = element("p", { class: "said", role: "status" }, section);
  const curve = makeLossCurve(section, { label: "Loss while it learns", x: "step", y: "nats a character" });

  /** What was stopped has left a model, unless it was stopped before its first step. */
  async function showStopped() {
    try {
      const last = await askLong(page.slug, "find", asked, () => {});
      if (last.state === "done" && last.result.key) await models.show(last.result.key);
    } catch {
      // Nothing is lost: the model that was shown is still there.
    }
  }
}
