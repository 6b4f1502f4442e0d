// gpuarr/blocked_random.h: check, convert, call.
#include "gpuarr/blocked_random.h"

#include <bit>

#include "c/guard.hpp"
#include "c/kernel_handles.hpp"
#include "c/random_handles.hpp"
#include "c/team_handles.hpp"
#include "team/compute/random.hpp"

using namespace gpuarr;

namespace {

Distribution distribution_of(const char* distribution) {
  const auto found = find_distribution(checked_text(distribution, "distribution"));
  if (!found)
    fail(GPUARR_ERR_ARGUMENT, "distribution is \"{}\"; give one of {}", distribution,
         distribution_names());
  return *found;
}

// What users give of integers is not what the kernels get.
std::vector<const char*> parameter_names(Distribution distribution) {
  if (distribution == Distribution::integers_32) return {"low", "high"};
  std::vector<const char*> names;
  for (const RandomArgument& argument : facts_of(distribution).arguments)
    if (argument.name != nullptr) names.push_back(argument.name);
  return names;
}

std::string list_of(const std::vector<const char*>& names) {
  std::string list;
  for (const char* name : names) list += (list.empty() ? "" : ", ") + std::string(name);
  return list;
}

std::vector<Scalar> scalars_of(Distribution distribution, const gpuarr_arg* parameters,
                               int32_t count) {
  const std::vector<const char*> names = parameter_names(distribution);
  if (count < 0 || static_cast<size_t>(count) != names.size())
    fail(GPUARR_ERR_ARGUMENT, "count is {}, but {} numbers have {} parameter{}: {}", count,
         facts_of(distribution).name, names.size(), names.size() == 1 ? "" : "s", list_of(names));
  if (parameters == nullptr)
    fail(GPUARR_ERR_ARGUMENT, "parameters is NULL; give {} of them", names.size());
  std::vector<Scalar> out;
  for (size_t k = 0; k < names.size(); ++k) {
    if (parameters[k].array != nullptr && parameters[k].flags == 0)
      fail(GPUARR_ERR_ARGUMENT, "parameters[{}], {}, is an array; give a number", k, names[k]);
    out.push_back(Scalar::from(parameters[k], names[k]));
  }
  return out;
}

ScalarDraw draw_of(DType dtype, const char* distribution, const gpuarr_arg* parameters,
                   int32_t count) {
  const Distribution found = distribution_of(distribution);
  const std::vector<Scalar> given = scalars_of(found, parameters, count);
  if (found == Distribution::integers_32) return ScalarDraw::integers(dtype, given[0], given[1]);
  return {found, dtype, given};
}

uint64_t digest_of(const Generator& generator) {
  return generator.seed() * 1099511628211U ^ std::rotl(generator.stream(), 40) ^
         generator.position();
}

}  // namespace

gpuarr_status gpuarr_blocked_random(gpuarr_blocked* x, gpuarr_generator* generator,
                                    const char* distribution, const gpuarr_arg* parameters,
                                    int32_t count) {
  return guard(__func__, [&] {
    team::Blocked& target = *deref(x, "x");
    Generator& from = *deref(generator, "generator");
    const ScalarDraw numbers = draw_of(target.dtype(), distribution, parameters, count);
    collective(
        target.team(), "gpuarr_blocked_random", target.digest() ^ digest_of(from),
        [&] { team::draw(target, numbers, from); }, true);
  });
}
