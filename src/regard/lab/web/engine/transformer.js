// Regard's character Transformer in the page: text → ids → attention of every head → logits, with keys and values kept.
//
//   x ← embedding;  each layer:  x ← x + attention(norm x),  x ← x + W_down (silu(W_gate h) ∘ W_up h), h = norm x
//
// Heads can be changed: `heads[layer][head]` = {off, sharpen, noise, bits}: switched off; its logits multiplied; normal
// noise on its keys, in units of the keys' own root mean square; its keys rounded to so many bits.
import {requireNumber, requireWhole} from "./check.js";
import {createRandom} from "./normal.js";
import {readSafetensors} from "./safetensors.js";

const NORM_EPSILON = 1e-6;
const UNKNOWN = 0;
const SIZES = {vocab: 5000, width: 1024, layers: 24, heads: 32, hidden: 4096, context: 2048, stride: 2048};
const MAX_TEXT = 100000;

/** The model in a file that `page_model.py` writes; a file that is none, or is damaged, is refused. */
export function readTransformer(buffer) {
  const {metadata, tensors} = readSafetensors(buffer);
  const about = parseAbout(metadata);
  const {config, vocabulary} = about;
  for (const [name, most] of Object.entries(SIZES)) requireWhole(`the model's ${name}`, config[name], 1, most);
  if (!Array.isArray(vocabulary) || vocabulary.length !== config.vocab || config.width % (2 * config.heads) || config.stride > config.context) {
    throw new RangeError("this is no character Transformer: its sizes do not fit together");
  }
  requireWhole("the model's start", about.start, 0, config.vocab - 1);
  const take = (name, ...shape) => {
    const found = tensors[name];
    if (!found || found.shape.join() !== shape.join()) throw new RangeError(`the model lacks a sound tensor ${name}`);
    return Float64Array.from(found.data); // conversions at every product would take twice the time
  };
  const {vocab, width, hidden} = config;
  const layers = Array.from({length: config.layers}, (_, l) => {
    const at = `model.layers.${l}`;
    const linear = (name, bias) => ({weight: take(`${at}.self_attn.${name}.weight`, width, width), bias: bias && take(`${at}.self_attn.${name}.bias`, width)});
    return {
      attentionNorm: take(`${at}.input_layernorm.weight`, width),
      query: linear("q_proj", true), key: linear("k_proj", true), value: linear("v_proj", true), output: linear("o_proj", true),
      gatedNorm: take(`${at}.post_attention_layernorm.weight`, width),
      gate: take(`${at}.mlp.gate_proj.weight`, hidden, width), up: take(`${at}.mlp.up_proj.weight`, hidden, width),
      down: take(`${at}.mlp.down_proj.weight`, width, hidden),
    };
  });
  return {
    config, vocabulary, start: about.start, facts: about.facts ?? {}, layers,
    ids: new Map(vocabulary.map((character, id) => [character, id])),
    embedding: take("model.embed_tokens.weight", vocab, width), norm: take("model.norm.weight", width),
    head: take("lm_head.weight", vocab, width), turns: rotaryTable(config),
  };
}

function parseAbout(metadata) {
  try {
    const about = JSON.parse(metadata.regard);
    if (about.kind === "transformer" && typeof about.config === "object") return about;
  } catch {
    // told below
  }
  throw new RangeError("this is no character Transformer: the file does not say what it holds");
}

/** cos and sin of position · theta^(−2f/head_width), for every pair f of numbers of a head. */
function rotaryTable({context, width, heads, theta}) {
  requireNumber("the model's theta", theta, 1, 1e9);
  const half = width / heads / 2;
  const [cos, sin] = [new Float64Array(context * half), new Float64Array(context * half)];
  for (let position = 0; position < context; position += 1) {
    for (let f = 0; f < half; f += 1) {
      const angle = Math.fround(position * Math.fround(1 / Math.fround(theta ** Math.fround(f / half))));
      cos[position * half + f] = Math.cos(angle);
      sin[position * half + f] = Math.sin(angle);
    }
  }
  return {cos, sin, half};
}

/** One id for each character; those that the model does not know are 0. */
export function encodeText(model, text) {
  if (typeof text !== "string" || text.length > MAX_TEXT) throw new RangeError(`a text must have at most ${MAX_TEXT} characters`);
  return Array.from(text, (character) => model.ids.get(character) ?? UNKNOWN);
}

/** The characters of ids; � for an unknown one. */
export function decodeIds(model, ids) {
  return ids.map((id) => (id === UNKNOWN ? "\ufffd" : model.vocabulary[id])).join("");
}

/**
 * Reads ids one by one. `read(id)` takes one in; `logits()` are those of the next id; `attention()[layer][head]` has a row
 * of weights for each position of the window, `window()` its ids. A full window moves on by the model's stride, as in
 * scoring.
 */
