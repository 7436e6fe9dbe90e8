"""The functions that Python calls, in LLVM's language.

They take objects: look at the arrays' types, find the data and the lengths where numpy keeps them,
make C's numbers of Python's, let the interpreter's lock go, and call the kernel.
"""

from typing import Any

from keltis.build import BuildError
from keltis.build.entries import variants
from keltis.build.targets import Target
from keltis.rules import library
from keltis.rules.library import Array, Entry, Scalar

# Numpy's arrays, after the head that every object of Python's has: where their parts are.
_DATA, _DIMENSIONS, _LENGTHS, _TYPE, _FLAGS = 0, 8, 16, 40, 48
_USABLE = 0x1 | 0x100 | 0x400  # flags: contiguous, aligned, may be written to
_TYPE_OF_OBJECT = object.__basicsize__ - 8  # the head's last word

# How a number is read, by its kind: the function, its type here, and what tells a fault.
_NUMBERS = {
    "i": ("PyLong_AsLongLong", "i64", "icmp eq i64"),
    "u": ("PyLong_AsUnsignedLongLongMask", "i64", "icmp eq i64"),
    "f": ("PyFloat_AsDouble", "double", "fcmp oeq double"),
}

_COMMON = """
@keltis.python = global [{table} x ptr] zeroinitializer
@keltis.fingerprint = constant [{length} x i8] c"{fingerprint}\\00"

; The place of an array's type among some; -1 if it is none of them, or no array that can be used.
define internal i32 @which(ptr %array, ptr %types, i32 %count, i32 %dimensions) noinline {{
  %type.at = getelementptr i8, ptr %array, i64 {type_of_object}
  %type = load ptr, ptr %type.at
  %numpy = load ptr, ptr {ndarray}
  %plain = icmp eq ptr %type, %numpy
  br i1 %plain, label %array.found, label %ask
ask:
  %is.instance = load ptr, ptr {PyObject_IsInstance}
  %answer = call i32 %is.instance(ptr %array, ptr %numpy)
  %derived = icmp eq i32 %answer, 1
  br i1 %derived, label %array.found, label %none
array.found:
  %dimensions.at = getelementptr i8, ptr %array, i64 {dimensions}
  %found = load i32, ptr %dimensions.at
  %flags.at = getelementptr i8, ptr %array, i64 {flags}
  %flags = load i32, ptr %flags.at
  %usable = and i32 %flags, {usable}
  %fits = icmp eq i32 %usable, {usable}
  %same = icmp eq i32 %found, %dimensions
  %good = and i1 %fits, %same
  br i1 %good, label %loop, label %none
loop:  ; most arrays have the very object of the declaration as their type
  %k = phi i32 [0, %array.found], [%next, %other]
  %kind.at = getelementptr ptr, ptr %types, i32 %k
  %kind = load ptr, ptr %kind.at
  %own.at = getelementptr i8, ptr %array, i64 {type}
  %own = load ptr, ptr %own.at
  %is.it = icmp eq ptr %own, %kind
  br i1 %is.it, label %done, label %other
other:
  %next = add i32 %k, 1
  %more = icmp slt i32 %next, %count
  br i1 %more, label %loop, label %slowly
slowly:  ; others have one that is equal
  %j = phi i32 [0, %other], [%after, %unequal]
  %equal.at = getelementptr ptr, ptr %types, i32 %j
  %equal = load ptr, ptr %equal.at
  %compare = load ptr, ptr {PyObject_RichCompareBool}
  %verdict = call i32 %compare(ptr %own, ptr %equal, i32 2)
  %is.equal = icmp eq i32 %verdict, 1
  br i1 %is.equal, label %done.slowly, label %unequal
unequal:
  %after = add i32 %j, 1
  %left = icmp slt i32 %after, %count
  br i1 %left, label %slowly, label %none
done:
  ret i32 %k
done.slowly:
  ret i32 %j
none:
  ret i32 -1
}}

define internal ptr @refuse(ptr %text, ptr %kind.at) noinline {{
  %occurred = load ptr, ptr {PyErr_Occurred}
  %before = call ptr %occurred()
  %already = icmp ne ptr %before, null
  br i1 %already, label %done, label %set
set:
  %kind = load ptr, ptr %kind.at
  %raise = load ptr, ptr {PyErr_SetString}
  call void %raise(ptr %kind, ptr %text)
  br label %done
done:
  ret ptr null
}}

define internal ptr @told.none(i64 %value) {{
  %none = load ptr, ptr {None}
  %count = load ptr, ptr {Py_IncRef}
  call void %count(ptr %none)
  ret ptr %none
}}

define internal ptr @told.int(i64 %value) {{
  %make = load ptr, ptr {PyLong_FromLongLong}
  %number = call ptr %make(i64 %value)
  ret ptr %number
}}

define internal ptr @told.bool(i64 %value) {{
  %make = load ptr, ptr {PyBool_FromLong}
  %truth = call ptr %make(i64 %value)
  ret ptr %truth
}}
"""

