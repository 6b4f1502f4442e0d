#!/usr/bin/env python3
"""What `gpuarr fortran` refuses in kernels."""
import unittest

from refusals import FUNCTION, HEAD, NEST, OUTSIDE, Refusals


class Refused(Refusals):
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
        self.refuse(OUTSIDE.replace("OUTSIDE", "!$gpuarr kernel ! <-\n t = 1"),
                    "no loop and no procedure is behind !$gpuarr")
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
                ("v(i) = t(3) ! <-", "in place of a statement function write a pure one"),
                ("v(i) = iand(i, z'1FFFFFFFF') ! <-", "has more bits than an integer(4)"),
                ("v(i) = z'1F' ! <-", "stands alone"),
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
                ("integer(selected_int_kind(30)) :: q\n q = 1 ! <-\n f = x", "is integer(16)"),
                ("real :: q ! <-\n save\n q = x\n f = q", "keeps its value from call to call"),
                ("real :: q(2) ! <-\n data q /1.0, 2.0/\n f = q(1)", "or make it a parameter"),
                ("real :: q\n common /all/ q\n f = q ! <-", "in a common block"),
                ("real :: q, r\n equivalence (q, r)\n r = x ! <-\n f = q", "is equivalent to"),
                ("real, parameter :: q(3) = [1.0, 2.0] ! <-\n f = q(1)", "as many elements"),
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


if __name__ == "__main__":
    unittest.main()
