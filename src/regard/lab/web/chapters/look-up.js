// Chapter 1: drag the query and the keys, and see what is read, and what never can be.
import { copyQuery, copyScaleAlong } from "../engine/queries.js";
import { makeAttention, toRgb } from "../parts/attention.js";
import { palette } from "../parts/colours.js";
import { button, slider, table } from "../parts/controls.js";
import { element, setAttributes, shortNumber, writeText } from "../parts/dom.js";
import { saveButtons } from "../parts/export.js";
import { openPage } from "../parts/page.js";
import { pyArray, pyNumber } from "../parts/python.js";
import { numberField, pointsField, wholeField } from "../parts/state.js";

const EXTENT = 2;
const MAX_KEYS = 50;
const SCALES = [0.1, 1000];
const ERRORS = [0.1, 0.01, 0.001];
const AIM_LENGTH = 1.5; // how far from the origin a query is put that was computed: inside the plane, its scale does the rest
const KEYS = [[1, 0.6], [-0.4, 1.2], [-1.2, -0.2], [0.2, -1.1], [0.1, 0.2]];

const page = openPage({
  question: "A query reads every key a little. Which keys can it read almost alone, and which never?",
  lead:
    "The query *q* gives key *k*_{i} the weight *α*_{i}, where *α* = softmax(*C K q*), and gets *c* = Σ *α*_{i} *v*_{i}; here the " +
    "values *v* are colours. Drag the query or a key, or focus one and use the arrow keys.",
  fields: {
    keys: pointsField(KEYS, MAX_KEYS, { high: EXTENT }),
    query: pointsField([[0.6, 0.7]], 1, { high: EXTENT }),
    scale: numberField(3, ...SCALES),
    key: wholeField(0, 0, MAX_KEYS - 1),
  },
  python,
  steps: [
    {
      text: "Drag the query *q* (the triangle) until key 3 has more than 0.9 of the weight.",
      view: { keys: KEYS, query: [[0.6, 0.7]], scale: 3, key: 3 },
      isDone: () => attention.compute().weights[3] > 0.9,
      wait: "Not yet: look at the bar of key 3.",
      reveal:
        "A key's weight grows with its dot product with the query. Pointing at key 3 gives it the largest one; a longer query, or a " +
        "larger scale *C*, makes its lead count for more.",
    },
    {
      text: "Key 4 lies among the other keys. Can a query be found that reads key 4 more than every other key?",
      view: { keys: KEYS, query: [[0.35, 0.7]], scale: 3, key: 0 },
      shown: { key: 4 },
      choices: ["Yes, one that points exactly at it", "Yes, if the scale is large enough", "No"],
      right: 2,
      reveal:
        "Key 4 is a mix of the other keys, so for every query its logit is the same mix of their logits, and a mix is never more than " +
        "the largest. The dashed mark at its bar is the most that it can have.",
    },
    {
      text: "Now drag key 4 until it can win: until the dashed ring round it disappears.",
      view: { keys: KEYS, query: [[0.35, 0.7]], scale: 3, key: 4 }, // not upon key 4, which is to be taken
      isDone: (values) => values.keys.length > 4 && attention.compute().bounds[4] === 1,
      wait: "It still lies inside the dashed hull of the others.",
      reveal: "Outside the hull of the other keys there is a direction in which key 4 lies farthest, and a query that points there reads it.",
    },
    {
      text: "The scale goes down to 0.1. What will the output be?",
      view: { keys: KEYS, query: [[0.6, 0.7]], scale: 3, key: 0 },
      choices: ["Nearly the colour of key 0", "Nearly the average of all colours", "Nearly black"],
      right: 1,
      shown: { scale: 0.1 },
      reveal: "All logits are nearly 0, so all weights are nearly equal: a short query reads the average of everything.",
    },
  ],
});

let colours = [];
const view = {
  get colours() { // by place, so that a link has them too
    if (colours.length !== page.values.keys.length) colours = palette(page.values.keys.length);
    return colours;
  },
  set colours(_) {},
  get keys() { return page.values.keys; },
  get query() { return page.values.query[0]; },
  set query(point) { page.values.query = [point]; },
  get scale() { return page.values.scale; },
  get chosen() { return Math.min(page.values.key, page.values.keys.length - 1); },
  set chosen(index) { page.values.key = index; },
};
const controls = element("div", { class: "controls" }, page.side);
slider(page, controls, "scale", {
  label: "scale C of the query", low: SCALES[0], high: SCALES[1], step: 0.01, log: true, format: (value) => value.toPrecision(3),
});
const attention = makeAttention(page.figure, page.side, {
  view, extent: EXTENT, maxKeys: MAX_KEYS, newColours: palette(MAX_KEYS), changed: (by) => page.change({}, by),
});
const answer = element("div", { class: "answer" }, page.side);
const heading = element("h2", {}, answer);
const words = element("p", {}, answer);
const needs = element("div", {}, answer);
const writeNeeds = table(needs, ["left to the other keys", "scale C in the direction of your query", "length of the shortest query"]);
const aim = button(answer, "", () => page.change(aimQuery(attention.compute())));
page.confirm(page.side, "confirm", { sent: situation, compare });
saveButtons(page.side, { name: "attention-plane", drawings: () => attention.drawings, columns: attention.columns });

