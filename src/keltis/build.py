"""Compile all kernels ahead of time into one library: ``python -m keltis.build``.

Numba is asked only for the types and for LLVM's code of each function. All of that is linked into
one module and optimised once, where the JIT optimises each part on its own and again in each of
its callers. A game is a module, so that two processors can work at the same time. The functions
take pointers and numbers, as C's do, and need nothing of Python; those that Python calls are
written around them here, see `keltis.rules.library`.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import importlib
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from keltis.rules import library
from keltis.rules.library import Array, Entry, Scalar

# What a library may need of the system: of its mathematics, and what LLVM writes for a copy.
KNOWN_SYMBOLS = frozenset(["exp", "log", "tanh", "memcpy", "memmove", "memset"])


class BuildError(Exception):
    """The kernels cannot be built; the text says why."""


@dataclass(frozen=True)
class Target:
    """A processor that a library is made for."""

    name: str
    triple: str
    cpu: str  # for the kernels
    plain_cpu: str  # for the functions that are called before it is known what there is
    machine: str  # as Python names it
    linkers: tuple[tuple[str, ...], ...]  # commands that make a shared library, the best first


_ELF = ("-shared", "-z", "noexecstack", "--hash-style=gnu", "-O1")
TARGETS = {
    target.name: target
    for target in (
        Target(
            "x86-64-v3", "x86_64-unknown-linux-gnu", "x86-64-v3", "x86-64", "x86_64",
            (("cc", "-shared", "-lm"), ("ld", *_ELF), ("ld.lld", *_ELF)),
        ),
        Target(
            "x86-64", "x86_64-unknown-linux-gnu", "x86-64", "x86-64", "x86_64",
            (("cc", "-shared", "-lm"), ("ld", *_ELF), ("ld.lld", *_ELF)),
        ),
        Target(
            "aarch64", "aarch64-unknown-linux-gnu", "generic", "generic", "aarch64",
            (
                ("aarch64-linux-gnu-gcc", "-shared", "-lm"),
                ("aarch64-linux-gnu-ld", *_ELF),
                ("ld.lld", *_ELF),
            ),
        ),
    )
}  # fmt: skip


# --- What there is to compile ------------------------------------------------------------


def _modules() -> list[str]:
    """All modules that have kernels."""
    names = []
    for file in library.sources():
        parts = file.relative_to(library.PACKAGE.parent).with_suffix("").parts
        if parts[-1] not in ("__init__", "jit", "library"):
            names.append(".".join(parts))
    return names


def entries() -> list[Entry]:
    """All entries of all kernels."""
    for name in _modules():
        importlib.import_module(name)
    from keltis.rules import kernel

    return [entry for entry in kernel.ENTRIES if library.layer_of(entry.function.__module__)]


@dataclass(frozen=True)
class Variant:
    """An entry for one game, or for both if it has to do with neither."""

    entry: Entry
    place: int  # of the game's record among the types that the entry may take

    @property
    def symbol(self) -> str:
        return f"{self.entry.symbol}.{self.place}"

    def type_of(self, array: Array) -> Any:
        return array.types[self.place if len(array.types) > 1 else 0]

    @property
    def part(self) -> int:
        """Which of the library's modules it is in: one for each game."""
        from keltis.rules.dispatch import STATES

        used = [self.type_of(p) for p in self.entry.parameters.values() if isinstance(p, Array)]
        return next((k for k, state in enumerate(STATES) if state in used), len(STATES) - 1)


def variants(entry: Entry) -> list[Variant]:
    arrays = [p for p in entry.parameters.values() if isinstance(p, Array)]
    return [Variant(entry, k) for k in range(max([1, *(len(array.types) for array in arrays)]))]


# --- One part: the kernels of a game -----------------------------------------------------


def compile_part(part: int, target: Target, out: Path) -> None:
    """Compile one part to an object; print a line for each entry, and what the part returns.

    The process can compile nothing else afterwards: numba is told to stop halfway.
    """
    from keltis.rules import jit

    jit.BUILDING = True
    link = _halfway()
    wanted = [v for entry in entries() for v in variants(entry) if v.part == part]
    functions = []
    returned = {}
    for variant in wanted:
        made = _typed(variant)
        functions.append(made)
        returned[variant.symbol] = made[1]
        print(json.dumps({"entry": variant.symbol}), flush=True)
    module = link([made[0] for made in functions], [variant.symbol for variant in wanted])
    out.write_bytes(_object(module, target, target.cpu, {v.symbol for v in wanted}))
    print(json.dumps({"returned": returned}), flush=True)


