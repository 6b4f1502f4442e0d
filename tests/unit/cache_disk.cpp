// Tests of kernel/cache_disk.hpp: what is stored is found, damage is passed over, the limit holds.
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <random>

#include "check.hpp"
#include "kernel/cache/disk.hpp"
#include "kernel/cache/entry.hpp"
#include "temporary_directory.hpp"

using namespace gpuarr;

namespace {

namespace fs = std::filesystem;

CacheSettings in(const std::string& directory, int64_t limit = int64_t{1} << 30) {
  return {directory, "", limit, ""};
}

CacheKey key(const std::string& text) { return {text, digest(text), true}; }

void set_age(const std::string& path, int64_t seconds) {
  timespec now{std::time(nullptr) - seconds, 0};
  timespec times[2] = {now, now};
  CHECK_EQ(::utimensat(AT_FDCWD, path.c_str(), times, 0), 0);
}

int64_t age(const std::string& path) {
  struct stat facts {};
  CHECK_EQ(::stat(path.c_str(), &facts), 0);
  return std::time(nullptr) - facts.st_mtime;
}

mode_t mode(const std::string& path) {
  struct stat facts {};
  CHECK_EQ(::stat(path.c_str(), &facts), 0);
  return facts.st_mode & 07777U;
}

void what_is_stored_is_found() {
  TemporaryDirectory root;
  std::string where = root / "a/b/cache";
  DiskCache cache(in(where));
  CHECK(!cache.find(key("one")));
  CHECK(!fs::exists(root / "a"));  // looking makes nothing
  cache.store(key("one"), "kernel_one", "sm_90", "image 1");
  cache.store(key("two"), "kernel_two", "sm_80", std::string("image\0 2", 8));
  CHECK_EQ(cache.problem(), std::string());
  CHECK(DiskCache(in(where)).find(key("one")) == "image 1");
  CHECK(cache.find(key("two")) == std::string("image\0 2", 8));
  CHECK(!cache.find(key("three")));
  cache.store(key("one"), "kernel_one", "sm_90", "image 1, again");
  CHECK(cache.find(key("one")) == "image 1, again");
  CHECK_EQ(cache.rejected(), 0);
  CHECK_EQ(cache.files().entries.size(), 2U);
  CHECK_EQ(cache.files().leftovers.size(), 0U);
  for (const char* part : {"a", "a/b", "a/b/cache"}) CHECK_EQ(mode(root / part), 0700U);
  CHECK_EQ(mode(where + "/" + key("one").file_name()), 0600U);
  CHECK_EQ(cache.directory(), where);

  set_age(where + "/" + key("one").file_name(), 1000);
  set_age(where + "/" + key("two").file_name(), 500);
  auto list = cache.list();
  CHECK_EQ(list.size(), 2U);
  CHECK(list[0].kernel == "kernel_two" && list[0].target == "sm_80");
  CHECK(list[1].kernel == "kernel_one" && list[1].file.name == key("one").file_name());
  CHECK_EQ(list[1].file.bytes, int64_t(fs::file_size(where + "/" + key("one").file_name())));
  cache.clear();
  CHECK(cache.list().empty());
  CHECK(!cache.find(key("one")));

  fs::remove_all(root / "a");  // while it is in use
  CHECK(!cache.find(key("one")));
  CHECK(cache.list().empty());
  cache.clear();
  cache.store(key("one"), "k", "t", "image 1");
  CHECK(cache.find(key("one")) == "image 1");
}

void none_is_used_without_a_directory() {
  DiskCache cache(in(""));
  cache.store(key("one"), "k", "t", "image");
  CHECK(!cache.find(key("one")));
  CHECK(!cache.lease(key("one")).held());
  CHECK(cache.list().empty());
  cache.clear();
  CHECK_EQ(cache.directory(), std::string());
  CHECK_EQ(cache.problem(), std::string());
}

void another_key_is_not_taken() {
  TemporaryDirectory root;
  DiskCache cache(in(root.path()));
  CacheKey one = key("one"), colliding = key("two");
  colliding.digest = one.digest;
  cache.store(one, "k", "t", "image 1");
  CHECK(!cache.find(colliding));
  CHECK_EQ(cache.rejected(), 1);
  CHECK(!cache.find(colliding, DiskCache::Look::again));
  CHECK_EQ(cache.rejected(), 1);
  cache.store(colliding, "k", "t", "image 2");
  CHECK(cache.find(colliding) == "image 2");
  CHECK(!cache.find(one));
}

// Real entries, damaged at random: never taken, never a crash, always replaced.
void damaged_files_are_passed_over() {
  TemporaryDirectory root;
  DiskCache cache(in(root.path()));
  std::mt19937_64 random(7);
  CacheKey one = key("the key of one kernel");
  std::string path = root / one.file_name();
  std::string image(2000, 'i');
  cache.store(one, "k", "t", image);
  const std::string good = read_file(path);
  for (int i = 0; i < 1000; ++i) {
    std::string bad = good;
    switch (i % 5) {
      case 0:
        bad.resize(random() % bad.size());
        break;
      case 1:
        bad[random() % bad.size()] ^= static_cast<char>(1U << random() % 8);
        break;
      case 2:
        bad += std::string(1 + random() % 5000, '\0');
        break;
      case 3:
        for (int n = 0; n < 8; ++n) bad[random() % 40] = static_cast<char>(random());
        break;
      default:
        bad.replace(random() % bad.size(), 16, good.substr(random() % good.size(), 16));
    }
    if (bad == good) continue;
    write_file(path, bad);
    int64_t before = cache.rejected();
    CHECK(!cache.find(one));
    CHECK_EQ(cache.rejected(), before + 1);
    cache.list();
  }
  cache.store(one, "k", "t", image);
  CHECK(cache.find(one) == image);
  fs::resize_file(path, uint64_t{1} << 40);  // sparse
  CHECK(!cache.find(one));
  CHECK(cache.list().empty());
}

void foreign_things_are_not_touched() {
  TemporaryDirectory root;
  DiskCache cache(in(root.path()));
  CacheKey one = key("one"), two = key("two"), three = key("three");
  cache.store(one, "k", "t", "image");
  std::string elsewhere = root / "elsewhere";
  fs::rename(root / one.file_name(), elsewhere);
  fs::create_symlink(elsewhere, root / one.file_name());
  CHECK(!cache.find(one));
  CHECK_EQ(cache.rejected(), 1);
  CHECK_EQ(::mkfifo((root / two.file_name()).c_str(), 0600), 0);
  CHECK(!cache.find(two));  // and does not wait for a writer
  fs::create_directory(root / three.file_name());
  CHECK(!cache.find(three));
  CHECK_EQ(cache.rejected(), 3);
  cache.store(three, "k", "t", "image");
  CHECK(std::string(cache.problem()).find("Is a directory") != std::string::npos);
  write_file(root / "notes.txt", "mine");
  cache.clear();
  CHECK(fs::exists(root / "notes.txt") && fs::exists(elsewhere));
  CHECK_EQ(cache.files().entries.size(), 0U);
}

void the_limit_holds() {
  TemporaryDirectory root;
  std::string image(1000, 'i');
  auto bytes_of_one = int64_t(encode({"k", "t", "key 00", image}).size());
  DiskCache cache(in(root.path(), 10 * bytes_of_one));
  auto numbered = [](int i) { return key(formatted("key {:02}", i)); };
  for (int i = 0; i < 10; ++i) {
    cache.store(numbered(i), "k", "t", image);
    set_age(root / numbered(i).file_name(), 100000 - i);
  }
  CHECK_EQ(cache.evictions(), 0);
  CHECK(cache.find(numbered(0)).has_value());  // now the last used
  CHECK(age(root / numbered(0).file_name()) < 100);
  cache.store(numbered(10), "k", "t", image);
  CHECK_EQ(cache.evictions(), 3);
  CHECK_EQ(cache.files().entries.size(), 8U);
  for (int i = 0; i <= 10; ++i) CHECK_EQ(cache.find(numbered(i)).has_value(), i == 0 || i > 3);

  // Used within the hour: not touched, since many processes may be at it.
  set_age(root / numbered(9).file_name(), 3000);
  CHECK(cache.find(numbered(9)).has_value());
  CHECK(age(root / numbered(9).file_name()) >= 3000);

  DiskCache small(in(root.path(), bytes_of_one + bytes_of_one / 10));
  small.store(numbered(20), "k", "t", image);
  CHECK(small.find(numbered(20)).has_value());  // what is new stays
  CHECK_EQ(small.files().entries.size(), 1U);
  small.store(numbered(21), "k", "t", image + image);
  CHECK(!small.find(numbered(21)).has_value());
  CHECK_EQ(small.problem(), std::string());
}

void leftovers_of_the_dead_are_removed() {
  TemporaryDirectory root;
  DiskCache first(in(root.path()));
  std::string lock = std::string(32, 'a') + ".lock";
  const std::vector<std::string> names = {".tmp-1-old", ".tmp-1-new", ".tmp-1-future", lock,
                                          "notes.txt"};
  for (const std::string& name : names) {
    write_file(root / name, "x");
    if (name != ".tmp-1-new") set_age(root / name, 4000);
  }
  set_age(root / ".tmp-1-future", -100000);  // a clock was wrong
  first.store(key("one"), "k", "t", "image");
  CHECK(!fs::exists(root / ".tmp-1-old") && !fs::exists(root / ".tmp-1-future"));
  CHECK(!fs::exists(root / lock));
  CHECK(fs::exists(root / ".tmp-1-new") && fs::exists(root / "notes.txt"));
}

void a_read_only_tier_is_read() {
  TemporaryDirectory root;
  std::string shared = root / "shared", own = root / "own";
  DiskCache(in(shared)).store(key("one"), "k", "t", "image 1");
  fs::permissions(shared, fs::perms(0555));
  CacheSettings settings = in(own);
  settings.read_only_directory = shared;
  set_age(shared + "/" + key("one").file_name(), 100000);
  DiskCache cache(settings);
  CHECK(cache.find(key("one")) == "image 1");
  CHECK(age(shared + "/" + key("one").file_name()) >= 100000);
  cache.store(key("two"), "k", "t", "image 2");
  CHECK_EQ(cache.list().size(), 1U);
  cache.clear();
  CHECK(cache.find(key("one")) == "image 1");
  CHECK_EQ(cache.problem(), std::string());
  fs::permissions(shared, fs::perms(0755));
  fs::permissions(shared + "/" + key("one").file_name(), fs::perms(0666));
  CHECK(!cache.find(key("one")));
  CHECK_EQ(cache.rejected(), 1);
  fs::remove_all(shared);
  CHECK(std::string(cache.problem()).find("$GPUARR_CACHE_READ_ONLY_DIR is " + shared) == 0);
}

void report_the_cost_of_a_hit() {
  TemporaryDirectory root;
  DiskCache cache(in(root.path()));
  CacheKey one = key(std::string(40000, 'k'));
  cache.store(one, "k", "t", std::string(60000, 'i'));
  constexpr int rounds = 1000;
  auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < rounds; ++i) CHECK(cache.find(one).has_value());
  std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - start;
  std::cout << "an image of 60 kB with a key of 40 kB is read in " << took.count() / rounds
            << " us\n";
}

}  // namespace

int main() {
  what_is_stored_is_found();
  none_is_used_without_a_directory();
  another_key_is_not_taken();
  damaged_files_are_passed_over();
  foreign_things_are_not_touched();
  the_limit_holds();
  leftovers_of_the_dead_are_removed();
  a_read_only_tier_is_read();
  report_the_cost_of_a_hit();
  return check::result();
}
