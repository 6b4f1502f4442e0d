"""Writes Fortran's operators and the intrinsic functions that go element by element, for arrays."""
import json
import os
import textwrap

from fortran_kinds import KINDS, MARK, RANKS, bounds

TYPES = {name: declaration for name, declaration, _, _ in KINDS}
TYPES["logical"] = "logical"
INTEGERS = ["int8", "int16", "int32", "int64"]
REALS = INTEGERS + ["real32", "real64"]
NUMBERS = REALS + ["complex32", "complex64"]
LOGICALS = ["bool", "logical"]

# Operator, the procedures' name, the function of gpuarr_apply, kinds of a scalar on the left.
OPERATORS = [
    ("+", "plus", "add", NUMBERS),
    ("-", "minus", "subtract", NUMBERS),
    ("*", "times", "multiply", NUMBERS),
    ("/", "over", "divide", NUMBERS),
    ("**", "power", "power", NUMBERS),
    ("==", "equal", "equal", NUMBERS),
    ("/=", "unequal", "not_equal", NUMBERS),
    ("<", "less", "less", REALS),
    ("<=", "less_equal", "less_equal", REALS),
    (">", "greater", "greater", REALS),
    (">=", "greater_equal", "greater_equal", REALS),
    (".and.", "and", "logical_and", LOGICALS),
    (".or.", "or", "logical_or", LOGICALS),
    (".eqv.", "eqv", "equal", LOGICALS),
    (".neqv.", "neqv", "logical_xor", LOGICALS),
]
UNARY_OPERATORS = [
    ("+", "plus", "positive"),
    ("-", "minus", "negative"),
    (".not.", "not", "logical_not"),
]


def catalogue():
    """Rows of the elementwise functions."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "functions.json")
    with open(path, encoding="utf-8") as file:
        return json.load(file)["functions"]


# Intrinsic functions of one argument, and of two with kinds of a scalar on the left.
UNARY = dict(sorted((row["fortran"], row["name"]) for row in catalogue()
                    if len(row["inputs"]) == 1 and "fortran" in row))
BINARY = {
    "atan2": ("arctan2", ["real32", "real64"]), "cmplx": ("complex", ["real32", "real64"]),
    "hypot": ("hypot", ["real32", "real64"]),
    "iand": ("bitwise_and", INTEGERS), "ieor": ("bitwise_xor", INTEGERS),
    "ior": ("bitwise_or", INTEGERS), "max": ("maximum", REALS), "min": ("minimum", REALS),
    "mod": ("fmod", REALS), "modulo": ("remainder", REALS), "shifta": ("right_shift", []),
    "shiftl": ("left_shift", []), "sign": ("sign", REALS),
}

SCALARS = NUMBERS + LOGICALS

OPERATORS_HEAD = MARK + """\
!> Operators between arrays, and between arrays and scalars of any kind, which build an expression
!> for other operators and functions; an assignment computes it, as few kernels: `z = 2 * x + y**2`
!> is one. They work element by element, in the current stream of the arrays' device; arrays
!> broadcast together. Dtypes of arrays are promoted as in NumPy, and of a scalar only the kind
!> counts, but the quotient of integers is an integer, cut at the point, as in Fortran. A comparison
!> gives bools. A Fortran array on one side is copied to the device, once, when the expression is
!> built. A failure is an error stop: gpuarr_add and the like have `stat`, and so has
!> gpuarr_evaluate.
!>
!> A scalar may be set to an array of one element, which is converted as Fortran does:
!> `total = sum((x - y)**2)` is one reduction. That waits for the element.
module gpuarr_operators
  use, intrinsic :: iso_c_binding
  use gpuarr_arrays
  use gpuarr_c
  use gpuarr_expressions
  use gpuarr_formulas
  use gpuarr_host_operands
  implicit none
  private
"""

INTRINSICS_HEAD = MARK + """\
!> Fortran's elemental functions of arrays: see gpuarr_intrinsics.
module gpuarr_elemental_intrinsics
  use, intrinsic :: iso_c_binding
  use gpuarr_arrays
  use gpuarr_formulas
  use gpuarr_host_operands
  implicit none
  private
"""

OPERANDS_HEAD = MARK + """\
!> Fortran arrays of any kind and rank as operands beside arrays of a device.
module gpuarr_host_operands
  use, intrinsic :: iso_c_binding
  use gpuarr_arrays
  use gpuarr_c
  use gpuarr_errors
  use gpuarr_host_sections
  implicit none
  private
  public :: beside

  !> An array of a Fortran array's elements, on the device of an operand. What has no dtype is
  !> refused.
  interface beside
{specifics}  end interface

contains

{procedures}  subroutine refuse_type()
    type(call_state) :: state
    call refuse(state, GPUARR_ERR_DTYPE, "an array in an expression has elements without a " // &
        "dtype; give integer, real, complex or logical(c_bool) ones")
    call finish(state)
  end subroutine

