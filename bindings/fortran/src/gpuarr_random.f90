!> Random numbers: the same ones on every device, and in C, where arrays have the same memory.
module gpuarr_random
  use, intrinsic :: iso_c_binding
  use gpuarr_arguments
  use gpuarr_arrays
  use gpuarr_c
  use gpuarr_devices
  use gpuarr_errors
  use gpuarr_expressions
  use gpuarr_scalars
  use gpuarr_streams
  implicit none
  private
  public :: gpuarr_generator, gpuarr_random_seed

  !> A source of random numbers: a seed, a stream of it, and a position there. An assignment makes
  !> another reference to the same generator, with one position. Several threads may draw from one.
  !> gpuarr/random.h says how numbers are made; element k of a draw is that in Fortran's order.
  type :: gpuarr_generator
    private
    type(c_ptr) :: handle = c_null_ptr
  contains
    procedure :: create => generator_create
    procedure :: seed => generator_seed
    procedure :: stream => generator_stream
    procedure :: position => generator_position
    procedure :: set_position => generator_set_position
    procedure :: advance => generator_advance
    include "gpuarr_random_names.inc"
    procedure :: integers => generator_integers
    procedure :: permutation => generator_permutation
    procedure :: shuffle => generator_shuffle
    procedure :: choice => generator_choice
    procedure :: release => generator_release
    procedure :: is_set => generator_is_set
    procedure :: c_handle => generator_c_handle
    procedure :: adopt => generator_adopt
    procedure, private :: generator_assign
    generic :: assignment(=) => generator_assign
    final :: generator_final
  end type

  !> A draw: the array with its dims reversed, as C's order is Fortran's then, and its parameters.
  type :: drawing
    type(c_ptr) :: array = c_null_ptr
    integer(c_int32_t) :: rank = 0
    integer(c_int64_t) :: shape(GPUARR_MAX_NDIM) = 0
    type(gpuarr_arg_c) :: a, b
  end type

