"""Anything at all as a record: either it loads, or a RecordError comes out and nothing else."""

from __future__ import annotations

import copy
import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import keltis
from tests.game.real_records import TABLES, Record, finished, finished_text


def loads(record: Any) -> bool:
    """Whether it loads; anything but a RecordError goes through."""
    try:
        game = keltis.load(record)
    except keltis.RecordError:
        return False
    assert keltis.load(game.record()).record() == game.record()
    return True


# What is no record at all

NO_RECORDS = [
    None, True, 7, 1.5, [], (), set(), object(), [finished], b"", b"\xff\xfe{", b"[]", "", " ",
    "{", "{}", "{]", "[]", "null", "true", "7", '"board"', "{" * 99, '{"format": NaN}',
    "nowhere.json", "no\0where", "\ud800", "\ufeff{}", "x" * 5000, {}, {1: 2}, {None: {}},
    Path("nowhere.json"), Path("/"), Path("no\0where"),
]  # fmt: skip


@pytest.mark.parametrize(
    "value",
    NO_RECORDS,
    ids=lambda value: ascii(value)[:12] if isinstance(value, str) else type(value).__name__,
)
def test_what_is_no_record_is_refused(value: Any) -> None:
    with pytest.raises(keltis.RecordError):
        keltis.load(value)


@pytest.mark.parametrize("depth", [1_000, 100_000])
@pytest.mark.parametrize("place", ["format", "players", "setup", "moves", "result", "extra"])
def test_deep_nesting_breaks_nothing(place: str, depth: int) -> None:
    record = finished("stones")
    record[place] = "HERE"
    for opening, closing in ("[]", ("{" + '"a":', "}")):
        nested = opening * depth + "1" + closing * depth
        loads(json.dumps(record).replace('"HERE"', nested))
    value: Any = None
    for _ in range(depth):
        value = [value]
    loads({**record, place: value})


@pytest.mark.parametrize("number", [10**30, -(10**30), 10**5000, 2**63, 1e308], ids=type)
def test_huge_numbers_break_nothing(number: float) -> None:
    record = finished("stones")
    loads({**record, "moves": [number]})
    loads({**record, "players": [number, number]})
    loads({**record, "result": {**record["result"], "scores": [number, number]}})
    loads({**record, "result": {**record["result"], "winners": [number]}})


def test_a_number_with_too_many_digits_breaks_nothing() -> None:
    loads(json.dumps(finished("stones")).replace('"moves": [', '"moves": [' + "9" * 6000 + ", "))


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_numbers_that_are_none_break_nothing(number: str) -> None:
    text = json.dumps(finished("stones"))
    for key in ("scores", "winners"):
        with pytest.raises(keltis.RecordError):
            keltis.load(re.sub(rf'"{key}": \[[^]]*\]', f'"{key}": [{number}, {number}]', text))


@pytest.mark.parametrize("bad", [b"\xff", b"\xc3", b"\xed\xa0\x80", b"\x00", b"\xfe\xff"])
@pytest.mark.parametrize("at", [0, 1, 40, -1])
def test_bytes_that_are_no_text_are_refused(bad: bytes, at: int, tmp_path: Path) -> None:
    text = json.dumps(finished("stones")).encode()
    path = tmp_path / "game.json"
    path.write_bytes(text[:at] + bad + text[at:])
    with pytest.raises(keltis.RecordError):
        keltis.load(path)


def test_a_missing_file_and_a_folder_are_named(tmp_path: Path) -> None:
    for path in (tmp_path / "nowhere.json", tmp_path):
        for form in (path, str(path)):
            with pytest.raises(keltis.RecordError, match=re.escape(str(path)[:20])):
                keltis.load(form)


# Anything at all: either it loads, or a RecordError comes out

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=8), inner, max_size=5)
    ),
    max_leaves=12,
)
WORDS = st.sampled_from("R7 xR7 R R* - ? <R C W 1 board stones may goal R07 R11".split())
CHANGES = ["delete", "replace", "swap", "duplicate", "move"]


@given(JSON)
def test_any_json_value_loads_or_is_refused(value: Any) -> None:
    loads(value)
    loads(json.dumps(value))


@given(
    st.dictionaries(
        st.sampled_from(["format", "game", "options", "players", "setup", "moves", "result"]), JSON
    )
)
def test_any_values_at_the_keys_of_a_record_load_or_are_refused(value: Record) -> None:
    loads(value)
    loads({**finished("board"), **value})
    loads({**finished("stones"), **value})


@given(st.text() | st.text(alphabet='{}[]",:0123456789.eE+-aRYVGB?*<x\\ \n'))
@example('{"a":1}' * 2)
def test_any_text_loads_or_is_refused(text: str) -> None:
    loads(text)
    loads("{" + text)


@given(st.binary(max_size=200))
def test_any_bytes_load_or_are_refused(data: bytes) -> None:
    loads(data)
    loads(b"{" + data)


@given(st.sampled_from(TABLES), st.data())
def test_a_real_record_with_bytes_changed_loads_or_is_refused(
    table: tuple[str, int], data: st.DataObject
) -> None:
    text = bytearray(finished_text(*table).encode())
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text) - 1))
        if data.draw(st.booleans()):
            text[at] = data.draw(st.integers(0, 255))
        else:
            del text[at : at + data.draw(st.integers(1, 9))]
    loads(bytes(text))
    loads(text.decode("utf-8", "surrogateescape"))


def containers(value: Any) -> list[Any]:
    """All lists and objects of a record that hold anything."""
    found = [value] if isinstance(value, list | dict) and value else []
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    return found + [below for item in inner for below in containers(item)]


def mutate(record: Record, data: st.DataObject) -> None:
    """Deletes, replaces, swaps, duplicates or moves one thing at any depth."""
    places = containers(record)
    where = data.draw(st.sampled_from(places))
    keys = list(where) if isinstance(where, dict) else list(range(len(where)))
    key = data.draw(st.sampled_from(keys))
    other = data.draw(st.sampled_from(keys))
    change = data.draw(st.sampled_from(CHANGES))
    if change == "delete":
        del where[key]
    elif change == "replace":
        where[key] = data.draw(JSON | WORDS)
    elif change == "swap":
        where[key], where[other] = where[other], where[key]
    elif change == "duplicate" and isinstance(where, list):
        where.insert(key, copy.deepcopy(where[other]))
    else:
        elsewhere = data.draw(st.sampled_from(places))
        inside = list(elsewhere) if isinstance(elsewhere, dict) else list(range(len(elsewhere)))
        # A copy, so that nothing comes to hold itself.
        elsewhere[data.draw(st.sampled_from(inside))] = copy.deepcopy(where[key])


@settings(max_examples=400)
@given(st.sampled_from(TABLES), st.integers(1, 3), st.data())
def test_a_real_record_with_things_changed_loads_or_is_refused(
    table: tuple[str, int], times: int, data: st.DataObject
) -> None:
    record = finished(*table)
    for _ in range(times):
        mutate(record, data)
    as_text = json.dumps(record)
    assert loads(record) == loads(as_text)


@given(st.sampled_from(TABLES), st.data())
def test_a_real_record_with_one_other_move_loads_or_names_the_move(
    table: tuple[str, int], data: st.DataObject
) -> None:
    record = finished(*table)
    at = data.draw(st.integers(0, len(record["moves"]) - 1))
    record["moves"][at] = data.draw(WORDS | st.sampled_from(record["moves"]))
    try:
        keltis.load(record)
    except keltis.RecordError as refusal:
        named = re.match(r"moves\[(\d+)\]: |result\.", str(refusal))
        assert named
        assert named[1] is None or int(named[1]) >= at