def _halfway() -> Any:
    """Have numba stop at LLVM's code, which is neither optimised nor made into machine code.

    Returns what links that of some functions.
    """
    from numba.core import codegen
    from numba.core.registry import cpu_target
    from numba.core.runtime import rtsys

    cpu_target.typing_context.refresh()
    cpu_target.target_context.refresh()
    rtsys.initialize(cpu_target.target_context)
    generator = cpu_target.target_context.codegen()

    class Unfinished(codegen.JITCodeLibrary):  # type: ignore[misc]
        def _optimize_functions(self, module: Any) -> None:
            module.data_layout = self._codegen._data_layout

        def finalize(self) -> None:
            self._raise_if_finalized()
            self._finalize_dynamic_globals()
            self._finalized = True

        def get_pointer_to_function(self, name: str) -> int:
            return 0

    type(generator)._library_class = Unfinished
    type(generator).set_env = lambda self, name, environment: None

    def link(roots: list[Any], symbols: list[str]) -> Any:
        from numba.core.compiler_lock import global_compiler_lock

        module = None
        seen, waiting = set(), list(roots)
        with global_compiler_lock:
            while waiting:  # those that call come before those that are called, which are kept so
                found = waiting.pop(0)
                if found in seen:
                    continue
                seen.add(found)
                waiting += found._linking_libraries
                if found in roots:
                    found._ensure_finalized()
                    linked = found._final_module
                else:
                    linked = found._get_module_for_linking()
                if module is None:
                    module = linked.clone()
                else:
                    module.link_in(linked, preserve=True)
        return module

    return link


def _typed(variant: Variant) -> tuple[Any, str]:
    """A library with the function as C calls it, and what it returns: "int", "bool" or "none"."""
    import numba
    from llvmlite import ir
    from numba import types
    from numba.core.registry import cpu_target
    from numba.np.arrayobj import populate_array

    context = cpu_target.target_context
    kinds: list[Any] = []
    for parameter in variant.entry.parameters.values():
        if isinstance(parameter, Scalar):
            kinds.append(numba.from_dtype(parameter.type))
        else:
            of = numba.from_dtype(variant.type_of(parameter))
            kinds.append(types.Array(of, parameter.dimensions, "C"))
    made: Any = variant.entry.kernel
    made.compile(tuple(kinds))
    result = made.overloads[tuple(kinds)]
    returns = result.signature.return_type
    if returns == types.none:
        told = "none"
    elif returns == types.boolean:
        told = "bool"
    elif isinstance(returns, types.Integer):
        told = "int"
    else:
        raise BuildError(f"{variant.entry.symbol} returns {returns}, and not a number")

    word, pointer = ir.IntType(64), ir.IntType(8).as_pointer()
    shape: list[Any] = []
    for kind in kinds:
        shape += [pointer] + [word] * kind.ndim if isinstance(kind, types.Array) else [word]
    outer = context.codegen().create_library(variant.symbol)
    module = outer.create_ir_module(variant.symbol)
    callee = context.declare_function(module, result.fndesc)
    function = ir.Function(
        module, ir.FunctionType(ir.IntType(32), [*shape, pointer]), variant.symbol
    )
    builder = ir.IRBuilder(function.append_basic_block())
    given = list(function.args)
    arguments = []
    for kind in kinds:
        if not isinstance(kind, types.Array):
            arguments.append(given.pop(0))
            continue
        array = context.make_array(kind)(context, builder)
        data = builder.bitcast(given.pop(0), array.data.type)
        lengths = [given.pop(0) for _ in range(kind.ndim)]
        size = context.get_abi_sizeof(context.get_data_type(kind.dtype))
        strides = [word(size)]
        for length in reversed(lengths[1:]):
            strides.insert(0, builder.mul(strides[0], length))
        populate_array(array, data, lengths, strides, word(size), None)
        arguments.append(array._getvalue())
    status, value = context.call_conv.call_function(builder, callee, returns, kinds, arguments)
    if told != "none":
        wide = context.cast(builder, value, returns, types.int64)
        builder.store(wide, builder.bitcast(given.pop(0), word.as_pointer()))
    builder.ret(builder.zext(status.is_error, ir.IntType(32)))
    outer.add_ir_module(module)
    outer.add_linking_library(result.library)
    return outer, told


