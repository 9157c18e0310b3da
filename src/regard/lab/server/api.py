"""Questions that a page asks of Python: POST /api/<chapter>/<question>, JSON in, JSON out.

A chapter's view.py lists its questions:

    QUESTIONS = {"confirm": Question(PlaneInput, confirm), "search": Question(SearchInput, search, is_long=True)}

What is sent is checked before anything is computed (400 and one line where it is wrong), and how large it may be bounds
how long an answer takes. Few answers are computed at once, one for each visitor, others wait (see `visitors`), and what
has waited for a visitor who has gone is not computed. A long question is answered line by line: how far it is, then the
result; it gives way to short ones, and ends with its connection.
"""

from __future__ import annotations

import asyncio
import importlib
import json
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse

from regard.errors import RegardError, ValueRangeError
from regard.lab.contents import Chapter
from regard.lab.inputs import read_input
from regard.lab.jobs import FOREGROUND, Computation, Status, report_failure
from regard.lab.server.visitors import AnswerTurns, Visitor, Visitors

MAX_BODY_BYTES = 64_000
MAX_WAITING = 400
"""Questions that wait for their turn; more are refused."""
MAX_WAITING_PEER = 200
"""Of these, questions from one address, behind which a whole class may sit."""
MAX_WAITING_EACH = 8
"""Of these, questions of one visitor; pages ask one at a time and give up the one before."""
MAX_SECONDS = 20.0
ASK_EVERY_SECONDS = 0.1


@dataclass(frozen=True)
class Question:
    """The record that is sent, and the function that answers it; a long one also takes its progress."""

    kind: type[Any]
    answer: Callable[..., dict[str, Any]]
    is_long: bool = False


class Api:
    """Answers for the chapters that are plain pages; `warm` imports what they need before the first visitor asks."""

    def __init__(self, chapters: tuple[Chapter, ...], *, visitors: Visitors | None = None, n_at_once: int = 2) -> None:
        self.visitors = visitors or Visitors()
        self.chapters = {chapter.slug: chapter for chapter in chapters}
        self.pool = ThreadPoolExecutor(n_at_once, thread_name_prefix="question")
        self.turns = AnswerTurns(n_at_once)
        self.importing = asyncio.Lock()
        self.questions: dict[str, dict[str, Question]] = {}

    async def warm(self) -> None:
        """Import what the answers need, once: two threads that import at the same time may get half of a module."""
        async with self.importing:
            if not self.questions:
                self.questions = await asyncio.get_running_loop().run_in_executor(self.pool, self._import_questions)

    def _import_questions(self) -> dict[str, dict[str, Question]]:
        modules = {
            slug: importlib.import_module(f"regard.lab.chapters.{chapter.package}.view")
            for slug, chapter in self.chapters.items()
        }
        return {slug: module.QUESTIONS for slug, module in modules.items()}

    def close(self) -> None:
        """Begin no further answers."""
        self.pool.shutdown(wait=False, cancel_futures=True)

    async def answer(self, request: Request) -> Response:
        """Answer a question, or say in one line why not."""
        if request.path_params["chapter"] not in self.chapters:
            return refusal("There is no such question.", 404)
        await self.warm()
        question = self.questions[request.path_params["chapter"]].get(request.path_params["question"])
        if question is None:
            return refusal("There is no such question.", 404)
        body = await request.body()
        if len(body) > MAX_BODY_BYTES:
            return refusal(f"a question has at most {MAX_BODY_BYTES} bytes", 413)
        try:
            asked = read_input(question.kind, parse_json(body))
        except ValueRangeError as error:
            return refusal(str(error), 400)
        if question.is_long:
            visitor = self.visitors.visitor_of(request.scope)
            work = Computation(partial(question.answer, asked), visitor=visitor.name, peer=visitor.peer)
            return StreamingResponse(stream_status(work), media_type="application/x-ndjson")
        return await self._answer_in_turn(request, partial(question.answer, asked))

    async def _answer_in_turn(self, request: Request, answer: Callable[[], dict[str, Any]]) -> Response:
        visitor = self.visitors.visitor_of(request.scope)
        n_own, n_peer = self.turns.count_waiting(visitor)
        if len(self.turns.waiting) >= MAX_WAITING or n_peer >= MAX_WAITING_PEER or n_own >= MAX_WAITING_EACH:
            return refusal("many are asking at this moment; ask again", 503)
        FOREGROUND.begin()
        try:
            await self.turns.take(visitor)
            found = asyncio.ensure_future(self._compute(request, answer))
            # When nobody waits any longer, the thread goes on to its end, and so does its turn.
            found.add_done_callback(lambda done: self._end_turn(visitor, done))
            return await asyncio.wait_for(asyncio.shield(found), MAX_SECONDS)
        except RegardError as error:
            return refusal(str(error), 400)
        except TimeoutError:
            return refusal(f"this took longer than {MAX_SECONDS:g} seconds", 503)
        except Exception as error:  # whatever it is, the page says that it failed and the terminal says how
            report_failure(error)
            return refusal("this went wrong; the lab's terminal says how", 500)
        finally:
            FOREGROUND.end()

    async def _compute(self, request: Request, answer: Callable[[], dict[str, Any]]) -> Response:
        if await request.is_disconnected():
            return Response(status_code=204)
        return JSONResponse(await asyncio.get_running_loop().run_in_executor(self.pool, answer))

    def _end_turn(self, visitor: Visitor, done: asyncio.Future[Response]) -> None:
        self.turns.give_back(visitor)
        if not done.cancelled():
            done.exception()  # the visitor sees it, if there is one still


async def stream_status(work: Computation[dict[str, Any]]) -> AsyncIterator[bytes]:
    """A line of JSON whenever something has changed; the last one has the result. Left alone, the work is stopped.

    Of curves and text a line has what is new: of a curve the further points, of the text what follows that which was
    sent before, or all of it with `is_new_text`.
    """
    before = Status("ready")
    work.start()
    try:
        while True:
            is_over = work.is_over
            now = work.status()
            if now != before or is_over:
                sent = status_change(before, now) | ({"result": work.result} if is_over else {})
                before = now
                yield json.dumps(sent).encode() + b"\n"
            if is_over:
                return
            await asyncio.sleep(ASK_EVERY_SECONDS)
    finally:
        work.stop()


def status_change(before: Status, now: Status) -> dict[str, Any]:
    """What a line says: the state, and what curves and text have gained.

    >>> change = status_change(Status("working", text="ab"), Status("working", points=((1, 0.5),), text="abc"))
    >>> change["points"], change["text"], change["is_new_text"]
    (((1, 0.5),), 'c', False)
    """
    is_new = not now.text.startswith(before.text)
    return {
        "state": now.state,
        "share": now.share,
        "message": now.message,
        "points": now.points[len(before.points) :],
        "validation": now.validation[len(before.validation) :],
        "text": now.text if is_new else now.text[len(before.text) :],
        "is_new_text": is_new,
    }


def parse_json(body: bytes) -> Any:
    """What the JSON says; ValueRangeError where it is none."""
    try:
        return json.loads(body, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        raise ValueRangeError("expected JSON, with finite numbers") from None


def _refuse_constant(name: str) -> Any:
    raise ValueError(name)


def refusal(line: str, status: int) -> Response:
    """One line on what is wrong."""
    return JSONResponse({"error": line}, status)
