// What several processes write under one temporary name, until one of them puts it in its place.
#include "core/staged.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include "core/error.hpp"
#include "core/printable.hpp"

namespace gpuarr {
namespace {

bool may_be_in_token(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '_';
}

void rename_or_fail(const std::string& from, const std::string& to) {
  if (rename(from.c_str(), to.c_str()) != 0) fail_errno("it cannot be put in its place");
}

}  // namespace

void sync_directory(const std::string& directory) {
  const File file(open(directory.empty() ? "." : directory.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) fail_errno("its directory cannot be opened");
  if (fsync(file.fd()) != 0 && errno != EINVAL && errno != EROFS)
    fail_errno("its directory cannot be written");
}

void swap_names_in_steps(const std::string& a, const std::string& b) {
  const std::string aside = a + ".old";
  rename_or_fail(b, aside);
  if (rename(a.c_str(), b.c_str()) != 0) {
    const int error = errno;
    rename(aside.c_str(), b.c_str());
    errno = error;
    fail_errno("it cannot be put in its place");
  }
  rename_or_fail(aside, a);
}

Staged stage(const std::string& path, std::string_view token) {
  if (token.empty() || token.size() > 64 || !std::ranges::all_of(token, may_be_in_token))
    fail(GPUARR_ERR_ARGUMENT, "the token is \"{}\"; give 1 to 64 letters, digits, '-' and '_'",
         printable(token.substr(0, 64)));
  Staged out;
  out.path = path;
  while (out.path.size() > 1 && out.path.ends_with('/')) out.path.pop_back();
  if (char* resolved = realpath(out.path.c_str(), nullptr); resolved != nullptr) {
    out.path = resolved;
    std::free(resolved);
  }
  out.temporary = formatted("{}.gpuarr-{}.tmp", directory_of(out.path), token);
  return out;
}

void Staged::keep_permissions(mode_t mode) const {
  if (chmod(temporary.c_str(), mode & 0777) != 0)
    fail_errno("what replaces it cannot get its permissions");
}

void Staged::publish_file(Sync sync) const {
  about(path.c_str(), [&] {
    struct stat status {};
    if (stat(path.c_str(), &status) == 0) {
      check_regular(status.st_mode);
      keep_permissions(status.st_mode);
    }
    rename_or_fail(temporary, path);
    if (sync == Sync::yes) sync_directory(directory_of(path));
  });
}

bool Staged::publish_directory(Sync sync) const {
  return about(path.c_str(), [&] {
    struct stat status {};
    const bool replaces = stat(path.c_str(), &status) == 0;
    if (replaces) {
      keep_permissions(status.st_mode);
      if (renameat2(AT_FDCWD, temporary.c_str(), AT_FDCWD, path.c_str(), RENAME_EXCHANGE) != 0) {
        if (errno != EINVAL && errno != ENOSYS) fail_errno("it cannot be put in its place");
        swap_names_in_steps(temporary, path);
      }
    } else {
      rename_or_fail(temporary, path);
    }
    if (sync == Sync::yes) sync_directory(directory_of(path));
    return replaces;
  });
}

void Staged::discard_file() const noexcept { unlink(temporary.c_str()); }

}  // namespace gpuarr
