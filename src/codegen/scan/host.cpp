// The kernels of a scan on the CPU, which call the algorithms of the host_....cuh files.
#include "codegen/scan/scan.hpp"
#include "codegen/scan_text.hpp"
#include "core/text.hpp"

namespace gpuarr {
namespace {

std::string host_scan_kernel(const ReductionText& pieces, ScanStage stage, const char* algorithm) {
  return formatted(
      "\nextern \"C\" void {}{}(const _params* _p, long long _first, long long _last) {{\n"
      "  gpuarr_kernel::{}(*_p, _first, _last);\n}}\n",
      pieces.name, suffix(stage), algorithm);
}

}  // namespace

std::string host_scan_algorithms(const ScanVariant& variant) {
  return kernel_file("scan/host", scan_parts::host) +
         (variant.form == ScanForm::rows
              ? kernel_file("scan/host_rows", scan_parts::host_rows)
              : kernel_file("scan/host_columns", scan_parts::host_columns));
}

std::string host_scan(const ReductionText& pieces, const ScanVariant& variant) {
  std::string out;
  if (variant.chunked)
    out = host_scan_kernel(pieces, ScanStage::totals, "_tasks<false>") +
          host_scan_kernel(pieces, ScanStage::prefix, "_prefix");
  return out + host_scan_kernel(pieces, ScanStage::scan, "_tasks<true>");
}

}  // namespace gpuarr
