#!/usr/bin/env python3
"""Writes a module with Fortran's operators and functions one by one, and a program that compares
each kernel with gfortran's own result at the edges of its arguments, to the bit.

usage: conformance.py MODULE.f90 PROGRAM.f90
"""
import sys

INTEGERS = {
    "binary": {"quotient": "a / b", "mod": "mod(a, b)", "modulo": "modulo(a, b)",
               "sign": "sign(a, b)", "dim": "dim(a / 2, b / 2)", "max": "max(a, b)",
               "min": "min(a, b)", "iand": "iand(a, b)", "ior": "ior(a, b)",
               "ieor": "ieor(a, b)"},
    "unary": {"abs": "abs(a)", "not": "not(a)", "negative": "-a", "square": "(a / 70000)**2",
              "literal": "2**3**2 + a / 2", "precedence": "-(a / 131072)**2 - a / 3 * 2 / 5"},
    "shift": {"ishft": "ishft(a, n)", "ishftc": "ishftc(a, n)", "part": "ishftc(a, mod(n, 5), 5)"},
    "place": {"shiftl": "shiftl(a, n)", "shiftr": "shiftr(a, n)", "shifta": "shifta(a, n)",
              "ibset": "ibset(a, n)", "ibclr": "ibclr(a, n)", "ibits": "ibits(a, n / 2, 5)",
              "popcnt": "popcnt(a)", "poppar": "poppar(a)", "leadz": "leadz(a)",
              "trailz": "trailz(a)", "btest": "merge(1, 0, btest(a, n))",
              "masks": "maskr(n) + maskl(n / 2)"},
    "power": {"power": "a**n"},
}
REALS = {
    "binary": {"mod": "mod(a, b)", "modulo": "modulo(a, b)", "sign": "sign(a, b)",
               "dim": "dim(a, b)", "max": "max(a, b)", "min": "min(a, b)",
               "nearest": "nearest(a, b)", "quotient": "a / b", "sum": "a + b - 1",
               "compare": "merge(1, 0, a < b) + merge(2, 0, a == b) + merge(4, 0, a /= b) + "
                          "merge(8, 0, a >= b)"},
    "unary": {"aint": "aint(a)", "anint": "anint(a)", "abs": "abs(a)", "fraction": "fraction(a)",
              "spacing": "spacing(a)", "rrspacing": "rrspacing(a)", "square": "a**2",
              "cube": "a**3", "seventh": "a**7", "negative": "-a", "sqrt": "sqrt(a)",
              "exponent": "exponent(a)", "kinds": "merge(1, 0, ieee_is_nan(a)) + "
              "merge(2, 0, ieee_is_finite(a)) + merge(4, 0, ieee_is_negative(a))",
              "limits": "merge(huge(a), tiny(a), a > 0) + epsilon(a)"},
    "small": {"int": "int(a)", "nint": "nint(a)", "floor": "floor(a)", "ceiling": "ceiling(a)",
              "int8": "int(a, int64)", "nint8": "nint(a, int64)", "floor8": "floor(a, int64)",
              "to_complex": "aimag(conjg(cmplx(a, a, kind(a)))) + real((1.5, 1.0))",
              "quiet": "real(nint(a)) / 4 + 0.1d0"},
    "power": {"power": "a**n", "scale": "scale(a, n)", "set_exponent": "set_exponent(a, n)"},
}
# Pairs that have no defined result: a division by zero, an overflow.
EDGES = """
  integer(int32), parameter :: edges_int32(*) = [0, 1, -1, 2, -2, 3, 7, -7, 8, -9, 31, 100, -1000, &
      65535, -65536, 1073741823, huge(1), -huge(1)]
  integer(int64), parameter :: edges_int64(*) = [0_int64, 1_int64, -1_int64, 3_int64, -7_int64, &
      8_int64, -1000_int64, 4294967295_int64, -4294967296_int64, 4611686018427387903_int64, &
      huge(1_int64), -huge(1_int64)]
  real(real32), parameter :: edges_real32(*) = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, &
      0.1, -3.7, 1e-3, 8388608.5, -16777217.0, 1e10, -1e20, tiny(1.0), -tiny(1.0), &
      tiny(1.0) / 1024, huge(1.0), -huge(1.0), epsilon(1.0), transfer(2139095040, 1.0), &
      transfer(-8388608, 1.0), transfer(2143289344, 1.0)]
  real(real64), parameter :: edges_real64(*) = [0d0, -0d0, 1d0, -1d0, 0.5d0, -0.5d0, 1.5d0, &
      2.5d0, -2.5d0, 0.49999999999999994d0, 0.1d0, -3.7d0, 1d-3, 4503599627370497.5d0, 1d100, &
      -1d200, tiny(1d0), -tiny(1d0), tiny(1d0) / 1024, huge(1d0), -huge(1d0), &
      epsilon(1d0), transfer(9218868437227405312_int64, 1d0), &
      transfer(-4503599627370496_int64, 1d0), transfer(9221120237041090560_int64, 1d0)]
  integer, parameter :: counts(*) = [0, 1, 2, 3, 5, 8, 16, 30]
  integer, parameter :: shifts(*) = [0, 1, -1, 5, -7, 16, 31, -31]
  integer, parameter :: powers(*) = [0, 1, -1, 2, -2, 3, 5, -7, 13, 40]
"""


