// gpuarr cache: the compiled kernels on disk.
#include <cstdio>
#include <exception>
#include <new>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/base/command_line.hpp"
#include "cli/base/commands.hpp"
#include "cli/base/device.hpp"
#include "cli/base/error.hpp"
#include "cli/base/progress.hpp"
#include "cli/base/text.hpp"
#include "cli/facts.hpp"
#include "cli/json.hpp"

namespace cli {
namespace {

struct Entry {
  std::string key;
  std::string kernel;
  std::string target;
  int64_t bytes = 0;
  int64_t used = 0;
};

struct Listing {
  std::vector<Entry> entries;
  bool out_of_memory = false;
};

// Called from C, so it lets nothing that it throws pass.
int32_t collect(void* user, const char* key, const char* kernel, const char* target, int64_t bytes,
                int64_t used) noexcept {
  auto* listing = static_cast<Listing*>(user);
  try {
    listing->entries.push_back({key, kernel, target, bytes, used});
  } catch (const std::exception&) {
    listing->out_of_memory = true;
  }
  return listing->out_of_memory ? 1 : 0;
}

std::vector<Entry> entries() {
  Listing listing;
  check(gpuarr_cache_list(collect, &listing));
  if (listing.out_of_memory) throw std::bad_alloc();
  return std::move(listing.entries);
}

void print_cache_info(bool as_json) {
  CacheFacts cache = cache_facts();
  if (as_json) {
    print_json(cache_json(cache));
    return;
  }
  std::printf("directory  %s\n", cache.directory.empty() ? "none" : cache.directory.c_str());
  std::printf("entries    %lld\n", static_cast<long long>(cache.entries));
  std::printf("size       %s of %s\n", bytes_text(cache.bytes).c_str(),
              bytes_text(cache.limit).c_str());
  if (!cache.problem.empty()) std::printf("problem    %s\n", cache.problem.c_str());
}

void print_entries(bool as_json) {
  auto list = nlohmann::ordered_json::array();
  for (const Entry& entry : entries()) {
    if (as_json)
      list.push_back({{"key", entry.key},
                      {"kernel", entry.kernel},
                      {"target", entry.target},
                      {"bytes", entry.bytes},
                      {"used", entry.used}});
    else
      std::printf("%s  %s  %8s  %-12s  %s\n", entry.key.c_str(), date_text(entry.used).c_str(),
                  bytes_text(entry.bytes).c_str(), entry.target.c_str(), entry.kernel.c_str());
  }
  if (as_json) print_json(list);
}

void clear() {
  CacheFacts before = cache_facts();
  check(gpuarr_cache_clear());
  std::printf("removed %s, %s\n", count_text(before.entries, "kernel").c_str(),
              bytes_text(before.bytes).c_str());
}

// Called from C, so it lets nothing that it throws pass.
int32_t show_progress(void* user, const char* what, int32_t done, int32_t all) noexcept {
  try {
    static_cast<Progress*>(user)->show(what, static_cast<size_t>(done), static_cast<size_t>(all));
  } catch (const std::exception&) {
    return 0;  // the kernels matter, not the line
  }
  return 0;
}

void warm(const std::optional<std::string>& device) {
  const CacheFacts before = cache_facts();
  if (before.directory.empty())
    throw Failure("there is no cache on disk to fill" +
                  (before.problem.empty() ? std::string() : ": " + before.problem));
  gpuarr_device* opened = open_device(device);
  {
    Progress progress;
    check(gpuarr_cache_warm(opened, show_progress, &progress));
  }
  const CacheFacts after = cache_facts();
  std::printf("compiled %s for %s; %s, %s in all\n",
              count_text(after.entries - before.entries, "kernel").c_str(),
              gpuarr_device_name(opened), count_text(after.entries, "kernel").c_str(),
              bytes_text(after.bytes).c_str());
}

}  // namespace

void run_cache(std::span<const std::string> words) {
  constexpr OptionRule rules[] = {{"--json"}, {"--device", Takes::value}};
  CommandLine line(words, rules);
  const bool as_json = line.has("--json");
  const auto device = line.value("--device");
  if (line.positionals().size() != 1)
    throw UsageError("cache needs one of: info, list, warm, clear");
  const std::string& verb = line.positionals()[0];
  if (device && verb != "warm") throw UsageError("cache " + verb + " takes no --device");
  if (verb == "info") return print_cache_info(as_json);
  if (verb == "list") return print_entries(as_json);
  if (verb != "warm" && verb != "clear")
    throw UsageError("cache has no command " + in_quotes(verb) +
                     "; it has info, list, warm and clear");
  if (as_json) throw UsageError("cache " + verb + " takes no --json");
  if (verb == "clear") return clear();
  warm(device);
}

}  // namespace cli
