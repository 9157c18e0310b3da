// While the start page is looked at, the browser fetches what every chapter will need.
async function fetchAhead() {
  const files = await (await fetch("/ahead.json")).json();
  for (const file of files) {
    const link = document.createElement("link");
    link.rel = "prefetch";
    link.href = file;
    link.crossOrigin = "anonymous"; // as marimo's page asks for them, else they would be fetched twice
    document.head.append(link);
  }
}
addEventListener("load", () => setTimeout(fetchAhead, 300));
