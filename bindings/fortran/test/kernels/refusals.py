"""What the tests of refusals have in common: sources, and what a refusal must say. The line that it
names is marked by `! <-`."""
import os
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


class Refusals(unittest.TestCase):
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
