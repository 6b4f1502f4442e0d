// The files that a command leaves.
#include "cli/base/results.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "cli/base/error.hpp"
#include "cli/base/interrupt.hpp"
#include "cli/base/text.hpp"

namespace cli {

void check_can_save(const std::string& path) {
  struct stat status = {};
  if (stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode))
    throw Failure("cannot save to " + in_quotes(path) + ": it is no file but a " +
                  (S_ISDIR(status.st_mode) ? "directory" : "device, pipe or socket"));
  size_t slash = path.rfind('/');
  std::string directory = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  if (access(directory.c_str(), W_OK | X_OK) != 0)
    throw Failure("cannot save to " + in_quotes(path) + ": " + std::strerror(errno));
}

void save(const std::string& path, const gpuarr_array* array, gpuarr_stream* stream,
          Progress& progress) {
  progress.show("saving " + path);
  HoldSignals until_saved;
  check(gpuarr_npy_save(path.c_str(), array, stream));
}

}  // namespace cli
