// CUDA C++ for the CPU device, made ready for tests of it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "backends.hpp"
#include "codegen/raw/raw.hpp"
#include "device/device.hpp"

inline gpuarr::RawSource raw_source(std::string text, std::vector<std::string> instances = {}) {
  gpuarr::RawSource out;
  out.name = "module";
  out.text = std::move(text);
  out.instances = std::move(instances);
  auto environment = gpuarr::host_environment(out.text);
  out.prelude = std::move(environment.prelude);
  for (auto& header : environment.headers)
    out.headers.push_back({std::move(header.name), std::move(header.text)});
  return out;
}

inline std::shared_ptr<gpuarr::RawModule> raw_module(const gpuarr::RawSource& source) {
  gpuarr::Device& device = gpuarr::host_device();
  return device.load_raw(device.compile_raw(source));
}

/// Packs arguments as a kernel's parameters lie, and launches it; waits for the end.
template <class... A>
void launch(gpuarr::RawFunction& kernel, gpuarr::Dim3 grid, gpuarr::Dim3 block, A... arguments) {
  std::vector<unsigned char> packed;
  const auto put = [&](const auto& value) {
    const size_t align = alignof(std::remove_cvref_t<decltype(value)>);
    const size_t at = (packed.size() + align - 1) / align * align;
    packed.resize(at + sizeof value);
    std::memcpy(packed.data() + at, &value, sizeof value);
  };
  (put(arguments), ...);
  gpuarr::RawLaunch how;
  how.grid = grid;
  how.block = block;
  how.shared_bytes = 4096;
  auto stream = gpuarr::host_device().create_stream(0);
  kernel.launch(how, packed.data(), packed.size(), *stream);
  std::ranges::fill(packed, 0xee);  // they were read before the call returned
  stream->synchronize();
}
