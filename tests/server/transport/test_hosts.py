"""Names that the server answers to, and paths that it does not know."""

from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI

from keltis.server.settings import Settings
from keltis.server.transport.hosts import Hosts
from tests.server.transport.inside import serving


@pytest.mark.parametrize("header", ["localhost", "LOCALHOST:8000", "127.0.0.1:80", "[::1]:8000"])
def test_a_server_for_this_machine_answers_to_its_names(header: str) -> None:
    assert Hosts(Settings().host_names).allows(header)


@pytest.mark.parametrize(
    "header",
    ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example:8000", "", "localhost:x",
     "a@localhost", "localhost/", "[::2]", "evil.example:80:80"],
)  # fmt: skip
def test_and_to_no_other(header: str) -> None:
    assert not Hosts(Settings().host_names).allows(header)


def test_names_can_be_set() -> None:
    hosts = Hosts(Settings(allow_host="Keltis.example, *.games.example").host_names)
    assert hosts.allows("keltis.example")
    assert hosts.allows("keltis.example.:443")
    assert hosts.allows("a.games.example")
    for foreign in ("games.example", "evilgames.example", "localhost", "x.keltis.example"):
        assert not hosts.allows(foreign)
    assert Settings(allow_host="*").host_names == ()


def test_a_server_for_everybody_or_behind_a_proxy_answers_to_any_name() -> None:
    assert Settings(host="0.0.0.0").host_names == ()
    assert Settings(trust_proxy="127.0.0.1").host_names == ()


def test_a_request_by_a_foreign_name_is_refused(tmp_path: Path) -> None:
    """As a page does that gave its own name this machine's address (DNS rebinding)."""
    with serving(tmp_path / "x.db", allow_host="") as (_, client):
        foreign = {"host": "evil.example:8000", "origin": "http://evil.example:8000"}
        for path in ("/api/info", "/", "/metrics", "/api/tables"):
            answer = client.get(path, headers=foreign)
            assert (answer.status_code, answer.json()["error"]["code"]) == (421, "bad_host")
        assert client.post("/api/keys", headers=foreign).status_code == 421
        assert client.get("/healthz", headers=foreign).status_code == 200
        assert client.get("/api/info", headers={"host": "localhost"}).status_code == 200


@pytest.mark.parametrize("method", ["GET", "POST", "DELETE", "PUT"])
@pytest.mark.parametrize(
    "path", ["/api", "/api/", "/api/nothing", "/api/tables/a/b/c", "/api/x.js"]
)
def test_an_unknown_path_of_the_api_is_told_in_json(method: str, path: str, tmp_path: Path) -> None:
    with serving(tmp_path / "x.db") as (_, client):
        answer = client.request(method, path)
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "not_found")


def test_a_known_path_and_an_unknown_method(tmp_path: Path) -> None:
    with serving(tmp_path / "x.db") as (_, client):
        answer = client.post("/api/info")
        assert (answer.status_code, answer.json()["error"]["code"]) == (405, "bad_method")
        assert client.post("/").status_code == 405


def test_the_description_of_the_api_is_made_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is the longest answer that anybody may ask for as often as for any other."""
    made = []
    openapi = FastAPI.openapi

    def counting(app: FastAPI) -> Any:
        made.append(app)
        return openapi(app)

    monkeypatch.setattr(FastAPI, "openapi", counting)
    with serving(tmp_path / "x.db") as (_, client):
        first, second = (client.get("/api/openapi.json") for _ in range(2))
    assert first.json()["info"]["title"] == "Keltis"
    assert first.content == second.content
    assert len(made) == 1
