// What the serial device is made of: a compiler, and what runs the code that comes out.
#pragma once

#include <memory>
#include <string>

#include "device/device.hpp"

namespace gpuarr::serial {

std::string compiler_version();
std::string compile_source(const Source& source);
std::string compile_raw_source(const RawSource& source);

std::shared_ptr<Module> load_module(const std::string& image);
std::shared_ptr<RawModule> load_raw_module(const std::string& image);

}  // namespace gpuarr::serial
