! A kernel from a file, 15_tiled_product.cu: a matrix product in tiles of shared memory.
! 15_tiled_product [FILE.cu]: without it the file is beside the program
program tiled_product
  use gpuarr
  implicit none
  integer, parameter :: rows = 200, inner = 300, columns = 250, tile = 16
  call main()

contains

  subroutine main()
    real, allocatable :: a(:, :), b(:, :), c(:, :)
    character(1000) :: path
    type(gpuarr_device) :: device
    type(gpuarr_module) :: module
    type(gpuarr_raw) :: product
    type(gpuarr_array) :: a_array, b_array, c_array
    integer :: i, j, k
    allocate(a(rows, inner), b(inner, columns))
    do k = 1, inner
      a(:, k) = [(mod(7 * (i - 1) + 3 * (k - 1), 11) - 5, i = 1, rows)]
      b(k, :) = [(mod(k - 1 + 5 * (j - 1), 13) - 6, j = 1, columns)]
    end do
    call device%open()
    call get_command_argument(0, path)
    path = path(:index(path, "/", back=.true.)) // "15_tiled_product.cu"
    if (command_argument_count() > 0) call get_command_argument(1, path)
    call module%open(path)
    call module%kernel(product, "tiled_product")
    call a_array%from_host(a)
    call b_array%from_host(b)
    call c_array%empty([rows, columns], GPUARR_F32)

    ! The kernel takes pointers, to matrices whose rows lie one after the other, as C has them. Here
    ! the columns do, so that it sees each matrix transposed: and c' is b' times a'. A block for
    ! each tile of that, a thread for each of its elements; x is its column, which is c's row.
    call product%launch([(rows + tile - 1) / tile, (columns + tile - 1) / tile], [tile, tile], &
                        b_array, a_array, c_array, columns, inner, rows)
    call c_array%to_allocatable(c)
    if (any(c /= matmul(a, b))) error stop "the product is wrong"  ! small integers: exact
    print "(a, 2(i0, a, i0, a), i0, a, i0, 2a)", "ok: a product of (", rows, ", ", inner, &
        ") and (", inner, ", ", columns, ") in tiles of ", tile, " x ", tile, " on ", device%name()
  end subroutine

end program
