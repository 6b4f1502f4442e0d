! More data than memory: an array in a Zarr directory is made, mapped and summed slab by slab; only
! one slab is in memory at a time. The same program runs by itself, by `gpuarr run -n 4`, and by
! mpirun: 43_larger_than_memory [DIRECTORY]
program larger_than_memory
  use, intrinsic :: iso_fortran_env
  use gpuarr
  implicit none
  integer, parameter :: rows = 500, columns = 2000, slab = 500
  call main()

contains

  subroutine main()
    type(gpuarr_team) :: team
    type(gpuarr_blocked) :: x, slab_sum
    character(1000) :: path
    real(real64) :: part, total
    integer :: column
    path = "larger_than_memory.zarr"
    if (command_argument_count() > 0) call get_command_argument(1, path)
    call team%world()
    call x%empty(team, [rows, slab], GPUARR_F64, chunk=[rows, 100])

    call gpuarr_file_create(team, path, GPUARR_FILE_ZARR, [rows, columns], GPUARR_F64, &
        chunk=[rows, 100])
    do column = 1, columns, slab
      call x%arange((column - 1) * rows)
      call x%save_part(path, first=[1, column])
    end do

    total = 0
    do column = 1, columns, slab
      call x%load_part(path, first=[1, column])
      call gpuarr_map_blocks("2 * x + 1", x, ["x"], [arg(x)])
      call x%save_part(path, first=[1, column])
      call gpuarr_blocked_reduce(slab_sum, "sum", x)
      call slab_sum%to_host(part)
      total = total + part
    end do
    if (total /= (real(rows, real64) * columns)**2) error stop "the sum is wrong"
    if (team%first() == 0) print "(3a, i0)", "the sum of ", trim(path), " is ", nint(total, int64)
  end subroutine

end program
