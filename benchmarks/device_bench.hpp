// For benchmarks that are made with the library's insides, on the CPU and on a GPU alike.
#pragma once

#include <cstdlib>
#include <cstring>
#include <functional>
#include <random>

#include "array/array.hpp"
#include "backends.hpp"
#include "core/half.hpp"
#include "measure.hpp"

namespace device_bench {

using namespace gpuarr;

class Bench {
 public:
  explicit Bench(Device& device) : device_(device), stream_(device.create_stream(0)) {}

  bool on_cpu() const { return device_.has_host_memory(); }

  /// Elements from -4 to 4, some thousands of them over and over.
  Array array(DType dtype, const Dims& shape) {
    constexpr int64_t drawn = 10007;
    std::minstd_rand random(7);
    const int64_t size = size_of(dtype), bytes = size_of(shape) * size;
    std::vector<std::byte> values(static_cast<size_t>(bytes + drawn * size));
    for (int64_t k = 0; k < drawn; ++k) {
      const double v = static_cast<double>(random()) / std::minstd_rand::max() * 8 - 4;
      const auto single = static_cast<float>(v);
      const uint16_t half = Float16(single).bits;
      const void* const value = dtype == DType::f64   ? static_cast<const void*>(&v)
                                : dtype == DType::f16 ? static_cast<const void*>(&half)
                                                      : &single;
      std::memcpy(values.data() + k * size, value, static_cast<size_t>(size));
    }
    for (int64_t at = drawn * size; at < bytes; at += drawn * size)
      std::memcpy(values.data() + at, values.data(), static_cast<size_t>(drawn * size));
    const Array out = Array::empty(*stream_, dtype, shape);
    device_.copy_from_host(out.data, values.data(), bytes, *stream_);
    stream_->synchronize();
    return out;
  }

  /// Of several functions by turns, so that what else the machine does hits all alike.
  std::vector<double> medians(const std::vector<std::function<void()>>& functions) {
    std::vector<std::vector<double>> times(functions.size());
    const auto start = device_.create_event(), end = device_.create_event();
    for (int turn = 0; turn < 25; ++turn)
      for (size_t k = 0; k < functions.size(); ++k) {
        functions[k]();
        stream_->synchronize();
        const double begin = now_us();
        stream_->record(*start);
        functions[k]();
        stream_->record(*end);
        end->synchronize();
        const double wall = now_us() - begin;
        times[k].push_back(on_cpu() ? wall : end->microseconds_since(*start));
      }
    std::vector<double> out;
    for (auto& t : times) out.push_back(median(std::move(t)));
    return out;
  }

 protected:
  Device& device_;
  std::shared_ptr<Stream> stream_;
};

}  // namespace device_bench
