"""Writes the elementwise functions for C++, Rust and Julia, the page about them, and their list."""
import json
import re
import textwrap

from functions_c import COLUMNS, MARK, filled
from rust import escaped

CPP_TYPES = {"array": "const Expr&", "arg": "const Expr&", "int32": "int", "double": "double",
             "flag": "bool"}


def cpp_parameter(i):
    default = {"flag": {"0": "false", "1": "true"}.get(i.default)}.get(i.kind, i.default)
    return f"{CPP_TYPES[i.kind]} {i.name}" + (f" = {default}" if default else "")


def cpp_function(f):
    lines, returns, call = [], "Expr", "applied"
    if len(f.outputs) > 1:
        returns = f.row["cpp"]
        call = f"applied_as<{returns}>"
        lines = [f"/// Results of {f.name}().", f"struct {returns} {{",
                 f"  Expr {', '.join(f.outputs)};", "};"]
    opening = f"inline {returns} {f.name}("
    parameters = [cpp_parameter(i) for i in f.inputs]
    body = f'return {call}("{f.name}", {{{", ".join(i.name for i in f.inputs)}}});'
    whole = f"{opening}{', '.join(parameters)}) {{ {body} }}"
    if len(whole) <= COLUMNS:
        return [*lines, whole]
    return [*lines, *filled(opening, parameters, ") {"), f"  {body}", "}"]


def cpp(functions):
    """The functions of gpuarr_elementwise.hpp."""
    return "\n".join(line for f in functions for line in cpp_function(f)) + "\n"


RUST_TYPES = {"number": "Number", "floating": "Float", "divided": "Mean", "doubled": "Double"}


def rust_name(f):
    return f.get("rust", f.name)


def rust_result(f):
    operand = "T" if len(f.inputs) == 1 else "R::Joined"

    def part(of, name):
        return f"<{of} as Content>::{name}" if "::" in of else f"{of}::{name}"
    if f.gives[0] == "truth":
        return "bool"
    if f.gives[0] == "complex":
        return part(operand, "Complex")
    if f.promotes != "same":
        operand = part(operand, RUST_TYPES[f.promotes])
    return part(operand, "Part") if f.gives[0] == "part" else operand


def rust_type(found):
    kind, bits = found.groups()
    if kind == "complex":
        return f"`Complex<f{int(bits) // 2}>`"
    return f"`{kind.replace('int', 'i').replace('float', 'f').replace('ui', 'u')}{bits}`"


def rust_text(f, names):
    """What it does, as rustdoc: links and Rust's types in place of C's names."""
    text = f.summary
    if f.dtypes != "any dtype":
        text += f" It takes {f.dtypes}."
    inputs = [i.name for i in f.inputs]
    if inputs not in (["x"], ["x", "y"]):
        text += f" This is {inputs[0]}, the other operand {inputs[1]}."
    text = re.sub(r"GPUARR_ERR_(\w+)", r"`\1`", escaped(text))
    text = re.sub(r"\b(u?int|float|complex)(\d+)\b", rust_type, text)
    return re.sub(r"gpuarr_(\w+)", lambda found: f"[`Array::{names[found[1]]}`]", text)


def rust_row(f, names):
    text = rust_text(f, names).replace("\\", "\\\\").replace('"', '\\"')
    opening = f"    {rust_name(f)} = {f.name} -> {rust_result(f)}, "
    lines = textwrap.wrap(f'{opening}"{text}";', COLUMNS - 2, subsequent_indent=" " * 8,
                          break_long_words=False, break_on_hyphens=False)
    return " \\\n".join(lines)


def rust(functions, inputs):
    """A table of functions.rs."""
    names = {f.name: rust_name(f) for f in functions}
    rows = [rust_row(f, names) for f in functions if f.is_plain and len(f.inputs) == inputs]
    return "\n".join(rows) + "\n"


def julia_list(name, items):
    return [f"const {name} = (", *filled("    ", items, ","), ")"]


def julia_definition(f, name):
    names = ", ".join(i.name for i in f.inputs)
    typed = ", ".join(f"{i.name}::Real" for i in f.inputs)
    text = textwrap.fill(f.summary, 96)
    body = f.row["julia_is"]
    body = "\n" + textwrap.indent(body, "    ") if "\n" in body else f" {body}"
    lines = ["", '"""', f"    GPUArr.{name}({names})", "", text, '"""',
             f"{name}({typed}) ={body}"]
    if f.called:
        lines.append(f'{name}(x::TracedFloat{{T}}) where {{T}} = called("{f.called}", T, x)')
    return lines


