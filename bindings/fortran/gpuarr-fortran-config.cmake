# find_package(gpuarr-fortran) gives gpuarr::fortran, what find_package(gpuarr) does, and the function
# gpuarr_fortran_kernels. In projects of Fortran alone it brings C in, with which CMake looks for
# threads.
include(CMakeFindDependencyMacro)
if(NOT CMAKE_C_COMPILER_LOADED AND NOT CMAKE_CXX_COMPILER_LOADED)
  enable_language(C)
endif()
find_dependency(gpuarr)
include(${CMAKE_CURRENT_LIST_DIR}/gpuarr-fortran-targets.cmake)
set(GPUARR_FORTRAN_TRANSLATE @translate_from_package@)
cmake_path(ABSOLUTE_PATH GPUARR_FORTRAN_TRANSLATE BASE_DIRECTORY ${CMAKE_CURRENT_LIST_DIR} NORMALIZE)
include(${CMAKE_CURRENT_LIST_DIR}/gpuarr-fortran-kernels.cmake)
