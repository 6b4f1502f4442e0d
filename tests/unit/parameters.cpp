// The struct that a kernel takes: its bytes, as written here, read by the text that a compiler got.
#include "codegen/elementwise/parameters.hpp"

#include <cstring>
#include <deque>
#include <vector>

#include "check.hpp"
#include "codegen/layout_text.hpp"
#include "codegen/targets.hpp"
#include "core/text.hpp"
#include "prelude_build.hpp"
#include "random_loop.hpp"

using namespace gpuarr;

namespace {

constexpr int cases = 60;
constexpr size_t slot = 16;  // bytes of a field as the test compares it

// One field: how the kernel's text reads it, and what it must find.
struct Field {
  std::string expression;
  std::array<unsigned char, slot> expected{};

  Field(std::string text, const void* value, size_t bytes) : expression(std::move(text)) {
    std::memcpy(expected.data(), value, bytes);
  }
  Field(std::string text, int64_t value) : Field(std::move(text), &value, sizeof value) {}
};

struct Case {
  RandomLoop loop;
  Plan plan;
  Geometry geometry;

  const Operand& operand(int k) const { return loop.operands[static_cast<size_t>(k)]; }
};

void add_view(std::vector<Field>& fields, const Operand& o, int k) {
  fields.emplace_back(formatted("(long long)_p._view{}.data()", k),
                      reinterpret_cast<intptr_t>(o.data));
  fields.emplace_back(formatted("_p._view{}.size()", k), size_of(o.layout->shape));
  for (int axis = 0; axis < o.layout->ndim(); ++axis) {
    fields.emplace_back(formatted("_p._view{}.shape()[{}]", k, axis), o.layout->shape[axis]);
    fields.emplace_back(formatted("_p._view{}.strides()[{}]", k, axis), o.layout->strides[axis]);
  }
}

void add_operand(std::vector<Field>& fields, const Case& c, int k) {
  const Operand& o = c.operand(k);
  if (o.role == Role::scalar)
    fields.emplace_back(formatted("_p._scalar{}._value", k), o.value,
                        static_cast<size_t>(size_of(o.dtype)));
  if (is_raw(o.role)) add_view(fields, o, k);
  if (!in_loop(o.role)) return;
  auto where = reinterpret_cast<intptr_t>(c.plan.nest.data[static_cast<size_t>(k)]);
  fields.emplace_back(formatted("(long long)_p._data{}", k), where);
  if (c.plan.variant.how(k) == Access::single) return;
  for (int axis = 0; axis < c.plan.nest.ndim; ++axis)
    fields.emplace_back(formatted("_p._stride{}[{}]", k, axis), c.plan.stride(k, axis));
}

std::vector<Field> fields_of(const Case& c) {
  const Plan& p = c.plan;
  const Geometry& g = c.geometry;
  const char* number = p.variant.simt && !p.variant.wide ? ".by" : "";
  std::vector<Field> fields{{"_p._n", p.size}};
  for (int k = 0; k < p.variant.operands.size(); ++k) add_operand(fields, c, k);
  for (int axis = 0; axis < p.nest.ndim; ++axis)
    fields.emplace_back(formatted("_p._extent[{}]{}", axis, number), p.extent(axis));
  if (p.variant.form == Form::tiled) {
    fields.emplace_back(formatted("_p._inner_tiles{}", number), g.inner_tiles);
    fields.emplace_back(formatted("_p._cross_tiles{}", number), g.cross_tiles);
  } else if (!p.variant.simt) {
    fields.emplace_back("_p._rows", g.rows);
    fields.emplace_back("_p._chunk", g.chunk);
  } else if (p.variant.form == Form::rows && p.variant.pack > 1) {
    fields.emplace_back(formatted("_p._row_packs{}", number), g.row_packs);
    fields.emplace_back("_p._total_packs", g.total_packs);
  }
  if (p.variant.uses_i) {
    fields.emplace_back("_p._i_start", p.nest.counters[0].start);
    for (int axis = 0; axis < p.nest.ndim; ++axis)
      fields.emplace_back(formatted("_p._i_stride[{}]", axis),
                          p.nest.counters[0].strides[static_cast<size_t>(axis)]);
  }
  for (int axis = 0; p.variant.uses_ind && axis < p.loop_shape.size(); ++axis)
    fields.emplace_back(formatted("_p._shape[{}]", axis), p.loop_shape[axis]);
  return fields;
}

// A function that copies each field into a slot of its own.
std::string reader(int number, const Case& c, const std::vector<Field>& fields) {
  std::string out =
      formatted("namespace case{} {{\n", number) + parameter_struct(c.plan.variant) +
      formatted("extern \"C\" long read{}(const _params& _p, char* out) {{\n", number);
  for (const Field& f : fields) out += formatted("  put(out, {});\n", f.expression);
  return out + "  return sizeof(_params);\n}\n}\n";
}

constexpr const char* common = R"(
#define __device__
#define __forceinline__ inline
template <class T> void put(char*& out, const T& value) {
  __builtin_memcpy(out, &value, sizeof value);
  out += 16;
}
)";

