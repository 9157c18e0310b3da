// Chapter 9: write a claim; see it hold, or see where it fails.
import { askLong, isServed, latest, writeNeedsPython } from "../parts/api.js";
import { button, select, textBox } from "../parts/controls.js";
import { element, setAttributes, writeText } from "../parts/dom.js";
import { mathElement } from "../parts/math.js";
import { openPage } from "../parts/page.js";
import { pyText } from "../parts/python.js";
import { choiceField, textField } from "../parts/state.js";
import { EXAMPLES, SETTINGS } from "./check-examples.js";
import { makeEvidence, makeMark } from "./check-evidence.js";

const MAX_CLAIM = 4000;
const COPY = "q = C k_a; \\alpha_a \\to 1";
const PLAIN = { claim: "\\sum_i \\alpha_i = 1", setting: "attention", goal: "" };
let found = null; // {asked, facts}: the last verdict, and the view that it is about

const page = openPage({
  question: "A derivation that is nearly right looks like one that is right. Which is yours?",
  lead:
    "Write a claim as you would on paper, in LaTeX, plain text or Unicode; put ; between statements. It is tried on random examples of several " +
    "sizes. It holds, holds in the limit, or fails: then you see the smallest example that was found against it.",
  fields: {
    claim: textField(COPY, MAX_CLAIM),
    setting: choiceField("attention", SETTINGS.map(([name]) => name)),
    goal: textField("", MAX_CLAIM),
  },
  python,
  steps: [
    {
      text: "The query is *C* times key *a*, and *C* grows. Does all the weight go to key *a*, whatever the keys are?",
      view: PLAIN,
      choices: ["Yes, always", "No, not for all keys"],
      right: 1,
      shown: { claim: COPY, setting: "attention", goal: "" },
      reveal: "It fails. A longer key that points the same way has a larger dot product with the query, so it is the one that is read: see the two keys in the picture.",
    },
    {
      text: "Leave this claim as it is, and find out what has to be known about the keys for it to hold.",
      view: { claim: COPY, setting: "attention", goal: "" },
      isDone: (values) => values.claim === COPY && values.setting !== "attention" && isTrueNow(values),
      wait: "Choose other keys at “what is known”.",
      reveal: "With orthonormal keys, *k*_{a} has the dot product *C* with the query and every other key has 0. All weight goes to key *a* as *C* grows, and “holds in the limit” says how fast.",
    },
    {
      text: "The keys are orthonormal. Which query reads the average of the values *a* and *b*?",
      view: PLAIN,
      choices: ["*q* = *k*_{a} + *k*_{b}", "*q* = *C* (*k*_{a} + *k*_{b}) with a large *C*", "Neither"],
      right: 1,
      shown: { claim: "q = C(k_a + k_b)", setting: "orthonormal-keys", goal: "" },
      reveal: "Without a factor the other keys are read as well: with ten keys, key *a* gets 0.2 and not 0.5. A large factor leaves them almost nothing.",
    },
    {
      text: "Now the length of key *a* varies, and the average fails. Write another query that still reads it.",
      view: { claim: "q = C(\\mu_a + \\mu_b)", setting: "magnitude-noise", goal: "" },
      isDone: (values) => values.setting === "magnitude-noise" && !values.goal && /^\s*q\s*=[^;]*$/.test(values.claim) && isTrueNow(values),
      wait: "Change the claim. A hint: the query need not have anything to do with key a.",
      reveal: "`q = -C \\sum_{i \\ne a,b} \\mu_i` pushes all other keys away. Both wanted keys have the logit 0, however long key *a* is.",
    },
  ],
});

const row = element("div", { class: "claim-row" }, page.figure);
const mark = makeMark(row);
const { input } = textBox(page, row, "claim", { label: "Claim", most: MAX_CLAIM, rows: 2 });
const formulas = element("div", { class: "formulas", role: "group", "aria-label": "The claim as it was understood" }, page.figure);
const evidence = makeEvidence(page);
const working = element("div", { class: "buttons working", hidden: true }, page.side);
const status = element("p", { class: "said", role: "status" }, page.side);
makeExamples();
select(page, page.side, "setting", { label: "what is known", options: SETTINGS });
textBox(page, page.side, "goal", { label: "goal, if the claim only defines something", most: MAX_CLAIM, placeholder: "that of the setting" });
button(working, "Stop", () => { running?.abort(); });
const again = button(page.side, "Try it again", () => tryClaim(page.values), { hidden: true });
page.side.append(working, status, again);

