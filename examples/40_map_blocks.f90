! A kernel of your own for each block of a chunked array: Dask's map_blocks, on several devices or
! processes. The same program runs by itself, by `gpuarr run -n 4`, and by mpirun.
program map_blocks
  use gpuarr
  implicit none
  character, parameter :: lf = new_line("a")

  ! Blocks are in Fortran's order: the element behind x[i] is in the same column.
  character(*), parameter :: source = &
      "extern ""C"" __global__ void add(const float* x, const float* y, float* z," // lf // &
      "                               long long n, long long height) {" // lf // &
      "  long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;" // lf // &
      "  if (i < n) z[i] = x[i] + y[i / height];" // lf // &
      "}"
  integer, parameter :: rows = 4096, columns = 1024
  call main()

contains

  subroutine main()
    type(gpuarr_team) :: team
    type(gpuarr_blocked) :: x, y, z
    type(gpuarr_raw) :: add
    real :: row(columns)
    integer :: j
    call team%world()  ! all processes; by itself, this one
    if (team%first() == 0) print "(a)", team%describe()

    ! x and z are 4 x 2 blocks of 1024 x 512; y has two blocks, which every place has.
    call x%empty(team, [rows, columns], GPUARR_F32, chunk=[1024, 512])
    call y%empty(team, [columns], GPUARR_F32, chunk=[512], placement=GPUARR_PLACEMENT_REPLICATED)
    call z%empty_like(x)
    call x%arange(0)
    call y%arange(0, 10)

    call add%create(source, "add")
    call gpuarr_map_blocks(add, z, x, y, z, arg_block_size(), arg_block_extent(1))

    call z%to_host(row, first=[3001, 1], last=[3001, columns])  ! every process gets row 3001
    do j = 1, columns
      if (row(j) /= real(3000 + (j - 1) * rows) + real(10 * (j - 1))) error stop "z is wrong"
    end do
  end subroutine

end program
