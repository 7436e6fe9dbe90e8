"""The command line: thin commands over all that the package can do.

Each command lives in a module of its own that is imported only when the command runs, so that
`keltis --help` answers before numba would have been loaded.
"""

import os
import sys
from collections.abc import Sequence

from keltis.cli.failure import Failure, plain

_INTERRUPTED = 130  # what a shell reports for Ctrl-C, and typer too


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the program and leave it: whatever goes wrong is one line, never a traceback."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure:
            reconfigure(errors="replace")  # a stream that knows no minus sign shows a ?
    try:
        code = _run(arguments)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader has seen enough, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    sys.exit(code)


def _run(arguments: Sequence[str] | None) -> int:
    import typer

    from keltis.cli.app import app

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
    except (KeyboardInterrupt, typer.Abort):
        return _tell("interrupted", _INTERRUPTED)
    except BrokenPipeError:
        raise
    except Exception as fault:
        if isinstance(fault, usage_fault):
            return _tell(_usage(fault), 2)
        if "KELTIS_TRACEBACK" in os.environ:
            raise
        what = f"{type(fault).__name__}: {fault}"
        return _tell(f"this should not happen (KELTIS_TRACEBACK=1 shows where): {what}", 2)


def _usage(fault: Exception) -> str:
    message = str(getattr(fault, "format_message", fault.__str__)())
    context = getattr(fault, "ctx", None)
    command = f"{context.command_path} --help" if context else "keltis --help"
    return f"{message.rstrip('.')} (see {command})"


def _tell(message: str, code: int) -> int:
    sys.stdout.flush()
    if sys.stdout.isatty() and code == _INTERRUPTED:
        print()  # the cursor stands behind a prompt
    print(f"keltis: {plain(message)}", file=sys.stderr)
    return code
