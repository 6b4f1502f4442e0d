#include "host/translate/check_edits.hpp"

#include <algorithm>

#include "core/text.hpp"
#include "host/read/barriers.hpp"
#include "host/read/definitions.hpp"

namespace gpuarr::host {
namespace {

bool is_extern(const Parsed& parsed, size_t at) {
  for (; at > 0 && !parsed.is_any(at - 1, ";", "{", "}"); --at)
    if (parsed.is(at - 1, "extern")) return true;
  return false;
}

// Behind the lambda that begins at `at`; `at` if none does.
size_t skip_lambda(const Parsed& parsed, size_t at) {
  if (!parsed.is(at, "[") || parsed.is_word(at - 1) || parsed.is_any(at - 1, "]", ")")) return at;
  size_t k = parsed.match[at] + 1;
  while (k < parsed.tokens.size() && !parsed.is(k, "{")) {
    if (parsed.is(k, ";")) return at;
    k = std::max(parsed.match[k], k) + 1;
  }
  return k < parsed.tokens.size() ? parsed.match[k] + 1 : at;
}

// In kernels, and in functions that wait: their early returns are their callers', most often.
void mark_returns(const Parsed& parsed, TokenRange body, bool values, Edits& edits) {
  for (size_t k = body.first; k + 1 < body.last; ++k) {
    if (parsed.is(k, "return") && parsed.is(k + 1, ";"))
      edits.insert(parsed.end(k), " gpuarr_returns()");
  }
  for (size_t k = body.first; values && k + 1 < body.last; ++k) {
    k = std::max(skip_lambda(parsed, k), k + 1) - 1;
    if (!parsed.is(k, "return") || parsed.is(k + 1, ";")) continue;
    const size_t end = parsed.semicolon(k, parsed.tokens.size());
    if (end + 1 >= body.last) return;
    edits.insert(parsed.begin(k), "{ gpuarr_returns(); ");
    edits.insert(parsed.end(end), " }");
  }
}

// What is initialised lies apart from what is zero, and static variables from others.
void put_gaps(const Parsed& parsed, size_t semicolon, bool is_static, Edits& edits) {
  const char* word = is_static ? "static " : "";
  edits.insert(
      parsed.end(semicolon),
      formatted(" {0}__attribute__((used)) char gpuarr_gap_{1}[128]; {0}__attribute__((used)) "
                "char gpuarr_gap_{1}_[128] = {{1}};",
                word, semicolon));
}

}  // namespace

void prepare_for_checks(const Parsed& parsed, Edits& edits) {
  const BarrierUse barriers(parsed);
  for (const Declaration& d : parsed.outline.declarations) {
    if (d.kind == Declaration::Kind::function && d.has_body) {
      const bool kernel = is_kernel(parsed, d);
      if (kernel || barriers.of(d.body) > 0) mark_returns(parsed, d.body, !kernel, edits);
    }
    if (is_variable(parsed, d) && parsed.is(d.head.last, ";"))
      put_gaps(parsed, d.head.last, parsed.has(d.head, "static"), edits);
  }
  // A variable says that there is memory that nobody knows of.
  if (parsed.has_any({0, parsed.tokens.size()}, "malloc", "new"))
    edits.insert(parsed.text.size(), " __attribute__((used)) char gpuarr_allocates;");
  for (size_t k = 0; k < parsed.tokens.size(); ++k) {
    if (!parsed.is(k, "__shared__") || is_extern(parsed, k)) continue;
    const size_t end = parsed.semicolon(k, parsed.tokens.size());
    if (end == parsed.tokens.size()) return;
    edits.insert(
        parsed.end(end),
        formatted(" static thread_local __attribute__((used)) char gpuarr_gap_{}[128];", end));
    k = end;
  }
}

}  // namespace gpuarr::host
