!> What modules consist of that `gpuarr fortran` writes: kernels that are made when they are first
!> launched, the arguments of a launch, and its grid.
module gpuarr_nests
  use, intrinsic :: iso_c_binding
  use gpuarr_arrays
  use gpuarr_c
  use gpuarr_errors
  use gpuarr_locks
  use gpuarr_long_integers
  use gpuarr_nest_loops
  use gpuarr_options
  use gpuarr_partials
  use gpuarr_streams
  implicit none
  private
  public :: gpuarr_nest, gpuarr_nest_launch, gpuarr_nest_arguments, gpuarr_long, gpuarr_extent

  integer, parameter :: most_arguments = 64
  integer, parameter :: host_lanes = 16  !< as in the prelude: partial results of a thread

  !> The kernel of a loop nest, twice: for arrays whose elements are neighbours along the first dim,
  !> and for any. A variable of a module, which several threads may launch.
  type :: gpuarr_nest
    private
    type(c_ptr) :: kernels(2) = c_null_ptr
  end type

  !> The arguments of a launch in the kernel's order, as C has them. Apart from the launch, since
  !> gfortran sets all of a variable whose type sets one component.
  type :: gpuarr_nest_arguments
    private
    integer(c_int64_t) :: words(4, most_arguments)
  end type

  !> A launch that is being put together.
  type :: gpuarr_nest_launch
    private
    type(call_state), public :: state
    type(c_ptr) :: stream = c_null_ptr
    type(c_ptr) :: device = c_null_ptr
    logical :: has_unit_strides = .true.
    integer :: count = 0, folds = 0
    integer(c_int64_t), pointer, contiguous :: room(:, :) => null()
    type(nest_loops) :: loops
    integer :: folded(most_folds)
    type(c_ptr) :: partials(most_folds)
  contains
    procedure :: begin
    procedure :: goes_on
    procedure :: expect_shape
    procedure :: make
    procedure :: array => add_array
    procedure :: bytes => add_bytes
    procedure :: loop => add_loop
    procedure :: fold => add_fold
    procedure :: run
    procedure :: folded_into
    procedure, private :: add_int8, add_int16, add_int32, add_int64, add_real32, add_real64
    procedure, private :: add_complex32, add_complex64, add_logical
    generic :: scalar => add_int8, add_int16, add_int32, add_int64, add_real32, add_real64, &
        add_complex32, add_complex64, add_logical
  end type

