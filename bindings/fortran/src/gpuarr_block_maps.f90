!> Procedures of yours that are called for each block of blocked arrays: Dask's map_blocks.
!> gpuarr/map_blocks.h says which blocks go together.
module gpuarr_block_maps
  use, intrinsic :: iso_c_binding
  use gpuarr_arrays, only: gpuarr_array
  use gpuarr_arguments, only: flag
  use gpuarr_blocked_arrays
  use gpuarr_c
  use gpuarr_errors
  use gpuarr_scalars, only: gpuarr_arg
  use gpuarr_streams
  implicit none
  private
  public :: gpuarr_block, gpuarr_block_work, gpuarr_block_procedure, gpuarr_map_blocks
  public :: gpuarr_map_overlap, outputs_of, handle_of

  !> A block that a procedure is called for; it lives as long as that call.
  type :: gpuarr_block
    private
    type(c_ptr) :: handle = c_null_ptr
  contains
    procedure :: number => block_number
    procedure :: place => block_place
    procedure :: location => block_location
    procedure :: first => block_first
    procedure :: last => block_last
    procedure :: stream => block_stream
  end type

  !> Work on blocks that needs more than its arrays: extend it with that, and give it `run`.
  type, abstract :: gpuarr_block_work
  contains
    procedure(block_work_run), deferred :: run
  end type

  abstract interface
    !> Works on one block. It may give any work to the place's stream, which is the current one
    !> while it runs, and must not make collective calls.
    !> @param block  which block, on which place
    !> @param outs   the outputs' blocks: write to them, or assign to them, which copies
    !> @param ins    the inputs' blocks
    !> @param stat   0; anything else fails the call for all blocks: hand it on to what may fail, or
    !>               set it, and say why with gpuarr_set_last_error
    subroutine gpuarr_block_procedure(block, outs, ins, stat)
      import gpuarr_block, gpuarr_array
      type(gpuarr_block), intent(in) :: block
      type(gpuarr_array), intent(inout) :: outs(:)
      type(gpuarr_array), intent(in) :: ins(:)
      integer, intent(inout) :: stat
    end subroutine

    !> The same for work of a type of yours.
    subroutine block_work_run(self, block, outs, ins, stat)
      import gpuarr_block, gpuarr_array, gpuarr_block_work
      class(gpuarr_block_work), intent(inout) :: self
      type(gpuarr_block), intent(in) :: block
      type(gpuarr_array), intent(inout) :: outs(:)
      type(gpuarr_array), intent(in) :: ins(:)
      integer, intent(inout) :: stat
    end subroutine
  end interface

  !> Call a procedure for each block of the output that is on this process: `call
  !> gpuarr_map_blocks(add, z, x, y)`. Collective.
  interface gpuarr_map_blocks
    module procedure map_procedure, map_procedure_list, map_work, map_work_list
  end interface

  !> Bring the ghost cells of the inputs up to date, then call a procedure for each block with them.
  !> Outputs have no ghost cells there: element (1, 1) of an output's block belongs to element
  !> (1 + low(1), 1 + low(2)) of an input's. Arguments and errors as gpuarr_map_blocks. Collective.
  interface gpuarr_map_overlap
    module procedure overlap_procedure, overlap_procedure_list, overlap_work, overlap_work_list
  end interface

  !> What a call for all blocks is found again by, from an address that goes through C.
  type :: block_call
    procedure(gpuarr_block_procedure), pointer, nopass :: action => null()
    class(gpuarr_block_work), pointer :: work => null()
    integer :: out_count = 0, in_count = 0
  end type

  integer, parameter :: overlap = -1  !< instead of flags

