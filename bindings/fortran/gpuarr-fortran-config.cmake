# find_package(gpuarr-fortran) gives gpuarr::fortran, and what find_package(gpuarr) does. In projects
# of Fortran alone it brings C in, with which CMake looks for threads.
include(CMakeFindDependencyMacro)
if(NOT CMAKE_C_COMPILER_LOADED AND NOT CMAKE_CXX_COMPILER_LOADED)
  enable_language(C)
endif()
find_dependency(gpuarr)
include(${CMAKE_CURRENT_LIST_DIR}/gpuarr-fortran-targets.cmake)
