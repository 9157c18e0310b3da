// The small live pictures of the start page: one function a chapter, which draws what the chapter is about at time t.
const BLUE = "#0072B2", ORANGE = "#D55E00", GREEN = "#009E73", PINK = "#CC79A7", YELLOW = "#E69F00";
const COLOURS = [BLUE, ORANGE, GREEN, PINK, YELLOW];
const WIDTH = 480, HEIGHT = 240;

const softmax = (logits) => {
  const top = Math.max(...logits);
  const powers = logits.map((logit) => Math.exp(logit - top));
  const total = powers.reduce((sum, power) => sum + power, 0);
  return powers.map((power) => power / total);
};
// Numbers that look random and are the same at every visit.
const noise = (n) => { const x = Math.sin(n * 127.1 + 11.7) * 43758.5453; return x - Math.floor(x); };

const disc = (draw, x, y, radius, colour, alpha = 1) => {
  draw.globalAlpha = alpha;
  draw.fillStyle = colour;
  draw.beginPath();
  draw.arc(x, y, radius, 0, 2 * Math.PI);
  draw.fill();
  draw.globalAlpha = 1;
};
const line = (draw, points, colour, width = 3) => {
  draw.strokeStyle = colour;
  draw.lineWidth = width;
  draw.beginPath();
  points.forEach(([x, y], i) => (i ? draw.lineTo(x, y) : draw.moveTo(x, y)));
  draw.stroke();
};

