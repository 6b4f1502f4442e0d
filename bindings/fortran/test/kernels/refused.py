#!/usr/bin/env python3
"""What `gpuarr fortran` refuses: each with its message, at the line that is marked by `! <-`."""
import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
TRANSLATOR = os.path.join(HERE, "..", "..", "translate")
sys.path.insert(0, TRANSLATOR)

try:
    from fparser.two.Fortran2008 import block_nonlabel_do_construct_r814_2  # noqa: F401
except ImportError:
    print("skipped: there is no fparser of 0.1.4 or newer, which reads Fortran")
    sys.exit(77)

from gpuarr_fortran.__main__ import options_of  # noqa: E402
from gpuarr_fortran.reader import FileRefused  # noqa: E402
from gpuarr_fortran.translation import translate  # noqa: E402

HEAD = "module m\n  implicit none\ncontains\n"
NEST = HEAD + """\
  subroutine s(n, u, v)
    integer, intent(in) :: n
    real, intent(in) :: u(n)
    real, intent(inout) :: v(n)
    integer :: i
    real :: t
    !$gpuarr kernel
    do i = 1, n
      BODY
    end do
  end subroutine
end module
"""
FUNCTION = HEAD + """\
  elemental real function f(x)
    real, intent(in) :: x
    BODY
  end function
end module
"""
OUTSIDE = NEST.replace("BODY", "v(i) = u(i)").replace("    !$gpuarr", "    OUTSIDE\n    !$gpuarr")


def marked_line(text):
    for number, line in enumerate(text.split("\n"), 1):
        if "! <-" in line:
            return number
    return None


