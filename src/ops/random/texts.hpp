// How each distribution is written for kernels.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "codegen/random/random.hpp"
#include "core/dtype.hpp"

namespace gpuarr {

enum class Distribution : uint8_t {  // the rows of the table, in its order
  uniform,
  normal,
  standard_normal,  // the same numbers as normal ones of mean 0 and deviation 1, in float32
  lognormal,
  exponential,
  bernoulli,
  integers_32,  // in a range of at most 2^32 numbers
  integers_64,
  gamma,
  poisson,
  binomial,
};
constexpr int distribution_count = static_cast<int>(Distribution::binomial) + 1;

enum class Numbers { real, truth, whole, count };  // dtypes: floating, bool, integers, int64

// What an argument may be.
enum class Allowed {
  any,
  finite,
  not_negative,
  positive,
  probability,
  whole_number,
  mean_of_counts
};

struct RandomArgument {
  const char* name = nullptr;
  Allowed allowed = Allowed::any;
};

struct DistributionFacts {
  const char* name;
  Numbers makes;
  RandomArgument arguments[3];
  const char* body;  // of an elementwise kernel, where each number has a step of its own; else null
  std::string_view text[3] = {};  // parts (distributions/README.md)
};
const DistributionFacts& facts_of(Distribution distribution);

/// The distribution that users call so; of "integers" that of a short range. None: no such.
std::optional<Distribution> find_distribution(std::string_view name);
/// All of these names, "uniform, normal, ...".
std::string distribution_names();

/// Fails for a dtype that the distribution does not make.
void check_dtype(Distribution distribution, DType dtype);

/// What the text of a fill depends on.
struct RandomVariant {
  Distribution distribution;
  DType dtype;
};

RandomText random_text(Distribution distribution, DType dtype);

/// An elementwise kernel that fills an array of any layout; its output is `out`.
struct RandomKernelText {
  std::string in_params;  // the arguments, then seed, stream and position, and of a part its place
  std::string loop_prep;  // what can be prepared if the arguments are scalars
  std::string body;
};
/// `part_axes`: of a kernel for arrays of so many axes that are parts of another one, whose numbers
/// they get; it takes the first element's index there, and the steps along each axis. -1: of
/// others.
RandomKernelText random_kernel_text(Distribution distribution, bool of_scalars, int part_axes = -1);

}  // namespace gpuarr
