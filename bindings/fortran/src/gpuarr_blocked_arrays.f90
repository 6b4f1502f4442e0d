!> Blocked arrays: a shape divided into a grid of blocks, each of which is an array on one place of
!> a team. How they are made and copied stands in the files that are included at the end.
module gpuarr_blocked_arrays
  use, intrinsic :: iso_c_binding
  use gpuarr_arrays, only: gpuarr_array, arg, arg_view_of_array => arg_view, give, gpuarr_dtype_name
  use gpuarr_c
  use gpuarr_devices
  use gpuarr_errors
  use gpuarr_host_layouts
  use gpuarr_host_sections
  use gpuarr_scalars
  use gpuarr_teams
  implicit none
  private
  public :: gpuarr_blocked, arg, arg_view, arg_halo, arg_halo_view, gpuarr_redistribute
  public :: gpuarr_file_create
  public :: arg_block_start, arg_block_extent, arg_block_size, keep_blocked

  !> A blocked array. Each dim is divided by itself, into blocks of as many elements as its chunk
  !> says, of which the last may be shorter. Dims, indices and blocks count from 1, places from 0.
  !> Blocks are numbered with the last dim first, as MPI_Cart_create numbers processes; each is in
  !> Fortran's order of memory unless another is asked for. An assignment makes another reference to
  !> the same array. What changes or moves elements is collective: all processes of the team call
  !> it, in the same order. One thread at a time uses a team's arrays.
  type :: gpuarr_blocked
    private
    type(c_ptr) :: handle = c_null_ptr
    integer :: first_place = 0, place_count = -1  !< of this process; -1: not known
  contains
    procedure :: empty => blocked_empty
    procedure :: empty_like => blocked_empty_like
    procedure :: load => blocked_load
    procedure :: save => blocked_save
    procedure :: load_part => blocked_load_part
    procedure :: save_part => blocked_save_part

    procedure :: is_set => blocked_is_set
    procedure :: rank => blocked_rank
    procedure :: shape => blocked_shape
    procedure, private :: blocked_size, blocked_extent
    generic :: size => blocked_size, blocked_extent
    procedure :: dtype => blocked_dtype
    procedure :: blocks => blocked_blocks
    procedure :: first => blocked_first
    procedure :: last => blocked_last
    procedure :: owner => blocked_owner
    procedure :: local_count => blocked_local_count
    procedure :: local_number => blocked_local_number
    procedure :: local_place => blocked_local_place
    procedure :: local => blocked_local

    procedure :: fill => blocked_fill
    procedure :: arange => blocked_arange
    procedure :: transpose => blocked_transpose
    procedure :: permute => blocked_permute
    procedure :: halo_exchange => blocked_halo_exchange
    procedure :: halo_begin => blocked_halo_begin
    procedure :: halo_end => blocked_halo_end
    procedure :: all_reduce => blocked_all_reduce

    procedure :: release => blocked_release
    procedure :: adopt => blocked_adopt
    procedure :: c_handle => blocked_c_handle
    procedure, private :: blocked_refer
    generic :: assignment(=) => blocked_refer
    include "gpuarr_blocked_names.inc"
    final :: blocked_final
  end type

  !> A blocked array as an argument of gpuarr_map_blocks and gpuarr_blocked_reduce: each call gets
  !> a block of it. It is borrowed: it must stay until the call that gets the argument.
  interface arg
    module procedure arg_blocked
  end interface

  !> The same for a raw kernel's parameter of type gpuarr_view<T, NDIM>.
  interface arg_view
    procedure arg_view_of_array
    module procedure arg_blocked_view
  end interface

  ! What an array is does not change: these are known to have no effects, other than in gpuarr_c.
  interface
    pure function c_rank(blocked) bind(c, name="gpuarr_blocked_ndim") result(rank)
      import
      type(c_ptr), value :: blocked
      integer(c_int32_t) :: rank
    end function
    pure function c_dtype(blocked) bind(c, name="gpuarr_blocked_dtype") result(dtype)
      import
      type(c_ptr), value :: blocked
      integer(c_int32_t) :: dtype
    end function
    pure function c_local_count(blocked) bind(c, name="gpuarr_blocked_local_count") result(count)
      import
      type(c_ptr), value :: blocked
      integer(c_int64_t) :: count
    end function
    pure function c_extent(blocked, axis) bind(c, name="gpuarr_blocked_extent") result(extent)
      import
      type(c_ptr), value :: blocked
      integer(c_int32_t), value :: axis
      integer(c_int64_t) :: extent
    end function
  end interface

