// Fast Fourier transform of complex arrays whose length is a power of two, and Γ(1 + iω).

const twiddles = new Map();

function twiddlesOf(n) {
  if (!twiddles.has(n)) {
    const [cos, sin] = [new Float64Array(n / 2), new Float64Array(n / 2)];
    for (let k = 0; k < n / 2; k += 1) {
      cos[k] = Math.cos((2 * Math.PI * k) / n);
      sin[k] = Math.sin((2 * Math.PI * k) / n);
    }
    twiddles.set(n, {cos, sin});
  }
  return twiddles.get(n);
}

/** Σ_m x_m e^(sign · 2πi k m / n) in place, for every k; `sign` is 1 or −1. */
export function fourierTransform(re, im, sign) {
  const n = re.length;
  for (let i = 1, j = 0; i < n; i += 1) {
    let bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) {
      [re[i], re[j]] = [re[j], re[i]];
      [im[i], im[j]] = [im[j], im[i]];
    }
  }
  const {cos, sin} = twiddlesOf(n);
  for (let size = 2; size <= n; size *= 2) {
    const [half, stride] = [size / 2, n / size];
    for (let start = 0; start < n; start += size) {
      for (let k = 0, t = 0; k < half; k += 1, t += stride) {
        const [c, s] = [cos[t], sign * sin[t]];
        const [a, b] = [start + k, start + k + half];
        const real = re[b] * c - im[b] * s;
        const imaginary = re[b] * s + im[b] * c;
        re[b] = re[a] - real;
        im[b] = im[a] - imaginary;
        re[a] += real;
        im[a] += imaginary;
      }
    }
  }
}

/** ln |Γ(1 + iω)| and arg Γ(1 + iω), ω ≥ 0: |Γ|² = πω/sinh πω, and Stirling's series for the angle. */
export function gammaAlongLine(omega) {
  if (omega === 0) return {log: 0, angle: 0};
  const x = Math.PI * omega;
  const logSinh = x > 20 ? x - Math.LN2 : Math.log(Math.sinh(x));
  let turned = 0;
  let real = 1;
  while (real * real + omega * omega < 100) { // Γ(z) = Γ(z + 1)/z until the series is exact
    turned += Math.atan2(omega, real);
    real += 1;
  }
  const size = real * real + omega * omega;
  const [logSize, argument] = [Math.log(size) / 2, Math.atan2(omega, real)];
  let angle = (real - 0.5) * argument + omega * (logSize - 1);
  // 1/12z − 1/360z³ + 1/1260z⁵ − 1/1680z⁷ + …
  const [ir, ii] = [real / size, -omega / size];
  const [sr, si] = [ir * ir - ii * ii, 2 * ir * ii];
  let [pr, pi] = [ir, ii];
  for (const term of [1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156]) {
    angle += term * pi;
    [pr, pi] = [pr * sr - pi * si, pr * si + pi * sr];
  }
  return {log: (Math.log(x) - logSinh) / 2, angle: angle - turned};
}
