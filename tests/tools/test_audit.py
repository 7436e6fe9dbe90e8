"""The bill of materials, and the question whether any of it is known to be vulnerable."""

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from tools import audit

Answers = Callable[[str, Any], Any]  # path and body in, body out; None: 404


@pytest.fixture
def serve() -> Iterator[Callable[[Answers], str]]:
    """Starts a service that answers as it is told; its address."""
    running: list[ThreadingHTTPServer] = []

    def start(answers: Answers) -> str:
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                size = int(self.headers.get("content-length") or 0)
                body = json.loads(self.rfile.read(size)) if size else None
                answer = answers(self.path, body)
                self.send_response(404 if answer is None else 200)
                self.end_headers()
                self.wfile.write(json.dumps(answer).encode())

            do_POST = do_GET  # noqa: N815

            def log_message(self, *_: Any) -> None:
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        running.append(server)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{server.server_address[1]}"

    yield start
    for server in running:
        server.shutdown()
        server.server_close()


def nobody(path: str, body: Any) -> Any:
    return None


def test_every_pinned_version_is_in_the_bill() -> None:
    parts = audit.pinned()
    lines = (audit.ROOT / "constraints.txt").read_text().splitlines()
    python = {part.name for part in parts if part.ecosystem == "PyPI"}
    assert len(python) == sum("==" in line for line in lines) > 50
    named = {part.name: part for part in parts}
    assert named["numpy"].scope == "required"
    assert named["uvicorn"].scope == named["anyio"].scope == "optional"
    assert named["pytest"].scope == "excluded"
    assert named["@preact/signals"].scope == named["htm"].scope == "required"
    assert named["eslint"].ecosystem == "npm"
    vendored = {each.name for each in (audit.ROOT / "src/keltis/web/vendor").glob("*.js")}
    listed = (audit.ROOT / "src/keltis/web/vendor/README.md").read_text()
    assert all(f"`{name}`" in listed for name in vendored)


def test_the_bill_is_cyclonedx_and_always_the_same() -> None:
    parts = audit.pinned()
    bill = audit.bill(parts, "1.0")
    assert bill == audit.bill(audit.pinned(), "1.0")
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    refs = [each["bom-ref"] for each in bill["components"]]
    assert len(refs) == len(set(refs)) == len(parts)
    known = {*refs, bill["metadata"]["component"]["bom-ref"]}
    for each in bill["dependencies"]:
        assert {each["ref"], *each["dependsOn"]} <= known
    by_ref = {each["ref"]: each["dependsOn"] for each in bill["dependencies"]}
    fastapi = next(ref for ref in refs if ref.startswith("pkg:pypi/fastapi@"))
    assert any(each.startswith("pkg:pypi/starlette@") for each in by_ref[fastapi])
    signals = next(each for each in bill["components"] if each["name"] == "signals")
    assert signals["group"] == "@preact"
    assert signals["purl"].startswith("pkg:npm/%40preact/signals@")


def test_it_is_written_by_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "new" / "sbom.json"
    monkeypatch.setattr("sys.argv", ["audit.py", "sbom", str(file)])
    assert audit.main() == 0
    component = json.loads(file.read_text())["metadata"]["component"]
    assert component["version"] == metadata.version("keltis")


def test_what_osv_knows_is_told(
    serve: Callable[[Answers], str], capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[Any] = []

    def osv(path: str, body: Any) -> Any:
        assert path == "/v1/querybatch"
        asked.extend(body["queries"])
        bad = [each["package"]["name"] == "starlette" for each in body["queries"]]
        return {"results": [{"vulns": [{"id": "GHSA-x"}]} if each else {} for each in bad]}

    assert audit.check(serve(osv), serve(nobody)) == 1
    told = capsys.readouterr().out
    assert "starlette" in told
    assert "GHSA-x" in told
    assert len(asked) == len(audit.pinned())
    assert {each["package"]["ecosystem"] for each in asked} == {"PyPI", "npm"}


def test_pypi_is_asked_if_osv_is_silent(
    serve: Callable[[Answers], str], capsys: pytest.CaptureFixture[str]
) -> None:
    def pypi(path: str, body: Any) -> Any:
        known = [{"id": "PYSEC-1"}] if path.startswith("/pypi/h11/") else []
        gone = [{"id": "PYSEC-2", "withdrawn": "2020-01-01"}]
        return {"vulnerabilities": known + gone}

    assert audit.check(serve(nobody), serve(pypi)) == 1
    told = capsys.readouterr().out
    assert "PYSEC-1" in told
    assert "PYSEC-2" not in told
    assert "npm was not checked" in told

    def clean(path: str, body: Any) -> Any:
        return {"vulnerabilities": []}

    assert audit.check(serve(nobody), serve(clean)) == 0


@pytest.mark.parametrize("answer", [None, {}, [], {"results": []}])
def test_without_an_answer_nothing_is_said_to_be_safe(
    answer: Any, serve: Callable[[Answers], str], capsys: pytest.CaptureFixture[str]
) -> None:
    silent = serve(lambda path, body: answer)
    assert audit.check(silent, silent) == 3
    assert "NOTHING WAS CHECKED" in capsys.readouterr().err


def test_the_index_is_pips_and_no_password_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_INDEX_URL", "https://me:secret@packages.example:8443/some/simple/")
    assert audit.index() == "https://packages.example:8443"
    monkeypatch.delenv("PIP_INDEX_URL")
    assert audit.index().startswith("http")
