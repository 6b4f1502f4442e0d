# gpuarr_embed_kernels(TARGET a.cu b.cu ... [CHECK target ...] [INCLUDE folder ...]): CUDA C++ files
# become a part of a program. TARGET's sources `#include "a.cu.h"`, which has the text of a.cu as the
# string a_cu. Each file is compiled when it changes, for the targets of CHECK (host and sm_90 if
# there are none) that a compiler is here for; CHECK none leaves that out. Files that it includes in
# quotes are found beside it or in a folder of INCLUDE, and become part of the string.
function(gpuarr_embed_kernels target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "CHECK;INCLUDE")
  if(NOT TARGET gpuarr::command)
    message(FATAL_ERROR "gpuarr_embed_kernels needs the gpuarr command (-DGPUARR_BUILD_CLI=ON)")
  endif()
  if(NOT arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "gpuarr_embed_kernels(${target} ...) needs kernel files, such as heat.cu")
  endif()
  if(NOT arg_CHECK)
    set(arg_CHECK host sm_90)
  endif()
  list(JOIN arg_CHECK "," check)
  list(TRANSFORM arg_INCLUDE PREPEND -I OUTPUT_VARIABLE folders)
  set(directory ${CMAKE_CURRENT_BINARY_DIR}/gpuarr_kernels/${target})
  file(MAKE_DIRECTORY ${directory})
  foreach(file IN LISTS arg_UNPARSED_ARGUMENTS)
    cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} OUTPUT_VARIABLE source)
    cmake_path(GET source FILENAME name)
    set(header ${directory}/${name}.h)
    set(checked COMMAND gpuarr::command check ${source} --target ${check} ${folders})
    if(check STREQUAL "none")
      set(checked "")
    endif()
    add_custom_command(OUTPUT ${header} VERBATIM DEPENDS ${source} gpuarr::command
      DEPFILE ${header}.d WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} ${checked}
      COMMAND gpuarr::command embed ${source} -o ${header} ${folders}
        --depfile ${header}.d
      COMMENT "Embedding ${name}")
    target_sources(${target} PRIVATE ${header})
  endforeach()
  target_include_directories(${target} PRIVATE ${directory})
endfunction()
