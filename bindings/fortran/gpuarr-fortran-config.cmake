# find_package(gpuarr-fortran) gives gpuarr::fortran, and what find_package(gpuarr) does.
include(CMakeFindDependencyMacro)
find_dependency(gpuarr)
include(${CMAKE_CURRENT_LIST_DIR}/gpuarr-fortran-targets.cmake)