contains

  function arg_blocked(blocked) result(a)
    type(gpuarr_blocked), intent(in) :: blocked
    type(gpuarr_arg) :: a
    a%c = gpuarr_arg_blocked_c(blocked%handle, GPUARR_ARG_BLOCKED)
  end function

  function arg_blocked_view(blocked) result(a)
    type(gpuarr_blocked), intent(in) :: blocked
    type(gpuarr_arg) :: a
    a%c = gpuarr_arg_blocked_c(blocked%handle, GPUARR_ARG_BLOCKED_VIEW)
  end function

  !> A blocked array whose blocks come with their ghost cells: for raw kernels, and for raw
  !> parameters of elementwise ones.
  function arg_halo(blocked) result(a)
    type(gpuarr_blocked), intent(in) :: blocked
    type(gpuarr_arg) :: a
    a%c = gpuarr_arg_blocked_c(blocked%handle, GPUARR_ARG_BLOCKED_HALO)
  end function

  !> The same as a gpuarr_view<T, NDIM>: x(i, j) is element (i+1, j+1) of the block with its ghost
  !> cells.
  function arg_halo_view(blocked) result(a)
    type(gpuarr_blocked), intent(in) :: blocked
    type(gpuarr_arg) :: a
    a%c = gpuarr_arg_blocked_c(blocked%handle, GPUARR_ARG_BLOCKED_HALO_VIEW)
  end function

  !> The index of a block's first element along a dim, as kernels count: from 0; an int64.
  function arg_block_start(dim) result(a)
    integer, intent(in) :: dim
    type(gpuarr_arg) :: a
    a%c = gpuarr_arg_block_c(GPUARR_ARG_BLOCK_START, axis_or_none(dim))
  end function

  !> A block's extent along a dim, an int64.
  function arg_block_extent(dim) result(a)
    integer, intent(in) :: dim
    type(gpuarr_arg) :: a
    a%c = gpuarr_arg_block_c(GPUARR_ARG_BLOCK_EXTENT, axis_or_none(dim))
  end function

  !> A block's number of elements, an int64.
  function arg_block_size() result(a)
    type(gpuarr_arg) :: a
    a%c = gpuarr_arg_block_c(GPUARR_ARG_BLOCK_SIZE, 0_c_int32_t)
  end function

  !> C's axis of a dim; what is no dim becomes what C refuses, since it takes negative axes.
  pure integer(c_int32_t) function axis_or_none(dim)
    integer, intent(in) :: dim
    axis_or_none = dim - 1
    if (dim < 1) axis_or_none = GPUARR_MAX_NDIM
  end function

  !> Whether this holds a blocked array. Thread-safe, as all that asks is.
  elemental logical function blocked_is_set(self)
    class(gpuarr_blocked), intent(in) :: self
    blocked_is_set = c_associated(self%handle)
  end function

  !> Number of dims; 0 if there is no array.
  pure integer function blocked_rank(self)
    class(gpuarr_blocked), intent(in) :: self
    blocked_rank = c_rank(self%handle)
  end function

  !> Extents of the whole.
  pure function blocked_shape(self) result(shape)
    class(gpuarr_blocked), intent(in) :: self
    integer(c_int64_t), allocatable :: shape(:)
    integer(c_int32_t) :: axis
    shape = [(c_extent(self%handle, axis), axis = 0, self%rank() - 1)]
  end function

  !> Number of elements of the whole.
  pure integer(c_int64_t) function blocked_size(self)
    class(gpuarr_blocked), intent(in) :: self
    blocked_size = 0
    if (self%is_set()) blocked_size = product(self%shape())
  end function

  !> Extent of a dim of the whole, from 1; 0 for one that is not there.
  pure integer(c_int64_t) function blocked_extent(self, dim)
    class(gpuarr_blocked), intent(in) :: self
    integer, intent(in) :: dim
    blocked_extent = c_extent(self%handle, axis_or_none(dim))
  end function

  !> Type of the elements, GPUARR_F32 and so on; 0 if there is no array.
  pure integer(c_int32_t) function blocked_dtype(self)
    class(gpuarr_blocked), intent(in) :: self
    blocked_dtype = c_dtype(self%handle)
  end function

  !> Number of blocks along a dim, 0 for one that is not there; of all without a dim.
  integer function blocked_blocks(self, dim)
    class(gpuarr_blocked), intent(in) :: self
    integer, intent(in), optional :: dim
    integer :: k
    if (present(dim)) then
      blocked_blocks = int(gpuarr_blocked_count_c(self%handle, axis_or_none(dim)))
    else
      blocked_blocks = merge(1, 0, self%is_set())
      do k = 1, self%rank()
        blocked_blocks = blocked_blocks * int(gpuarr_blocked_count_c(self%handle, k - 1))
      end do
    end if
  end function

  !> Index in the whole, along a dim, of a block's first element; 0 for what is not there.
  integer(c_int64_t) function blocked_first(self, block, dim)
    class(gpuarr_blocked), intent(in) :: self
    integer, intent(in) :: block, dim
    blocked_first = gpuarr_blocked_start_c(self%handle, block - 1_c_int64_t, axis_or_none(dim)) + 1
  end function

  !> Index of its last element; -1 for what is not there.
  integer(c_int64_t) function blocked_last(self, block, dim)
    class(gpuarr_blocked), intent(in) :: self
    integer, intent(in) :: block, dim
    blocked_last = gpuarr_blocked_stop_c(self%handle, block - 1_c_int64_t, axis_or_none(dim))
  end function

  !> Place that has a block; the first one of this process where all have it. -1 for a block that
  !> is not there.
  integer function blocked_owner(self, block)
    class(gpuarr_blocked), intent(in) :: self
    integer, intent(in) :: block
    blocked_owner = gpuarr_blocked_owner_c(self%handle, block - 1_c_int64_t)
  end function

  !> Number of blocks on places of this process.
  pure integer function blocked_local_count(self)
    class(gpuarr_blocked), intent(in) :: self
    blocked_local_count = int(c_local_count(self%handle))
  end function

  !> Number in the grid of a block of this process.
  !> @param k  which one, 1 to local_count(): by places, then by numbers. 0 for what is not there
  integer function blocked_local_number(self, k)
    class(gpuarr_blocked), intent(in) :: self
    integer, intent(in) :: k
    blocked_local_number = int(gpuarr_blocked_local_number_c(self%handle, k - 1_c_int64_t)) + 1
  end function

  !> Place of a block of this process; -1 for what is not there.
  integer function blocked_local_place(self, k)
    class(gpuarr_blocked), intent(in) :: self
    integer, intent(in) :: k
    blocked_local_place = gpuarr_blocked_local_place_c(self%handle, k - 1_c_int64_t)
  end function

  !> Get a block of this process as an array over the same memory. Work on it belongs in the place's
  !> stream: see gpuarr_team%stream.
  !> @param out   the array
  !> @param k     as in local_number
  !> @param halo  .true. for the block with its ghost cells
  !> Fails with GPUARR_ERR_ARGUMENT; `out` is as it was then. Thread-safe.
  subroutine blocked_local(self, out, k, halo, stat, errmsg)
    class(gpuarr_blocked), intent(in) :: self
    type(gpuarr_array), intent(inout) :: out
    integer, intent(in) :: k
    logical, intent(in), optional :: halo
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    type(c_ptr) :: made
    made = c_null_ptr
    if (self%is_set() .and. (k < 1 .or. k > self%local_count())) then
      call refuse(state, GPUARR_ERR_ARGUMENT, "gpuarr_blocked%local: k is " // text_of(k) // &
          ", but this process has " // text_of(self%local_count()) // " blocks, from 1")
    else
      state%status = gpuarr_blocked_local_c(made, self%handle, k - 1_c_int64_t, &
          merge(1_c_int32_t, 0_c_int32_t, is_true(halo)))
    end if
    call give(out, made, state)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Drop the reference. Not collective. More than once is fine. Thread-safe.
  impure elemental subroutine blocked_release(self)
    class(gpuarr_blocked), intent(inout) :: self
    if (c_associated(self%handle)) call gpuarr_blocked_release_c(self%handle)
    self%handle = c_null_ptr
  end subroutine

  !> The gpuarr_blocked* for calls of gpuarr_c, borrowed.
  pure function blocked_c_handle(self) result(handle)
    class(gpuarr_blocked), intent(in) :: self
    type(c_ptr) :: handle
    handle = self%handle
  end function

  !> Take over a reference to a gpuarr_blocked* that a call of gpuarr_c made.
  !> @param team  the array's. Without it Fortran arrays are compared also where `write` and
  !>              `to_host` of another process ignore them
  subroutine blocked_adopt(self, handle, team)
    class(gpuarr_blocked), intent(inout) :: self
    type(c_ptr), intent(in) :: handle
    type(gpuarr_team), intent(in), optional :: team
    call self%release()
    self%handle = handle
    self%place_count = -1
    if (.not. present(team)) return
    self%first_place = team%first()
    self%place_count = team%local_count()
  end subroutine

  !> Take over an output that a call made.
  !> @param like  an array of the same team, if there is one at hand
  subroutine keep_blocked(out, made, like)
    type(gpuarr_blocked), intent(inout) :: out
    type(c_ptr), intent(in) :: made
    type(gpuarr_blocked), intent(in), optional :: like
    if (out%is_set()) return
    call out%adopt(made)
    if (.not. present(like)) return
    out%first_place = like%first_place
    out%place_count = like%place_count
  end subroutine

  impure elemental subroutine blocked_refer(self, other)
    class(gpuarr_blocked), intent(inout) :: self
    type(gpuarr_blocked), intent(in) :: other
    type(c_ptr) :: held
    held = gpuarr_blocked_retain_c(other%handle)
    call self%release()
    self%handle = held
    self%first_place = other%first_place
    self%place_count = other%place_count
  end subroutine

  impure elemental subroutine blocked_final(self)
    type(gpuarr_blocked), intent(inout) :: self
    call self%release()
  end subroutine

  pure logical function is_true(value)
    logical, intent(in), optional :: value
    is_true = .false.
    if (present(value)) is_true = value
  end function

  !> Refuse what is no dim of 1 to rank. Where there is no array C says so.
  subroutine check_blocked_dim(blocked, dim, who, state)
    type(gpuarr_blocked), intent(in) :: blocked
    integer, intent(in) :: dim
    character(*), intent(in) :: who
    type(call_state), intent(inout) :: state
    if (blocked%is_set() .and. (dim < 1 .or. dim > blocked%rank())) call refuse(state, &
        GPUARR_ERR_AXIS, who // ": dim " // text_of(dim) // " of a blocked array of shape " // &
        dims_text(blocked%shape()) // "; dims count from 1 to " // text_of(blocked%rank()))
  end subroutine

  include "gpuarr_blocked_make.inc"
  include "gpuarr_blocked_move.inc"
  include "gpuarr_blocked_files.inc"
  include "gpuarr_blocked_copy.inc"
  include "gpuarr_blocked_specifics.inc"

end module
