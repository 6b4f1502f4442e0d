!> Where the elements of a Fortran array lie, as C is told.
module gpuarr_host_layouts
  use, intrinsic :: iso_c_binding
  implicit none
  private
  public :: host_layout, layout_of, make_regular, span_of, unpack_elements

  !> Type, shape and place of elements in the host's memory.
  type :: host_layout
    integer(c_int32_t) :: dtype = 0
    integer(c_int32_t) :: ndim = 0
    integer(c_int64_t) :: bytes = 0        !< of an element
    integer(c_int64_t) :: shape(7) = 0
    integer(c_int64_t) :: distances(7) = 0 !< of neighbours, in bytes
    integer(c_int64_t) :: strides(7) = 0   !< the same in elements
    type(c_ptr) :: data = c_null_ptr       !< the first element; somewhere if there is none
    logical :: regular = .true.            !< .false. where no whole numbers are the strides
  end type

  integer(c_int64_t), target :: nothing(2) = 0

contains

  !> Work out a layout.
  !> @param dtype   type of the elements
  !> @param bytes   of one of them
  !> @param shape   extents
  !> @param places  addresses of the first element, and of its neighbour along each dim where there
  !>                is one; looked at only if there are elements
  function layout_of(dtype, bytes, shape, places) result(host)
    integer(c_int32_t), intent(in) :: dtype
    integer(c_int64_t), intent(in) :: bytes, shape(:)
    type(c_ptr), intent(in) :: places(0:)
    type(host_layout) :: host
    integer :: k
    host%dtype = dtype
    host%ndim = size(shape)
    host%bytes = bytes
    host%shape(:size(shape)) = shape
    call lay_side_by_side(host)
    host%data = c_loc(nothing)
    if (any(shape == 0)) return
    host%data = places(0)
    do k = 1, size(shape)
      if (shape(k) > 1) host%distances(k) = address(places(k)) - address(places(0))
    end do
    host%strides = host%distances / bytes
    host%regular = all(host%strides * bytes == host%distances)
  end function

  !> A layout that whole strides describe: the same where they do, else of a copy of the elements,
  !> side by side in `packed`.
  subroutine make_regular(plain, packed, host)
    type(host_layout), intent(out) :: plain
    integer(c_int8_t), allocatable, target, intent(out) :: packed(:)
    type(host_layout), intent(in) :: host
    integer(c_int8_t), pointer :: element(:)
    integer(c_int64_t) :: k
    plain = host
    if (host%regular) return
    allocate(packed(host%bytes * count_of(host)))
    do k = 0, count_of(host) - 1
      call c_f_pointer(place_of_element(host, k), element, [host%bytes])
      packed(k * host%bytes + 1 : (k + 1) * host%bytes) = element
    end do
    call lay_side_by_side(plain)
    plain%data = c_loc(packed)
    plain%regular = .true.
  end subroutine

  !> Copy elements from such a copy to where they lie.
  subroutine unpack_elements(host, packed)
    type(host_layout), intent(in) :: host
    integer(c_int8_t), intent(in) :: packed(:)
    integer(c_int8_t), pointer :: element(:)
    integer(c_int64_t) :: k
    do k = 0, count_of(host) - 1
      call c_f_pointer(place_of_element(host, k), element, [host%bytes])
      element = packed(k * host%bytes + 1 : (k + 1) * host%bytes)
    end do
  end subroutine

  pure subroutine lay_side_by_side(host)
    type(host_layout), intent(inout) :: host
    integer(c_int64_t) :: stride
    integer :: k
    stride = 1
    do k = 1, host%ndim
      host%strides(k) = stride
      stride = stride * max(host%shape(k), 1_c_int64_t)
    end do
    host%distances = host%strides * host%bytes
  end subroutine

  pure integer(c_int64_t) function count_of(host)
    type(host_layout), intent(in) :: host
    count_of = product(host%shape(:host%ndim))
  end function

  !> Bytes from the lowest to the highest element of a regular layout.
  pure integer(c_int64_t) function span_of(host)
    type(host_layout), intent(in) :: host
    span_of = 0
    if (count_of(host) == 0) return
    span_of = (1 + sum((host%shape(:host%ndim) - 1) * abs(host%strides(:host%ndim)))) * host%bytes
  end function

  !> Where element k is, from 0, in Fortran's order.
  function place_of_element(host, k) result(place)
    type(host_layout), intent(in) :: host
    integer(c_int64_t), intent(in) :: k
    type(c_ptr) :: place
    integer(c_int64_t) :: rest, bytes
    integer :: dim
    rest = k
    bytes = 0
    do dim = 1, host%ndim
      bytes = bytes + mod(rest, host%shape(dim)) * host%distances(dim)
      rest = rest / host%shape(dim)
    end do
    place = transfer(address(host%data) + bytes, place)
  end function

  pure integer(c_int64_t) function address(place)
    type(c_ptr), intent(in) :: place
    address = transfer(place, address)
  end function

end module
