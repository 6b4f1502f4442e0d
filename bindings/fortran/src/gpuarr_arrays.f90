!> N-dimensional arrays on a device: made, asked, copied, looked at. The procedures stand in the
!> files that are included at the end; what they share is here.
module gpuarr_arrays
  use, intrinsic :: iso_c_binding
  use gpuarr_c
  use gpuarr_devices
  use gpuarr_errors
  use gpuarr_host_layouts
  use gpuarr_host_sections
  use gpuarr_scalars
  use gpuarr_streams
  implicit none
  private
  public :: gpuarr_operand, gpuarr_array, gpuarr_result, gpuarr_expr, arg, arg_view, give
  public :: formula, formula_of, make_result, make_formula, hold, let_go, copy_beside
  public :: gpuarr_dtype_name, gpuarr_dtype_size, gpuarr_dtype_from_name

  !> What operators, functions and calls take: an array, or what becomes one.
  type, abstract :: gpuarr_operand
  contains
    procedure(c_handle_of), deferred :: c_handle
  end type

  !> An expression, and for as long as a call needs an array of it, that array.
  type :: formula
    type(c_ptr) :: expr = c_null_ptr
    type(c_ptr) :: computed = c_null_ptr
    type(c_ptr) :: device = c_null_ptr
  end type

  !> What an operator or a function gives: an expression that is not computed yet, or an array. It
  !> is used up by the next operator, or by the assignment to an array or a gpuarr_expr: once, since
  !> gfortran before 13 never ends what functions return, and others do. A function of yours may
  !> return one, as `y = log(1 + exp(x))`; name it for nothing else.
  type, extends(gpuarr_operand) :: gpuarr_result
    private
    type(formula), pointer :: formula => null()
    type(c_ptr) :: handle = c_null_ptr
    logical :: is_view = .false.  !< of an array that goes on: copied when it is assigned
  contains
    procedure :: c_handle => result_c_handle
  end type

  !> An expression that has a name: `e = x - y` computes nothing, and `z = e * e` all of it, by the
  !> elements that x and y have then. Each array that it is assigned to is computed anew;
  !> gpuarr_evaluate computes several together. An assignment makes another reference to the same
  !> expression. No two threads should give one to a call at a time.
  type, extends(gpuarr_operand) :: gpuarr_expr
    private
    type(formula), pointer :: formula => null()
  contains
    procedure :: is_set => expr_is_set
    procedure :: rank => expr_rank
    procedure :: shape => expr_shape
    procedure :: dtype => expr_dtype
    procedure :: release => expr_release
    procedure :: c_handle => expr_c_handle
    procedure :: c_expr => expr_c_expr
    procedure :: adopt => expr_adopt
    procedure, private :: expr_assign
    generic :: assignment(=) => expr_assign
    final :: expr_final
  end type

  !> An array of at most 32 dims on one device. Several may look at the same memory, which lives as
  !> long as one of them. An assignment makes another reference to the same array. Dims count from
  !> 1, and memory is in Fortran's order unless another is asked for. Procedures that make an array
  !> of nothing are called on it (`call x%zeros([2, 3], GPUARR_F64)`) and release first what it
  !> held; those that make one of another are called on the other, with the result first
  !> (`call x%slice(view, 1, last=5)`). Elements are not locked: no two threads should work with
  !> them at a time, unless both only read.
  type, extends(gpuarr_operand) :: gpuarr_array
    private
    type(c_ptr) :: handle = c_null_ptr
  contains
    procedure :: arange => array_arange
    procedure :: eye => array_eye
    procedure :: load => array_load
    procedure :: save => array_save
    procedure :: from_dlpack => array_from_dlpack
    procedure :: to_dlpack => array_to_dlpack

    procedure :: is_set => array_is_set
    procedure :: rank => array_rank
    procedure :: shape => array_shape
    procedure :: strides => array_strides
    procedure, private :: array_size, array_extent
    generic :: size => array_size, array_extent
    procedure :: dtype => array_dtype
    procedure :: device => array_device
    procedure :: data => array_data
    procedure :: is_contiguous => array_is_contiguous
    procedure :: is_read_only => array_is_read_only

    procedure :: copy => array_copy
    procedure :: contiguous => array_contiguous
    procedure :: astype => array_astype
    procedure :: assign => array_assign
    procedure :: fill => array_fill
    procedure :: to_device => array_to_device

    procedure :: slice => array_slice
    procedure :: select => array_select
    procedure :: transpose => array_transpose
    procedure :: permute => array_permute
    procedure :: squeeze => array_squeeze
    procedure :: expand => array_expand
    procedure :: diagonal => array_diagonal

    procedure :: release => array_release
    procedure :: adopt => array_adopt
    procedure :: c_handle => array_c_handle
    procedure, private :: array_refer, array_take, array_compute
    generic :: assignment(=) => array_refer, array_take, array_compute
    procedure, private :: array_linspace_real32, array_linspace_real64
    generic :: linspace => array_linspace_real32, array_linspace_real64
    include "gpuarr_arrays_names.inc"
    final :: array_final
  end type

  !> An array as an argument, borrowed: it must stay until the call that gets the argument. For
  !> scalars see gpuarr_scalars. Thread-safe.
  interface arg
    module procedure arg_array
  end interface

  abstract interface
    function c_handle_of(self) result(handle)
      import
      class(gpuarr_operand), intent(in) :: self
      type(c_ptr) :: handle
    end function
  end interface

  ! What an array is does not change: these are known to have no effects, other than in gpuarr_c.
  interface
    pure function c_rank(array) bind(c, name="gpuarr_array_ndim") result(rank)
      import
      type(c_ptr), value :: array
      integer(c_int32_t) :: rank
    end function
    pure function c_dtype(array) bind(c, name="gpuarr_array_dtype") result(dtype)
      import
      type(c_ptr), value :: array
      integer(c_int32_t) :: dtype
    end function
    pure function c_size(array) bind(c, name="gpuarr_array_size") result(size)
      import
      type(c_ptr), value :: array
      integer(c_int64_t) :: size
    end function
  end interface

