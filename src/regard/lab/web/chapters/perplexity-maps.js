// Where the surprises are: each character of a passage on a ground that says what it cost.
import { button } from "../parts/controls.js";
import { element } from "../parts/dom.js";
import { saveText } from "../parts/export.js";

const DARKEST = 9; // bits
const MAX_SHOWN = 1500; // characters of a map

/** The maps in `parent`; `draw(maps)` takes [{passage, model, text, spans}], where a span is how many characters, and bits for each. */
export function makeSurpriseMaps(page, parent) {
  const section = element("section", { class: "surprise-maps", "aria-label": "Where the surprises are", hidden: true }, parent);
  element("h2", {}, section, "Where the surprises are");
  element("p", { class: "said" }, section, "The stronger the colour, the more bits a character cost. Point at a place to read how many.");
  const read = element("p", { class: "said", role: "status" }, section, "\u00a0");
  const choice = element("div", { class: "tabs", role: "group", "aria-label": "Passage" }, section);
  const grid = element("div", { class: "plots plots-2" }, section);
  button(element("div", { class: "buttons save" }, section), "CSV", () => saveText("surprise.csv", csv(), "text/csv"), { "aria-label": "Save the surprises as CSV" });
  let drawn = null;
  let chosen = "passage A";
  section.addEventListener("pointerover", (event) => {
    const { bits, passage } = event.target.dataset ?? {};
    if (bits !== undefined) read.textContent = `${passage}: “${event.target.textContent.trim() || "a space or the end of a line"}”, ${bits} bits for each character`;
  });

  function draw(maps) {
    if (maps === drawn) return;
    drawn = maps;
    section.hidden = !maps.length;
    const passages = [...new Set(maps.map(({ passage }) => passage))];
    if (!passages.includes(chosen)) [chosen] = passages;
    choice.replaceChildren(...passages.map((name) => button(null, name, () => choose(name), { "aria-pressed": String(name === chosen) })));
    drawMaps();
  }

  function choose(name) {
    chosen = name;
    for (const made of choice.children) made.setAttribute("aria-pressed", String(made.textContent === chosen));
    drawMaps();
  }

  function drawMaps() {
    grid.replaceChildren(...drawn.filter(({ passage }) => passage === chosen).map(mapBox));
  }

  function mapBox({ passage, model, text, spans }) {
    const box = element("div", { class: "plot-box" });
    element("h3", {}, box, `${model} on ${passage}`);
    const pre = element("pre", { class: "heat", tabindex: 0, role: "group", "aria-label": `Surprise of ${model} on ${passage}` }, box);
    const characters = [...text];
    let place = 0;
    for (const [length, bits] of spans) {
      if (place >= MAX_SHOWN) break;
      const part = element("span", {}, pre, characters.slice(place, place + length).join(""));
      part.style.setProperty("--surprise", Math.min(1, bits / DARKEST).toFixed(2));
      part.dataset.bits = bits.toFixed(1);
      part.dataset.passage = `${model} on ${passage}`;
      place += length;
    }
    if (characters.length > place) element("p", { class: "said" }, box, `The first ${place.toLocaleString("en")} characters.`);
    return box;
  }

  function csv() {
    const rows = ["passage,model,place,character,bits"];
    for (const { passage, model, text, spans } of drawn ?? []) {
      const characters = [...text];
      let place = 0;
      for (const [length, bits] of spans) {
        for (let end = place + length; place < end; place += 1) {
          rows.push(`${passage},${model},${place},"${characters[place].replaceAll('"', '""')}",${bits}`);
        }
      }
    }
    return `${rows.join("\n")}\n`;
  }

  return { draw };
}
