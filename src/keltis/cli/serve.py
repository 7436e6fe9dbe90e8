"""The commands about live tables: serve them, export and prune them, verify their deals.

Flags of `serve` come from the fields of `Settings`, so that no setting lacks one.
"""

import inspect
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import MISSING, fields
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any, Optional

import typer

from keltis.cli.extras import require
from keltis.cli.failure import Failure, plain, unwritable
from keltis.server.settings import MOST, BadSetting, Settings, database_url, read, variable

if TYPE_CHECKING:
    from keltis.server.storage.store import Store

tables = typer.Typer(help="Look after the tables that a server has stored.", no_args_is_help=True)

DatabaseOption = Annotated[
    str | None,
    typer.Option(
        help="File of the SQLite database, or a postgresql:// address.",
        show_default="the server's own; KELTIS_DATABASE",
    ),
]


def add_to(app: typer.Typer) -> None:
    app.command("serve")(_serve())
    app.command("verify")(verify)
    app.add_typer(tables, name="tables")


def _serve() -> Any:
    def serve(**flags: Any) -> None:
        """Serve the games to browsers and bots."""
        require("server", "keltis serve")
        try:
            settings = read(flags)
            url = settings.database_url
        except BadSetting as fault:
            raise Failure(str(fault), 2) from None
        from sqlalchemy.exc import SQLAlchemyError

        from keltis.server.run import CannotListen, run
        from keltis.server.storage.faults import words
        from keltis.server.storage.migrate import NewerSchema
        from keltis.server.storage.store import InUse

        try:
            run(settings, lambda address: print(f"Keltis is ready at {address}", flush=True))
        except (InUse, NewerSchema, CannotListen) as fault:
            raise Failure(str(fault)) from None
        except SQLAlchemyError as fault:
            where = "PostgreSQL" if url.startswith("postgresql") else settings.database
            raise Failure(f"cannot use the database {where}: {words(fault)}") from None

    parameters = []
    for each in fields(Settings):
        default = each.default if each.default is not MISSING else None
        option = typer.Option(
            help=f"{each.metadata['help']} [{variable(each.name)}]",
            show_default=str(default) if default not in (None, "", False) else False,
        )
        kind: Any = Annotated[Optional[each.type], option]  # noqa: UP045
        parameters.append(
            inspect.Parameter(
                each.name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=kind
            )
        )
    serve.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    serve.__annotations__ = {each.name: each.annotation for each in parameters}
    return serve


def verify(
    file: Annotated[Path, typer.Argument(metavar="RECORD", help="A record saved from a server.")],
    commitment: Annotated[
        str | None,
        typer.Option(
            help="The seal that you saw before your seed was revealed, or the server's own "
            "commitment; of a day's deal, the anchor that you noted.",
            metavar="HEX",
        ),
    ] = None,
    seed: Annotated[
        str | None,
        typer.Option(
            help="Your own seed, as your client kept it; of a day's deal, the day's link.",
            metavar="HEX",
        ),
    ] = None,
) -> None:
    """Check a deal: make it again from the seeds in the record, and compare with what you kept.

    Without your own seed and the seal nothing is proven to you, however well the record agrees with
    itself. Of a day's deal give the anchor, a date and a hash, which the server published when it
    first started, and the day's link, which it shows when the day is closed. Exit code: 0 the deal
    is proven to be fair, 1 something is wrong, 3 nothing is wrong but that is no proof.
    """
    import json

    import keltis
    from keltis.cli import files
    from keltis.server.tables import deals

    try:
        record = json.loads(files.read(file))
        if not isinstance(record, dict):
            raise Failure(f"{file}: this is not a record")
        verdict = deals.verify(record, commitment, seed)
    except RecursionError:
        raise Failure(f"{file}: this is not a record") from None
    except (keltis.RecordError, deals.NoProof, ValueError) as fault:
        raise Failure(f"{file}: {fault}") from None
    for what, ok in verdict.checks:
        print("yes" if ok else "NO ", _CHECKS[what])
    for what in verdict.unchecked:
        how = f"give it with {_FLAGS[what]}" if what in _FLAGS else "nobody can"
        print(" ? ", _CHECKS[what], f"(not checked: {how})")
    for name in verdict.silent:
        print(f"{plain(name)} was bound to a seed and did not reveal it: dealt without.")
    if not verdict.holds:
        raise Failure(f"{file}: the proof does not hold", 1)
    if not verdict.proven:
        print("Nothing is wrong, but this is no proof for you that nobody chose the deal.")
        if verdict.scheme == deals.FIRST_SCHEME:
            print(
                "The scheme of this record cannot give one: the server knew the seeds that came "
                "early while later ones could still be chosen."
            )
        raise typer.Exit(3)
    if verdict.scheme == deals.GIVEN_SCHEME:
        print("The deal is the day's: it follows from the chain whose end you noted.")
        print("That the server's keeper did not look at it before, no proof can tell.")
        return
    print("The deal is fair: your seed is in it, and all else was bound before yours was known.")
    print("That the game in this record is the one you played only you can tell.")
    if verdict.others:
        print(
            "What is left to others: if all the other seats that were bound to a seed were in "
            f"league with the server, they could pick one of {2**verdict.others} deals, by who "
            "reveals."
        )


