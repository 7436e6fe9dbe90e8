"""How much one client may ask for: for each key, and for each address."""

import asyncio
import json
from array import array
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.testclient import TestClient

from keltis.server import keys
from keltis.server.live import history, service
from keltis.server.problems import Problem
from keltis.server.settings import Settings
from keltis.server.transport import limits
from keltis.server.transport.limits import Bucket, Limits, network
from tests.server.live.playing import run
from tests.server.transport.inside import bearer, make, new_key, serving, socket


class FakeTime:
    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0.0
        monkeypatch.setattr(limits, "time", SimpleNamespace(monotonic=lambda: self.now))


@pytest.mark.parametrize(
    ("address", "counted_as"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::1", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("no: address", "?"),
        ("unix:", "?"),
        # As a server hears of them that listens at both with one socket, or a proxy tells them.
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("::FFFF:C000:0207", "192.0.2.7"),
        ("192.0.2.7:5678", "192.0.2.7"),
        ("[2001:db8:1:2::1]:5678", "2001:db8:1:2::/64"),
        ("[::ffff:192.0.2.7]:5678", "192.0.2.7"),
    ],
)
def test_an_address_of_ipv6_is_a_households_network(address: str, counted_as: str) -> None:
    assert network(address) == counted_as


def test_a_bucket_saves_up_a_burst_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    time = FakeTime(monkeypatch)
    bucket = Bucket(2, 10)
    assert bucket.take(10) == 0
    assert bucket.take(1) == pytest.approx(0.5)
    time.now += 1000
    assert bucket.take(9) == 0
    assert bucket.take(9) == pytest.approx(4)
    assert bucket.take(11) == pytest.approx(4.5)  # all that can be saved up
    time.now += 4.5
    assert bucket.take(11) == 0


def messages(limiting: Limits, holder: str | None, address: str) -> int:
    """How many are let through at once."""
    for count in range(10_000):
        try:
            limiting.message(holder, address)
        except Problem as problem:
            return count if problem.code == "rate_limited" and problem.more["retry_after"] else -1
    raise AssertionError("no limit")


def test_messages_count_for_the_key_and_for_the_address(monkeypatch: pytest.MonkeyPatch) -> None:
    FakeTime(monkeypatch)
    limiting = Limits(Settings(database="x", rate=10, rate_address=50))
    assert messages(limiting, "ann", "1.1.1.1") == 20
    assert messages(limiting, "ann", "2.2.2.2") == 0  # wherever she comes from
    assert messages(limiting, "ben", "1.1.1.1") == 20
    rest = sum(messages(limiting, f"key {k}", "1.1.1.1") for k in range(20))
    assert rest < 100 - 40  # however many keys an address has
    assert messages(limiting, "cleo", "3.3.3.3") == 20


def test_who_is_a_little_too_fast_waits_and_who_is_far_too_fast_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    time = FakeTime(monkeypatch)
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    monkeypatch.setattr(limits, "asyncio", SimpleNamespace(sleep=sleep))

    async def play() -> None:
        limiting = Limits(Settings(database="x", work=1, work_address=5))  # 60 saved for a key
        for _ in range(30):
            await limiting.work("hint", "ann", "1.1.1.1")
        assert waits == []
        await limiting.work("hint", "ann", "1.1.1.1")
        assert waits == [pytest.approx(2)]
        with pytest.raises(Problem) as refused:
            await limiting.work("hint", "ann", "1.1.1.1")
        assert refused.value.code == "rate_limited"
        assert refused.value.more["retry_after"] == pytest.approx(4, abs=0.02)
        time.now += 4
        await limiting.work("hint", "ann", "1.1.1.1")

    run(play())


