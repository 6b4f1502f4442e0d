"""Writes what Fortran's gpuarr_blocked does alike for every kind and rank of Fortran's arrays."""
import textwrap

from fortran_kinds import KINDS, MARK, RANKS, bounds

ENDING = """\
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
"""
COPY = """\
  subroutine {verb}_{kind}_{rank}(self, x, first, last, place, stat, errmsg)
    class(gpuarr_blocked), intent(in) :: self
    {declaration}, target, intent({intent}) :: x{bounds}
    class(*), intent(in), optional :: first(:), last(:)
    integer, intent(in), optional :: place
""" + ENDING + """\
    call {does_it}(self, host_of(x), first, last, place, state)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

"""
ALLOCATABLE = """\
  subroutine to_allocatable_{kind}_{rank}(self, x, stat, errmsg)
    class(gpuarr_blocked), intent(in) :: self
    {declaration}, allocatable, target, intent(inout) :: x{bounds}
""" + ENDING + """\
    integer(c_int64_t) :: n({rank})
    integer :: failed
    call get_extents(n, self, {dtype}, state)
    if (is_ok(state)) then
      if (allocated(x)) deallocate(x)
      allocate(x({extents}), stat=failed)
      call check_room(failed, n, state)
    end if
    if (is_ok(state)) call read_into(self, host_of(x), state=state)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

"""
LOCAL = """\
  subroutine from_local_{kind}_{rank}(self, team, x, grid, halo, low, high, boundary, fill, frame, &
                                      place_order, stat, errmsg)
    class(gpuarr_blocked), intent(inout) :: self
    type(gpuarr_team), intent(in) :: team
    {declaration}, pointer, intent(in) :: x{bounds}
    integer, intent(in) :: grid(:)
    integer, intent(in), optional :: halo(:), low(:), high(:), boundary(:)
    class(*), intent(in), optional :: fill
    logical, intent(in), optional :: frame
    integer(c_int32_t), intent(in), optional :: place_order
""" + ENDING + """\
    call join_host(self, team, host_of_pointer(x), grid, halo, low, high, boundary, fill, &
        frame, place_order, state)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

"""

# Verb, template, intent, procedure that does it, ranks, other names of the generic, comment.
VERBS = [
    ("write", COPY, "in", "write_from", RANKS, [], """\
  !> Copy a Fortran array's elements into the array, or into a part of it. Collective; complete on
  !> return.
  !> @param x      of the array's type and the part's shape, in which dims of extent 1 do not count
  !> @param first  the part's first index along each dim; 1 without it
  !> @param last   its last index along each dim; the extent without it
  !> @param place  the place whose process has x, which is ignored elsewhere; without it all have
  !>               it, with equal elements
  !> Fails with GPUARR_ERR_DTYPE, GPUARR_ERR_SHAPE, GPUARR_ERR_AXIS (a part that is not there),
  !> GPUARR_ERR_PEER and others of gpuarr_blocked_write.
"""),
    ("to_host", COPY, "inout", "read_into", RANKS, [], """\
  !> Copy the array's elements, or a part of them, into a Fortran array. Collective; complete on
  !> return.
  !> @param place  the place whose process gets them in x, which is ignored elsewhere; without it
  !>               all get them
  !> Other arguments and errors as `write`.
"""),
    ("to_allocatable", ALLOCATABLE, "inout", "", RANKS[1:], [], """\
  !> Copy the array's elements into an allocatable array, which is allocated anew, in all processes.
  !> Collective; complete on return.
  !> @param x  of the array's type and rank
  !> Fails with GPUARR_ERR_DTYPE, GPUARR_ERR_SHAPE (another rank), GPUARR_ERR_OUT_OF_MEMORY, and as
  !> `to_host`.
"""),
    ("from_local", LOCAL, "in", "", RANKS[1:], ["from_local_array", "from_local_arrays"], ""),
]


def specifics(verb, ranks):
    return [f"{verb}_{kind[0]}_{rank}" for rank in ranks for kind in KINDS]


def names_file():
    parts = [MARK]
    for verb, _, _, _, ranks, others, _ in VERBS:
        names = others + specifics(verb, ranks)
        for first in "procedure, private :: ", f"generic :: {verb} => ":
            lines = textwrap.wrap(first + ", ".join(names), 88, break_long_words=False)
            parts.append("    " + " &\n        ".join(lines) + "\n")
    return "".join(parts)


def procedures_file():
    parts = [MARK, "\n"]
    for verb, template, intent, does_it, ranks, _, doc in VERBS:
        parts.append(doc)
        for rank in ranks:
            for kind, declaration, dtype, _ in KINDS:
                extents = ", ".join(f"n({dim})" for dim in range(1, rank + 1))
                parts.append(template.format(
                    verb=verb, kind=kind, rank=rank, declaration=declaration, dtype=dtype,
                    intent=intent, does_it=does_it, bounds=bounds(rank), extents=extents))
    return "".join(parts).rstrip() + "\n"
