! Views and streams: add a vector to the rows of a matrix, block by block, on two streams, without
! copying any part of it.
program block_rows
  use gpuarr
  implicit none
  integer, parameter :: rows = 1000, columns = 257, block_size = 64
  call main()

contains

  subroutine main()
    real, allocatable :: matrix(:, :), result(:, :)
    real :: vector(columns)
    type(gpuarr_device) :: device
    type(gpuarr_stream) :: streams(2)
    type(gpuarr_event) :: copied
    type(gpuarr_elementwise) :: add
    type(gpuarr_array) :: whole, row, even_columns, even_row, block
    integer :: i, j, k, first
    allocate(matrix(rows, columns))
    do j = 1, columns
      matrix(:, j) = [(i - j, i = 1, rows)]
      vector(j) = (j - 1)**2
    end do
    call device%open()
    call add%create("T x, T v", "T x", "x += v;")
    call whole%from_host(matrix)
    call row%from_host(vector)

    ! Every second column, as matrix(:, ::2).
    call whole%slice(even_columns, 2, step=2)
    call row%slice(even_row, 1, step=2)

    ! The elements come in the current stream: the two streams wait for that point of it.
    call copied%create(flags=GPUARR_EVENT_NO_TIMING)
    call copied%record()
    do k = 1, 2
      call streams(k)%create()
      call streams(k)%wait(copied)
    end do

    k = 1
    do first = 1, rows, block_size
      call even_columns%slice(block, 1, first, min(first + block_size - 1, rows))
      call add%call(block, block, even_row, stream=streams(k))  ! in place
      k = 3 - k
    end do
    do k = 1, 2
      call streams(k)%synchronize()
    end do

    call whole%to_allocatable(result)
    do j = 1, columns, 2
      matrix(:, j) = matrix(:, j) + vector(j)
    end do
    if (any(result /= matrix)) error stop "a sum is wrong"
    print "(a, i0, a, i0, 2a)", "ok: a vector added to every second column of ", rows, &
        " rows, ", block_size, " at a time on two streams, on ", device%name()
  end subroutine

end program
