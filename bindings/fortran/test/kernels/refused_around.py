#!/usr/bin/env python3
"""What `gpuarr fortran` refuses of procedures, around loops, and of files."""
import os
import subprocess
import sys
import tempfile
import unittest

from refusals import HEAD, NEST, OUTSIDE, TRANSLATOR, Refusals


class RefusedAround(Refusals):
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

    def test_optional(self):
        more = "  pure real function g(x)\n real, intent(in), optional :: x\n g = 1\n" \
               "  end function\nend module\n"
        text = NEST.replace("BODY", "v(i) = g() ! <-").replace("end module\n", more)
        self.refuse(text.replace("  implicit none", "  implicit none\n private\n public :: s"),
                    "argument 'x' is optional")

    def test_operators(self):
        text = NEST.replace("  implicit none",
                            "  implicit none\n  type :: p\n  real :: x\n  end type")
        self.refuse(text.replace("real :: t", "type(p) :: q").replace(
            "BODY", "q = p(1) + p(2) ! <-\n v(i) = q%x"), "call the function that the operator")

    def test_part_of_a_struct(self):
        """That a component was assigned does not make the others the iteration's own."""
        text = NEST.replace("  implicit none", "  implicit none\n  type :: p\n real :: x, y\n "
                            "end type").replace("real :: t", "type(p) :: q")
        self.refuse(text.replace("BODY", "q%x = u(i)\n v(i) = q%x + q%y ! <-"),
                    "'q' carries a value from one iteration")

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
                ("t = other(t) ! <-", "'other' is not in the files"),
                ("call other(v) ! <-", "'other' is not in the files")):
            with self.subTest(statement):
                self.outside(statement, message)

    def test_procedures_that_launches_do_not_see(self):
        text = OUTSIDE.replace("OUTSIDE", "t = g(t) ! <-").replace("  implicit none", (
            "  implicit none\n  private\n  public :: s"))
        function = "  pure real function g(x)\n real, intent(in) :: x\n g = x\n end function\n"
        self.refuse(text.replace("end module", function + "end module"),
                    "'g' is private in module m; make it public")
        self.refuse(text.replace("  end subroutine", "contains\n" + function + "  end subroutine"),
                    "'g' is inside of s")

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
        self.nest("v(i) = 1\n end : ! <-", "not Fortran that can be read")  # fparser would exit

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