const readFormulas = latest(page.slug, "typeset");
let running = null;
let asked = "";

page.onRest((values) => {
  const question = JSON.stringify([values.claim, values.setting, values.goal]);
  if (question === asked) return; // only a step has changed
  asked = question;
  tryClaim(values);
});
page.start();
input.setAttribute("autocapitalize", "off");

/** Whether the last verdict is about this view, and says that the claim holds. */
function isTrueNow({ claim, setting, goal }) {
  return found !== null && found.asked === JSON.stringify([claim, setting, goal]) && ["good", "limit"].includes(found.facts.tone);
}

async function tryClaim({ claim, setting, goal }) {
  running?.abort();
  found = null;
  again.hidden = true;
  if (!isServed()) { say(""); return writeNeedsPython(status, "A verdict"); }
  if (!claim.trim()) { formulas.replaceChildren(); return say("Write a claim, or choose an example."); }
  const mine = (running = new AbortController());
  mark("wait");
  evidence.fade();
  typeset(claim);
  const slow = setTimeout(() => { if (running === mine) working.hidden = false; }, 500);
  try {
    const last = await askLong(page.slug, "try", { claim, setting, goal }, ({ state, message }) => {
      if (state !== "done" && !mine.signal.aborted) setAttributes(status, { text: message ? `Python: ${message}.` : "" });
    }, mine.signal);
    if (mine.signal.aborted) return undefined;
    if (last?.state !== "done") return fail(last?.message || "Python has stopped");
    found = { asked: JSON.stringify([claim, setting, goal]), facts: last.result };
    setAttributes(status, { text: "" });
    mark(last.result.tone);
    evidence.show(last.result);
    page.redraw(); // a step may be done now
  } catch (error) {
    if (running !== mine) return undefined; // another claim is being tried
    fail(mine.signal.aborted ? "Stopped: there is no verdict on this claim" : `Python gave no answer: ${error.message}`);
  } finally {
    clearTimeout(slow);
    if (running === mine) { running = null; working.hidden = true; }
  }
  return undefined;
}

function say(words) {
  mark("none");
  evidence.clear();
  setAttributes(status, { text: words });
}

function fail(words) {
  say(`${words}.`);
  again.hidden = false;
}

async function typeset(claim) {
  try {
    const answer = await readFormulas({ claim });
    if (answer === null) return;
    formulas.replaceChildren(...answer.formulas.map((tree) => {
      const box = element("div", { class: "formula", tabindex: 0 });
      box.append(mathElement(tree));
      return box;
    }));
  } catch {
    formulas.replaceChildren(); // the verdict says what is wrong
  }
}

function makeExamples() {
  const label = element("label", { class: "control select" }, page.side);
  element("span", { class: "control-name" }, label, "examples");
  const list = element("select", {}, label);
  element("option", { value: "" }, list, "your own claim");
  EXAMPLES.forEach(({ name }, i) => element("option", { value: String(i) }, list, name));
  list.addEventListener("change", () => {
    const chosen = EXAMPLES[Number(list.value)];
    if (list.value !== "" && chosen) page.change({ claim: chosen.claim, setting: chosen.setting, goal: "" });
  });
  page.onDraw(({ claim, setting, goal }) => {
    const place = EXAMPLES.findIndex((one) => one.claim === claim && one.setting === setting && !goal);
    const value = place < 0 ? "" : String(place);
    if (list.value !== value) list.value = value;
  });
}

function python({ claim, setting, goal }) {
  const given = [pyText(claim), ...(setting ? [`setting=${pyText(setting)}`] : []), ...(goal ? [`goal=${pyText(goal)}`] : [])];
  return `
from regard.claims.check import check

verdict = check(${given.join(", ")})
print(verdict.verdict, verdict.reason, sep=": ")
print(verdict.counterexample)
`;
}
