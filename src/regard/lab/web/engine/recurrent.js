// Regard's recurrent network of characters in the page: a state that is carried from character to character.
//
//   r = σ(W_r x + U_r h),  z = σ(W_z x + U_z h),  n = tanh(W_n x + r ∘ U_n h),  h ← (1 − z) ∘ n + z ∘ h      a GRU, biases left out
//   logits = V h + b
import {requireWhole} from "./check.js";
import {readSafetensors} from "./safetensors.js";
import {times} from "./transformer.js";

const LIMITS = {vocab: 5000, width: 1024, layers: 8, embedding: 1024};
const MAX_WINDOW = 300; // characters that a view shows

/** The model in a file that `page_model.py` writes; a file that is none, or is damaged, is refused. */
export function readRecurrent(buffer) {
  const {metadata, tensors} = readSafetensors(buffer);
  const about = parseRecurrent(metadata);
  const {config, vocabulary} = about;
  for (const [name, most] of Object.entries(LIMITS)) requireWhole(`the model's ${name}`, config[name], 1, most);
  if (!Array.isArray(vocabulary) || vocabulary.length !== config.vocab) throw new RangeError("this is no recurrent network: its sizes do not fit together");
  requireWhole("the model's start", about.start, 0, config.vocab - 1);
  const {vocab, width, embedding} = config;
  const take = (name, ...shape) => {
    const found = tensors[name];
    if (!found || found.shape.join() !== shape.join()) throw new RangeError(`the model lacks a sound tensor ${name}`);
    return Float64Array.from(found.data);
  };
  const layers = Array.from({length: config.layers}, (_, l) => {
    const input = l === 0 ? embedding : width;
    return {
      input: take(`cell.weight_ih_l${l}`, 3 * width, input), inputBias: take(`cell.bias_ih_l${l}`, 3 * width),
      carried: take(`cell.weight_hh_l${l}`, 3 * width, width), carriedBias: take(`cell.bias_hh_l${l}`, 3 * width),
    };
  });
  return {
    kind: "recurrent", config: {...config, heads: 0}, vocabulary, start: about.start, facts: about.facts ?? {}, layers,
    ids: new Map(vocabulary.map((character, id) => [character, id])),
    embedding: take("embedding.weight", vocab, embedding), output: take("output.weight", vocab, width), outputBias: take("output.bias", vocab),
  };
}

function parseRecurrent(metadata) {
  try {
    const about = JSON.parse(metadata.regard);
    if (about.kind === "recurrent" && about.config.cell === "gru" && about.config.contexts < 2) return about;
  } catch {
    // told below
  }
  throw new RangeError("this is no recurrent network: the file does not say what it holds");
}

/** Reads ids one by one, as `createReader` of the Transformer does; there is no attention. */
export function createRecurrentReader(model) {
  const {width, layers, vocab} = model.config;
  const states = Array.from({length: layers}, () => new Float64Array(width));
  const window = [];
  let logits = null;
  const read = (id) => {
    window.push(requireWhole("an id", id, 0, vocab - 1));
    carryOn(model, states, id);
    logits = null;
  };
  read(model.start);
  return {
    read,
    logits: () => (logits ??= times(model.output, states.at(-1), vocab, model.outputBias)),
    attention: () => [],
    window: () => window.slice(-MAX_WINDOW),
  };
}

function carryOn({config, layers, embedding}, states, id) {
  const {width} = config;
  let x = embedding.subarray(id * config.embedding, (id + 1) * config.embedding);
  layers.forEach(({input, inputBias, carried, carriedBias}, l) => {
    const [from, before] = [times(input, x, 3 * width, inputBias), times(carried, states[l], 3 * width, carriedBias)];
    const after = new Float64Array(width);
    for (let i = 0; i < width; i += 1) {
      const reset = 1 / (1 + Math.exp(-from[i] - before[i]));
      const keep = 1 / (1 + Math.exp(-from[width + i] - before[width + i]));
      const fresh = Math.tanh(from[2 * width + i] + reset * before[2 * width + i]);
      after[i] = (1 - keep) * fresh + keep * states[l][i];
    }
    x = states[l] = after;
  });
}
