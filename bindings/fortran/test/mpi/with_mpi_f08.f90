!> Teams of a program with mpi_f08: of its world, and of a part of it in another order.
module mpi_f08_teams
  use mpi_f08
  use gpuarr
  implicit none
  type(MPI_Comm) :: turned

contains

  subroutine make_world(team)
    type(gpuarr_team), intent(inout) :: team
    call team%from_mpi(MPI_COMM_WORLD%MPI_VAL)
  end subroutine

  subroutine make_turned(team)
    type(gpuarr_team), intent(inout) :: team
    call team%from_mpi(turned%MPI_VAL)
  end subroutine

end module

program with_mpi_f08
  use checks
  use mpi_f08_teams
  use team_checks
  implicit none
  integer :: rank, places
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, places)
  call MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, turned)
  call start()
  call check_teams(make_world, places)
  call check_teams(make_turned, places)
  call communicators()
  call finish()
  call MPI_Finalize()

contains

  !> A team's places are the ranks of its communicator.
  subroutine communicators()
    type(gpuarr_team) :: team
    type(MPI_Comm) :: own
    integer :: how, stat
    character(:), allocatable :: message
    call team%from_mpi(turned%MPI_VAL)
    call expect(team%first(), places - 1 - rank, "a rank of another communicator")
    call expect_text(team%describe(), "MPI")
    own%MPI_VAL = team%mpi()
    call MPI_Comm_compare(own, turned, how)
    call expect(how == MPI_IDENT, "the communicator that a team was made of")
    call team%from_mpi(MPI_COMM_NULL%MPI_VAL, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "MPI_COMM_NULL")
  end subroutine

end program
