// Parameter lists of kernels: those of the inputs on the first line, of the outputs behind it.
#include "kernel/text/signature.hpp"

#include "targets.hpp"

void fuzz::signature(std::string_view input) {
  const std::string_view inputs = take_line(input);
  survive([&] { gpuarr::parse_signature(inputs, input); });
}
