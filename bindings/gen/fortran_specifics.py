#!/usr/bin/env python3
"""Writes what is the same work for every kind and rank of Fortran's arrays, and the module's list
of constants: fortran_specifics.py [--check]. With --check it fails where a file is not up to date.
"""
import os
import re
import sys
import textwrap

import fortran_blocked
from fortran_expressions import intrinsics_file, operands_file, operators_file
from fortran_kinds import KINDS, MARK, RANKS, bounds
from fortran_kinds_test import test_file
from fortran_operations import functions_file, operations_file
from fortran_random import draws_file, names_file as draw_names_file

HERE = os.path.dirname(os.path.abspath(__file__))
FORTRAN = os.path.join(HERE, "..", "fortran")
ARGUMENTS = {
    "device": "type(gpuarr_device), intent(in), optional :: device",
    "stream": "type(gpuarr_stream), intent(in), optional :: stream",
    "stat": "integer, intent(out), optional :: stat",
    "errmsg": "character(:), allocatable, intent(inout), optional :: errmsg",
    "order": "integer(c_int32_t), intent(in), optional :: order",
    "dtype": "integer(c_int32_t), intent(in) :: dtype",
    "async": "logical, intent(in), optional :: async",
    "read_only": "logical, intent(in), optional :: read_only",
    "value": "class(*), intent(in) :: value",
    "out": "type(gpuarr_array), intent(inout) :: out",
}

HOST_MODULE = MARK + """\
!> Where the elements of a Fortran array of any kind and rank lie.
module gpuarr_host_sections
  use, intrinsic :: iso_c_binding
  use gpuarr_c
  use gpuarr_host_layouts
  implicit none
  private
  public :: host_of, host_of_pointer

  !> The layout of an array or a section of one, which has to be a target for as long as it is used.
  interface host_of
{specifics}
  end interface

  !> The layout of what a pointer points to. (gfortran takes a pointer to a component of structs for
  !> one to elements side by side where it becomes an array that is none.)
  interface host_of_pointer
{pointers}
  end interface

contains

{procedures}end module
"""


def element(rank, place):
    """Names the element m(place) along one dim, and the first along the others; the first for 0."""
    indices = [f"m({dim})" if dim == place else f"k({dim})" for dim in range(1, rank + 1)]
    return f"x({', '.join(indices)})"


def listed(first, names, indent):
    """A line that begins with `first`, continued for as many names as there are."""
    lines = textwrap.wrap(first + ", ".join(names), 88, break_long_words=False)
    return f" &\n{indent}    ".join(lines)


def signature(name, arguments, indent="  "):
    """The first lines of a subroutine."""
    wrapped = textwrap.wrap(f"subroutine {name}({', '.join(arguments)})", 94)
    return f" &\n{indent}    ".join(wrapped)


ENDING = ["if (present(errmsg)) call tell(state, errmsg)", "call finish(state, stat)"]


def subroutine(name, intent, before, body, after, declared=()):
    """A subroutine of self, what has a declaration of its own, and common arguments."""
    own = [line.split(":: ")[1].split("(")[0] for line in before]
    lines = [f"    {text}" for text in
             [f"class(gpuarr_array), intent({intent}) :: self", *before,
              *(ARGUMENTS[argument] for argument in after), "type(call_state) :: state",
              *declared, *body, *ENDING]]
    return "\n".join([f"  {signature(name, ['self', *own, *after])}", *lines, "  end subroutine",
                      "", ""])


def layout(kind, rank, name, attribute):
    of, declaration, dtype, size = kind
    places = [f"c_loc({element(rank, place)})" for place in range(rank + 1)]
    lines = [f"  function {name}_{of}_{rank}(x) result(host)",
             f"    {declaration}, {attribute}, intent(in) :: x{bounds(rank)}",
             "    type(host_layout) :: host"]
    if rank == 0:
        lines += [f"    host = layout_of({dtype}, {size}_c_int64_t, [integer(c_int64_t) ::], "
                  "[c_loc(x)])"]
    else:
        joined = ", &\n        ".join(", ".join(places[k : k + 2]) for k in range(0, rank + 1, 2))
        lines += [f"    integer(c_int64_t) :: n({rank}), k({rank}), m({rank})",
                  f"    type(c_ptr) :: places(0:{rank})",
                  "    n = shape(x, c_int64_t)",
                  "    k = lbound(x, kind=c_int64_t)",
                  "    m = k + min(n, 2_c_int64_t) - 1",
                  "    places = c_null_ptr",
                  f"    if (all(n > 0)) places = [ &\n        {joined}]",
                  f"    host = layout_of({dtype}, {size}_c_int64_t, n, places)"]
    return "\n".join([*lines, "  end function", "", ""])


