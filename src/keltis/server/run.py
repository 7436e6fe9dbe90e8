"""Run a server until it is told to stop."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import sys
import webbrowser
from collections.abc import Callable, Iterator
from functools import partial
from types import FrameType
from typing import Any, cast

import uvicorn

from keltis.server import logs
from keltis.server.app import Server
from keltis.server.settings import Settings
from keltis.server.transport.middleware import MESSAGE_SIZE
from keltis.server.transport.protocols import (
    HEAD_SIZE,
    IDLE,
    Gate,
    HttpProtocol,
    SocketProtocol,
    end_overdue,
)

_STOP_WITHIN = 10  # seconds for open requests when the server stops


class CannotListen(RuntimeError):
    """The address or port is not to be had; the message says why."""


class _Uvicorn(uvicorn.Server):
    """Tells the address when it listens, and everybody to reconnect before it stops."""

    def __init__(self, config: uvicorn.Config, server: Server, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._server = server
        self._ready = ready
        self.interrupted = False  # by Ctrl-C

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """A signal to stop lets the server come to its end, and does not kill it afterwards."""
        signals = (signal.SIGINT, signal.SIGTERM)
        before = {each: signal.signal(each, self.handle_exit) for each in signals}
        try:
            yield
        finally:
            for each, handler in before.items():
                signal.signal(each, handler)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self.interrupted = self.interrupted or sig == signal.SIGINT
        super().handle_exit(sig, frame)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            connections = self.server_state.connections
            self._watching = asyncio.get_running_loop().create_task(end_overdue(connections))
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._watching.cancel()
        await self._server.service.stop()
        await asyncio.sleep(0.05)  # the messages that say so leave first
        await super().shutdown(sockets)


def run(settings: Settings, tell: Callable[[str], None]) -> None:
    """Serve; `tell` gets the address when all is ready. Ctrl-C raises KeyboardInterrupt."""
    logs.set_up(settings.log_level)
    server = Server(settings)
    server.store.open()
    listening = _listen(settings.host, settings.port)
    port = listening.getsockname()[1]
    host = "127.0.0.1" if settings.host in ("0.0.0.0", "") else settings.host
    host = "[::1]" if host == "::" else f"[{host}]" if ":" in host else host
    address = f"http://{host}:{port}{settings.mount}"

    def ready() -> None:
        tell(address)
        if settings.open_browser and _has_desktop():
            with contextlib.suppress(Exception):
                webbrowser.open(address)

    _allow_many_files()
    # Threads of bots and replays hold the interpreter for so long before others have their turn.
    sys.setswitchinterval(0.001)
    uvicorn_server = prepared(server, ready)
    uvicorn_server.run([listening])
    if uvicorn_server.interrupted:
        raise KeyboardInterrupt


def prepared(server: Server, ready: Callable[[], None]) -> _Uvicorn:
    """The server with uvicorn around it."""
    settings = server.settings
    most = settings.connections * 5 // 4 + 20  # with room for requests, and for those who leave
    most_here = 2 * settings.connections_per_address  # players, and spectators
    gate = Gate(most, most_here, settings.rate_address, server.asgi.is_trusted)
    speaking = partial(SocketProtocol, gate=gate, frames=2 * settings.rate + 10)
    config = uvicorn.Config(
        server.asgi,
        http=cast(Any, partial(HttpProtocol, gate=gate, socket=speaking)),
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        date_header=True,
        lifespan="on",
        ws_max_size=MESSAGE_SIZE,
        ws_per_message_deflate=False,
        ws_ping_interval=20,
        ws_ping_timeout=20,
        timeout_keep_alive=IDLE,
        timeout_graceful_shutdown=_STOP_WITHIN,
        h11_max_incomplete_event_size=HEAD_SIZE,
    )
    return _Uvicorn(config, server, ready)


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    if os.name == "posix":  # Windows frees ports at once, and means by this to share them
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except OSError as fault:
        listening.close()
        raise CannotListen(f"cannot listen at {host} port {port}: {fault.strerror}") from None
    listening.set_inheritable(True)
    return listening


def _allow_many_files() -> None:
    """A connection is a file to the system, which by default allows few of them."""
    if sys.platform != "win32":
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _has_desktop() -> bool:
    if sys.platform in ("darwin", "win32"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
