"""The devices of a person over HTTP: listed, one more by a link, signed out."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, Field

from keltis.server import keys, models
from keltis.server.live.service import Service
from keltis.server.problems import Problem
from keltis.server.transport.limits import Limits
from keltis.server.transport.middleware import address
from keltis.server.transport.visitors import Visitors


class Using(models.Request):
    link: models.Secret
    name: models.Name


class SigningOut(models.Request):
    """A device's number; null: all others that this one may sign out."""

    device: Annotated[int, Field(ge=1, le=32767)] | None = None


class Link(BaseModel):
    path: Annotated[str, Field(examples=["games/devices#link=Zb3vJ0…"])]
    seconds: float


class SignedOut(BaseModel):
    signed_out: int


class PersonKeys:
    def __init__(self, service: Service, limits: Limits, visitors: Visitors) -> None:
        self._service = service
        self._limits = limits
        self._visitors = visitors

    def router(self) -> APIRouter:
        """The routes, to be put under /api."""
        made = APIRouter(prefix="/me/devices")
        add = made.add_api_route
        add("", self.listed, methods=["GET"], summary="The devices of this key's person")
        add("", self.use_link, methods=["POST"], status_code=201,
            summary="Become one of a person's devices, by a link")  # fmt: skip
        add("/link", self.link, methods=["POST"], status_code=201, response_model=Link,
            summary="A link for one more device")  # fmt: skip
        add("/link", self.end_link, methods=["DELETE"], status_code=204,
            summary="End the open link")  # fmt: skip
        add("/sign_out", self.sign_out, methods=["POST"], response_model=SignedOut,
            summary="Take a device's key away")  # fmt: skip
        return made

    async def listed(self, request: Request) -> dict[str, Any]:
        await self._work("games", request)
        scope = request.scope
        if scope["keltis.holder"] is None:
            return {"devices": [], "link": False, "signed_out": scope["keltis.signed_out"]}
        found = await self._service.person_keys.listed(
            scope["keltis.holder"], scope["keltis.key_digest"]
        )
        return {**found, "signed_out": False}

    async def use_link(self, request: Request, response: Response, wish: Using) -> dict[str, Any]:
        await self._limits.work("key", None, address(request.scope))
        key, holder = await self._service.person_keys.use_link(wish.link, wish.name)
        self._visitors.give_key(request, response, key)
        return await self._service.person_keys.listed(holder, keys.digest(key))

    async def link(self, request: Request, response: Response) -> dict[str, Any]:
        await self._work("key", request)
        key, holder = await self._visitors.key(request)
        own = request.scope["keltis.key_digest"] if key is None else holder
        secret, seconds = await self._service.person_keys.link(holder, own)
        self._visitors.give_key(request, response, key)
        # What follows # is never sent to a server: no log and no other site sees it.
        return {"path": f"games/devices#link={secret}", "seconds": seconds}

    async def end_link(self, request: Request) -> None:
        await self._work("games", request)
        await self._service.person_keys.end_link(_known(request))

    async def sign_out(self, request: Request, wish: SigningOut) -> dict[str, int]:
        await self._work("key", request)
        holder = _known(request)
        key = request.scope["keltis.key_digest"]
        return {"signed_out": await self._service.person_keys.sign_out(holder, key, wish.device)}

    async def _work(self, what: str, request: Request) -> None:
        await self._limits.work(what, request.scope["keltis.holder"], address(request.scope))


def _known(request: Request) -> str:
    holder: str | None = request.scope["keltis.holder"]
    if holder is None:
        raise Problem("not_allowed", "authorization: this needs a key")
    return holder
