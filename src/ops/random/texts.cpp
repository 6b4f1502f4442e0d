#include "ops/random/texts.hpp"

#include "core/error.hpp"
#include "ops/distributions_text.hpp"

namespace gpuarr {
namespace {

namespace texts = distribution_parts;

constexpr std::string_view as_it_is = "static inline R finished(R x) { return x; }\n";
constexpr std::string_view as_logarithm =
    "static inline R finished(R x) { return random_exp(x); }\n";

// A kernel whose body has a loop gives each thread one element.
constexpr const char* gamma_body =
    "do out = (T)(random_gamma(at, element, q) * q.scale); while (0);";
constexpr const char* poisson_body = "do out = random_poisson(at, element, q); while (0);";
constexpr const char* binomial_body = "do out = random_binomial(at, element, q); while (0);";

// clang-format off
constexpr DistributionFacts distribution_rows[] = {
  {"uniform", Numbers::real, {{"low", Allowed::finite}, {"high", Allowed::finite}}, nullptr,
   {texts::uniform, texts::nothing_to_settle}},
  {"normal", Numbers::real, {{"mean", Allowed::finite}, {"std", Allowed::not_negative}}, nullptr,
   {as_it_is, texts::normal, texts::nothing_to_settle}},
  {"standard_normal", Numbers::real,
   {{"mean", Allowed::finite}, {"std", Allowed::not_negative}}, nullptr,
   {texts::standard_normal, texts::nothing_to_settle}},
  {"lognormal", Numbers::real, {{"mean", Allowed::finite}, {"std", Allowed::not_negative}}, nullptr,
   {as_logarithm, texts::normal, texts::nothing_to_settle}},
  {"exponential", Numbers::real, {{"scale", Allowed::not_negative}}, nullptr,
   {texts::exponential, texts::nothing_to_settle}},
  {"bernoulli", Numbers::truth, {{"p", Allowed::probability}}, nullptr, {texts::bernoulli}},
  {"integers", Numbers::whole,
   {{"low", Allowed::any}, {"last", Allowed::any}, {"least", Allowed::any}}, nullptr,
   {texts::words_32, texts::integers}},
  {"integers", Numbers::whole,
   {{"low", Allowed::any}, {"last", Allowed::any}, {"least", Allowed::any}}, nullptr,
   {texts::words_64, texts::integers}},
  {"gamma", Numbers::real,
   {{"k", Allowed::positive}, {"scale", Allowed::not_negative}}, gamma_body, {texts::gamma}},
  {"poisson", Numbers::count, {{"lam", Allowed::mean_of_counts}}, poisson_body, {texts::poisson}},
  {"binomial", Numbers::count,
   {{"trials", Allowed::whole_number}, {"p", Allowed::probability}}, binomial_body,
   {texts::binomial}},
};
// clang-format on
static_assert(std::size(distribution_rows) == distribution_count);

bool is_whole(Numbers makes) { return makes == Numbers::whole; }

bool makes(Numbers numbers, DType dtype) {
  switch (numbers) {
    case Numbers::real:
      return facts_of(dtype).kind == DTypeKind::real;
    case Numbers::truth:
      return dtype == DType::boolean;
    case Numbers::whole:
      return is_integer(dtype);
    case Numbers::count:
      return dtype == DType::i64;
  }
  return false;
}

// Others are ways to make the same numbers.
bool is_for_users(size_t row) {
  const auto distribution = static_cast<Distribution>(row);
  return distribution != Distribution::standard_normal && distribution != Distribution::integers_64;
}

constexpr const char* wanted_dtypes[] = {"a floating type", "bool", "an integer type", "int64"};

}  // namespace

const DistributionFacts& facts_of(Distribution distribution) {
  return distribution_rows[static_cast<size_t>(distribution)];
}

std::optional<Distribution> find_distribution(std::string_view name) {
  for (size_t k = 0; k < std::size(distribution_rows); ++k)
    if (is_for_users(k) && distribution_rows[k].name == name) return static_cast<Distribution>(k);
  return std::nullopt;
}

std::string distribution_names() {
  std::string names;
  for (size_t k = 0; k < std::size(distribution_rows); ++k)
    if (is_for_users(k)) names += (k > 0 ? ", " : "") + std::string(distribution_rows[k].name);
  return names;
}

void check_dtype(Distribution distribution, DType dtype) {
  const DistributionFacts& r = facts_of(distribution);
  if (!makes(r.makes, dtype))
    fail(GPUARR_ERR_DTYPE, "{} numbers cannot be {}; give {}", r.name, name(dtype),
         wanted_dtypes[static_cast<size_t>(r.makes)]);
}

RandomText random_text(Distribution distribution, DType dtype) {
  const DistributionFacts& r = facts_of(distribution);
  RandomText made;
  made.name = r.name;
  for (std::string_view part : r.text) made.text += part;
  made.by_steps = r.body != nullptr;
  made.argument = is_whole(r.makes) ? "unsigned long long" : "double";
  const bool pairs = dtype == DType::f64 || distribution == Distribution::integers_64;
  made.per_step = made.by_steps ? 1 : pairs ? 2 : 4;
  made.drawn = r.makes != Numbers::real ? facts_of(dtype).cxx
               : dtype == DType::f64    ? "double"
                                        : "float";
  return made;
}

// Integers are whole 64 bits; of other arguments any type is converted where it is used.
RandomKernelText random_kernel_text(Distribution distribution, bool of_scalars, int part_axes) {
  const DistributionFacts& r = facts_of(distribution);
  RandomKernelText made;
  std::string arguments;
  const char* letters[] = {"P", "Q", "S"};
  for (size_t k = 0; k < std::size(r.arguments) && r.arguments[k].name != nullptr; ++k) {
    const RandomArgument& a = r.arguments[k];
    made.in_params += formatted("{} {}, ", is_whole(r.makes) ? "uint64" : letters[k], a.name);
    arguments +=
        formatted("{}({}){}", k > 0 ? ", " : "", is_whole(r.makes) ? "uint64" : "double", a.name);
  }
  made.in_params += "uint64 seed, uint64 stream, uint64 position";
  std::string element = "const auto element = i; ";
  if (part_axes >= 0) made.in_params += ", int64 first";
  if (part_axes >= 0) element = "long long element = first; ";
  for (int axis = 0; axis < part_axes; ++axis) {
    made.in_params += formatted(", int64 step_{}", axis);
    element += formatted("element += _ind.get()[{0}] * step_{0}; ", axis);
  }
  const std::string prepared = formatted(
      "const philox_place at = {{seed, stream, position}};\n"
      "const consts q = prepare({});\n",
      arguments);
  if (of_scalars) made.loop_prep = prepared;
  if (!of_scalars) made.body = prepared;
  made.body += element;
  made.body += r.body != nullptr ? r.body : texts::number_of_step;
  return made;
}

}  // namespace gpuarr
