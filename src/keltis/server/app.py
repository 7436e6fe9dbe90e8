"""One server put together."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import secrets
from collections.abc import AsyncIterator
from functools import cache

import orjson
from fastapi import FastAPI, Request, Response
from fastapi.responses import JSONResponse
from sqlalchemy.exc import SQLAlchemyError

import keltis
from keltis.server.clock import Clock
from keltis.server.live.history import History
from keltis.server.live.housekeeping import Housekeeping
from keltis.server.live.service import Service
from keltis.server.metrics import Metrics
from keltis.server.problems import Problem
from keltis.server.settings import Settings
from keltis.server.storage.health import Health
from keltis.server.storage.store import Store
from keltis.server.transport.api import Api, add_fault_handlers
from keltis.server.transport.days import Days
from keltis.server.transport.duplicates import Duplicates
from keltis.server.transport.games import Games
from keltis.server.transport.limits import Limits
from keltis.server.transport.middleware import Middleware, is_local
from keltis.server.transport.pages import Docs, Pages
from keltis.server.transport.person_keys import PersonKeys
from keltis.server.transport.replays import Replays
from keltis.server.transport.reviews import Reviews
from keltis.server.transport.sockets import Sockets
from keltis.server.transport.visitors import Visitors

_log = logging.getLogger("keltis.server")


class Server:
    """The parts of one server; `asgi` is what uvicorn runs."""

    def __init__(self, settings: Settings, clock: Clock | None = None) -> None:
        self.settings = settings
        self.clock = clock or Clock()
        self.metrics = Metrics()
        self.store = Store(settings.database_url, secrets.token_hex(6), settings.database_timeout)
        self.store.on_fault = lambda cause: self.metrics.database_faults.labels(cause).inc()
        self.store.on_batch = self._note_batch
        self.probe = Health(settings.database_url, lambda: self.store.damage)
        self.metrics.database_up.set_function(lambda: self.probe.fault is None)
        self.service = Service(settings, self.store, self.metrics, self.clock)
        self.limits = Limits(settings)
        self._replays = Replays(self.limits)
        self._history = History(self.service)
        self._for_ever: list[asyncio.Task[None]] = []
        sockets = Sockets(self.service, self.limits)
        self.asgi = Middleware(
            self._http(), sockets, settings, self.metrics, self.limits, self.service.person_keys.who
        )

    def _http(self) -> FastAPI:
        app = FastAPI(
            title="Keltis",
            version=keltis.__version__,
            description="Play at a Keltis server. docs/protocol.md explains all of it.",
            openapi_url=None,
            docs_url=None,
            redoc_url=None,
            lifespan=self._lifespan,
        )
        add_fault_handlers(app)
        visitors = Visitors(self.service, self.limits)
        api = Api(self.service, self.limits, visitors).router
        api.include_router(self._replays.router())
        api.include_router(Days(self.service, self.limits, visitors).router())
        api.include_router(Duplicates(self.service, self.limits, visitors).router())
        api.include_router(PersonKeys(self.service, self.limits, visitors).router())
        reviews = Reviews(self.service, self.limits, visitors, self._replays)
        api.include_router(reviews.router())
        api.include_router(Games(self._history, self.limits).router())
        app.include_router(api)
        described = cache(lambda: orjson.dumps(app.openapi()))

        async def description() -> Response:
            return Response(described(), media_type="application/json")

        app.add_api_route(
            "/api/openapi.json", description, methods=["GET"], include_in_schema=False
        )
        app.add_api_route("/healthz", self.health, methods=["GET"], include_in_schema=False)
        app.add_api_route("/metrics", self.figures, methods=["GET"], include_in_schema=False)
        docs = Docs(self.settings.mount, self.settings.docs_folder)
        for path in ("/docs", "/docs/{path:path}"):
            app.add_route(path, docs.serve, methods=["GET"], include_in_schema=False)
        pages = Pages(self.settings.mount, has_docs=docs.find("index.html") is not None)
        app.add_route("/{path:path}", pages.serve, methods=["GET"], include_in_schema=False)
        return app

    @contextlib.asynccontextmanager
    async def _lifespan(self, app: FastAPI) -> AsyncIterator[None]:
        loop = asyncio.get_running_loop()
        await asyncio.to_thread(_warm_up)
        # What is there now stays; and little of what comes has cycles, so look for them seldom.
        gc.collect()
        gc.freeze()
        gc.set_threshold(50_000, 20, 50)
        self.store.start(loop)
        scheduler = self.service.scheduler
        self._for_ever = [
            loop.create_task(scheduler.tidy()),
            loop.create_task(Housekeeping(self.service).go_on()),
            loop.create_task(self._history.fill_in()),
            loop.create_task(self.clock.watch(self.service.after_a_pause)),
        ]
        if self.service.bus is not None:
            with contextlib.suppress(SQLAlchemyError):  # it is asked again by and by
                await asyncio.to_thread(self.clock.agree, self.store.now)
            self.service.bus.start()
            self._for_ever += [
                loop.create_task(scheduler.sweep()),
                loop.create_task(self.service.bus.remind()),
            ]
        else:
            self.service.background.spawn(scheduler.go_on())
        with contextlib.suppress(SQLAlchemyError, Problem):
            made = await self.service.days.chain()
            _log.info("days", extra={"anchor": made.anchor})
        _log.info("started", extra={"server": self.store.server, "shared": self.store.shared})
        yield
        for task in self._for_ever:
            task.cancel()
        if not self.service.stopping:
            await self.service.stop()
        self._replays.stop()
        await self.store.finish()
        _log.info("stopped")

    def _note_batch(self, events: int, seconds: float) -> None:
        self.metrics.commit.observe(seconds)
        self.metrics.batch.observe(events)

    # --- For the operator ------------------------------------------------------------------

    async def health(self) -> JSONResponse:
        """200 while the server runs and its database takes writes."""
        if self.service.stopping:
            return JSONResponse({"status": "stopping"}, 503)
        if await self.probe.check() is not None:
            return JSONResponse({"status": "the database takes no write"}, 503)
        return JSONResponse({"status": "ok", "version": keltis.__version__})

    async def figures(self, request: Request) -> Response:
        allowed = self.settings.metrics
        if allowed == "off" or (allowed == "local" and not is_local(request.scope)):
            raise Problem("not_found", "there is nothing here")
        self.metrics.waiting.set(self.service.bots.waiting)
        return Response(self.metrics.text(), media_type="text/plain; version=0.0.4")


def _warm_up() -> None:
    """Load the compiled rules of both games before the first player waits for them."""
    for name in ("board", "stones"):
        game = keltis.new_game(name, 2, seed=1)
        game.play(game.legal_moves()[0])
        game.view(0)
        game.undo()
