! Kernels that `gpuarr fortran` made, beside the same as CUDA C++ by hand and beside gfortran's
! loops: a row for each, with the ratios of hand-written and of gfortran's time to the translated.
! gfortran's come last, since a GPU that waits for them is slow afterwards.
program kernels
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use gpuarr
  use bench_kernels_kernels
  implicit none
  character(*), parameter :: nl = new_line("")
  character(*), parameter :: source = &
      "#include <gpuarr.cuh>" // nl // &
      "extern ""C"" __global__ void saxpy_of_views(float a," // nl // &
      "    gpuarr_view<const float, 1> x, gpuarr_view<float, 1> y) {" // nl // &
      "  const int i = blockIdx.x * blockDim.x + threadIdx.x;" // nl // &
      "  if (i < x.size()) y(i) = y(i) + a * x(i);" // nl // &
      "}" // nl // &
      "extern ""C"" __global__ void saxpy(float a, const float* x, float* y, int n) {" // nl // &
      "  const int i = blockIdx.x * blockDim.x + threadIdx.x;" // nl // &
      "  if (i < n) y[i] = y[i] + a * x[i];" // nl // &
      "}" // nl // &
      "extern ""C"" __global__ void heat(const float* u, float* v, float c, int m, int n) {" // &
      nl // &
      "  const int i = blockIdx.x * blockDim.x + threadIdx.x + 1;" // nl // &
      "  const int j = blockIdx.y * blockDim.y + threadIdx.y + 1;" // nl // &
      "  if (i >= m - 1 || j >= n - 1) return;" // nl // &
      "  const long long k = i + (long long)j * m;" // nl // &
      "  v[k] = u[k] + c * (u[k - 1] + u[k + 1] + u[k - m] + u[k + m] - 4 * u[k]);" // nl // &
      "}" // nl // &
      "extern ""C"" __global__ void mandelbrot(int* steps, int most, int m, int n) {" // nl // &
      "  const int i = blockIdx.x * blockDim.x + threadIdx.x;" // nl // &
      "  const int j = blockIdx.y * blockDim.y + threadIdx.y;" // nl // &
      "  if (i >= m || j >= n) return;" // nl // &
      "  const float re = -2 + 3.0f * i / m, im = -1.5f + 3.0f * j / n;" // nl // &
      "  float x = 0, y = 0;" // nl // &
      "  int k;" // nl // &
      "  for (k = 0; k < most; ++k) {" // nl // &
      "    if (x * x + y * y > 4) break;" // nl // &
      "    const float next = x * x - y * y + re;" // nl // &
      "    y = 2 * x * y + im;" // nl // &
      "    x = next;" // nl // &
      "  }" // nl // &
      "  steps[i + (long long)j * m] = k;" // nl // &
      "}" // nl
  character(*), parameter :: price = &
      "float spread = volatility * sqrt(years), today = strike * exp(-rate * years);" // nl // &
      "float a = log(spot / today) / spread + spread / 2, b = a - spread;" // nl // &
      "price = 0.5f * (spot * erfc(-a / sqrt(2.0f)) - today * erfc(-b / sqrt(2.0f)));"
  integer, parameter :: least_runs = 20
  type(gpuarr_stream) :: stream
  call main()

