!> Fails without stat: an error stop that says everything. CMakeLists.txt has what it has to say.
program stops_with_message
  use gpuarr
  implicit none
  type(gpuarr_array) :: x, y
  type(gpuarr_elementwise) :: kernel
  call x%zeros([2, 3], GPUARR_F32)
  call kernel%create("T x", "T y", "y = x +;")
  call kernel%call(y, x)
end program
