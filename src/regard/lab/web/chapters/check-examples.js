// Claims to begin with: right ones, wrong ones, and some that lack a hypothesis.

/** Regard's own settings, and what is known in each. */
export const SETTINGS = [
  ["", "found from the letters"],
  ["attention", "attention: any keys"],
  ["orthonormal-keys", "orthonormal keys"],
  ["two-subspaces", "two subspaces, orthogonal to each other"],
  ["noisy-keys", "keys with a little noise"],
  ["magnitude-noise", "keys with noise, one length varies"],
  ["two-heads", "two heads, keys with a little noise"],
  ["two-heads-magnitude", "two heads, one length varies"],
  ["softmax-cross-entropy", "softmax and cross-entropy"],
  ["one-hidden-layer", "a network with one hidden layer"],
  ["perplexity", "perplexity of a text"],
];

export const EXAMPLES = [
  { name: "weights sum to one", claim: "\\sum_i \\alpha_i = 1", setting: "attention", holds: true },
  { name: "copying with any keys", claim: "q = C k_a; \\alpha_a \\to 1", setting: "attention", holds: false },
  { name: "copying with orthonormal keys", claim: "q = C k_a; \\alpha_a \\to 1", setting: "orthonormal-keys", holds: true },
  { name: "a weight as a logistic function", claim: "\\alpha_a = \\sigma(s_a - s_b)", setting: "attention", holds: false },
  { name: "an average without a factor", claim: "q = k_a + k_b", setting: "orthonormal-keys", holds: false },
  { name: "an average with a large factor", claim: "q = C(k_a + k_b)", setting: "orthonormal-keys", holds: true },
  { name: "one summand out of a sum", claim: "M = A A^\\top", setting: "two-subspaces", holds: true },
  { name: "one summand, transposed", claim: "M = A^\\top", setting: "two-subspaces", holds: false },
  { name: "pulling, keys a little noisy", claim: "q = C(\\mu_a + \\mu_b)", setting: "noisy-keys", holds: true },
  { name: "pulling, one length varies", claim: "q = C(\\mu_a + \\mu_b)", setting: "magnitude-noise", holds: false },
  { name: "pushing, one length varies", claim: "q = -C \\sum_{i \\ne a,b} \\mu_i", setting: "magnitude-noise", holds: true },
  {
    name: "variance of a weight, one length varies",
    claim: "q = C(\\mu_a + \\mu_b); Var[\\alpha_a] \\to \\frac12", setting: "magnitude-noise", holds: false,
  },
  { name: "two heads, one length varies", claim: "q_1 = C\\mu_a; q_2 = C\\mu_b", setting: "two-heads-magnitude", holds: false },
  { name: "the derivative of softmax", claim: "\\partial \\alpha_i/\\partial s_j = -\\alpha_i \\alpha_j", setting: "attention", holds: false },
  {
    name: "the gradient of cross-entropy",
    claim: "\\frac{\\partial CE}{\\partial \\theta} = \\hat{y} - y", setting: "softmax-cross-entropy", holds: true,
  },
  { name: "perplexity from bits", claim: "PP = 2^{CE}", setting: "perplexity", holds: false },
  { name: "the square of a sum", claim: "(a+b)^2 = a^2 + 2ab + b^2", setting: "", holds: true },
];
