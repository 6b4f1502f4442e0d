#!/usr/bin/env python3
"""What `gpuarr fortran` reads besides what gfortran 12 compiles, and how files and modules go
together."""
import os
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "translate"))

try:
    from fparser.two.Fortran2008 import block_nonlabel_do_construct_r814_2  # noqa: F401
except ImportError:
    print("skipped: there is no fparser of 0.1.4 or newer, which reads Fortran")
    sys.exit(77)

from gpuarr_fortran.__main__ import options_of  # noqa: E402
from gpuarr_fortran.translation import translate  # noqa: E402

LOOP = """\
module m
  implicit none
contains
  subroutine s(n, u, v, total)
    integer, intent(in) :: n
    real, intent(in) :: u(n)
    real, intent(inout) :: v(n), total
    real :: t
    integer :: i
    HEADER
      t = 2 * u(i)
      v(i) = t
      total = total + t
    end do
  end subroutine
end module
"""


class Accepted(unittest.TestCase):
    def translate(self, files, *words):
        """The result for the last of some files, the others being used by it."""
        with tempfile.TemporaryDirectory() as folder:
            paths = []
            for name, text in files.items():
                paths.append(os.path.join(folder, name))
                with open(paths[-1], "w", encoding="utf-8") as file:
                    file.write(text)
            uses = [word for path in paths[:-1] for word in ("--uses", path)]
            options = options_of([paths[-1], *uses, *words])
            return translate(options.sources, options)

    def source(self, text):
        return self.translate({"m.f90": text}, "--show-source")

    def test_locality_of_fortran_2018_and_2023(self):
        for header in ("do concurrent (i = 1:n) local(t) shared(u, v) reduce(+: total)",
                       "do concurrent (integer :: i = 1:n) default(none) local(t)",
                       "do concurrent (i = 1:n) &\n      local(t) &\n      reduce(+: total)",
                       "!$gpuarr kernel private(t) &\n    !$gpuarr& reduce(+: total)\n"
                       " do i = 1, n"):
            with self.subTest(header):
                text = self.source(LOOP.replace("HEADER", header))
                self.assertIn("gpuarr_fortran::share(Partial", text)
                self.assertIn("total = total + t;", text)

    def test_lines(self):
        """A compiler sees each statement on its own line."""
        text = self.source(LOOP.replace("HEADER", "do concurrent (i = 1:n)")).split("\n")
        at = text.index("    t = 2 * u(i);")
        self.assertEqual(text[at - 1], '#line 11 "m.f90"')

    def test_kinds(self):
        """Kinds are evaluated: by what they are made of, under whatever name."""
        for declaration, kind in (
                ("integer, parameter :: wp = selected_real_kind(p=12)", "double"),
                ("integer, parameter :: wp = kind(1.0d0)", "double"),
                ("integer, parameter :: sp = 4, wp = 2 * sp", "double"),
                ("integer, parameter :: wp = kind(1.0)", "float"),
                ("integer, parameter :: wp = merge(8, 4, precision(1d0) > 12)", "double")):
            with self.subTest(declaration):
                text = self.source("module m\n" + declaration + """
contains
  elemental real(wp) function f(x)
    real(wp), intent(in) :: x
    f = x + 0.5_wp
  end function
end module
""")
                self.assertIn(f"{kind} f({kind} x)", text)
                self.assertIn("x + 0.5" + ("f;" if kind == "float" else ";"), text)

    def test_modules_of_other_files(self):
        kinds = "module kinds\n use iso_c_binding, only: dp => c_double\n implicit none\n" \
                " real(dp), parameter :: pi = 4 * atan(1.0_dp)\ncontains\n" \
                " pure real(dp) function halving(x)\n real(dp), intent(in) :: x\n" \
                " halving = x / 2\n end function\nend module\n"
        text = "module m\n use kinds, only: wp => dp, pi, halved => halving\n implicit none\n" \
               "contains\n elemental real(wp) function f(x)\n real(wp), intent(in) :: x\n" \
               " f = halved(x) * pi\n end function\nend module\n"
        made = self.translate({"kinds.f90": kinds, "m.f90": text})
        self.assertIn("module_kinds::halving(x) * pi", made)
        self.assertIn("const double pi = 4 * atan(1.0);", made)
        self.assertNotIn("module kinds_kernels", made)

    def test_preprocessor_and_fixed_form(self):
        text = "#define TWICE(x) (2 * (x))\n#ifdef NOTHING\n syntax error\n#endif\n" + LOOP.replace(
            "2 * u(i)", "TWICE(u(i))").replace("HEADER", "do concurrent (i = 1:n)")
        made = self.translate({"m.F90": text}, "--show-source")
        self.assertIn('#line 15 "m.F90"', made)
        self.assertIn("t = (2 * u(i));", made)
        fixed = "\n".join("      " + line.strip() for line in LOOP.split("\n"))
        made = self.translate({"m.f": fixed.replace("HEADER", "do concurrent (i = 1:n)")})
        self.assertIn("subroutine s_on_device", made)

    def test_what_stays_on_the_host(self):
        text = LOOP.replace("HEADER", "do concurrent (i = 1:n)").replace(
            "end module", "!$gpuarr host\n elemental integer function f(x)\n real, intent(in) :: "
            "x\n print *, x\n f = 1\n end function\n subroutine g(v)\n real, intent(inout) :: v(:)"
            "\n integer :: i\n !$gpuarr host\n do concurrent (i = 1:size(v))\n v(i) = v(i) - "
            "ieor(i, 1)\n end do\n end subroutine\nend module")
        made = self.translate({"m.f90": text})
        self.assertIn("interface s", made)
        self.assertNotIn("interface f", made)
        self.assertNotIn("interface g", made)

    def test_names_that_generated_modules_have(self):
        """A module may call its own things as the generated one calls what it uses."""
        text = LOOP.replace("HEADER", "do concurrent (i = 1:n)").replace(
            "  implicit none", "  implicit none\n  integer, parameter :: real64 = 8, finish = 1")
        self.assertIn("host_real64 => real64", self.translate({"m.f90": text}))


if __name__ == "__main__":
    unittest.main()
