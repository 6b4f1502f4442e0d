// Times a kernel by running it many times.
#include "cli/base/timing.hpp"

#include <algorithm>

#include "cli/base/error.hpp"
#include "cli/base/text.hpp"

namespace cli {
namespace {

constexpr size_t batch_runs = 10;
constexpr size_t most_runs = 1000;
constexpr double enough_milliseconds = 300;

struct Lap {
  Event start;
  Event end;
};

std::vector<Lap> make_laps(gpuarr_device* device) {
  std::vector<Lap> laps(batch_runs);
  for (Lap& lap : laps) {
    check(gpuarr_event_create(lap.start.out(), device, 0));
    check(gpuarr_event_create(lap.end.out(), device, 0));
  }
  return laps;
}

}  // namespace

std::vector<Array> copies(const std::vector<gpuarr_array*>& arrays, gpuarr_stream* stream) {
  std::vector<Array> made;
  for (gpuarr_array* array : arrays) {
    Array copy;
    check(gpuarr_array_copy(copy.out(), array, GPUARR_ORDER_K, stream));
    made.push_back(std::move(copy));
  }
  return made;
}

// The runs of a batch are queued without waiting in between: on a GPU the events then enclose the
// kernel alone, not the time that the CPU takes to launch it.
Timing time_launches(const std::function<void()>& launch, const std::vector<gpuarr_array*>& changed,
                     const std::vector<Array>& originals, gpuarr_stream* stream) {
  std::vector<Lap> laps = make_laps(gpuarr_stream_device(stream));
  std::vector<double> times;
  double total = 0;
  while (times.size() < most_runs && total < enough_milliseconds) {
    for (Lap& lap : laps) {
      for (size_t i = 0; i < changed.size(); ++i)
        check(gpuarr_array_assign(changed[i], originals[i].get(), stream));
      check(gpuarr_event_record(lap.start.get(), stream));
      launch();
      check(gpuarr_event_record(lap.end.get(), stream));
    }
    check(gpuarr_stream_synchronize(stream));
    for (Lap& lap : laps) {
      double microseconds = 0;
      check(gpuarr_event_elapsed(&microseconds, lap.start.get(), lap.end.get()));
      times.push_back(microseconds * 1e-3);
      total += times.back();
    }
  }
  std::sort(times.begin(), times.end());
  return {times[times.size() / 2], times[0], times.size()};
}

std::string timing_text(const Timing& timing) {
  return "median " + time_text(timing.median) + ", best " + time_text(timing.best) + " of " +
         std::to_string(timing.runs) + " runs";
}

std::string rate_text(const Timing& timing, int64_t bytes) {
  double rate = timing.median > 0 ? static_cast<double>(bytes) / (timing.median * 1e6) : 0;
  return rounded(rate) + " GB/s";
}

}  // namespace cli