contains

  !> @param action       what is called, on this thread
  !> @param out          the array whose blocks it writes
  !> @param x1 ...       the arrays whose blocks it reads; one may be the output
  !> @param halo         .true. for inputs with their ghost cells, as they are
  !> @param by_position  .true. to compare no extents: locations in the grids count alone
  !> Fails with GPUARR_ERR_ARGUMENT, GPUARR_ERR_SHAPE, GPUARR_ERR_LAYOUT, the procedure's status,
  !> GPUARR_ERR_PEER and others of gpuarr_map_blocks.
  subroutine map_procedure(action, out, x1, x2, x3, x4, x5, x6, x7, x8, halo, by_position, &
                           stat, errmsg)
    procedure(gpuarr_block_procedure) :: action
    type(gpuarr_blocked), intent(in) :: out
    type(gpuarr_blocked), intent(in), optional :: x1, x2, x3, x4, x5, x6, x7, x8
    logical, intent(in), optional :: halo, by_position
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    call run(state, [out%c_handle()], handles_of(x1, x2, x3, x4, x5, x6, x7, x8), &
        flags_of(halo, by_position), action)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> The same with outputs and inputs of `arg`, any number of them.
  subroutine map_procedure_list(action, outs, ins, halo, by_position, stat, errmsg)
    procedure(gpuarr_block_procedure) :: action
    type(gpuarr_arg), intent(in) :: outs(:), ins(:)
    logical, intent(in), optional :: halo, by_position
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    call run_list(state, outs, ins, flags_of(halo, by_position), action)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> The same with work of a type of yours.
  subroutine map_work(work, out, x1, x2, x3, x4, x5, x6, x7, x8, halo, by_position, stat, errmsg)
    class(gpuarr_block_work), target, intent(inout) :: work
    type(gpuarr_blocked), intent(in) :: out
    type(gpuarr_blocked), intent(in), optional :: x1, x2, x3, x4, x5, x6, x7, x8
    logical, intent(in), optional :: halo, by_position
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    call run(state, [out%c_handle()], handles_of(x1, x2, x3, x4, x5, x6, x7, x8), &
        flags_of(halo, by_position), work=work)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  subroutine map_work_list(work, outs, ins, halo, by_position, stat, errmsg)
    class(gpuarr_block_work), target, intent(inout) :: work
    type(gpuarr_arg), intent(in) :: outs(:), ins(:)
    logical, intent(in), optional :: halo, by_position
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    call run_list(state, outs, ins, flags_of(halo, by_position), work=work)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  subroutine overlap_procedure(action, out, x1, x2, x3, x4, x5, x6, x7, x8, stat, errmsg)
    procedure(gpuarr_block_procedure) :: action
    type(gpuarr_blocked), intent(in) :: out
    type(gpuarr_blocked), intent(in), optional :: x1, x2, x3, x4, x5, x6, x7, x8
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    call run(state, [out%c_handle()], handles_of(x1, x2, x3, x4, x5, x6, x7, x8), overlap, &
        action)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  subroutine overlap_procedure_list(action, outs, ins, stat, errmsg)
    procedure(gpuarr_block_procedure) :: action
    type(gpuarr_arg), intent(in) :: outs(:), ins(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    call run_list(state, outs, ins, overlap, action)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  subroutine overlap_work(work, out, x1, x2, x3, x4, x5, x6, x7, x8, stat, errmsg)
    class(gpuarr_block_work), target, intent(inout) :: work
    type(gpuarr_blocked), intent(in) :: out
    type(gpuarr_blocked), intent(in), optional :: x1, x2, x3, x4, x5, x6, x7, x8
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    call run(state, [out%c_handle()], handles_of(x1, x2, x3, x4, x5, x6, x7, x8), overlap, &
        work=work)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  subroutine overlap_work_list(work, outs, ins, stat, errmsg)
    class(gpuarr_block_work), target, intent(inout) :: work
    type(gpuarr_arg), intent(in) :: outs(:), ins(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    call run_list(state, outs, ins, overlap, work=work)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  subroutine run_list(state, outs, ins, flags, action, work)
    type(call_state), intent(inout) :: state
    type(gpuarr_arg), intent(in) :: outs(:), ins(:)
    integer, intent(in) :: flags
    procedure(gpuarr_block_procedure), optional :: action
    class(gpuarr_block_work), target, intent(inout), optional :: work
    type(c_ptr) :: outputs(size(outs)), inputs(size(ins))
    call outputs_of(outputs, outs, "outs", state)
    call outputs_of(inputs, ins, "ins", state)
    if (is_ok(state)) call run(state, outputs, inputs, flags, action, work)
  end subroutine

  subroutine run(state, outputs, inputs, flags, action, work)
    type(call_state), intent(inout) :: state
    type(c_ptr), intent(in) :: outputs(:), inputs(:)
    integer, intent(in) :: flags
    procedure(gpuarr_block_procedure), optional :: action
    class(gpuarr_block_work), target, intent(inout), optional :: work
    type(block_call), target :: job
    integer(c_int32_t) :: out_count, in_count
    if (present(action)) job%action => action
    if (present(work)) job%work => work
    job%out_count = size(outputs)
    job%in_count = size(inputs)
    out_count = size(outputs)
    in_count = size(inputs)
    if (flags == overlap) then
      state%status = gpuarr_map_overlap_c(c_funloc(call_for_block), c_loc(job), outputs, &
          out_count, inputs, in_count)
    else
      state%status = gpuarr_map_blocks_c(c_funloc(call_for_block), c_loc(job), outputs, &
          out_count, inputs, in_count, int(flags, c_int32_t))
    end if
  end subroutine

  !> The function for C.
  function call_for_block(block, outputs, inputs, user) bind(c, name="") result(status)
    type(c_ptr), value :: block, outputs, inputs, user
    integer(c_int32_t) :: status
    type(block_call), pointer :: job
    type(c_ptr), pointer :: out_handles(:), in_handles(:)
    type(gpuarr_array), allocatable :: outs(:), ins(:)
    type(gpuarr_block) :: this
    integer :: stat
    call c_f_pointer(user, job)
    call c_f_pointer(outputs, out_handles, [job%out_count])
    call c_f_pointer(inputs, in_handles, [job%in_count])
    call borrow(outs, out_handles)
    call borrow(ins, in_handles)
    this%handle = block
    stat = 0
    if (associated(job%work)) then
      call job%work%run(this, outs, ins, stat)
    else
      call job%action(this, outs, ins, stat)
    end if
    status = stat
    if (stat == 0) status = copy_assigned(outs, out_handles, gpuarr_block_stream_c(block))
    call outs%release()
    call ins%release()
  end function

  subroutine borrow(arrays, handles)
    type(gpuarr_array), allocatable, intent(out) :: arrays(:)
    type(c_ptr), intent(in) :: handles(:)
    integer :: k
    allocate(arrays(size(handles)))
    do k = 1, size(handles)
      call arrays(k)%adopt(gpuarr_array_retain_c(handles(k)))
    end do
  end subroutine

  !> An output that was assigned to is another array than the block: its elements are copied.
  function copy_assigned(outs, handles, stream) result(status)
    type(gpuarr_array), intent(in) :: outs(:)
    type(c_ptr), intent(in) :: handles(:), stream
    integer(c_int32_t) :: status
    integer :: k
    status = GPUARR_OK
    do k = 1, size(outs)
      if (status == GPUARR_OK .and. outs(k)%is_set() .and. &
          .not. c_associated(outs(k)%c_handle(), handles(k))) &
        status = gpuarr_array_assign_c(handles(k), outs(k)%c_handle(), stream)
    end do
  end function

  integer function flags_of(halo, by_position)
    logical, intent(in), optional :: halo, by_position
    flags_of = GPUARR_MAP_HALO * flag(halo) + GPUARR_MAP_POSITION * flag(by_position)
  end function

  function handles_of(x1, x2, x3, x4, x5, x6, x7, x8) result(handles)
    type(gpuarr_blocked), intent(in), optional :: x1, x2, x3, x4, x5, x6, x7, x8
    type(c_ptr), allocatable :: handles(:)
    type(c_ptr) :: all(8)
    all = [handle_of(x1), handle_of(x2), handle_of(x3), handle_of(x4), handle_of(x5), &
        handle_of(x6), handle_of(x7), handle_of(x8)]
    handles = pack(all, [present(x1), present(x2), present(x3), present(x4), present(x5), &
        present(x6), present(x7), present(x8)])
  end function

  !> The gpuarr_blocked* of an array that may be left out, c_null_ptr without it.
  function handle_of(x) result(handle)
    type(gpuarr_blocked), intent(in), optional :: x
    type(c_ptr) :: handle
    handle = c_null_ptr
    if (present(x)) handle = x%c_handle()
  end function

  !> The gpuarr_blocked* of arguments; what is no blocked array is refused.
  subroutine outputs_of(handles, given, name, state)
    type(c_ptr), intent(out) :: handles(:)
    type(gpuarr_arg), intent(in) :: given(:)
    character(*), intent(in) :: name
    type(call_state), intent(inout) :: state
    integer :: k
    handles = c_null_ptr
    do k = 1, size(given)
      if (given(k)%c%flags < GPUARR_ARG_BLOCKED .or. &
          given(k)%c%flags > GPUARR_ARG_BLOCKED_HALO_VIEW) then
        call refuse(state, GPUARR_ERR_ARGUMENT, name // "(" // text_of(k) // &
            ") is no blocked array; give arg(x) of one")
      else
        handles(k) = transfer(given(k)%c%value, handles(k))
      end if
    end do
  end subroutine

  !> Number of the block in the grid of the first output, from 1.
  integer function block_number(self)
    class(gpuarr_block), intent(in) :: self
    block_number = int(gpuarr_block_number_c(self%handle)) + 1
  end function

  !> Place that works on the block, from 0.
  integer function block_place(self)
    class(gpuarr_block), intent(in) :: self
    block_place = gpuarr_block_place_c(self%handle)
  end function

  !> Location of the block along a dim of the grid, from 1; 0 for a dim that is not there.
  integer function block_location(self, dim)
    class(gpuarr_block), intent(in) :: self
    integer, intent(in) :: dim
    block_location = 0
    if (dim >= 1) block_location = int(gpuarr_block_location_c(self%handle, dim - 1_c_int32_t)) + 1
  end function

  !> Index in the whole of the block's first element along a dim; 0 for a dim that is not there.
  integer(c_int64_t) function block_first(self, dim)
    class(gpuarr_block), intent(in) :: self
    integer, intent(in) :: dim
    block_first = 0
    if (dim >= 1) block_first = gpuarr_block_start_c(self%handle, dim - 1_c_int32_t) + 1
  end function

  !> Index of its last element; -1 for a dim that is not there.
  integer(c_int64_t) function block_last(self, dim)
    class(gpuarr_block), intent(in) :: self
    integer, intent(in) :: dim
    block_last = -1
    if (dim >= 1) block_last = gpuarr_block_stop_c(self%handle, dim - 1_c_int32_t)
  end function

  !> Take the stream to work in, which is the current one anyway.
  subroutine block_stream(self, out)
    class(gpuarr_block), intent(in) :: self
    type(gpuarr_stream), intent(inout) :: out
    call out%adopt(gpuarr_stream_retain_c(gpuarr_block_stream_c(self%handle)))
  end subroutine

end module
