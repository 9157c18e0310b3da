"""Connections that wait for their visitor: each only so long, and of one peer only so many.

Who sends half a request and then nothing costs memory and a place. So a request's head and its body have a time limit
each, and a peer that keeps too many connections waiting loses the one that has waited longest. A browser sends its
requests whole, in milliseconds, and meets neither limit.
"""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from typing import ClassVar

from uvicorn.protocols.http.h11_impl import H11Protocol

from regard.lab.server.guard import Limits


class Peers:
    """How many connections each peer has, and which of them wait for it, the longest first."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.n_open: Counter[str] = Counter()
        self.waiting: defaultdict[str, dict[Connection, None]] = defaultdict(dict)

    def admit(self, connection: Connection) -> None:
        """Take a new connection, if need be in the place of one that waits."""
        peer = connection.peer
        self.n_open[peer] += 1
        if self.n_open[peer] > self.limits.connections_each:
            self._abort(next(iter(self.waiting[peer]), connection))

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
        waiting = self.waiting[connection.peer]
        waiting.pop(connection, None)
        waiting[connection] = None
        if len(waiting) > self.limits.waiting_each:
            self._abort(next(iter(waiting)))

    def _abort(self, connection: Connection) -> None:
        self.go_on(connection)  # at once: it is told that it is closed only when the loop comes to it
        connection.transport.abort()

    def go_on(self, connection: Connection) -> None:
        """Note that it waits no longer."""
        self.waiting[connection.peer].pop(connection, None)


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
