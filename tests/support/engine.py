"""The mathematics of the lab's pages, run in a browser: one page that has every module of `web/engine`."""

import json
from pathlib import Path

import regard.lab

ENGINE = Path(regard.lab.__file__).parent / "web" / "engine"
ADDRESS = "http://engine.test/"


class EnginePage:
    """A page at which modules of the engine are called with many cases at once."""

    def __init__(self, page):
        self.page = page
        self.errors = []
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.route(f"{ADDRESS}**", self._answer)
        page.goto(ADDRESS)

    def _answer(self, route):
        name = route.request.url.removeprefix(ADDRESS)
        file = ENGINE / name
        if name.endswith(".js") and file.is_file():
            route.fulfill(body=file.read_text(encoding="utf-8"), content_type="text/javascript")
        else:
            route.fulfill(body="<!doctype html><title>engine</title>", content_type="text/html")

    def map(self, module, function, cases):
        """What a function makes of each list of arguments; an error is its message, as {"refused": …}."""
        script = """async ([module, name, cases]) => {
            const {[name]: f} = await import(`/${module}.js`);
            return cases.map((given) => {
                try { return f(...given); } catch (error) { return {refused: error.message}; }
            });
        }"""
        return self.run(script, [module, function, cases])

    def run(self, script, argument=None):
        """What an asynchronous function of one argument returns.

        Both go through the debugger as one text: number by number, a thousand cases take a second of the processor.
        """
        asked = f"""async (given) => JSON.stringify((await ({script})(JSON.parse(given))) ?? null,
            (_, value) => ArrayBuffer.isView(value) ? Array.from(value) : value)"""
        return json.loads(self.page.evaluate(asked, json.dumps(argument)))

    def milliseconds(self, module, function, given, *, repeats=30):
        """The shortest time of one call after the first few: what others do on the machine only adds to it."""
        script = """async ([module, name, given, repeats]) => {
            const {[name]: f} = await import(`/${module}.js`);
            let best = Infinity;
            for (let i = 0; i < repeats; i += 1) {
                const start = performance.now();
                f(...given);
                best = Math.min(best, performance.now() - start);
            }
            return best;
        }"""
        return self.page.evaluate(script, [module, function, given, repeats])
