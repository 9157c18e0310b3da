// The part of chapter 8 that Python computes: classifiers that read pairs of words too, and the worst mistakes.
import { askLong, isServed, writeNeedsPython } from "../parts/api.js";
import { select, table } from "../parts/controls.js";
import { element, setAttributes } from "../parts/dom.js";
import { makeLongWork } from "../parts/long_work.js";
import { makeLossCurve } from "../parts/loss_curve.js";

const FORMS = [["classic", "words alone: the network above"], ["strong", "words, and pairs and triples of neighbours"]];
const SOURCES = [["movie-snippets", "sentences of film reviews"], ["imdb", "whole film reviews (IMDb)"]];
const SHIPPED = "classic movie-snippets";
const positiveShare = (logOdds) => `${(100 / (1 + Math.exp(-logOdds))).toFixed(1)} %`;

/** `tint(node, share, largest)` colours a word by its share. */
export function makePythonPart(page, tint) {
  makeOther(page, tint);
  makeMistakes(page, tint);
}

/** A text with its words coloured, in `parent`. */
function writePieces(parent, pieces, tint) {
  const largest = Math.max(...pieces.map(([, share]) => Math.abs(share)), 0.05);
  parent.replaceChildren(...pieces.map(([text, share]) => {
    const span = element("span", share ? { class: "tinted", title: `${Math.abs(share).toFixed(2)} nats for ${share < 0 ? "negative" : "positive"}` } : {}, null, text);
    if (share) tint(span, share, largest);
    return span;
  }));
}

function makeOther(page, tint) {
  let [seconds, asked, asking] = [0, "", null];
  const section = element("section", { "aria-label": "A classifier that reads pairs of words" }, page.more);
  element("h2", {}, section, "And if pairs of words were read too?");
  element("p", { class: "said" }, section,
    "The strong form also has numbers for pairs such as “not bad”. Python trains it once, keeps it, and reads your review forwards and backwards.");
  const row = element("div", { class: "controls" }, section);
  select(page, row, "form", { label: "What is read", options: FORMS });
  select(page, row, "data", { label: "It learns from", options: SOURCES });
  const work = makeLongWork(page, section, {
    question: "train", label: () => "Train it", seconds: () => seconds,
    sent: () => ({ data: page.values.data, form: page.values.form }),
    hear: ({ points, validation }) => curve.draw({ training: points, validation }),
    finish: () => { work.say(""); asked = ""; judge(page.values); },
  });
  const curve = makeLossCurve(section, { label: "Loss while it learns", x: "round", y: "nats a review", name: "classifier" });
  const said = element("p", { class: "said", role: "status" }, section);
  const writeTable = table(section, ["order", "verdict", "positive", "log-odds, nats"]);
  const result = section.lastElementChild;
  const texts = [element("p", { class: "judged" }, section), element("p", { class: "judged" }, section)];
  work.box.hidden = result.hidden = true;
  page.onRest(judge);

  /** The review as it was written, and its words backwards. */
  function orders({ review }) {
    const words = review.split(/\s+/).filter(Boolean);
    return { review: review.trim() || " ", shuffled: [...words].reverse().join(" ") || " " };
  }

  async function judge({ form, data, review }) {
    const name = `${form} ${data}`;
    const question = JSON.stringify([name, review]);
    if (question === asked) return;
    asked = question;
    asking?.abort();
    work.box.hidden = result.hidden = true;
    texts.forEach((text) => text.replaceChildren());
    if (!isServed()) return writeNeedsPython(said);
    if (name === SHIPPED) return setAttributes(said, { text: "This is the network above: choose what else is read, or other reviews to learn from." });
    const mine = (asking = new AbortController());
    setAttributes(said, { text: "Python is asked …" });
    try {
      const last = await askLong(page.slug, "judge", { data, form, ...orders(page.values) }, () => {}, mine.signal);
      if (mine.signal.aborted) return;
      if (last.state !== "done") setAttributes(said, { text: `${last.message}.` });
      else show(last.result);
    } catch (error) {
      if (!mine.signal.aborted) setAttributes(said, { text: `Python gave no answer: ${error.message}.` });
    }
    return null;
  }

  function show(answer) {
    if (!answer.is_kept) {
      seconds = answer.seconds;
      work.box.hidden = Boolean(answer.needs);
      setAttributes(said, { text: answer.needs ? `${answer.needs[0].toUpperCase()}${answer.needs.slice(1)}` : "This classifier has not been trained here yet." });
      page.redraw();
      return;
    }
    const { written, shuffled, familiarity } = answer;
    result.hidden = false;
    writeTable([["as it was written", written], ["backwards, word by word", shuffled]].map(([order, { log_odds: odds }]) =>
      [order, odds > 0 ? "positive" : "negative", positiveShare(odds), odds.toFixed(3)]));
    writePieces(texts[0], written.pieces, tint);
    writePieces(texts[1], shuffled.pieces, tint);
    const warnings = (familiarity?.warnings ?? []).map((warning) => ` Unlike the training reviews: ${warning}.`).join("");
    const change = Math.abs(written.log_odds - shuffled.log_odds);
    setAttributes(said, {
      text: (change < 1e-9 ? "The order makes no difference: words alone are read." : `The order matters now: it moves the log-odds by ${change.toFixed(3)} nats.`) + warnings,
    });
  }
}

function makeMistakes(page, tint) {
  const section = element("section", { "aria-label": "Mistakes" }, page.more);
  element("h2", {}, section, "Where it is wrong");
  const work = makeLongWork(page, section, {
    question: "mistakes", label: () => "Find its worst mistakes", seconds: () => 5,
    sent: () => ({ data: page.values.data, form: page.values.form }),
    finish: (study) => { work.say(""); show(study); },
  });
  const found = element("div", { class: "mistakes" }, section);
  let name = `${page.values.form} ${page.values.data}`;
  page.onDraw(({ form, data }) => { // mistakes of another classifier are not this one's
    if (name !== `${form} ${data}`) found.replaceChildren();
    name = `${form} ${data}`;
  });

  function show({ n, accuracy, standard_error: error, notes, worst }) {
    found.replaceChildren();
    element("p", {}, found, `Of ${n.toLocaleString("en")} test reviews it is right about ${(100 * accuracy).toFixed(1)} ± ${(100 * error).toFixed(1)} %. ` +
      `The ${worst.length} mistakes that it was surest of:`);
    for (const { pieces, called, probability, is, reasons } of worst) {
      const card = element("article", { class: "mistake" }, found);
      element("h3", {}, card, `Called ${called} (${(100 * probability).toFixed(1)} %); people say ${is}`);
      writePieces(element("p", { class: "judged" }, card), pieces, tint);
      element("p", { class: "said" }, card, reasons.length ? `What may have gone wrong: ${reasons.join("; ")}.` : "No rule has found a likely reason.");
    }
    const details = element("details", {}, found);
    element("summary", {}, details, "What goes with mistakes, in all test reviews");
    const list = element("ul", {}, details);
    for (const note of notes) element("li", {}, list, note);
  }
}
