"""Writes Fortran's operators and the intrinsic functions that go element by element, for arrays."""
import json
import os
import textwrap

from fortran_kinds import KINDS, MARK

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
!> Operators between arrays, and between arrays and scalars of any kind, whose results are arrays
!> for other operators and functions, or for an assignment: `z = 2 * x + y**2`. They work element by
!> element, in the current stream of the arrays' device; arrays broadcast together. Dtypes of
!> arrays are promoted as in NumPy, and of a scalar only the kind counts, but the quotient of
!> integers is an integer, cut at the point, as in Fortran. A comparison gives bools. A failure is
!> an error stop: gpuarr_add and the like have `stat`.
!>
!> A scalar may be set to an array of one element, which is converted as Fortran does:
!> `total = sum(x)`. That waits for the element.
module gpuarr_operators
  use, intrinsic :: iso_c_binding
  use gpuarr_arrays
  use gpuarr_c
  use gpuarr_expressions
  implicit none
  private
"""

INTRINSICS_HEAD = MARK + """\
!> Fortran's elemental functions of arrays: see gpuarr_intrinsics.
module gpuarr_elemental_intrinsics
  use, intrinsic :: iso_c_binding
  use gpuarr_arrays
  use gpuarr_expressions
  implicit none
  private
"""


def wrapped(text, indent="  "):
    lines = textwrap.wrap(text, 92 - len(indent), break_long_words=False)
    return indent + f" &\n{indent}    ".join(lines) + "\n"


def function(name, x, y, call):
    """A function of operands that are declared by x and maybe y."""
    names = "x, y" if y else "x"
    lines = [f"function {name}({names}) result(made)", f"  {x}, intent(in) :: x"]
    if y:
        lines.append(f"  {y}, intent(in) :: y")
    lines += ["  type(gpuarr_result) :: made", f"  call {call}", "end function"]
    return "".join(f"  {line}\n" for line in lines) + "\n"


# What Fortran computes in another way than C's function, in gpuarr_expressions.
OWN = {"divide": "divide", "sign": "give_sign"}


def computing(of, names):
    return f"{OWN[of]}(made, {names})" if of in OWN else f'compute(made, "{of}", {names})'


def binary(name, of, kinds):
    """The functions for an operand on the left and for each kind of scalar there: names, text."""
    operand, call = "class(gpuarr_operand)", computing(of, "x, y")
    names = [f"{name}_any"] + [f"{name}_{kind}" for kind in kinds]
    lefts = [(operand, "class(*)")] + [(TYPES[kind], operand) for kind in kinds]
    return names, "".join(function(n, x, y, call) for n, (x, y) in zip(names, lefts))


def unary(name, of):
    return function(name, "class(gpuarr_operand)", None, computing(of, "x"))


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


def merge(kind, tsource):
    lines = [f"function merge_{kind}(tsource, fsource, mask) result(made)",
             f"  {tsource}, intent(in) :: tsource",
             "  class(*), intent(in) :: fsource",
             "  class(gpuarr_operand), intent(in) :: mask",
             "  type(gpuarr_result) :: made",
             '  call compute(made, "where", mask, tsource, fsource)', "end function"]
    return "".join(f"  {line}\n" for line in lines) + "\n"


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
    interfaces += interface("merge", ["merge_any"] + [f"merge_{kind}" for kind in SCALARS])
    procedures += merge("any", "class(gpuarr_operand)")
    procedures += "".join(merge(kind, TYPES[kind]) for kind in SCALARS)
    public = ", ".join([*UNARY, *BINARY, "merge"])
    return (INTRINSICS_HEAD + wrapped(f"public :: {public}") + interfaces +
            "\ncontains\n\n" + procedures + "end module\n")