export function createReader(model, {heads = null, seed = 0} = {}) {
  const {config} = model;
  checkHeads(heads, config);
  let window = [model.start];
  let state = newState(config);
  const catchUp = () => {
    const over = window.length - config.context;
    if (over > 0) {
      window = window.slice(Math.ceil(over / config.stride) * config.stride);
      state = newState(config);
    }
    while (state.n < window.length) takeIn(model, state, window[state.n], heads, seed);
    return state;
  };
  return {
    read: (id) => { window.push(requireWhole("an id", id, 0, config.vocab - 1)); },
    logits: () => catchUp().logits,
    attention: () => catchUp().attention,
    window: () => { catchUp(); return [...window]; },
  };
}

function checkHeads(heads, {layers, heads: nHeads}) {
  if (heads === null) return;
  if (!Array.isArray(heads) || heads.length !== layers || heads.some((row) => !Array.isArray(row) || row.length !== nHeads)) {
    throw new RangeError(`changes of heads need ${layers} rows of ${nHeads}`);
  }
  for (const change of heads.flat()) {
    if (change === null || change === undefined) continue;
    requireNumber("sharpen", change.sharpen ?? 1, 0, 100);
    requireNumber("noise", change.noise ?? 0, 0, 100);
    if (change.bits !== undefined && change.bits !== null) requireWhole("bits", change.bits, 0, 16);
  }
}

function newState({layers, heads, context, width}) {
  return {
    n: 0, logits: null,
    keys: Array.from({length: layers}, () => new Float64Array(context * width)),
    values: Array.from({length: layers}, () => new Float64Array(context * width)),
    attention: Array.from({length: layers}, () => Array.from({length: heads}, () => [])),
  };
}

/** Work out the keys and values of one more id, and the logits that follow it. */
function takeIn(model, state, id, heads, seed) {
  const {config, layers} = model;
  const {width, hidden} = config;
  let x = model.embedding.slice(id * width, (id + 1) * width);
  layers.forEach((layer, l) => {
    const read = attentionOutput(model, state, layer, l, normed(x, layer.attentionNorm), heads?.[l] ?? null, seed);
    const out = times(layer.output.weight, read, width, layer.output.bias);
    for (let i = 0; i < width; i += 1) x[i] += out[i];
    const h = normed(x, layer.gatedNorm);
    const [gate, up] = [times(layer.gate, h, hidden), times(layer.up, h, hidden)];
    for (let i = 0; i < hidden; i += 1) gate[i] = (gate[i] / (1 + Math.exp(-gate[i]))) * up[i];
    const down = times(layer.down, gate, width);
    for (let i = 0; i < width; i += 1) x[i] += down[i];
  });
  state.logits = times(model.head, normed(x, model.norm), config.vocab);
  state.n += 1;
}

function attentionOutput(model, state, layer, l, x, changes, seed) {
  const {config} = model;
  const {width, heads} = config;
  const size = width / heads;
  const [queries, keys, values] = [layer.query, layer.key, layer.value].map((part) => times(part.weight, x, width, part.bias));
  const position = state.n;
  rotate(queries, position, model.turns, heads, size);
  rotate(keys, position, model.turns, heads, size);
  if (changes !== null) changes.forEach((change, h) => change && changeKey(keys, h * size, size, change, seed + 7919 * (97 * (l * heads + h) + position)));
  state.keys[l].set(keys, position * width);
  state.values[l].set(values, position * width);
  const read = new Float64Array(width);
  for (let h = 0; h < heads; h += 1) {
    const change = changes?.[h];
    const weights = headWeights(queries, state.keys[l], h * size, size, width, position + 1, (change?.sharpen ?? 1) / Math.sqrt(size));
    state.attention[l][h].push(weights);
    if (change?.off) continue;
    for (let k = 0; k <= position; k += 1) {
      const at = k * width + h * size;
      for (let i = 0; i < size; i += 1) read[h * size + i] += weights[k] * state.values[l][at + i];
    }
  }
  return read;
}

function headWeights(queries, keys, start, size, width, n, scale) {
  const weights = new Float64Array(n);
  let top = -Infinity;
  for (let k = 0; k < n; k += 1) {
    let logit = 0;
    for (let i = 0, at = k * width + start; i < size; i += 1) logit += queries[start + i] * keys[at + i];
    weights[k] = logit * scale;
    if (weights[k] > top) top = weights[k];
  }
  let total = 0;
  for (let k = 0; k < n; k += 1) {
    weights[k] = Math.exp(weights[k] - top);
    total += weights[k];
  }
  for (let k = 0; k < n; k += 1) weights[k] /= total;
  return weights;
}

/** Noise on the key of one head, then its numbers on 2^bits equal steps from the least to the largest; 0 bits: their mean. */
function changeKey(keys, start, size, {noise = 0, bits = null}, seed) {
  if (noise > 0) {
    const random = createRandom(seed);
    let square = 0;
    for (let i = 0; i < size; i += 1) square += keys[start + i] ** 2;
    const sd = noise * Math.sqrt(square / size);
    for (let i = 0; i < size; i += 1) keys[start + i] += sd * random.normal();
  }
  if (bits === null) return;
  const part = keys.subarray(start, start + size);
  const [low, high] = [Math.min(...part), Math.max(...part)];
  const mean = part.reduce((sum, value) => sum + value, 0) / size;
  const step = (high - low) / (2 ** bits - 1);
  for (let i = 0; i < size; i += 1) part[i] = bits === 0 || step === 0 ? mean : low + step * Math.round((part[i] - low) / step);
}