def _object(module: Any, target: Target, cpu: str, exported: set[str]) -> bytes:
    """Optimise a module as a whole and make it an object."""
    import llvmlite.binding as llvm

    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    llvm.initialize_native_asmparser()  # for the question what the processor can do
    machine = llvm.Target.from_triple(target.triple).create_target_machine(
        cpu=cpu, features="", opt=3, reloc="pic", codemodel="default"
    )
    for value in [*module.functions, *module.global_variables]:
        if not value.is_declaration and value.name not in exported:
            value.linkage = "internal"
    text = str(module)
    # Nothing is allocated, so nothing need be counted that refers to an array.
    for name in ("NRT_incref", "NRT_decref"):
        text = re.sub(
            rf"^define [^\n]*void @{name}\([^\n]*\{{.*?^\}}",
            f"define internal void @{name}(ptr %array) alwaysinline {{\n  ret void\n}}",
            text,
            flags=re.M | re.S,
        )
    text = re.sub(
        r"^target datalayout = .*$",
        f'target datalayout = "{machine.target_data}"',
        text,
        flags=re.M,
    )
    text = re.sub(r"^target triple = .*$", f'target triple = "{target.triple}"', text, flags=re.M)
    module = llvm.parse_assembly(text)
    module.verify()
    tuning = llvm.create_pipeline_tuning_options(speed_level=3)
    tuning.loop_vectorization = tuning.slp_vectorization = True
    passes = llvm.create_pass_builder(machine, tuning)
    passes.getModulePassManager().run(module, passes)
    ours = {symbol for entry in exported for symbol in (entry,)}
    needed = {f.name for f in module.functions if f.is_declaration} - ours
    unknown = {
        name for name in needed if not name.startswith(("llvm.", "keltis."))
    } - KNOWN_SYMBOLS
    if unknown:
        raise BuildError(
            f"the kernels need {', '.join(sorted(unknown))}, which a library must not: "
            "does one of them allocate, raise, or copy by a slice?"
        )
    made: bytes = machine.emit_object(module)
    return made


# --- The part that Python calls ----------------------------------------------------------

# Numpy's arrays, after the head that every object of Python's has: where their parts are.
_DATA, _DIMENSIONS, _LENGTHS, _TYPE, _FLAGS = 0, 8, 16, 40, 48
_USABLE = 0x1 | 0x100 | 0x400  # flags: contiguous, aligned, may be written to
_TYPE_OF_OBJECT = object.__basicsize__ - 8  # the head's last word

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

# What x86-64-v3 asks for, by leaf and register of `cpuid`; and that the system keeps such registers.
_RUNS_HERE = {
    "x86-64-v3": """
define i32 @keltis.runs_here() {
  %a = call {i32, i32, i32, i32} asm sideeffect "cpuid", "={ax},={bx},={cx},={dx},{ax},{cx}"(i32 0, i32 0)
  %most = extractvalue {i32, i32, i32, i32} %a, 0
  %enough = icmp uge i32 %most, 7
  br i1 %enough, label %first, label %no
first:
  %b = call {i32, i32, i32, i32} asm sideeffect "cpuid", "={ax},={bx},={cx},={dx},{ax},{cx}"(i32 1, i32 0)
  %b.c = extractvalue {i32, i32, i32, i32} %b, 2
  %b.has = and i32 %b.c, 952111617 ; sse3 ssse3 fma cx16 sse4.1 sse4.2 movbe popcnt osxsave avx f16c
  %b.all = icmp eq i32 %b.has, 952111617
  br i1 %b.all, label %second, label %no
second:
  %c = call {i32, i32, i32, i32} asm sideeffect "cpuid", "={ax},={bx},={cx},={dx},{ax},{cx}"(i32 7, i32 0)
  %c.b = extractvalue {i32, i32, i32, i32} %c, 1
  %c.has = and i32 %c.b, 296 ; bmi1 avx2 bmi2
  %c.all = icmp eq i32 %c.has, 296
  br i1 %c.all, label %third, label %no
third:
  %d = call {i32, i32, i32, i32} asm sideeffect "cpuid", "={ax},={bx},={cx},={dx},{ax},{cx}"(i32 2147483649, i32 0)
  %d.c = extractvalue {i32, i32, i32, i32} %d, 2
  %d.has = and i32 %d.c, 33 ; lahf lzcnt
  %d.all = icmp eq i32 %d.has, 33
  br i1 %d.all, label %system, label %no
system:
  %e = call {i32, i32} asm sideeffect "xgetbv", "={ax},={dx},{cx}"(i32 0)
  %e.a = extractvalue {i32, i32} %e, 0
  %e.has = and i32 %e.a, 6
  %e.all = icmp eq i32 %e.has, 6
  br i1 %e.all, label %yes, label %no
yes:
  ret i32 1
no:
  ret i32 0
}
""",
}
_RUNS_ANYWHERE = """
define i32 @keltis.runs_here() {
  ret i32 1
}
"""