const PICTURES = {
  // A query goes round; each key's disc has the area of its weight.
  "look-up"(draw, t, ink) {
    const keys = COLOURS.map((_, i) => [Math.cos(i * 1.2566 + 0.4), Math.sin(i * 1.2566 + 0.4)]);
    const query = [4 * Math.cos(t * 0.6), 4 * Math.sin(t * 0.6)];
    const weights = softmax(keys.map((key) => key[0] * query[0] + key[1] * query[1]));
    const at = ([x, y]) => [WIDTH / 2 + 95 * x, HEIGHT / 2 - 82 * y];
    line(draw, [at([0, 0]), at([query[0] / 5, query[1] / 5])], ink);
    keys.forEach((key, i) => disc(draw, ...at(key), 6 + 32 * Math.sqrt(weights[i]), COLOURS[i], 0.85));
  },
  // A sum of two arrows, and its shadow on the first axis.
  "average-and-subspace"(draw, t, ink) {
    const tilt = 0.55 + 0.45 * Math.sin(t * 0.7), o = [110, 200];
    const a = [190, 0], b = [90 * Math.cos(1.6 - tilt), -110 * Math.sin(1.6 - tilt)];
    const sum = [o[0] + a[0] + b[0], o[1] + b[1]];
    line(draw, [[40, 200], [440, 200]], ink, 1);
    line(draw, [o, [o[0] + a[0], o[1]]], BLUE, 5);
    line(draw, [o, [o[0] + b[0], o[1] + b[1]]], ORANGE, 5);
    line(draw, [o, sum], ink, 3);
    draw.setLineDash([6, 6]);
    line(draw, [sum, [sum[0], 200]], ink, 2);
    draw.setLineDash([]);
    disc(draw, sum[0], 200, 8, GREEN);
  },
  // A key that keeps its direction while its length varies.
  "noisy-keys"(draw, t, ink) {
    const o = [70, 205];
    line(draw, [o, [430, 40]], ink, 1);
    for (let i = 0; i < 60; i += 1) {
      const r = 0.55 + 0.2 * (noise(i) + noise(i + 90) + noise(i + 180) - 1.5) + 0.03 * Math.sin(t * 2 + i);
      disc(draw, o[0] + 360 * r, o[1] - 165 * r + 5 * (noise(i + 300) - 0.5), 5, BLUE, 0.35);
    }
    const r = 0.55 + 0.22 * Math.sin(t * 1.3);
    line(draw, [o, [o[0] + 360 * r, o[1] - 165 * r]], ORANGE, 4);
  },
  // The spread of one head, and of the average of several.
  "many-heads"(draw, t, ink) {
    for (const [row, heads, colour] of [[70, 1, ORANGE], [170, 6, BLUE]]) {
      line(draw, [[60, row], [420, row]], ink, 1);
      for (let i = 0; i < 40; i += 1) {
        let sum = 0;
        for (let h = 0; h < heads; h += 1) sum += Math.sin(t * (0.4 + noise(i + 7 * h)) + 40 * noise(i * 9 + h));
        disc(draw, 240 + (150 * sum) / heads, row, 7, colour, 0.3);
      }
    }
  },
  // A loss that falls while the model reads.
  words(draw, t, ink) {
    const share = (t * 0.12) % 1.25, points = [];
    for (let x = 0; x <= Math.min(share, 1) * 360; x += 6) {
      points.push([60 + x, 200 - 150 * (1 - Math.exp(-4 / (1 + x / 24))) + 5 * (noise(x) - 0.5)]);
    }
    line(draw, [[60, 30], [60, 205], [430, 205]], ink, 1);
    if (points.length > 1) line(draw, points, BLUE, 4);
    if (points.length) disc(draw, ...points.at(-1), 7, ORANGE);
  },
  // Letters that come one by one, each as dark as it was surprising.
  characters(draw, t, ink) {
    const text = "to be, or not to be: that is the question", n = Math.floor((t * 5) % (text.length + 12));
    draw.font = "34px Georgia, serif";
    [...text].slice(0, n).forEach((letter, i) => {
      const row = i < 21 ? 0 : 1, x = 44 + (i - 21 * row) * 19, y = 105 + 60 * row;
      draw.globalAlpha = 0.35 * noise(i + 5);
      draw.fillStyle = ORANGE;
      draw.fillRect(x - 2, y - 30, 19, 40);
      draw.globalAlpha = 1;
      draw.fillStyle = ink;
      draw.fillText(letter, x, y);
    });
  },
  // The same two bars in three units.
  perplexity(draw, t, ink) {
    line(draw, [[60, 205], [430, 205]], ink, 1);
    for (let i = 0; i < 6; i += 1) {
      const height = 60 + 100 * noise(i + 3) * (0.8 + 0.2 * Math.sin(t + i));
      draw.fillStyle = i % 2 ? ORANGE : BLUE;
      draw.fillRect(75 + 58 * i + (i % 2 ? -6 : 6), 205 - height, 40, height);
    }
  },
  // A balance of words, for and against.
  reviews(draw, t, ink) {
    const tilt = 0.22 * Math.sin(t * 0.8), c = [240, 110], dx = 150 * Math.cos(tilt), dy = 150 * Math.sin(tilt);
    line(draw, [[240, 205], c], ink, 3);
    line(draw, [[c[0] - dx, c[1] - dy], [c[0] + dx, c[1] + dy]], ink, 3);
    disc(draw, c[0] - dx, c[1] - dy, 26, BLUE, 0.85);
    disc(draw, c[0] + dx, c[1] + dy, 26, ORANGE, 0.85);
  },
  // Random instances of a claim; the one where it fails.
  check(draw, t, ink) {
    const seen = Math.floor((t * 9) % 84);
    for (let i = 0; i < Math.min(seen, 60); i += 1) {
      const x = 75 + (i % 12) * 30, y = 50 + Math.floor(i / 12) * 35, fails = i === 43;
      disc(draw, x, y, fails ? 12 : 7, fails ? ORANGE : GREEN, fails ? 1 : 0.6);
      if (fails) line(draw, [[x - 5, y - 5], [x + 5, y + 5]], ink, 3), line(draw, [[x - 5, y + 5], [x + 5, y - 5]], ink, 3);
    }
  },
  // Lines from a letter back to those that a head reads.
  heads(draw, t, ink) {
    const here = 11 - Math.floor(t % 8);
    for (let i = 0; i < 12; i += 1) {
      draw.fillStyle = i === here ? BLUE : ink;
      draw.fillRect(52 + 32 * i, 176, 20, 20);
      if (i >= here) continue;
      const x = 62 + 32 * here, to = 62 + 32 * i, weight = softmax([4 * noise(i + here), 1.5])[0];
      draw.strokeStyle = COLOURS[i % 3];
      draw.lineWidth = 1 + 6 * weight;
      draw.beginPath();
      draw.moveTo(x, 172);
      draw.quadraticCurveTo((x + to) / 2, 172 - 0.45 * (x - to) - 8 * Math.sin(t + i), to, 172);
      draw.stroke();
    }
  },
};

const canvases = [...document.querySelectorAll("canvas[data-picture]")].filter((c) => PICTURES[c.dataset.picture]);
const visible = new Set(canvases);
const still = matchMedia("(prefers-reduced-motion: reduce)");

function paint(seconds) {
  const ink = getComputedStyle(document.documentElement).getPropertyValue("--ink").trim();
  for (const canvas of visible) {
    const draw = canvas.getContext("2d");
    draw.clearRect(0, 0, WIDTH, HEIGHT);
    PICTURES[canvas.dataset.picture](draw, seconds, ink);
  }
}

let last = 0;
function frame(now) {
  if (still.matches) return paint(6.5);
  if (now - last > 32) { last = now; paint(now / 1000 + 4); }
  requestAnimationFrame(frame);
}

const watcher = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) isIntersecting ? visible.add(target) : visible.delete(target);
  if (still.matches) requestAnimationFrame(frame);
});
canvases.forEach((canvas) => watcher.observe(canvas));
still.addEventListener("change", () => requestAnimationFrame(frame));
requestAnimationFrame(frame);
