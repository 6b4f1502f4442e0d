! Launches of kernels of constructs.f90: views of all kinds, errors, checks, threads, long loops.
program test_launches
  use, intrinsic :: iso_fortran_env, only: real64, int64
  use gpuarr
  use gpuarr_nest_arguments, only: nest_arguments
  use gpuarr_nests, only: gpuarr_nest, gpuarr_nest_launch
  use constructs_kernels
  implicit none
  integer :: stat, failures = 0
  character(:), allocatable :: message
  character(10) :: checked
  call get_environment_variable("GPUARR_CHECK", checked)
  call views()
  call refused()
  call many_arguments()
  call threads()
  if (checked == "memory") then
    call checks()
  else
    call long_loops()
    call mixed_arguments()
    call long_folds()
    call longer_folds()
  end if
  if (failures > 0) error stop "launches are wrong"
  print "(a)", "launches are right"

contains

  subroutine expect(is_right, what)
    logical, intent(in) :: is_right
    character(*), intent(in) :: what
    if (is_right) return
    failures = failures + 1
    print "(2a)", "wrong: ", what
  end subroutine

  subroutine expect_message(wanted)
    character(*), intent(in) :: wanted
    if (.not. allocated(message)) message = ""
    call expect(stat /= GPUARR_OK .and. index(message, wanted) > 0, wanted // " in " // message)
    message = ""
  end subroutine

  ! Strides that are negative, greater than 1, of a transposed array.
  subroutine views()
    type(gpuarr_array) :: whole, part, back, a, b, c, across
    real :: x(5, 4), y(4, 6), z(5, 6)
    real, allocatable :: found(:, :)
    call random_number(x)
    call random_number(y)
    call a%from_host(x)
    call b%from_host(transpose(y))
    call b%transpose(across)
    call whole%zeros([10, 6], GPUARR_F32)
    call whole%slice(part, 1, first=10, last=1, step=-2)
    call multiply(a, across, part)
    z = 0
    call multiply(x, y, z)
    call part%to_allocatable(found)
    call expect(all(abs(found - z) < 1e-5), "a product into a reversed section")
    call whole%slice(back, 1, first=2, last=10, step=2)
    call back%to_allocatable(found)
    call expect(all(abs(found(5:1:-1, :) - z) < 1e-5), "where a reversed section lies")
    call multiply(a, b, c, stat=stat, errmsg=message)
    call expect_message("array 'c' is not set")
  end subroutine

  subroutine refused()
    type(gpuarr_array) :: a, b, flat, other
    call a%zeros([4, 5], GPUARR_F32)
    call b%zeros([4, 3], GPUARR_F32)
    call steps(4, 2, a, b, stat=stat, errmsg=message)
    call expect_message("array 'b' has shape (4, 3); it is declared with (4, 5)")
    call flat%zeros([20], GPUARR_F32)
    call four(flat, a, stat=stat, errmsg=message)
    call expect_message("array 'a' has shape (20,); it is declared with (-1, -1) (-1: any)")
    call other%zeros([4, 5], GPUARR_F64)
    call steps(4, 2, other, a, stat=stat, errmsg=message)
    call expect_message("float64")
  end subroutine

  ! An index that is out of range, by the line and the bounds of the source.
  subroutine checks()
    type(gpuarr_array) :: u, v
    type(grid) :: g
    call u%zeros([5, 5], GPUARR_F64)
    call v%zeros([5, 5], GPUARR_F64)
    g = grid(4, 3, 1.0_real64, .false.)
    call stencil(g, u, v, stat=stat, errmsg=message)
    call expect_message("index 5 of axis 1 of u is outside of 0..4 at constructs.f90:36")
  end subroutine

  ! The first launch by several threads at once.
  subroutine threads()
    type(gpuarr_array) :: a(8), b(8)
    real, allocatable :: found(:, :)
    integer :: k
    do k = 1, 8
      call a(k)%ones([4, 5], GPUARR_F32)
      call b(k)%zeros([12, 10], GPUARR_F32)
    end do
    !$omp parallel do num_threads(8)
    do k = 1, 8
      call four(a(k), b(k))
    end do
    do k = 1, 8
      call b(k)%to_allocatable(found)
      call expect(all(found(1:4, 1:5) == 1) .and. found(9, 6) == 2, "a launch of many threads")
    end do
  end subroutine

  ! More arguments than a launch has room for.
  subroutine many_arguments()
    type(nest_arguments), target :: passed
    type(gpuarr_nest_launch) :: job
    type(gpuarr_nest) :: nest
    integer :: k
    call job%begin(passed)
    do k = 1, 80
      call passed%scalar(k)
    end do
    call job%loop(1_int64, 9_int64, 1_int64, .false.)
    call job%run(nest, "", "crowded")
    stat = job%state%status
    message = job%state%message
    call expect_message("kernel crowded has 82 arguments")
  end subroutine

  ! More rows than a grid has blocks along y.
  subroutine long_loops()
    integer, parameter :: rows = 3, columns = 600000
    type(gpuarr_array) :: u, v
    real(real64), allocatable :: x(:, :), y(:, :), found(:, :)
    type(grid) :: g
    allocate(x(rows + 2, columns + 2), y(rows + 2, columns + 2), source=0.5_real64)
    call random_number(x)
    call u%from_host(x)
    call v%from_host(y)
    g = grid(rows, columns, 0.1_real64, .true.)
    call stencil(g, u, v)
    call stencil(g, x, y)
    call v%to_allocatable(found)
    call expect(all(abs(found - y) < 1e-12_real64), "a loop that is cut into launches")
    call expect(abs(energy(u) / energy(x) - 1) < 1e-12_real64, "a fold over many rows")
  end subroutine

  ! Folds that several blocks have a part of; what one found and the others did not.
  subroutine long_folds()
    integer, parameter :: n = 300000, at(*) = [1, n / 3, n]
    type(gpuarr_array) :: on_k, on_a
    integer :: k(n), j
    real(real64) :: a(n)
    integer(1) :: bytes(2)
    integer(2) :: shorts(2)
    integer :: words(2), bits(2)
    integer(int64) :: longs(2)
    real :: least(2), by(2)
    complex :: waves(2)
    complex(real64) :: turned(2)
    logical :: holds(2)
    do j = 1, size(at)
      call random_number(a)
      k = int(256 * a)
      k(at(j)) = -1000 - j
      a(at(j)) = -3 - j
      bytes = 7
      shorts = 7
      words = not(4)
      longs = 3
      bits = 1
      least = 2
      by = 0.5
      waves = (1, -1)
      turned = (1, 0)
      holds = .true.
      call on_k%from_host(k)
      call on_a%from_host(a)
      call folds_of_kinds(n, on_k, on_a, bytes(1), shorts(1), words(1), longs(1), bits(1), &
          least(1), by(1), waves(1), turned(1), holds(1))
      call folds_of_kinds(n, k, a, bytes(2), shorts(2), words(2), longs(2), bits(2), &
          least(2), by(2), waves(2), turned(2), holds(2))
      call expect(bytes(1) == bytes(2) .and. shorts(1) == shorts(2) .and. words(1) == words(2) &
          .and. longs(1) == longs(2) .and. bits(1) == bits(2), "integers of a long fold")
      call expect(least(1) == least(2) .and. (holds(1) .eqv. holds(2)), "extremes of a long fold")
      call expect(abs(by(1) / by(2) - 1) < 1e-3 .and. abs(waves(1) / waves(2) - 1) < 1e-3 .and. &
          abs(turned(1) / turned(2) - 1) < 1e-12_real64, "floats of a long fold")
    end do
  end subroutine

  subroutine longer_folds()
    type(gpuarr_array) :: ones
    call ones%ones([2], GPUARR_I32)
    call expect(passes_of(ones, -5_int64, 3000000000_int64) == 3000000006_int64, &
        "a fold over more passes than 4 bytes count")
  end subroutine

  ! Elemental functions of arrays and scalars, within an expression.
  subroutine mixed_arguments()
    type(gpuarr_array) :: x, y
    type(model) :: m
    real(real64) :: a(6)
    real(real64), allocatable :: found(:)
    integer :: k
    a = [(k - 3.5_real64, k = 1, 6)]
    m = model(grid(1, 1, 2.0_real64, .false.), 1.5)
    call x%from_host(a)
    y = 2 * limited(x, m) + limited(limited(x, m), m)
    call y%to_allocatable(found)
    call expect(all(abs(found - 2 * limited(a, m) - limited(limited(a, m), m)) < 1e-12_real64), &
        "elemental functions in an expression")
  end subroutine

end program
