"""From LLVM's code to the processor's: a module is optimised as a whole, once."""

import re
from typing import Any

from keltis.build import BuildError
from keltis.build.targets import Target

# What a library may need of the system: of its mathematics, and what LLVM writes for a copy.
KNOWN_SYMBOLS = frozenset(["exp", "log", "tanh", "memcpy", "memmove", "memset"])


def object_of(module: Any, target: Target, cpu: str, exported: set[str]) -> bytes:
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
    needed = {f.name for f in module.functions if f.is_declaration}
    outside = {name for name in needed if not name.startswith(("llvm.", "keltis."))}
    unknown = outside - KNOWN_SYMBOLS
    if unknown:
        raise BuildError(
            f"the kernels need {', '.join(sorted(unknown))}, which a library must not: "
            "does one of them allocate, raise, or copy by a slice?"
        )
    made: bytes = machine.emit_object(module)
    return made