_CHECKS = {
    "commitment": "the server's seed is the one that it was bound to",
    "player commitments": "the players' seeds are those that they were bound to",
    "seal": "the seal is made of these commitments",
    "deal": "the deal follows from the seeds of the server and the players",
    "seen commitment": "the server's commitment is the one that you saw before the deal",
    "seen seal": "the seal is the one that you saw before your seed was revealed",
    "own seed": "your own seed is in the deal",
    "seat": "the bot has the seat that the deal gives it",
    "link": "the deal follows from the day's link",
    "anchor": "the day's link leads to the anchor, by one hash for each day since its first",
    "chosen": "whoever made this deal to share did not choose it",
}
_FLAGS = {
    "seen commitment": "--commitment",
    "seen seal": "--commitment",
    "own seed": "--seed",
    "link": "--seed",
    "anchor": "--commitment",
}


@tables.command()
def export(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="Records go here, one in each line.")
    ],
    database: DatabaseOption = None,
    days: Annotated[
        float,
        typer.Option(min=0, max=MOST, help="Only tables that have been over for so many days."),
    ] = 0,
) -> None:
    """Write the records of finished tables to a file."""
    require("server", "keltis tables")
    from keltis.server.storage import maintenance

    with _open(database) as store:
        count, damaged = maintenance.export(store, file, days)
    print(f"{count} records written to {file}")
    if damaged:
        raise Failure(f"{damaged} tables are damaged and left out: see keltis tables check", 1)


@tables.command()
def prune(
    database: DatabaseOption = None,
    days: Annotated[
        float, typer.Option(min=0, max=MOST, help="Tables that have been over for so many days go.")
    ] = 30,
    abandoned: Annotated[
        float | None,
        typer.Option(
            min=0, max=MOST, help="Also tables not over where nothing happened for so many days."
        ),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only count them.")] = False,
) -> None:
    """Delete old tables for good."""
    require("server", "keltis tables")
    from keltis.server.storage import maintenance

    with _open(database) as store:
        count = maintenance.prune(store, days, abandoned, dry_run=dry_run)
        if not dry_run:
            maintenance.write_anew(store)
    print(f"{count} tables {'would be ' if dry_run else ''}deleted")


@tables.command("forget-names")
def forget_names(
    database: DatabaseOption = None,
    days: Annotated[
        float, typer.Option(min=0, max=MOST, help="In tables that have been over for so many days.")
    ] = 30,
) -> None:
    """Take people's names and keys out of old tables, and keep the games."""
    require("server", "keltis tables")
    from keltis.server.storage import maintenance, privacy

    with _open(database) as store:
        count, damaged = privacy.forget_names(store, days)
        maintenance.write_anew(store)
    print(f"names taken out of {count} tables")
    _tell_damaged(damaged)


@tables.command("export-person")
def export_person(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="One table goes in each line.")],
    database: DatabaseOption = None,
) -> None:
    """Write all that is stored of a person to a file. Asks for the person's key."""
    import json

    require("server", "keltis tables")
    from keltis.server.storage import privacy

    key = _ask_key()
    count = 0
    with _open(database) as store, _private(file) as out:
        for found in privacy.export(store, _whose(store, key)):
            out.write(json.dumps(found, ensure_ascii=False) + "\n")
            count += 1
    print(f"{count} tables written to {file}")


@tables.command("delete-person")
def delete_person(database: DatabaseOption = None) -> None:
    """Delete all that is stored of a person. Asks for the person's key.

    Stop the server first: a running one does it itself, by DELETE /api/me.
    """
    require("server", "keltis tables")
    import time

    from keltis.server.live.bot_pool import BotPool
    from keltis.server.storage import privacy
    from keltis.server.storage.store import InUse
    from keltis.server.tables.drafts import Surroundings

    key = _ask_key()
    near = Surroundings(0.0, int(1000 * time.time()), 0.0, BotPool(1).substitute, 0.0)
    with _open(database) as store:
        if not store.shared:
            try:
                store.lock()
            except InUse:
                raise Failure(
                    "a server is using this database: ask it, by DELETE /api/me, or stop it"
                ) from None
        count, damaged = privacy.forget_person(store, _whose(store, key), near)
        store.has_deleted = True
    print(f"deleted from {count} tables")
    _tell_damaged(damaged)


