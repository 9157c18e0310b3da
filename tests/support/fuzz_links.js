async ([slug, count]) => {
  // Any text for any field of a chapter's link: what goes wrong. Its page has a stub of parts/page.js that leaves the fields.
  const { readLink, writeLink } = await import("/parts/state.js");
  const { createRandom } = await import("/engine/normal.js");
  await import(`/chapters/${slug}.js`).catch((error) => { if (error.message !== "fields are known") throw error; });
  const { uniform } = createRandom(1);
  const draw = (list) => list[Math.floor(uniform() * list.length)];
  const odd = ["", " ", "-", ".", "e", "1e999", "-1e-999", "+1", "0x10", "NaN", "Infinity", "1,", ",1", ";", "1;1", "1,2;3", "null",
    "__proto__", "\ud800", "\u0661", "語", "<b>", "%", "&", "a".repeat(9000), "1,".repeat(3000) + "1", "-0", "1_000", "0.00004", "1e-5"];
  const letters = [..."0123456789,,;;..--+e &=%#x", "\u2212", "\ud83d\ude00"];
  const mutate = (text) => {
    const at = Math.floor(uniform() * (text.length + 1));
    return text.slice(0, at) + (uniform() < 0.5 ? draw(letters) : "") + text.slice(at + (uniform() < 0.5 ? 1 : 0));
  };
  const random = () => Array.from({ length: Math.floor(12 * uniform()) }, () => draw(letters)).join("");
  const isFinite = (value) => (typeof value === "number" ? Number.isFinite(value) : value === null || typeof value !== "object" || Object.values(value).every(isFinite));
  const faults = [];
  let nRead = 0;
  for (const [name, field] of Object.entries(fields)) {
    const start = field.write(field.start);
    const example = field.expected.match(/(?:such as|written like) ([^\s,]+(?:,[^\s,]+)*)/)?.[1] ?? start;
    const words = field.expected.match(/^(?:one|some) of (.*?)(?:, with commas between)?$/)?.[1].split(", ") ?? [];
    for (let i = 0; i < count; i += 1) {
      let text = i < odd.length ? odd[i] : draw([start, example, random, ...words.map(String)]);
      if (typeof text === "function") text = text();
      if (i % 3) text = mutate(text);
      try {
        const { values, complaints } = readLink(`?${new URLSearchParams([[name, text]])}`, fields);
        const written = writeLink("", values, fields, Infinity);
        const again = readLink(written, fields);
        const [, low, high] = field.expected.match(/numbers? from (\S+) to ([^\s,]+)/) ?? [null, -Infinity, Infinity];
        const numbers = low === -Infinity || !written ? [] : field.write(values[name]).split(/[,;]/).map(Number);
        if (!isFinite(values[name])) faults.push([name, text, "is no number", JSON.stringify(values[name])]);
        else if (complaints.length > 1 || again.complaints.length) faults.push([name, text, "complaints", ...again.complaints]);
        else if (complaints.length && (written || !complaints[0].startsWith(`${name} in this link should be`))) faults.push([name, text, written]);
        else if (writeLink("", again.values, fields, Infinity) !== written) faults.push([name, text, "is written otherwise", written]);
        else if (!numbers.every((value) => Number(low) <= value && value <= Number(high))) faults.push([name, text, "out of range", ...numbers]);
        nRead += complaints.length ? 0 : 1;
      } catch (error) {
        faults.push([name, text, String(error)]);
      }
    }
  }
  return { faults: faults.slice(0, 20).map((fault) => fault.map((part) => String(part).slice(0, 100))), nRead, names: Object.keys(fields) };
}