def result_of(name, kind):
    """The type of what an operation gives."""
    if name in ("popcnt", "poppar", "leadz", "trailz", "btest", "exponent", "kinds", "compare",
                "int", "nint", "floor", "ceiling", "masks"):
        return "integer(int32)"
    if name in ("int8", "nint8", "floor8"):
        return "integer(int64)"
    return "real(real64)" if name == "quiet" else kind


def operations():
    """(group, name, expression, kind of the first argument)"""
    for base, table, kinds in (("integer", INTEGERS, ("int32", "int64")),
                               ("real", REALS, ("real32", "real64"))):
        for kind in kinds:
            for group, entries in table.items():
                for name, expression in entries.items():
                    yield base, kind, group, name, expression


def module_lines():
    yield "module conformance"
    yield "  use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64"
    yield "  use, intrinsic :: ieee_arithmetic, only: ieee_is_nan, ieee_is_finite, ieee_is_negative"
    yield "  implicit none\ncontains"
    for base, kind, group, name, expression in operations():
        first = f"{base}({kind})"
        second = {"binary": first, "shift": "integer", "place": "integer",
                  "power": "integer"}.get(group)
        other = "b" if group == "binary" else "n"
        dummies = f"a, {other}" if second else "a"
        yield f"  elemental {result_of(name, first)} function {name}_{kind}({dummies}) result(r)"
        yield f"    {first}, intent(in) :: a"
        if second:
            yield f"    {second}, intent(in) :: {other}"
        yield f"    r = {expression}"
        yield "  end function"
    yield "end module"


def keeps(base, group, name):
    """Which of the pairs have a defined result, as an expression of a and b."""
    if base == "integer" and name in ("quotient", "mod", "modulo"):
        return "b /= 0"
    if base == "real" and name in ("mod", "modulo"):
        return "b /= 0 .and. abs(a) < 1e10 .and. abs(b) > 1e-10"
    if base == "real" and name == "nearest":
        return "b /= 0"
    if group == "power" and base == "integer":
        return "(a /= 0 .or. b > 0) .and. (abs(a) < 3 .and. abs(b) < 30 .or. &\n        " \
               "abs(b) < 4 .and. abs(a) < 1000)"
    if name == "power":
        return "a /= 0 .or. b > 0"
    if name == "rrspacing":
        return "abs(a) >= tiny(a) .or. a == 0"
    return "abs(a) < 1e9" if group == "small" else ".true."


def program_lines():
    yield "program conformance_test"
    yield "  use, intrinsic :: iso_fortran_env"
    yield "  use gpuarr, only: gpuarr_array\n  use conformance_kernels\n  implicit none"
    yield EDGES + "  integer :: wrong = 0, all_of_them = 0"
    numbers = list(operations())
    yield from (f"  call test_{k}()" for k in range(len(numbers)))
    yield "  if (wrong > 0) error stop \"kernels mean something else than gfortran\""
    yield "  print \"(i0, a)\", all_of_them, \" results are gfortran's\""
    yield "contains"
    for k, operation in enumerate(numbers):
        yield from test_lines(k, *operation)
    yield "end program"


def test_lines(k, base, kind, group, name, _):
    first = f"{base}({kind})"
    edges = {"binary": f"edges_{kind}", "shift": "shifts", "place": "counts",
             "power": "powers"}.get(group, "[0]")
    other = first if group == "binary" else "integer"
    arguments = "a" if group in ("unary", "small") else "a, b"
    arrays = "x" if arguments == "a" else "x, y"
    yield f"  subroutine test_{k}()"
    yield f"    {first}, allocatable :: a(:)\n    {other}, allocatable :: b(:)"
    yield f"    {result_of(name, first)}, allocatable :: host(:), device(:)"
    yield "    logical, allocatable :: keep(:)\n    type(gpuarr_array) :: x, y, z"
    yield "    integer :: i, j"
    yield f"    a = [((edges_{kind}(i), i = 1, size(edges_{kind})), j = 1, size({edges}))]"
    source = edges if edges != "[0]" else "counts"
    last = f"size({edges})"
    yield f"    b = [(({source}(j), i = 1, size(edges_{kind})), j = 1, {last})]"
    yield f"    keep = spread(.true., 1, size(a)) .and. ({keeps(base, group, name)})"
    yield "    a = pack(a, keep)\n    b = pack(b, keep)"
    yield f"    host = {name}_{kind}({arguments})"
    yield "    call x%from_host(a)\n    call y%from_host(b)"
    yield f"    z = {name}_{kind}({arrays})"
    yield "    call z%to_allocatable(device)"
    yield "    do i = 1, size(a)\n      all_of_them = all_of_them + 1"
    yield "      if (host(i) /= host(i) .and. device(i) /= device(i)) cycle"
    yield "      if (all(transfer(host(i), [0_int8]) == transfer(device(i), [0_int8]))) cycle"
    yield "      wrong = wrong + 1"
    yield f"      print *, \"{name}_{kind}\", a(i), b(i), \" is\", host(i), \" not\", device(i)"
    yield "    end do\n  end subroutine"


for path, lines in zip(sys.argv[1:], (module_lines(), program_lines())):
    with open(path, "w", encoding="utf-8") as output:
        output.write("\n".join(lines) + "\n")
