// Rows that are divided by one number each: to the bit what a division gives, whatever the numbers
// are, on $GPUARR_TEST_DEVICE.
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "check.hpp"
#include "expr_build.hpp"
#include "expr_eager.hpp"

using namespace gpuarr;
using namespace building;

namespace {

using limits = std::numeric_limits<double>;

constexpr double strange[] = {0.0,
                              -0.0,
                              limits::infinity(),
                              -limits::infinity(),
                              limits::quiet_NaN(),
                              0x1p-400,
                              0x1p-401,
                              0x1p400,
                              0x1.8p400,
                              0x1p-968,
                              0x1p-1030,
                              -0x1p-1074,
                              limits::max(),
                              -limits::min(),
                              1.0};
constexpr double divisors[] = {3.0,
                               -7.0,
                               1.0,
                               0x1.fffffffffffffp0,
                               0x1.0000000000001p0,
                               0x1p500,
                               0x1p501,
                               1e-300,
                               0x1p-500,
                               0x1p-501,
                               0x1p-1040,
                               limits::max(),
                               0.0,
                               limits::infinity(),
                               limits::quiet_NaN()};

class Rows {
 public:
  Rows(int64_t length, uint64_t seed)
      : length_(length), seed_(seed), random_(static_cast<unsigned>(seed)) {}

  // Of each divisor: plain ones; those with 0 among them; with one strange number; of any size.
  void draw() {
    for (const double divisor : divisors)
      for (int kind = 0; kind < 4; ++kind) {
        divisors_.push_back(divisor);
        for (int64_t k = 0; k < length_; ++k) x_.push_back(number(kind));
        if (kind == 2) {
          const auto at =
              static_cast<size_t>(std::uniform_int_distribution<int64_t>(0, length_ - 1)(random_));
          x_[x_.size() - static_cast<size_t>(length_) + at] =
              strange[random_() % std::size(strange)];
        }
      }
  }

  void check() {
    const auto count = static_cast<int64_t>(divisors_.size());
    std::vector<double> y(x_.size(), 0.0);  // each row's sum is its divisor
    for (int64_t row = 0; row < count; ++row)
      y[static_cast<size_t>(row * length_)] = divisors_[static_cast<size_t>(row)];
    const Expr x = of(array_of(x_, count)),
               sums = over(Reducer::sum, of(array_of(y, count)), 1, true);
    const Expr quotient = x / sums;
    const Array* const none[] = {nullptr};
    const auto made = expr::evaluate({&quotient, 1}, none, &stream());
    const std::vector<double> got = values_of(*made[0]);
    for (size_t k = 0; k < got.size(); ++k) {
      const double wanted = x_[k] / divisors_[k / static_cast<size_t>(length_)];
      if (std::memcmp(&got[k], &wanted, sizeof wanted) == 0 ||
          (std::isnan(got[k]) && std::isnan(wanted)))
        continue;
      check::report(__FILE__, __LINE__)
          << x_[k] << " / " << divisors_[k / static_cast<size_t>(length_)] << " is " << got[k]
          << ", not " << wanted << " (row of " << length_ << ", seed " << seed_ << ")\n";
      return;
    }
  }

 private:
  double number(int kind) {
    const double mantissa = 1 + std::uniform_real_distribution<double>(0, 1)(random_);
    if (kind == 1 && random_() % 3 == 0) return 0;
    const int exponent = kind == 3 ? static_cast<int>(random_() % 2090) - 1070
                                   : static_cast<int>(random_() % 60) - 30;
    return std::ldexp(random_() % 2 == 0 ? mantissa : -mantissa, exponent);
  }

  Array array_of(const std::vector<double>& values, int64_t count) const {
    Array out = Array::empty(stream(), DType::f64, {count, length_});
    write(out,
          host_memory(DType::f64, {count, length_}, nullptr, const_cast<double*>(values.data())),
          stream());
    return out;
  }

  const int64_t length_;
  const uint64_t seed_;
  std::minstd_rand random_;
  std::vector<double> divisors_, x_;
};

}  // namespace

int main() {
  const uint64_t seed = test_seed();
  for (const int64_t length : {40, 127, 128, 200, 512, 513, 1500}) {
    Rows rows(length, seed);
    rows.draw();
    rows.check();
  }
  return check::result();
}
