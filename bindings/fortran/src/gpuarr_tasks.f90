!> Tasks: what runs in the order of a stream.
module gpuarr_tasks
  use, intrinsic :: iso_c_binding
  implicit none
  private
  public :: gpuarr_task, run_task, place_of

  !> How a task is found again from an address that goes through C.
  type :: task_place
    class(gpuarr_task), pointer :: task => null()
  end type

  !> Something to be run in the order of a stream: extend it with what it needs, and give it `run`.
  type, abstract :: gpuarr_task
    type(task_place), private :: place
  contains
    procedure(task_run), deferred :: run
  end type

  abstract interface
    !> Is called once. It can neither use a GPU nor wait for any work, but may release objects; an
    !> error stop in it ends the program.
    subroutine task_run(self)
      import gpuarr_task
      class(gpuarr_task), intent(inout) :: self
    end subroutine
  end interface

contains

  !> An address by which run_task finds a task.
  function place_of(task) result(address)
    class(gpuarr_task), target, intent(inout) :: task
    type(c_ptr) :: address
    task%place%task => task
    address = c_loc(task%place)
  end function

  !> Run the task of an address; this is the function for C.
  subroutine run_task(user) bind(c, name="")
    type(c_ptr), value :: user
    type(task_place), pointer :: place
    call c_f_pointer(user, place)
    call place%task%run()
  end subroutine

end module