def from_host(kind, rank):
    name, declaration, _, _ = kind
    return subroutine(f"from_host_{name}_{rank}", "inout",
                      [f"{declaration}, target, intent(in) :: x{bounds(rank)}"],
                      ["call make_from(self, host_of(x), device, stream, state)"],
                      ["device", "stream", "stat", "errmsg"])


def write(kind, rank):
    name, declaration, _, _ = kind
    return subroutine(f"write_{name}_{rank}", "in",
                      [f"{declaration}, target, intent(in) :: x{bounds(rank)}"],
                      ["call write_from(self, host_of(x), stream, async, state)"],
                      ["stream", "async", "stat", "errmsg"])


def to_host(kind, rank):
    name, declaration, _, _ = kind
    return subroutine(f"to_host_{name}_{rank}", "in",
                      [f"{declaration}, target, intent(inout) :: x{bounds(rank)}"],
                      ["call read_into(self, host_of(x), stream, async, state)"],
                      ["stream", "async", "stat", "errmsg"])


def to_allocatable(kind, rank):
    name, declaration, dtype, _ = kind
    extents = ", ".join(f"n({dim})" for dim in range(1, rank + 1))
    body = [f"call get_extents(n, self, {dtype}, state)",
            "if (is_ok(state)) then",
            "  if (allocated(x)) deallocate(x)",
            f"  allocate(x({extents}), stat=failed)",
            "  call check_room(failed, n, state)",
            "end if",
            "if (is_ok(state)) call read_into(self, host_of(x), stream, state=state)"]
    return subroutine(f"to_allocatable_{name}_{rank}", "in",
                      [f"{declaration}, allocatable, target, intent(inout) :: x{bounds(rank)}"],
                      body, ["stream", "stat", "errmsg"],
                      [f"integer(c_int64_t) :: n({rank})", "integer :: failed"])


def wrap(kind, rank):
    name, declaration, _, _ = kind
    return subroutine(f"wrap_{name}_{rank}", "inout",
                      [f"{declaration}, pointer, intent(in) :: x{bounds(rank)}"],
                      ["call wrap_around(self, host_of_pointer(x), read_only, device, state)"],
                      ["read_only", "device", "stat", "errmsg"])


