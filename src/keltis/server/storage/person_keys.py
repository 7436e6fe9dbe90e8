"""Several keys of one person: which there are, links that make one more, and those signed out.

A person is known by the digest of the first key. Whatever else is stored of people names that one,
so another key, or the end of one, is a single row.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, delete, func, select, update

from keltis.server.storage.schema import key_links, person_keys
from keltis.server.storage.store import Store

REMEMBERED = 50  # keys of one person that are signed out
_AT_ONCE = 1000  # keys that are looked for in one query
_FIRST = 1  # the number of the first key, which has no row while it is valid


class PersonKey(NamedTuple):
    """A key that is not signed out."""

    key: str  # digest
    number: int
    name: str | None  # of the device; the first has none
    added_at: int | None


def who(store: Store, key: str) -> str | None:
    """Whose a key is; None if it is signed out."""
    query = select(person_keys.c.holder, person_keys.c.signed_out).where(person_keys.c.key == key)
    with store.reads.connect() as connection:
        row = connection.execute(query).first()
    if row is None:
        return key
    return None if row.signed_out else str(row.holder)


def keys_of(store: Store, holder: str) -> list[PersonKey]:
    with store.reads.connect() as connection:
        return _keys_of(connection, holder)


def _keys_of(connection: Connection, holder: str) -> list[PersonKey]:
    query = select(person_keys).where(person_keys.c.holder == holder)
    rows = list(connection.execute(query.order_by(person_keys.c.number)))
    found = [
        PersonKey(row.key, row.number, row.name, row.added_at) for row in rows if not row.signed_out
    ]
    if all(row.number != _FIRST for row in rows):
        found.insert(0, PersonKey(holder, _FIRST, None, None))
    return found


def link_until(store: Store, holder: str) -> int | None:
    """Until when the open link works."""
    query = select(key_links.c.until).where(key_links.c.holder == holder)
    with store.reads.connect() as connection:
        return connection.execute(query).scalar()


def make_link(store: Store, holder: str, key: str, link: str, until: int, most: int) -> bool:
    """Open a link in place of the last one; False if there are `most` keys already."""
    with store.engine.begin() as connection:
        valid = {each.key for each in _keys_of(connection, holder)}
        if len(valid) >= most or key not in valid:
            return False
        connection.execute(delete(key_links).where(key_links.c.holder == holder))
        connection.execute(
            key_links.insert().values(holder=holder, link=link, made_by=key, until=until)
        )
    return True


def end_link(store: Store, holder: str) -> None:
    with store.engine.begin() as connection:
        connection.execute(delete(key_links).where(key_links.c.holder == holder))


def use_link(store: Store, link: str, key: str, name: str, date: int) -> str | None:
    """Make a key one of the person that a link leads to: whose it is now; None if it does not.

    Of several who use a link at once one is the first: only that one deletes it.
    """
    is_open = (key_links.c.link == link) & (key_links.c.until > date)
    with store.engine.begin() as connection:
        holder = connection.execute(select(key_links.c.holder).where(is_open)).scalar()
        if holder is None or not connection.execute(delete(key_links).where(is_open)).rowcount:
            return None
        query = select(func.max(person_keys.c.number)).where(person_keys.c.holder == holder)
        last = connection.execute(query).scalar() or _FIRST
        connection.execute(
            person_keys.insert().values(
                key=key, holder=holder, number=last + 1, name=name, added_at=date, signed_out=False
            )
        )
        _forget_signed_out(connection, holder)
    return str(holder)


def _forget_signed_out(connection: Connection, holder: str) -> None:
    """Remember only the last of those signed out: the others are strangers' keys from now on."""
    old = (
        select(person_keys.c.key)
        .where(person_keys.c.holder == holder, person_keys.c.signed_out)
        .where(person_keys.c.number != _FIRST)  # it is the person's own name
        .order_by(person_keys.c.number.desc())
        .offset(REMEMBERED)
    )
    found = [row[0] for row in connection.execute(old)]
    connection.execute(delete(person_keys).where(person_keys.c.key.in_(found)))


def signed_out(store: Store, keys: Sequence[str]) -> set[str]:
    """Which of some keys are signed out."""
    found = set()
    with store.reads.connect() as connection:
        for k in range(0, len(keys), _AT_ONCE):
            query = select(person_keys.c.key).where(
                person_keys.c.signed_out, person_keys.c.key.in_(keys[k : k + _AT_ONCE])
            )
            found |= {row[0] for row in connection.execute(query)}
    return found


def are_signed_out(store: Store, wanted: Collection[tuple[str, int]]) -> set[tuple[str, int]]:
    """Which of some devices, each by its person and its number, are signed out."""
    people = {holder for holder, _ in wanted}
    query = select(person_keys.c.holder, person_keys.c.number, person_keys.c.signed_out).where(
        person_keys.c.holder.in_(people)
    )
    with store.reads.connect() as connection:
        known = {
            (row.holder, row.number): bool(row.signed_out) for row in connection.execute(query)
        }
    # Of those beside the first that are not known any more, all were signed out.
    return {each for each in wanted if known.get(each, each[1] != _FIRST)}


def sign_out(store: Store, holder: str, by: str, numbers: list[int], date: int) -> list[str]:
    """Take keys of a person away; their digests. A link that one of them has made ends too.

    Nothing is done if `by`, which asks for it, was taken away itself meanwhile.
    """
    with store.engine.begin() as connection:
        # One after the other. Whoever has several keys has a row that both would lock.
        rows = select(person_keys.c.key).where(person_keys.c.holder == holder)
        connection.execute(rows.order_by(person_keys.c.key).with_for_update()).all()
        valid = _keys_of(connection, holder)
        if all(each.key != by for each in valid):
            return []
        gone = [each for each in valid if each.number in numbers]
        digests = [each.key for each in gone]
        for each in gone:
            if each.number == _FIRST:
                connection.execute(
                    person_keys.insert().values(
                        key=holder, holder=holder, number=_FIRST, name=None, added_at=date,
                        signed_out=True,
                    )
                )  # fmt: skip
        own = (person_keys.c.holder == holder) & person_keys.c.key.in_(digests)
        connection.execute(update(person_keys).where(own).values(signed_out=True, name=None))
        made = (key_links.c.holder == holder) & key_links.c.made_by.in_(digests)
        connection.execute(delete(key_links).where(made))
    return digests


# --- What is stored of people --------------------------------------------------------------------


def export(store: Store, holder: str) -> dict[str, Any] | None:
    """A person's keys, by the names of the devices, and the link to one more; None if there is no
    more than one key."""
    with store.reads.connect() as connection:
        query = select(person_keys).where(person_keys.c.holder == holder)
        rows = list(connection.execute(query.order_by(person_keys.c.number)))
    until = link_until(store, holder)
    if not rows and until is None:
        return None
    return {
        "link_until": until,
        "devices": [
            {
                "device": row.number,
                "name": row.name,
                "added": row.added_at,
                "signed_out": bool(row.signed_out),
            }
            for row in rows
        ],
    }


def forget(store: Store, holder: str) -> None:
    with store.engine.begin() as connection:
        # The link first: this waits for a device that comes by it, whose key then goes too.
        connection.execute(delete(key_links).where(key_links.c.holder == holder))
        connection.execute(delete(person_keys).where(person_keys.c.holder == holder))
