// Tests of kernel/cache_settings.hpp: what the environment says about the cache.
#include <stdlib.h>
#include <unistd.h>

#include "check.hpp"
#include "kernel/cache/settings.hpp"

using namespace gpuarr;

namespace {

void clean() {
  for (const char* name : {"GPUARR_CACHE", "GPUARR_CACHE_DIR", "GPUARR_CACHE_SIZE",
                           "GPUARR_CACHE_READ_ONLY_DIR", "XDG_CACHE_HOME"})
    ::unsetenv(name);
  ::setenv("HOME", "/users/someone", 1);
}

CacheSettings with(const char* name, const char* value) {
  clean();
  ::setenv(name, value, 1);
  return cache_settings();
}

}  // namespace

int main() {
  clean();
  CacheSettings usual = cache_settings();
  CHECK_EQ(usual.directory, "/users/someone/.cache/gpuarr");
  CHECK_EQ(usual.read_only_directory, "");
  CHECK_EQ(usual.limit, int64_t{1} << 30);
  CHECK_EQ(usual.problem, "");

  CHECK_EQ(with("XDG_CACHE_HOME", "/scratch").directory, "/scratch/gpuarr");
  CHECK_EQ(with("XDG_CACHE_HOME", "scratch").directory, "/users/someone/.cache/gpuarr");
  CHECK_EQ(with("GPUARR_CACHE_DIR", "/here/it/is").directory, "/here/it/is");
  ::setenv("XDG_CACHE_HOME", "/scratch", 1);
  CHECK_EQ(cache_settings().directory, "/here/it/is");
  CHECK_EQ(::chdir("/tmp"), 0);
  CHECK_EQ(with("GPUARR_CACHE_DIR", "below/./it").directory, "/tmp/below/it");
  CHECK_EQ(with("GPUARR_CACHE_READ_ONLY_DIR", "/opt/kernels").read_only_directory, "/opt/kernels");

  clean();
  ::unsetenv("HOME");  // the user database knows
  CHECK_EQ(cache_settings().directory.substr(0, 1), "/");
  CHECK(cache_settings().directory.ends_with("/.cache/gpuarr"));

  CacheSettings off = with("GPUARR_CACHE", "off");
  CHECK(off.directory.empty() && off.read_only_directory.empty() && off.problem.empty());
  CHECK_EQ(with("GPUARR_CACHE", "on").directory, usual.directory);
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "$GPUARR_CACHE is \"no\"; say \"off\" or \"on\"",
              [] { with("GPUARR_CACHE", "no"); });

  CHECK_EQ(with("GPUARR_CACHE_SIZE", "64MiB").limit, int64_t{64} << 20);
  CHECK_EQ(with("GPUARR_CACHE_SIZE", "0").limit, 0);
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "$GPUARR_CACHE_SIZE is \"lots\"; say \"512MiB\" or \"1GiB\"",
              [] { with("GPUARR_CACHE_SIZE", "lots"); });
  return check::result();
}