end module
"""


def wrapped(text, indent="  "):
    lines = textwrap.wrap(text, 92 - len(indent), break_long_words=False)
    return indent + f" &\n{indent}    ".join(lines) + "\n"


def function(name, declarations, call):
    """A function of operands, of which arrays are declared by their bounds."""
    lines = [f"function {name}({', '.join(declarations)}) result(made)"]
    lines += [f"  class(*), target, intent(in) :: {x}{declared}" if declared.startswith("(") else
              f"  {declared}, intent(in) :: {x}" for x, declared in declarations.items()]
    lines += ["  type(gpuarr_result) :: made", f"  call {call}", "end function"]
    return "".join(f"  {line}\n" for line in lines) + "\n"


# What Fortran computes in another way than C's function, in gpuarr_expressions.
OWN = {"divide": "divide", "sign": "give_sign"}


OPERAND = "class(gpuarr_operand)"


def computing(of, *operands):
    names = ", ".join(operands)
    return f"{OWN[of]}(made, {names})" if of in OWN else \
        f'compute(made, "{of}" // c_null_char, {names})'


def binary(name, of, kinds):
    """The functions for an operand and a scalar or a Fortran array on either side: names, text."""
    procedures = {f"{name}_any": ((OPERAND, "class(*)"), ("x", "y"))}
    for kind in kinds:
        procedures[f"{name}_{kind}"] = ((TYPES[kind], OPERAND), ("x", "y"))
    for rank in RANKS[1:]:
        array = bounds(rank)
        procedures[f"{name}_any_{rank}"] = ((OPERAND, array), ("x", "beside(y, x)"))
        procedures[f"{name}_{rank}_any"] = ((array, OPERAND), ("beside(x, y)", "y"))
    return list(procedures), "".join(
        function(own, dict(zip("xy", declared)), computing(of, *operands))
        for own, (declared, operands) in procedures.items())


def unary(name, of):
    return function(name, {"x": OPERAND}, computing(of, "x"))


def interface(what, names):
    return (f"\n  interface {what}\n" + wrapped("module procedure " + ", ".join(names), "    ") +
            "  end interface\n")


def scalar_assignment(kind):
    """An assignment of the one element that an array has."""
    own = kind == "logical"
    dtype = "GPUARR_BOOL" if own else next(k[2] for k in KINDS if k[0] == kind)
    place = "element" if own else "value"
    lines = [f"subroutine set_{kind}(value, x)",
             f"  {TYPES[kind]}, intent(out){'' if own else ', target'} :: value",
             "  class(gpuarr_operand), intent(in) :: x"]
    if own:
        lines.append("  logical(c_bool), target :: element")
    lines.append(f"  call read_element(c_loc({place}), {dtype}, x)")
    if own:
        lines.append("  value = element")
    return "".join(f"  {line}\n" for line in [*lines, "end subroutine"]) + "\n"


def merges():
    """The functions called merge: names, text."""
    def made(name, tsource, fsource, *operands):
        declared = {"tsource": tsource, "fsource": fsource, "mask": OPERAND}
        return function(name, declared, computing("where", "mask", *operands))

    plain = {"any": OPERAND, **{kind: TYPES[kind] for kind in SCALARS}}
    texts = {f"merge_{kind}": made(f"merge_{kind}", declared, "class(*)", "tsource", "fsource")
             for kind, declared in plain.items()}
    for rank in RANKS[1:]:
        name, array = f"merge_any_{rank}", bounds(rank)
        texts[name] = made(name, OPERAND, array, "tsource", "beside(fsource, mask)")
        name = f"merge_{rank}_any"
        texts[name] = made(name, array, "class(*)", "beside(tsource, mask)", "fsource")
    return list(texts), "".join(texts.values())


def beside(rank):
    lines = [f"function beside_{rank}(host, operand) result(made)",
             f"  class(*), target, intent(in) :: host{bounds(rank)}",
             "  class(gpuarr_operand), intent(in) :: operand",
             "  type(gpuarr_result) :: made",
             "  select type (host)"]
    for declared in TYPES.values():
        if declared != "logical":
            lines += [f"  type is ({declared})",
                      "    call copy_beside(made, host_of(host), operand)"]
    lines += ["  class default", "    call refuse_type()", "  end select", "end function"]
    return "".join(f"  {line}\n" for line in lines) + "\n"


def operands_file():
    names = ", ".join(f"beside_{rank}" for rank in RANKS[1:])
    return OPERANDS_HEAD.format(
        specifics=wrapped(f"module procedure {names}", "    "),
        procedures="".join(beside(rank) for rank in RANKS[1:]))


def operators_file():
    specifics, procedures = {}, ""
    for operator, name, of, kinds in OPERATORS:
        specifics[operator], text = binary(name, of, kinds)
        procedures += text
    for operator, name, of in UNARY_OPERATORS:
        specifics.setdefault(operator, []).append(f"{name}_one")
        procedures += unary(f"{name}_one", of)
    procedures += "".join(scalar_assignment(kind) for kind in SCALARS)
    public = ", ".join(f"operator({o})" for o in specifics)
    return (OPERATORS_HEAD + wrapped(f"public :: assignment(=), {public}") +
            "".join(interface(f"operator({o})", names) for o, names in specifics.items()) +
            interface("assignment(=)", [f"set_{kind}" for kind in SCALARS]) +
            "\ncontains\n\n" + procedures + "end module\n")


def intrinsics_file():
    interfaces = procedures = ""
    for name, of in UNARY.items():
        interfaces += interface(name, [f"{name}_of"])
        procedures += unary(f"{name}_of", of)
    for name, (of, kinds) in BINARY.items():
        names, text = binary(f"{name}_of", of, kinds)
        interfaces += interface(name, names)
        procedures += text
    names, text = merges()
    interfaces += interface("merge", names)
    procedures += text
    public = ", ".join([*UNARY, *BINARY, "merge"])
    return (INTRINSICS_HEAD + wrapped(f"public :: {public}") + interfaces +
            "\ncontains\n\n" + procedures + "end module\n")
