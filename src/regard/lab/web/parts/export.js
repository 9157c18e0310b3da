// A figure or its data as a file.
import { button } from "./controls.js";
import { element } from "./dom.js";
import { viewLink } from "./state.js";

// Taken before anything is drawn; only a page that is one file has all that it needs.
const unchangedPage = document.body?.dataset.exported === undefined ? null : document.documentElement.cloneNode(true);

// What a shape looks like, written into the shape itself: other programs know neither our style sheet nor its variables.
const LOOKS = [
  "fill", "fill-opacity", "stroke", "stroke-opacity", "stroke-width", "stroke-dasharray", "stroke-linejoin", "opacity",
  "visibility", "font-family", "font-size", "font-weight", "font-style", "text-anchor", "paint-order",
];
const GAP = 16;
const PICTURE_SIZE = 160; // of a head's picture in a file, about

/** One SVG text of several drawings beside each other, each with the colours it has in this page. */
export function figureText(drawings) {
  const shown = drawings.filter((drawing) => drawing.getClientRects().length);
  const sizes = shown.map((drawing) => drawing.viewBox.baseVal);
  const width = sizes.reduce((sum, size) => sum + size.width + GAP, GAP);
  const height = Math.max(...sizes.map((size) => size.height)) + 2 * GAP;
  let x = GAP;
  const parts = shown.map((drawing, i) => {
    const copy = drawing.cloneNode(true);
    copyLooks(drawing, copy);
    for (const [name, value] of Object.entries({ x, y: GAP, width: sizes[i].width, height: sizes[i].height })) {
      copy.setAttribute(name, value);
    }
    x += sizes[i].width + GAP;
    return new XMLSerializer().serializeToString(copy);
  });
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">` +
    `<rect width="100%" height="100%" fill="${plainColour(paperColour(drawings[0]))}"/>${parts.join("")}</svg>`
  );
}

function copyLooks(from, to) {
  const look = getComputedStyle(from);
  for (const name of LOOKS) {
    const value = look.getPropertyValue(name);
    if (value) to.setAttribute(name, /^(rgb|color|oklab|#)/.test(value) ? plainColour(value) : value.replaceAll('"', "'"));
  }
  for (const name of ["class", "tabindex", "role", "style", "data-point"]) to.removeAttribute(name);
  [...from.children].forEach((child, i) => copyLooks(child, to.children[i]));
}

/** The first background that is not see-through, from an element outwards. */
function paperColour(node) {
  for (let at = node; at; at = at.parentElement ?? at.getRootNode().host) {
    const colour = getComputedStyle(at).backgroundColor;
    if (colour && !/rgba\(.*, 0\)|transparent/.test(colour)) return colour;
  }
  return "#ffffff";
}

const plainColours = new Map();

/** Any colour as rgb(…), without its opacity: browsers may write color(srgb …), which other programs do not read. */
function plainColour(colour) {
  if (!plainColours.has(colour)) {
    const draw = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    draw.fillStyle = colour;
    draw.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = draw.getImageData(0, 0, 1, 1).data;
    plainColours.set(colour, alpha ? `rgb(${red},${green},${blue})` : "none");
  }
  return plainColours.get(colour);
}

function save(name, blob) {
  const link = element("a", { download: name });
  link.href = URL.createObjectURL(blob);
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

export function saveText(name, text, type) {
  save(name, new Blob([text], { type }));
}

/** The SVG as pixels, twice as fine. */
export async function savePng(name, text) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = element("canvas", { width: 2 * image.width, height: 2 * image.height });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  canvas.toBlob((blob) => save(name, blob), "image/png");
}

/** Buttons that save pictures, square ones of one size, as one PNG with `perRow()` of them beside each other, and `columns` as CSV. */
export function savePictureButtons(parent, { name, pictures, perRow, columns }) {
  const row = element("div", { class: "buttons save" }, parent);
  const savePictures = () => {
    const shown = pictures();
    const [size, across] = [shown[0].width, perRow()];
    const cell = size * Math.max(1, Math.round(PICTURE_SIZE / size));
    const canvas = element("canvas", { width: across * (cell + GAP) + GAP, height: Math.ceil(shown.length / across) * (cell + GAP) + GAP });
    const draw = canvas.getContext("2d");
    draw.imageSmoothingEnabled = false;
    draw.fillStyle = paperColour(parent);
    draw.fillRect(0, 0, canvas.width, canvas.height);
    shown.forEach((picture, i) => {
      draw.drawImage(picture, GAP + (i % across) * (cell + GAP), GAP + Math.floor(i / across) * (cell + GAP), cell, cell);
    });
    canvas.toBlob((blob) => save(`${name}.png`, blob), "image/png");
  };
  button(row, "PNG", savePictures, { "aria-label": "Save as PNG" });
  button(row, "CSV", () => saveText(`${name}.csv`, csvText(columns()), "text/csv"), { "aria-label": "Save as CSV" });
  return row;
}

/** Lines of numbers with their names on top; `columns` maps names to lists. */
export function csvText(columns) {
  const names = Object.keys(columns);
  const rows = columns[names[0]].map((_, i) => names.map((name) => columns[name][i]).join(","));
  return [names.join(","), ...rows, ""].join("\n");
}

/** This page as one file that needs no others: from the lab, or, of a page that is such a file, from itself. */
async function pageSource(name) {
  if (unchangedPage) return `<!doctype html>\n${unchangedPage.outerHTML}\n`;
  const answer = await fetch(`../../page/${name}`);
  if (!answer.ok) throw new Error("the lab did not give the page");
  return answer.text();
}

/** Save it with its view, and without links to other chapters, which are other files. As text: parsed, it would be judged by our policy. */
async function savePage() {
  const name = `${document.body.dataset.chapter}.html`;
  const view = viewLink().replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
  const page = (await pageSource(name))
    .replace(/<body(?: data-view="[^"]*")?/, () => `<body data-view="${view}"`)
    .replace(/(<nav[^>]*>)[^]*?(<\/nav>)/, "$1$2");
  saveText(name, page, "text/html");
}

/** A button that saves the page with its view, to be opened anywhere. */
export function pageButton() {
  const made = button(null, "Save page", async () => {
    try {
      await savePage();
      made.textContent = "Save page";
    } catch {
      made.textContent = "Not saved: the lab gave no answer";
    }
  }, { "aria-label": "Save as a page", class: "page-file", title: "This view as one file that works without the lab" });
  return made;
}

/** Buttons that save the drawings as SVG and PNG, and their numbers as CSV; `what` stands before them. */
export function saveButtons(parent, { name, drawings, columns, what = "" }) {
  const row = element("div", { class: "buttons save" }, parent);
  if (what) element("span", { class: "said" }, row, what);
  const files = {
    SVG: () => saveText(`${name}.svg`, figureText(drawings()), "image/svg+xml"),
    PNG: () => savePng(`${name}.png`, figureText(drawings())),
    CSV: () => saveText(`${name}.csv`, csvText(columns()), "text/csv"),
  };
  for (const [kind, action] of Object.entries(files)) button(row, kind, action, { "aria-label": `Save as ${kind}` });
  return row;
}