def julia(functions):
    """Functions in dotted expressions: by CUDA's names, by C's, and by what they are in Julia."""
    one = [f for f in functions
           if f.family in ("math", "special") and f.is_plain and len(f.inputs) == 1]
    base = [f':{f.get("julia")} => "{f.called}"' for f in one
            if f.called and f.get("julia") and "." not in f.row["julia"]]
    own = [(f, f.row["julia"].removeprefix("GPUArr.")) for f in functions
           if f.get("julia").startswith("GPUArr.")]
    library = [f':{f.row["julia"].removeprefix("GPUArr.")} => "{f.name}"' for f in one
               if f.get("julia")]
    of_c = [f'(:{name}, "{f.called}", "{f.summary}")' for f, name in own
            if f in one and f.called and "julia_is" not in f.row]
    lines = [f"# {MARK}", "# Functions of the library in dotted expressions.", "",
             "# Functions of floats: Julia's and CUDA's.", *julia_list("BASE_FUNCTIONS", base), "",
             "# Those that the library has: Julia's and the library's names.",
             *julia_list("LIBRARY_FUNCTIONS", library), "",
             "# Functions that Julia has not, but C: Julia's name, C's, what they do.",
             "const C_FUNCTIONS = (", *(f"    {item}," for item in of_c), ")"]
    for f, name in own:
        if "julia_is" in f.row:
            lines += julia_definition(f, name)
    return "\n".join(lines) + "\n"


PAGE = f"""<!-- {MARK} -->
# Elementwise functions

All functions that are ready-made for each element. In C each is `gpuarr_NAME`, declared in
[arithmetic.h](../include/gpuarr/arithmetic.h), [logic.h](../include/gpuarr/logic.h),
[math.h](../include/gpuarr/math.h) or [special.h](../include/gpuarr/special.h), where its comment
has the details; by its name it is in `gpuarr_apply` and `gpuarr op`. In C++ each is
`gpuarr::NAME`; in Rust a method of `Array` and `Expr`; in Fortran `gpuarr_NAME`, and the operator
or intrinsic function that is named here. In Julia the function is called with a dot; what has none
is `GPUArr.apply("NAME", ...)`.

*Takes* are dtypes of the inputs; what is not computed as it is becomes the dtype of the result.
[accuracy.md](accuracy.md) has the errors, `gpuarr_add` the rules of promotion.
"""
HEADS = ("name", "of", "computes", "takes", "gives", "Rust", "Fortran", "Julia", "NumPy")


def cell(text):
    return text.replace("|", "\\|")


def code(text):
    return f"`{cell(text)}`" if text else ""


def page_row(f):
    gives = f.result
    if len(f.outputs) > 1:
        gives += f", {'int32' if f.gives[1] == 'integer' else 'likewise'}"
    numpy = f.get("numpy") or f.get("oracle") or f"np.{f.name}"
    cells = [code(f.name), ", ".join(i.name for i in f.inputs), cell(f.get("about")), f.dtypes,
             gives, code(rust_name(f)), code(f.get("fortran")), code(f.get("julia")), code(numpy)]
    return f"| {' | '.join(cells)} |"


def page(functions):
    """docs/functions.md."""
    lines = [PAGE.rstrip()]
    for family in dict.fromkeys(f.family for f in functions):
        lines += ["", f"## {family.capitalize()}", "", f"| {' | '.join(HEADS)} |",
                  "|" + "---|" * len(HEADS)]
        lines += [page_row(f) for f in functions if f.family == family]
    return "\n".join(lines) + "\n"


LISTED = ("checked", "reference", "around", "domain", "numpy", "oracle", "fortran")


def listed(f):
    row = {"name": f.name, "family": f.family, "outputs": f.outputs, "takes": f.takes,
           "plain": f.is_plain, "called": f.called,
           "inputs": [{"name": i.name, "kind": i.kind, "optional": i.is_optional,
                       "default": i.default} for i in f.inputs]}
    row.update({key: f.row[key] for key in LISTED if key in f.row})
    if "checked" not in f.row:
        row["ulp"] = f.row["ulp"]
    return row


def listing(functions):
    """functions.json, which tests, benchmarks and other generators read."""
    rows = ",\n".join(json.dumps(listed(f)) for f in functions)
    return f'{{"about": {json.dumps(MARK)},\n"functions": [\n{rows}\n]}}\n'