contains

  !> Begin the launches of a procedure, whose arguments have this room.
  subroutine begin(self, arguments, stream)
    class(gpuarr_nest_launch), intent(inout) :: self
    type(gpuarr_nest_arguments), target, intent(inout) :: arguments
    type(gpuarr_stream), intent(in), optional :: stream
    self%room => arguments%words
    call check_stream(stream, self%state)
    if (is_ok(self%state)) self%stream = stream_handle(stream)
  end subroutine

  !> Whether nothing has failed so far.
  pure logical function goes_on(self)
    class(gpuarr_nest_launch), intent(in) :: self
    goes_on = is_ok(self%state)
  end function

  !> Refuse an array that has not the shape of its declaration.
  !> @param array   given for a dummy argument
  !> @param name    what it is called
  !> @param shape   its extents; -1 for one that is not declared
  subroutine expect_shape(self, array, name, shape)
    class(gpuarr_nest_launch), intent(inout) :: self
    type(gpuarr_array), intent(in) :: array
    character(*), intent(in) :: name
    integer(c_int64_t), intent(in) :: shape(:)
    type(c_ptr) :: handle
    integer(c_int64_t), pointer :: given(:)
    if (.not. is_ok(self%state)) return
    handle = array%c_handle()
    if (.not. c_associated(handle)) then
      call refuse(self%state, GPUARR_ERR_ARGUMENT, "array '" // name // &
          "' is not set; make it first")
      return
    end if
    if (.not. c_associated(self%device)) self%device = gpuarr_array_device_c(handle)
    call c_f_pointer(gpuarr_array_shape_c(handle), given, [gpuarr_array_ndim_c(handle)])
    if (size(given) == size(shape)) then
      if (all(given == shape .or. shape == -1)) return
    end if
    call refuse(self%state, GPUARR_ERR_SHAPE, "array '" // name // "' has shape " // &
        dims_text(given) // "; it is declared with " // dims_text(shape) // &
        trim(merge(" (-1: any)", "          ", any(shape == -1))))
  end subroutine

  !> Make a work array of a procedure.
  subroutine make(self, array, shape, dtype)
    class(gpuarr_nest_launch), intent(inout) :: self
    type(gpuarr_array), intent(inout) :: array
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in) :: dtype
    type(c_ptr) :: made
    made = c_null_ptr
    if (is_ok(self%state)) self%state%status = gpuarr_array_empty_c(made, self%device, dtype, &
        size(shape, kind=c_int32_t), max(shape, 0_c_int64_t), GPUARR_ORDER_F, self%stream)
    call array%adopt(made)
  end subroutine

  !> What size(array) and size(array, dim) are of an array of the host.
  integer function gpuarr_extent(array, dim)
    type(gpuarr_array), intent(in) :: array
    integer, intent(in), optional :: dim
    if (present(dim)) then
      gpuarr_extent = int(array%size(dim))
    else
      gpuarr_extent = int(array%size())
    end if
  end function

  !> Add an array.
  subroutine add_array(self, array)
    class(gpuarr_nest_launch), intent(inout) :: self
    type(gpuarr_array), intent(in) :: array
    type(c_ptr) :: handle, strides
    integer(c_int64_t), pointer :: first
    handle = array%c_handle()
    call add(self, transfer(handle, 0_c_int64_t), ior(0_c_int64_t, &
        shiftl(int(GPUARR_ARG_VIEW, c_int64_t), 32)), 0_c_int64_t, 0_c_int64_t)
    strides = gpuarr_array_strides_c(handle)
    if (.not. c_associated(strides)) return
    call c_f_pointer(strides, first)
    if (first /= 1) self%has_unit_strides = .false.
  end subroutine

  !> Add a struct: `bytes` bytes at an address, which stay until the launch.
  subroutine add_bytes(self, address, bytes)
    class(gpuarr_nest_launch), intent(inout) :: self
    type(c_ptr), intent(in) :: address
    integer(c_size_t), intent(in) :: bytes
    call add(self, 0_c_int64_t, shiftl(int(GPUARR_ARG_BYTES, c_int64_t), 32), &
        transfer(address, 0_c_int64_t), int(bytes, c_int64_t))
  end subroutine

  !> Add a loop from first to last, the fastest one first: its first value and how often it runs.
  !> @param passes_step  whether the kernel is told the step too
  subroutine add_loop(self, first, last, step, passes_step)
    class(gpuarr_nest_launch), intent(inout) :: self
    integer(c_int64_t), intent(in) :: first, last, step
    logical, intent(in) :: passes_step
    self%loops%count = self%loops%count + 1
    if (step == 0) call refuse(self%state, GPUARR_ERR_ARGUMENT, "a loop's step is 0")
    associate (place => self%loops%list(self%loops%count))
      place%first = first
      place%step = step
      place%at = self%count + 1
      place%count = 0
      if (step /= 0) place%count = max(0_c_int64_t, (last - first + step) / step)
    end associate
    call self%scalar(first)
    if (self%loops%count == 1) then
      call self%scalar(0_c_int32_t)  ! put in by each launch
    else
      call self%scalar(0_c_int64_t)
    end if
    if (passes_step) call self%scalar(step)
  end subroutine

  !> Add the partial results of a fold, whose elements are of this dtype.
  subroutine add_fold(self, dtype)
    class(gpuarr_nest_launch), intent(inout) :: self
    integer(c_int32_t), intent(in) :: dtype
    self%folds = self%folds + 1
    call add(self, 0_c_int64_t, int(dtype, c_int64_t), 0_c_int64_t, 0_c_int64_t)
    self%folded(self%folds) = self%count
  end subroutine

  !> Launch the kernel with what was added, which then is forgotten. Loops without passes launch
  !> nothing. Long ones are cut into several launches.
  !> @param nest  the kernel
  !> @param text  its text, and name
  subroutine run(self, nest, text, name)
    class(gpuarr_nest_launch), intent(inout) :: self
    type(gpuarr_nest), intent(inout) :: nest
    character(*), intent(in) :: text, name
    type(c_ptr) :: kernel
    self%partials = c_null_ptr
    if (is_ok(self%state) .and. .not. self%loops%is_empty()) then
      call kernel_of(kernel, nest, merge(1, 2, self%has_unit_strides), text, name, self%state)
      if (is_ok(self%state) .and. self%folds > 0) then
        call launch_fold(self, kernel)
      else if (is_ok(self%state)) then
        call launch_parts(self, kernel)
      end if
    end if
    self%count = 0
    self%loops%count = 0
    self%folds = 0
    self%has_unit_strides = .true.
  end subroutine

  !> Combine the partial results of the last launch, and read the whole.
  !> @param k         which fold, from 1
  !> @param operator  as in gpuarr_partials
  !> @param address   where the result goes, whose size the dtype tells; as it was where the loops
  !>                  had no passes
  subroutine folded_into(self, k, operator, address)
    class(gpuarr_nest_launch), intent(inout) :: self
    integer, intent(in) :: k
    character(*), intent(in) :: operator
    type(c_ptr), intent(in) :: address
    if (is_ok(self%state)) call combine(self%partials(k), operator, address, self%stream, &
        self%state)
    call gpuarr_array_release_c(self%partials(k))
    self%partials(k) = c_null_ptr
  end subroutine

  !> Launch a thread for each point, in as many launches as a grid's limits ask for.
  subroutine launch_parts(self, kernel)
    class(gpuarr_nest_launch), intent(inout) :: self
    type(c_ptr), intent(in) :: kernel
    integer(c_int64_t) :: block(3), first(3), part(3)
    block = self%loops%block_of()
    first = 0
    do
      part = self%loops%part_of(block, first)
      if (part(3) > most_blocks) call refuse(self%state, GPUARR_ERR_ARGUMENT, &
          "the loops outside of the two innermost have " // text_of(part(3)) // &
          " passes together; at most 65535 are supported with more than three loops")
      call put_part(self, first, part)
      call launch(self, kernel, (part + block - 1) / block, block)
      if (.not. is_ok(self%state)) return
      if (.not. self%loops%next_part(first, part)) return
    end do
  end subroutine

  !> Tell the kernel its part: from which value each loop counts, and how far.
  subroutine put_part(self, first, part)
    type(gpuarr_nest_launch), intent(inout) :: self
    integer(c_int64_t), intent(in) :: first(3), part(3)
    integer :: d
    do d = 1, self%loops%count
      associate (place => self%loops%list(d))
        if (d < 3 .or. self%loops%count == 3) then
          self%room(3, place%at) = place%first + first(d) * place%step
          self%room(3, place%at + 1) = part(d)
        else
          self%room(3, place%at) = place%first
          self%room(3, place%at + 1) = place%count
        end if
      end associate
    end do
  end subroutine

  !> Launch as many threads as a device keeps busy, each of which goes through many points.
  subroutine launch_fold(self, kernel)
    type(gpuarr_nest_launch), intent(inout) :: self
    type(c_ptr), intent(in) :: kernel
    integer(c_int64_t) :: grid(3), block(3), part(3), threads(1)
    integer :: axis, k
    do axis = 1, 3
      part(axis) = self%loops%points(axis)
    end do
    call put_part(self, [0_c_int64_t, 0_c_int64_t, 0_c_int64_t], part)
    if (gpuarr_device_kind_c(self%device) == GPUARR_DEVICE_HOST) then
      call share_on_host(grid, block, part)
      threads = product(grid) * host_lanes
    else
      block = self%loops%block_of()
      call share_on_gpu(grid, block, part)
      threads = product(grid) * product(block)
    end if
    do k = 1, self%folds
      if (is_ok(self%state)) self%state%status = gpuarr_array_empty_c(self%partials(k), &
          self%device, int(self%room(2, self%folded(k)), c_int32_t), 1, threads, GPUARR_ORDER_C, &
          self%stream)
      self%room(1, self%folded(k)) = transfer(self%partials(k), 0_c_int64_t)
      self%room(2, self%folded(k)) = 0
    end do
    if (is_ok(self%state)) call launch(self, kernel, grid, block)
  end subroutine

  subroutine launch(self, kernel, grid, block)
    class(gpuarr_nest_launch), target, intent(inout) :: self
    type(c_ptr), intent(in) :: kernel
    integer(c_int64_t), intent(in) :: grid(3), block(3)
    type(gpuarr_arg_c), pointer, contiguous :: arguments(:)
    if (.not. is_ok(self%state)) return
    call c_f_pointer(c_loc(self%room), arguments, [self%count])
    self%state%status = gpuarr_raw_launch_c(kernel, grid, block, 0_c_int64_t, arguments, &
        int(self%count, c_int32_t), self%stream)
  end subroutine

  !> The kernel for arrays of a kind, made where it is not there yet: several threads may come at
  !> the same time, and the first that is done is heeded.
  subroutine kernel_of(kernel, nest, kind, text, name, state)
    type(c_ptr), intent(out) :: kernel
    type(gpuarr_nest), intent(inout) :: nest
    integer, intent(in) :: kind
    character(*), intent(in) :: text, name
    type(call_state), intent(inout) :: state
    character(*), parameter :: option(2) = ["-DUNIT_STRIDE=true ", "-DUNIT_STRIDE=false"]
    type(c_ptr) :: options, made
    kernel = nest%kernels(kind)
    if (c_associated(kernel)) return
    made = c_null_ptr
    state%status = make_options(options, options=[option(kind)])
    if (is_ok(state)) state%status = gpuarr_raw_create_c(made, c_text(text), c_text(name), &
        options=options)
    call gpuarr_kernel_options_release_c(options)
    if (.not. is_ok(state)) return
    call publish(nest%kernels(kind), made, kernel)
    if (.not. c_associated(kernel, made)) call gpuarr_raw_release_c(made)
  end subroutine

  ! Scalars, each as its dtype lies in memory.

  subroutine add(self, handle, kind, low, high)
    class(gpuarr_nest_launch), intent(inout) :: self
    integer(c_int64_t), intent(in) :: handle, kind, low, high
    if (self%count == most_arguments) then
      call refuse(self%state, GPUARR_ERR_ARGUMENT, "a kernel has more than 64 arguments: " // &
          "arrays, scalars, and two for each loop")
      return
    end if
    self%count = self%count + 1
    self%room(1, self%count) = handle
    self%room(2, self%count) = kind
    self%room(3, self%count) = low
    self%room(4, self%count) = high
  end subroutine

  subroutine add_bits(self, dtype, low)
    class(gpuarr_nest_launch), intent(inout) :: self
    integer(c_int32_t), intent(in) :: dtype
    integer(c_int64_t), intent(in) :: low
    call add(self, 0_c_int64_t, int(dtype, c_int64_t), low, 0_c_int64_t)
  end subroutine

  subroutine add_int8(self, x)
    class(gpuarr_nest_launch), intent(inout) :: self
    integer(c_int8_t), intent(in) :: x
    call add_bits(self, GPUARR_I8, iand(int(x, c_int64_t), 255_c_int64_t))
  end subroutine

  subroutine add_int16(self, x)
    class(gpuarr_nest_launch), intent(inout) :: self
    integer(c_int16_t), intent(in) :: x
    call add_bits(self, GPUARR_I16, iand(int(x, c_int64_t), 65535_c_int64_t))
  end subroutine

  subroutine add_int32(self, x)
    class(gpuarr_nest_launch), intent(inout) :: self
    integer(c_int32_t), intent(in) :: x
    call add_bits(self, GPUARR_I32, low_half(x))
  end subroutine

  subroutine add_int64(self, x)
    class(gpuarr_nest_launch), intent(inout) :: self
    integer(c_int64_t), intent(in) :: x
    call add_bits(self, GPUARR_I64, x)
  end subroutine

  subroutine add_real32(self, x)
    class(gpuarr_nest_launch), intent(inout) :: self
    real(c_float), intent(in) :: x
    call add_bits(self, GPUARR_F32, low_half(transfer(x, 0_c_int32_t)))
  end subroutine

  subroutine add_real64(self, x)
    class(gpuarr_nest_launch), intent(inout) :: self
    real(c_double), intent(in) :: x
    call add_bits(self, GPUARR_F64, transfer(x, 0_c_int64_t))
  end subroutine

  subroutine add_complex32(self, x)
    class(gpuarr_nest_launch), intent(inout) :: self
    complex(c_float_complex), intent(in) :: x
    call add_bits(self, GPUARR_C64, transfer(x, 0_c_int64_t))
  end subroutine

  subroutine add_complex64(self, x)
    class(gpuarr_nest_launch), intent(inout) :: self
    complex(c_double_complex), intent(in) :: x
    call add(self, 0_c_int64_t, int(GPUARR_C128, c_int64_t), transfer(real(x), 0_c_int64_t), &
        transfer(aimag(x), 0_c_int64_t))
  end subroutine

  subroutine add_logical(self, x)
    class(gpuarr_nest_launch), intent(inout) :: self
    logical, intent(in) :: x
    call add_bits(self, GPUARR_BOOL, merge(1_c_int64_t, 0_c_int64_t, x))
  end subroutine

end module
