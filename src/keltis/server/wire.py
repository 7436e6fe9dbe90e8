"""uvicorn's WebSocket with a shorter way in and out.

Through ASGI every message costs a coroutine, a dictionary, a decoding and an encoding, and one that
comes a queue and a task's turn besides. That is a large part of what a decision costs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

EXTENSION = "keltis.wire"  # in the scope's extensions: the `Wire` of this connection

_TEXT = 0x81  # a whole message of text in one frame


class Wire(WebSocketsSansIOProtocol):
    # Gets each text message, unless others wait to be received; False: receive this one too.
    heard: Callable[[bytes], bool] | None = None

    def handle_connect(self, event: Any) -> None:
        super().handle_connect(event)
        if not self.close_sent:  # else it was refused
            cast(dict[str, Any], self.scope["extensions"])[EXTENSION] = self

    def handle_text(self, event: Frame) -> None:
        if event.fin and self.heard is not None and self.queue.empty() and not self.close_sent:
            data = bytes(event.data)
            if self.heard(data):
                return
        super().handle_text(event)

    def give(self, text: bytes) -> None:
        """Let a message that was `heard` be received after all."""
        self.queue.put_nowait({"type": "websocket.receive", "text": text.decode()})

    def push(self, text: bytes) -> bool:
        """Send a message of text; False if it would have to wait: `send` it then."""
        if not self.writable.is_set():
            return False
        if not (self.disconnected or self.close_sent or self.transport.is_closing()):
            size = len(text)
            if size < 126:
                head = bytes((_TEXT, size))
            elif size < 65536:
                head = bytes((_TEXT, 126)) + size.to_bytes(2, "big")
            else:
                head = bytes((_TEXT, 127)) + size.to_bytes(8, "big")
            self.transport.write(head + text)
        return True
