// Normal variables: distribution, density, and draws with a seed.

export const NORMAL_PEAK = 0.3989422804014327; // 1/√2π

/** e^(x²) erfc(x) for x ≥ 0, to a few units of its last digit: the rational approximations of W. J. Cody (1969). */
function scaledErfc(x) {
  if (x <= 0.46875) return Math.exp(x * x) * (1 - smallErf(x));
  if (x <= 4) {
    const p = ((((((((2.15311535474403846e-8 * x + 5.64188496988670089e-1) * x + 8.88314979438837594) * x +
      6.61191906371416295e1) * x + 2.98635138197400131e2) * x + 8.8195222124176909e2) * x + 1.71204761263407058e3) * x +
      2.05107837782607147e3) * x + 1.23033935479799725e3);
    const q = ((((((((x + 1.57449261107098347e1) * x + 1.17693950891312499e2) * x + 5.37181101862009858e2) * x +
      1.62138957456669019e3) * x + 3.29079923573345963e3) * x + 4.36261909014324716e3) * x + 3.43936767414372164e3) * x +
      1.23033935480374942e3);
    return p / q;
  }
  const y = 1 / (x * x);
  const p = ((((1.63153871373020978e-2 * y + 3.05326634961232344e-1) * y + 3.60344899949804439e-1) * y +
    1.25781726111229246e-1) * y + 1.60837851487422766e-2) * y + 6.58749161529837803e-4;
  const q = ((((y + 2.56852019228982242) * y + 1.87295284992346725) * y + 5.27905102951428412e-1) * y +
    6.05183413124413191e-2) * y + 2.33520497626869185e-3;
  return (0.5641895835477562869 - (y * p) / q) / x;
}

/** erf(x) for |x| ≤ 0.46875. */
function smallErf(x) {
  const y = x * x;
  const p = (((1.85777706184603153e-1 * y + 3.1611237438705656) * y + 1.13864154151050156e2) * y +
    3.77485237685302021e2) * y + 3.20937758913846947e3;
  const q = (((y + 2.36012909523441209e1) * y + 2.44024637934444173e2) * y + 1.28261652607737228e3) * y +
    2.84423683343917062e3;
  return (x * p) / q;
}

/** 1 − erf(x). */
export function erfc(x) {
  const size = Math.abs(x);
  if (size <= 0.46875) return 1 - smallErf(x);
  if (size > 26.6) return x < 0 ? 2 : 0;
  const cut = Math.trunc(size * 16) / 16; // e^(−x²) in two factors, so that rounding of x² does no harm
  const value = Math.exp(-cut * cut) * Math.exp(-(size - cut) * (size + cut)) * scaledErfc(size);
  return x < 0 ? 2 - value : value;
}

/** Φ(z) where e^(−z²/2), `power`, is known already. */
export function normalCdfGiven(z, power) {
  const x = z * Math.SQRT1_2;
  if (Math.abs(x) <= 0.46875) return 0.5 + 0.5 * smallErf(x);
  return x < 0 ? 0.5 * power * scaledErfc(-x) : 1 - 0.5 * power * scaledErfc(x);
}

/** Φ(z) = P(Z < z). */
export function normalCdf(z) {
  return 0.5 * erfc(-z * Math.SQRT1_2);
}

/** φ(z). */
export function normalDensity(z) {
  return NORMAL_PEAK * Math.exp((-z * z) / 2);
}

/**
 * Random numbers that a seed decides: `uniform()` in (0, 1), `normal()`, `whole(n)` from 0 to n − 1.
 * Marsaglia's xorshift with 128 bits, started by a mixing of the seed; normal numbers by the polar method.
 */
export function createRandom(seed = 0) {
  let mixer = (seed >>> 0) + 0x9e3779b9;
  const mix = () => {
    mixer = (mixer + 0x9e3779b9) | 0;
    let z = mixer;
    z = Math.imul(z ^ (z >>> 16), 0x85ebca6b);
    z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
    return (z ^ (z >>> 16)) >>> 0;
  };
  let [x, y, z, w] = [mix(), mix(), mix(), mix() | 1];
  const next = () => {
    const t = x ^ (x << 11);
    [x, y, z] = [y, z, w];
    w = w ^ (w >>> 19) ^ t ^ (t >>> 8);
    return w >>> 0;
  };
  for (let i = 0; i < 16; i += 1) next();
  const uniform = () => ((next() >>> 5) * 67108864 + (next() >>> 6) + 0.5) / 9007199254740992;
  let kept = null;
  const normal = () => {
    if (kept !== null) {
      const value = kept;
      kept = null;
      return value;
    }
    let [a, b, s] = [0, 0, 0];
    do {
      a = 2 * uniform() - 1;
      b = 2 * uniform() - 1;
      s = a * a + b * b;
    } while (s >= 1 || s === 0);
    const factor = Math.sqrt((-2 * Math.log(s)) / s);
    kept = b * factor;
    return a * factor;
  };
  return {uniform, normal, whole: (n) => Math.floor(uniform() * n)};
}