contains

  !> Make a generator, at position 0.
  !> @param seed    an integer of any kind; gpuarr_random_seed gives one that is unpredictable
  !> @param stream  which of the seed's sequences, 0 without it
  !> @param device  where arrays are made, unless the stream of a draw is another device's
  !> Fails with GPUARR_ERR_ARGUMENT, GPUARR_ERR_DEVICE. Thread-safe.
  subroutine generator_create(self, seed, stream, device, stat, errmsg)
    class(gpuarr_generator), intent(inout) :: self
    class(*), intent(in) :: seed
    class(*), intent(in), optional :: stream
    type(gpuarr_device), intent(in), optional :: device
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    type(c_ptr) :: place
    integer(c_int64_t) :: number, sequence
    call self%release()
    call whole(number, seed, 0_c_int64_t, "gpuarr_generator%create: seed", state)
    call whole(sequence, stream, 0_c_int64_t, "gpuarr_generator%create: stream", state)
    if (is_ok(state)) state%status = locate(place, device)
    if (is_ok(state)) &
      state%status = gpuarr_generator_create_c(self%handle, place, number, sequence)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Ask the system for a seed. Fails with GPUARR_ERR_IO. Thread-safe.
  subroutine gpuarr_random_seed(seed, stat, errmsg)
    integer(c_int64_t), intent(out) :: seed
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    state%status = gpuarr_random_seed_c(seed)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> The seed that it was made with.
  integer(c_int64_t) function generator_seed(self)
    class(gpuarr_generator), intent(in) :: self
    generator_seed = gpuarr_generator_seed_c(self%handle)
  end function

  !> The stream that it was made with.
  integer(c_int64_t) function generator_stream(self)
    class(gpuarr_generator), intent(in) :: self
    generator_stream = gpuarr_generator_stream_c(self%handle)
  end function

  !> Where the next draw begins, in steps of 128 bits.
  integer(c_int64_t) function generator_position(self)
    class(gpuarr_generator), intent(in) :: self
    generator_position = gpuarr_generator_position_c(self%handle)
  end function

  !> Let the next draw begin elsewhere.
  subroutine generator_set_position(self, position, stat, errmsg)
    class(gpuarr_generator), intent(in) :: self
    class(*), intent(in) :: position
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    integer(c_int64_t) :: number
    call whole(number, position, 0_c_int64_t, "gpuarr_generator%set_position: position", state)
    if (is_ok(state)) state%status = gpuarr_generator_set_position_c(self%handle, number)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Skip steps.
  subroutine generator_advance(self, steps, stat, errmsg)
    class(gpuarr_generator), intent(in) :: self
    class(*), intent(in) :: steps
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    integer(c_int64_t) :: number
    call whole(number, steps, 0_c_int64_t, "gpuarr_generator%advance: steps", state)
    if (is_ok(state)) state%status = gpuarr_generator_advance_c(self%handle, number)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Draw integers from `first` to `last`, which is among them.
  !> @param dtype  int32 without it, if x is made
  !> Other parameters and errors as `uniform`.
  subroutine generator_integers(self, x, first, last, shape, dtype, stream, stat, errmsg)
    class(gpuarr_generator), intent(in) :: self
    type(gpuarr_array), intent(inout) :: x
    class(*), intent(in) :: first, last
    class(*), intent(in), optional :: shape(:)
    integer(c_int32_t), intent(in), optional :: dtype
    type(gpuarr_stream), intent(in), optional :: stream
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    type(drawing) :: draw
    integer(c_int64_t) :: low, high
    call whole(low, first, 0_c_int64_t, "gpuarr_generator%integers: first", state)
    call whole(high, last, 0_c_int64_t, "gpuarr_generator%integers: last", state)
    call begin(draw, x, shape, "integers", stream, state)
    draw%a = argument_of(low)
    draw%b = argument_of(high + 1)
    if (high == huge(high)) draw%b = argument_of(2d0**63)
    if (is_ok(state)) state%status = gpuarr_random_integers_c(draw%array, self%handle, draw%a, &
        draw%b, int_or(dtype_for(x, GPUARR_I32), dtype), draw%rank, draw%shape, &
        stream_handle(stream))
    call done(draw, x, state)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Put the numbers 1 to n into a random order, as int64. An array that is set gets the first ones.
  subroutine generator_permutation(self, x, n, stream, stat, errmsg)
    class(gpuarr_generator), intent(in) :: self
    type(gpuarr_array), intent(inout) :: x
    class(*), intent(in) :: n
    type(gpuarr_stream), intent(in), optional :: stream
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    integer(c_int64_t) :: number
    type(drawing) :: draw
    call whole(number, n, 0_c_int64_t, "gpuarr_generator%permutation: n", state)
    call begin(draw, x, stream=stream, who="permutation", state=state)
    if (is_ok(state)) state%status = gpuarr_random_permutation_c(draw%array, self%handle, number, &
        stream_handle(stream))
    call count_from_one(draw%array, state, stream)
    call done(draw, x, state)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Put what an array has along a dim, the first without `dim`, into a random order.
  subroutine generator_shuffle(self, out, x, dim, stream, stat, errmsg)
    class(gpuarr_generator), intent(in) :: self
    type(gpuarr_array), intent(inout) :: out
    class(gpuarr_operand), intent(in) :: x
    integer, intent(in), optional :: dim
    type(gpuarr_stream), intent(in), optional :: stream
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    type(c_ptr) :: made
    integer(c_int32_t) :: axis
    call check_stream(stream, state)
    call to_axis(axis, 1, dim, state)
    made = out%c_handle()
    if (is_ok(state)) state%status = gpuarr_random_shuffle_c(made, self%handle, x%c_handle(), &
        axis, stream_handle(stream))
    call let_go(x)
    call keep(out, made)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Choose among the numbers 1 to n, as int64: indices of things to be taken.
  !> @param p        a vector of n weights; all are alike without it
  !> @param replace  .false. if all that are chosen must be different
  !> Other parameters and errors as `uniform`, and GPUARR_ERR_EMPTY.
  subroutine generator_choice(self, x, n, shape, p, replace, stream, stat, errmsg)
    class(gpuarr_generator), intent(in) :: self
    type(gpuarr_array), intent(inout) :: x
    class(*), intent(in) :: n
    class(*), intent(in), optional :: shape(:)
    class(gpuarr_operand), intent(in), optional :: p
    logical, intent(in), optional :: replace
    type(gpuarr_stream), intent(in), optional :: stream
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    integer(c_int64_t) :: number
    type(drawing) :: draw
    call whole(number, n, 0_c_int64_t, "gpuarr_generator%choice: n", state)
    call begin(draw, x, shape, "choice", stream, state)
    if (is_ok(state)) state%status = gpuarr_random_choice_c(draw%array, self%handle, number, &
        handle_of(p), flag_or(.true., replace), draw%rank, draw%shape, stream_handle(stream))
    call count_from_one(draw%array, state, stream)
    call let_go(p)
    call done(draw, x, state)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  include "gpuarr_random_draws.inc"

  !> See an array that is set with its dims reversed, or reverse the shape of one to be made.
  subroutine begin(draw, x, shape, who, stream, state)
    type(drawing), intent(inout) :: draw
    type(gpuarr_array), intent(in) :: x
    class(*), intent(in), optional :: shape(:)
    character(*), intent(in) :: who
    type(gpuarr_stream), intent(in), optional :: stream
    type(call_state), intent(inout) :: state
    integer :: used
    integer(c_int64_t), allocatable :: extents(:)
    call check_stream(stream, state)
    if (is_ok(state)) state%status = reversed(draw%array, x%c_handle())
    draw%rank = x%rank()
    extents = x%shape()
    draw%shape(:draw%rank) = extents(draw%rank:1:-1)
    if (.not. present(shape)) return
    draw%rank = size(shape)
    used = min(draw%rank, GPUARR_MAX_NDIM)
    select type (shape)
    type is (integer(c_int32_t))
      draw%shape(:used) = shape(used:1:-1)
    type is (integer(c_int64_t))
      draw%shape(:used) = shape(used:1:-1)
    class default
      call refuse(state, GPUARR_ERR_ARGUMENT, "gpuarr_generator%" // who // &
          ": shape has no integers of 32 or 64 bits")
    end select
    if (draw%rank > used) call refuse(state, GPUARR_ERR_SHAPE, "gpuarr_generator%" // who // &
        ": shape has " // text_of(draw%rank) // " entries; no array has more than " // &
        text_of(used) // " dims")
  end subroutine

  !> The dtype of an array to be made that nobody named; none for one that is there.
  pure integer(c_int32_t) function dtype_for(x, default)
    type(gpuarr_array), intent(in) :: x
    integer(c_int32_t), intent(in) :: default
    dtype_for = merge(0, default, x%is_set())
  end function

  !> A parameter as C has it: of an array a view with its dims reversed, after as many dims of
  !> extent 1 as it takes to match the last ones.
  subroutine set_parameter(a, value, rank, state)
    type(gpuarr_arg_c), intent(inout) :: a
    class(*), intent(in) :: value
    integer(c_int32_t), intent(in) :: rank
    type(call_state), intent(inout) :: state
    type(c_ptr) :: held, longer
    integer :: k
    a = argument_of(value)
    if (.not. c_associated(a%array)) return
    held = gpuarr_array_retain_c(a%array)
    a%array = c_null_ptr
    do k = gpuarr_array_ndim_c(held), rank - 1
      if (is_ok(state)) state%status = gpuarr_array_expand_c(longer, held, 0)
      if (.not. is_ok(state)) exit
      call gpuarr_array_release_c(held)
      held = longer
    end do
    if (is_ok(state)) state%status = reversed(a%array, held)
    call gpuarr_array_release_c(held)
  end subroutine

  !> Give x what was made, and let go of the views.
  subroutine done(draw, x, state)
    type(drawing), intent(inout) :: draw
    type(gpuarr_array), intent(inout) :: x
    type(call_state), intent(inout) :: state
    type(c_ptr) :: made
    made = c_null_ptr
    if (is_ok(state) .and. .not. x%is_set()) state%status = reversed(made, draw%array)
    call keep(x, made)
    call gpuarr_array_release_c(draw%array)
    call gpuarr_array_release_c(draw%a%array)
    call gpuarr_array_release_c(draw%b%array)
  end subroutine

  !> Drop the reference. More than once is fine. Thread-safe.
  impure elemental subroutine generator_release(self)
    class(gpuarr_generator), intent(inout) :: self
    if (c_associated(self%handle)) call gpuarr_generator_release_c(self%handle)
    self%handle = c_null_ptr
  end subroutine

  !> Whether this holds a generator. Thread-safe.
  elemental logical function generator_is_set(self)
    class(gpuarr_generator), intent(in) :: self
    generator_is_set = c_associated(self%handle)
  end function

  !> The gpuarr_generator* for calls of gpuarr_c, borrowed. Thread-safe.
  pure function generator_c_handle(self) result(handle)
    class(gpuarr_generator), intent(in) :: self
    type(c_ptr) :: handle
    handle = self%handle
  end function

  !> Take over a reference to a gpuarr_generator* that a call of gpuarr_c made.
  subroutine generator_adopt(self, handle)
    class(gpuarr_generator), intent(inout) :: self
    type(c_ptr), intent(in) :: handle
    call self%release()
    self%handle = handle
  end subroutine

  impure elemental subroutine generator_assign(self, other)
    class(gpuarr_generator), intent(inout) :: self
    type(gpuarr_generator), intent(in) :: other
    type(c_ptr) :: held
    held = gpuarr_generator_retain_c(other%handle)
    call self%release()
    self%handle = held
  end subroutine

  impure elemental subroutine generator_final(self)
    type(gpuarr_generator), intent(inout) :: self
    call self%release()
  end subroutine

end module
