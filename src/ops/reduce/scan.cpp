#include "ops/reduce/scan.hpp"

#include <algorithm>
#include <atomic>
#include <memory>

#include "core/error.hpp"
#include "core/once.hpp"
#include "kernel/reduction.hpp"
#include "ops/base/copy.hpp"
#include "ops/base/own_kernel.hpp"
#include "ops/base/result.hpp"

namespace gpuarr {
namespace {

// The texts see T, the elements' type, and A, the type that is scanned.
struct ScanRow {
  const char* name;
  bool widens;  // whole numbers to 64 bits
  const char* reduce;
  const char* identity;
};

// A NaN stays, as with NumPy's minimum and maximum.
constexpr ScanRow scan_rows[] = {
    {"cumsum", true, "a + b", "0"},
    {"cumprod", true, "a * b", "1"},
    {"cummin", false, "a < b || a != a ? a : b", "most()"},
    {"cummax", false, "a > b || a != a ? a : b", "least()"},
};
static_assert(std::size(scan_rows) == scanner_count);

const ScanRow& row_of(Scanner scanner) { return scan_rows[static_cast<size_t>(scanner)]; }

// Sums and products of whole numbers are modulo 2^64.
DType scanned_in(Scanner scanner, DType dtype) {
  if (row_of(scanner).widens && !is_inexact(dtype)) return DType::u64;
  return computed_in(dtype);
}

// The ends of a type's range: infinities where it has them.
std::string ends_of(DType dtype) {
  const int bits = size_of(dtype) * 8;
  if (dtype == DType::boolean)
    return "static inline A least() { return false; }\n"
           "static inline A most() { return true; }\n";
  if (facts_of(dtype).kind == DTypeKind::real)
    return "static inline A least() { return -INFINITY; }\n"
           "static inline A most() { return INFINITY; }\n";
  if (is_complex(dtype))
    return "static inline A least() { return {-INFINITY, -INFINITY}; }\n"
           "static inline A most() { return {INFINITY, INFINITY}; }\n";
  if (facts_of(dtype).kind == DTypeKind::natural)
    return "static inline A least() { return 0; }\nstatic inline A most() { return (A)-1; }\n";
  return formatted(
      "static inline A least() {{ return (A)(1ull << {0}); }}\n"
      "static inline A most() {{ return (A)((1ull << {0}) - 1); }}\n",
      bits - 1);
}

Scan& scan_for(Scanner scanner, DType dtype) {
  static std::atomic<Scan*> kernels[scanner_count][GPUARR_C128 + 1];
  return made_once(kernels[static_cast<size_t>(scanner)][static_cast<size_t>(dtype)], [&] {
    const ScannerText made = scanner_text(scanner, dtype);
    return std::make_unique<Scan>(made.spec, made.options);
  });
}

// The same texts, of all elements.
Reduction& total_for(Scanner scanner, DType dtype) {
  static std::atomic<Reduction*> kernels[scanner_count][GPUARR_C128 + 1];
  return made_once(kernels[static_cast<size_t>(scanner)][static_cast<size_t>(dtype)], [&] {
    ScannerText made = scanner_text(scanner, dtype);
    made.spec.out_params = formatted("{} out", name(scanned_in(scanner, dtype)));
    made.options.name = formatted("{}_total", name_of(scanner));
    return std::make_unique<Reduction>(made.spec, made.options);
  });
}

// The first element takes in what is before it. Of a single row, that is known by its address: an
// operand that repeats along a long row would be loaded for each element, 1.7 times the time.
Scan& scan_after_for(Scanner scanner, DType dtype, bool is_one) {
  static std::atomic<Scan*> kernels[2][scanner_count][GPUARR_C128 + 1];
  auto& slot = kernels[is_one ? 1 : 0][static_cast<size_t>(scanner)][static_cast<size_t>(dtype)];
  return made_once(slot, [&] {
    ScannerText made = scanner_text(scanner, dtype);
    const char* const type = is_one ? "uint64" : name(scanned_in(scanner, dtype));
    made.spec.in_params += formatted(", {} before", type);
    made.spec.map =
        formatted("_J == 0 ? joined({}, (A)x) : (A)x", is_one ? "*(const A*)before" : "before");
    made.options.name = formatted("{}_after", name_of(scanner));
    made.options.preamble = formatted("{} static inline A joined(A a, A b) {{ return {}; }}",
                                      made.options.preamble.text(), row_of(scanner).reduce);
    return std::make_unique<Scan>(made.spec, made.options);
  });
}

Elementwise& difference_for(DType dtype) {
  static std::atomic<Elementwise*> kernels[GPUARR_C128 + 1];
  return made_once(kernels[static_cast<size_t>(dtype)], [&] {
    KernelOptions options;
    options.name = "diff";
    const char* body = "y = b - a";
    if (dtype == DType::boolean) body = "y = a != b";
    if (facts_of(dtype).kind == DTypeKind::integer)  // modulo, as unsigned numbers are
      body = "y = (T)((unsigned long long)b - (unsigned long long)a)";
    return std::make_unique<Elementwise>("T a, T b", "T y", body, options);
  });
}

Array part(const Array& x, int axis, int64_t start, int64_t length) {
  Layout layout = x.layout;
  layout.shape[axis] = length;
  return x.view(layout, length > 0 ? start * layout.strides[axis] : 0);
}

// One difference, into `out` or what is made.
std::optional<Array> difference(const Array& x, const Array* out, int axis, Stream& stream) {
  const int64_t length = x.layout.shape[axis] - 1;
  const Array first = part(x, axis, 0, length);
  const Array second = part(x, axis, 1, length);
  return only_of(run_own(difference_for(x.dtype), {first, second}, {out}, stream));
}

void check_out(const Array& out, const Dims& shape, DType dtype, const char* what) {
  if (!(out.layout.shape == shape))
    fail(GPUARR_ERR_SHAPE, "out has shape {}, but {} has {}; give such an array",
         to_string(out.layout.shape), what, to_string(shape));
  if (out.dtype != dtype)
    fail(GPUARR_ERR_DTYPE, "out is {}, but {} is {}; give such an array", name(out.dtype), what,
         name(dtype));
}

}  // namespace

DType result_dtype(Scanner scanner, DType dtype) {
  if (!row_of(scanner).widens || is_inexact(dtype)) return dtype;
  return facts_of(dtype).kind == DTypeKind::natural ? DType::u64 : DType::i64;
}

const char* name_of(Scanner scanner) { return row_of(scanner).name; }

std::optional<Scanner> find_scanner(std::string_view name) {
  const auto* const found = std::ranges::find(scan_rows, name, &ScanRow::name);
  if (found == std::end(scan_rows)) return std::nullopt;
  return static_cast<Scanner>(found - std::begin(scan_rows));
}

ScannerText scanner_text(Scanner scanner, DType dtype) {
  const ScanRow& r = row_of(scanner);
  const DType scanned = scanned_in(scanner, dtype);
  ScannerText made;
  made.spec = {formatted("{} x", name(dtype)),
               formatted("{} out", name(result_dtype(scanner, dtype))),
               "x",
               r.reduce,
               "out = a",
               r.identity};
  made.options.name = r.name;
  made.options.reduce_type = name(scanned);
  made.options.preamble =
      formatted("typedef {} A;\n{}", name(scanned), r.widens ? "" : ends_of(scanned));
  return made;
}

std::optional<Array> scan(Scanner scanner, const Array& x, const Array* out,
                          const ScanRequest& request, Stream* stream) {
  Scan& kernel = scan_for(scanner, x.dtype);
  checked_axis(request.axis, x.ndim());
  if (out != nullptr) check_out(*out, x.layout.shape, result_dtype(scanner, x.dtype), "the result");
  const Argument input{&x, nullptr};
  return only_of(kernel.call({&input, 1}, {&out, 1}, request, stream));
}

DType total_dtype(Scanner scanner, DType dtype) { return scanned_in(scanner, dtype); }

void scan_total(Scanner scanner, const Array& total, const Array& x, int axis, Stream& stream) {
  const Argument input{&x, nullptr};
  const Array* const output = &total;
  const auto along = static_cast<int32_t>(axis);
  total_for(scanner, x.dtype).call({&input, 1}, {&output, 1}, {{&along, 1}, false, true}, &stream);
}

// An exclusive scan begins with what is before, where the kernel has the identity.
void scan_after(Scanner scanner, const Array& out, const Array& x, const Array& before,
                const ScanRequest& request, Stream& stream) {
  const bool is_one = before.size() == 1;
  const Scalar address = Scalar::of(reinterpret_cast<uint64_t>(before.data));
  const Argument inputs[] = {{&x, nullptr}, {&before, nullptr}};
  const Argument by_address[] = {{&x, nullptr}, {nullptr, &address}};
  const Array* const output = &out;
  before.buffer->used_in(stream);
  scan_after_for(scanner, x.dtype, is_one)
      .call(is_one ? by_address : inputs, {&output, 1}, request, &stream);
  if (request.exclusive) assign(part(out, request.axis, 0, 1), before, stream);
}

std::optional<Array> diff(const Array& x, const Array* out, int32_t order, int32_t axis,
                          Stream* given) {
  Stream& stream = stream_for(given, x.device());
  const int along = checked_axis(axis, x.ndim());
  if (order < 0) fail(GPUARR_ERR_ARGUMENT, "order is {}; give 0 or more", order);
  Dims shape = x.layout.shape;
  shape[along] = std::max<int64_t>(0, shape[along] - order);
  if (out != nullptr) check_out(*out, shape, x.dtype, "the result");
  if (order == 0 || shape[along] == 0) {
    const Array empty_or_all = order == 0 ? x : part(x, along, 0, 0);
    if (out == nullptr) return copy(empty_or_all, x.dtype, Order::k, stream);
    assign(*out, empty_or_all, stream);
    return std::nullopt;
  }
  Array from = x;
  for (int32_t k = 1; k < order; ++k) from = *difference(from, nullptr, along, stream);
  return difference(from, out, along, stream);
}

}  // namespace gpuarr
