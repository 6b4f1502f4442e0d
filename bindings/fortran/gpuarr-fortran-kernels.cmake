# gpuarr_fortran_kernels(TARGET SOURCE... [USES SOURCE...]): adds to the target the sources, and for
# each the modules of its kernels, which `gpuarr fortran` writes when the source has changed. Modules
# may be used of the sources before, and of those after USES, which have no kernels.
# GPUARR_FORTRAN_TRANSLATE is the folder of the translator; GPUARR_FPARSER, if it is set, one where
# Python finds fparser.
function(gpuarr_fortran_kernels target)
  find_program(GPUARR_PYTHON python3 HINTS /usr/bin REQUIRED)
  set(command ${GPUARR_PYTHON} ${GPUARR_FORTRAN_TRANSLATE}/translate.py)
  if(GPUARR_FPARSER)
    set(command ${CMAKE_COMMAND} -E env PYTHONPATH=${GPUARR_FPARSER} ${command})
  endif()
  file(GLOB translator ${GPUARR_FORTRAN_TRANSLATE}/gpuarr_fortran/*.py)
  cmake_parse_arguments(PARSE_ARGV 1 given "" "" USES)
  set(uses)
  set(used)
  foreach(source IN LISTS given_USES)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
    target_sources(${target} PRIVATE ${source})
    list(APPEND uses --uses ${source})
    list(APPEND used ${source})
  endforeach()
  foreach(source IN LISTS given_UNPARSED_ARGUMENTS)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
    cmake_path(GET source STEM stem)
    set(kernels ${CMAKE_CURRENT_BINARY_DIR}/${target}_kernels/${stem}_kernels.f90)
    add_custom_command(OUTPUT ${kernels} VERBATIM
      COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_CURRENT_BINARY_DIR}/${target}_kernels
      COMMAND ${command} ${source} ${uses} -o ${kernels} DEPENDS ${source} ${used} ${translator}
      COMMENT "Translating ${stem} to kernels")
    target_sources(${target} PRIVATE ${source} ${kernels})
    list(APPEND uses --uses ${source})
    list(APPEND used ${source})
  endforeach()
endfunction()
