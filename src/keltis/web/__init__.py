"""The browser client: files that the server hands out as they are. See docs/web.md."""

from pathlib import Path

FILES = Path(__file__).parent
"""The folder with index.html; what ends in .py in it is not part of the page."""
