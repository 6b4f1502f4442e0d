// A selection made ready: how each kind of device runs it.
#pragma once

#include <optional>

#include "array/array.hpp"
#include "codegen/select/select.hpp"

namespace gpuarr {

/// What it works on: arrays in C order.
struct SelectJob {
  SelectVariant variant;
  SelectParameters parameters = {};
  Array mask;
  std::optional<Array> from;
  Array to;
  std::optional<Array> count;  // which gets the number
};

void select_on_host(SelectJob& job, Stream& stream);
void select_on_gpu(SelectJob& job, Stream& stream);

}  // namespace gpuarr
