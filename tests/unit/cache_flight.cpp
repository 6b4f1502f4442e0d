// Tests of kernel/cache.hpp: of all the threads and processes that want a kernel, one compiles it.
#include <chrono>
#include <thread>

#include "check.hpp"
#include "fake_device.hpp"
#include "kernel/cache/cache.hpp"
#include "processes.hpp"
#include "temporary_directory.hpp"

using namespace std::chrono_literals;

namespace {

// The last entry's number; each test has kernels of its own.
Source fresh_source() {
  static int number = 0;
  return {"k", "text " + std::to_string(++number), {}};
}

struct Outcomes {
  std::vector<std::shared_ptr<Module>> modules;
  std::vector<std::string> errors;
};

Outcomes ask_from_threads(int count, FakeDevice& device, const Source& source) {
  Outcomes outcomes;
  std::mutex mutex;
  std::vector<std::thread> threads;
  threads.reserve(static_cast<size_t>(count));
  for (int i = 0; i < count; ++i)
    threads.emplace_back([&] {
      std::shared_ptr<Module> module;
      std::string error;
      try {
        module = cached_module(device, source);
      } catch (const CompileError& e) {
        error = e.what() + std::to_string(e.diagnostics().at(0).line);
      }
      std::lock_guard lock(mutex);
      if (module) outcomes.modules.push_back(module);
      if (!error.empty()) outcomes.errors.push_back(error);
    });
  for (auto& thread : threads) thread.join();
  return outcomes;
}

void ten_threads_compile_once() {
  FakeDevice device;
  device.on_compile = [](const Source&) { std::this_thread::sleep_for(100ms); };
  Source source = fresh_source();
  int64_t compiles = cache_counts().compiles, waits = cache_counts().waits;
  int64_t hits = cache_counts().memory_hits;
  Outcomes outcomes = ask_from_threads(10, device, source);
  CHECK_EQ(device.compiles, 1);
  CHECK_EQ(device.loads, 1);
  CHECK_EQ(outcomes.modules.size(), 10U);
  for (auto& module : outcomes.modules) CHECK(module == outcomes.modules[0]);
  CHECK(cached_module(device, source) == outcomes.modules[0]);
  CHECK_EQ(cache_counts().compiles - compiles, 1);
  CHECK_EQ(cache_counts().waits - waits + cache_counts().memory_hits - hits, 10);

  FakeDevice twin;  // loads for itself what the other has left on the disk
  CHECK(cached_module(twin, source) != outcomes.modules[0]);
  CHECK_EQ(twin.compiles, 0);
  CHECK_EQ(twin.loads, 1);
}

void different_kernels_compile_side_by_side() {
  FakeDevice device;
  std::atomic<int> inside{0};
  device.on_compile = [&](const Source&) {
    ++inside;
    for (int i = 0; i < 5000 && inside < 2; ++i) std::this_thread::sleep_for(1ms);
    CHECK_EQ(inside, 2);
  };
  Source one = fresh_source(), two = fresh_source();
  std::thread other([&] { cached_module(device, one); });
  cached_module(device, two);
  other.join();
}

void all_get_the_error_and_none_is_kept() {
  FakeDevice device;
  std::atomic<bool> broken{true};
  device.on_compile = [&](const Source&) {
    std::this_thread::sleep_for(50ms);
    if (broken) throw CompileError("no such thing", {{"body", 7, 1, true, "no such thing"}});
  };
  Source source = fresh_source();
  Outcomes outcomes = ask_from_threads(10, device, source);
  CHECK_EQ(outcomes.errors.size(), 10U);
  for (auto& error : outcomes.errors) CHECK_EQ(error, "no such thing7");
  CHECK(device.compiles >= 1 && device.compiles < 10);
  broken = false;
  CHECK(cached_module(device, source) != nullptr);
}

void images_that_do_not_load_are_replaced() {
  Source source = fresh_source();
  FakeDevice first;
  cached_module(first, source);
  FakeDevice device;
  int failures = 1;
  device.on_load = [&](const std::string&) {
    if (failures-- > 0) fail(GPUARR_ERR_LOAD, "a bad image");
  };
  int64_t refused = cache_counts().refused, waits = cache_counts().waits;
  CHECK(cached_module(device, source) != nullptr);
  CHECK_EQ(cache_counts().refused - refused, 1);
  CHECK_EQ(device.compiles + cache_counts().waits - waits, 1);

  FakeDevice broken;
  broken.on_load = [](const std::string&) { fail(GPUARR_ERR_DRIVER, "the device is lost"); };
  CHECK_FAILS(GPUARR_ERR_DRIVER, "the device is lost", [&] { cached_module(broken, source); });
  broken.on_load = [](const std::string&) { fail(GPUARR_ERR_LOAD, "no image is good"); };
  CHECK_FAILS(GPUARR_ERR_LOAD, "no image is good", [&] { cached_module(broken, source); });
}

void included_files_count() {
  TemporaryDirectory root;
  FakeDevice device;
  Source source{"k", "#include <x.h>\n", {"-I" + root.path().string()}};
  write_file(root / "x.h", "1");
  auto first = cached_module(device, source);
  write_file(root / "x.h", "2");
  CHECK(cached_module(device, source) != first);
  write_file(root / "x.h", "1");
  CHECK(cached_module(device, source) == first);
  CHECK_EQ(device.compiles, 2);
  source.text = "#include WHAT\n";  // nobody knows on what it depends
  cached_module(device, source);
  cached_module(device, source);
  CHECK_EQ(device.compiles, 4);
}

void a_new_process_finds_it_on_disk() {
  Source source = fresh_source();
  auto ask = [&] {
    FakeDevice device;
    auto module = std::static_pointer_cast<FakeModule>(cached_module(device, source));
    CHECK_EQ(module->image, "image of " + source.text);
    return int(cache_counts().compiles * 10 + cache_counts().disk_hits);
  };
  CHECK_EQ(end_process(start_process(ask)), 10);
  CHECK_EQ(end_process(start_process(ask)), 1);
}

void one_of_many_processes_compiles(const std::string& log) {
  Source source = fresh_source();
  constexpr int count = 6;
  int gate[2];
  CHECK_EQ(::pipe(gate), 0);
  std::vector<pid_t> children;
  children.reserve(count);
  for (int i = 0; i < count; ++i)
    children.push_back(start_process([&] {
      FakeDevice device;
      device.on_compile = [&](const Source&) {
        std::ofstream(log, std::ios::app) << "x";
        std::this_thread::sleep_for(300ms);
      };
      ::close(gate[1]);
      char byte = 0;
      CHECK_EQ(::read(gate[0], &byte, 1), 0);  // all begin when the parent closes it
      CHECK(cached_module(device, source) != nullptr);
      CHECK_EQ(cache_counts().disk_hits, 0);
      return int(cache_counts().compiles * 10 + cache_counts().waits);
    }));
  ::close(gate[0]);
  std::this_thread::sleep_for(50ms);
  ::close(gate[1]);
  int sum = 0;
  for (pid_t child : children) sum += end_process(child);
  CHECK_EQ(sum, 10 + (count - 1));
  CHECK_EQ(read_file(log), "x");
}

void a_compiler_that_is_killed_holds_up_nobody() {
  Source source = fresh_source();
  int ready[2];
  CHECK_EQ(::pipe(ready), 0);
  pid_t victim = start_process([&] {
    FakeDevice device;
    device.on_compile = [&](const Source&) {
      CHECK_EQ(::write(ready[1], "x", 1), 1);
      ::pause();
    };
    cached_module(device, source);
    return 0;
  });
  char byte = 0;
  CHECK_EQ(::read(ready[0], &byte, 1), 1);
  pid_t other = start_process([&] {
    FakeDevice device;
    cached_module(device, source);
    return int(cache_counts().compiles);
  });
  std::this_thread::sleep_for(100ms);
  CHECK_EQ(::waitpid(other, nullptr, WNOHANG), 0);  // it waits
  ::kill(victim, SIGKILL);
  CHECK_EQ(end_process(victim), -1);
  CHECK_EQ(end_process(other), 1);
}

// The child of a fork has none of the parent's threads, and waits for none.
void a_fork_in_the_middle_is_survived() {
  pid_t parent = start_process([] {
    ::setenv("GPUARR_CACHE", "off", 1);
    FakeDevice device;
    std::atomic<bool> inside{false}, go_on{false};
    device.on_compile = [&](const Source&) {
      if (inside.exchange(true)) return;
      while (!go_on) std::this_thread::sleep_for(1ms);
    };
    Source source = fresh_source();
    std::thread maker([&] { cached_module(device, source); });
    while (!inside) std::this_thread::sleep_for(1ms);
    pid_t child = start_process([&] {
      CHECK(cached_module(device, source) != nullptr);
      CHECK(cached_module(device, source) != nullptr);
      return int(device.compiles);
    });
    CHECK_EQ(end_process(child), 2);
    go_on = true;
    maker.join();
    CHECK_EQ(device.compiles, 1);
    return 0;
  });
  CHECK_EQ(end_process(parent), 0);
}

void report_the_cost_of_a_hit() {
  FakeDevice device;
  Source source{"k", std::string(40000, 't'), {}};
  cached_module(device, source);
  auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < 1000; ++i) cached_module(device, source);
  std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - start;
  std::cout << "a source of 40 kB is found in memory in " << took.count() / 1000 << " us\n";
}

}  // namespace

int main() {
  TemporaryDirectory root;
  ::setenv("GPUARR_CACHE_DIR", (root / "cache").c_str(), 1);
  a_new_process_finds_it_on_disk();
  one_of_many_processes_compiles(root / "log");
  a_compiler_that_is_killed_holds_up_nobody();
  a_fork_in_the_middle_is_survived();
  ten_threads_compile_once();
  different_kernels_compile_side_by_side();
  all_get_the_error_and_none_is_kept();
  images_that_do_not_load_are_replaced();
  included_files_count();
  report_the_cost_of_a_hit();
  return check::result();
}
