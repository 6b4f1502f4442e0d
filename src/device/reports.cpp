#include "device/reports.hpp"

#include <array>
#include <cstring>
#include <map>
#include <mutex>
#include <new>
#include <vector>

#include "core/error.hpp"
#include "core/fork.hpp"
#include "core/once.hpp"
#include "device/device.hpp"

namespace gpuarr {
namespace {

constexpr int64_t report_bytes = 64;
constexpr int64_t page_bytes = 4096;
static_assert(sizeof(Report) <= report_bytes);

std::array<std::atomic<const ReportSource*>, report_codes> sources{};

// The reports of a device's streams. Pages are never given back: a graph or a late kernel may
// write to them at any time.
struct Records {
  std::vector<Report*> all;
  std::vector<Report*> free;  // the first is the one that was dropped first
};

struct Table {
  ForkSafeMutex mutex;
  std::map<int, Records> devices;  // by Device::index()
};

Table& table() {
  static Undying<Table> instance;
  return *instance;
}

// Locked.
Report* take_free(Records& records) {
  if (records.free.empty()) return nullptr;
  Report* report = records.free.front();
  records.free.erase(records.free.begin());
  return report;
}

void add_page(Records& records, std::byte* page) {
  const auto count = static_cast<size_t>(page_bytes / report_bytes);
  records.all.reserve(records.all.size() + count);
  records.free.reserve(records.all.size() + count);  // so that drop_report() needs no memory
  for (size_t k = 0; k < count; ++k) {
    records.all.push_back(new (page + k * report_bytes) Report);
    records.free.push_back(records.all.back());
  }
}

Report* find_free(Device& device) {
  {
    std::lock_guard lock(table().mutex);
    if (Report* found = take_free(table().devices[device.index()])) return found;
  }
  // Outside the lock, since it takes the driver's. Two threads that meet here make two pages.
  void* page = device.allocate(page_bytes, MemoryKind::pinned);
  if (page == nullptr)
    fail(GPUARR_ERR_OUT_OF_MEMORY,
         "no {} bytes of pinned memory for {}, where its kernels report wrong values", page_bytes,
         device.facts().name);
  std::lock_guard lock(table().mutex);
  Records& records = table().devices[device.index()];
  add_page(records, static_cast<std::byte*>(page));
  return take_free(records);
}

Report& report_in(std::atomic<Report*>& place, Device& device) {
  Report* report = place.load(std::memory_order_acquire);
  if (report != nullptr) return *report;
  Report* made = find_free(device);
  if (place.compare_exchange_strong(report, made, std::memory_order_acq_rel)) return *made;
  drop_report(device, made);  // another thread was first
  return *report;
}

[[noreturn]] void tell(uint32_t code, const ReportValues& values, bool now) {
  const ReportSource* source = code < report_codes ? sources[code].load() : nullptr;
  if (source == nullptr) fail(GPUARR_ERR_INTERNAL, "a kernel reported the unknown code {}", code);
  const std::string words = source->words(values);
  if (now) throw Error(source->status, words);
  fail(source->status, "{}, called before, failed while its work ran: {}", source->function, words);
}

void throw_noted(Report* report, bool now = false) {
  if (report == nullptr || report->state.load(std::memory_order_acquire) != Report::noted) return;
  uint32_t noted = Report::noted;
  if (!report->state.compare_exchange_strong(noted, Report::being_written)) return;
  const uint32_t code = report->code;
  ReportValues values;
  std::memcpy(values, report->values, sizeof values);
  report->state.store(Report::none, std::memory_order_release);
  tell(code, values, now);
}

template <class Waited>
void wait_and_throw(Waited& waited) {
  waited.synchronize();
  throw_noted(waited.reports.load(std::memory_order_acquire));
  throw_noted(waited.device().reports.load(std::memory_order_acquire));
}

}  // namespace

Reporting::Reporting(const ReportSource& source, Stream& stream) {
  sources[static_cast<size_t>(source.code)].store(&source, std::memory_order_relaxed);
  Device& device = stream.device();
  if (stream.eager())
    report_ = &own_;
  else
    report_ = &report_in(stream.captures() ? device.reports : stream.reports, device);
}

void Reporting::finish() {
  if (report_ == &own_) throw_noted(report_, true);
}

void wait_for(Stream& stream) { wait_and_throw(stream); }

void wait_for(Event& event) { wait_and_throw(event); }

void wait_for(Device& device) {
  device.synchronize();
  std::vector<Report*> all;
  {
    std::lock_guard lock(table().mutex);
    auto found = table().devices.find(device.index());
    if (found != table().devices.end()) all = found->second.all;
  }
  for (Report* report : all) throw_noted(report);
}

void drop_report(Device& device, Report* report) noexcept {
  if (report == nullptr) return;
  std::lock_guard lock(table().mutex);
  table().devices.find(device.index())->second.free.push_back(report);
}

}  // namespace gpuarr
