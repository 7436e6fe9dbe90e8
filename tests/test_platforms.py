"""What only some systems have is used only where they are asked for."""

import ast
from pathlib import Path

from tests.test_layers import MODULES, module_name

# Modules and functions of Python that Windows or macOS lack.
MODULES_OF_SOME = {"fcntl", "grp", "msvcrt", "pwd", "resource", "termios", "tty", "winreg"}
FUNCTIONS_OF_SOME = {
    "os": {
        "chown", "fchmod", "fork", "geteuid", "getuid", "killpg", "mkfifo", "nice", "pipe2",
        "sched_getaffinity", "sched_setaffinity", "setsid", "startfile", "uname",
    },
    "signal": {"SIGALRM", "SIGHUP", "SIGKILL", "SIGUSR1", "SIGUSR2", "alarm", "pause"},
    "socket": {"AF_UNIX", "SO_EXCLUSIVEADDRUSE", "SO_REUSEADDR", "SO_REUSEPORT"},
}  # fmt: skip
GUARDS = ("sys.platform", "os.name", "hasattr(")


def found_in(path: Path) -> list[str]:
    """What a module uses of them outside of a question for the system."""
    wrong: list[str] = []

    def visit(node: ast.AST) -> None:
        if isinstance(node, ast.If) and any(g in ast.unparse(node.test) for g in GUARDS):
            return
        match node:
            case ast.Import(names=names):
                wrong.extend(alias.name for alias in names if alias.name in MODULES_OF_SOME)
            case ast.ImportFrom(module=str(module)) if module in MODULES_OF_SOME:
                wrong.append(module)
            case ast.Attribute(value=ast.Name(id=name), attr=function):
                if function in FUNCTIONS_OF_SOME.get(name, ()):
                    wrong.append(f"{name}.{function}")
        for child in ast.iter_child_nodes(node):
            visit(child)

    visit(ast.parse(path.read_text("utf-8")))
    return wrong


def test_nothing_is_used_that_only_some_systems_have() -> None:
    assert not {module_name(path): found for path in MODULES if (found := found_in(path))}


def test_such_a_use_is_found(tmp_path: Path) -> None:
    for text, expected in {
        "import fcntl": 1,
        "import os\nos.getuid()": 1,
        "import sys\nif sys.platform != 'win32':\n    import fcntl": 0,
        "import os\nif hasattr(os, 'getuid'):\n    os.getuid()": 0,
    }.items():
        path = tmp_path / "module.py"
        path.write_text(text)
        assert len(found_in(path)) == expected, text
