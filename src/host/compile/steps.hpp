// Runs of the system's C++ compiler in directories that go away.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "host/compile/toolchain.hpp"

namespace gpuarr::host {

/// Calls `work` with a directory's path, and once more with another place's if it comes back with
/// nothing: there was no room. Fails with GPUARR_ERR_IO where no place is left.
std::string in_scratch(const std::function<std::optional<std::string>(const std::string&)>& work);

/// What the compiler makes of `input`; nothing if there was no room for it. `directory` is taken
/// out of messages. `reads`, if it is not null, gets the files of the user's that it and its
/// assembler read. Throws CompileError.
std::optional<std::string> run_compiler(const Toolchain& toolchain,
                                        const std::vector<std::string>& options,
                                        const std::string& input, const std::string& directory,
                                        std::vector<std::string>* reads = nullptr);

void erase_all(std::string& text, const std::string& part);

}  // namespace gpuarr::host