def _private(file: Path) -> IO[str]:
    """A file to write to that its owner alone can read."""

    def opener(path: str, flags: int) -> int:
        return os.open(path, flags, 0o600)

    return open(file, "w", encoding="utf-8", opener=opener)


def _ask_key() -> str:
    """The digest of a key that is typed or piped: on the command line others could read it."""
    from keltis.server import keys

    key = str(typer.prompt("Key", hide_input=sys.stdin.isatty())).strip()
    if not keys.is_key(key):
        raise Failure("this is not a key")
    return keys.digest(key)


def _whose(store: "Store", key: str) -> str:
    """The person of a key."""
    from keltis.server.storage import person_keys

    holder = person_keys.who(store, key)
    if holder is None:
        raise Failure("this key is signed out")
    return holder


def _tell_damaged(damaged: int) -> None:
    if damaged:
        raise Failure(
            f"{damaged} tables are damaged and left as they are: see keltis tables check", 1
        )


@tables.command()
def check(
    database: DatabaseOption = None,
    repair: Annotated[
        bool,
        typer.Option(
            "--repair",
            help="Cut damaged logs to their last good event, and keep the rest aside in the "
            "database. Stop the server first.",
        ),
    ] = False,
) -> None:
    """Replay the log of every table, and say which cannot be replayed and why."""
    require("server", "keltis tables")
    from keltis.cli.progress import bar
    from keltis.server.storage import repair as repairing
    from keltis.server.storage.store import InUse

    with _open(database) as store:
        if repair and not store.shared:
            try:
                store.lock()
            except InUse as fault:
                raise Failure(str(fault)) from None
        with bar("Replaying") as progress:
            found = repairing.check(store, progress)
        for damage in found:
            print(plain(f"{damage.table_id}: {damage.reason}"))
            if repair and (done := repairing.repair(store, damage.table_id)):
                print(plain(f"{damage.table_id}: {_repaired(done.good, done.cut)}"))
    if not found:
        print("Every log can be replayed.")
    elif not repair:
        raise Failure(
            f"{len(found)} tables are damaged. Make a backup, stop the server, and repair them: "
            "keltis tables check --repair",
            1,
        )


def _repaired(good: int, cut: int) -> str:
    if not good:
        return f"no event is good: the table and its {cut} events are set aside"
    return f"it ends at event {good} now" + (f"; {cut} events are set aside" if cut else "")


@tables.command()
def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A new file for the copy.")],
    database: DatabaseOption = None,
) -> None:
    """Copy a SQLite database, while its server runs.

    A plain copy of the file would lack the newest games, or be torn.
    """
    require("server", "keltis tables")
    from keltis.cli.progress import bar
    from keltis.server.storage.backup import BackupError, backup

    try:
        with bar("Copying") as progress:
            size = backup(_url(database), file, progress)
    except BackupError as fault:
        raise Failure(str(fault)) from None
    except OSError as fault:
        raise Failure(unwritable(file, fault)) from None
    print(f"{size:,} bytes written to {file}")


@tables.command()
def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A copy made by backup.")],
    database: DatabaseOption = None,
) -> None:
    """Put a copy in the place of a SQLite database whose server is stopped.

    What was there before is kept beside it.
    """
    require("server", "keltis tables")
    from keltis.server.storage.backup import BackupError, restore
    from keltis.server.storage.store import InUse

    try:
        kept = restore(file, _url(database))
    except (BackupError, InUse) as fault:
        raise Failure(str(fault)) from None
    print(f"{file} is the database now" + (f"; the one before is {kept}" if kept else ""))


def _url(database: str | None) -> str:
    try:
        return database_url(read({"database": database}).database)
    except BadSetting as fault:
        raise Failure(str(fault)) from None


@contextmanager
def _open(database: str | None) -> Iterator[Any]:
    from sqlalchemy.exc import SQLAlchemyError

    from keltis.server.storage import faults, maintenance, migrate

    try:
        with maintenance.opened(_url(database)) as store:
            yield store
    except (maintenance.NoDatabase, migrate.NewerSchema) as fault:
        raise Failure(str(fault)) from None
    except SQLAlchemyError as fault:
        raise Failure(f"cannot use the database: {faults.words(fault)}") from None
