// Preprocessed CUDA C++ on its way to the CPU's compiler.
#include <string>

#include "host/read/local_memory.hpp"
#include "host/translate/translate.hpp"
#include "targets.hpp"

void fuzz::raw(std::string_view input) {
  using namespace gpuarr::host;
  for (const Purpose purpose : {Purpose::speed, Purpose::checks, Purpose::plain})
    survive([&] { translate(input, {"k<float, 4>", "ns::k"}, purpose); });
  survive([&] { has_local_memory(input); });
}
