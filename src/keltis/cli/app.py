"""The commands with their options. What they do is in the module that each one imports."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from keltis import __version__
from keltis.cli import serve as _serve
from keltis.cli import words
from keltis.cli.words import t

app = typer.Typer(
    name="keltis",
    help="Play, study and research Keltis and Keltis: Der Weg der Steine.",
    no_args_is_help=False,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # plain help needs half the time
    context_settings={"help_option_names": ["-h", "--help"]},
)


class GameName(StrEnum):
    BOARD = "board"
    STONES = "stones"


class Language(StrEnum):
    EN = "en"
    DE = "de"
    FR = "fr"
    NL = "nl"


LanguageOption = Annotated[
    Language | None,
    typer.Option(
        "--lang", "-l", help="The language to speak.", show_default="that of the environment"
    ),
]


class Edition(StrEnum):
    GERMAN = "german"
    FRENCH = "french"
    ENGLISH = "english"


class Step(StrEnum):
    MUST = "must"
    MAY = "may"


class OwnDiscard(StrEnum):
    BARRED = "barred"
    ALLOWED = "allowed"


class Piles(StrEnum):
    OPEN = "open"
    TOP = "top"


class Format(StrEnum):
    PARQUET = "parquet"
    NPZ = "npz"


def _version(wanted: bool) -> None:
    if wanted:
        print("keltis", __version__)
        raise typer.Exit


@app.callback(invoke_without_command=True)
def keltis(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_version, is_eager=True, help="Show the version and leave."
        ),
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        words.use(None)
        _overview()


def _overview() -> None:
    """What there is, for those who look for the first time."""
    print(t("overview", board=t("title.board"), stones=t("title.stones")))
    for command, about in (
        ("serve --open-browser", t("overview.serve")),
        ("play", t("overview.play")),
        ("rules", t("overview.rules")),
        ("--help", t("overview.help")),
    ):
        print(f"  keltis {command:<20}  {about}")


GameOption = Annotated[
    GameName,
    typer.Option("--game", "-g", help="Which game: Keltis, or its tile game."),
]
EditionOption = Annotated[
    Edition | None,
    typer.Option(
        help="board: whose rule book holds. The next options change single rules of it.",
        show_default="german",
    ),
]
EndStoneOption = Annotated[
    Step | None,
    typer.Option(
        help="board: when a card is laid on a finished path, another figure may move, or must.",
        show_default="must",
    ),
]
CloverOption = Annotated[
    Step | None,
    typer.Option(
        help="board: a clover's step may be declined, or must be made.", show_default="may"
    ),
]
OwnDiscardOption = Annotated[
    OwnDiscard | None,
    typer.Option(
        help="board: whether the card just discarded may be drawn again.", show_default="barred"
    ),
]


@app.command()
def play(
    game: Annotated[
        GameName | None,
        typer.Option(
            "--game", "-g", help="Which game: Keltis, or its tile game.", show_default="board"
        ),
    ] = None,
    players: Annotated[
        int | None,
        typer.Option(
            "--players", "-p", min=2, max=4, metavar="N", help="How many play.", show_default="2"
        ),
    ] = None,
    seat: Annotated[
        list[str] | None,
        typer.Option(
            "--seat",
            "-s",
            metavar="[NAME=]WHO",
            help="Who sits there: me, or one of keltis bots. Once for each seat, in the order "
            "of turns; seats left over go to the best bot.",
            show_default="me, then the best bot",
        ),
    ] = None,
    shuffle_seats: Annotated[
        bool, typer.Option("--shuffle-seats", help="Let chance decide who begins.")
    ] = False,
    seed: Annotated[
        int | None,
        typer.Option(metavar="N", help="The same number gives the same deal and the same bots."),
    ] = None,
    edition: EditionOption = None,
    end_stone_step: EndStoneOption = None,
    clover_step: CloverOption = None,
    own_discard: OwnDiscardOption = None,
    piles: Annotated[
        Piles | None,
        typer.Option(
            help="board: show all cards of the discard piles and those known to be in hands, "
            "or only the top cards.",
            show_default="open",
        ),
    ] = None,
    load: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Go on with a saved game.")
    ] = None,
    lang: LanguageOption = None,
) -> None:
    """Play in the terminal, with bots or at one keyboard."""
    from keltis.cli.terminal import waiting

    words.use(lang)
    with waiting(words.t("ready")):  # the first time ever, the rules are compiled
        from keltis.cli import play as command

        wishes = command.Wishes(
            game=game,
            players=players,
            seats=seat or [],
            shuffle_seats=shuffle_seats,
            seed=seed,
            edition=edition,
            rules={
                "end_stone_step": end_stone_step,
                "clover_step": clover_step,
                "own_discard": own_discard,
                "piles": piles,
            },
            load=load,
        )
        session = command.prepare(wishes)
    session.run()


@app.command()
def simulate(
    game: GameOption = GameName.BOARD,
    players: Annotated[
        int, typer.Option("--players", "-p", min=2, max=4, metavar="N", help="How many play.")
    ] = 2,
    games: Annotated[
        int, typer.Option("--games", "-n", min=1, metavar="N", help="How many games to play.")
    ] = 100_000,
    seed: Annotated[
        int, typer.Option(metavar="N", help="The same number gives the same games.")
    ] = 0,
    edition: EditionOption = None,
    end_stone_step: EndStoneOption = None,
    clover_step: CloverOption = None,
    own_discard: OwnDiscardOption = None,
    json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")] = False,
) -> None:
    """Play many random games and sum them up.

    The summary tells how long they were, what was scored, how they ended, and whether it helps
    to begin.
    """
    from keltis.cli import simulate as command

    rules = {
        "end_stone_step": end_stone_step,
        "clover_step": clover_step,
        "own_discard": own_discard,
    }
    command.simulate(game, players, games, seed, edition, rules, as_json=json)


@app.command()
def bots(
    json: Annotated[bool, typer.Option("--json", help="Print the list as JSON.")] = False,
) -> None:
    """List the bots: what they do, and how strong they are."""
    from keltis.cli import arena as command

    command.list_bots(as_json=json)


@app.command()
def arena(
    names: Annotated[
        list[str],
        typer.Argument(
            metavar="BOT BOT...",
            help="The bots; seats left over go to more of the last one.",
        ),
    ],
    game: GameOption = GameName.BOARD,
    players: Annotated[
        int | None,
        typer.Option(
            "--players",
            "-p",
            min=2,
            max=4,
            metavar="N",
            help="How many play.",
            show_default="as many as bots",
        ),
    ] = None,
    games: Annotated[
        int,
        typer.Option(
            "--games", "-n", min=1, metavar="N", help="How many games, rounded up to whole deals."
        ),
    ] = 200,
    seed: Annotated[
        int, typer.Option(metavar="N", help="The same number gives the same result.")
    ] = 0,
    rollouts: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="How much `search` may think.")
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option(
            min=0.001, metavar="S", help="The same as a time; results then differ a little."
        ),
    ] = None,
    sprt: Annotated[
        tuple[float, float] | None,
        typer.Option(
            metavar="ELO0 ELO1",
            help="Stop when it is clear which difference is closer to the truth.",
        ),
    ] = None,
    round_robin: Annotated[
        bool, typer.Option("--round-robin", help="Play every table of the bots; one rating table.")
    ] = False,
    workers: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Processes.", show_default="one a core"),
    ] = None,
    cluster: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="Play on a Ray cluster: auto (that of this machine), host:port, or local.",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Keep the records and a picture there; take up an interrupted contest.",
        ),
    ] = None,
    forfeit: Annotated[
        bool,
        typer.Option("--forfeit", help="A bot that fails loses that game; the contest goes on."),
    ] = False,
    luck: Annotated[
        bool,
        typer.Option("--luck", help="Show the results with the luck of draws taken out, too."),
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Let bots play against each other on duplicate deals, with honest statistics."""
    from keltis.cli import arena as command

    command.contest(
        names,
        game=str(game),
        players=players,
        games=games,
        seed=seed,
        rollouts=rollouts,
        seconds=seconds,
        sprt=sprt,
        tournament=round_robin,
        workers=workers,
        cluster=cluster,
        out=out,
        forfeit=forfeit,
        luck=luck,
        as_json=json,
    )


