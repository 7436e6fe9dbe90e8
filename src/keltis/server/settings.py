"""What an operator can set: by flag, else by environment variable, else the default here."""

import difflib
import math
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from ipaddress import ip_network
from pathlib import Path
from typing import Any

_CLONE = Path(__file__).resolve().parents[3]  # if the package is not installed elsewhere
LOOPBACK = ("localhost", "127.0.0.1", "::1")  # this machine's names for itself
MOST = 1e6  # of whatever a setting counts: days, seconds or messages; more is a slip of the finger
_HOST_NAME = re.compile(r"(\*\.)?[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?|\[?[0-9a-f:]*:[0-9a-f:.]*\]?")


class BadSetting(ValueError):
    """A setting that makes no sense; the message names it."""


def _default_database() -> str:
    from platformdirs import user_data_path

    return str(user_data_path("keltis") / "tables.db")


def _default_bot_threads() -> int:
    """One processor is left for people's decisions."""
    return max(1, (os.cpu_count() or 2) - 1)


@dataclass(frozen=True)
class Settings:
    """Each field is the flag `--name-with-dashes` and the variable `KELTIS_NAME`."""

    host: str = field(default="127.0.0.1", metadata={"help": "Address to listen at."})
    port: int = field(default=8000, metadata={"help": "Port to listen at; 0 takes a free one."})
    database: str = field(
        default_factory=_default_database,
        metadata={"help": "File of the SQLite database, or a postgresql:// address."},
    )
    database_timeout: float = field(
        default=10.0,
        metadata={"help": "Seconds that a request waits for the database before it is refused."},
    )
    root_path: str = field(
        default="/", metadata={"help": "Path under which a proxy shows the server."}
    )
    trust_proxy: str = field(
        default="",
        metadata={
            "help": "Addresses of proxies whose X-Forwarded headers count, with commas between; "
            "* for all."
        },
    )
    allow_origin: str = field(
        default="",
        metadata={
            "help": "Further origins whose pages may use the server, with commas between "
            "(https://example.org)."
        },
    )
    allow_host: str = field(
        default="",
        metadata={
            "help": "Names by which the server may be asked, with commas between (example.org, "
            "*.example.org); * for any."
        },
    )
    docs: str = field(
        default="",
        metadata={
            "help": "Folder with the documentation as `make docs` builds it, shown at /docs; "
            "without it, that of the clone which this is."
        },
    )
    open_browser: bool = field(
        default=False, metadata={"help": "Open the page in the browser, where there is a desktop."}
    )
    grace: float = field(
        default=60.0,
        metadata={"help": "Seconds after which others may give an absent person's seat to a bot."},
    )
    seed_time: float = field(
        default=15.0,
        metadata={
            "help": "Seconds that people who are there have to bind themselves to a seed, and "
            "again to reveal it."
        },
    )
    link_time: float = field(
        default=600.0,
        metadata={"help": "Seconds for which a link to another device of one's own works."},
    )
    bot_threads: int = field(
        default_factory=_default_bot_threads, metadata={"help": "Bots that think at once."}
    )
    bot_pace: float = field(
        default=0.3,
        metadata={
            "help": "A bot's decision is shown at a multiple of so many seconds, so that its time "
            "tells nothing of its hand; 0: at once."
        },
    )
    tables_per_client: int = field(
        default=50, metadata={"help": "Tables not over that one client may have made."}
    )
    tables_per_address: int = field(
        default=200, metadata={"help": "Tables not over that were made from one address."}
    )
    rate: float = field(
        default=20.0, metadata={"help": "Requests and messages a second of one client."}
    )
    rate_address: float = field(
        default=100.0, metadata={"help": "Requests and messages a second from one address."}
    )
    work: float = field(
        default=0.5,
        metadata={
            "help": "Seconds of heavy work (new tables, hints, replays) a second for one client."
        },
    )
    work_address: float = field(
        default=2.0, metadata={"help": "Seconds of heavy work a second for one address."}
    )
    connections: int = field(default=20_000, metadata={"help": "Open connections in all."})
    connections_per_address: int = field(
        default=200,
        metadata={"help": "Open sockets and streams of players from one address, and of others."},
    )
    watchers: int = field(default=200, metadata={"help": "Spectators at one table."})
    watchers_per_address: int = field(
        default=20, metadata={"help": "Spectators at one table from one address."}
    )
    metrics: str = field(
        default="local",
        metadata={"help": "Who may read /metrics: local (this machine), all, or off."},
    )
    log_level: str = field(default="info", metadata={"help": "debug, info, warning or error."})
    idle: float = field(
        default=600.0,
        metadata={"help": "Seconds after which a table that nobody is at leaves the memory."},
    )
    keep_days: float = field(
        default=0.0,
        metadata={"help": "Days for which tables that are over are kept; 0: for ever."},
    )
    keep_names_days: float = field(
        default=0.0,
        metadata={
            "help": "Days after which people's names and keys are taken out of tables that are "
            "over; 0: never."
        },
    )
    abandoned_days: float = field(
        default=0.0,
        metadata={
            "help": "Days without an event after which a table that is not over is ended; 0: never."
        },
    )
    prune_hours: float = field(
        default=24.0, metadata={"help": "Hours between looks for what is to be deleted."}
    )
    lease: float = field(
        default=6.0,
        metadata={
            "help": "PostgreSQL: seconds after which another server does what a dead one owes."
        },
    )
    poll: float = field(
        default=2.0,
        metadata={"help": "PostgreSQL: seconds between looks for what no notice told."},
    )

    def __post_init__(self) -> None:
        for each in fields(self):
            value = getattr(self, each.name)
            if isinstance(value, float) and not math.isfinite(value):
                raise BadSetting(f"{each.name}: expected a number, not {value}")
            if isinstance(value, float) and value > MOST:
                raise BadSetting(f"{each.name}: more than {MOST:,.0f}")
        if self.database_timeout > 3600:
            raise BadSetting("database_timeout: more than an hour")
        for name in ("grace", "bot_pace", "keep_days", "keep_names_days", "abandoned_days"):
            if getattr(self, name) < 0:
                raise BadSetting(f"{name}: less than 0")
        for name in (
            "seed_time", "link_time", "bot_threads", "tables_per_client", "tables_per_address",
            "rate", "rate_address", "work", "work_address", "connections",
            "connections_per_address", "watchers", "watchers_per_address", "idle", "lease", "poll",
            "database_timeout", "prune_hours",
        ):  # fmt: skip
            if getattr(self, name) <= 0:
                raise BadSetting(f"{name}: not more than 0")
        for proxy in self.proxies:
            try:
                proxy == "*" or ip_network(proxy, strict=False)
            except ValueError:
                raise BadSetting(
                    f"trust_proxy: {proxy} is no address or network such as 10.0.0.0/8"
                ) from None
        for name in _list(self.allow_host):
            if name != "*" and not _HOST_NAME.fullmatch(name.lower()):
                raise BadSetting(
                    f"allow_host: {name} is no name of a host such as example.org, without a port"
                )
        for origin in self.origins:
            if not re.fullmatch(r"https?://[^/\s]+", origin):
                raise BadSetting(f"allow_origin: {origin} is no origin such as https://example.org")
        if not 0 <= self.port <= 65535:
            raise BadSetting("port: not one of 0 to 65535")
        if self.metrics not in ("local", "all", "off"):
            raise BadSetting("metrics: expected local, all or off")
        if self.log_level not in ("debug", "info", "warning", "error"):
            raise BadSetting("log_level: expected debug, info, warning or error")
        if self.docs and not (self.docs_folder / "index.html").is_file():
            raise BadSetting(f"docs: {self.docs} has no index.html; make docs builds one")
        if not self.root_path.startswith("/") or any(c in self.root_path for c in "\"'<>?#\\ "):
            raise BadSetting("root_path: expected a path such as /keltis")

    @property
    def mount(self) -> str:
        """The root path with a slash at its end."""
        return self.root_path.rstrip("/") + "/"

    @property
    def origins(self) -> frozenset[str]:
        return frozenset(_list(self.allow_origin))

    @property
    def host_names(self) -> tuple[str, ...]:
        """Names that the server answers to; () is any.

        A server for this machine alone answers only to its names: a page elsewhere could otherwise
        give its own name this machine's address, and use the server as if it were its own.
        """
        names = tuple(name.lower() for name in _list(self.allow_host))
        if not names and self.host in LOOPBACK and not self.proxies:
            names = LOOPBACK
        return () if "*" in names else names

    @property
    def docs_folder(self) -> Path:
        """Where the documentation is, if it has been built."""
        return Path(self.docs).expanduser() if self.docs else _CLONE / "build" / "site"

    @property
    def proxies(self) -> list[str]:
        return _list(self.trust_proxy)

    @property
    def database_url(self) -> str:
        """The database as SQLAlchemy names it."""
        return database_url(self.database)


