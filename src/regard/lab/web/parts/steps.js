// Predict, then reveal: tasks that set the view, check what the reader did, and explain it.
import { button } from "./controls.js";
import { element, setAttributes, writeText } from "./dom.js";

const STORE = "regard-lab-steps";

/**
 * A step has `text`, perhaps a `view` that it sets, and either `choices` with the number of the `right` one, or `isDone(values)` that
 * sees whether a task is done; `reveal` explains, and may set the view `shown`.
 */
export function makeSteps(page, parent, steps) {
  const done = new Set(readProgress(page.slug));
  const box = element("section", { class: "steps", "aria-label": "Steps" }, parent);
  const head = element("div", { class: "steps-head" }, box);
  const back = button(head, "←", () => open(page.values.step - 1), { "aria-label": "Previous step" });
  const title = element("h2", {}, head);
  const next = button(head, "→", () => open(page.values.step + 1), { "aria-label": "Next step" });
  const text = element("p", { class: "step-text" }, box);
  const choices = element("div", { class: "choices", role: "group", "aria-label": "Your prediction" }, box);
  const task = element("p", { class: "step-task", role: "status" }, box);
  const revealButton = button(box, "Reveal", () => reveal());
  const answer = element("p", { class: "step-answer", role: "status" }, box);
  let shown = null; // the step whose words are in the page
  let picked = null;

  function open(number) {
    if (number < 0 || number > steps.length) return;
    page.change({ step: number, ...structuredClone(steps[number - 1]?.view ?? {}) });
  }

  function show(number) {
    shown = number;
    picked = null;
    const step = steps[number - 1];
    const nDone = steps.filter((_, i) => done.has(i + 1)).length;
    setAttributes(title, { text: step ? `Step ${number} of ${steps.length}` : `${steps.length} steps to try` });
    setAttributes(back, { disabled: number <= 0 });
    setAttributes(next, { disabled: number >= steps.length });
    writeText(text, step?.text ?? (nDone ? `You have done ${nDone} of ${steps.length}.` : "Predict, then see."));
    choices.replaceChildren();
    (step?.choices ?? []).forEach((words, i) => writeText(button(choices, "", () => pick(i), { "aria-pressed": "false" }), words));
    choices.hidden = !step?.choices;
    revealButton.hidden = !step;
    revealButton.disabled = false;
    writeText(task, (task.dataset.words = ""));
    answer.textContent = "";
    box.classList.toggle("started", Boolean(step));
  }

  function pick(number) {
    picked = number;
    [...choices.children].forEach((made, i) => made.setAttribute("aria-pressed", String(i === number)));
    if (!document.documentElement.classList.contains("presenting")) reveal();
  }

  function reveal() {
    const step = steps[shown - 1];
    const isRight = picked === null ? null : picked === step.right;
    const verdict = isRight === null ? "" : isRight ? "**Yes.** " : "**No.** ";
    [...choices.children].forEach((made, i) => made.classList.toggle("right", i === step.right));
    writeText(answer, verdict + step.reveal);
    revealButton.disabled = true;
    if (step.shown) page.change(structuredClone(step.shown));
    if (isRight) finish();
  }

  function finish() {
    if (done.has(shown)) return;
    done.add(shown);
    for (const number of readProgress(page.slug)) done.add(number); // another tab may have done some
    keepProgress(page.slug, [...done].sort());
  }

  page.onDraw((values) => {
    if (values.step !== shown) show(values.step);
    const step = steps[shown - 1];
    if (!step?.isDone) return;
    const isDone = step.isDone(values);
    if (isDone) finish();
    const words = isDone ? "Done." : step.wait ?? "";
    if (task.dataset.words !== words) writeText(task, (task.dataset.words = words));
    task.classList.toggle("done", isDone);
    if (isDone && !answer.textContent && !document.documentElement.classList.contains("presenting")) reveal();
  });

  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const isPresenting = document.documentElement.classList.contains("presenting");
    const isFree = !event.target.closest?.("input, select, textarea, [role=slider], pre, summary");
    const keys = { PageDown: 1, PageUp: -1, ...(isFree ? { ArrowRight: 1, ArrowLeft: -1 } : {}) };
    if (isPresenting && keys[event.key]) {
      event.preventDefault();
      open(page.values.step + keys[event.key]);
    } else if (isPresenting && isFree && (event.key === "r" || event.key === ".") && shown > 0) reveal();
  });
  addEventListener("present", (event) => { if (event.detail && page.values.step === 0) open(1); });
}

/** The steps done before in this browser; nowhere else are they kept. */
function readProgress(slug) {
  try {
    return JSON.parse(localStorage.getItem(STORE) ?? "{}")[slug] ?? [];
  } catch {
    return [];
  }
}

function keepProgress(slug, numbers) {
  try {
    const all = JSON.parse(localStorage.getItem(STORE) ?? "{}");
    localStorage.setItem(STORE, JSON.stringify({ ...all, [slug]: numbers }));
  } catch {
    // A browser that keeps nothing still shows the steps.
  }
}
