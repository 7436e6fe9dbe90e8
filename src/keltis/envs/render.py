"""The table as an environment shows it: text, a picture, or a window."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from keltis.envs import checks
from keltis.game import picture, views
from keltis.game.picture import HEIGHT, WIDTH

if TYPE_CHECKING:
    from keltis.envs.table import Table


def svg(table: Table, seat: int | None = None) -> str:
    """The table as a seat sees it; without one, the seat that is to decide."""
    seat = table.seat if seat is None else seat
    phase = table.kind.phases[table.states["phase"].item()]
    return picture.svg(
        {
            "game": table.kind.name,
            "you": seat,
            "seat": None if table.is_over else table.seat,
            "scores": table.scores(),
            **views.table(table.kind, table.states, phase, seat),
        }
    )


def pixels(picture: str, width: int = WIDTH) -> NDArray[np.uint8]:
    """A picture as an array of red, green and blue."""
    import pygame
    import resvg_py

    png = bytes(resvg_py.svg_to_bytes(svg_string=picture, width=width))
    surface = pygame.image.load(BytesIO(png), "board.png")
    array: NDArray[np.uint8] = pygame.surfarray.array3d(surface)
    return np.ascontiguousarray(array.transpose(1, 0, 2))


MODES = ("human", "rgb_array", "ansi")


class Screen:
    """What an environment's `render` needs: one of the modes, and a window if that asks for one."""

    def __init__(self, mode: str | None) -> None:
        self.mode = checks.render_mode(mode, MODES)
        self._window: Any = None

    def render(self, table: Table, seat: int) -> Any:
        """The table as a seat sees it: text, pixels, or None after showing it in a window."""
        if self.mode is None:
            from gymnasium import logger

            logger.warn("render needs a render_mode")
            return None
        if self.mode == "ansi":
            return table.observation_text(seat)
        image = pixels(svg(table, seat))
        if self.mode == "rgb_array":
            return image
        import pygame

        if self._window is None:
            pygame.display.init()
            pygame.display.set_caption("Keltis")
            self._window = pygame.display.set_mode((WIDTH, HEIGHT))
        self._window.blit(pygame.surfarray.make_surface(image.transpose(1, 0, 2)), (0, 0))
        pygame.event.pump()
        pygame.display.update()
        return None

    def update(self, table: Table, seat: int) -> None:
        """Show what has changed, to those who look on."""
        if self.mode == "human":
            self.render(table, seat)

    def close(self) -> None:
        if self._window is not None:
            import pygame

            self._window = None
            pygame.display.quit()

    def __getstate__(self) -> dict[str, Any]:
        return {"mode": self.mode, "_window": None}  # a copy opens a window of its own
