// Types of raw kernels' parameters and variables, wherever they are written.
#include <string>

#include "kernel/text/parameter_type.hpp"
#include "targets.hpp"

void fuzz::type(std::string_view input) {
  using namespace gpuarr;
  survive([&] { parse_type(input); });
  survive([&] { parse_declared(input); });
  survive([&] { parse_demangled(input); });
  survive([&] { parse_source(input, "k"); });
  survive([&] { variable_type(input, "v"); });
  survive([&] { element_dtype(input); });
  survive([&] {
    require(has_variables(std::string("__device__ int v;") + std::string(input)),
            "a variable in front is found");
  });
  survive([&] { kernels_of(input); });
}
