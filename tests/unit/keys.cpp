// Calls of equal keys have equal texts. It also counts calls of different keys and equal texts,
// whose kernels would be compiled twice for nothing.
#include <climits>
#include <iostream>
#include <map>
#include <set>

#include "check.hpp"
#include "core/text.hpp"
#include "kernel/cache/digest.hpp"
#include "kernel/launch/table.hpp"
#include "key_calls.hpp"
#include "seed.hpp"

using namespace gpuarr;
using namespace gpuarr::key_calls;

namespace {

// Numbers and keys that there is no room for are refused, and not cut.
void refuses() {
  CHECK_EQ(int{Small(255)}, 255);
  for (const int64_t value : {256, -1, 1 << 16, INT_MIN})
    CHECK_FAILS(GPUARR_ERR_INTERNAL, formatted("{} is no number from 0 to 255", value).c_str(),
                [&] { Small{value}; });
  CHECK_FAILS(GPUARR_ERR_INTERNAL, "65536 is no number from 0 to 65535",
              [] { Narrow<uint16_t>{65536}; });
  CHECK_FAILS(GPUARR_ERR_INTERNAL, "256 is no number", [] { Key(256, DType::f32); });
  const std::array<std::byte, 120> part{};
  Key key(0, DType::f32);
  key.add(part);
  CHECK_FAILS(GPUARR_ERR_INTERNAL, "a key of 242 bytes", [&] { key.add(part); });
  Key full(0, DType::f32);
  full.add(part);
  full.add(std::span(part).first(118));
  CHECK(!(full == key) && full == full);
}

void draw(const char* kind, Call (*call)(LoopMaker&), uint64_t seed) {
#if defined(__SANITIZE_ADDRESS__)
  constexpr int calls = 1500;
#else
  constexpr int calls = 20000;
#endif
  LoopMaker maker(static_cast<unsigned>(seed));
  std::map<std::pair<std::string, std::string>, std::string> texts;
  std::set<std::pair<std::string, std::string>> different;
  for (int k = 0; k < calls; ++k) {
    const Call made = call(maker);
    const std::string hash = to_hex(digest(made.text));
    different.insert({made.kernel, hash});
    const auto [known, is_new] = texts.emplace(std::pair(made.kernel, made.variant), hash);
    if (is_new || known->second == hash) continue;
    check::report(__FILE__, __LINE__)
        << kind << ", call " << k << ": a text that differs from that of the same key:\n"
        << made.text << "\n";
    return;
  }
  std::cout << kind << ": " << calls << " calls, " << texts.size() << " keys, "
            << texts.size() - different.size() << " with another's text\n";
  CHECK_EQ(texts.size(), different.size());
}

}  // namespace

int main() {
  refuses();
  const uint64_t seed = test_seed();
  draw("elementwise", elementwise_call, seed);
  draw("gufunc", gufunc_call, seed);
  draw("reduction", reduction_call, seed);
  draw("row", row_call, seed);
  draw("scan", scan_call, seed);
  draw("select", select_call, seed);
  draw("sort", sort_call, seed);
  draw("rank", rank_call, seed);
  draw("count", count_call, seed);
  draw("random", random_call, seed);
  return check::result();
}
