// Colours that colour-blind readers tell apart, as the values that keys carry.

const PALETTE = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#F0E442", "#6A51A3"];

/** So many colours; past eight they come again, darker each time. */
export function palette(count) {
  return Array.from({ length: count }, (_, i) => {
    const share = 0.74 ** Math.floor(i / PALETTE.length);
    const parts = [1, 3, 5].map((start) => parseInt(PALETTE[i % PALETTE.length].slice(start, start + 2), 16));
    return `#${parts.map((part) => Math.round(share * part).toString(16).padStart(2, "0").toUpperCase()).join("")}`;
  });
}
