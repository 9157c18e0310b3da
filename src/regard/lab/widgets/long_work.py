"""A button that starts a long computation, then its progress, and a button that stops it.

    work = mo.ui.anywidget(LongWork(compute, label="Train", seconds=20))
    work                          in another cell, which runs again when the work is over:
    model = work.widget.result if work.value["state"] == "done" else None

The browser asks how it stands four times a second, so all messages are sent by the notebook's own thread.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import anywidget
import traitlets

from regard.lab.jobs import FINAL_STATES, Computation, JobProgress
from regard.lab.widgets import source


class LongWork(anywidget.AnyWidget):
    """Runs `compute(progress)` in a thread; `state` tells the notebook when it is over, `result` is what came of it.

    `compute` calls `progress(share, message)` now and then, which is also where it may be stopped, and may add points
    to a curve with `progress.add_point(x, y)`; `axes` names its two axes. With `starts`, the work begins without a
    button; with `once`, there is no button to do it again.
    """

    _esm = source("long_work.js")
    _css = source("long_work.css")

    label: Any = traitlets.Unicode(read_only=True).tag(sync=True)
    seconds: Any = traitlets.Float(0.0, read_only=True).tag(sync=True)
    axes: Any = traitlets.List(read_only=True).tag(sync=True)
    starts: Any = traitlets.Bool(False, read_only=True).tag(sync=True)
    once: Any = traitlets.Bool(False, read_only=True).tag(sync=True)
    state: Any = traitlets.Enum(("ready", *FINAL_STATES), default_value="ready").tag(sync=True)

    def __init__(
        self,
        compute: Callable[[JobProgress], Any],
        *,
        label: str,
        seconds: int | float = 0,
        axes: tuple[str, str] = ("step", "loss"),
        starts: bool = False,
        once: bool = False,
    ) -> None:
        super().__init__()
        given = {"label": label, "seconds": float(seconds), "axes": list(axes), "starts": starts, "once": once}
        for name, value in given.items():
            self.set_trait(name, value)
        self.compute = compute
        self.computation: Computation[Any] = Computation(compute)
        self.on_msg(self._answer)

    @property
    def result(self) -> Any:
        """What was computed; None until it is done, and after it was stopped."""
        return self.computation.result

    def _answer(self, _: object, message: Any, __: object) -> None:
        """Do what the browser asks for, and tell it how the work stands."""
        asked = message.get("ask") if isinstance(message, dict) else None
        if asked == "start":
            self._start()
        elif asked == "stop":
            self.computation.stop()
        self.send(asdict(self.computation.status()))

    def _start(self) -> None:
        if self.computation.is_over:  # pressed again
            self.computation = Computation(self.compute)
        self.computation.start()

    @traitlets.validate("state")
    def _state(self, proposal: Any) -> str:
        """The browser says that it has seen the end; what the end was is known here."""
        if proposal["value"] in FINAL_STATES and not self.computation.is_over:
            raise traitlets.TraitError("the work is not over")
        return self.computation.state if self.computation.is_over else "ready"
