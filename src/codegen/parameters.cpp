#include "codegen/parameters.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "core/text.hpp"

namespace gpuarr {
namespace {

constexpr int scalar_bytes = 16;  // a slot that suits every dtype
constexpr int word = 8;           // every other field is one or more words

int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }

// Whether a number is divided by in the kernel on a GPU with 32-bit indices, where a multiplication
// and a shift stand in for the division.
bool has_magic(const Plan& p) { return p.target == Target::cuda && !p.wide; }

// Calls the sink for each field in order.
template <class Sink>
void walk(const Plan& p, std::span<const Operand> operands, const Geometry& g, Sink& sink) {
  for (int k = 0; k < p.operands; ++k)
    if (operands[static_cast<size_t>(k)].role == Role::scalar) sink.scalar(k);
  sink.number("n", p.size);
  if (p.form == Form::tiled) {
    sink.divisor("inner_tiles", g.inner_tiles);
    sink.divisor("cross_tiles", g.cross_tiles);
  } else if (p.target == Target::host) {
    sink.number("rows", g.rows);
    sink.number("rows_per_block", g.rows_per_block);
    sink.number("chunks_per_row", g.chunks_per_row);
    sink.number("chunk", g.chunk);
  } else if (p.form == Form::rows) {
    sink.divisor("row_packs", g.row_packs);
    sink.number("total_packs", g.total_packs);
  }
  for (int axis = 0; axis < p.ndim; ++axis) sink.divisor("extent", axis, p.extent(axis));
  for (int k = 0; k < p.operands; ++k) {
    if (!in_loop(operands[static_cast<size_t>(k)].role)) continue;
    sink.pointer(k);
    if (p.how(k) == Access::single) continue;
    for (int axis = 0; axis < p.ndim; ++axis) sink.stride(k, axis, p.stride(k, axis));
  }
  if (p.uses_i) {
    sink.number("i_start", p.index_start);
    for (int axis = 0; axis < p.ndim; ++axis)
      sink.number("i_stride", axis, p.index_strides[static_cast<size_t>(axis)]);
  }
  if (p.uses_ind)
    for (int axis = 0; axis < p.loop_shape.size(); ++axis)
      sink.number("shape", axis, p.loop_shape[axis]);
  for (int k = 0; k < p.operands; ++k)
    if (is_raw(operands[static_cast<size_t>(k)].role)) sink.view(k);
}

int view_words(const Operand& o) { return 2 + 2 * std::max(1, o.layout->ndim()); }

// Measures the struct.
struct Measure {
  const Plan& plan;
  std::span<const Operand> operands;
  size_t bytes = 0;

  void scalar(int) { bytes += scalar_bytes; }
  void number(const char*, int64_t) { bytes += word; }
  void number(const char*, int, int64_t) { bytes += word; }
  void divisor(const char*, int64_t) { bytes += has_magic(plan) ? 2 * word : word; }
  void divisor(const char* name, int, int64_t value) { divisor(name, value); }
  void pointer(int) { bytes += word; }
  void stride(int, int, int64_t) { bytes += word; }
  void view(int k) {
    bytes += static_cast<size_t>(word * view_words(operands[static_cast<size_t>(k)]));
  }
};

// Writes its bytes.
struct Write {
  const Plan& plan;
  std::span<const Operand> operands;
  std::byte* out;
  std::array<int, max_operands>* scalar_offsets;
  std::byte* next = out;

  void put(const void* value, size_t bytes) {
    std::memcpy(next, value, bytes);
    next += bytes;
  }
  void put_word(int64_t value) { put(&value, word); }
  void scalar(int k) {
    const Operand& o = operands[static_cast<size_t>(k)];
    if (scalar_offsets != nullptr)
      (*scalar_offsets)[static_cast<size_t>(k)] = static_cast<int>(next - out);
    std::memcpy(next, o.value, static_cast<size_t>(size_of(o.dtype)));
    next += scalar_bytes;
  }
  void number(const char*, int64_t value) { put_word(value); }
  void number(const char*, int, int64_t value) { put_word(value); }
  // Division of n < 2^31 by d as (n * multiplier) >> shift, exact for a multiplier of 32 bits:
  // Granlund and Montgomery, "Division by invariant integers using multiplication", 1994, with
  // N = 31.
  void divisor(const char*, int64_t value) {
    if (!has_magic(plan)) return put_word(value);
    auto d = static_cast<uint32_t>(value);
    int log = d > 1 ? std::bit_width(d - 1) : 0;
    auto multiplier = static_cast<uint32_t>(((uint64_t{1} << (31 + log)) + d - 1) / d);
    const uint32_t fields[4] = {d, multiplier, static_cast<uint32_t>(31 + log), 0};
    put(fields, sizeof fields);
  }
  void divisor(const char* name, int, int64_t value) { divisor(name, value); }
  void pointer(int k) { put(&plan.data[static_cast<size_t>(k)], word); }
  void stride(int, int, int64_t value) { put_word(value); }
  void view(int k) {
    const Operand& o = operands[static_cast<size_t>(k)];
    put(&o.data, word);
    put_word(size_of(o.layout->shape));
    int slots = std::max(1, o.layout->ndim());
    for (int a = 0; a < slots; ++a) put_word(a < o.layout->ndim() ? o.layout->shape[a] : 1);
    for (int a = 0; a < slots; ++a) put_word(a < o.layout->ndim() ? o.layout->strides[a] : 1);
  }
};

// Writes its text. Names begin with _, so that no macro of the user's replaces them.
struct Declare {
  const Plan& plan;
  std::span<const Operand> operands;
  std::string out = "struct _params {\n";

