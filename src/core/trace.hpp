// Where in the program a call came from: recorded cheaply, formatted on request.
#pragma once

#include <array>
#include <string>

namespace gpuarr {

/// Return addresses, the innermost first; null where there are no more.
struct Trace {
  std::array<void*, 6> frames{};
};

/// The calls that led to the one which returns to `caller`.
Trace trace_from(void* caller) noexcept;

/// "fill+0x1f (prog) < main+0x51 (prog)". A function that the program does not export has no name
/// here; its place is then one for addr2line: "prog+0x1234".
std::string to_string(const Trace& trace);

}  // namespace gpuarr
