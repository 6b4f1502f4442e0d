// gpuarr cache: the compiled kernels on disk.
#include <cstdio>
#include <exception>
#include <new>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "command_line.hpp"
#include "commands.hpp"
#include "error.hpp"
#include "facts.hpp"
#include "json.hpp"
#include "text.hpp"

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

}  // namespace

void run_cache(std::span<const std::string> words) {
  constexpr OptionRule rules[] = {{"--json"}};
  CommandLine line(words, rules);
  bool as_json = line.has("--json");
  if (line.positionals().size() != 1) throw UsageError("cache needs one of: info, list, clear");
  const std::string& verb = line.positionals()[0];
  if (verb == "info")
    print_cache_info(as_json);
  else if (verb == "list")
    print_entries(as_json);
  else if (verb != "clear")
    throw UsageError("cache has no command " + in_quotes(verb) + "; it has info, list and clear");
  else if (as_json)
    throw UsageError("cache clear takes no --json");
  else
    clear();
}

}  // namespace cli
