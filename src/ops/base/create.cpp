// New arrays with values in them.
#include "ops/base/create.hpp"

#include <cmath>

#include "array/views.hpp"
#include "core/error.hpp"
#include "ops/base/copy.hpp"

namespace gpuarr {
namespace {

// Differences and sums of int64 and uint64 numbers stay exact.
__extension__ typedef __int128 Wide;

bool fits_int64(Wide value) { return value >= INT64_MIN && value <= INT64_MAX; }

Wide wide(const Scalar& value) { return static_cast<Wide>(value.real()); }

Scalar scalar_of(Wide value) {
  return fits_int64(value) ? Scalar::of(static_cast<int64_t>(value))
                           : Scalar::of(static_cast<uint64_t>(value));
}

void check_fits(DType dtype, const Scalar& value, const char* argument) {
  unsigned char unused[16];
  value.convert_to(dtype, unused, argument);
}

Dims checked_count(int64_t count, DType dtype) { return checked_shape(1, &count, size_of(dtype)); }

Array whole_arange(Stream& stream, DType dtype, Wide start, Wide stop, Wide step) {
  if (step == 0) fail(GPUARR_ERR_ARGUMENT, "step is 0; give another difference");
  Wide count = step > 0 ? (stop - start + step - 1) / step : (start - stop - step - 1) / -step;
  if (count < 0) count = 0;
  if (count > INT64_MAX) fail(GPUARR_ERR_SHAPE, "the range has more than 2^63 - 1 elements");
  Dims shape = checked_count(static_cast<int64_t>(count), dtype);
  Wide last = start + step * (count - 1);
  if (count > 0) {
    check_fits(dtype, scalar_of(start), "start");
    check_fits(dtype, scalar_of(last), "the last element");
  }
  Array out = Array::empty(stream, dtype, shape);
  // Devices count modulo 2^64, and that is enough for every number in an integer type's range.
  bool whole_dtype = Scalar{dtype, {}}.is_whole();
  auto wrapped = [](Wide value) { return static_cast<int64_t>(static_cast<uint64_t>(value)); };
  if (whole_dtype || (fits_int64(start) && fits_int64(last) && fits_int64(step)))
    arange(out, wrapped(start), wrapped(step), stream);
  else
    arange(out, static_cast<double>(start), static_cast<double>(step), stream);
  return out;
}

double checked_finite(double value, const char* argument) {
  if (!std::isfinite(value))
    fail(GPUARR_ERR_ARGUMENT, "{} is {}; give a finite number", argument, value);
  return value;
}

double checked_real(const Scalar& value, const char* argument) {
  double out = 0;
  value.convert_to(DType::f64, &out, argument);
  return checked_finite(out, argument);
}

double element(double start, double step, double k) {
  const double value = start + k * step;
  return std::isfinite(value) ? value : std::fma(k, step, start);
}

// In two parts where no float holds the difference between the ends.
void fill_range(const Array& out, double start, double step, Stream& stream) {
  const int64_t count = out.size();
  if (std::isfinite(static_cast<double>(count) * step)) return arange(out, start, step, stream);
  const int64_t half = count / 2;
  arange(slice(out, 0, 0, half, 1), start, step, stream);
  arange(slice(out, 0, half, count, 1), element(start, step, static_cast<double>(half)), step,
         stream);
}

int64_t real_count(double start, double stop, double step) {
  auto before_stop = [&](double value) { return step > 0 ? value < stop : value > stop; };
  if (!before_stop(start)) return 0;
  const double length = stop - start;
  double count = std::ceil(std::isfinite(length) ? length / step : stop / step - start / step);
  if (!(count < 0x1p63)) fail(GPUARR_ERR_SHAPE, "the range has more than 2^63 - 1 elements");
  // The quotient is rounded: it may be 0, or end one element too late.
  if (count > 1 && !before_stop(element(start, step, count - 1))) count -= 1;
  return count < 1 ? 1 : static_cast<int64_t>(count);
}

Array real_arange(Stream& stream, DType dtype, double start, double stop, double step) {
  if (step == 0) fail(GPUARR_ERR_ARGUMENT, "step is 0; give another difference");
  int64_t count = real_count(start, stop, step);
  Dims shape = checked_count(count, dtype);
  bool whole_dtype = Scalar{dtype, {}}.is_whole();
  auto as_stored = [&](double value) { return whole_dtype ? std::trunc(value) : value; };
  if (count > 0) {
    double last = element(start, step, static_cast<double>(count - 1));
    check_fits(dtype, Scalar::of(as_stored(start)), "start");
    check_fits(dtype, Scalar::of(as_stored(last)), "the last element");
  }
  Array out = Array::empty(stream, dtype, shape);
  fill_range(out, start, step, stream);
  return out;
}

}  // namespace

Array full(Stream& stream, DType dtype, const Dims& shape, Order order, const Scalar& value) {
  check_fits(dtype, value, "value");
  Array out = Array::empty(stream, dtype, shape, order);
  fill(out, value, stream);
  return out;
}

Array arange(Stream& stream, DType dtype, const Scalar& start, const Scalar& stop,
             const Scalar& step) {
  if (dtype == DType::boolean)
    fail(GPUARR_ERR_DTYPE, "dtype is bool, which has no range; give a numeric dtype");
  if (start.is_whole() && stop.is_whole() && step.is_whole())
    return whole_arange(stream, dtype, wide(start), wide(stop), wide(step));
  return real_arange(stream, dtype, checked_real(start, "start"), checked_real(stop, "stop"),
                     checked_real(step, "step"));
}

Array linspace(Stream& stream, DType dtype, double start, double stop, int64_t count,
               bool endpoint) {
  if (!is_inexact(dtype))
    fail(GPUARR_ERR_DTYPE, "dtype is {}; give a floating or complex type", name(dtype));
  if (count < 0) fail(GPUARR_ERR_SHAPE, "count is {}; it must be 0 or more", count);
  check_fits(dtype, Scalar::of(checked_finite(start, "start")), "start");
  check_fits(dtype, Scalar::of(checked_finite(stop, "stop")), "stop");
  Array out = Array::empty(stream, dtype, checked_count(count, dtype));
  int64_t steps = endpoint ? count - 1 : count;
  double step = 0;
  if (steps > 0) {
    auto divisor = static_cast<double>(steps);
    step = (stop - start) / divisor;
    if (!std::isfinite(step)) step = stop / divisor - start / divisor;
  }
  fill_range(out, start, step, stream);
  if (endpoint && count > 1) fill(select(out, 0, count - 1), Scalar::of(stop), stream);
  return out;
}

Array eye(Stream& stream, DType dtype, int64_t rows, int64_t columns, int64_t k, Order order) {
  if (rows < 0) fail(GPUARR_ERR_SHAPE, "rows is {}; it must be 0 or more", rows);
  if (columns < 0) fail(GPUARR_ERR_SHAPE, "columns is {}; it must be 0 or more", columns);
  int64_t shape[] = {rows, columns};
  Array out =
      full(stream, dtype, checked_shape(2, shape, size_of(dtype)), order, Scalar::of(int64_t{0}));
  fill(diagonal(out, k, 0, 1), Scalar::of(int64_t{1}), stream);
  return out;
}

}  // namespace gpuarr
