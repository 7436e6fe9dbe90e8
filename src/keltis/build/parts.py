"""One part of the library: the kernels of a game, typed by numba and linked to one module."""

import json
from pathlib import Path
from typing import Any

from keltis.build import BuildError
from keltis.build.entries import Variant, entries, variants
from keltis.build.objects import object_of
from keltis.build.targets import Target
from keltis.rules.library import Scalar


def compile_part(part: int, target: Target, out: Path) -> None:
    """Compile one part to an object; print a line for each entry, and what the part returns.

    The process can compile nothing else afterwards: numba is told to stop halfway.
    """
    from keltis.rules import jit

    jit.BUILDING = True
    link = _halfway()
    made = []
    returned = {}
    for variant in (v for entry in entries() for v in variants(entry) if v.part == part):
        function, returned[variant.symbol] = _typed(variant)
        made.append(function)
        print(json.dumps({"entry": variant.symbol}), flush=True)
    out.write_bytes(object_of(link(made), target, target.cpu, set(returned)))
    print(json.dumps({"returned": returned}), flush=True)


def _halfway() -> Any:
    """Have numba stop at LLVM's code, which is neither optimised nor made into machine code.

    Returns what links that of some functions.
    """
    from numba.core import codegen
    from numba.core.registry import cpu_target
    from numba.core.runtime.nrt import rtsys

    cpu_target.typing_context.refresh()
    cpu_target.target_context.refresh()
    rtsys.initialize(cpu_target.target_context)
    generator = cpu_target.target_context.codegen()

    class Unfinished(codegen.JITCodeLibrary):
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

    def link(roots: list[Any]) -> Any:
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
        if isinstance(kind, types.Array):
            shape += [pointer] + [word] * kind.ndim
        else:
            shape.append(context.get_value_type(kind))
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
