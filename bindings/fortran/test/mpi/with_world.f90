!> Teams of a program that knows nothing of MPI, under what started it: with_world PLACES
module world_team
  use gpuarr
  implicit none

contains

  subroutine make(team)
    type(gpuarr_team), intent(inout) :: team
    call team%world()
  end subroutine

end module

program with_world
  use checks
  use team_checks
  use world_team
  implicit none
  character(8) :: text
  integer :: places
  call get_command_argument(1, text)
  read (text, *) places
  call start()
  call check_teams(make, places)
  call finish()
end program
