// Tests of kernel/cache_directory.hpp and what the cache says of directories that it cannot use.
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "check.hpp"
#include "kernel/cache/directory.hpp"
#include "kernel/cache/disk.hpp"
#include "temporary_directory.hpp"

using namespace gpuarr;

namespace {

namespace fs = std::filesystem;

const CacheKey one{"one", digest("one"), true};

CacheSettings in(const std::string& directory) { return {directory, "", 1 << 30, ""}; }

bool is_root() { return ::geteuid() == 0; }

void expect_problem(DiskCache& cache, const std::string& part) {
  std::string problem = cache.problem();
  CHECK(problem.find(part) != std::string::npos);
  if (problem.find(part) == std::string::npos)
    std::cerr << "  expected \"" << part << "\" in \"" << problem << "\"\n";
}

// Neither read nor written, and the reason said.
void expect_unused(const std::string& directory, const std::string& problem) {
  DiskCache cache(in(directory));
  CHECK(!cache.find(one));
  cache.store(one, "k", "t", "image");
  CHECK(!cache.find(one));
  expect_problem(cache, directory);
  expect_problem(cache, problem);
  CHECK_EQ(cache.directory(), std::string());
  CHECK_EQ(cache.files().entries.size(), 0U);
  CHECK_FAILS(GPUARR_ERR_IO, problem.c_str(), [&] { cache.list(); });
  CHECK_FAILS(GPUARR_ERR_IO, problem.c_str(), [&] { cache.clear(); });
}

// Runs as another user, in a process of its own. Needs root; without it `body` runs as we are.
template <class Body>
void as_nobody(Body&& body) {
  pid_t child = ::fork();
  if (child == 0) {
    check::failures = 0;
    if (::setegid(65534) != 0 || ::seteuid(65534) != 0) ::_exit(1);
    body();
    ::_exit(check::result());
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  CHECK_EQ(status, 0);
}

void directories_that_others_write_are_not_used() {
  TemporaryDirectory root;
  std::string where = root / "cache";
  DiskCache(in(where)).store(one, "k", "t", "image");
  for (unsigned bits : {0777U, 0770U, 0702U, 01777U}) {
    fs::permissions(where, fs::perms(bits));
    DiskCache cache(in(where));
    CHECK(!cache.find(one));
    expect_problem(cache, formatted("{} can be written by others (mode {:04o})", where, bits));
    expect_problem(cache, "run chmod 700 " + where);
    CHECK_EQ(cache.directory(), std::string());
  }
  for (unsigned bits : {0700U, 0755U, 0750U}) {
    fs::permissions(where, fs::perms(bits));
    CHECK(DiskCache(in(where)).find(one).has_value());
  }
}

void entries_that_others_write_are_not_used() {
  TemporaryDirectory root;
  DiskCache cache(in(root.path()));
  cache.store(one, "k", "t", "image");
  std::string entry = root / one.file_name();
  for (unsigned bits : {0666U, 0660U, 0602U}) {
    fs::permissions(entry, fs::perms(bits));
    CHECK(!cache.find(one));
    CHECK(cache.list().empty());
  }
  CHECK_EQ(cache.rejected(), 3);
  cache.store(one, "k", "t", "image");
  CHECK(cache.find(one).has_value());
}

void other_peoples_directories_are_not_used() {
  if (!is_root()) return;
  TemporaryDirectory root;
  fs::permissions(root.path(), fs::perms(0755));
  std::string where = root / "theirs";
  fs::create_directory(where);
  CHECK_EQ(::chown(where.c_str(), 12345, 12345), 0);
  expect_unused(where, "belongs to user 12345 and this is user 0");
  CHECK_EQ(::chown(where.c_str(), 0, 0), 0);
  DiskCache cache(in(where));
  cache.store(one, "k", "t", "image");
  CHECK_EQ(::chown((where + "/" + one.file_name()).c_str(), 12345, 0), 0);
  CHECK(!cache.find(one));
  CHECK_EQ(cache.rejected(), 1);

  // An administrator's tier may belong to whoever writes it alone.
  CHECK_EQ(::chown(where.c_str(), 12345, 12345), 0);
  fs::permissions(where + "/" + one.file_name(), fs::perms(0644));
  CacheSettings settings = in(root / "own");
  settings.read_only_directory = where;
  CHECK(DiskCache(settings).find(one).has_value());
  fs::permissions(where, fs::perms(0775));
  CHECK(!DiskCache(settings).find(one));
  CHECK_EQ(::chown((where + "/" + one.file_name()).c_str(), 0, 0), 0);
  CHECK(DiskCache(settings).find(one).has_value());
}

void what_is_no_directory_is_not_used() {
  TemporaryDirectory root;
  write_file(root / "file", "");
  expect_unused(root / "file", "is not a directory; move it away or set GPUARR_CACHE_DIR");
  fs::create_symlink(root / "nowhere", root / "link");
  expect_unused(root / "link", "is a symbolic link to nothing");
  DiskCache below(in(root / "file/cache"));
  below.store(one, "k", "t", "image");
  expect_problem(below, "is not a directory");

  // A link to a good directory is as good as the directory.
  fs::create_directory(root / "nowhere");
  fs::permissions(root / "nowhere", fs::perms(0700));
  DiskCache cache(in(root / "link"));
  cache.store(one, "k", "t", "image");
  CHECK(cache.find(one).has_value());
  CHECK_EQ(cache.problem(), std::string());
}

void directories_that_cannot_be_written_are_read() {
  TemporaryDirectory root;
  std::string where = root / "cache";
  DiskCache(in(where)).store(one, "k", "t", "image");
  fs::permissions(root.path(), fs::perms(0755));
  fs::permissions(where, fs::perms(0555));
  fs::permissions(where + "/" + one.file_name(), fs::perms(0444));
  auto body = [&] {
    DiskCache cache(in(where));
    const CacheKey two{"two", digest("two"), true};
    CHECK(cache.find(one) == "image");
    CHECK(!cache.lease(two).held());
    cache.store(two, "k", "t", "image 2");
    CHECK(!cache.find(two));
    expect_problem(cache, where + " is read only: Permission denied");
    expect_problem(cache, "GPUARR_CACHE_DIR");
    CHECK_EQ(cache.directory(), where);
    CHECK_EQ(cache.list().size(), 1U);
    CHECK_FAILS(GPUARR_ERR_IO, "cannot be removed: Permission denied", [&] { cache.clear(); });

    DiskCache missing(in(root / "new/cache"));
    missing.store(one, "k", "t", "image");
    expect_problem(missing, "kernels cannot be written to " + (root / "new/cache"));
    expect_problem(missing, (root / "new") + " cannot be made: Permission denied");
  };
  if (is_root()) {
    as_nobody(body);
  } else {
    fs::permissions(root.path(), fs::perms(0555));
    body();
    fs::permissions(root.path(), fs::perms(0755));
  }
}

void a_full_disk_is_said() {
  TemporaryDirectory root;
  pid_t child = ::fork();
  if (child == 0) {
    check::failures = 0;
    rlimit small{100, 100};
    CHECK_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
    DiskCache cache(in(root.path()));
    cache.store(one, "k", "t", std::string(1000, 'i'));
    expect_problem(cache, "kernels cannot be written to " + root.path().string());
    expect_problem(cache, "File too large");
    CHECK_EQ(cache.files().entries.size() + cache.files().leftovers.size(), 0U);
    cache.store(one, "k", "t", "i");  // what goes well again is no problem any more
    CHECK_EQ(cache.problem(), std::string());
    ::_exit(check::result());
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  CHECK_EQ(status, 0);
}

}  // namespace

int main() {
  directories_that_others_write_are_not_used();
  entries_that_others_write_are_not_used();
  other_peoples_directories_are_not_used();
  what_is_no_directory_is_not_used();
  directories_that_cannot_be_written_are_read();
  a_full_disk_is_said();
  return check::result();
}