function rotate(x, position, {cos, sin, half}, heads, size) {
  for (let h = 0; h < heads; h += 1) {
    for (let f = 0; f < half; f += 1) {
      const i = h * size + f;
      const t = position * half + f;
      const a = x[i];
      const b = x[i + half];
      x[i] = a * cos[t] - b * sin[t];
      x[i + half] = b * cos[t] + a * sin[t];
    }
  }
}

/** w ∘ x / √(mean x² + ε). */
function normed(x, weight) {
  let square = 0;
  for (let i = 0; i < x.length; i += 1) square += x[i] * x[i];
  const factor = 1 / Math.sqrt(square / x.length + NORM_EPSILON);
  const out = new Float64Array(x.length);
  for (let i = 0; i < x.length; i += 1) out[i] = x[i] * factor * weight[i];
  return out;
}

/** W x + b, W as [out in]. */
export function times(weight, x, nOut, bias = null) {
  const n = x.length;
  const out = new Float64Array(nOut);
  for (let o = 0, at = 0; o < nOut; o += 1, at += n) {
    let s0 = bias === null ? 0 : bias[o];
    let s1 = 0;
    let s2 = 0;
    let s3 = 0;
    let i = 0;
    for (; i + 3 < n; i += 4) {
      s0 += weight[at + i] * x[i];
      s1 += weight[at + i + 1] * x[i + 1];
      s2 += weight[at + i + 2] * x[i + 2];
      s3 += weight[at + i + 3] * x[i + 3];
    }
    for (; i < n; i += 1) s0 += weight[at + i] * x[i];
    out[o] = s0 + s1 + s2 + s3;
  }
  return out;
}

/** ln of the probability of every id. */
export function logProbabilities(logits) {
  const top = Math.max(...logits);
  let total = 0;
  for (const logit of logits) total += Math.exp(logit - top);
  const shift = top + Math.log(total);
  return Float64Array.from(logits, (logit) => logit - shift);
}

/**
 * Probabilities to draw from: p^(1/temperature), of the `topK` likeliest alone where it is given, or of the fewest that hold `topP` of
 * the probability; never the unknown mark.
 */
export function nextDistribution(logits, {temperature = 1, topK = null, topP = 1} = {}) {
  requireNumber("topP", topP, 1e-6, 1);
  requireNumber("temperature", temperature, 1e-3, 100);
  if (topK !== null) requireWhole("topK", topK, 1, logits.length);
  const known = Array.from(logits, (logit, id) => (id === UNKNOWN ? -Infinity : logit / temperature));
  const least = topK === null ? -Infinity : [...known].sort((a, b) => b - a)[topK - 1];
  const top = Math.max(...known);
  const powers = known.map((value) => (value >= least ? Math.exp(value - top) : 0));
  const total = powers.reduce((sum, value) => sum + value, 0);
  const shares = powers.map((value) => value / total);
  return topP < 1 ? keepLikeliest(shares, topP) : shares;
}

function keepLikeliest(shares, topP) {
  let before = 0; // held by those that are likelier
  const order = Array.from(shares.keys()).sort((a, b) => shares[b] - shares[a]);
  const kept = new Set(order.filter((id) => { const isKept = before < topP; before += shares[id]; return isKept; }));
  const held = [...kept].reduce((sum, id) => sum + shares[id], 0);
  return shares.map((share, id) => (kept.has(id) ? share / held : 0));
}

/** Characters that the model writes after a text, one by one: {id, character, probability}, without end. */
export function* generateText(model, prompt, {temperature = 1, topK = null, seed = 0, heads = null} = {}) {
  const reader = createReader(model, {heads, seed});
  encodeText(model, prompt).forEach(reader.read);
  const random = createRandom(seed);
  for (;;) {
    const distribution = nextDistribution(reader.logits(), {temperature, topK});
    let left = random.uniform();
    let id = distribution.findIndex((share) => (left -= share) < 0);
    if (id < 0) id = distribution.lastIndexOf(Math.max(...distribution));
    yield {id, character: model.vocabulary[id], probability: distribution[id]};
    reader.read(id);
  }
}

/** −log₂ p of every character of a text given those before it in its window, and their mean. */
export function surpriseOf(model, text, {heads = null, seed = 0} = {}) {
  const reader = createReader(model, {heads, seed});
  const ids = encodeText(model, text);
  const bits = ids.map((id) => {
    const found = -logProbabilities(reader.logits())[id] / Math.LN2;
    reader.read(id);
    return found;
  });
  return {bits, mean: bits.length ? bits.reduce((sum, value) => sum + value, 0) / bits.length : 0};
}
