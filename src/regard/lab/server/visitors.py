"""Who asks, whose turn it is, and how long a connection may wait.

A visitor is recognised by a cookie that the lab has made and signed: nobody can make another, nor leave it out to be
counted as somebody new. Requests without one, or with a forged one, are one visitor together for each address that they
come from. Who throws the cookie away gets another name each time, but not another address, for which there are bounds
as well. Turns go to the visitor who has had the least of the lab's time recently.

Who sends half a request and then nothing costs memory and a place. So a request's head and its body have a time limit
each, and a peer that keeps too many connections waiting loses the one that has waited longest. Who comes from many
addresses meets a limit for all of them together. A browser sends its requests whole, in milliseconds, and meets none
of these limits.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import secrets
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from starlette.datastructures import Headers
from starlette.types import Scope
from uvicorn.protocols.http.h11_impl import H11Protocol

from regard.lab.server.guard import Limits

VISITOR_COOKIE = "regard_visitor_{port}"
"""Browsers give a cookie to every port of a machine, and two labs may run there."""
MAX_KNOWN = 2_000
"""Visitors and peers whose use of time is remembered."""
HALF_LIFE_SECONDS = 10.0
"""After which half of the time that a visitor has used is forgotten."""


@dataclass(frozen=True)
class Visitor:
    """The name by which a visitor is counted, and the address that the request came from."""

    name: str
    peer: str


class Visitors:
    """Makes names for visitors, and knows them again; each server has a secret of its own."""

    def __init__(self) -> None:
        self.secret = secrets.token_bytes(32)

    def new_cookie(self) -> str:
        """A name that nobody has had, signed."""
        name = secrets.token_urlsafe(12)
        return f"{name}.{self._signature(name)}"

    def visitor_of(self, scope: Scope) -> Visitor:
        """Who sent this request."""
        peer = scope["client"][0] if scope.get("client") else ""
        name = self.known_name(scope)
        return Visitor(f"without a name, from {peer}" if name is None else name, peer)

    def known_name(self, scope: Scope) -> str | None:
        """The name in the cookie; None where there is none, or one that this server has not signed."""
        wanted = cookie_name(scope)
        for part in Headers(scope=scope).get("cookie", "").split(";"):
            key, _, value = part.strip().partition("=")
            name, _, signature = value.partition(".")
            if key == wanted and hmac.compare_digest(signature.encode(), self._signature(name).encode()):
                return name
        return None

    def _signature(self, name: str) -> str:
        return hmac.new(self.secret, name.encode(), hashlib.sha256).hexdigest()


def cookie_name(scope: Scope) -> str:
    """What the cookie is called in the lab that was asked."""
    return VISITOR_COOKIE.format(port=scope["server"][1] if scope.get("server") else "")


class RecentUse:
    """How much of something each has used recently; use that is one half-life old counts half."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.clock = clock
        self.used: dict[str, tuple[float, float]] = {}

    def add(self, who: str, seconds: float) -> None:
        """Count this as used now."""
        self.used[who] = (self.recent(who) + seconds, self.clock())
        if len(self.used) > MAX_KNOWN:
            del self.used[min(self.used, key=self.recent)]

    def recent(self, who: str) -> float:
        """What was used, faded with time."""
        seconds, at = self.used.get(who, (0.0, 0.0))
        return seconds * 0.5 ** ((self.clock() - at) / HALF_LIFE_SECONDS) if seconds else 0.0


