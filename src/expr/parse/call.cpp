#include "expr/parse/call.hpp"

#include <algorithm>
#include <span>

#include "core/error.hpp"
#include "core/meant.hpp"

namespace gpuarr::expr {
namespace {

bool is_given(const Call& call, size_t count, size_t parameter) {
  return std::ranges::count(std::span(call.parameters).first(count), parameter) > 0;
}

}  // namespace

int parameter_named(const Callable& callable, std::string_view name) {
  const auto& parameters = callable.parameters;
  const auto found = std::ranges::find(parameters, name);
  if (found != parameters.end()) return static_cast<int>(found - parameters.begin());
  const std::vector<std::string_view> names(parameters.begin(), parameters.end());
  const std::string near = meant(name, names);
  fail(GPUARR_ERR_ARGUMENT, "{} has no parameter {}{}", callable.name, name,
       near.empty() ? "; it takes " + joined(parameters) : near);
}

void add_argument(Call& call, size_t at, int keyword, bool after_keyword) {
  const Callable& callable = *call.callable;
  if (keyword == no_keyword && after_keyword)
    fail(GPUARR_ERR_ARGUMENT, "{} gets an argument without a name behind a named one",
         callable.name);
  if (at >= callable.parameters.size() || (keyword == no_keyword && at >= callable.positional))
    fail(GPUARR_ERR_ARGUMENT, "{} takes {}{}", callable.name, joined(callable.parameters),
         at < callable.parameters.size()
             ? formatted("; name what stands behind {}", callable.parameters[at - 1])
             : " and no more");
  const auto parameter = keyword == no_keyword ? at : static_cast<size_t>(keyword);
  if (is_given(call, at, parameter))
    fail(GPUARR_ERR_ARGUMENT, "{} gets {} twice", callable.name, callable.parameters[parameter]);
  call.parameters[at] = static_cast<uint8_t>(parameter);
}

void check_arguments(const Call& call, size_t count) {
  const Callable& callable = *call.callable;
  for (size_t k = 0; k < callable.required; ++k)
    if (!is_given(call, count, k))
      fail(GPUARR_ERR_ARGUMENT, "{} takes {}, but gets no {}", callable.name,
           joined(callable.parameters), callable.parameters[k]);
}

}  // namespace gpuarr::expr
