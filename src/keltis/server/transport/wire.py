"""uvicorn's WebSocket with a shorter way in and out.

Through ASGI every message costs a coroutine, a dictionary, a decoding and an encoding, and one that
comes a queue and a task's turn besides. That is a large part of what a decision costs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

try:
    from websockets.speedups import apply_mask
except ImportError:  # built without its C part
    from websockets.utils import apply_mask

EXTENSION = "keltis.wire"  # in the scope's extensions: the `Wire` of this connection

_TEXT = 0x81  # a whole message of text in one frame
_MASKED = 0x80  # as every message of a client is


class Wire(WebSocketsSansIOProtocol):
    # Gets short messages, unless others wait to be received; False: this one is received too.
    heard: Callable[[bytes], bool] | None = None

    def handle_connect(self, event: Any) -> None:
        super().handle_connect(event)
        if not self.close_sent:  # else it was refused
            cast(dict[str, Any], self.scope["extensions"])[EXTENSION] = self

    def data_received(self, data: bytes) -> None:
        """Data that is exactly one short message goes past the parser if it is `heard`.

        Part of a longer message cannot be taken for one: the client's random mask hides what is in
        it, and only what is a decision after unmasking is heard.
        """
        if (
            self.heard is not None
            and len(data) > 6
            and data[0] == _TEXT
            and len(data) == 6 + data[1] - _MASKED
            and self.queue.empty()
            and not self.close_sent
            and self.heard(apply_mask(data[6:], data[2:6]))
        ):
            return
        super().data_received(data)

    def give(self, text: bytes) -> None:
        """Let a message that was `heard` be received after all."""
        self.queue.put_nowait({"type": "websocket.receive", "text": text.decode()})

    def push(self, text: bytes) -> bool:
        """Send a message of text; False if it would have to wait: `send` it then."""
        if not self.writable.is_set():
            return False
        if not (self.close_sent or self.transport.is_closing()):
            size = len(text)
            if size < 126:
                head = bytes((_TEXT, size))
            elif size < 65536:
                head = bytes((_TEXT, 126)) + size.to_bytes(2, "big")
            else:
                head = bytes((_TEXT, 127)) + size.to_bytes(8, "big")
            self.transport.write(head + text)
        return True
