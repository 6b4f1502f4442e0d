#include "ops/random_texts.hpp"

#include "core/error.hpp"

namespace gpuarr {
namespace {

// The rounded product may be `high`, which does not belong to them: then it is the last before it.
constexpr const char* uniform_text = R"(struct consts { R low, step, last; };
static inline consts prepare(double low, double high, double = 0) {
  const T from = (T)low, to = (T)high;
  const R a = (R)from, b = (R)to, last = (R)random_before<T, Bits>(to);
  const R step = (b - a) * (R)(sizeof(R) == 4 ? 0x1p-32 : 0x1p-53);
  return {a, step, a < b ? last : a == b ? a : (R)NAN};
}
static inline R inside(R whole, const consts& q) {
  return fmin(fma(whole, q.step, q.low), q.last);
}
static inline bool draw(float (&v)[4], const philox_words& w, const consts& q) {
  v[0] = inside(random_whole(w.a), q);
  v[1] = inside(random_whole(w.b), q);
  v[2] = inside(random_whole(w.c), q);
  v[3] = inside(random_whole(w.d), q);
  return false;
}
static inline bool draw(double (&v)[2], const philox_words& w, const consts& q) {
  v[0] = inside(random_whole(w.a, w.b), q);
  v[1] = inside(random_whole(w.c, w.d), q);
  return false;
}
)";

// What `one` is, compilers must not know: see random_direction_32().
constexpr const char* normal_text = R"(struct consts { R mean, std; unsigned one; };
static inline consts prepare(double mean, double std, double one = 1) {
  return {(R)mean, std < 0 ? (R)NAN : (R)std, random_as_bits((float)one)};
}
static inline bool draw(float (&v)[4], const philox_words& w, const consts& q) {
  random_normals(v, w, q.one);
  for (int k = 0; k < 4; ++k) v[k] = finished(fma(v[k], q.std, q.mean));
  return false;
}
static inline bool draw(double (&v)[2], const philox_words& w, const consts& q) {
  const random_pair<double> x = random_normals(w, q.mean, q.std);
  v[0] = finished(x.x);
  v[1] = finished(x.y);
  return false;
}
)";
constexpr const char* standard_normal_text = R"(struct consts { unsigned one; };
static inline consts prepare(double, double, double one = 1) {
  return {random_as_bits((float)one)};
}
static inline bool draw(float (&v)[4], const philox_words& w, const consts& q) {
  random_normals(v, w, q.one);
  return false;
}
)";

constexpr const char* as_it_is = "static inline R finished(R x) { return x; }\n";
constexpr const char* as_logarithm = "static inline R finished(R x) { return random_exp(x); }\n";

constexpr const char* exponential_text = R"(struct consts { R half; };
static inline consts prepare(double scale, double = 0, double = 0) {
  return {scale < 0 ? (R)NAN : (R)scale * (R)0.5};
}
static inline bool draw(float (&v)[4], const philox_words& w, const consts& q) {
  v[0] = random_minus_2_log(random_positive(w.a)) * q.half;
  v[1] = random_minus_2_log(random_positive(w.b)) * q.half;
  v[2] = random_minus_2_log(random_positive(w.c)) * q.half;
  v[3] = random_minus_2_log(random_positive(w.d)) * q.half;
  return false;
}
static inline bool draw(double (&v)[2], const philox_words& w, const consts& q) {
  v[0] = random_minus_2_log(random_positive(w.a, w.b)) * q.half;
  v[1] = random_minus_2_log(random_positive(w.c, w.d)) * q.half;
  return false;
}
)";

// 64 bits are compared with the probability: the second half where the first one ties.
constexpr const char* bernoulli_text = R"(struct consts { unsigned first, second, always; };
static inline consts prepare(double p, double = 0, double = 0) {
  const unsigned long long bits = p > 0 && p < 1 ? (unsigned long long)(p * 0x1p64) : 0;
  return {(unsigned)(bits >> 32), (unsigned)bits, p >= 1};
}
static inline bool draw(bool (&v)[4], const philox_words& w, const consts& q) {
  v[0] = (w.a < q.first) | (q.always != 0);
  v[1] = (w.b < q.first) | (q.always != 0);
  v[2] = (w.c < q.first) | (q.always != 0);
  v[3] = (w.d < q.first) | (q.always != 0);
  return (w.a == q.first) | (w.b == q.first) | (w.c == q.first) | (w.d == q.first);
}
static inline void settle(bool (&v)[4], const philox_place& at, unsigned long long step,
                          const philox_words& w, const consts& q) {
  const philox_words more = philox_step(at, step, 1);
  if (w.a == q.first) v[0] = (more.a < q.second) | (q.always != 0);
  if (w.b == q.first) v[1] = (more.b < q.second) | (q.always != 0);
  if (w.c == q.first) v[2] = (more.c < q.second) | (q.always != 0);
  if (w.d == q.first) v[3] = (more.d < q.second) | (q.always != 0);
}
)";

