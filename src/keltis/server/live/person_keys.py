"""The keys of a person: one for each device, all of them worth the same, each to be signed out.

A new device comes by a link that one of the person's has made. The link works once and for a while;
what it gives is a key of the device's own, so no key ever leaves the browser that has it.

A device signs out itself and those that came after it at any time, those before it only when it has
been there for a while: whoever comes by a link by theft cannot shut out whom it belongs to, and
whoever has lost a device can.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import TYPE_CHECKING, Any

import orjson
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from keltis.server import keys
from keltis.server.live import messages
from keltis.server.live.live_table import LiveTable
from keltis.server.live.viewers import STOPPING, Viewer
from keltis.server.problems import Problem
from keltis.server.storage import person_keys
from keltis.server.storage.person_keys import PersonKey
from keltis.server.tables import devices, names
from keltis.server.tables.table import Maker, Table

if TYPE_CHECKING:
    from keltis.server.live.service import Service

MOST = 8  # devices of one person
SETTLED = 7 * 86_400_000  # milliseconds after which a device may sign out those before it
_BELIEVED = 5.0  # seconds for which what another server may have changed is believed
_KEPT = 50_000  # keys in memory


class PersonKeys:
    def __init__(self, service: Service) -> None:
        self._service = service
        self._store = service.store
        self._known: OrderedDict[str, tuple[float, str | None]] = OrderedDict()
        self._changes = 0

    async def who(self, key: str) -> str | None:
        """Whose a key is, by its digest; None if it is signed out."""
        now = self._service.clock.now()
        known = self._known.get(key)
        if known is not None and (known[0] > now or not self._store.shared):
            return known[1]
        changes = self._changes
        try:
            holder = await self._service.ask(person_keys.who, self._store, key)
        except (SQLAlchemyError, Problem):
            if known is None:
                raise
            return known[1]
        if changes != self._changes:  # what was read may be of the time before
            return holder
        self._known[key] = (now + _BELIEVED, holder)
        self._known.move_to_end(key)
        if len(self._known) > _KEPT:
            self._known.popitem(last=False)
        return holder

    async def listed(self, holder: str, key: str) -> dict[str, Any]:
        """All devices of a person, to one of them."""
        found = await self._service.ask(person_keys.keys_of, self._store, holder)
        until = await self._service.ask(person_keys.link_until, self._store, holder)
        now = self._service.clock.wall()
        able = _able(found, key, now)
        return {
            "devices": [
                {
                    "device": each.number,
                    "name": each.name,
                    "added": each.added_at and messages.timestamp(each.added_at),
                    "this": each.key == key,
                    "sign_out": each.number in able,
                }
                for each in found
            ],
            "link": until is not None and until > now,
            "most": MOST,
        }

    async def link(self, holder: str, key: str) -> tuple[str, float]:
        """A link for one more device, and the seconds for which it works."""
        secret = keys.new_key()
        seconds = self._service.settings.link_time
        until = self._service.clock.wall() + round(1000 * seconds)
        made = await self._service.ask(
            person_keys.make_link, self._store, holder, key, keys.digest(secret), until, MOST
        )
        if not made:
            raise Problem("not_allowed", f"you have {MOST} devices: sign one out first")
        return secret, seconds

    async def end_link(self, holder: str) -> None:
        await self._service.ask(person_keys.end_link, self._store, holder)

    async def use_link(self, secret: str, name: str) -> tuple[str, str]:
        """A new key of the person that a link leads to, and that person."""
        clean = names.clean(name)
        key = self._service.issuer.new_key()
        date = self._service.clock.wall()
        link, own = keys.digest(secret), keys.digest(key)
        try:
            holder = await self._service.ask(
                person_keys.use_link, self._store, link, own, clean, date
            )
        except IntegrityError:  # something else changed the person's keys at the same time
            holder = None
        if holder is None:
            raise Problem("bad_invitation", "this link is used, replaced, or too old")
        return key, holder

    async def sign_out(self, holder: str, key: str, device: int | None) -> int:
        """Take one device's key away, or with None those of all others that may be; how many."""
        found = await self._service.ask(person_keys.keys_of, self._store, holder)
        able = _able(found, key, self._service.clock.wall())
        if device is None:
            wanted = [each.number for each in found if each.number in able and each.key != key]
        elif device in able:
            wanted = [device]
        elif any(each.number == device for each in found):
            why = "that device was there before this one: it takes a week until you can"
            raise Problem("not_allowed", why if len(found) > 1 else "it is your only device")
        else:
            raise Problem("not_found", "you have no such device")
        # Else they would go on to be believed, having been signed out after all.
        return await self._service.to_its_end(self._sign_out(holder, key, wanted, found))

    async def _sign_out(
        self, holder: str, key: str, wanted: list[int], found: list[PersonKey]
    ) -> int:
        date = self._service.clock.wall()
        gone = await asyncio.to_thread(person_keys.sign_out, self._store, holder, key, wanted, date)
        for each in gone:
            self.end(each)
            if self._service.bus is not None:
                self._service.bus.tell_signed_out(each)
        if gone:
            numbers = {each.number for each in found if each.key in gone}
            await self._end_at_tables(holder, {Maker(holder, number) for number in numbers})
        return len(gone)

    async def _end_at_tables(self, holder: str, makers: set[Maker]) -> None:
        """End the links to seats that signed out devices have made, and what came by them."""
        for live in await self._service.find_held_by(holder):
            await self.end_at(live, makers)

    async def end_at(self, live: LiveTable, makers: set[Maker]) -> None:
        changed = True
        while changed:
            written = await self._service.act(live, lambda table, *_: devices.end(table, makers))
            changed = written.changed

    async def check_link(self, live: LiveTable, maker: Maker, key: str) -> None:
        """End a link or invitation that was made while its maker was signed out."""
        if await self.who(key) != maker.holder:
            await self.end_at(live, {maker})
            raise Problem("not_allowed", "this device is signed out")

    async def number(self, holder: str, key: str) -> int:
        """Which of a person's devices has this key."""
        for each in await self._service.ask(person_keys.keys_of, self._store, holder):
            if each.key == key:
                return each.number
        raise Problem("not_allowed", "this device is signed out")

    async def signed_out_of(self, table: Table) -> set[Maker]:
        """Of those who have brought devices to seats of a table, who is signed out."""
        there = {
            maker for seat in table.seats for device in seat.devices for maker in device.makers
        }
        known = {(each.holder, each.device) for each in there if each.device is not None}
        if not known:
            return set()
        found = await self._service.ask(person_keys.are_signed_out, self._store, known)
        return {Maker(*each) for each in found}

    def end(self, key: str) -> None:
        """A key is worth nothing any more: its connections come again, without it."""
        self._changes += 1
        self._known.pop(key, None)
        for live in self._service.registry:
            for viewer in [each for each in live.viewers if each.key == key]:
                viewer.send(orjson.dumps({"type": "bye", "reconnect_after": 100}))
                viewer.close(STOPPING)

    async def end_signed_out(self) -> None:
        """Do what a notice of another server's would have done that was lost."""
        here = {each.key for live in self._service.registry for each in live.viewers if each.key}
        for key in await asyncio.to_thread(person_keys.signed_out, self._store, sorted(here)):
            self.end(key)

    async def check_deleting(self, holder: str, key: str) -> None:
        """Refuse to delete what devices have that were there long before this one."""
        found = await self._service.ask(person_keys.keys_of, self._store, holder)
        able = _able(found, key, self._service.clock.wall())
        if len(found) > 1 and len(able) < len(found):
            why = "this device is new: it takes a week until it can delete what others had before"
            raise Problem("not_allowed", why)

    async def follow(self, viewer: Viewer) -> None:
        """Close a connection whose key was taken away while it was being made."""
        if viewer.key is not None and await self.who(viewer.key) != viewer.holder:
            viewer.close(STOPPING)

    async def forget(self, holder: str) -> None:
        """Nothing is known of a person's keys any more."""
        found = await self._service.ask(person_keys.keys_of, self._store, holder)
        await asyncio.to_thread(person_keys.forget, self._store, holder)
        self._changes += 1
        for each in found:
            self._known.pop(each.key, None)


def _able(found: list[PersonKey], key: str, now: int) -> set[int]:
    """The numbers of the devices that one of them may sign out."""
    own = next((each for each in found if each.key == key), None)
    if own is None or len(found) < 2:
        return set()
    settled = own.added_at is None or now - own.added_at >= SETTLED
    return {each.number for each in found if settled or each.number >= own.number}
