!> Raw kernels and modules: launches, arguments of every sort, templates, variables, attributes.
program test_raw
  use, intrinsic :: iso_c_binding
  use gpuarr
  use checks
  implicit none

  character(*), parameter :: nl = new_line("a")
  character(*), parameter :: saxpy = &
      "extern ""C"" __global__ void saxpy(float a, const float* x, float* y, int n) {" // nl // &
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;" // nl // &
      "  if (i < n) y[i] = a * x[i] + y[i];" // nl // &
      "}"

  call start()
  call launches()
  call arguments()
  call modules()
  call files()
  call prepared()
  call asked()
  call checked()
  call refused()
  call finish()

contains

  subroutine launches()
    type(gpuarr_raw) :: kernel, other
    type(gpuarr_array) :: x, y
    type(gpuarr_stream) :: stream
    real(c_float) :: a(1000), b(1000), got(1000)
    call random_number(a)
    call random_number(b)
    call x%from_host(a)
    call y%from_host(b)
    call kernel%create(saxpy, "saxpy")
    call kernel%launch([4], [256], 2.0, x, y, 1000)
    call y%to_host(got)
    call expect(maxval(abs(got - (2 * a + b))) < 1e-6, "a launch")
    other = kernel
    call kernel%release()
    call stream%create()
    call stream%synchronize()
    call other%launch([4, 1], [256, 1, 1], [arg(-2.0), arg(x), arg(y), arg(1000)], stream=stream)
    call y%to_host(got, stream)
    call expect(maxval(abs(got - b)) < 1e-6, "a launch with a list, in a stream")
    call other%launch_1d(1000, 1.0, x, y, 1000)
    call other%launch_1d(1000_c_int64_t, [arg(1.0), arg(x), arg(y), arg(1000)])
    call y%to_host(got)
    call expect(maxval(abs(got - (2 * a + b))) < 1e-6, "launches for so many elements")
    call other%launch([0], [256], 1.0, x, y, 1000)
    call kernel%create("extern ""C"" __global__ void sums(float* x) {" // nl // &
        "  extern __shared__ float tile[];" // nl // &
        "  tile[threadIdx.x] = x[threadIdx.x];" // nl // &
        "  __syncthreads();" // nl // &
        "  float sum = 0;" // nl // &
        "  for (int k = 0; k < blockDim.x; ++k) sum += tile[k];" // nl // &
        "  x[threadIdx.x] = sum;" // nl // &
        "}", "sums")
    call x%from_host([1.0, 2.0, 3.0, 4.0])
    call kernel%launch([1], [4], x, shared_bytes=16)
    call x%to_host(got(:4))
    call expect(all(got(:4) == 10), "dynamic shared memory")
  end subroutine

  !> Structs, views, pointers, small numbers.
  subroutine arguments()
    type, bind(c) :: box
      real(c_double) :: low, high
      integer(c_int32_t) :: steps
    end type
    type(box), target :: b
    type(gpuarr_raw) :: kernel
    type(gpuarr_array) :: x, y
    real(c_double) :: got(3)
    integer(c_int32_t) :: m(2, 3), n(2, 3), k
    b = box(1, 4, 3)
    call x%zeros([3], GPUARR_F64)
    call kernel%create("struct box { double low, high; int steps; };" // nl // &
        "__global__ void points(box b, double* x, const double* none, signed char s, bool t) {" // &
        nl // "  int i = threadIdx.x;" // nl // &
        "  x[i] = b.low + i * (b.high - b.low) / b.steps + (none ? 100 : 0) + s + t;" // nl // &
        "}", "points")
    call kernel%launch([1], [3], arg_bytes(c_loc(b), c_sizeof(b)), x, arg_pointer(c_null_ptr), &
                       5_c_int8_t, .true.)
    call x%to_host(got)
    call expect(all(got == [7, 8, 9]), "a struct, no address, a byte, a truth value")
    m = reshape([(k, k = 1, 6)], [2, 3])
    call x%from_host(m)
    call x%transpose(y)
    call kernel%create("#include <gpuarr.cuh>" // nl // &
        "__global__ void negate(gpuarr_view<int, 2> x) {" // nl // &
        "  x(threadIdx.x, threadIdx.y) = -x(threadIdx.x, threadIdx.y) * x.shape()[1];" // nl // &
        "}", "negate")
    call kernel%launch([1], [3, 2], arg_view(y))
    call x%to_host(n)
    call expect(all(n == -2 * m), "a view of a transpose")
  end subroutine

  subroutine modules()
    type(gpuarr_module) :: module, other
    type(gpuarr_raw) :: kernel
    type(gpuarr_array) :: table, x
    real(c_float) :: got(2), numbers(3)
    integer :: count
    character(:), allocatable :: name
    call module%create("__device__ float table[3] = {1, 2, 3};" // nl // &
        "template <class T, int K> __global__ void scale(T* x) {" // nl // &
        "  x[threadIdx.x] *= K * table[2] * N + one();" // nl // "}", &
        options=["-DN=2  ", "-DM=100"], kernels=["scale<float, 4>", "scale<float, 8>"], &
        preamble="__device__ float one() { return 1; }")
    call module%build()
    call module%kernel_count(count)
    call expect(count, 2, "kernels")
    call module%kernel_name(name, 1)
    call expect_text(name, "scale")
    call module%kernel(kernel, "scale<float, 4>", params="float* x")
    call module%global(table, "table")
    call table%to_host(numbers)
    call expect(all(numbers == [1, 2, 3]), "a variable")
    other = module
    call module%release()
    call table%write([0.0, 0.0, 1.5])
    call x%from_host([1.0, 2.0])
    call kernel%launch([1], [2], x)
    call x%to_host(got)
    call expect(all(got == [13, 26]), "a template, with a variable that was written")
    call other%global(table, "table", dtype=GPUARR_U8)
    call expect(table%size(), 12_c_int64_t, "a variable as bytes")
  end subroutine

  subroutine files()
    type(gpuarr_module) :: module
    type(gpuarr_raw) :: kernel
    type(gpuarr_array) :: x, y
    integer :: unit, stat
    character(:), allocatable :: message
    real(c_float) :: got(2)
    open (newunit=unit, file="test_raw.cu", action="write")
    write (unit, "(a)") saxpy
    close (unit)
    call module%open("test_raw.cu ")
    call module%kernel(kernel, "saxpy")
    call x%from_host([1.0, 2.0])
    call y%from_host([1.0, 1.0])
    call kernel%launch_1d(2, 3.0, x, y, 2)
    call y%to_host(got)
    call expect(all(got == [4, 7]), "a module from a file")
    open (newunit=unit, file="test_raw.cu")
    close (unit, status="delete")
    call module%open("test_raw.cu", stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_IO, "test_raw.cu")
    call module%load([1_c_int8_t, 2_c_int8_t, 3_c_int8_t], stat, message)
    call expect_error(stat, message, GPUARR_ERR_FORMAT, "gpuarr_module_load")
  end subroutine

  subroutine prepared()
    type(gpuarr_raw) :: kernel
    type(gpuarr_call) :: call, list
    type(gpuarr_array) :: x, y
    real(c_float) :: got(2)
    call x%from_host([1.0, 2.0])
    call y%zeros([2], GPUARR_F32)
    call kernel%create(saxpy, "saxpy")
    call kernel%prepare(call, [1], [2], 1.0, x, y, 2)
    call kernel%prepare(list, [1], [2], [arg(100.0), arg(x), arg(y), arg(2)])
    call call%launch()
    call call%set_scalar(1, 10.0)
    call call%launch()
    call list%launch()
    call y%to_host(got)
    call expect(all(got == [111, 222]), "prepared launches")
  end subroutine

  subroutine asked()
    type(gpuarr_raw) :: kernel
    type(gpuarr_module) :: module
    integer(c_int64_t) :: most
    integer :: threads, blocks, stat
    character(:), allocatable :: text
    call module%create(saxpy)
    call module%kernel(kernel, "saxpy")
    call kernel%signature(text)
    call expect_text(text, "saxpy(float")
    call kernel%attribute(most, GPUARR_ATTRIBUTE_MAX_THREADS)
    call expect(most >= 256, "threads of a block")
    call kernel%set_attribute(GPUARR_ATTRIBUTE_COOPERATIVE, 0)
    call kernel%best_block(threads)
    call expect(threads > 0, "the best block")
    call kernel%occupancy(blocks, threads)
    call expect(blocks > 0, "blocks at the same time")
    call module%listing(text, GPUARR_LISTING_ASSEMBLY, stat=stat)
    call expect(stat /= 0 .or. len(text) > 0, "a listing, where there is a program for it")
  end subroutine

  !> What is wrong with a kernel is found, on the CPU as it runs.
  subroutine checked()
    type(gpuarr_raw) :: kernel
    type(gpuarr_array) :: x, y
    type(gpuarr_device) :: host
    integer :: stat
    character(:), allocatable :: message
    call host%open("host")
    call x%zeros([1000], GPUARR_F32, device=host)
    call y%zeros([1000], GPUARR_F32, device=host)
    call kernel%create(saxpy, "saxpy", checks=GPUARR_CHECK_MEMORY + GPUARR_CHECK_SYNC)
    call kernel%launch([4], [256], 1.0, x, y, 2000, stat=stat, errmsg=message)
    if (stat == GPUARR_ERR_UNSUPPORTED) return  ! without g++
    if (stat == GPUARR_OK) call host%synchronize(stat, message)
    call expect_error(stat, message, GPUARR_ERR_FAULT, "at x[1000]")
  end subroutine

  subroutine refused()
    type(gpuarr_raw) :: kernel, none
    type(gpuarr_module) :: module
    type(gpuarr_call) :: call
    type(gpuarr_array) :: x, y
    type(gpuarr_device) :: closed
    integer :: stat
    character(:), allocatable :: message, text
    call x%zeros([10], GPUARR_F32)
    call y%zeros([10], GPUARR_F64)
    call kernel%create(saxpy, "saxpy")
    call kernel%launch([1], [10], 1.0, x, x, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "saxpy")
    call kernel%launch([1], [10], 1d0, x, x, 10, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "args[0]")
    call kernel%launch([1], [10], 1.0, x, y, 10, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_DTYPE, "args[2]")
    call kernel%launch([1, 1, 1, 1], [10], 1.0, x, x, 10, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "grid has 4 and block 1 numbers")
    call kernel%prepare(call, [1], [integer ::], 1.0, x, x, 10, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "grid has 1 and block 0 numbers")
    call kernel%launch([-1], [10], 1.0, x, x, 10, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "-1")
    call kernel%launch_1d(2.5, 1.0, x, x, 10, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "gpuarr_raw%launch_1d: n is no integer")
    call kernel%signature(text, closed, stat, message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "device was never opened")
    call none%launch([1], [10], stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "NULL")
    call module%create(saxpy)
    call module%build()
    call module%kernel(kernel, "daxpy", stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_NOT_FOUND, "saxpy")
    call module%global(y, "table", stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_NOT_FOUND, "table")
    call expect(y%is_set(), "an array that was not replaced")
    call module%create("__global__ void broken(int* x) { *x = ""größe""; }")
    call module%build(stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_COMPILE, """größe""")
  end subroutine

end program