def _table() -> dict[str, str]:
    """Where what the library uses of Python is, by its name."""
    names = [*library.API, *("None" if o is None else o.__name__ for o in library.OBJECTS)]
    return {
        name: f"getelementptr ([{len(names)} x ptr], ptr @keltis.python, i32 0, i32 {k})"
        for k, name in enumerate(names)
    }


def _text(name: str, content: str) -> str:
    raw = content.encode() + b"\0"
    written = "".join(
        chr(c) if 32 <= c < 127 and c not in b'"\\' else f"\\{c:02X}" for c in raw
    )
    return f'@"{name}" = private constant [{len(raw)} x i8] c"{written}"\n'


def python_module(all_entries: list[Entry], returned: dict[str, str], target: Target) -> str:
    """The functions that Python calls, in LLVM's language."""
    table = _table()
    head = object.__basicsize__
    text = _fingerprint(target)
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
        _RUNS_HERE.get(target.name, _RUNS_ANYWHERE),
    ]
    parts += [_function(entry, returned, table) for entry in all_entries]
    return "".join(parts)


def _fingerprint(target: Target) -> str:
    here = library.fingerprint().split()
    return " ".join([here[0], target.machine, *here[2:]])


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
        f"  br i1 %enough, label %p0, label %wrong.count",
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
            convert = (
                "PyLong_AsUnsignedLongLongMask" if kind.type.kind == "u" else "PyLong_AsLongLong"
            )
            code += [
                f"  %convert{k} = load ptr, ptr {table[convert]}",
                f"  %n{k} = call i64 %convert{k}(ptr %o{k})",
                f"  %odd{k} = icmp eq i64 %n{k}, -1",
                f"  br i1 %odd{k}, label %look{k}, label %p{k + 1}",
                f"look{k}:",
                f"  %occurred{k} = load ptr, ptr {table['PyErr_Occurred']}",
                f"  %error{k} = call ptr %occurred{k}()",
                f"  %fine{k} = icmp eq ptr %error{k}, null",
                f"  br i1 %fine{k}, label %p{k + 1}, label %failed",
            ]
            arguments.append(f"i64 %n{k}")
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
        types = (
            f'getelementptr ([{slots} x ptr], ptr @"{symbol}.types", i32 0, i32 {slot})'
        )
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


# --- The whole ---------------------------------------------------------------------------


def native_target() -> Target:
    """What to build for on this machine."""
    machine = platform.machine().lower()
    if machine in ("x86_64", "amd64"):
        import llvmlite.binding as llvm

        features = llvm.get_host_cpu_features()
        new = all(features.get(name) for name in ("avx2", "bmi", "bmi2", "fma", "lzcnt", "movbe"))
        return TARGETS["x86-64-v3" if new else "x86-64"]
    if machine in ("aarch64", "arm64"):
        return TARGETS["aarch64"]
    raise BuildError(f"no library can be made for {machine}: numba will compile as it is needed")