@app.command()
def replay(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A saved game; - reads the input.")],
    step: Annotated[bool, typer.Option("--step", help="Go through the game turn by turn.")] = False,
    turn: Annotated[
        int | None,
        typer.Option(min=0, metavar="N", help="Show the table after this turn; 0 is the start."),
    ] = None,
    view: Annotated[
        str,
        typer.Option(
            metavar="WHO",
            help="Whose eyes to look through: a player's number, all (every hand open) or "
            "public (no hand).",
        ),
    ] = "all",
    lang: LanguageOption = None,
) -> None:
    """Print a saved game, or step through it."""
    from keltis.cli import replay as command

    words.use(lang)
    command.replay(file, step=step, turn=turn, view=view)


@app.command()
def show(
    what: Annotated[
        str,
        typer.Argument(
            metavar="POSITION|FILE",
            help="A position in quotes, a file that holds one, or a saved game; - reads the input.",
        ),
    ],
    turn: Annotated[
        int | None,
        typer.Option(
            min=0,
            metavar="N",
            help="A saved game: the table after this turn; 0 is the start.",
            show_default="the last",
        ),
    ] = None,
    view: Annotated[
        str,
        typer.Option(
            metavar="WHO",
            help="Whose eyes to look through: a player's number, all (every hand open) or "
            "public (no hand).",
        ),
    ] = "all",
    svg: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write a picture instead.", show_default=False),
    ] = None,
    lang: LanguageOption = None,
) -> None:
    """Show where a game stands, and its position as one line of text."""
    from keltis.cli import show as command

    words.use(lang)
    command.show(what, turn=turn, view=view, svg=svg)


