// The words of a text as Regard's classifiers read them: letters and digits in a row, or one mark; tags are left out.

const MAX_TAG_BYTES = 60; // from < to >; a longer stretch is no tag but a text that uses the two marks
const PLAIN = {
  "‘": "'", "’": "'", "´": "'", "\u0091": "'", "\u0092": "'",
  "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "\u0084": '"', "\u0093": '"', "\u0094": '"',
  "–": "-", "—": "-", "\u0096": "-", "\u0097": "-", "…": ".", "\u0085": ".", "\u00a0": " ", "ς": "σ",
};
const BETWEEN = 0;
const WORD = 1;
const MARK = 2;

function kindOf(character) {
  const code = character.codePointAt(0);
  if (code <= 32 || code === 127) return BETWEEN;
  return code > 127 || /[a-z0-9]/.test(character) ? WORD : MARK;
}

/** Each word as {text, word, start, end}: as it was written, as it is looked up, and where it stands in the text. */
export function splitWords(text) {
  const characters = []; // of the lower-case text, each with the place it came from
  let place = 0;
  for (const character of text) {
    const end = place + character.length;
    for (const lower of character.toLowerCase()) characters.push({ plain: PLAIN[lower] ?? lower, start: place, end });
    place = end;
  }
  const kinds = characters.map(({ plain }) => kindOf(plain));
  characters.forEach(({ plain }, i) => {
    if (plain === "'" && isLetter(characters, i - 1) && isLetter(characters, i + 1)) kinds[i] = WORD;
  });
  leaveOutTags(characters, kinds);
  const words = [];
  kinds.forEach((kind, i) => {
    if (kind === BETWEEN) return;
    const { plain, start, end } = characters[i];
    if (kind === WORD && i > 0 && kinds[i - 1] === WORD) {
      const last = words.at(-1);
      last.word += plain;
      last.end = end;
    } else words.push({ word: plain, start, end });
  });
  return words.map((found) => ({ ...found, text: text.slice(found.start, found.end) }));
}

function isLetter(characters, i) {
  return i >= 0 && i < characters.length && characters[i].plain !== "'" && kindOf(characters[i].plain) === WORD;
}

/** < and a letter or /, then > before any other <. */
function leaveOutTags(characters, kinds) {
  const bytes = new TextEncoder();
  let open = -1;
  characters.forEach(({ plain }, i) => {
    if (plain === "<") open = i;
    if (plain !== ">" || open < 0) return;
    const inside = characters.slice(open, i + 1).map((each) => each.plain).join("");
    if (/^<[a-z/]/.test(inside) && bytes.encode(inside).length <= MAX_TAG_BYTES) kinds.fill(BETWEEN, open, i + 1);
    open = -1;
  });
}
