"""Writes the test in which every kind and rank goes in and comes out."""
from fortran_kinds import KINDS, MARK, RANKS, bounds

# In the test of all of these an array has these extents, of which a section is taken by steps.
EXTENTS = [5, 4, 3, 2, 3, 2, 2]
STEPS = ["::2", "4:1:-1", "::2", "2:1:-1", "::2", "2:1:-1", "::1"]

TEST_PROGRAM = MARK + """\
!> Every kind and rank, in sections, goes in and comes out as it was.
program test_specifics
  use, intrinsic :: iso_c_binding
  use gpuarr
  use checks
  implicit none
  call start()
{calls}
  call finish()

contains

{procedures}end program
"""


def values(kind):
    """Numbers that differ, of a kind."""
    name, declaration, _, _ = kind
    c_kind = declaration[declaration.index("(") + 1 : -1]
    if name == "bool":
        return f"logical(mod(k, 3) == 0, {c_kind})"
    if name.startswith("complex"):
        return f"cmplx(k, -2 * k, {c_kind})"
    return f"{'int' if name.startswith('int') else 'real'}(mod(k, 120), {c_kind})"


def test(kind, rank):
    name, declaration, dtype, _ = kind
    extents = ", ".join(map(str, EXTENTS[:rank]))
    what = f'"{name} of rank {rank}"'
    same = ".eqv." if name == "bool" else "=="
    if rank == 0:
        lines = [f"{declaration}, allocatable, target :: x, y",
                 f"{declaration}, pointer :: p",
                 "type(gpuarr_array) :: a",
                 "integer :: k",
                 "k = 3",
                 f"x = {values(kind)}",
                 "k = 1",
                 f"y = {values(kind)}",
                 "call a%from_host(x)",
                 f"call expect(a%dtype(), {dtype}, {what})",
                 "call a%to_host(y)",
                 f"call expect(logical(y {same} x), {what})",
                 "k = 2",
                 f"x = {values(kind)}",
                 "call a%write(x)",
                 "call a%to_host(y)",
                 f"call expect(logical(y {same} x), {what} // \", written\")",
                 "p => x",
                 "call a%wrap(p)",
                 "k = 6",
                 f"x = {values(kind)}",
                 "call a%to_host(y)",
                 f"call expect(logical(y {same} x), {what} // \", wrapped\")"]
    else:
        section = ", ".join(STEPS[:rank])
        lines = [*(f"{declaration}, allocatable, target :: {x}{bounds(rank)}" for x in "xy"),
                 f"{declaration} :: wanted({extents})",
                 f"{declaration}, pointer :: s{bounds(rank)}, t{bounds(rank)}",
                 f"{declaration}, allocatable :: z{bounds(rank)}",
                 "type(gpuarr_array) :: a",
                 "integer :: k",
                 f"allocate(x({extents}), y({extents}))",
                 f"s => x({section})",
                 f"t => y({section})",
                 f"x = reshape([({values(kind)}, k = 1, size(x))], shape(x))",
                 f"y = reshape([({values(kind)}, k = 2, size(x) + 1)], shape(x))",
                 "wanted = y",
                 f"wanted({section}) = s",
                 "call a%from_host(s)",
                 f"call expect(a%dtype(), {dtype}, {what})",
                 f"call expect(a%shape(), shape(s), {what})",
                 "call a%to_host(t)",
                 f"call expect(logical(all(y {same} wanted)), {what})",
                 f"x = reshape([({values(kind)}, k = 5, size(x) + 4)], shape(x))",
                 "call a%write(s)",
                 "call a%to_allocatable(z)",
                 f"call expect(logical(all(z {same} s)), {what} // \", written\")",
                 "call a%wrap(s)",
                 "x = wanted",
                 "call a%to_allocatable(z)",
                 f"call expect(logical(all(z {same} s)), {what} // \", wrapped\")"]
    return "\n".join([f"  subroutine {name}_{rank}()", *(f"    {line}" for line in lines),
                      "  end subroutine", "", ""])


def test_file():
    both = [(kind, rank) for rank in RANKS for kind in KINDS]
    return TEST_PROGRAM.format(
        calls="\n".join(f"  call {kind[0]}_{rank}()" for kind, rank in both),
        procedures="".join(test(kind, rank) for kind, rank in both))
