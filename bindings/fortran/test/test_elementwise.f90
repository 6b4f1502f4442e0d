!> Elementwise kernels: ways to call them, scalars of all kinds, outputs, options, prepared calls,
!> texts that need care.
program test_elementwise
  use, intrinsic :: iso_c_binding
  use gpuarr
  use checks
  implicit none
  call start()
  call one_by_one()
  call listed()
  call scalars()
  call broadcasts()
  call sections()
  call sizes()
  call few_elements()
  call built()
  call texts()
  call prepared()
  call refused()
  call finish()

contains

  subroutine one_by_one()
    type(gpuarr_elementwise) :: kernel
    type(gpuarr_array) :: x, y, z
    type(gpuarr_stream) :: stream
    real(c_float) :: a(5, 7), b(5, 7), c(5, 7)
    integer :: stat
    call random_number(a)
    call random_number(b)
    call x%from_host(a)
    call y%from_host(b)
    call kernel%create("T x, T y, T s", "T z", "z = (x - y) * s;")
    call kernel%call(z, x, y, 2.0)
    call expect(z%is_contiguous(), "a missing output is made in Fortran's order")
    call z%to_host(c)
    call expect(maxval(abs(c - (a - b) * 2)) <= 1e-6, "called with an output to be made")
    call kernel%call(z, y, x, 3, stat=stat)
    call expect(stat, 0, "success")
    call z%to_host(c)
    call expect(maxval(abs(c - (b - a) * 3)) <= 1e-6, "called with an output that is there")
    call stream%create()
    call kernel%call(x, x, y, arg(1.0), stream=stream)
    call x%to_host(c, stream)
    call expect(maxval(abs(c - (a - b))) <= 1e-6, "in place, in a stream")
  end subroutine

  subroutine listed()
    type(gpuarr_elementwise) :: one, two, three, four, many
    type(gpuarr_array) :: x, a, b, c, d, all(5)
    type(gpuarr_arg) :: inputs(1)
    real(c_double) :: host(4), got(4)
    integer :: k
    host = [1, 2, 3, 4]
    call x%from_host(host)
    inputs = [arg(x)]
    call one%create("T x", "T a", "a = 2 * x;")
    call one%call(a, inputs)
    call a%to_host(got)
    call expect(all_equal(got, 2 * host), "one output")
    call two%create("T x", "T a, T b", "a = 3 * x; b = x + 1;")
    call two%call(a, b, inputs)
    call a%to_host(got)
    call expect(all_equal(got, 3 * host), "the first of two outputs")
    call b%to_host(got)
    call expect(all_equal(got, host + 1), "the second of two outputs")
    call three%create("T x", "T a, T b, T c", "a = x; b = x - 1; c = x - 2;")
    call three%call(a, b, c, [arg(x)])
    call c%to_host(got)
    call expect(all_equal(got, host - 2), "the third of three outputs")
    call four%create("T x", "T a, T b, T c, T d", "a = x; b = x; c = x; d = -x;")
    call four%call(a, b, c, d, [arg(x)])
    call d%to_host(got)
    call expect(all_equal(got, -host), "the fourth of four outputs")
    call many%create("T x", "T a, T b, T c, T d, T e", "a = x; b = 2*x; c = 3*x; d = 4*x; e = 5*x;")
    call many%call(all, [arg(x)])
    do k = 1, 5
      call all(k)%to_host(got)
      call expect(all_equal(got, k * host), "outputs in an array")
    end do
    call one%create("raw float64 x", "", "const_cast<double&>(x[i]) = 7;")
    call one%call([arg(x)], size=4)
    call x%to_host(got)
    call expect(all_equal(got, spread(7d0, 1, 4)), "no output")
  end subroutine

  logical function all_equal(x, y)
    real(c_double), intent(in) :: x(:), y(:)
    all_equal = all(x == y)
  end function

  !> Each goes to a parameter of its own type and comes back in an element.
  subroutine scalars()
    type(gpuarr_elementwise) :: kernel
    type(gpuarr_array) :: z
    integer(c_int8_t) :: i1(2)
    integer(c_int16_t) :: i2(2)
    integer(c_int32_t) :: i4(2)
    integer(c_int64_t) :: i8(2)
    real(c_float) :: r4(2)
    real(c_double) :: r8(2)
    complex(c_float_complex) :: c4(2)
    complex(c_double_complex) :: c8(2)
    logical(c_bool) :: l1(2)
    call kernel%create("T s", "T z", "z = s;")
    call z%empty([2], GPUARR_I8)
    call kernel%call(z, -7_c_int8_t)
    call z%to_host(i1)
    call z%empty([2], GPUARR_I16)
    call kernel%call(z, -700_c_int16_t)
    call z%to_host(i2)
    call z%empty([2], GPUARR_I32)
    call kernel%call(z, -70000)
    call z%to_host(i4)
    call z%empty([2], GPUARR_I64)
    call kernel%call(z, -7000000000_c_int64_t)
    call z%to_host(i8)
    call z%empty([2], GPUARR_F32)
    call kernel%call(z, 1.5)
    call z%to_host(r4)
    call z%empty([2], GPUARR_F64)
    call kernel%call(z, 2.5d0)
    call z%to_host(r8)
    call z%empty([2], GPUARR_C64)
    call kernel%call(z, (1.0, -2.0))
    call z%to_host(c4)
    call z%empty([2], GPUARR_C128)
    call kernel%call(z, (3d0, -4d0))
    call z%to_host(c8)
    call z%empty([2], GPUARR_BOOL)
    call kernel%call(z, .true.)
    call z%to_host(l1)
    call expect(all(i1 == -7) .and. all(i2 == -700) .and. all(i4 == -70000), "small integers")
    call expect(all(i8 == -7000000000_c_int64_t), "a large integer")
    call expect(all(r4 == 1.5) .and. all(r8 == 2.5d0), "reals")
    call expect(all(c4 == (1, -2)) .and. all(c8 == (3, -4)), "complex numbers")
    call expect(logical(all(l1)), "a truth value")
    call kernel%call(z, [arg(.false._c_bool)])
    call z%to_host(l1)
    call expect(.not. logical(any(l1)), "a truth value of C")
    call z%empty([2], GPUARR_F16)
    call kernel%call(z, 0.25)  ! scalars are converted where the type can hold them
    call z%astype(z, GPUARR_F32)
    call z%to_host(r4)
    call expect(all(r4 == 0.25), "a real becomes float16")
  end subroutine

  !> From the last dim on: a vector goes along columns, a matrix of one column along rows.
  subroutine broadcasts()
    type(gpuarr_elementwise) :: add
    type(gpuarr_array) :: m, v, z
    real(c_double) :: x(3, 4), row(4), column(3), got(3, 4)
    call random_number(x)
    call random_number(row)
    call random_number(column)
    call add%create("T x, T y", "T z", "z = x + y;")
    call m%from_host(x)
    call v%from_host(row)
    call add%call(z, m, v)
    call z%to_host(got)
    call expect(all(got == x + spread(row, 1, 3)), "a vector for every row")
    call v%from_host(column)
    call v%expand(v, 2)
    call add%call(z, m, v)
    call z%to_host(got)
    call expect(all(got == x + spread(column, 2, 4)), "a vector for every column")
  end subroutine

  !> Indices in the text are those of Fortran, less 1.
  subroutine sections()
    type(gpuarr_elementwise) :: kernel
    type(gpuarr_array) :: x, part, z
    integer(c_int32_t) :: a(4, 6), got(2, 3), i, j
    a = reshape([(i, i = 1, 24)], [4, 6])
    call x%from_host(a)
    call x%slice(part, 1, 4, 1, -3)
    call part%slice(part, 2, 2, 6, 2)
    call kernel%create("raw int32 x, int32 y", "int32 z", &
        "z = x(_ind.get()[0], _ind.get()[1]) - y;")
    call kernel%call(z, part, part)
    call z%to_host(got)
    call expect(all(got == 0), "a section that is not contiguous, beside itself")
    call kernel%create("raw int32 x", "int32 z", "z = x(_ind.get()[0], _ind.get()[1] + 1);")
    call z%empty([2, 3], GPUARR_I32)
    call kernel%call(z, x)
    call z%to_host(got)
    call expect(all(got == a(1:2, 2:4)), "x(i, j) is element (i+1, j+1)")
    call part%fill(0)
    call x%to_host(a)
    do j = 1, 6
      do i = 1, 4
        if (mod(j, 2) == 0 .and. mod(i, 3) == 1) &
          call expect(a(i, j), 0, "written through a section")
      end do
    end do
  end subroutine

  subroutine sizes()
    type(gpuarr_elementwise) :: count
    type(gpuarr_array) :: z
    integer(c_int64_t) :: got(5)
    integer :: stat
    integer :: k
    character(:), allocatable :: message
    call count%create("", "int64 z", "z = i * i;")
    call count%call(z, size=5)
    call z%to_host(got)
    call expect(all(got == [(k * k, k = 0, 4)]), "no inputs, a size")
    call z%release()
    call count%call(z, size=5_c_int64_t)
    call expect(z%size(), 5_c_int64_t, "a size of 64 bits")
    call z%release()
    call count%call(z, size=0)
    call expect(z%shape(), [0], "a size of 0")
    call z%release()
    call count%call(z, size=2.0, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "gpuarr_elementwise%call: size is no")
  end subroutine

  !> None, and one without dims.
  subroutine few_elements()
    type(gpuarr_elementwise) :: add
    type(gpuarr_array) :: x, y, z
    real(c_float) :: empty(0, 3), got
    call add%create("T x, T y", "T z", "z = x + y;")
    call x%from_host(empty)
    call y%from_host([1.0, 2.0, 3.0])
    call add%call(z, x, y)
    call expect(z%shape(), [0, 3], "no elements broadcast with some")
    call z%to_host(empty)
    call x%from_host(2.5)
    call y%from_host(0.5)
    call z%release()
    call add%call(z, x, y)
    call expect(z%rank(), 0, "rank of a sum of arrays without dims")
    call z%to_host(got)
    call expect(got == 3, "arrays without dims")
  end subroutine

  subroutine built()
    type(gpuarr_elementwise) :: kernel
    type(gpuarr_array) :: x, z
    real(c_float) :: a(3)
    call kernel%create("T x", "T z", "z = twice(x) + N + prepared;", name="built", &
        preamble="template <class T> __device__ T twice(T x) { return 2 * x; }", &
        loop_prep="int prepared = 100;", after_loop="prepared = 0;", options=["-DN=4 "])
    call x%from_host([1.0, 2.0, 3.0])
    call kernel%call(z, x)
    call z%to_host(a)
    call expect(all(a == [106, 108, 110]), "a kernel with all options")
  end subroutine

  !> Lines, quotes, letters that are not of ASCII, blanks behind, a NUL of who is used to it.
  subroutine texts()
    type(gpuarr_elementwise) :: kernel
    type(gpuarr_array) :: x, z
    character(*), parameter :: nl = new_line("a")
    integer(c_int32_t) :: got(2)
    character(200) :: padded
    call x%from_host([1, 2])
    call kernel%create("T x", "T z", "// größer: ""ja"", 'nein', \ ∑" // nl // &
        "const char text[] = ""a'b\""c ü"";" // nl // "z = x * (int)sizeof text;")
    call kernel%call(z, x)
    call z%to_host(got)
    call expect(all(got == [9, 18]), "a text with quotes and an umlaut")
    padded = "z = x + 1;" // c_null_char
    call kernel%create("T x   ", "T z ", padded)
    call kernel%call(z, x)
    call z%to_host(got)
    call expect(all(got == [2, 3]), "a text with blanks and a NUL")
  end subroutine

  subroutine prepared()
    type(gpuarr_elementwise) :: kernel
    type(gpuarr_call) :: call, other
    type(gpuarr_array) :: x, z, outs(1)
    type(gpuarr_stream) :: stream
    real(c_double) :: got(2)
    integer :: stat
    character(:), allocatable :: message
    call x%from_host([1d0, 2d0])
    call z%zeros([2], GPUARR_F64)
    call kernel%create("T x, T s", "T z", "z += x * s;")
    call kernel%prepare(call, z, x, 2)
    call kernel%release()  ! the call keeps what it needs
    call call%launch()
    call call%set_scalar(2, 10d0)
    call call%launch()
    other = call
    call call%release()
    call stream%create()
    call stream%synchronize()
    call other%launch()
    call z%to_host(got)
    call expect(all(got == [22, 44]), "launched three times")
    call other%set_scalar(1, 10d0, stat, message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "gpuarr_call_set_scalar")
    call call%launch(stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "gpuarr_call_launch")
    call kernel%create("T x", "T z", "z = -x;")
    call kernel%prepare(call, z, [arg(x)])
    outs(1) = z
    call kernel%prepare(other, outs, [arg(x)])
    call other%launch(stat=stat)
    call z%to_host(got)
    call expect(all(got == [-1, -2]), "prepared with lists")
    call z%release()
    call kernel%prepare(call, z, x, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "outputs[0] is NULL")
  end subroutine

  subroutine refused()
    type(gpuarr_elementwise) :: kernel, none
    type(gpuarr_array) :: x, y, z, nothing
    type(gpuarr_stream) :: released
    integer :: stat
    character(:), allocatable :: message
    call x%zeros([3, 4], GPUARR_F32)
    call kernel%create("T x T y", "T z", "z = x;", stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_SYNTAX, "T x T y")
    call kernel%create("quux x", "T z", "z = x;", stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_TYPE, "quux")
    call kernel%create("T x, T y", "T z", "z = x + y;")
    call y%zeros([3, 4], GPUARR_F64)
    call kernel%call(z, x, y, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_DTYPE, "float64")
    call y%zeros([3, 5], GPUARR_F32)
    call kernel%call(z, x, y, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_BROADCAST, "(3, 5)")
    call z%zeros([3, 1], GPUARR_F32)
    call kernel%call(z, x, x, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_SHAPE, "(3, 1)")
    call z%release()
    call kernel%call(z, x, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "input_count is 1, but the kernel has 2")
    call kernel%call(z, x, nothing, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "inputs[1] is neither an array nor")
    call kernel%call(z, x, "text", stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_DTYPE, "inputs[1]")
    call kernel%call(z, x, 1d300, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_DTYPE, "1e+300")
    call kernel%call(z, x, x, stream=released, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "stream was released or never created")
    call expect(.not. z%is_set(), "an output that was not made")
    call none%call(z, x, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "gpuarr_elementwise_call: kernel is NULL")
    call kernel%create("T x", "T z", "z = x;" // new_line("a") // "z = größe + undeclared;")
    call kernel%call(z, x, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_COMPILE, "z = größe + undeclared;")
    call expect(.not. z%is_set(), "an output of a kernel that does not compile")
  end subroutine

end program