# Verbs that take a shape, of integers of 32 or 64 bits: their own intent, the procedure that does
# it, their other arguments before and behind, and their comment.
MAKE = ["order", "device", "stream", "stat", "errmsg"]
SHAPED = {
    "empty": ("inout", "make_empty", [], ["dtype", *MAKE], """\
  !> Make an array with uninitialised elements.
  !> @param shape   extents, each 0 or more: integers of 32 or 64 bits; [integer ::] for no dims
  !> @param dtype   type of the elements, GPUARR_F32 and so on
  !> @param order   GPUARR_ORDER_F, also without it, or GPUARR_ORDER_C
  !> @param device  where it lives; the stream's device, or the default one, without it
  !> @param stream  stream whose work may use the memory at once
  !> Fails with GPUARR_ERR_SHAPE, GPUARR_ERR_DTYPE, GPUARR_ERR_DEVICE, GPUARR_ERR_OUT_OF_MEMORY and
  !> others of gpuarr_array_empty; the array is not set then. Thread-safe, as all that makes arrays.
"""),
    "zeros": ("inout", "make_zeros", [], ["dtype", *MAKE], """\
  !> Make an array of zeros; otherwise as `empty`.
"""),
    "ones": ("inout", "make_ones", [], ["dtype", *MAKE], """\
  !> Make an array of ones; otherwise as `empty`.
"""),
    "full": ("inout", "make_full", [], ["value", "dtype", *MAKE], """\
  !> Make an array whose elements all have one value; otherwise as `empty`.
  !> @param value  a scalar that the dtype can hold (GPUARR_ERR_DTYPE), or an argument of `arg`
  !> @param dtype  the value's own without it
"""),
    "reshape": ("in", "reshape_to", ["out"], ["stat", "errmsg"], """\
  !> Look at the elements, in Fortran's order of their indices, through another shape.
  !> @param out    the view; it may be the array itself
  !> @param shape  extents, integers of 32 or 64 bits; one may be -1 and is worked out
  !> Fails with GPUARR_ERR_ARGUMENT, GPUARR_ERR_SHAPE (another size, or strides that allow no such
  !> view: copy the array first, or take `contiguous`); `out` is as it was then.
"""),
    "broadcast": ("in", "broadcast_to", ["out"], ["stat", "errmsg"], """\
  !> Repeat the array along new dims and dims of extent 1, without taking memory for it.
  !> @param out    the view, which kernels do not write to; it may be the array itself
  !> @param shape  extents, integers of 32 or 64 bits; the array's are matched to the last ones
  !> Fails with GPUARR_ERR_ARGUMENT, GPUARR_ERR_SHAPE, GPUARR_ERR_BROADCAST; `out` is as it was.
"""),
}


def shaped(verb, bits):
    intent, does_it, before, after, _ = SHAPED[verb]
    given = "shape" if bits == 64 else "int(shape, c_int64_t)"
    call = textwrap.wrap(f"call {does_it}({', '.join(['self', *before, given, *after[:-2]])}, "
                         "state)", 92)
    declared = [ARGUMENTS[argument] for argument in before]
    declared.append(f"integer(c_int{bits}_t), intent(in) :: shape(:)")
    text = subroutine(f"array_{verb}_int{bits}", intent, declared,
                      " &\n        ".join(call).split("\n"), after)
    if verb == "full":
        text = text.replace(ARGUMENTS["dtype"], ARGUMENTS["dtype"].replace(" ::", ", optional ::"))
    return text


# Each verb with what writes its procedure, its ranks, and the comment on all of its procedures.
VERBS = {
    "from_host": (from_host, RANKS, """\
  !> Make an array of a Fortran array's elements, in the same order and shape.
  !> @param x       integer, real, complex or logical(c_bool) of a kind that C has, of rank 0 to 7,
  !>                or any section of such; read before the call returns
  !> @param device  where it lives; the stream's device, or the default one, without it
  !> @param stream  stream of the device
  !> Fails as `empty`, when the array is not set. Thread-safe.
"""),
    "write": (write, RANKS, """\
  !> Copy a Fortran array's elements into the array.
  !> @param x      of the array's type and shape, as for from_host; read before the call returns
  !> @param async  .true. to return before that: x is pinned memory, without gaps, and stays as
  !>               it is until the stream is past the copy
  !> Fails with GPUARR_ERR_DTYPE, GPUARR_ERR_SHAPE, and as `copy`.
"""),
    "to_host": (to_host, RANKS, """\
  !> Copy the array's elements into a Fortran array.
  !> @param x      of the array's type and shape, as for from_host; written before the call returns,
  !>               and as it was if that fails
  !> @param async  .true. to return before that: x is pinned memory, without gaps, and stays
  !>               until the stream is past the copy
  !> Fails with GPUARR_ERR_DTYPE, GPUARR_ERR_SHAPE, and as `copy`. Thread-safe.
"""),
    "to_allocatable": (to_allocatable, RANKS[1:], """\
  !> Copy the array's elements into an allocatable array, which is allocated anew.
  !> @param x  of the array's type and rank
  !> Fails with GPUARR_ERR_DTYPE, GPUARR_ERR_SHAPE (another rank), GPUARR_ERR_OUT_OF_MEMORY, and as
  !> `copy`. Thread-safe.
"""),
    "wrap": (wrap, RANKS, """\
  !> Make an array around a Fortran array's own memory, without a copy.
  !> @param x          a target or pointer, as for from_host. It must stay until the last array
  !>                   around it is released and its work is done; what kernels do shows in it once
  !>                   the stream is synchronized
  !> @param read_only  .true. if the library must not write to it
  !> @param device     the CPU without it; or a GPU that can use the memory
  !> Fails with GPUARR_ERR_ARGUMENT (elements that are no whole number of elements apart),
  !> GPUARR_ERR_DEVICE; the array is not set then. Thread-safe.
"""),
}


