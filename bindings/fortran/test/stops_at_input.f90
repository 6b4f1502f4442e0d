!> An input that no function has is an error stop with a message.
program stops_at_input
  use gpuarr
  implicit none
  type(gpuarr_expr) :: x
  x = gpuarr_input(0)
end program
