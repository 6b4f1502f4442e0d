// The environment. For the library's own variables there is core/settings.hpp.
#pragma once

#include <optional>
#include <string>

namespace gpuarr {

/// Value of a variable; nothing if it is unset, empty, or the process runs with raised privileges.
std::optional<std::string> env(const char* name);

/// The same where the process is privileged() too, for what can only take rights away.
std::optional<std::string> given_env(const char* name);

/// Whether the caller gave the process rights that he lacks himself: it is set-user-ID or
/// set-group-ID, or has capabilities of its file. Then nothing of his environment counts.
bool privileged() noexcept;

/// Where programs are looked for: $PATH, or the usual directories.
std::string program_path();

}  // namespace gpuarr