def specifics(verb):
    _, ranks, _ = VERBS[verb]
    return [f"{verb}_{kind[0]}_{rank}" for rank in ranks for kind in KINDS]


def bindings(verb, names):
    for first in "procedure, private :: ", f"generic :: {verb} => ":
        yield f"    {listed(first, names, '    ')}\n"


def names_file():
    parts = []
    for verb in VERBS:
        parts += bindings(verb, specifics(verb))
    for verb in SHAPED:
        parts += bindings(verb, [f"array_{verb}_int32", f"array_{verb}_int64"])
    return MARK + "".join(parts)


def procedures_file():
    parts = []
    for make, ranks, doc in VERBS.values():
        parts.append(doc)
        parts += [make(kind, rank) for rank in ranks for kind in KINDS]
    for verb, (*_, doc) in SHAPED.items():
        parts += [doc, shaped(verb, 64), shaped(verb, 32)]
    return MARK + "\n" + "".join(parts).rstrip() + "\n"


def sections_file():
    kinds = [(kind, rank) for rank in RANKS for kind in KINDS]

    def names(name):
        of = [f"{name}_{kind[0]}_{rank}" for kind, rank in kinds]
        return "    " + listed("module procedure ", of, "    ")
    procedures = [layout(kind, rank, "host", "target") for kind, rank in kinds]
    procedures += [layout(kind, rank, "at", "pointer") for kind, rank in kinds]
    return HOST_MODULE.format(specifics=names("host"), pointers=names("at"),
                              procedures="".join(procedures))


def constants_file():
    with open(os.path.join(FORTRAN, "src", "gpuarr_c.f90"), encoding="utf-8") as file:
        names = re.findall(r"parameter :: (GPUARR_\w+)", file.read())
    return (MARK + "!> The constants of gpuarr.h, each as it is described there.\n"
            "module gpuarr_constants\n  " + listed("use gpuarr_c, only: ", names, "  ") +
            "\n  implicit none\n  public\nend module\n")


FILES = {
    "test/test_specifics.f90": test_file,
    "src/gpuarr_blocked_names.inc": fortran_blocked.names_file,
    "src/gpuarr_blocked_specifics.inc": fortran_blocked.procedures_file,
    "src/gpuarr_constants.f90": constants_file,
    "src/gpuarr_elemental_intrinsics.f90": intrinsics_file,
    "src/gpuarr_elements.f90": lambda: operations_file("gpuarr_elements"),
    "src/gpuarr_functions.f90": functions_file,
    "src/gpuarr_host_operands.f90": operands_file,
    "src/gpuarr_host_sections.f90": sections_file,
    "src/gpuarr_matrices.f90": lambda: operations_file("gpuarr_matrices"),
    "src/gpuarr_operators.f90": operators_file,
    "src/gpuarr_random_draws.inc": draws_file,
    "src/gpuarr_random_names.inc": draw_names_file,
    "src/gpuarr_arrays_names.inc": names_file,
    "src/gpuarr_arrays_specifics.inc": procedures_file,
}


def main(arguments):
    if arguments not in ([], ["--check"]):
        sys.exit("usage: fortran_specifics.py [--check]")
    stale = []
    for name, make in FILES.items():
        path, text = os.path.join(FORTRAN, name), make()
        old = None
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                old = file.read()
        if old != text and arguments:
            stale.append(name)
        elif old != text:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
    if stale:
        sys.exit(f"not up to date: {', '.join(stale)}; run bindings/gen/fortran_specifics.py")


main(sys.argv[1:])