# What x86-64-v3 asks for: leaf and register of `cpuid` (1 is ebx, 2 is ecx), and bits there.
_V3 = (
    (1, 2, (0, 9, 12, 13, 19, 20, 22, 23, 27, 28, 29)),  # sse3 to 4.2, fma, avx, f16c and so on
    (7, 1, (3, 5, 8)),  # bmi1, avx2, bmi2
    (0x8000_0001, 2, (0, 5)),  # lahf, lzcnt
)
_SAVED = 6  # bits of `xgetbv`: that the system saves the wide registers

_RUNS_ANYWHERE = """
define i32 @keltis.runs_here() {
  ret i32 1
}
"""


def _runs_on_v3() -> str:
    """A function that tells whether the processor is an x86-64-v3."""
    four = "{i32, i32, i32, i32}"
    code = [
        "define internal i1 @has(i32 %leaf, i32 %bits, i1 %second) {",
        f'  %all = call {four} asm sideeffect "cpuid", '
        '"={ax},={bx},={cx},={dx},{ax},{cx}"(i32 %leaf, i32 0)',
        f"  %b = extractvalue {four} %all, 1",
        f"  %c = extractvalue {four} %all, 2",
        "  %found = select i1 %second, i32 %c, i32 %b",
        "  %own = and i32 %found, %bits",
        "  %is = icmp eq i32 %own, %bits",
        "  ret i1 %is",
        "}",
        "define i32 @keltis.runs_here() {",
        f'  %first = call {four} asm sideeffect "cpuid", '
        '"={ax},={bx},={cx},={dx},{ax},{cx}"(i32 0, i32 0)',
        f"  %most = extractvalue {four} %first, 0",
        "  %enough = icmp uge i32 %most, 7",
        "  br i1 %enough, label %t0, label %no",
    ]
    for k, (leaf, register, bits) in enumerate(_V3):
        mask = sum(1 << bit for bit in bits)
        second = "true" if register == 2 else "false"
        code += [
            f"t{k}:",
            f"  %r{k} = call i1 @has(i32 {leaf}, i32 {mask}, i1 {second})",
            f"  br i1 %r{k}, label %t{k + 1}, label %no",
        ]
    code += [
        f"t{len(_V3)}:",
        '  %system = call {i32, i32} asm sideeffect "xgetbv", "={ax},={dx},{cx}"(i32 0)',
        "  %low = extractvalue {i32, i32} %system, 0",
        f"  %saved = and i32 %low, {_SAVED}",
        f"  %is = icmp eq i32 %saved, {_SAVED}",
        "  %answer = zext i1 %is to i32",
        "  ret i32 %answer",
        "no:",
        "  ret i32 0",
        "}",
        "",
    ]
    return "\n".join(code)


def _table() -> dict[str, str]:
    """Where what the library uses of Python is, by its name."""
    names = [*library.API, *("None" if o is None else o.__name__ for o in library.OBJECTS)]
    return {
        name: f"getelementptr ([{len(names)} x ptr], ptr @keltis.python, i32 0, i32 {k})"
        for k, name in enumerate(names)
    }