  const Operand& operand(int k) const { return operands[static_cast<size_t>(k)]; }
  // A slot of 16 bytes, whatever the type.
  void scalar(int k) {
    out += text("  struct alignas(16) {{ {} _v; }} _v{};\n", row(operand(k).dtype).cxx, k);
  }
  void number(const char* name, int64_t) { out += text("  long long _{};\n", name); }
  void number(const char* name, int axis, int64_t) {
    out += text("  long long _{}{};\n", name, axis);
  }
  void divisor(const char* name, int64_t) {
    out += text("  {} _{};\n", has_magic(plan) ? "_divisor" : "long long", name);
  }
  void divisor(const char* name, int axis, int64_t) {
    out += text("  {} _{}{};\n", has_magic(plan) ? "_divisor" : "long long", name, axis);
  }
  void pointer(int k) {
    out += text("  {}{}* _p{};\n", operand(k).role == Role::input ? "const " : "",
                row(operand(k).dtype).cxx, k);
  }
  void stride(int k, int axis, int64_t) { out += text("  long long _s{}_{};\n", k, axis); }
  void view(int k) { out += text("  {} _r{};\n", view_type(operand(k)), k); }
};

// The CPU's blocks: parts of long rows, or several short rows, of about as many elements.
void cut_for_host(const Plan& p, const BodyTraits& body, Geometry& g) {
  constexpr int64_t alone = 65536;  // less is not worth waking a thread for
  // Small enough that the threads end at about the same time.
  constexpr int64_t shared = 16384;
  int64_t block = body.has_loop ? 2048 : p.size <= alone ? alone : shared;
  g.rows = p.size / p.inner();
  g.chunk = std::min(p.inner(), block);
  g.chunks_per_row = ceil_div(p.inner(), g.chunk);
  g.rows_per_block = std::max<int64_t>(1, block / p.inner());
  g.blocks = ceil_div(g.rows, g.rows_per_block) * g.chunks_per_row;
}

}  // namespace

Geometry geometry_of(const Plan& p, const BodyTraits& body) {
  Geometry g;
  if (p.form == Form::tiled) {
    g.inner_tiles = ceil_div(p.inner(), p.tile);
    g.cross_tiles = ceil_div(p.extent(p.tile_axis), p.tile);
    int64_t outer = p.size / p.inner() / p.extent(p.tile_axis);
    g.blocks = outer * g.cross_tiles * (p.target == Target::cuda ? g.inner_tiles : 1);
  } else if (p.target == Target::host) {
    cut_for_host(p, body, g);
  } else if (p.form == Form::rows) {
    g.rows = p.size / p.inner();
    g.row_packs = p.row_packs();
    g.total_packs = g.rows * g.row_packs;
    g.blocks = ceil_div(g.total_packs, int64_t{g.threads} * p.packs);
  } else {
    g.blocks = ceil_div(p.size, g.threads);
  }
  return g;
}

size_t parameter_bytes(const Plan& plan, std::span<const Operand> operands) {
  Measure measure{plan, operands};
  walk(plan, operands, Geometry{}, measure);
  return (measure.bytes + scalar_bytes - 1) / scalar_bytes * scalar_bytes;
}

void write_parameters(std::byte* out, const Plan& plan, std::span<const Operand> operands,
                      const Geometry& geometry, std::array<int, max_operands>* scalar_offsets) {
  Write write{plan, operands, out, scalar_offsets};
  walk(plan, operands, geometry, write);
}

std::string parameter_struct(const Plan& plan, std::span<const Operand> operands) {
  Declare declare{plan, operands};
  walk(plan, operands, Geometry{}, declare);
  return declare.out + "};\n";
}

std::string view_type(const Operand& o) {
  return text("gpuarr_view<{}{}, {}, {}>", o.role == Role::raw_input ? "const " : "",
              row(o.dtype).cxx, o.layout->ndim(), is_contiguous(*o.layout, Order::c));
}

}  // namespace gpuarr
