// Opening NCCL, and its errors.
#include "cuda/libraries/nccl.hpp"

#include <iterator>
#include <memory>
#include <utility>

#include "core/error.hpp"
#include "core/log.hpp"
#include "core/once.hpp"
#include "cuda/driver/driver.hpp"
#include "cuda/driver/fault.hpp"
#include "cuda/driver/locate.hpp"

namespace gpuarr::cuda {
namespace {

constexpr const char* remedy =
    "install libnccl2, or nvidia-nccl-cu13 or nvidia-nccl-cu12 by pip, or set $GPUARR_NCCL to its "
    "file";
constexpr const char* names[] = {"ncclSuccess",       "ncclUnhandledCudaError", "ncclSystemError",
                                 "ncclInternalError", "ncclInvalidArgument",    "ncclInvalidUsage",
                                 "ncclRemoteError",   "ncclInProgress"};
constexpr Nccl::Result remote_error = 6;

Library open_nccl() {
  return open_toolkit({.title = "NCCL, which sends between GPUs",
                       .setting = "GPUARR_NCCL",
                       .sonames = {"libnccl.so.2"},
                       .packages = {"libnccl2", "by pip nvidia-nccl-cu13", "nvidia-nccl-cu12"},
                       .wheel = "nvidia/nccl/lib"});
}

std::string text_of(int version) {
  if (version < 10000)  // before 2.9
    return formatted("{}.{}.{}", version / 1000, version / 100 % 10, version % 100);
  return formatted("{}.{}.{}", version / 10000, version / 100 % 100, version % 100);
}

int checked_version(const Nccl& api) {
  int version = 0;
  api.get_version(&version);
  if (version < Nccl::oldest)
    fail(GPUARR_ERR_NO_LIBRARY, "{} is NCCL {}; 2.14 or newer is needed: {}", api.library.path,
         text_of(version), remedy);
  return version;
}

}  // namespace

const Nccl& nccl() {
  static auto* once = new Once<Nccl>;  // never destroyed: it has threads
  return once->get([] {
    auto made = std::make_unique<Nccl>(open_nccl());
    log(Topic::library, "messages between GPUs: NCCL {} ({})", made->version_text(),
        made->library.path);
    return made;
  });
}

Nccl::Nccl(Library opened) : library(std::move(opened)), version(checked_version(*this)) {}

std::string Nccl::version_text() const { return text_of(version); }

void* Nccl::find(const char* name) const {
  if (void* address = library.symbol(name)) return address;
  gpuarr::fail(GPUARR_ERR_NO_LIBRARY, "{} has no {}; NCCL 2.14 or newer is needed: {}",
               library.path, name, remedy);
}

void Nccl::fail(const char* what, Result result) const {
  const Driver& api = driver();
  size_t free = 0;
  size_t total = 0;
  if (const CUresult now = api.memory_get_info.unchecked(&free, &total); is_sticky(now))
    api.fail(what, now);
  const bool known = result > 0 && result < static_cast<int>(std::size(names));
  std::string text = formatted("{} failed: {} ({}): {}", what, known ? names[result] : "NCCL",
                               result, get_error_string.unchecked(result));
  if (std::string last = get_last_error.unchecked(nullptr); !last.empty())
    text += formatted("; NCCL's last message: {}", last);
  throw Error(result == remote_error ? GPUARR_ERR_PEER : GPUARR_ERR_DRIVER, std::move(text),
              result);
}

}  // namespace gpuarr::cuda
