"""The command line: thin commands over all that the package can do.

Each command lives in a module of its own that is imported only when the command runs, so that
`keltis --help` answers before numba would have been loaded. This one imports within functions for
another reason: what Python does before `main` is called, Ctrl-C tears with a traceback.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # that of `typing`, which takes longer to load than all of this
if TYPE_CHECKING:
    from collections.abc import Sequence

_INTERRUPTED = 130  # what a shell reports for Ctrl-C, and typer too


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the program and leave it: whatever goes wrong is one line, never a traceback.

    Ctrl-C is that too, at any time and however often. Without arguments the process is the
    program's own: it then leaves the process, and no key can tear its farewell.
    """
    code = None
    leaving = False
    while not leaving:
        try:
            if code is None:
                code = _outcome(arguments)
            if arguments is None:
                _hear_no_more()
            leaving = True
        except KeyboardInterrupt:
            code = _INTERRUPTED
    sys.exit(_farewell() if code == _INTERRUPTED else code)


def _hear_no_more() -> None:
    """Let Ctrl-C do nothing from now on."""
    import signal

    signal.signal(signal.SIGINT, lambda *pressed: None)


def _farewell() -> int:
    from keltis.cli import words

    return _tell(words.t("interrupted"), _INTERRUPTED)


def _outcome(arguments: Sequence[str] | None) -> int:
    """Run a command: its exit code."""
    from keltis.cli import words
    from keltis.cli.failure import reason

    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure:
            reconfigure(errors="replace")  # a stream that knows no minus sign shows a ?
    words.use("en")  # until a command speaks another language
    try:
        code = _run(arguments)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader has seen enough, as `head` does
        _write_no_more()
        code = 0
    except OSError as fault:
        _write_no_more()
        code = _tell(words.t("fault.output", reason=reason(fault)), 2)
    return code


def _write_no_more() -> None:
    """Let the rest of the output vanish, so that the interpreter does not try it once more."""
    import os

    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _run(arguments: Sequence[str] | None) -> int:
    import os

    import typer

    from keltis.cli.app import app
    from keltis.cli.failure import Failure, reason
    from keltis.cli.words import t

    usage_fault = typer.BadParameter.__mro__[2]  # ClickException, wherever typer has it from
    try:
        code = app(arguments, prog_name="keltis", standalone_mode=False)
        if code == _INTERRUPTED:
            raise KeyboardInterrupt
        return code if isinstance(code, int) else 0
    except SystemExit:  # typer's own way to end when the reader has gone
        return 0
    except Failure as fault:
        return _tell(str(fault), fault.code)
    except typer.Abort:
        raise KeyboardInterrupt from None
    except OSError as fault:
        if fault.filename is None:  # nothing but the output is written without a name
            raise
        return _tell(t("fault.file", file=fault.filename, reason=reason(fault)), 2)
    except Exception as fault:
        if isinstance(fault, usage_fault):
            return _usage(fault)
        if "KELTIS_TRACEBACK" in os.environ:
            raise
        kernels = sys.modules.get("keltis.rules.library")
        if kernels and isinstance(fault, kernels.Unusable):
            return _tell(str(fault), 2)
        what = f"{type(fault).__name__}: {fault}"
        return _tell(f"this should not happen (KELTIS_TRACEBACK=1 shows where): {what}", 2)


def _usage(fault: Exception) -> int:
    """Tell what was wrong with the arguments."""
    message = str(getattr(fault, "format_message", fault.__str__)())
    if message.startswith("Usage: "):  # a group of commands without one of them
        print(message, file=sys.stderr)
        return 2
    context = getattr(fault, "ctx", None)
    command = f"{context.command_path} --help" if context else "keltis --help"
    return _tell(f"{_bad_value(fault) or message.rstrip('.')} (see {command})", 2)


def _bad_value(fault: Exception) -> str | None:
    """What was wrong with the value of an option, in our own words.

    Typer has values checked by pydantic, whose messages are for programmers.
    """
    errors = getattr(fault.__cause__, "errors", None)
    parameter = getattr(fault, "param", None)
    if errors is None or parameter is None:
        return None
    found = errors()[0]
    limits = found.get("ctx", {})
    expected = {
        "int_parsing": "a whole number",
        "int_from_float": "a whole number",
        "float_parsing": "a number",
        "less_than_equal": f"{limits.get('le')} at most",
        "greater_than_equal": f"{limits.get('ge')} at least",
    }.get(found["type"])
    if expected is None:
        _, named, choices = found["msg"].partition(" is not one of ")
        if not named:
            return None
        *others, last = choices.rstrip(".").replace("'", "").split(", ")
        expected = f"{', '.join(others)} or {last}"
    option = next((name for name in parameter.opts if name.startswith("--")), None)
    name = option or str(parameter.name).upper()
    return f"{name} {found['input']}: expected {expected}"


def _tell(message: str, code: int) -> int:
    from keltis.cli.failure import plain

    sys.stdout.flush()
    if sys.stdout.isatty() and code == _INTERRUPTED:
        print()  # the cursor stands behind a prompt
    print(f"keltis: {plain(message)}", file=sys.stderr)
    return code
