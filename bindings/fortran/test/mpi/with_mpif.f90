!> Teams of a program with mpif.h, whose communicators are integers.
module mpif_team
  use gpuarr
  implicit none
  include "mpif.h"

contains

  subroutine make(team)
    type(gpuarr_team), intent(inout) :: team
    call team%from_mpi(MPI_COMM_WORLD)
  end subroutine

end module

program with_mpif
  use checks
  use mpif_team
  use team_checks
  implicit none
  integer :: ierror, places
  call MPI_Init(ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, places, ierror)
  call start()
  call check_teams(make, places)
  call finish()
  call MPI_Finalize(ierror)
end program