contains

  function arg_array(array) result(a)
    type(gpuarr_array), intent(in) :: array
    type(gpuarr_arg) :: a
    a%c%array = array%handle
  end function

  !> An array for a raw kernel's parameter of type gpuarr_view<T, NDIM>, in which x(i, j) is element
  !> (i+1, j+1) of the array. It is borrowed as by `arg`. Thread-safe.
  function arg_view(array) result(a)
    type(gpuarr_array), intent(in) :: array
    type(gpuarr_arg) :: a
    a%c = gpuarr_arg_view_c(array%handle)
  end function

  !> Whether this holds an array. Thread-safe, as all that asks is.
  elemental logical function array_is_set(self)
    class(gpuarr_array), intent(in) :: self
    array_is_set = c_associated(self%handle)
  end function

  !> Number of dims; 0 if there is no array.
  pure integer function array_rank(self)
    class(gpuarr_array), intent(in) :: self
    array_rank = c_rank(self%handle)
  end function

  !> Extents of the dims, in Fortran's order.
  function array_shape(self) result(shape)
    class(gpuarr_array), intent(in) :: self
    integer(c_int64_t), allocatable :: shape(:)
    shape = numbers(gpuarr_array_shape_c(self%handle), self%rank())
  end function

  !> Strides of the dims, in elements; may be negative or 0.
  function array_strides(self) result(strides)
    class(gpuarr_array), intent(in) :: self
    integer(c_int64_t), allocatable :: strides(:)
    strides = numbers(gpuarr_array_strides_c(self%handle), self%rank())
  end function

  !> Number of elements.
  pure integer(c_int64_t) function array_size(self)
    class(gpuarr_array), intent(in) :: self
    array_size = c_size(self%handle)
  end function

  !> Extent of a dim, from 1; 0 for one that is not there.
  integer(c_int64_t) function array_extent(self, dim)
    class(gpuarr_array), intent(in) :: self
    integer, intent(in) :: dim
    integer(c_int64_t), allocatable :: shape(:)
    array_extent = 0
    shape = self%shape()
    if (dim >= 1 .and. dim <= size(shape)) array_extent = shape(dim)
  end function

  !> Type of the elements, GPUARR_F32 and so on; 0 if there is no array.
  pure integer(c_int32_t) function array_dtype(self)
    class(gpuarr_array), intent(in) :: self
    array_dtype = c_dtype(self%handle)
  end function

  !> The array's device.
  function array_device(self) result(device)
    class(gpuarr_array), intent(in) :: self
    type(gpuarr_device) :: device
    device = device_from_c(gpuarr_array_device_c(self%handle))
  end function

  !> Address of the first element on the array's device, borrowed. Work in streams may still be
  !> writing there. c_null_ptr for an array without elements.
  function array_data(self) result(address)
    class(gpuarr_array), intent(in) :: self
    type(c_ptr) :: address
    address = gpuarr_array_data_c(self%handle)
  end function

  !> Whether the elements lie one after the other, in Fortran's order if no other is given:
  !> GPUARR_ORDER_C, GPUARR_ORDER_F, or GPUARR_ORDER_K for any order of dims.
  logical function array_is_contiguous(self, order)
    class(gpuarr_array), intent(in) :: self
    integer(c_int32_t), intent(in), optional :: order
    array_is_contiguous = gpuarr_array_is_contiguous_c(self%handle, &
        order_or(GPUARR_ORDER_F, order)) /= 0
  end function

  !> Whether the library refuses to write to the array, which was wrapped as one to be read only.
  logical function array_is_read_only(self)
    class(gpuarr_array), intent(in) :: self
    array_is_read_only = gpuarr_array_is_read_only_c(self%handle) /= 0
  end function

  !> Drop the reference. It is freed once there is no other reference and the work that uses
  !> it is done, without waiting. More than one call is fine. From any thread.
  impure elemental subroutine array_release(self)
    class(gpuarr_array), intent(inout) :: self
    if (c_associated(self%handle)) call gpuarr_array_release_c(self%handle)
    self%handle = c_null_ptr
  end subroutine

  !> The gpuarr_array* for calls of gpuarr_c, borrowed. Thread-safe.
  pure function array_c_handle(self) result(handle)
    class(gpuarr_array), intent(in) :: self
    type(c_ptr) :: handle
    handle = self%handle
  end function

  !> Take over a reference to a gpuarr_array* that a call of gpuarr_c made.
  subroutine array_adopt(self, handle)
    class(gpuarr_array), intent(inout) :: self
    type(c_ptr), intent(in) :: handle
    call self%release()
    self%handle = handle
  end subroutine

  impure elemental subroutine array_refer(self, other)
    class(gpuarr_array), intent(inout) :: self
    type(gpuarr_array), intent(in) :: other
    type(c_ptr) :: held
    held = gpuarr_array_retain_c(other%handle)
    call self%release()
    self%handle = held
  end subroutine

  impure elemental subroutine array_final(self)
    type(gpuarr_array), intent(inout) :: self
    call self%release()
  end subroutine

  !> Bytes of an element; 0 for a value that is no dtype. Thread-safe.
  integer(c_int64_t) function gpuarr_dtype_size(dtype)
    integer(c_int32_t), intent(in) :: dtype
    gpuarr_dtype_size = gpuarr_dtype_size_c(dtype)
  end function

  !> Name of a dtype, "float32"; "unknown" for a value that is none. Thread-safe.
  function gpuarr_dtype_name(dtype) result(name)
    integer(c_int32_t), intent(in) :: dtype
    character(:), allocatable :: name
    name = f_text(gpuarr_dtype_name_c(dtype))
  end function

  !> Find a dtype by name, "float32" or "f32".
  !> Fails with GPUARR_ERR_TYPE, when `dtype` is 0. Thread-safe.
  subroutine gpuarr_dtype_from_name(dtype, name, stat, errmsg)
    integer(c_int32_t), intent(out) :: dtype
    character(*), intent(in) :: name
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    state%status = gpuarr_dtype_from_name_c(dtype, c_text(name))
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Let `out` go of what it held, which may be what the array was made of, if one was made.
  subroutine give(out, made, state)
    class(gpuarr_array), intent(inout) :: out
    type(c_ptr), intent(in) :: made
    type(call_state), intent(in) :: state
    if (is_ok(state)) call out%adopt(made)
  end subroutine

  !> Copy numbers that C lends.
  function numbers(address, count)
    type(c_ptr), intent(in) :: address
    integer, intent(in) :: count
    integer(c_int64_t), allocatable :: numbers(:)
    integer(c_int64_t), pointer :: lent(:)
    if (count > 0) then
      call c_f_pointer(address, lent, [count])
      numbers = lent
    else
      allocate(numbers(0))
    end if
  end function

  pure integer(c_int32_t) function order_or(default, order)
    integer(c_int32_t), intent(in) :: default
    integer(c_int32_t), intent(in), optional :: order
    order_or = default
    if (present(order)) order_or = order
  end function

  include "gpuarr_arrays_values.inc"
  include "gpuarr_arrays_make.inc"
  include "gpuarr_arrays_copy.inc"
  include "gpuarr_arrays_view.inc"
  include "gpuarr_arrays_specifics.inc"

end module