page.onDraw(() => {
  attention.draw();
  const found = attention.compute();
  const isInside = found.bounds[view.chosen] < 1;
  setAttributes(heading, { text: isInside ? `Key ${view.chosen} can never win` : `Copying key ${view.chosen}` });
  writeText(words, isInside ? boundText(found) : "Click a key to choose it. To read this key almost alone, a query needs:");
  needs.hidden = isInside;
  if (!isInside) writeNeeds(copyNeeds().map(({ error, scale, shortest }) => [
    `${shortNumber(100 * error)} %`, scale === null ? "no scale is enough" : shortNumber(scale), shortNumber(shortest),
  ]));
  setAttributes(aim, { text: isInside ? `Give key ${view.chosen} all it can have` : `Aim at key ${view.chosen}` });
  setAttributes(aim, { disabled: isInside && found.largest[view.chosen].query === null });
});

/** For each error: the scale that the query needs as it points (null: none does), and the length of the shortest query. */
function copyNeeds() {
  return ERRORS.map((error) => ({
    error,
    scale: copyScaleAlong(view.keys, view.chosen, view.query, error),
    shortest: copyQuery(view.keys, view.chosen, { error, family: "margin" }).norm,
  }));
}

function boundText({ largest }) {
  const { bound, combination, entropyNats, query } = largest[view.chosen];
  const mix = combination.map((share, i) => (share >= 5e-4 ? `${shortNumber(share, 3)} *k*_{${i}}` : null)).filter(Boolean);
  return (
    `It is a mix of other keys: *k*_{${view.chosen}} = ${mix.join(" + ")}. Of all such mixes this is the most even one; its entropy is ` +
    `*H* = ${shortNumber(entropyNats)} nats. No query gives the key more weight than 1/(1 + e^{H}) = **${shortNumber(bound)}**.` +
    (query === null ? " Ever longer queries come close to this weight, but none reaches it." : "")
  );
}

/** The query and scale that copy the chosen key, or that give a key inside the hull as much as it can have. */
function aimQuery(found) {
  const isInside = found.bounds[view.chosen] < 1;
  const query = isInside ? found.largest[view.chosen].query : copyQuery(view.keys, view.chosen, { error: 0.01, family: "margin" }).query;
  const length = Math.max(...query.map(Math.abs));
  if (length < 1e-9) return { query: [[0, 0]] };
  const scale = Math.min(SCALES[1], Math.max(SCALES[0], length / AIM_LENGTH));
  return { query: [query.map((part) => part / scale)], scale };
}

function situation() {
  const { keys, query, scale, chosen } = view;
  return { keys, values: view.colours.map(toRgb), query, scale, chosen };
}

/** The largest difference between Python's numbers and those in the page. */
function compare(told) {
  const found = attention.compute();
  const pairs = [
    ...told.weights.map((weight, i) => [weight, found.weights[i]]),
    ...told.output.map((part, i) => [part, found.output[i]]),
    [told.bound, found.bounds[view.chosen]],
    ...(told.needs.length ? copyNeeds() : []).flatMap((need, i) => [
      [told.needs[i].shortest, need.shortest], [told.needs[i].scale ?? -1, need.scale ?? -1],
    ]),
  ];
  return Math.max(...pairs.map(([left, right]) => Math.abs(left - right) / Math.max(1, Math.abs(left))));
}

function python() {
  const rounded = view.colours.map((colour) => toRgb(colour).map((part) => Number(part.toFixed(6))));
  return `
import numpy as np
import regard

keys = ${pyArray(view.keys)}
values = ${pyArray(rounded)}  # red, green, blue
query = ${pyArray(view.query)}

weights = regard.attention_weights(query[None], keys, scale=${pyNumber(view.scale)})[0]
output = weights @ values
bound = regard.hull_bound(keys, ${view.chosen})  # None: some query reads key ${view.chosen} almost alone
print(weights, output, bound)
if bound is None:
    print(regard.copy(keys, ${view.chosen}, error=0.01, family="margin").query)
`;
}

page.start();