constexpr const char* nothing_to_settle =
    "static inline void settle(V (&)[N], const philox_place&, unsigned long long,\n"
    "                          const philox_words&, const consts&) {}\n";

// Lemire, "Fast random integer generation in an interval", 2019. `last` is the length of the range
// less 1, `least` what the low half of a product must not be below: 2^32 or 2^64 modulo the length.
constexpr const char* integers_text = R"(
struct consts { unsigned long long low; W last, least; };
static inline consts prepare(unsigned long long low, unsigned long long last,
                             unsigned long long least) {
  return {low, (W)last, (W)least};
}
static inline bool draw_all(V (&v)[N], const W (&words)[N], const consts& q, bool (&bad)[N]) {
  bool any = false;
  for (int k = 0; k < N; ++k) {
    W high, low;
    product(words[k], q.last, high, low);
    bad[k] = low < q.least;
    any |= bad[k];
    v[k] = (V)(q.low + high);
  }
  return any;
}
static inline bool draw(V (&v)[N], const philox_words& w, const consts& q) {
  W x[N];
  bool bad[N];
  take(x, w);
  return draw_all(v, x, q, bad);
}
static inline void settle(V (&v)[N], const philox_place& at, unsigned long long step,
                          const philox_words& w, const consts& q) {
  W x[N];
  bool left[N];
  take(x, w);
  bool any = draw_all(v, x, q, left);
  for (unsigned attempt = 1; any && attempt < 65536; ++attempt) {
    take(x, philox_step(at, step, attempt));
    V found[N];
    bool bad[N];
    draw_all(found, x, q, bad);
    any = false;
    for (int k = 0; k < N; ++k) {
      if (left[k]) v[k] = found[k];
      left[k] = left[k] && bad[k];
      any |= left[k];
    }
  }
}
)";
// A word times the length, so that a length of 2^32 or 2^64 needs no number for itself.
constexpr const char* words_32 = R"(typedef unsigned W;
static inline void take(W (&x)[4], const philox_words& w) {
  x[0] = w.a;
  x[1] = w.b;
  x[2] = w.c;
  x[3] = w.d;
}
static inline void product(W x, W last, W& high, W& low) {
  const unsigned long long p = (unsigned long long)x * last + x;
  high = (W)(p >> 32);
  low = (W)p;
}
)";
constexpr const char* words_64 = R"(typedef unsigned long long W;
static inline void take(W (&x)[2], const philox_words& w) {
  x[0] = w.a | (W)w.b << 32;
  x[1] = w.c | (W)w.d << 32;
}
static inline void product(W x, W last, W& high, W& low) {
#ifdef __CUDACC_RTC__
  const W whole = __umul64hi(x, last);
#else
  const W whole = (W)((unsigned __int128)x * last >> 64);
#endif
  low = x * last + x;
  high = whole + (low < x);
}
)";

// Each with what it prepares, for all elements where the arguments are scalars. A kernel whose body
// has a loop gives each thread one element.
constexpr const char* gamma_body = "do out = (T)(random_gamma(at, i, q) * q.scale); while (0);";
constexpr const char* poisson_body = "do out = random_poisson(at, i, q); while (0);";
constexpr const char* binomial_body = "do out = random_binomial(at, i, q); while (0);";

constexpr const char* gamma_setup = R"(struct consts : random_gamma_setup { double scale; };
static inline consts prepare(double k, double scale) { return {random_gamma_of(k), scale}; }
)";
constexpr const char* poisson_setup = R"(typedef random_poisson_setup consts;
static inline consts prepare(double lam) { return random_poisson_of(lam); }
)";
constexpr const char* binomial_setup = R"(typedef random_binomial_setup consts;
static inline consts prepare(double trials, double p) { return random_binomial_of(trials, p); }
)";

constexpr const char* body_of_words = R"(const philox_words w = philox_step(at, i / N);
V v[N];
if (draw(v, w, q)) settle(v, at, i / N, w, q);
T chosen = (T)v[0];
for (int k = 1; k < N; ++k)
  if (i % N == k) chosen = (T)v[k];
out = chosen;)";