void check_case(int number, const Case& c, const std::vector<Field>& fields,
                long (*read)(const void*, void*)) {
  alignas(16) std::array<std::byte, 32768> bytes{};
  FieldOffsets offsets{};
  size_t size = parameter_bytes(c.plan);
  bytes[size] = std::byte{0x5a};
  write_parameters(bytes.data(), c.plan, c.loop.operands, c.geometry, &offsets);
  CHECK(bytes[size] == std::byte{0x5a});
  for (int k = 0; k < c.plan.variant.operands.size(); ++k)
    if (const Operand& o = c.operand(k); o.role == Role::scalar)
      CHECK(std::memcmp(bytes.data() + offsets[static_cast<size_t>(k)], o.value,
                        static_cast<size_t>(size_of(o.dtype))) == 0);
  std::vector<unsigned char> found(fields.size() * slot);
  long own = read(bytes.data(), found.data());
  CHECK_EQ((static_cast<size_t>(own) + 15) / 16 * 16, size);
  for (size_t k = 0; k < fields.size(); ++k)
    if (std::memcmp(&found[k * slot], fields[k].expected.data(), slot) != 0)
      check::report(__FILE__, __LINE__)
          << "case " << number << ": " << fields[k].expression << '\n';
}

void bytes_are_as_the_text_says() {
  LoopMaker maker(5);
  std::deque<Case> all;  // operands point into their loop
  std::vector<std::vector<Field>> fields;
  std::string source = common + std::string(layout_parts::divisor);
  for (int k = 0; k < cases; ++k) {
    Case& c = all.emplace_back(Case{maker.draw(4, 3000), {}, {}});
    make_plan(c.plan, k % 2 == 0 ? cuda_target : host_target, c.loop.operands, c.loop.shape,
              c.loop.body);
    if (k % 10 == 0) c.plan.variant.wide = true;
    c.geometry = geometry_of(c.plan, c.loop.body);
    fields.push_back(fields_of(c));
    source += reader(k, c, fields.back());
  }
  prelude_test::Built built(source);
  for (int k = 0; k < cases; ++k)
    if (auto* read = built.find<long(const void*, void*)>(formatted("read{}", k).c_str()))
      check_case(k, all[static_cast<size_t>(k)], fields[static_cast<size_t>(k)], read);
    else
      check::report(__FILE__, __LINE__) << "no reader\n";
}

struct Divisor {
  uint32_t by, multiplier, shift, unused;
  uint64_t divide(uint64_t n) const { return (n * multiplier) >> shift; }
};

// The divisor that is written for the extent of a loop along one axis.
Divisor divisor_of(int64_t extent) {
  Layout layout{{extent}, {2}};
  Operand operand{Role::output, DType::i8, reinterpret_cast<void*>(4096), &layout, nullptr};
  Plan plan;
  make_plan(plan, cuda_target, {&operand, 1}, layout.shape, {});
  plan.variant.wide = false;
  alignas(16) std::array<std::byte, 256> bytes;
  write_parameters(bytes.data(), plan, {&operand, 1}, geometry_of(plan, {}), nullptr);
  Divisor d{};
  std::memcpy(&d, &bytes[8], sizeof d);  // behind n
  return d;
}

void divisors_are_exact() {
  LoopMaker maker(13);
  constexpr int64_t limit = int64_t{1} << 31;
  std::vector<int64_t> by;
  for (int64_t d = 1; d < 3000; ++d) by.push_back(d);
  for (int bit = 11; bit < 31; ++bit)
    for (int64_t near : {-1, 0, 1}) by.push_back((int64_t{1} << bit) + near);
  for (int k = 0; k < 3000; ++k) by.push_back(maker.between(1, limit - 1));
  by.push_back(limit - 1);
  for (int64_t d : by) {
    Divisor magic = divisor_of(d);
    CHECK_EQ(int64_t{magic.by}, d);
    auto check = [&](int64_t n) {
      if (n >= 0 && n < limit && magic.divide(static_cast<uint64_t>(n)) != uint64_t(n / d))
        check::report(__FILE__, __LINE__) << n << " / " << d << " is wrong\n";
    };
    // Quotients change at multiples.
    for (int64_t k = 0; k < 40; ++k)
      for (int64_t multiple : {k * d, (limit / d - k) * d, maker.between(0, limit / d) * d})
        for (int64_t near : {-1, 0, 1}) check(multiple + near);
    check(limit - 1);
    if (check::failures > 0) return;
  }
}

}  // namespace

int main() {
  bytes_are_as_the_text_says();
  divisors_are_exact();
  return check::result();
}