@app.command()
def export(
    records: Annotated[
        list[str],
        typer.Argument(
            metavar="RECORDS...",
            help="Records, .jsonl files with one in each line, or folders of keltis arena --out; "
            "- is the input.",
        ),
    ],
    to: Annotated[
        Format, typer.Option("--to", help="Columns for pandas, polars and others, or for numpy.")
    ] = Format.PARQUET,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            metavar="FILE",
            help="The file to write.",
            show_default="the first name, with the format's ending",
        ),
    ] = None,
    value: Annotated[
        bool, typer.Option("--value", help="Add what the value network expects; takes longer.")
    ] = False,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace a file that is there.")
    ] = False,
) -> None:
    """Write records as a data set: a row for each decision, as numbers.

    A row has the seat, what it saw, what was legal, what it did, and what came of it. All records
    are of one game and one number of players.
    """
    from keltis.cli import export as command

    command.export(records, to, out, value=value, overwrite=overwrite)


@app.command()
def review(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A saved game; - reads the input.")],
    seat: Annotated[
        int | None,
        typer.Option(
            "--seat",
            "-s",
            min=1,
            metavar="N",
            help="Only this player's decisions.",
            show_default="everybody's",
        ),
    ] = None,
    budget: Annotated[
        int | None,
        typer.Option(
            min=0,
            metavar="N",
            help="How many rollouts the search may spend on each player; 0 leaves it to the "
            "value network.",
            show_default="12000",
        ),
    ] = None,
    seed: Annotated[
        int, typer.Option(min=0, metavar="N", help="The same number gives the same review.")
    ] = 0,
    par: Annotated[
        int,
        typer.Option(
            min=0,
            max=100,
            metavar="RUNS",
            help="Let Druid play each deal from the same seat so often, and tell its leads.",
            show_default="not at all",
        ),
    ] = 0,
    json: Annotated[bool, typer.Option("--json", help="Print the review as JSON.")] = False,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the picture, an SVG, there.")
    ] = None,
    lang: LanguageOption = None,
) -> None:
    """Tell decisions from luck: a graph, a sum, and the lessons of a saved game."""
    from keltis.cli.terminal import waiting

    words.use(lang)
    with waiting(words.t("ready")):
        from keltis.cli import review as command

    wishes = command.Wishes(seat, budget, seed, par, json, out)
    command.review(file, wishes)


@app.command()
def check(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE...",
            help="Records, or .jsonl files with one in each line; - is the input.",
        ),
    ],
) -> None:
    """Check records: a line for each, and exit code 1 if any is bad."""
    from keltis.cli import check as command

    raise typer.Exit(command.check(files))


@app.command()
def rules(
    game: Annotated[GameName, typer.Argument(help="Keltis, or its tile game.")] = GameName.BOARD,
    lang: LanguageOption = None,
) -> None:
    """Print the rules in English, German, French or Dutch."""
    from keltis.cli import rules as command

    words.use(lang)
    command.rules(game)


@app.command()
def cache(
    clear: Annotated[bool, typer.Option("--clear", help="Delete all that is in it.")] = False,
) -> None:
    """Say where compiled kernels come from, where they are kept, and how large that is."""
    from keltis.cli import cache as command

    command.cache(clear=clear)


_serve.add_to(app)