contains

  subroutine main()
    type(gpuarr_device) :: device
    type(gpuarr_module) :: by_hand
    call device%open()
    call stream%current()
    print "(3a)", "on ", device%name(), ", us: translated, by hand, gfortran; ratios to translated"
    call by_hand%create(source)
    call try_saxpy(by_hand, 100)
    call try_saxpy(by_hand, 10000000)
    call try_heat(by_hand)
    call try_mandelbrot(by_hand)
    call try_total()
    call try_price()
  end subroutine

  subroutine try_saxpy(by_hand, n)
    type(gpuarr_module), intent(in) :: by_hand
    integer, intent(in) :: n
    type(gpuarr_raw) :: kernel, of_views
    type(gpuarr_array) :: x, y
    real, allocatable :: hx(:), hy(:)
    real(real64) :: times(3), views
    integer(int64) :: before
    integer :: k, r, runs
    allocate(hx(n), hy(n), source=1.0)
    call x%from_host(hx)
    call y%from_host(hx)
    call by_hand%kernel(kernel, "saxpy")
    call by_hand%kernel(of_views, "saxpy_of_views")
    runs = merge(2000, 20, n < 1000)
    times = huge(times)
    views = huge(views)
    do k = 1, least_runs
      before = now()
      do r = 1, runs
        call saxpy(1e-3, x, y)
      end do
      times(1) = min(times(1), since(before) / runs)
      before = now()
      do r = 1, runs
        call kernel%launch([(n + 255) / 256], [256], 1e-3, x, y, n)
      end do
      times(2) = min(times(2), since(before) / runs)
      before = now()
      do r = 1, runs
        call of_views%launch([(n + 255) / 256], [256], 1e-3, arg_view(x), arg_view(y))
      end do
      views = min(views, since(before) / runs)
    end do
    do k = 1, least_runs
      before = now()
      do r = 1, runs
        call saxpy(1e-3, hx, hy)
      end do
      times(3) = min(times(3), since(before) / runs)
    end do
    call row(merge("saxpy, 100 elements", "saxpy, 1e7 elements", n < 1000), times)
    call row("the same, views by hand", [times(1), views, times(3)])
  end subroutine

  subroutine try_heat(by_hand)
    type(gpuarr_module), intent(in) :: by_hand
    integer, parameter :: n = 2002
    type(gpuarr_raw) :: kernel
    type(gpuarr_array) :: u, v
    real, allocatable :: hu(:, :), hv(:, :)
    real(real64) :: times(3)
    integer(int64) :: before
    integer :: k, r
    allocate(hu(n, n), hv(n, n), source=1.0)
    call u%from_host(hu)
    call v%from_host(hu)
    call by_hand%kernel(kernel, "heat")
    times = huge(times)
    do k = 1, least_runs
      before = now()
      do r = 1, 20
        call heat(u, v, 0.1)
      end do
      times(1) = min(times(1), since(before) / 20)
      before = now()
      do r = 1, 20
        call kernel%launch([(n - 2 + 255) / 256, n - 2], [256, 1], u, v, 0.1, n, n)
      end do
      times(2) = min(times(2), since(before) / 20)
    end do
    do k = 1, least_runs
      before = now()
      call heat(hu, hv, 0.1)
      times(3) = min(times(3), since(before))
    end do
    call row("heat, 2000 x 2000", times)
  end subroutine

  subroutine try_mandelbrot(by_hand)
    type(gpuarr_module), intent(in) :: by_hand
    integer, parameter :: n = 1024
    type(gpuarr_raw) :: kernel
    type(gpuarr_array) :: steps
    integer, allocatable :: host_steps(:, :)
    real(real64) :: times(3)
    integer(int64) :: before
    integer :: k
    allocate(host_steps(n, n), source=0)
    call steps%from_host(host_steps)
    call by_hand%kernel(kernel, "mandelbrot")
    times = huge(times)
    do k = 1, least_runs
      before = now()
      call mandelbrot(steps, 200)
      times(1) = min(times(1), since(before))
      before = now()
      call kernel%launch([n / 256, n], [256, 1], steps, 200, n, n)
      times(2) = min(times(2), since(before))
    end do
    do k = 1, least_runs
      before = now()
      call mandelbrot(host_steps, 200)
      times(3) = min(times(3), since(before))
    end do
    call row("Mandelbrot, 1024 x 1024", times)
  end subroutine

  !> By hand it is a reduction kernel of the library.
  subroutine try_total()
    integer, parameter :: n = 2000
    type(gpuarr_reduction) :: kernel
    type(gpuarr_array) :: x, y
    real, allocatable :: hx(:, :)
    real :: s
    real(real64) :: times(3)
    integer(int64) :: before
    integer :: k
    allocate(hx(n, n), source=1.0)
    call x%from_host(hx)
    call kernel%create("float32 x", "float32 y", "x * x", "a + b", "y = a", "0")
    times = huge(times)
    do k = 1, 4 * least_runs
      before = now()
      s = total(x)
      times(1) = min(times(1), since(before))
      before = now()
      call y%release()
      call kernel%call(y, x)
      call y%to_host(s)
      times(2) = min(times(2), since(before))
    end do
    do k = 1, least_runs
      before = now()
      s = s + total(hx)
      times(3) = min(times(3), since(before))
    end do
    if (s < 0) print *, s
    call row("sum of squares, 2000 x 2000", times)
  end subroutine

  subroutine try_price()
    integer, parameter :: n = 4000000
    type(gpuarr_elementwise) :: kernel
    type(gpuarr_array) :: s, k, t, out
    real, allocatable :: hs(:), hk(:), ht(:), ho(:)
    real(real64) :: times(3)
    integer(int64) :: before
    integer :: r, run
    allocate(hs(n), hk(n), ht(n), ho(n))
    call random_number(hs)
    call random_number(hk)
    call random_number(ht)
    hs = 50 + 100 * hs
    hk = 50 + 100 * hk
    ht = 0.1 + ht
    call s%from_host(hs)
    call k%from_host(hk)
    call t%from_host(ht)
    call kernel%create("float32 spot, float32 strike, float32 years, float32 rate, " // &
        "float32 volatility", "float32 price", price)
    call kernel%call(out, s, k, t, 0.03, 0.25)
    times = huge(times)
    do r = 1, least_runs
      before = now()
      do run = 1, 20
        call gpuarr_evaluate(out, call_price(s, k, t, 0.03, 0.25))
      end do
      times(1) = min(times(1), since(before) / 20)
      before = now()
      do run = 1, 20
        call kernel%call(out, s, k, t, 0.03, 0.25)
      end do
      times(2) = min(times(2), since(before) / 20)
    end do
    do r = 1, least_runs
      before = now()
      ho = call_price(hs, hk, ht, 0.03, 0.25)
      times(3) = min(times(3), since(before))
    end do
    call row("Black-Scholes, 4e6 elements", times)
  end subroutine

  integer(int64) function now()
    call system_clock(now)
  end function

  !> Microseconds since then, when all work is done.
  real(real64) function since(before)
    integer(int64), intent(in) :: before
    integer(int64) :: after, rate
    call stream%synchronize()
    call system_clock(after, rate)
    since = real(after - before, real64) / real(rate, real64) * 1e6_real64
  end function

  subroutine row(name, times)
    character(*), intent(in) :: name
    real(real64), intent(in) :: times(3)
    print "(a28, 3f12.2, 2f9.2)", name, times, times(2:) / times(1)
  end subroutine

end program
