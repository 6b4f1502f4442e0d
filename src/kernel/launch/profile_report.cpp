// The profile as a table, and as JSON.

#include "core/json.hpp"
#include "kernel/launch/profile.hpp"

namespace gpuarr {
namespace {

// Bytes and microseconds give MB/s.
std::optional<double> gigabytes_per_second(const ProfileRow& row) {
  if (!row.read || !row.written || row.device_us <= 0) return std::nullopt;
  return static_cast<double>(*row.read + *row.written) / row.device_us / 1e3;
}

std::string megabytes(const std::optional<int64_t>& bytes) {
  return bytes ? formatted("{:.3f}", static_cast<double>(*bytes) / 1e6) : "-";
}

std::string label_of(const ProfileRow& row) {
  return row.types.empty() ? row.kernel : formatted("{} ({})", row.kernel, row.types);
}

std::string number_or_null(const std::optional<int64_t>& number) {
  return number ? std::to_string(*number) : "null";
}

}  // namespace

std::string profile_text(const std::vector<ProfileRow>& rows) {
  std::string out =
      formatted("{:>12} {:>9} {:>12} {:>12} {:>12} {:>9} {:>8} {:>12} {:>6} {:>5}  {:<8} {}\n",
                "total us", "launches", "mean us", "MB read", "MB written", "GB/s", "compiles",
                "compile ms", "memory", "disk", "device", "kernel");
  for (const ProfileRow& row : rows) {
    const auto rate = gigabytes_per_second(row);
    const std::string mean =
        row.timed > 0 ? formatted("{:.3f}", row.device_us / static_cast<double>(row.timed)) : "-";
    out += formatted(
        "{:>12.3f} {:>9} {:>12} {:>12} {:>12} {:>9} {:>8} {:>12.3f} {:>6} {:>5}  {:<8} {}\n",
        row.device_us, row.launches, mean, megabytes(row.read), megabytes(row.written),
        rate ? formatted("{:.2f}", *rate) : "-", row.compiles, row.compile_us / 1e3,
        row.memory_hits, row.disk_hits, row.device, label_of(row));
  }
  return out;
}

std::string profile_json(const std::vector<ProfileRow>& rows) {
  std::string out = "{\n  \"kernels\": [";
  const char* separator = "\n";
  for (const ProfileRow& row : rows) {
    const auto rate = gigabytes_per_second(row);
    out += separator;
    out += formatted(
        R"(    {{"kernel": {}, "types": {}, "device": {}, "compiles": {}, "compile_us": {:.3f}, )",
        json_quoted(row.kernel), json_quoted(row.types), json_quoted(row.device), row.compiles,
        row.compile_us);
    out += formatted(
        R"("memory_hits": {}, "disk_hits": {}, "launches": {}, "captured": {}, "timed": {}, )",
        row.memory_hits, row.disk_hits, row.launches, row.captured, row.timed);
    out += formatted(R"("device_us": {:.3f}, "bytes_read": {}, "bytes_written": {}, )",
                     row.device_us, number_or_null(row.read), number_or_null(row.written));
    out += formatted(R"("gigabytes_per_second": {}}})", rate ? formatted("{:.3f}", *rate) : "null");
    separator = ",\n";
  }
  return out + (rows.empty() ? "]\n}\n" : "\n  ]\n}\n");
}

}  // namespace gpuarr