def build(target: Target, out: Path, show: bool = True) -> Path:
    """Build the library; returns where it is, which is `out` if there is a linker."""
    from keltis.rules.dispatch import STATES

    started = time.monotonic()
    all_entries = entries()
    total = sum(len(variants(entry)) for entry in all_entries)
    returned: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as running:
        objects = [Path(folder) / f"{part}.o" for part in range(len(STATES))]
        processes = [_part_process(part, target, objects[part]) for part in range(len(STATES))]
        for process in processes:
            running.callback(process.kill)
        done = 0
        for message in _messages(processes):
            if "entry" in message:
                done += 1
                if show:
                    _progress(f"typed {done} of {total} kernels", started)
            returned |= message.get("returned", {})
            if show and done == total:
                _progress("optimising", started)
        objects.append(Path(folder) / "python.o")
        import llvmlite.binding as llvm

        module = llvm.parse_assembly(python_module(all_entries, returned, target))
        exported = {"keltis.python", "keltis.fingerprint", "keltis.runs_here"} | {
            name for entry in all_entries for name in (entry.symbol, f"{entry.symbol}.types")
        }
        objects[-1].write_bytes(_object(module, target, target.plain_cpu, exported))
        made = _link(objects, target, out)
    if show:
        size = made.stat().st_size // 1000
        _progress(f"{total} kernels in {made.name}, {size} kB", started, last=True)
    return made


def _part_process(part: int, target: Target, out: Path) -> subprocess.Popen[str]:
    environment = {
        **os.environ,
        "KELTIS_KERNELS": "jit",
        "NUMBA_DISABLE_JIT": "0",
        "NUMBA_CPU_NAME": target.cpu,
        "NUMBA_CPU_FEATURES": "",
    }
    command = [sys.executable, "-m", "keltis.build", "--part", str(part)]
    return subprocess.Popen(
        [*command, "--target", target.name, "--out", str(out)],
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
    )


def _messages(processes: list[subprocess.Popen[str]]) -> Iterator[dict[str, Any]]:
    """What the processes print, as it comes; raises BuildError if one of them fails."""
    import selectors

    with selectors.DefaultSelector() as selector:
        for process in processes:
            selector.register(process.stdout, selectors.EVENT_READ, process)  # type: ignore[arg-type]
        while selector.get_map():
            for key, _ in selector.select():
                line = key.fileobj.readline()  # type: ignore[union-attr]
                if line:
                    yield json.loads(line)
                    continue
                selector.unregister(key.fileobj)
                if key.data.wait():
                    raise BuildError("a part of the kernels was not compiled, see above")


def _progress(text: str, started: float, last: bool = False) -> None:
    line = f"kernels: {text}, {time.monotonic() - started:.0f} s"
    if sys.stderr.isatty():
        print(f"\r{line:<60}", end="\n" if last else "", file=sys.stderr, flush=True)
    elif last:
        print(line, file=sys.stderr, flush=True)


def _link(objects: list[Path], target: Target, out: Path) -> Path:
    """One file of several objects, put in its place at once: others may be using the old one."""
    new = objects[0].with_name("linked")
    failures = []
    for command in target.linkers:
        program = shutil.which(command[0])
        if program is None:
            continue
        order = [program, "-o", str(new), *map(str, objects), *command[1:]]
        done = subprocess.run(order, capture_output=True, text=True, check=False)
        if done.returncode == 0:
            return _put(new, out)
        failures.append(f"{command[0]}: {done.stderr.strip()}")
    raise BuildError("there is no linker: install gcc or lld. " + " ".join(failures))


def _put(file: Path, out: Path) -> Path:
    out.parent.mkdir(parents=True, exist_ok=True)
    beside = out.with_name(f"{out.name}.{os.getpid()}")
    shutil.copyfile(file, beside)
    beside.replace(out)
    return out


def is_current(out: Path) -> bool:
    """Whether the library in its place is what a build would make."""
    if not out.exists():
        return False
    return _fingerprint(native_target()).encode() + b"\0" in out.read_bytes()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m keltis.build", description=__doc__)
    parser.add_argument("--target", choices=sorted(TARGETS), help="a processor; this one's")
    parser.add_argument("--out", type=Path, help=f"the file; {library.PATH.name} in the package")
    parser.add_argument("--force", action="store_true", help="also if it is up to date")
    parser.add_argument("--part", type=int, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.part is None:
        os.environ["NUMBA_DISABLE_JIT"] = "1"  # what is declared is all that this process needs
    try:
        target = TARGETS[given.target] if given.target else native_target()
        if given.part is not None:
            compile_part(given.part, target, given.out)
        elif given.force or given.target or not is_current(given.out or library.PATH):
            build(target, given.out or library.PATH)
    except BuildError as fault:
        sys.exit(f"keltis.build: {fault}")


if __name__ == "__main__":
    main()