def database_url(database: str) -> str:
    for prefix in ("postgresql+psycopg://", "postgresql://", "postgres://"):
        if database.startswith(prefix):
            return "postgresql+psycopg://" + database.removeprefix(prefix)
    if database.startswith("sqlite:///"):
        return database
    if "://" in database:
        raise BadSetting("database: expected a file or a postgresql:// address")
    return f"sqlite:///{Path(database).expanduser().absolute()}"


_PREFIX = "KELTIS_"
NOT_SETTINGS = {"KELTIS_KERNELS", "KELTIS_TRACEBACK"}  # variables of other parts of the program


def variable(name: str) -> str:
    """The environment variable of a setting."""
    return f"{_PREFIX}{name.upper()}"


def read(flags: Mapping[str, Any], environment: Mapping[str, str] | None = None) -> Settings:
    """The settings from flags (None: not given) and the environment.

    A variable that looks like a setting and is none is refused: whoever misspells a limit would
    otherwise run without it.
    """
    environment = os.environ if environment is None else environment
    known = {variable(each.name) for each in fields(Settings)}
    for name in environment:
        if name.startswith(_PREFIX) and name not in known | NOT_SETTINGS:
            near = difflib.get_close_matches(name, known, 1)
            hint = f"; did you mean {near[0]}?" if near else ""
            raise BadSetting(f"{name}: there is no such setting{hint}")
    chosen: dict[str, Any] = {}
    for each in fields(Settings):
        value = flags.get(each.name)
        if value is None and (text := environment.get(variable(each.name))) is not None:
            value = _parsed(each.name, each.type, text)
        if value is not None:
            chosen[each.name] = value
    return Settings(**chosen)


def _parsed(name: str, kind: Any, text: str) -> Any:
    if kind is str:
        return text
    if kind is bool:
        if text.lower() not in ("0", "1", "true", "false", "yes", "no"):
            raise BadSetting(f"{variable(name)}: expected 1 or 0")
        return text.lower() in ("1", "true", "yes")
    try:
        return kind(text)
    except ValueError:
        raise BadSetting(f"{variable(name)}: expected a number") from None


def _list(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]