def test_long_answers_are_paid_for_as_they_are_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All records of somebody take as long as there are games, however many: not one price."""
    took = 20.0  # seconds for a table, which nobody could have known before
    slept: list[float] = []
    own_sleep = asyncio.sleep

    def timed(work: Any, *args: Any) -> tuple[Any, float]:
        return work(*args), took

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        await own_sleep(0)

    monkeypatch.setattr(history, "timed", timed)
    monkeypatch.setattr(service, "timed", timed)
    with serving(tmp_path / "x.db", work=1, work_address=1000) as (_, client):
        ann, ben = new_key(client), new_key(client)
        for _ in range(5):
            table = make(client, ann, "me", "fawn")["table"]
            client.post(f"/api/tables/{table}/resign", json={}, headers=bearer(ann))
        monkeypatch.setattr(limits, "asyncio", SimpleNamespace(sleep=sleep))
        for path in ("/api/me/games/records", "/api/me"):
            slept.clear()
            answer = client.get(path, headers=bearer(ann))
            if answer.status_code == 429:  # the first one has used up what was saved up
                continue
            assert len(answer.text.splitlines()) == 5
            assert slept == sorted(slept)  # nobody waits as nobody sleeps here
            assert slept[-1] == pytest.approx(5 * took + 3 + 15 - 60, abs=5)
        assert client.get("/api/me", headers=bearer(ann)).status_code == 429
        assert client.get("/api/me", headers=bearer(ben)).status_code == 200


def test_only_few_of_an_address_wait_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    FakeTime(monkeypatch)

    async def play() -> None:
        limiting = Limits(Settings(database="x", work=1000, work_address=10))
        for _ in range(300):
            await limiting.work("hint", None, "1.1.1.1")
        waiting = [asyncio.create_task(limiting.work("key", None, "1.1.1.1")) for _ in range(20)]
        refused = await asyncio.gather(*waiting, return_exceptions=True)
        codes = [each.code for each in refused if isinstance(each, Problem)]
        assert codes == ["rate_limited"] * 15
        await limiting.work("key", None, "2.2.2.2")

    run(play())


def test_who_comes_over_both_kinds_of_addresses_is_known(tmp_path: Path) -> None:
    """A proxy on this machine is trusted, and this machine is local, however they are written."""
    settings = {"trust_proxy": "10.0.0.7", "rate_address": 2}
    with serving(tmp_path / "x.db", **settings) as (server, _):
        proxied = TestClient(server.asgi, client=("::ffff:10.0.0.7", 80))
        codes = [
            proxied.get("/api/info", headers={"x-forwarded-for": f"192.0.2.{k}:99"}).status_code
            for k in range(20)
        ]
        assert set(codes) == {200}  # each of another address
        many = [
            TestClient(server.asgi, client=(f"::ffff:198.51.100.{k}", 80)).get("/api/info")
            for k in range(20)
        ]
        assert {each.status_code for each in many} == {200}
        here = TestClient(server.asgi, client=("::ffff:127.0.0.1", 80)).get("/metrics")
        assert here.status_code == 200


def test_a_long_game_counts_for_as_much_as_there_is_to_tell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A state tells every decision, so one of ten thousand is more than a message."""
    FakeTime(monkeypatch)  # nothing is saved up while the test runs
    with serving(tmp_path / "x.db", rate=20, rate_address=1e5) as (server, client):
        key = new_key(client)
        table = make(client, key, "me", "me")["table"]
        with socket(client, table, key) as ann:
            ann.playing()
            live = server.service.registry.get(table)
            assert live is not None
            asked = 0
            for steps, least in ((1, 30), (5_000, 4)):
                live.table.steps = array("i", [live.table.seq]) * steps
                bucket = server.limits._messages.of(keys.digest(key))
                bucket._left = bucket._burst
                for asked in range(100):  # noqa: B007
                    ann.say(type="sync")
                    if ann.hear()["type"] == "error":
                        break
                assert least <= asked <= 2 * least
            path = f"/api/tables/{table}"
            for method, where in (
                ("GET", path),
                ("GET", f"{path}/events"),
                ("GET", f"{path}/record"),
                ("POST", f"{path}/leave"),
            ):
                bucket._left = 2.0
                more: Any = {"json": {}} if method == "POST" else {}
                answer = client.request(method, where, headers=bearer(key), **more)
                assert answer.status_code == 429, answer.text
            bucket._left = 2.0
            address = f"/api/tables/{table}/socket"
            with client.websocket_connect(address, headers=bearer(key)) as another:
                assert json.loads(another.receive_text())["code"] == "rate_limited"
