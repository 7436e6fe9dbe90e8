"""How a command says that it cannot go on, and how it repeats the words of others."""

import errno
import unicodedata
from pathlib import Path

from keltis.cli.words import t

_KNOWN = {
    errno.ENOENT: "fault.missing",
    errno.EISDIR: "fault.folder",
    errno.ENOTDIR: "fault.not.folder",
    errno.EACCES: "fault.forbidden",
    errno.EPERM: "fault.forbidden",
    errno.EROFS: "fault.read.only",
    errno.ENOSPC: "fault.full",
    errno.EDQUOT: "fault.full",
    errno.EFBIG: "fault.large",
    errno.ENAMETOOLONG: "fault.long.name",
}
_JOINERS = "\u200c\u200d"  # within words of some scripts; they command nothing


class Failure(Exception):
    """Ends the program with one line on the error stream and an exit code."""

    def __init__(self, message: str, code: int = 2) -> None:
        super().__init__(message)
        self.code = code


def plain(text: str) -> str:
    """Text on one line, every letter as it was, but nothing that a terminal would obey."""
    return "".join(map(_letter, text.strip("\r\n")))


def _letter(letter: str) -> str:
    if letter.isprintable() or letter in _JOINERS or unicodedata.category(letter) == "Zs":
        return letter
    return " " if letter.isspace() else "\N{REPLACEMENT CHARACTER}"


def reason(fault: OSError | ValueError) -> str:
    """Why the system refused a file, in our own words."""
    if not isinstance(fault, OSError):
        return t("fault.name")  # a path that the system would not even look at
    if fault.errno in _KNOWN:
        return t(_KNOWN[fault.errno])
    return t("fault.system", code=errno.errorcode.get(fault.errno or 0, type(fault).__name__))


def unwritable(path: Path, fault: OSError | ValueError) -> str:
    """Why a file could not be written, with its name."""
    if isinstance(fault, FileNotFoundError):
        return t("fault.file", file=path, reason=t("fault.no.folder"))
    return t("fault.file", file=path, reason=reason(fault))
