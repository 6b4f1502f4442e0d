#include "host/read/definitions.hpp"

#include <algorithm>

#include "host/read/barriers.hpp"

namespace gpuarr::host {
namespace {

// The first argument of __launch_bounds__.
std::string bounds_of(const Parsed& parsed, const Declaration& d) {
  size_t at = d.head.first;
  while (at < d.head.last && !parsed.is(at, "__launch_bounds__")) ++at;
  if (at + 1 >= d.head.last || !parsed.is(at + 1, "(")) return "";
  const size_t close = parsed.match[at + 1];
  TokenRange first = {at + 2, at + 2};
  while (first.last < close && !parsed.is(first.last, ",")) {
    const Token& token = parsed.tokens[first.last];
    if (std::ranges::find(d.template_parameters, token.text) != d.template_parameters.end())
      return "";
    size_t next = std::max(parsed.match[first.last], first.last) + 1;
    if (parsed.is(first.last, "<")) next = std::max(next, parsed.skip_angles(first.last, close));
    first.last = std::min(next, close);
  }
  return parsed.written(first);
}

ScannedKernel read_kernel(const Parsed& parsed, const Declaration& d, const BarrierUse& barriers) {
  ScannedKernel out;
  out.scope = d.scope;
  out.name = d.scope + std::string(parsed.tokens[d.name].text);
  out.place = parsed.place(d.name);
  out.is_special = parsed.is(d.name + 1, "<");
  out.is_template = d.is_template || out.is_special;
  const TokenRange all = {d.head.first, d.body.last};
  out.threads = barriers.of(all);
  out.in_rows = out.threads == 0 && !barriers.knows_its_block(all);
  out.bounds = bounds_of(parsed, d);
  out.end = d.body.last;
  return out;
}

// Whether __device__, __constant__ or __managed__ stand before the name or a type's brace.
bool says_device(const Parsed& parsed, TokenRange range) {
  for (size_t k = range.first; k < range.last; ++k) {
    if (parsed.is_any(k, "__device__", "__constant__", "__managed__")) return true;
    if (parsed.is_any(k, "=", "{")) return false;
  }
  return false;
}

bool is_on_device(const Parsed& parsed, const Declaration& d) {
  return says_device(parsed, d.type_head) || says_device(parsed, d.head);
}

}  // namespace

bool is_kernel(const Parsed& parsed, const Declaration& d) {
  return d.kind == Declaration::Kind::function && d.in_class.empty() &&
         parsed.has({d.head.first, d.head.last}, "__global__");
}

bool is_variable(const Parsed& parsed, const Declaration& d) {
  if (d.kind != Declaration::Kind::other || !d.in_class.empty() || d.is_template ||
      d.is_instantiation)
    return false;
  if (parsed.is_any(d.head.first, "using", "typedef", "namespace")) return false;
  if (parsed.has(d.head, "extern") && !parsed.has(d.head, "=")) return false;
  return !parsed.has(d.head, "__shared__") && is_on_device(parsed, d);
}

Scan scan(const Parsed& parsed, const BarrierUse& barriers) {
  Scan out;
  for (const Declaration& d : parsed.outline.declarations) {
    if (is_kernel(parsed, d)) {
      if (d.has_body) out.kernels.push_back(read_kernel(parsed, d, barriers));
    } else if (is_variable(parsed, d)) {
      for (const Declarator& one : read_declarators(parsed, d.head).list)
        out.variables.push_back(
            {d.scope + std::string(parsed.tokens[one.name].text), parsed.place(one.name)});
    }
  }
  return out;
}

}  // namespace gpuarr::host
