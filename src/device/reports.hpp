// What kernels find wrong in the values that they read, such as an index out of range; reports.md.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "gpuarr/base.h"

namespace gpuarr {

class Device;
class Event;
class Stream;

/// What reports: one for each function whose kernels do. The kernel's text has the number.
enum class ReportCode : uint32_t {
  take = 1,
  take_along_axis,
  put,
  put_add,
  put_along_axis,
  lu_solve,
};
constexpr int report_codes = static_cast<int>(ReportCode::lu_solve) + 1;

using ReportValues = int64_t[4];

struct ReportSource {
  ReportCode code;
  const char* function;  // "gpuarr_take"
  gpuarr_status status;
  std::string (*words)(const ReportValues& values);  // "index 7 ..., which ...; give ..."
};

/// The memory that a kernel writes to, as in the prelude's reports.cuh.
struct Report {
  enum State : uint32_t { none, being_written, noted };
  std::atomic<uint32_t> state{none};
  uint32_t code = 0;
  ReportValues values = {};
};

/// For one call: where its kernels report to, and what then becomes of it.
class Reporting {
 public:
  /// `source` lives for ever.
  Reporting(const ReportSource& source, Stream& stream);

  /// What the kernel gets as a uint64, for the prelude's _report(). It holds for as long as the
  /// work, or a graph of it, may run.
  uint64_t address() const { return reinterpret_cast<uintptr_t>(report_); }

  /// After the launches: where they are done by now, throws what they reported.
  void finish();

 private:
  Report* report_;
  Report own_;  // where the work is done in the caller
};

// For calls that wait: the wait, and then what was reported before in the stream, by work that was
// captured, or in what the event was recorded in. Each report is thrown once.
void wait_for(Stream& stream);
void wait_for(Event& event);
void wait_for(Device& device);

/// Of a stream that is gone; the memory is another's later on.
void drop_report(Device& device, Report* report) noexcept;

}  // namespace gpuarr
