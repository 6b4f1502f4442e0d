// Row kernels for tests, with what each computes of a row by the simplest means. As in expressions,
// each value is rounded to its dtype.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "core/text.hpp"
#include "kernel/row.hpp"
#include "ops/reduce/reduce.hpp"

namespace row_texts {

using namespace gpuarr;
using Real = long double;
using Reals = std::vector<Real>;

/// Bits of float16, of numbers that are 0 or of usual size: cut, not rounded.
inline uint16_t half_bits(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  const uint32_t sign = bits >> 16 & 0x8000U, exponent = bits >> 23 & 0xff;
  if (exponent <= 112) return static_cast<uint16_t>(sign);
  return static_cast<uint16_t>(sign | (exponent - 112) << 10 | (bits >> 13 & 0x3ff));
}
inline float half_value(uint16_t bits) {
  const float sign = bits >> 15 != 0 ? -1.0F : 1.0F;
  const int exponent = bits >> 10 & 31;
  const auto digits = static_cast<float>(bits & 0x3ff);
  if (exponent == 0) return sign * std::ldexp(digits, -24);
  return sign * std::ldexp(digits + 1024, exponent - 25);
}

/// How an input lies: all of the loop, one row for all of them, one element for each row, a scalar.
enum class Lies { whole, row, column, scalar };

/// Inputs of a row, of n elements each or one; outputs are set.
struct RowValues {
  std::vector<Reals> in, along;
  Reals of_row;
  std::vector<int64_t> numbers;  // i of each element
};

struct RowCase {
  const char* name;
  RowSpec spec;
  KernelOptions options;
  std::vector<Lies> lies;
  std::function<void(RowValues&)> by_hand;
  Real size = 1;  // of what sums may cancel
};

inline std::string preamble_of(DType dtype) {
  return std::string(reducer_text(Reducer::max, dtype).options.preamble.text());
}

inline RowFold fold(const char* name, DType dtype, const std::string& map) {
  const DType partial = computed_in(dtype);
  return {name, dtype, facts_of(partial).cxx, size_of(partial), map, "a + b", UserText("0"), "a"};
}
inline RowFold mean(const char* name, DType dtype, const std::string& map) {
  RowFold out = fold(name, dtype, map);
  out.post = "(F)a / (n / _out_ind.size())";
  return out;
}
inline RowFold most(const char* name, DType dtype) {
  RowFold out = fold(name, dtype, "x");
  out.reduce = "most(a, b)";
  out.identity.reset();
  return out;
}

/// "float16 x, float16 w"
inline std::string params(DType dtype, std::initializer_list<const char*> names) {
  std::string out;
  for (const char* name : names)
    out += formatted("{}{} {}", out.empty() ? "" : ", ", gpuarr::name(dtype), name);
  return out;
}

inline KernelOptions options(const char* name, DType dtype) {
  KernelOptions out;
  out.name = name;
  out.preamble = preamble_of(dtype);
  return out;
}

inline Real sum_of(const Reals& x) {
  Real sum = 0;
  for (Real v : x) sum += v;
  return sum;
}
inline Real mean_of(const Reals& x) { return sum_of(x) / static_cast<Real>(x.size()); }
inline Real variance_of(const Reals& x) {
  const Real mean = mean_of(x);
  Real sum = 0;
  for (Real v : x) sum += (v - mean) * (v - mean);
  return sum / static_cast<Real>(x.size());
}
inline Reals softmax_of(const Reals& x) {
  const Real most = *std::ranges::max_element(x);
  Reals out;
  for (Real v : x) out.push_back(std::exp(v - most));
  const Real sum = sum_of(out);
  for (Real& v : out) v /= sum;
  return out;
}

inline RowCase softmax(DType t) {
  const char* const T = facts_of(t).cxx;
  RowCase out{"softmax", {}, options("softmax", t), {Lies::whole}, {}};
  out.spec = {params(t, {"x"}), params(t, {"y"}), "", {{"e", t}}, {}, "y = e / s;", ""};
  out.spec.passes = {{"", {most("m", t)}},
                     {formatted("const {} d = x - m;\ne = exp(d);", T), {fold("s", t, "e")}}};
  out.by_hand = [](RowValues& v) { v.along = {softmax_of(v.in[0])}; };
  return out;
}

inline RowCase log_softmax(DType t) {
  const char* const T = facts_of(t).cxx;
  RowCase out{"log_softmax", {}, options("log_softmax", t), {Lies::whole}, {}};
  out.spec = {params(t, {"x"}), params(t, {"y"}), params(t, {"z"}), {{"d", t}}, {},
              "y = d - l;",     "z = l;"};
  RowFold sum = fold("l", t, formatted("({})exp(d)", T));
  sum.post = "log(a)";
  out.spec.passes = {{"", {most("m", t)}}, {"d = x - m;", {sum}}};
  out.by_hand = [](RowValues& v) {
    const Real most = *std::ranges::max_element(v.in[0]);
    Real sum = 0;
    for (Real x : v.in[0]) sum += std::exp(x - most);
    v.along = {{}};
    for (Real x : v.in[0]) v.along[0].push_back(x - most - std::log(sum));
    v.of_row = {std::log(sum)};
  };
  out.size = 8;
  return out;
}

inline RowCase layer_norm(DType t) {
  const char* const T = facts_of(t).cxx;
  RowCase out{"layer_norm",
              {},
              options("layer_norm", t),
              {Lies::whole, Lies::row, Lies::row, Lies::scalar},
              {}};
  out.options.preamble =
      preamble_of(t) + formatted("static inline {0} squared({0} d) {{ return d * d; }}\n", T);
  out.spec = {params(t, {"x", "w", "b", "eps"}), params(t, {"y"}), "", {}, {}, "", ""};
  out.spec.passes = {
      {"", {mean("m", t, "x")}},
      {"", {mean("v", t, "squared(x - m)")}, {{"u", t, "v + eps"}, {"r", t, "sqrt(u)"}}}};
  out.spec.body =
      formatted("const {0} d = x - m;\nconst {0} q = d / r;\nconst {0} z = q * w;\ny = z + b;", T);
  out.by_hand = [](RowValues& v) {
    const Reals& x = v.in[0];
    const Real mean = mean_of(x), r = std::sqrt(variance_of(x) + v.in[3][0]);
    v.along = {{}};
    for (size_t k = 0; k < x.size(); ++k)
      v.along[0].push_back((x[k] - mean) / r * v.in[1][k] + v.in[2][k]);
  };
  out.size = 20;
  return out;
}

/// With its mean and deviation stored beside it, of elements times a number of their row.
inline RowCase z_score(DType t) {
  const char* const T = facts_of(t).cxx;
  RowCase out{"z_score", {}, options("z_score", t), {Lies::whole, Lies::column}, {}};
  out.spec = {params(t, {"x", "c"}),
              params(t, {"y"}),
              params(t, {"mean_out", "std_out"}),
              {{"p", t}, {"d", t}},
              {},
              "y = d / (r + 1);",
              "mean_out = m;\nstd_out = r + c;"};
  RowFold r = mean("r", t, formatted("({0})(({0})d * d)", T));
  r.post = "sqrt((F)a / (n / _out_ind.size()))";
  out.spec.passes = {{"p = x * c;", {mean("m", t, "p")}}, {"d = p - m;", {r}}};
  out.by_hand = [](RowValues& v) {
    Reals x = v.in[0];
    for (Real& e : x) e *= v.in[1][0];
    const Real mean = mean_of(x), r = std::sqrt(variance_of(x));
    v.along = {{}};
    for (Real e : x) v.along[0].push_back((e - mean) / (r + 1));
    v.of_row = {mean, r + v.in[1][0]};
  };
  out.size = 20;
  return out;
}

inline RowCase cosine(DType t) {
  RowCase out{"cosine", {}, options("cosine", t), {Lies::whole, Lies::whole}, {}};
  const char* const C = facts_of(computed_in(t)).cxx;
  out.spec = {params(t, {"x", "z"}),
              "",
              params(t, {"c"}),
              {},
              {},
              "",
              formatted("c = ({0})xz / sqrt(({0})xx * zz);", C)};
  out.spec.passes = {{"",
                      {fold("xz", computed_in(t), formatted("({})x * z", C)),
                       fold("xx", computed_in(t), formatted("({})x * x", C)),
                       fold("zz", computed_in(t), formatted("({})z * z", C))}}};
  out.by_hand = [](RowValues& v) {
    Real xz = 0, xx = 0, zz = 0;
    for (size_t k = 0; k < v.in[0].size(); ++k) {
      xz += v.in[0][k] * v.in[1][k];
      xx += v.in[0][k] * v.in[0][k];
      zz += v.in[1][k] * v.in[1][k];
    }
    v.of_row = {xz / std::sqrt(xx * zz)};
  };
  return out;
}

/// Softmax and z-scores at once: two operators a pass, two values kept, two outputs.
inline RowCase two_at_once(DType t) {
  const char* const T = facts_of(t).cxx;
  RowCase out{"two_at_once", {}, options("two_at_once", t), {Lies::whole}, {}};
  out.spec = {params(t, {"x"}),
              params(t, {"y", "z"}),
              params(t, {"m_out"}),
              {{"e", t}, {"d", t}},
              {},
              "y = e / s;\nz = d / (sqrt(v) + 1);",
              "m_out = m;"};
  out.spec.passes = {{"", {most("m", t), mean("o", t, "x")}},
                     {formatted("const {} g = x - m;\ne = exp(g);\nd = x - o;", T),
                      {fold("s", t, "e"), mean("v", t, formatted("({0})(({0})d * d)", T))}}};
  out.by_hand = [](RowValues& v) {
    const Reals& x = v.in[0];
    const Real mean = mean_of(x), r = std::sqrt(variance_of(x));
    v.along = {softmax_of(x), {}};
    for (Real e : x) v.along[1].push_back((e - mean) / (r + 1));
    v.of_row = {*std::ranges::max_element(x)};
  };
  out.size = 20;
  return out;
}

inline RowCase rms_norm(DType t) {
  const char* const T = facts_of(t).cxx;
  RowCase out{"rms_norm", {}, options("rms_norm", t), {Lies::whole, Lies::row}, {}};
  out.spec = {params(t, {"x", "w"}), params(t, {"y"}), "", {}, {}, "", ""};
  RowFold r = mean("r", t, formatted("({0})(({0})x * x)", T));
  r.post = "sqrt((F)a / (n / _out_ind.size()))";
  out.spec.passes = {{"", {r}}};
  out.spec.body = formatted("const {} q = x / (r + 1);\ny = q * w;", T);
  out.by_hand = [](RowValues& v) {
    const Reals& x = v.in[0];
    Real sum = 0;
    for (Real e : x) sum += e * e;
    const Real r = std::sqrt(sum / static_cast<Real>(x.size())) + 1;
    v.along = {{}};
    for (size_t k = 0; k < x.size(); ++k) v.along[0].push_back(x[k] / r * v.in[1][k]);
  };
  out.size = 20;
  return out;
}

/// What an element's number does, and where the largest is, of a record.
inline RowCase numbers(DType t) {
  RowCase out{"numbers", {}, {}, {Lies::whole}, {}};
  ReducerText arg = reducer_text(Reducer::argmax, t);
  out.options = arg.options;
  out.options.name = "numbers";
  out.spec = {params(t, {"x"}), "int64 y", "int64 at", {}, {}, "y = i + 3 * _J - a;", "at = a;"};
  out.spec.passes = {
      {"",
       {{"a", DType::i64, "found", 16, arg.spec.map, arg.spec.reduce, std::nullopt, "a.place"}}}};
  out.by_hand = [](RowValues& v) {
    const Reals& x = v.in[0];
    const auto at = static_cast<Real>(std::ranges::max_element(x) - x.begin());
    v.along = {{}};
    for (size_t k = 0; k < x.size(); ++k)
      v.along[0].push_back(static_cast<Real>(v.numbers[k] + static_cast<int64_t>(3 * k)) - at);
    v.of_row = {at};
  };
  return out;
}

/// Whole numbers and truths: how far each is from the mean, and whether it is above it.
inline RowCase above_mean(DType t) {
  RowCase out{"above_mean", {}, {}, {Lies::whole}, {}};
  ReducerText text = reducer_text(Reducer::mean, t);
  out.options = text.options;
  out.options.name = "above_mean";
  const DType partial = *find_dtype(text.options.reduce_type);
  out.spec = {params(t, {"x"}),
              "float64 y, bool above",
              "int64 count",
              {{"d", DType::f64}},
              {},
              "y = d;\nabove = d > 0;",
              "count = c;"};
  RowFold m{"m", DType::f64, facts_of(partial).cxx, size_of(partial),
            "x", "a + b",    UserText("0"),         text.spec.post};
  m.post = "(F)a / (n / _out_ind.size())";
  out.spec.passes = {
      {"", {m}},
      {"d = x - m;", {{"c", DType::i64, "int64", 8, "d > 0", "a + b", UserText("0"), "a"}}}};
  out.by_hand = [](RowValues& v) {
    const Reals& x = v.in[0];
    const auto mean = static_cast<double>(mean_of(x));
    v.along = {{}, {}};
    v.of_row = {0};
    for (Real e : x) {
      v.along[0].push_back(e - mean);
      v.along[1].push_back(e - mean > 0 ? 1 : 0);
      v.of_row[0] += e - mean > 0 ? 1 : 0;
    }
  };
  out.size = 100;
  return out;
}

using Make = RowCase(DType);
constexpr Make* of_floats[] = {softmax, log_softmax, layer_norm, z_score,
                               cosine,  two_at_once, rms_norm,   numbers};

/// For the tests of plans and sources.
inline Signature signature_of(const RowCase& c) {
  const std::string& along = c.spec.along_params;
  const std::string& of_rows = c.spec.row_params;
  return parse_signature(c.spec.in_params,
                         along + (along.empty() || of_rows.empty() ? "" : ", ") + of_rows);
}
inline int outputs_along(const RowCase& c) {
  return static_cast<int>(parse_signature(c.spec.in_params, c.spec.along_params).outputs.size());
}
inline RowText text_of(const RowCase& c) {
  return {c.options.name, c.options.preamble, c.spec.kept,
          c.spec.passes,  c.spec.body,        c.spec.finish};
}

}  // namespace row_texts