class AnswerTurns:
    """Lets a limited number of answers be computed at once, one for each visitor.

    Of those who wait, the next is one whose machine has used the least time recently, then the visitor who has, then
    the one who came first.
    """

    def __init__(self, n_at_once: int, *, clock: Callable[[], float] = time.monotonic) -> None:
        self.n_at_once = n_at_once
        self.running: dict[Visitor, float] = {}
        self.waiting: list[tuple[Visitor, asyncio.Future[None]]] = []
        self.clock = clock
        self.use = RecentUse(clock)

    def count_waiting(self, visitor: Visitor) -> tuple[int, int]:
        """How many of this visitor's questions wait, and how many of all that come from that machine."""
        names = Counter(other.name for other, _ in self.waiting)
        return names[visitor.name], sum(other.peer == visitor.peer for other, _ in self.waiting)

    async def take(self, visitor: Visitor) -> None:
        """Wait for a turn, which has to be given back."""
        entry = (visitor, asyncio.get_running_loop().create_future())
        self.waiting.append(entry)
        self._begin()
        try:
            await entry[1]
        except asyncio.CancelledError:
            if entry in self.waiting:
                self.waiting.remove(entry)
            else:
                self.give_back(visitor)
            raise

    def give_back(self, visitor: Visitor) -> None:
        """End a turn: the answer has been computed."""
        seconds = self.clock() - self.running.pop(visitor)
        self.use.add(f"visitor {visitor.name}", seconds)
        self.use.add(f"peer {visitor.peer}", seconds)
        self._begin()

    def _begin(self) -> None:
        while self.waiting and len(self.running) < self.n_at_once:
            running = {visitor.name for visitor in self.running}
            free = [entry for entry in self.waiting if entry[0].name not in running]
            if not free:
                return
            entry = min(free, key=lambda entry: self._recent_use(entry[0]))  # the first of equals
            self.waiting.remove(entry)
            if not entry[1].done():
                self.running[entry[0]] = self.clock()
                entry[1].set_result(None)

    def _recent_use(self, visitor: Visitor) -> tuple[float, float]:
        return self.use.recent(f"peer {visitor.peer}"), self.use.recent(f"visitor {visitor.name}")


class Peers:
    """How many connections each peer has, and which of them wait for it, the longest first."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.n_open: Counter[str] = Counter()
        self.waiting: defaultdict[str, dict[Connection, None]] = defaultdict(dict)
        self.all_waiting: dict[Connection, None] = {}

    def admit(self, connection: Connection) -> None:
        """Take a new connection, if necessary in the place of one that waits."""
        peer = connection.peer
        self.n_open[peer] += 1
        if self.n_open[peer] > self.limits.connections_each:
            self._abort(next(iter(self.waiting[peer]), connection))
        elif self.n_open.total() > self.limits.requests:
            self._abort(next(iter(self.all_waiting), connection))

    def release(self, connection: Connection) -> None:
        """Forget a connection."""
        peer = connection.peer
        self.go_on(connection)
        self.n_open[peer] -= 1
        if self.n_open[peer] <= 0:
            self.n_open.pop(peer)
            self.waiting.pop(peer, None)

    def wait(self, connection: Connection) -> None:
        """Note that a connection waits from now on; where too many do, the first of them is closed."""
        own = self.waiting[connection.peer]
        self.go_on(connection)
        own[connection] = self.all_waiting[connection] = None
        if len(own) > self.limits.waiting_each:
            self._abort(next(iter(own)))
        elif len(self.all_waiting) > self.limits.waiting:
            self._abort(next(iter(self.all_waiting)))

    def _abort(self, connection: Connection) -> None:
        self.go_on(connection)  # at once: the loop notices only later that it is closed
        connection.transport.abort()

    def go_on(self, connection: Connection) -> None:
        """Note that the connection no longer waits."""
        self.waiting[connection.peer].pop(connection, None)
        self.all_waiting.pop(connection, None)


class Connection(H11Protocol):
    """A connection of uvicorn's that is closed when its visitor takes too long."""

    peers: ClassVar[Peers]

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Begin to wait for a request."""
        super().connection_made(transport)
        self.peer = self.client[0] if self.client else ""
        self.waits_for = ""
        self.timer: asyncio.TimerHandle | None = None
        self.peers.admit(self)
        self._follow()

    def connection_lost(self, exc: Exception | None) -> None:
        """Give the place back."""
        self._stop_waiting()
        self.peers.release(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take what was sent."""
        super().data_received(data)
        self._follow()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        super().on_response_complete()
        self._follow()

    def _follow(self) -> None:
        """Set the clock where something else is waited for than before."""
        if self.transport.is_closing():
            return
        if self.cycle is None or self.cycle.response_complete:
            now, seconds = "head", self.peers.limits.head_seconds
        elif self.cycle.more_body:
            now, seconds = "body", self.peers.limits.body_seconds
        else:
            self._stop_waiting()
            return
        if now != self.waits_for:
            self._stop_waiting()
            self.waits_for = now
            self.timer = self.loop.call_later(seconds, self.transport.abort)
            self.peers.wait(self)

    def _stop_waiting(self) -> None:
        self.waits_for = ""
        self.peers.go_on(self)
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None


def connection_class(limits: Limits) -> type[Connection]:
    """A class of connections for one server, which share their places."""
    return type("Connection", (Connection,), {"peers": Peers(limits)})
