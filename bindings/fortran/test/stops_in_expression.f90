!> A failure of an operator is an error stop with the library's message.
program stops_in_expression
  use gpuarr
  implicit none
  type(gpuarr_array) :: x, y
  call x%ones([2], GPUARR_F32)
  call y%ones([3], GPUARR_F32)
  x = 2 * (x + y)
end program
