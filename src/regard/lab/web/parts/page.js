// A chapter's page: its question, the figure beside its controls, steps, Python; drawn anew with the next frame after a change.
import { isServed, latest } from "./api.js";
import { button } from "./controls.js";
import { element, writeText } from "./dom.js";
import { pageButton } from "./export.js";
import { openState, wholeField } from "./state.js";
import { makeSteps } from "./steps.js";

const REST = 250; // milliseconds without a change after which the hand rests
const LONG = 1000; // milliseconds without an answer after which that is told

/**
 * Open the page. `fields` say what the address may give, `question` and `lead` stand on top, `steps` are tasks for the reader,
 * `python(values)` is code that gives the numbers of the view. `check(values)` gives sentences about values of a link that do not fit together.
 */
export function openPage({ fields, question, lead, steps = [], python, check = () => [] }) {
  const slug = document.body.dataset.chapter;
  document.documentElement.classList.toggle("embed", new URLSearchParams(location.search).has("embed"));
  const main = document.querySelector("main");
  const drawers = [];
  const resters = [];
  let isWaiting = false;
  let timer = null;
  let control = null;

  // Before the state counts another hand: what the last one moved is still its own entry.
  addEventListener("pointerdown", () => { if (page.isMoving) rest(true); }, { capture: true });
  const state = openState({ ...fields, step: wholeField(0, 0, steps.length) }, () => { draw(); rest(false); }); // drawn first: chapters fit what belongs to a view to it then
  const page = { slug, values: state.values, isMoving: false, change, redraw: request, onDraw, onRest, confirm, start, main };

  const tools = element("div", { class: "buttons tools" }, document.querySelector("nav"));
  tools.append(pageButton(), button(null, "Present", () => present(), { class: "present" }));
  element("p", { class: "question" }, main, question);
  writeText(element("p", { class: "lead" }, main), lead);
  for (const complaint of [...state.complaints, ...check(state.values)]) element("p", { class: "complaint", role: "alert" }, main, complaint);
  const tooLong = element("p", { class: "notice", role: "status" }, main, "A text of this view is too long for a link: the address leaves it out.");
  tooLong.hidden = true;
  page.board = element("div", { class: "board" }, main);
  page.figure = element("section", { class: "figure", "aria-label": "Figure" }, page.board);
  page.side = element("section", { class: "side", "aria-label": "Controls and numbers" }, page.board);
  if (steps.length) makeSteps(page, page.side, steps);
  page.more = element("div", { class: "more" }, page.board);

  /** Change some values of the view; `by` names the control, whose changes in one go are one entry for Back. */
  function change(changes, by = null) {
    Object.assign(page.values, changes);
    control = by;
    page.isMoving = true; // figures may be a little less exact until the hand rests
    request();
    clearTimeout(timer);
    timer = setTimeout(() => rest(true), REST);
  }

  // Plots follow their boxes and the theme by themselves; what is measured or painted when it is drawn does not.
  addEventListener("resize", request);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", request);

  function request() {
    if (isWaiting) return;
    isWaiting = true;
    requestAnimationFrame(() => { isWaiting = false; draw(); });
  }

  function draw() {
    for (const drawer of drawers) drawer(page.values);
  }

  function rest(isNew) {
    clearTimeout(timer);
    if (page.isMoving) request();
    page.isMoving = false;
    if (isNew) tooLong.hidden = state.keep(control);
    for (const rester of resters) rester(page.values);
  }

  function onDraw(drawer) { drawers.push(drawer); }
  function onRest(rester) { resters.push(rester); }

  /** Everything is made: draw it for the first time. */
  function start() {
    if (python) listing(page, python);
    draw();
    document.body.dataset.ready = "yes";
    setTimeout(() => rest(false), 0); // what is slower than a frame comes after the page can be used
  }

  /**
   * A line that says how Python's numbers differ from those in the page, whenever the hand rests. `sent(values)` is the question, or
   * the sentence that says why there is none, null where nothing need be said; `compare(answer)` gives the largest difference, which may be `near`; `hear(answer)` may use the
   * rest of it. `isLong` is a question that may take its time.
   */
  function confirm(parent, name, { sent, compare, hear = () => {}, near = 1e-6, isLong = false }) {
    const line = element("p", { class: "confirmation", role: "status" }, parent, "Python is asked …");
    const asking = latest(slug, name, isLong);
    let slow = null;
    onRest(async (values) => {
      clearTimeout(slow);
      if (!isServed()) {
        line.textContent = "Computed in this page. Where the lab is served, Python checks these numbers.";
        return;
      }
      const question = sent(values);
      line.classList.remove("failed");
      if (question === null || typeof question === "string") {
        asking(null); // what is on its way is about another view
        line.textContent = question ?? "";
        return;
      }
      const mine = (slow = setTimeout(() => { line.textContent = "Python is asked …"; }, LONG)); // what stands there is about another view
      try {
        const answer = await asking(question).finally(() => clearTimeout(mine));
        if (answer === null || JSON.stringify(sent(values)) !== JSON.stringify(question)) return; // the view has moved on
        const difference = compare(answer, values);
        const isFar = !(difference <= near);
        line.classList.toggle("failed", isFar);
        line.textContent = `Python ${isFar ? "does not agree" : "agrees"}: ` +
          `its numbers differ from those in the page by at most ${difference.toExponential(1)}.`;
        hear(answer, values);
      } catch (error) {
        line.classList.add("failed");
        line.textContent = `Python gave no answer: ${error.message}.`;
      }
    });
  }

  return page;
}

function listing(page, python) {
  const details = element("details", { class: "code" }, page.main);
  element("summary", {}, details, "Show the Python for this");
  const code = element("code", {}, element("pre", { tabindex: 0 }, details));
  const copy = button(details, "Copy", async () => {
    await navigator.clipboard.writeText(code.textContent);
    copy.textContent = "Copied";
    setTimeout(() => { copy.textContent = "Copy"; }, 1500);
  });
  page.onRest((values) => { code.textContent = python(values).trim(); });
}

/** Full screen and larger type, for a class; the same button ends it. */
function present() {
  const root = document.documentElement;
  const begins = !root.classList.contains("presenting");
  root.classList.toggle("presenting", begins);
  if (begins) root.requestFullscreen?.().catch(() => {});
  else if (document.fullscreenElement) document.exitFullscreen();
  document.querySelector("nav .present").textContent = begins ? "End presenting" : "Present";
  dispatchEvent(new CustomEvent("present", { detail: begins }));
}

addEventListener("fullscreenchange", () => {
  const isPresenting = document.documentElement.classList.contains("presenting");
  if (!document.fullscreenElement && isPresenting) present();
});
