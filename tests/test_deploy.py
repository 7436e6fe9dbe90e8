"""The examples under deploy: no container was built here, so they are read as a linter would."""

import configparser
import re
import shlex
from pathlib import Path
from typing import Any

import yaml

from keltis.server.settings import read

ROOT = Path(__file__).resolve().parents[1]
DEPLOY = ROOT / "deploy"
COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
SERVICES: dict[str, Any] = COMPOSE["services"]


def instructions() -> list[tuple[str, str]]:
    """Those of the container file, with their arguments in one line."""
    text = (DEPLOY / "Containerfile").read_text("utf-8")
    lines = re.sub(r"^#.*\n", "", text, flags=re.MULTILINE).replace("\\\n", " ").splitlines()
    found = []
    for line in filter(None, lines):
        word, _, rest = line.partition(" ")
        found.append((word, " ".join(rest.split())))
    return found


def last_stage() -> list[tuple[str, str]]:
    found = instructions()
    last = max(k for k, (word, _) in enumerate(found) if word == "FROM")
    return found[last:]


def environment(words: str) -> dict[str, str]:
    return dict(word.split("=", 1) for word in shlex.split(words))


def test_the_image_is_pinned_small_and_not_roots() -> None:
    for word, rest in instructions():
        assert (
            word
            in (
                "FROM ARG ENV RUN WORKDIR COPY USER VOLUME EXPOSE HEALTHCHECK ENTRYPOINT CMD"
            ).split()
        ), word
        if word == "FROM":
            assert re.match(r"python:3\.\d+-slim\b", rest)
        if "apt-get install" in rest:
            assert "--no-install-recommends" in rest
            assert "rm -rf /var/lib/apt/lists/*" in rest
    words = dict(last_stage())
    assert int(words["USER"]) > 0
    assert words["VOLUME"] == "/data"
    assert "/healthz" in words["HEALTHCHECK"]
    assert words["CMD"] == '["serve"]'
    assert not any("gcc" in rest for _, rest in last_stage())


def test_what_the_image_copies_is_there_and_not_ignored() -> None:
    ignored = (ROOT / ".dockerignore").read_text("utf-8").split()
    assert ignored[0] == "*"
    for word, rest in instructions():
        if word == "COPY" and not rest.startswith("--from"):
            for source in rest.split()[:-1]:
                assert (ROOT / source).exists(), source
                assert f"!{source}" in ignored, source


def test_settings_are_those_of_the_server() -> None:
    """`read` refuses what is none of them."""
    of_image = [environment(rest) for word, rest in last_stage() if word == "ENV"]
    for each in of_image:
        settings = {name: value for name, value in each.items() if name.startswith("KELTIS_")}
        assert read({}, settings).host == "0.0.0.0"
    for service in servers():
        assert read({}, service["environment"]).database.startswith("postgresql://")
    unit = systemd_unit()["Service"]
    name, _, value = unit["Environment"].partition("=")
    assert read({}, {name: value}).database == "/var/lib/keltis/tables.db"


def servers() -> list[dict[str, Any]]:
    return [service for service in SERVICES.values() if service["image"] == "keltis"]


def test_two_servers_share_a_database_behind_a_proxy() -> None:
    assert len(servers()) == 2
    for service in servers():
        assert (DEPLOY / service["build"]["context"]).resolve() == ROOT
        assert (ROOT / service["build"]["dockerfile"]).is_file()
        assert service["depends_on"] == {"database": {"condition": "service_healthy"}}
        assert "ports" not in service  # only the proxy is seen from outside
    (subnet,) = COMPOSE["networks"]["inside"]["ipam"]["config"]
    assert {s["environment"]["KELTIS_TRUST_PROXY"] for s in servers()} == {subnet["subnet"]}
    assert "ports" not in SERVICES["database"]
    assert "443:443" in SERVICES["proxy"]["ports"]
    for service in SERVICES.values():
        for volume in service.get("volumes", []):
            source = volume.split(":")[0]
            known = source in COMPOSE["volumes"] or (DEPLOY / source).is_file()
            assert known, volume


def test_no_image_is_whatever_is_newest_and_no_password_is_written_down() -> None:
    for service in SERVICES.values():
        assert service["image"] == "keltis" or re.search(r":\d", service["image"])
    text = (DEPLOY / "compose.yaml").read_text("utf-8")
    assert all(found.startswith("${") for found in re.findall(r"PASSWORD: (\S+)", text))


def test_the_proxy_asks_both_servers_how_they_are() -> None:
    text = (DEPLOY / "Caddyfile").read_text("utf-8")
    names = [name for name, service in SERVICES.items() if service in servers()]
    assert f"reverse_proxy {' '.join(f'{name}:8000' for name in names)} {{" in text
    assert "health_uri /healthz" in text
    assert text.count("{") == text.count("}")


def systemd_unit() -> configparser.ConfigParser:
    unit = configparser.ConfigParser(interpolation=None, delimiters=["="])
    unit.optionxform = str  # type: ignore[assignment, method-assign]
    unit.read_string((DEPLOY / "keltis.service").read_text("utf-8"))
    return unit


def test_the_unit_serves_without_rights_and_keeps_its_data() -> None:
    unit = systemd_unit()
    service = unit["Service"]
    assert service["ExecStart"].endswith("/keltis serve")
    assert service["DynamicUser"] == service["NoNewPrivileges"] == "yes"
    assert service["ProtectSystem"] == "strict"
    assert f"/var/lib/{service['StateDirectory']}/" in service["Environment"]
    assert unit["Install"]["WantedBy"] == "multi-user.target"