class Refused(unittest.TestCase):
    def refuse(self, text, message):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "m.f90")
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            with self.assertRaises(FileRefused) as caught:
                translate([path], options_of([path]))
        said = caught.exception.text.removeprefix(folder + "/")
        self.assertTrue(said.startswith(f"m.f90:{marked_line(text)}: "), said)
        self.assertIn(message, said)

    def nest(self, body, message):
        self.refuse(NEST.replace("BODY", body), message)

    def function(self, body, message):
        self.refuse(FUNCTION.replace("BODY", body), message)

    def outside(self, statement, message):
        self.refuse(OUTSIDE.replace("OUTSIDE", statement), message)

    # Statements that no kernel can have.

    def test_statements(self):
        for body, message in (
                ("print *, i ! <-", "print is for the host"),
                ("write (*, *) i ! <-", "write is for the host"),
                ("read (*, *) t ! <-", "read is for the host"),
                ("stop 1 ! <-", "cannot stop the program"),
                ("error stop 'x' ! <-", "cannot stop the program"),
                ("if (i > 2) goto 10 ! <-\n 10 continue", "goto is not supported"),
                ("where (u > 0) v = 1 ! <-", "write where as a loop"),
                ("call random_number(t) ! <-", "subroutine 'random_number' is not known"),
                ("call g(t) ! <-", "only pure subroutines of the same file"),
                ("return ! <-", "cycle ends an iteration")):
            with self.subTest(body):
                self.nest(body, message)

    def test_allocate(self):
        self.function("real, allocatable :: w(:)\n allocate(w(3)) ! <-\n f = x",
                      "nothing can be allocated in a kernel")

    # Loops.

    def test_exit_of_the_marked_loop(self):
        self.nest("if (u(i) > 1) exit ! <-", "exit out of the marked loop")

    def test_named_loops_of_the_nest(self):
        text = NEST.replace("do i = 1, n", "a: do i = 1, n\n b: do j = 1, n").replace(
            "integer :: i", "integer :: i, j").replace("end do", "end do b\n end do a")
        self.refuse(text.replace("BODY", "if (u(i) > j) cycle a ! <-\n v(i + j) = 1"),
                    "leaves loops of the marked nest")

    def test_iterations_that_write_the_same(self):
        self.refuse(NEST.replace("do i = 1, n", "do i = 1, n ! <-").replace("BODY", "v(1) = u(i)"),
                    "iterations of 'i' write the same elements")

    def test_collapse_of_too_many(self):
        text = NEST.replace("kernel", "kernel collapse(2)").replace("BODY", "v(i) = u(i)")
        self.refuse(text.replace("do i = 1, n", "do i = 1, n ! <-"),
                    "only 1 loops stand in each other")

    def test_too_many(self):
        names = [f"i{k}" for k in range(9)]
        text = NEST.replace("integer :: i", f"integer :: {', '.join(names)}").replace(
            "    !$gpuarr kernel\n", "").replace("do i = 1, n", "do concurrent (" + ", ".join(
                f"{name} = 1:2" for name in names) + ") ! <-")
        self.refuse(text.replace("BODY", f"v({' + '.join(names)}) = 1"),
                    "9 loops are one kernel; 8 are the most")
        folds = [f"s{k}" for k in range(9)]
        text = NEST.replace("real :: t", f"real :: {', '.join(folds)}").replace(
            "do i = 1, n", "do i = 1, n ! <-")
        self.refuse(text.replace("BODY", "\n".join(f"{s} = {s} + u(i)" for s in folds)),
                    "the loop folds 9 scalars; 8 are the most")

    def test_marked_while(self):
        text = NEST.replace("do i = 1, n", "do while (n > 3) ! <-").replace("BODY", "v(1) = 1")
        self.refuse(text, "the marked loop must count")

    def test_step_of_zero(self):
        text = NEST.replace("integer :: i", "integer :: i, k")
        self.refuse(text.replace("BODY", "do k = 1, 3, 0 ! <-\n v(i) = k\n end do"),
                    "a step of 0 never ends")

    def test_variable_of_the_loop_is_assigned(self):
        self.nest("i = 3 ! <-", "'i' is the variable of a loop")
        self.nest("t = 1\n associate (q => t)\n q = 1 ! <-\n end associate",
                  "'q' cannot be assigned to")

    # Scalars that live across iterations.

    def test_carried_scalar(self):
        self.nest("t = t * 0.5 + u(i) ! <-\n v(i) = t", "'t' carries a value from one iteration")

    def test_scalar_that_is_read_behind(self):
        self.refuse(NEST.replace("BODY", "t = u(i)\n v(i) = t").replace(
            "    end do\n", "    end do\n    if (t > 1) return ! <-\n"),
            "'t' is assigned in the loop at line 11, and read after it")

    def test_scalar_of_one_loop_in_another(self):
        self.refuse(NEST.replace("BODY", "t = u(i)\n v(i) = t").replace("    end do\n", (
            "    end do\n    !$gpuarr kernel\n    do i = 1, n\n      v(i) = t ! <-\n    end do\n")),
            "read after it")

    def test_argument_that_a_loop_leaves(self):
        text = NEST.replace("n, u, v", "n, u, v, t").replace("real :: t", "real, intent(out) :: t")
        self.refuse(text.replace("do i = 1, n", "do i = 1, n ! <-").replace(
            "BODY", "t = u(i)\n v(i) = t"), "goes out of the procedure")

    def test_fold_that_is_none(self):
        self.refuse(NEST.replace("kernel", "kernel reduce(+: t) ! <-").replace(
            "BODY", "t = t * u(i)\n v(i) = 1"), "every assignment must be t = t + ...")
        self.refuse(NEST.replace("kernel", "kernel reduce(avg: t) ! <-").replace(
            "BODY", "t = t + u(i)"), "write reduce(+: s), with one of +, *, max")
        self.refuse(NEST.replace("kernel", "kernel reduce(+: x) ! <-").replace(
            "BODY", "v(i) = 1"), "'x' is not assigned in the loop")

    def test_directive(self):
        self.refuse(NEST.replace("kernel", "kernl ! <-"), "'kernl' is no word of !$gpuarr")
        self.refuse(NEST.replace("kernel", "kernel privat(t) ! <-"), "is no word of !$gpuarr")
        self.refuse(NEST.replace("kernel", "kernel private(q) ! <-").replace("BODY", "v(i) = 1"),
                    "'q' is not declared")

    # Names and types.

    def test_names(self):
        for body, message in (
                ("v(i) = q ! <-", "'q' is not declared"),
                ("v(i) = q(i) ! <-", "function or array 'q' is not known"),
                ("v(i) = u ! <-", "'v(i) = u' assigns an array"),
                ("v(i) = u(i, 2) ! <-", "'u' has 1 dims; 2 subscripts"),
                ("v(i) = u(u(i)) ! <-", "subscript 'u(i)' is real(4)"),
                ("v(i) = sqrt(i) ! <-", "sqrt() of integer(4); it takes real or complex"),
                ("v(i) = dim(u(i)) ! <-", "not Fortran that can be read"),
                ("v(i) = merge(1, 2.0, i > 1) ! <-", "both must be of one type"),
                ("v(i) = u(i) > 1 ! <-", "assigns logical to real(4)"),
                ("if (u(i)) v(i) = 1 ! <-", "where a logical is wanted"),
                ("v(i) = .not. u(i) ! <-", "where logicals are wanted"),
                ("v(i) = t(3) ! <-", "'t' is a scalar, not an array"),
                ("v(i) = len('abc') ! <-", "function or array 'len' is not known"),
                ("v(i) = 1.0_16 ! <-", "real(16), which no device has"),
                ("v(i) = matmul(u, u) ! <-", "write the product as a loop"),
                ("v(i) = maxloc(u) ! <-", "gives a number, and without a dim an array"),
                ("v(i) = maxloc(u, n) ! <-", "gives a number, and without a dim an array"),
                ("v(i) = maxloc(u, mask=u > 1) ! <-", "with a mask write it as a loop"),
                ("v(i) = maxloc(u, 1, u > 1) ! <-", "with a mask write it as a loop"),
                ("v(i) = sum(u, 1) ! <-", "with a dim or a mask"),
                ("v(i) = u(i)%x ! <-", "components of types"),
                ("u(i) = v(i) ! <-", "is intent(in)"),
                ("v(1:i) = v(2:i+1) ! <-", "reads other elements of the array that it assigns")):
            with self.subTest(body):
                self.nest(body, message)

    def test_declarations(self):
        for body, message in (
                ("real(16) :: q\n q = x ! <-\n f = real(q)", "which no device has"),
                ("character(3) :: q\n q = 'a' ! <-\n f = x", "'q' is text"),
                ("real, save :: q ! <-\n f = q", "keeps its value from call to call"),
                ("real :: q(int(x)) ! <-\n f = q(1)", "whose size is not constant"),
                ("real, pointer :: q\n f = q ! <-", "a pointer")):
            with self.subTest(body):
                self.function(body, message)

    def test_kind_of_another_module(self):
        self.refuse("module m\n use kinds\n implicit none\ncontains\n elemental real(wp) function "
                    "f(x)\n real(wp), intent(in) :: x ! <-\n f = x\n end function\nend module\n",
                    "kind 'wp' is not known; give the file that has module kinds too")

    def test_variable_of_a_module(self):
        self.refuse(FUNCTION.replace("  implicit none", "  implicit none\n  real :: g").replace(
            "BODY", "f = x * g ! <-"), "'g' is a variable of module m")
        self.refuse(NEST.replace("  implicit none", "  implicit none\n  real :: g(9)").replace(
            "BODY", "v(i) = g(i) ! <-"), "'g' is an array of module m")

    def test_types(self):
        head = "  implicit none\n  type :: p\n    COMPONENT\n  end type"
        text = HEAD.replace("  implicit none", head) + """\
  subroutine s(a, v)
    type(p), intent(in) :: a
    real, intent(inout) :: v(:)
    integer :: i
    do concurrent (i = 1:size(v))
      v(i) = a%x ! <-
    end do
  end subroutine
end module
"""
        for component, message in (
                ("real :: x, w(3)", "has the array 'w'"),
                ("real :: x\n character :: c", "has 'c', which is no number"),
                ("private\n real :: x", "has private components"),
                ("real :: y", "has no component 'x'")):
            with self.subTest(component):
                self.refuse(text.replace("COMPONENT", component), message)

    def test_arrays_of_types(self):
        text = HEAD.replace("  implicit none",
                            "  implicit none\n  type :: p\n  real :: x\n  end type")
        self.refuse(text + """\
  subroutine s(a, v)
    type(p), intent(in) :: a(:) ! <-
    real, intent(inout) :: v(:)
    integer :: i
    do concurrent (i = 1:size(v))
      v(i) = a(i)%x
    end do
  end subroutine
end module
""", "'a' is an array of type(p)")

    # Procedures.

    def test_calls(self):
        more = """\
  pure real function g(x, k)
    real, intent(in) :: x
    integer, intent(in) :: k
    g = x * k
  end function
  real function h(x)
    real, intent(in) :: x
    h = x
  end function
end module
"""
        for body, message in (
                ("v(i) = g(u(i)) ! <-", "argument 'k' is missing"),
                ("v(i) = g(u(i), 2.0) ! <-", "argument 'k' is integer(4); real(4) is given"),
                ("v(i) = g(u(i), 2, 3) ! <-", "g() takes 2 arguments: x, k"),
                ("v(i) = g(u, 2) ! <-", "argument 'x' is a scalar"),
                ("v(i) = h(u(i)) ! <-", "'h' is neither pure nor elemental"),
                ("call g(u(i), 2) ! <-", "'g' is a function")):
            with self.subTest(body):
                self.refuse(NEST.replace("BODY", body).replace("end module\n", more), message)

    def test_recursion(self):
        self.refuse(HEAD + """\
  recursive pure integer function f(n) result(r) ! <-
    integer, intent(in) :: n
    r = 1
    if (n > 1) r = n * f(n - 1)
  end function
end module
""", "'f' is recursive")
        self.refuse(HEAD + """\
  pure integer function f(n) result(r)
    integer, intent(in) :: n
    r = g(n)
  end function
  pure integer function g(n) result(r)
    integer, intent(in) :: n
    r = f(n) ! <-
  end function
end module
""", "'f' calls itself")

    def test_arguments(self):
        self.refuse(NEST.replace("n, u, v", "n, u, v, w").replace(
            "real :: t", "real, intent(in), optional :: w ! <-").replace("BODY", "v(i) = 1"),
            "is optional")
        self.refuse(HEAD + """\
  subroutine s(n) ! <-
    integer, intent(in) :: n
    integer :: i, k
    do concurrent (i = 1:n)
      k = i
    end do
  end subroutine
end module
""", "no arguments that are arrays")

    # What stands around the loops.

    def test_statements_outside(self):
        for statement, message in (
                ("v = 0 ! <-", "the array 'v' is used outside of a marked loop"),
                ("v(1:2) = 0 ! <-", "a section outside of a marked loop"),
                ("t = u(3) ! <-", "an element or a section outside of a marked loop"),
                ("t = sum(u) ! <-", "the array 'u' is used outside of a marked loop"),
                ("print *, t ! <-", "stands outside of the marked loops of s"),
                ("call other(v) ! <-", "'other' is not in the files")):
            with self.subTest(statement):
                self.outside(statement, message)

    def test_saved(self):
        text = OUTSIDE.replace("real :: t", "real :: t = 0 ! <-").replace("OUTSIDE", "t = t + 1")
        self.refuse(text, "'t' keeps its value from call to call (save)")

    def test_private_names(self):
        self.refuse(NEST.replace("  implicit none", "  implicit none\n  private\n  public :: s\n"
                                 "  real :: g").replace("BODY", "v(i) = g").replace(
                                     "do i = 1, n", "do i = 1, n ! <-"),
                    "'g' is private in module m")

    # Names of what is generated.

    def test_names_that_clash(self):
        self.refuse(NEST.replace("BODY", "v(i) = 1").replace("subroutine s(n, u, v)", (
            "subroutine s(n, u, v) ! <-")).replace("  implicit none", (
                "  implicit none\n  real :: s_on_device")),
            "would be called s_on_device, which module m has already")
        self.refuse(NEST.replace("BODY", "v(i) = 1").replace("real :: t", "real :: stat ! <-"),
                    "as the argument that its kernel's interface has besides")
        self.refuse("module m_kernels ! <-\nend module\n" + NEST.replace("BODY", "v(i) = 1"),
                    "there is a module m_kernels")
        self.refuse(NEST.replace("BODY", "v(i) = 1") + "module m ! <-\nend module\n",
                    "there is another module m")

    # Files.

    def test_syntax(self):
        self.nest("v(i) = = 1 ! <-", "not Fortran that can be read")

    def test_command(self):
        script = os.path.join(TRANSLATOR, "translate.py")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "m.f90")
            with open(path, "w", encoding="utf-8") as file:
                file.write("module m\nend module\n")
            for words, message in (
                    ([path], "there is nothing to translate"),
                    ([path + "x"], "No such file or directory"),
                    ([], "needs a file")):
                done = subprocess.run([sys.executable, script, *words], capture_output=True,
                                      text=True, check=False)
                self.assertEqual(done.returncode, 1)
                self.assertIn(message, done.stderr)


if __name__ == "__main__":
    unittest.main()
