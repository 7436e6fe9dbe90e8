"""Secrets: random, told once, stored only as hashes, compared in constant time."""

import hmac
import re
import secrets
from collections.abc import Iterable
from hashlib import sha256

_KEY = re.compile(r"[A-Za-z0-9_-]{43}")
# No characters that are easily mistaken for others; an id is read out and typed now and then.
_ID_LETTERS = "23456789abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ"
ID_LENGTH = 12


def new_key() -> str:
    return secrets.token_urlsafe(32)


def is_key(text: str) -> bool:
    """Whether it has the form of a key."""
    return _KEY.fullmatch(text) is not None


def digest(secret: str) -> str:
    """What is stored of a secret. It is long and random, so no salt and no slow hash are needed."""
    return sha256(secret.encode()).hexdigest()


def client_prefix(holder: str | None) -> str:
    """How the ids of a key's commands begin in the log."""
    return f"{(holder or '')[:12]}:"


def among(wanted: str, digests: Iterable[str]) -> bool:
    """Whether a digest is one of some, in a time that does not tell which."""
    found = False
    for candidate in digests:
        found |= hmac.compare_digest(wanted, candidate)
    return found


def new_table_id() -> str:
    return "".join(secrets.choice(_ID_LETTERS) for _ in range(ID_LENGTH))


def new_server_seed() -> str:
    return secrets.token_hex(32)


def below(n: int) -> int:
    return secrets.randbelow(n)
