"""A contest's folder: what was played, by which bots as they then were, and what came of it."""

from __future__ import annotations

import functools
import hashlib
import importlib
import importlib.util
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import TYPE_CHECKING, Any

from keltis import bots as our_bots
from keltis import rules
from keltis.arena import streams
from keltis.arena.faults import Fault
from keltis.arena.playing import Outcome, Settings
from keltis.arena.statistics import plain
from keltis.bots import registry
from keltis.game.game import load
from keltis.reviews.luck import Luck, luck_of

if TYPE_CHECKING:
    from keltis.arena.contest import Contest


@functools.cache
def bots_as_they_are() -> str:
    """A digest of the code and the weights that bots play by; another one, and they may differ."""
    own, theirs = (Path(package.__path__[0]) for package in (our_bots, rules))
    return _digest([*own.rglob("*.py"), *own.glob("weights/*.[jn]*"), *theirs.rglob("*.py")])


def _plugin_as_it_is(point: EntryPoint) -> str:
    """The same for a bot of another package: its version, and all files beside its module.

    What it reads from elsewhere, and the packages that it needs, nobody can know.
    """
    version = f"{point.dist.name} {point.dist.version}" if point.dist else point.module
    importlib.invalidate_caches()  # it may have been installed a moment ago
    found = importlib.util.find_spec(point.module.split(".")[0])
    files: list[Path] = []
    if found and found.submodule_search_locations:
        for folder in found.submodule_search_locations:
            files += [file for file in Path(folder).rglob("*") if file.is_file()]
    elif found and found.origin and Path(found.origin).exists():
        files = [Path(found.origin)]
    return f"{version} {_digest([f for f in files if '__pycache__' not in f.parts])}"


def _digest(files: list[Path]) -> str:
    digest = hashlib.sha256()
    for file in sorted(files):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def _made_of(bots: tuple[str, ...]) -> dict[str, str]:
    """What decides how the bots of these names play."""
    points = registry.plugins()
    found = {bot: _plugin_as_it_is(points[bot]) for bot in dict.fromkeys(bots) if bot in points}
    return {"keltis": bots_as_they_are(), **found}


class Journal:
    """A contest's folder: its settings, and a line for each game."""

    def __init__(self, folder: Path, settings: Settings, own: bool = False) -> None:
        self._folder = folder
        self._settings = settings
        self._records = folder / "records.jsonl"
        folder.mkdir(parents=True, exist_ok=True)
        self._size = 0  # of the records, in bytes
        facts = folder / "contest.json"
        mine = json.loads(json.dumps(asdict(settings))) | {"made_of": _made_of(settings.bots)}
        if facts.exists():
            if own:
                raise ValueError(
                    f"{folder} holds a contest, and whether bots that are handed in are still the "
                    "same cannot be told; choose another folder"
                )
            self._compare(_read(facts), mine)
        elif self._records.exists():
            raise ValueError(
                f"{folder} holds records, and no contest.json that says of which contest; "
                "choose another folder"
            )
        else:
            facts.write_text(json.dumps(mine, indent=1) + "\n")

    def _compare(self, theirs: dict[str, Any], mine: dict[str, Any]) -> None:
        """Whether the games of another run are games of this contest."""
        if theirs | {"made_of": mine["made_of"]} != mine:
            raise ValueError(
                f"{self._folder} holds another contest: {theirs}; choose another folder"
            )
        made_of = theirs.get("made_of")
        made_of = made_of if isinstance(made_of, dict) else {}
        changed = [name for name, now in mine["made_of"].items() if made_of.get(name) != now]
        if "keltis" in changed:
            raise ValueError(
                f"{self._folder} holds games of other bots of these names: Keltis has changed "
                "since they were played; choose another folder"
            )
        if changed:
            raise ValueError(
                f"{self._folder} holds games of another {changed[0]}: it has changed since they "
                "were played; choose another folder"
            )

    def outcomes(self, luck: bool) -> Iterator[list[Outcome]]:
        """The deals that are whole; what comes after them, a broken line too, is cut away.

        With `luck`, that of games which were played without is found now.
        """
        if not self._records.exists():
            return
        orders = streams.orders(self._settings.bots)
        whole = 0  # bytes of the deals that are whole
        read = 0
        deal: list[Outcome] = []
        found: list[list[Outcome]] = []
        for line in self._records.read_bytes().splitlines(keepends=True):
            try:
                game = _from_line(json.loads(line), luck)
            except (ValueError, KeyError, TypeError):
                break
            is_next = (game.deal, game.order) == (len(found), orders[len(deal)])
            if not (is_next and line.endswith(b"\n")):
                break
            deal.append(game)
            read += len(line)
            if len(deal) == len(orders):
                found.append(deal)
                deal = []
                whole = read
        os.truncate(self._records, whole)
        self._size = whole
        yield from found

    def add(self, outcomes: list[Outcome]) -> None:
        lines = "".join(json.dumps(_to_line(outcome)) + "\n" for outcome in outcomes).encode()
        with self._records.open("ab") as file:
            if os.fstat(file.fileno()).st_size != self._size:
                raise ValueError(f"{self._folder}: another contest is writing to this folder")
            file.write(lines)
        self._size += len(lines)

    def finish(self, contest: Contest) -> None:
        from keltis.arena.picture import draw

        result = {"lines": plain(contest.lines), "cut_off": contest.cut_off}
        if contest.ratio is not None:
            result["sprt"] = {"verdict": contest.sprt, "ratio": contest.ratio}
        (self._folder / "result.json").write_text(json.dumps(result, indent=1) + "\n")
        draw(contest, self._folder / "result.svg")


def _read(facts: Path) -> dict[str, Any]:
    try:
        found = json.loads(facts.read_text())
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise ValueError(
            f"{facts} is damaged: it does not say which contest this is; choose another folder"
        )
    return found


def _to_line(outcome: Outcome) -> dict[str, Any]:
    """A record with the contest's own facts besides; other readers ignore those."""
    facts = asdict(replace(outcome, record=None))
    del facts["record"]
    record: Mapping[str, Any] = outcome.record or {}
    return {**record, "arena": facts}


def _from_line(line: dict[str, Any], luck: bool) -> Outcome:
    facts = line["arena"]
    fault = facts.get("fault")
    found = None
    if luck:
        known = facts.get("luck")
        found = [Luck(*seat) for seat in known] if known else luck_of(load(line), deal=False)
    again = {
        "order": tuple(facts["order"]),
        "fault": Fault(**fault) if fault else None,
        "luck": found,
    }
    return Outcome(**{**facts, **again})
