"""Who asks, and whose turn it is."""

import asyncio
import threading

import pytest

from regard.lab.server.visitors import AnswerTurns, RecentUse, Visitor, Visitors


def request(cookie="", *, peer="10.0.0.9", port=8642):
    headers = [(b"cookie", cookie.encode("latin-1"))] if cookie else []
    return {"type": "http", "headers": headers, "client": (peer, 1), "server": ("127.0.0.1", port)}


def test_a_signed_name_is_known_again_from_anywhere():
    visitors = Visitors()
    cookie = visitors.new_cookie()
    name = cookie.split(".")[0]
    asked = f"a=1; regard_visitor_8642={cookie}; b"
    assert visitors.visitor_of(request(asked)) == Visitor(name, "10.0.0.9")
    assert visitors.visitor_of(request(asked, peer="10.0.0.8")) == Visitor(name, "10.0.0.8")


@pytest.mark.parametrize(
    "cookie", ["", "regard_visitor_8642=", "regard_visitor_8642=ann", "regard_visitor_8642=ann.ff", "x=\xff.\xe9"]
)
def test_nobody_else_makes_a_name(cookie):
    assert Visitors().visitor_of(request(cookie)) == Visitor("without a name, from 10.0.0.9", "10.0.0.9")


def test_names_of_another_server_or_another_port_are_none():
    visitors = Visitors()
    assert visitors.known_name(request(f"regard_visitor_8642={Visitors().new_cookie()}")) is None
    assert visitors.known_name(request(f"regard_visitor_9000={visitors.new_cookie()}")) is None


def test_what_was_used_is_forgotten_by_and_by():
    now = [0.0]
    use = RecentUse(lambda: now[0])
    use.add("ann", 4.0)
    now[0] = 10.0
    assert use.recent("ann") == 2.0
    use.add("ann", 1.0)
    assert (use.recent("ann"), use.recent("bob")) == (3.0, 0.0)


def order_of_turns(seconds, asked):
    """In which order questions that are asked at once are answered, one at a time, if each takes so many seconds."""
    begun = []

    async def play():
        now = [0.0]
        turns = AnswerTurns(1, clock=lambda: now[0])

        async def answer(visitor):
            await turns.take(visitor)
            begun.append(visitor.name)
            await asyncio.sleep(0)
            now[0] += seconds[visitor.name]
            turns.give_back(visitor)

        await asyncio.gather(*(answer(visitor) for visitor in asked))

    thread = threading.Thread(target=lambda: asyncio.run(play()))  # the browser's tests have a loop in this one
    thread.start()
    thread.join()
    return "".join(begun)


def test_who_has_used_least_is_next():
    ann, bob, cid = (Visitor(name, "127.0.0.1") for name in "abc")
    assert order_of_turns({"a": 5.0, "b": 1.0, "c": 1.0}, [ann] * 4 + [bob] * 2 + [cid] * 2) == "abcbcaaa"


def test_many_names_of_one_machine_win_it_no_time():
    crowd = [Visitor(name, "10.0.0.1") for name in "abcdef"]
    assert order_of_turns(dict.fromkeys("abcdefz", 1.0), [*crowd, *[Visitor("z", "10.0.0.2")] * 3])[:6] == "azbzcz"
