"""The reference of the public API, as Markdown, from the docstrings.

    python tools/reference.py keltis      # prints a page of it

What is listed here is what docs/stability.md promises to keep.
"""

from __future__ import annotations

import importlib
import inspect
import os
import re
import sys
import textwrap
import types
from collections.abc import Iterator
from dataclasses import is_dataclass
from pathlib import Path
from typing import Any, is_typeddict

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

# Modules, and what of them is public; None: what `__all__` names.
MODULES: dict[str, list[str] | None] = {
    "keltis": None,
    "keltis.bots": None,
    "keltis.bots.evaluation": ["Evaluation"],
    "keltis.arena": None,
    "keltis.reviews": None,
    "keltis.envs.vector": [
        "CUT_OFF", "ENDED", "ILLEGAL", "RUNNING", "STAY",
        "Vector", "Buffers", "SeenBuffers", "InformedBuffers", "Saved",
    ],
    "keltis.envs.opponents": ["names"],
    "keltis.envs.table": ["Table"],
    "keltis.envs.layout": ["VERSION", "Layout", "Part", "actions", "information", "observation"],
    "keltis.envs.datasets": ["FORMAT", "batches"],
    "keltis.envs.symmetry": ["ALL", "exchange_action", "exchange_mask", "exchange_tensor"],
    "keltis.envs.pettingzoo": ["env"],
    "keltis.envs.gymnasium": ["SeatEnv"],
    "keltis.envs.gymnasium_vector": ["SeatVectorEnv"],
    "keltis.envs.openspiel": ["BoardGame", "StonesGame"],
    "keltis.rules.shrunken": ["BoardShape", "StonesShape"],
    "keltis.envs.render": ["svg"],
    "keltis.game.picture": ["svg"],
    "keltis.game.tokens": ["BOARD", "STONES"],
}  # fmt: skip


def public(module: str) -> list[str]:
    """The names of a module that are public."""
    names = MODULES[module]
    if names is None:
        names = list(importlib.import_module(module).__all__)
    return sorted(names, key=lambda name: (name.strip("_").lower(), name))


def page(module: str) -> str:
    found = importlib.import_module(module)
    parts = [f"# {module}", _document(found)]
    for name in public(module):
        parts += [f"## {name}", *_described(name, getattr(found, name))]
    return "\n\n".join(part for part in parts if part) + "\n"


def _described(name: str, what: Any) -> Iterator[str]:
    if inspect.isclass(what):
        yield _code(f"class {name}{_signature(what)}")
        yield _document(what)
        yield from _fields(what)
        for each, member in _members(what):
            yield f"### {name}.{each}"
            if isinstance(member, property):
                kind = inspect.signature(member.fget).return_annotation if member.fget else ""
                yield _code(f"{each}: {_plain(kind)}")
            else:
                yield _code(f"{each}{_signature(member)}")
            yield _document(member)
    elif callable(what) and hasattr(what, "__name__"):
        yield _code(f"{name}{_signature(what)}")
        yield _document(what)
    else:
        text = repr(what)
        yield _code(f"{name} = {text if len(text) < 200 else text[:80] + ' …'}")


def _members(what: type) -> Iterator[tuple[str, Any]]:
    """The methods and properties of a class that have a docstring of its own."""
    for name, member in vars(what).items():
        function = getattr(member, "__func__", member)
        is_member = isinstance(function, types.FunctionType | property)
        if is_member and not name.startswith("_") and function.__doc__:
            yield name, function


def _fields(what: type) -> Iterator[str]:
    """The fields of a dataclass or a typed tuple or dict, with the comments behind them."""
    if not is_dataclass(what) and not hasattr(what, "_fields") and not is_typeddict(what):
        return
    found = re.findall(r"^    ([a-z]\w*): ([^=\n]*?)(?: = [^#\n]*)?(?:  # (.*))?$",
                       _sources(what), re.MULTILINE)  # fmt: skip
    if found:
        rows = [f"| `{name}` | `{kind.strip().replace(' | ', ' or ')}` | {about} |"
                for name, kind, about in found]  # fmt: skip
        yield "\n".join(["| field | type | |", "|---|---|---|", *rows])


def _sources(what: type) -> str:
    """The text of a class, after that of the typed dict that it extends."""
    own = inspect.getsource(what)
    base = re.match(r"class \w+\((\w+)", own)  # Python 3.11 keeps no bases of typed dicts
    extended: Any = base and vars(sys.modules[what.__module__]).get(base[1])
    return (_sources(extended) if is_typeddict(extended) else "") + own


def _signature(what: Any) -> str:
    if getattr(what, "_is_protocol", False):
        return ""
    try:
        signature = inspect.signature(what)
    except (TypeError, ValueError):
        return ""
    if inspect.isclass(what) and issubclass(what, BaseException):
        return ""
    return _plain(signature)


def _plain(signature: object) -> str:
    """A signature without quotes around annotations, and short names of types."""
    text = re.sub(r"ForwardRef\('([^']*)'\)", r"\1", str(signature))
    text = re.sub(r"(: |-> |^)'([^']*)'", r"\1\2", text)
    return re.sub(r"\b(?:[a-z_]+\.)+([A-Z]\w*)", r"\1", text)


def _code(text: str) -> str:
    if len(text) > 90 and "(" in text:
        head, _, rest = text.partition("(")
        inner, _, tail = rest.rpartition(")")
        depth, lines, line = 0, [], ""
        for letter in inner:
            depth += (letter in "([") - (letter in ")]")
            if letter == "," and not depth:
                lines.append(f"    {line.strip()},")
                line = ""
            else:
                line += letter
        text = "\n".join([f"{head}(", *lines, f"    {line.strip()},", f"){tail}"])
    return f"```python\n{text}\n```"


def _document(what: Any) -> str:
    """A docstring; what is indented in it is code or, after a line of names, an explanation."""
    document = what.__doc__ if isinstance(what, types.ModuleType) else inspect.getdoc(what)
    if not document or (
        is_dataclass(what) and document.startswith(getattr(what, "__name__", "") + "(")
    ):
        return ""
    return textwrap.dedent(inspect.cleandoc(document))


if __name__ == "__main__":
    print(page(sys.argv[1]))
