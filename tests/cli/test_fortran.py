"""gpuarr fortran, as far as the command itself goes; bindings/fortran/test/kernels has the rest."""
import os
import unittest

from support import CommandTest

SOURCE = """\
module m
contains
  elemental real function f(x)
    real, intent(in) :: x
    f = 2 * x
  end function
end module
"""


class Fortran(CommandTest):
    def setUp(self):
        super().setUp()
        if "is not installed" in self.run_command("fortran", "--check").stderr:
            self.skipTest("a build without Fortran")

    def test_command_line(self):
        self.refuse("fortran needs a file", "fortran")
        self.assertIn("usage: gpuarr fortran FILE.f90", self.succeed("fortran", "--help"))
        done = self.run_command("fortran", "--sorce", "m.f90")
        self.assertEqual(done.returncode, 2)
        self.assertIn("gpuarr fortran: error: unrecognized arguments: --sorce", done.stderr)

    def test_no_python(self):
        self.fail_with(1, "cannot run python3, which translates Fortran: No such file", "fortran",
                       "m.f90", PATH=self.place)

    def test_translates(self):
        if self.run_command("fortran", "--check").returncode != 0:
            self.skipTest("no fparser of 0.1.4 or newer")
        with open(self.path("m.f90"), "w", encoding="utf-8") as file:
            file.write(SOURCE)
        self.assertIn("f = 2 * x;", self.succeed("fortran", "m.f90", "--show-source"))
        self.assertEqual(self.succeed("fortran", "m.f90", "-o", "made.f90"), "")
        with open(self.path("made.f90"), encoding="utf-8") as file:
            self.assertIn("module m_kernels", file.read())
        with open(self.path("m.f90"), "w", encoding="utf-8") as file:
            file.write(SOURCE.replace("f = 2 * x", "print *, x"))
        done = self.run_command("fortran", "m.f90", "-o", "made.f90")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr, "m.f90:5: print is for the host; look at results there, or "
                         "take the line out\n")
        self.assertEqual(sorted(os.listdir(self.place)), ["m.f90", "made.f90"])


if __name__ == "__main__":
    unittest.main()
