#include "core/trace.hpp"

#include <dlfcn.h>
#include <execinfo.h>

#include <algorithm>
#include <cstdint>

#include "core/demangle.hpp"
#include "core/text.hpp"

namespace gpuarr {
namespace {

std::string file_name(const char* path) {
  const std::string whole = path != nullptr ? path : "";
  return whole.substr(whole.rfind('/') + 1);
}

std::string place(void* address) {
  // A return address may be the first of the next function, where the call never comes back.
  void* within = static_cast<char*>(address) - 1;
  Dl_info info{};
  if (dladdr(within, &info) == 0) return formatted("{}", address);
  auto from = [&](const void* base) {
    return reinterpret_cast<uintptr_t>(address) - reinterpret_cast<uintptr_t>(base);
  };
  if (info.dli_sname == nullptr)
    return formatted("{}+{:#x}", file_name(info.dli_fname), from(info.dli_fbase));
  const std::string plain = demangled(info.dli_sname);
  return formatted("{}+{:#x} ({})", plain.empty() ? info.dli_sname : plain, from(info.dli_saddr),
                   file_name(info.dli_fname));
}

}  // namespace

Trace trace_from(void* caller) noexcept {
  std::array<void*, 48> all;
  const auto end = all.begin() + backtrace(all.data(), static_cast<int>(all.size()));
  Trace trace;
  trace.frames[0] = caller;
  auto first = std::find(all.begin(), end, caller);
  for (size_t k = 0; k < trace.frames.size() && first != end; ++k) trace.frames[k] = *first++;
  return trace;
}

std::string to_string(const Trace& trace) {
  std::string out;
  size_t end = 0;  // of what is worth showing: who called main() is not
  for (void* frame : trace.frames) {
    const std::string next = frame != nullptr ? place(frame) : "";
    if (frame == nullptr || next.starts_with("__libc_start_main")) break;
    if (!next.starts_with("libc.so")) end = out.size() + (out.empty() ? 0 : 3) + next.size();
    out += (out.empty() ? "" : " < ") + next;
  }
  return out.substr(0, end != 0 ? end : out.size());
}

}  // namespace gpuarr
