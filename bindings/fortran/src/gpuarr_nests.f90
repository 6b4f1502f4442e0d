!> What modules consist of that `gpuarr fortran` writes: kernels that are made when they are first
!> launched, and launches.
module gpuarr_nests
  use, intrinsic :: iso_c_binding
  use gpuarr_arrays
  use gpuarr_c
  use gpuarr_errors
  use gpuarr_locks
  use gpuarr_long_integers
  use gpuarr_nest_arguments
  use gpuarr_nest_loops
  use gpuarr_options
  use gpuarr_partials
  use gpuarr_streams
  implicit none
  private
  public :: gpuarr_nest, gpuarr_nest_launch, gpuarr_long, gpuarr_extent

  !> The kernel of a loop nest, twice: for arrays whose elements are neighbours along the first dim,
  !> and for any. A variable of a module, which several threads may launch.
  type :: gpuarr_nest
    private
    type(c_ptr) :: kernels(2) = c_null_ptr
  end type

  !> A launch that is being put together.
  type :: gpuarr_nest_launch
    private
    type(call_state), public :: state
    type(c_ptr) :: stream = c_null_ptr
    type(c_ptr) :: device = c_null_ptr
    type(nest_arguments), pointer :: passed => null()
    integer :: folds = 0
    type(nest_loops) :: loops
    integer :: folded(most_folds)
    type(c_ptr) :: partials(most_folds)
  contains
    procedure :: begin
    procedure :: goes_on
    procedure :: expect_shape
    procedure :: make
    procedure :: loop => add_loop
    procedure :: fold => add_fold
    procedure :: run
    procedure :: folded_into
  end type

contains

  !> Begin the launches of a procedure.
  !> @param passed  what is added to it before a launch is what the kernel is given
  subroutine begin(self, passed, stream)
    class(gpuarr_nest_launch), intent(inout) :: self
    type(nest_arguments), target, intent(inout) :: passed
    type(gpuarr_stream), intent(in), optional :: stream
    call passed%clear()
    self%passed => passed
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

  !> Add a loop from first to last, the fastest one first: its first value and how often it runs.
  !> @param passes_step  whether the kernel is told the step too
  subroutine add_loop(self, first, last, step, passes_step)
    class(gpuarr_nest_launch), intent(inout) :: self
    integer(c_int64_t), intent(in) :: first, last, step
    logical, intent(in) :: passes_step
    integer(c_int64_t) :: count
    count = 0
    if (step == 0) then
      call refuse(self%state, GPUARR_ERR_ARGUMENT, "a loop's step is 0")
    else
      count = max(0_c_int64_t, (last - first + step) / step)
    end if
    call self%loops%add(nest_loop(first, count, step, self%passed%count + 1))
    call self%passed%scalar(first)
    if (self%loops%count == 1) then
      call self%passed%scalar(0_c_int32_t)  ! put in by each launch
    else
      call self%passed%scalar(0_c_int64_t)
    end if
    if (passes_step) call self%passed%scalar(step)
  end subroutine

  !> Add the partial results of a fold, whose elements are of this dtype.
  subroutine add_fold(self, dtype)
    class(gpuarr_nest_launch), intent(inout) :: self
    integer(c_int32_t), intent(in) :: dtype
    self%folds = self%folds + 1
    call self%passed%partials(dtype)
    self%folded(self%folds) = self%passed%count
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
    if (is_ok(self%state) .and. self%passed%count > most_arguments) call refuse(self%state, &
        GPUARR_ERR_ARGUMENT, "kernel " // name // " has " // text_of(self%passed%count) // &
        " arguments: arrays, scalars, and two for each loop; at most " // &
        text_of(most_arguments) // " are supported")
    if (is_ok(self%state) .and. all(self%loops%points /= 0)) then
      call kernel_of(kernel, nest, merge(1, 2, self%passed%has_unit_strides), text, name, &
          self%state)
      if (is_ok(self%state) .and. self%folds > 0) then
        call launch_fold(self, kernel)
      else if (is_ok(self%state)) then
        call launch_parts(self, kernel)
      end if
    end if
    call self%passed%clear()
    call self%loops%clear()
    self%folds = 0
  end subroutine

  !> Read the partial results of the last launch, and combine them.
  !> @param k         which fold, from 1
  !> @param operator  as in gpuarr_partials
  !> @param whole     where the result goes, a scalar of the fold's dtype; it stays as it was where
  !>                  the loops had no passes
  subroutine folded_into(self, k, operator, whole)
    class(gpuarr_nest_launch), intent(inout) :: self
    integer, intent(in) :: k
    character(*), intent(in) :: operator
    class(*), intent(inout) :: whole
    if (is_ok(self%state)) call combine(self%partials(k), operator, whole, self%stream, self%state)
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
      if (.not. is_ok(self%state) .or. all(part == self%loops%points)) return
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
          self%passed%words(3, place%at) = place%first + first(d) * place%step
          self%passed%words(3, place%at + 1) = part(d)
        else
          self%passed%words(3, place%at) = place%first
          self%passed%words(3, place%at + 1) = place%count
        end if
      end associate
    end do
  end subroutine

  !> Launch as many threads as a device keeps busy, each of which goes through many points; each
  !> block leaves a partial result. Loops are not cut, so all counts have 64 bits.
  subroutine launch_fold(self, kernel)
    type(gpuarr_nest_launch), intent(inout) :: self
    type(c_ptr), intent(in) :: kernel
    integer(c_int64_t) :: grid(3), block(3), part(3)
    integer :: k
    part = self%loops%points
    self%passed%words(2, self%loops%list(1)%at + 1) = int(GPUARR_I64, c_int64_t)
    call put_part(self, [0_c_int64_t, 0_c_int64_t, 0_c_int64_t], part)
    if (gpuarr_device_kind_c(self%device) == GPUARR_DEVICE_HOST) then
      call share_on_host(grid, block, part)
    else
      block = self%loops%block_of()
      call share_on_gpu(grid, block, part)
    end if
    do k = 1, self%folds
      associate (partials => self%passed%words(:, self%folded(k)))
        if (is_ok(self%state)) self%state%status = gpuarr_array_empty_c(self%partials(k), &
            self%device, int(partials(2), c_int32_t), 1, [product(grid)], GPUARR_ORDER_C, &
            self%stream)
        partials(1) = transfer(self%partials(k), 0_c_int64_t)
        partials(2) = 0
      end associate
    end do
    if (is_ok(self%state)) call launch(self, kernel, grid, block)
  end subroutine

  subroutine launch(self, kernel, grid, block)
    class(gpuarr_nest_launch), target, intent(inout) :: self
    type(c_ptr), intent(in) :: kernel
    integer(c_int64_t), intent(in) :: grid(3), block(3)
    type(gpuarr_arg_c), pointer, contiguous :: arguments(:)
    if (.not. is_ok(self%state)) return
    call c_f_pointer(c_loc(self%passed%words), arguments, [self%passed%count])
    self%state%status = gpuarr_raw_launch_c(kernel, grid, block, 0_c_int64_t, arguments, &
        int(self%passed%count, c_int32_t), self%stream)
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

end module
