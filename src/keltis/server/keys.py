"""Secrets: random, told once, stored only as hashes, compared in constant time.

A key carries a mark that only the server can make, so that it can tell the keys that it has issued
from those that somebody made up, without storing them.
"""

import hmac
import re
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Iterable
from hashlib import sha256

_KEY = re.compile(r"[A-Za-z0-9_-]{43}")
# No characters that are easily mistaken for others; an id is read out and typed now and then.
_ID_LETTERS = "23456789abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ"
ID_LENGTH = 12


def new_key() -> str:
    return secrets.token_urlsafe(32)


class Issuer:
    """Makes keys and knows its own; `secret` is the same for all servers of a database."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    def new_key(self) -> str:
        text = secrets.token_urlsafe(24)
        return text + self._mark(text)

    def has_issued(self, key: str) -> bool:
        return is_key(key) and hmac.compare_digest(self._mark(key[:32]), key[32:])

    def origin(self, address: str) -> str:
        """What is stored of an address: the same for the same, and nothing that leads back."""
        return self._hmac("address", address).hex()[:24]

    def _mark(self, text: str) -> str:
        return urlsafe_b64encode(self._hmac("key", text)[:8]).decode().rstrip("=")

    def _hmac(self, use: str, text: str) -> bytes:
        return hmac.digest(self._secret, f"{use} {text}".encode(), "sha256")


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


def is_table_id(text: str) -> bool:
    """Whether a table, or a duplicate, could have this id; databases don't take every text."""
    return len(text) == ID_LENGTH and text.isascii() and text.isalnum()


def new_server_seed() -> str:
    return secrets.token_hex(32)


def below(n: int) -> int:
    return secrets.randbelow(n)
