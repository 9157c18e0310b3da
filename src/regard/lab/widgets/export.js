// A figure or its data as a file.

/** One SVG text of several drawings side by side, with their styles and the colours of this page. */
function svgText(drawings, css) {
  const style = getComputedStyle(drawings[0]);
  const sizes = drawings.map((drawing) => drawing.viewBox.baseVal);
  const width = sizes.reduce((sum, size) => sum + size.width, 0);
  const height = Math.max(...sizes.map((size) => size.height));
  let x = 0;
  const parts = drawings.map((drawing, i) => {
    const copy = drawing.cloneNode(true);
    copy.setAttribute("x", x);
    copy.setAttribute("width", sizes[i].width);
    copy.setAttribute("height", sizes[i].height);
    x += sizes[i].width;
    return new XMLSerializer().serializeToString(copy);
  });
  const paper = paperColour(drawings[0]);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" ` +
    `style="color:${plainColour(style.color)};font-family:sans-serif"><style>${css}</style>` +
    `<rect width="100%" height="100%" fill="${plainColour(paper)}"/>${parts.join("")}</svg>`
  );
}

/** The first background that is not see-through, from an element outwards. */
function paperColour(element) {
  for (let node = element; node; node = node.parentElement ?? node.getRootNode().host) {
    const colour = getComputedStyle(node).backgroundColor;
    if (colour && !/rgba\(.*, 0\)|transparent/.test(colour)) return colour;
  }
  return "#ffffff";
}

/** Any colour as rgb(…): browsers may write color(srgb …), which other programs do not read. */
function plainColour(colour) {
  const draw = document.createElement("canvas").getContext("2d");
  draw.fillStyle = colour;
  draw.fillRect(0, 0, 1, 1);
  return `rgb(${[...draw.getImageData(0, 0, 1, 1).data].slice(0, 3).join(",")})`;
}

function save(name, blob) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

function saveText(name, text, type) {
  save(name, new Blob([text], { type }));
}

/** The SVG as pixels, twice as fine. */
async function savePng(name, text) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = 2 * image.width;
  canvas.height = 2 * image.height;
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  canvas.toBlob((blob) => save(name, blob), "image/png");
}
