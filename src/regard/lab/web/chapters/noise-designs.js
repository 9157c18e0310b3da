// The queries of the plane: pull and push, which follow the keys, the robust one, which is searched for, and one that a link gives.
//
// Each stays where it is put by hand. An arrow has the direction of its query; its length grows with the query's, ever more slowly, so
// that short and long queries find room in one plane: a query of length ℓ reaches ARROW_REACH · ℓ / (ℓ + HALF_WAY).
import { copyQuery } from "../engine/queries.js";
import { dot, softmax } from "../engine/softmax.js";
import { choiceField, numberField, pointsField, wholeField } from "../parts/state.js";

export const TARGET = [0.5, 0.5, 0]; // of the output: the average of values 0 and 1
export const MAX_HEADS = 3;
export const ALL_DESIGNS = ["pull", "push", "robust", "given"];
const MAX_LENGTH = 300; // of a query
const ARROW_REACH = 1.94;
const HALF_WAY = 2;
const DESIGN_ERROR = 0.05; // of the weight, that pull and push may leave to the wrong keys
const SHORTEST_KEY = 0.05; // of a key or a sum of keys that still has a direction
const TRIED_LENGTHS = Array.from({ length: 130 }, (_, i) => 0.1 * 1.05 ** i);

const placedField = () => ({ ...pointsField([[0, 0]], MAX_HEADS, { high: MAX_LENGTH }), start: [] });

export const designFields = {
  design: choiceField("", ["", ...ALL_DESIGNS]), // none: see selectedDesign
  heads: wholeField(1, 1, MAX_HEADS),
  pull: placedField(), push: placedField(), robust: placedField(), // empty until they are moved by hand
  queries: placedField(), strength: numberField(2, 0.3, 100), // the given design: strength times these
};

/** Sentences about queries of a link that are not as many as its heads; they are left out. */
export function checkDesigns(values) {
  const wrong = ["pull", "push", "robust"].filter((name) => values[name].length > 0 && !isPlaced(name, values));
  const counts = Object.fromEntries(wrong.map((name) => [name, values[name].length]));
  for (const name of wrong) values[name] = [];
  const each = (count) => (count === 1 ? "1 query" : `${count} queries`);
  return wrong.map((name) => `${name} in this link has ${each(counts[name])}, but heads is ${values.heads}; ${name} is ignored`);
}

/** The tip of a query's arrow. */
export function toPlane(query) {
  const shrink = ARROW_REACH / (Math.hypot(...query) + HALF_WAY);
  return query.map((part) => shrink * part);
}

/** The query whose arrow ends here, or, further out, the longest in this direction. */
export function fromPlane(point) {
  const radius = Math.hypot(...point);
  const stretch = Math.min(MAX_LENGTH / Math.max(radius, 1e-9), radius < ARROW_REACH ? HALF_WAY / (ARROW_REACH - radius) : Infinity);
  return roundQuery(point.map((part) => stretch * part));
}

export const roundQuery = (query) => query.map((part) => Number(part.toFixed(3)) + 0);
export const queryLength = (queries) => Math.max(...queries.map((query) => Math.hypot(...query)));

/** The queries of one design: those put by hand, else those of its rule; null where there are none. `searched` is what a search found. */
export function queriesOf(name, values, searched) {
  if (name === "given") return values.queries.length ? values.queries.map((query) => query.map((part) => values.strength * part)) : null;
  if (isPlaced(name, values)) return values[name];
  if (name === "robust") return searched;
  return ruleQueries(name, values);
}

const RULES = { pull: pullQuery, push: pushQuery };
const lastRules = {}; // a frame asks for them several times

function ruleQueries(name, { keys, lengths, heads }) {
  const key = JSON.stringify([keys, lengths, heads]);
  if (lastRules[name]?.key !== key) {
    const found = headTargets(heads).map((target) => RULES[name]({ keys, lengths }, target));
    lastRules[name] = { key, queries: found.includes(null) ? null : found };
  }
  return lastRules[name].queries;
}

/** Whether a hand has put the design where it is. */
export const isPlaced = (name, values) => name !== "given" && values[name].length === values.heads;

/** The changes that put a design there. */
export const placed = (name, queries) => (name === "given" ? { queries, strength: 1 } : { [name]: queries });

/** The design whose outputs are shown. */
export function selectedDesign({ design, queries }) {
  const hasGiven = queries.length > 0;
  return design && (design !== "given" || hasGiven) ? design : hasGiven ? "given" : "pull";
}

/** What each head should read: one both wanted keys; of several the first two one each, a third both again. */
const headTargets = (count) => (count === 1 ? [TARGET] : [[1, 0, 0], [0, 1, 0], TARGET].slice(0, count));

/** Along the sum of the wanted keys; for a single one, the shortest query that lifts it above the others. */
function pullQuery({ keys }, target) {
  const only = target.indexOf(1);
  if (only >= 0) {
    try {
      return roundQuery(copyQuery(keys, only, { error: DESIGN_ERROR, family: "margin" }).query);
    } catch {
      return bestLength(keys, keys[only], target, [1]); // a key between others: no query lifts it above them
    }
  }
  return bestLength(keys, [0, 1].map((axis) => keys[0][axis] + keys[1][axis]), target, [1]);
}

/** At right angles to a wanted key, so that its length does not matter; of two, to the one whose length varies more. */
function pushQuery({ keys, lengths }, target) {
  const only = target.indexOf(1);
  const [first, second] = [0, 1].map((i) => lengths[0][i] * Math.hypot(...keys[i]));
  const [x, y] = keys[only >= 0 ? only : second > first ? 1 : 0];
  return bestLength(keys, [-y, x], target, [1, -1]);
}

/**
 * Along a direction, the shortest query that without noise gives all but DESIGN_ERROR of the weight as wanted; where none does, the one
 * that comes nearest.
 */
function bestLength(keys, direction, target, signs) {
  const size = Math.hypot(...direction);
  if (size < SHORTEST_KEY) return null;
  let best = { error: Infinity };
  for (const length of TRIED_LENGTHS) {
    for (const sign of signs) {
      const query = direction.map((part) => (sign * length * part) / size);
      const off = softmax(keys.map((key) => dot(key, query))).map((weight, i) => weight - target[i]);
      if (off.reduce((sum, part) => sum + Math.abs(part), 0) <= 2 * DESIGN_ERROR) return roundQuery(query);
      const error = dot(off, off);
      if (error < best.error) best = { error, query };
    }
  }
  return roundQuery(best.query);
}