// clang-format off
constexpr DistributionRow distribution_rows[] = {
  {"uniform", Numbers::real, {{"low", Allowed::finite}, {"high", Allowed::finite}}, nullptr,
   {"", uniform_text, nothing_to_settle}},
  {"normal", Numbers::real, {{"mean", Allowed::finite}, {"std", Allowed::not_negative}}, nullptr,
   {as_it_is, normal_text, nothing_to_settle}},
  {"standard_normal", Numbers::real,
   {{"mean", Allowed::finite}, {"std", Allowed::not_negative}}, nullptr,
   {"", standard_normal_text, nothing_to_settle}},
  {"lognormal", Numbers::real, {{"mean", Allowed::finite}, {"std", Allowed::not_negative}}, nullptr,
   {as_logarithm, normal_text, nothing_to_settle}},
  {"exponential", Numbers::real, {{"scale", Allowed::not_negative}}, nullptr,
   {"", exponential_text, nothing_to_settle}},
  {"bernoulli", Numbers::truth, {{"p", Allowed::probability}}, nullptr, {"", bernoulli_text, ""}},
  {"integers", Numbers::whole,
   {{"low", Allowed::any}, {"last", Allowed::any}, {"least", Allowed::any}}, nullptr,
   {words_32, integers_text, ""}},
  {"integers", Numbers::whole,
   {{"low", Allowed::any}, {"last", Allowed::any}, {"least", Allowed::any}}, nullptr,
   {words_64, integers_text, ""}},
  {"gamma", Numbers::real,
   {{"k", Allowed::positive}, {"scale", Allowed::not_negative}}, gamma_body, {gamma_setup}},
  {"poisson", Numbers::count, {{"lam", Allowed::mean_of_counts}}, poisson_body, {poisson_setup}},
  {"binomial", Numbers::count,
   {{"trials", Allowed::whole_number}, {"p", Allowed::probability}}, binomial_body,
   {binomial_setup}},
};
// clang-format on
static_assert(std::size(distribution_rows) == distribution_count);

bool is_whole(Numbers makes) { return makes == Numbers::whole; }

bool makes(Numbers numbers, DType dtype) {
  const DTypeKind kind = row(dtype).kind;
  switch (numbers) {
    case Numbers::real:
      return kind == DTypeKind::real;
    case Numbers::truth:
      return dtype == DType::boolean;
    case Numbers::whole:
      return kind == DTypeKind::integer || kind == DTypeKind::natural;
    case Numbers::count:
      return dtype == DType::i64;
  }
  return false;
}

constexpr const char* wanted_dtypes[] = {"a floating type", "bool", "an integer type", "int64"};

}  // namespace

const DistributionRow& row(Distribution distribution) {
  return distribution_rows[static_cast<size_t>(distribution)];
}

void check_dtype(Distribution distribution, DType dtype) {
  const DistributionRow& r = row(distribution);
  if (!makes(r.makes, dtype))
    fail(GPUARR_ERR_DTYPE, "{} numbers cannot be {}; give {}", r.name, name(dtype),
         wanted_dtypes[static_cast<size_t>(r.makes)]);
}

RandomText random_text(Distribution distribution, DType dtype) {
  const DistributionRow& r = row(distribution);
  RandomText made;
  made.name = r.name;
  for (const char* part : r.text)
    if (part != nullptr) made.text += part;
  made.by_steps = r.body != nullptr;
  made.argument = is_whole(r.makes) ? "unsigned long long" : "double";
  const bool pairs = dtype == DType::f64 || distribution == Distribution::integers_64;
  made.per_step = made.by_steps ? 1 : pairs ? 2 : 4;
  made.drawn = r.makes != Numbers::real ? row(dtype).cxx : dtype == DType::f64 ? "double" : "float";
  return made;
}

// Integers are whole 64 bits; of other arguments any type is converted where it is used.
RandomKernelText random_kernel_text(Distribution distribution, bool of_scalars) {
  const DistributionRow& r = row(distribution);
  RandomKernelText made;
  std::string arguments;
  const char* letters[] = {"P", "Q", "S"};
  for (size_t k = 0; k < std::size(r.arguments) && r.arguments[k].name != nullptr; ++k) {
    const RandomArgument& a = r.arguments[k];
    made.in_params += text("{} {}, ", is_whole(r.makes) ? "uint64" : letters[k], a.name);
    arguments +=
        text("{}({}){}", k > 0 ? ", " : "", is_whole(r.makes) ? "uint64" : "double", a.name);
  }
  made.in_params += "uint64 seed, uint64 stream, uint64 position";
  const std::string prepared = text(
      "const philox_place at = {{seed, stream, position}};\n"
      "const consts q = prepare({});\n",
      arguments);
  if (of_scalars) made.loop_prep = prepared;
  made.body = (of_scalars ? "" : prepared) + (r.body != nullptr ? r.body : body_of_words);
  return made;
}

}  // namespace gpuarr
