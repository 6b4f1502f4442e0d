// Ready-made scans: the table of them, and how one is run; differences of neighbours.
#pragma once

#include <optional>

#include "kernel/scan.hpp"

namespace gpuarr {

enum class Scanner : int32_t { cumsum, cumprod, cummin, cummax };  // the rows, in their order
constexpr int scanner_count = static_cast<int>(Scanner::cummax) + 1;

/// The kernel's texts for elements of a dtype. Fails if the scan does not take it.
struct ScannerText {
  MapReduceSpec spec;
  KernelOptions options;
};
ScannerText scanner_text(Scanner scanner, DType dtype);

DType result_dtype(Scanner scanner, DType dtype);
const char* name_of(Scanner scanner);
std::optional<Scanner> find_scanner(std::string_view name);

/// `out` is null where the result is to be made; that is returned. A null stream is the current one
/// of the array's device.
std::optional<Array> scan(Scanner scanner, const Array& x, const Array* out,
                          const ScanRequest& request, Stream* stream);

// An axis that is scanned in parts: each part's total, then what comes before each part, an
// exclusive scan of the totals, then the parts.

/// Of what dtype totals are: the one that is scanned in.
DType total_dtype(Scanner scanner, DType dtype);
/// `total` gets that of x, of extent 1 along the axis; x may have no elements along it.
void scan_total(Scanner scanner, const Array& total, const Array& x, int axis, Stream& stream);
/// `out`, which may be x, gets the scan of x behind elements whose total is `before`, of extent 1
/// along the axis.
void scan_after(Scanner scanner, const Array& out, const Array& x, const Array& before,
                const ScanRequest& request, Stream& stream);

/// x[k + 1] - x[k] along an axis, `order` times.
std::optional<Array> diff(const Array& x, const Array* out, int32_t order, int32_t axis,
                          Stream* stream);

}  // namespace gpuarr