def _text(name: str, content: str) -> str:
    raw = content.encode() + b"\0"
    written = "".join(chr(c) if 32 <= c < 127 and c not in b'"\\' else f"\\{c:02X}" for c in raw)
    return f'@"{name}" = private constant [{len(raw)} x i8] c"{written}"\n'


def python_module(
    all_entries: list[Entry], returned: dict[str, str], target: Target, fingerprint: str
) -> str:
    """The functions that Python calls, in LLVM's language."""
    table = _table()
    head = object.__basicsize__
    platform, _, *rest = fingerprint.split()
    text = " ".join([platform, target.machine, *rest])
    parts = [
        f'target triple = "{target.triple}"\n',
        _COMMON.format(
            table=len(table),
            length=len(text) + 1,
            fingerprint=text,
            type_of_object=_TYPE_OF_OBJECT,
            dimensions=head + _DIMENSIONS,
            flags=head + _FLAGS,
            type=head + _TYPE,
            usable=_USABLE,
            **table,
        ),
        _runs_on_v3() if target.name == "x86-64-v3" else _RUNS_ANYWHERE,
    ]
    parts += [_function(entry, returned, table) for entry in all_entries]
    return "".join(parts)


def _function(entry: Entry, returned: dict[str, str], table: dict[str, str]) -> str:
    """An entry as Python calls it: with objects, the interpreter's lock held."""
    symbol = entry.symbol
    own = variants(entry)
    told = {returned[variant.symbol] for variant in own}
    if len(told) > 1:
        raise BuildError(f"{symbol} returns something else in each game")
    result = told.pop()
    name = entry.function.__name__
    count = len(entry.parameters)
    wanted = f"{name}() takes {count} arguments ({', '.join(entry.parameters)})"
    globals_ = [_text(f"{symbol}.count", wanted), _text(f"{symbol}.error", f"{name}() failed")]
    arrays = [p for p in entry.parameters.values() if isinstance(p, Array)]
    slots = sum(len(array.types) for array in arrays)
    if slots:
        globals_.append(f'@"{symbol}.types" = global [{slots} x ptr] zeroinitializer\n')
    code = [
        f'define ptr @"{symbol}"(ptr %self, ptr %args, i64 %count) {{',
        "  %result = alloca i64",
        "  store i64 0, ptr %result",
        f"  %enough = icmp eq i64 %count, {count}",
        "  br i1 %enough, label %p0, label %wrong.count",
        "wrong.count:",
        f'  %no.count = call ptr @refuse(ptr @"{symbol}.count", ptr {table["TypeError"]})',
        "  ret ptr %no.count",
    ]
    arguments: list[str] = []
    slot = 0
    game = ""  # which variant is called
    head = object.__basicsize__
    for k, (parameter, kind) in enumerate(entry.parameters.items()):
        code += [
            f"p{k}:",
            f"  %at{k} = getelementptr ptr, ptr %args, i64 {k}",
            f"  %o{k} = load ptr, ptr %at{k}",
        ]
        if isinstance(kind, Scalar):
            convert, number, odd = _NUMBERS[kind.type.kind]
            code += [
                f"  %convert{k} = load ptr, ptr {table[convert]}",
                f"  %n{k} = call {number} %convert{k}(ptr %o{k})",
                f"  %odd{k} = {odd} %n{k}, -1{'.0' if number == 'double' else ''}",
                f"  br i1 %odd{k}, label %look{k}, label %p{k + 1}",
                f"look{k}:",
                f"  %occurred{k} = load ptr, ptr {table['PyErr_Occurred']}",
                f"  %error{k} = call ptr %occurred{k}()",
                f"  %fine{k} = icmp eq ptr %error{k}, null",
                f"  br i1 %fine{k}, label %p{k + 1}, label %failed",
            ]
            arguments.append(f"{number} %n{k}")
            continue
        kinds = " or ".join(dict.fromkeys(_name_of(each) for each in kind.types))
        shape = "" if kind.dimensions == 1 else f" of {kind.dimensions} dimensions"
        globals_.append(
            _text(
                f"{symbol}.wrong{k}",
                f"{name}(): {parameter} must be an array of {kinds}{shape}, contiguous and "
                "not read-only",
            )
        )
        types = f'getelementptr ([{slots} x ptr], ptr @"{symbol}.types", i32 0, i32 {slot})'
        slot += len(kind.types)
        code += [
            f"  %w{k} = call i32 @which(ptr %o{k}, ptr {types}, i32 {len(kind.types)}, "
            f"i32 {kind.dimensions})",
        ]
        if len(kind.types) > 1 and game:
            code.append(f"  %is{k} = icmp eq i32 %w{k}, {game}")
        else:
            code.append(f"  %is{k} = icmp sge i32 %w{k}, 0")
        if len(kind.types) > 1 and not game:
            game = f"%w{k}"
        code += [
            f"  br i1 %is{k}, label %read{k}, label %wrong{k}",
            f"wrong{k}:",
            f'  %no{k} = call ptr @refuse(ptr @"{symbol}.wrong{k}", ptr {table["TypeError"]})',
            f"  ret ptr %no{k}",
            f"read{k}:",
            f"  %d.at{k} = getelementptr i8, ptr %o{k}, i64 {head + _DATA}",
            f"  %d{k} = load ptr, ptr %d.at{k}",
            f"  %l.at{k} = getelementptr i8, ptr %o{k}, i64 {head + _LENGTHS}",
            f"  %l{k} = load ptr, ptr %l.at{k}",
        ]
        arguments.append(f"ptr %d{k}")
        for dimension in range(kind.dimensions):
            code += [
                f"  %m.at{k}.{dimension} = getelementptr i64, ptr %l{k}, i64 {dimension}",
                f"  %m{k}.{dimension} = load i64, ptr %m.at{k}.{dimension}",
            ]
            arguments.append(f"i64 %m{k}.{dimension}")
        code.append(f"  br label %p{k + 1}")
    given = ", ".join([*arguments, "ptr %result"])
    code += [
        f"p{count}:",
        f"  %save = load ptr, ptr {table['PyEval_SaveThread']}",
        "  %thread = call ptr %save()",
    ]
    if len(own) == 1:
        code += [f'  %status = call i32 @"{own[0].symbol}"({given})', "  br label %back", "back:"]
    else:
        code.append(
            f"  switch i32 {game}, label %v0 ["
            + " ".join(f"i32 {v.place}, label %v{v.place}" for v in own[1:])
            + "]"
        )
        for v in own:
            code += [
                f"v{v.place}:",
                f'  %status{v.place} = call i32 @"{v.symbol}"({given})',
                "  br label %back",
            ]
        statuses = ", ".join(f"[%status{v.place}, %v{v.place}]" for v in own)
        code += ["back:", f"  %status = phi i32 {statuses}"]
    code += [
        f"  %restore = load ptr, ptr {table['PyEval_RestoreThread']}",
        "  call void %restore(ptr %thread)",
        "  %good = icmp eq i32 %status, 0",
        "  br i1 %good, label %tell, label %broken",
        "broken:",
        f'  %no.error = call ptr @refuse(ptr @"{symbol}.error", ptr {table["RuntimeError"]})',
        "  ret ptr %no.error",
        "failed:",
        "  ret ptr null",
        "tell:",
        "  %value = load i64, ptr %result",
        f"  %told = call ptr @told.{result}(i64 %value)",
        "  ret ptr %told",
        "}",
        "",
    ]
    for v in own:
        shapes = ", ".join([*(a.split()[0] for a in arguments), "ptr"])
        globals_.append(f'declare i32 @"{v.symbol}"({shapes})\n')
    return "".join(globals_) + "\n".join(code) + "\n"


def _name_of(kind: Any) -> str:
    return "records of the game" if kind.names else str(kind)
