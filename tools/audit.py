"""What Keltis is made of, and whether any of it is known to be vulnerable.

    python tools/audit.py             # asks for known vulnerabilities of all pinned versions
    python tools/audit.py sbom FILE   # writes the bill of materials (CycloneDX 1.6, JSON)

Pinned are Python's packages in constraints.txt, the libraries that the page brings along
(src/keltis/web/vendor) and the tools in package.json. Vulnerabilities come from OSV (osv.dev),
which knows both PyPI and npm; else, for Python alone, from the index that pip uses, if it tells.
Nothing but names and versions is sent.

Exit code of the check: 0 nothing is known against any, 1 something is, 3 neither could be reached
and nothing was found out.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tomllib
import urllib.error
import urllib.request
import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module, metadata
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
OSV = "https://api.osv.dev"
_WAIT = 20.0  # seconds for an answer
_AT_ONCE = 100  # packages in one question


@dataclass(frozen=True)
class Part:
    """One package of one version."""

    name: str
    version: str
    ecosystem: str  # PyPI or npm, as OSV calls them
    licence: str | None = None
    scope: str = "excluded"  # required, optional, or excluded: only for work on the project

    @property
    def purl(self) -> str:
        kind = self.ecosystem.lower()
        return f"pkg:{kind}/{quote(self.name, safe='/')}@{quote(self.version)}"


class Unreachable(Exception):
    """Nobody answers who would know."""


# --- What there is ------------------------------------------------------------------------------


def pinned(root: Path = ROOT) -> list[Part]:
    """Every part, each once."""
    return sorted(
        {*_python(root), *_vendored(root), *_page_tools(root)},
        key=lambda part: (part.ecosystem, part.name),
    )


def _python(root: Path) -> Iterable[Part]:
    wanted = _wanted(root)
    for line in (root / "constraints.txt").read_text("utf-8").splitlines():
        name, equals, version = line.partition("==")
        if equals and not line.startswith("#"):
            name = canonicalize_name(name)
            scope = wanted.get(name, "excluded")
            yield Part(name, version.strip(), "PyPI", _licence(name), scope)


def _vendored(root: Path) -> Iterable[Part]:
    page = (root / "src/keltis/web/vendor/README.md").read_text("utf-8")
    row = re.compile(r"^\| `[^`]+` \| ([^,|]+), [^|]+ \| ([^ |]+) \| ([^,|]+),", re.MULTILINE)
    for name, version, licence in row.findall(page):
        yield Part(name, version, "npm", licence, "required")


def _page_tools(root: Path) -> Iterable[Part]:
    package = json.loads((root / "package.json").read_text("utf-8"))
    for name, version in package["devDependencies"].items():
        yield Part(name, version, "npm")


def _wanted(root: Path) -> dict[str, str]:
    """What is needed to run: without extras, and with any of those for users."""
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    found: dict[str, str] = {}
    for_users = [each for extra in ("server", "arena", "envs", "kernels") for each in extras[extra]]
    for scope, lines in (("required", project["dependencies"]), ("optional", for_users)):
        waiting = [Requirement(line) for line in lines]
        seen: set[tuple[str, frozenset[str]]] = set()
        while waiting:
            each = waiting.pop()
            name = canonicalize_name(each.name)
            if (name, frozenset(each.extras)) in seen:
                continue
            seen.add((name, frozenset(each.extras)))
            found.setdefault(name, scope)
            waiting += _needs(name, each.extras)
    return found


def _needs(name: str, extras: Iterable[str] = ()) -> list[Requirement]:
    """What an installed package needs here."""
    try:
        lines = metadata.requires(name) or []
    except metadata.PackageNotFoundError:
        return []
    needs = [Requirement(line) for line in lines]
    return [
        each
        for each in needs
        if each.marker is None
        or any(each.marker.evaluate({"extra": extra}) for extra in ("", *extras))
    ]


def _licence(name: str) -> str | None:
    try:
        about = metadata.metadata(name)
    except metadata.PackageNotFoundError:
        return None
    if expressions := about.get_all("License-Expression"):
        return str(expressions[0])
    named = [
        each.rpartition(" :: ")[2]
        for each in about.get_all("Classifier") or []
        if each.startswith("License ::")
    ]
    return ", ".join(named) or None


# --- The bill of materials ----------------------------------------------------------------------


def bill(parts: list[Part], version: str) -> dict[str, Any]:
    """The same for the same parts, whenever and wherever it is written."""
    own = f"pkg:pypi/keltis@{version}"
    known = {part.name: part.purl for part in parts if part.ecosystem == "PyPI"}
    needed = [part.purl for part in parts if part.scope != "excluded"]
    graph = [{"ref": own, "dependsOn": needed}]
    for part in parts:
        needs = _needs(part.name) if part.ecosystem == "PyPI" else []
        found = {known.get(canonicalize_name(each.name), "") for each in needs} - {""}
        graph.append({"ref": part.purl, "dependsOn": sorted(found)})
    number = uuid.uuid5(uuid.NAMESPACE_URL, "\n".join([own, *(part.purl for part in parts)]))
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{number}",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application", "bom-ref": own, "name": "keltis", "version": version,
                "purl": own, "licenses": [{"license": {"id": "MIT"}}],
            }
        },
        "components": [_component(part) for part in parts],
        "dependencies": graph,
    }  # fmt: skip


def _component(part: Part) -> dict[str, Any]:
    group, _, name = part.name.rpartition("/")
    found: dict[str, Any] = {"type": "library", "bom-ref": part.purl, "name": name}
    if group:
        found["group"] = group
    found |= {"version": part.version, "purl": part.purl, "scope": part.scope}
    if part.licence:
        found["licenses"] = [{"license": {"name": part.licence}}]
    return found


# --- The check ----------------------------------------------------------------------------------


def index() -> str:
    """Where pip gets packages from: as it is configured, else its own default."""
    asking = [sys.executable, "-m", "pip", "config", "get", "global.index-url"]
    found = subprocess.run(asking, capture_output=True, text=True, check=False)
    address = os.environ.get("PIP_INDEX_URL") or found.stdout.strip()
    parts = urlsplit(address or import_module("pip._internal.models.index").PyPI.url)
    port = f":{parts.port}" if parts.port else ""
    return f"{parts.scheme}://{parts.hostname}{port}"  # without a password


def vulnerabilities(parts: list[Part], osv: str, pypi: str) -> tuple[str, dict[Part, list[str]]]:
    """Who was asked, and what is known against whom; raises `Unreachable`."""
    try:
        return f"{osv}: PyPI and npm", _ask_osv(parts, osv)
    except Unreachable as fault:
        print(f"{osv} cannot be reached ({fault}); asking {pypi}.", file=sys.stderr)
    python = [part for part in parts if part.ecosystem == "PyPI"]
    return f"{pypi}: PyPI alone, npm was not checked", _ask_pypi(python, pypi)


def _ask_osv(parts: list[Part], osv: str) -> dict[Part, list[str]]:
    found: dict[Part, list[str]] = {}
    for k in range(0, len(parts), _AT_ONCE):
        some = parts[k : k + _AT_ONCE]
        queries = [
            {"package": {"name": part.name, "ecosystem": part.ecosystem}, "version": part.version}
            for part in some
        ]
        answer = _ask(f"{osv}/v1/querybatch", {"queries": queries})
        results = answer.get("results")
        if not isinstance(results, list) or len(results) != len(some):
            raise Unreachable("its answer is not one")
        for part, result in zip(some, results, strict=True):
            if known := [each["id"] for each in (result or {}).get("vulns") or []]:
                found[part] = sorted(known)
    return found


def _ask_pypi(parts: list[Part], pypi: str) -> dict[Part, list[str]]:
    found: dict[Part, list[str]] = {}
    for part in parts:
        answer = _ask(f"{pypi}/pypi/{part.name}/{part.version}/json")
        if "vulnerabilities" not in answer:
            raise Unreachable("it tells nothing of vulnerabilities")
        known = [each["id"] for each in answer["vulnerabilities"] if not each.get("withdrawn")]
        if known:
            found[part] = sorted(known)
    return found


def _ask(url: str, body: Any = None) -> dict[str, Any]:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"content-type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=_WAIT) as answer:
            found = json.load(answer)
    except (OSError, ValueError) as fault:
        reason = getattr(fault, "reason", None) or fault
        raise Unreachable(str(reason)) from None
    if not isinstance(found, dict):
        raise Unreachable("its answer is not one")
    return found


def check(osv: str, pypi: str) -> int:
    parts = pinned()
    try:
        who, found = vulnerabilities(parts, osv, pypi)
    except Unreachable as fault:
        print(
            f"{pypi} cannot be asked either ({fault}). NOTHING WAS CHECKED: run this again where "
            "one of them can be reached.",
            file=sys.stderr,
        )
        return 3
    for part, known in found.items():
        print(f"{part.name} {part.version} ({part.ecosystem}, {part.scope}): {', '.join(known)}")
    print(f"{len(found)} of {len(parts)} pinned versions have known vulnerabilities ({who}).")
    return 1 if found else 0


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command")
    writing = commands.add_parser("sbom", help="write the bill of materials")
    writing.add_argument("file", type=Path)
    arguments = parser.parse_args()
    if arguments.command is None:
        return check(OSV, index())
    file: Path = arguments.file
    file.parent.mkdir(parents=True, exist_ok=True)
    parts = pinned()
    text = json.dumps(bill(parts, metadata.version("keltis")), indent=2, ensure_ascii=False)
    file.write_text(text + "\n", "utf-8")
    print(f"{len(parts)} parts written to {file}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
