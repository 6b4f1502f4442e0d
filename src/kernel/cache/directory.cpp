#include "kernel/cache/directory.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <filesystem>
#include <memory>

#include "core/error.hpp"

namespace gpuarr {
namespace {

constexpr mode_t others_write = S_IWGRP | S_IWOTH;

// Why a directory that does not open must not be used; "" if it is simply not there yet.
std::string open_problem(const std::string& path, int code) {
  struct stat link {};
  if (code == ENOENT && ::lstat(path.c_str(), &link) != 0) return "";
  if (code == ENOENT)
    return formatted("{} is a symbolic link to nothing; remove it or set GPUARR_CACHE_DIR", path);
  if (code == ENOTDIR)
    return formatted("{} is not a directory; move it away or set GPUARR_CACHE_DIR", path);
  return formatted("{} cannot be opened: {}; set GPUARR_CACHE_DIR to a directory of your own", path,
                   errno_text(code));
}

std::string trust_problem(const std::string& path, const struct stat& facts, CacheTier tier) {
  uid_t me = ::geteuid();
  if (tier == CacheTier::read_only) return "";
  if (facts.st_uid != me && facts.st_uid != 0)
    return formatted(
        "{} belongs to user {} and this is user {}; set GPUARR_CACHE_DIR to a directory of "
        "your own",
        path, facts.st_uid, me);
  if ((facts.st_mode & others_write) != 0)
    return formatted(
        "{} can be written by others (mode {:04o}), who could put code there; run chmod 700 "
        "{} or set GPUARR_CACHE_DIR",
        path, facts.st_mode & 07777U, path);
  return "";
}

}  // namespace

CacheDirectory open_cache_directory(const std::string& path, CacheTier tier) {
  CacheDirectory result;
  result.tier = tier;
  Descriptor fd(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  struct stat facts {};
  if (!fd || ::fstat(fd.get(), &facts) != 0) {
    result.problem = open_problem(path, errno);
    return result;
  }
  result.owner = facts.st_uid;
  result.shared = (facts.st_mode & others_write) != 0;
  result.problem = trust_problem(path, facts, tier);
  if (result.problem.empty()) result.fd = std::move(fd);
  return result;
}

bool CacheDirectory::trusts(const struct stat& file) const {
  if (!S_ISREG(file.st_mode) || (file.st_mode & others_write) != 0) return false;
  if (file.st_uid == 0 || file.st_uid == ::geteuid()) return true;
  return tier == CacheTier::read_only && !shared && file.st_uid == owner;
}

Descriptor CacheDirectory::open_file(const std::string& name, struct stat& facts,
                                     bool& untrusted) const {
  // O_NONBLOCK: a FIFO of that name must not make us wait.
  Descriptor file(::openat(fd.get(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!file) {
    untrusted = errno != ENOENT;
    return file;
  }
  untrusted = ::fstat(file.get(), &facts) != 0 || !trusts(facts);
  return untrusted ? Descriptor() : std::move(file);
}

void make_cache_directory(const std::string& path) {
  for (size_t end = 1; end != std::string::npos;) {
    end = path.find('/', end + 1);
    std::string part = path.substr(0, end);
    if (::mkdir(part.c_str(), 0700) == 0 || errno == EEXIST) continue;
    int code = errno;
    std::error_code ignored;
    if (std::filesystem::is_directory(part, ignored)) continue;  // EROFS and others come first
    throw Error(GPUARR_ERR_IO,
                formatted("{} cannot be made: {}; set GPUARR_CACHE_DIR to a directory of your own",
                          part, errno_text(code)),
                code);
  }
}

bool is_entry_name(const std::string& name) {
  return name.size() == 32 && name.find_first_not_of("0123456789abcdef") == std::string::npos;
}

CacheFiles list_files(const CacheDirectory& directory) {
  CacheFiles files;
  int fd = ::openat(directory.fd.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  std::unique_ptr<DIR, int (*)(DIR*)> listing(fd < 0 ? nullptr : ::fdopendir(fd), ::closedir);
  if (!listing)
    throw Error(GPUARR_ERR_IO, formatted("the cache cannot be listed: {}", errno_text(errno)),
                errno);
  while (const dirent* item = ::readdir(listing.get())) {  // NOLINT(concurrency-mt-unsafe)
    std::string name = item->d_name;
    bool entry = is_entry_name(name);
    if (!entry && !name.starts_with(".tmp-") && !name.ends_with(".lock")) continue;
    struct stat facts {};
    if (::fstatat(directory.fd.get(), name.c_str(), &facts, AT_SYMLINK_NOFOLLOW) != 0) continue;
    if (!S_ISREG(facts.st_mode)) continue;
    (entry ? files.entries : files.leftovers).push_back({name, facts.st_size, facts.st_mtime});
  }
  return files;
}

}  // namespace gpuarr
