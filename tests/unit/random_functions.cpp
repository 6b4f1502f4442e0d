// Philox against the vectors that Random123 comes with, and the functions behind the distributions
// against those of the C library.
#include <cmath>
#include <random>

#include "check.hpp"

// What a kernel has of the prelude.
using std::fabs;
using std::floor;
using std::fma;
using std::sqrt;
#include "codegen/random/philox.cuh"
#include "codegen/random/real.cuh"

using namespace gpuarr_prelude;

namespace {

void philox_vectors() {
  struct Vector {
    unsigned counter[4], key[2], bits[4];
  };
  const Vector vectors[] = {
      {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
      {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
       {0xffffffff, 0xffffffff},
       {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
      {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
       {0xa4093822, 0x299f31d0},
       {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
  };
  for (const Vector& v : vectors) {
    const philox_words made = philox4x32({v.counter[0], v.counter[1], v.counter[2], v.counter[3]},
                                         philox_schedule(v.key[0], v.key[1]));
    CHECK_EQ(made.a, v.bits[0]);
    CHECK_EQ(made.b, v.bits[1]);
    CHECK_EQ(made.c, v.bits[2]);
    CHECK_EQ(made.d, v.bits[3]);
  }
}

// The largest relative error, of many arguments.
class Worst {
 public:
  Worst(const char* what, long double allowed) : what_(what), allowed_(allowed) {}
  ~Worst() {
    if (!(worst_ <= allowed_))
      check::report(__FILE__, __LINE__)
          << what_ << " is wrong by " << worst_ << " at " << at_ << "\n";
  }
  Worst(const Worst&) = delete;
  Worst& operator=(const Worst&) = delete;
  void add(long double made, long double exact, double at) {
    const long double error = std::abs(made - exact) / std::abs(exact);
    if (error <= worst_) return;
    worst_ = error;
    at_ = at;
  }

 private:
  const char* what_;
  long double allowed_, worst_ = 0;
  double at_ = 0;
};

void accuracy() {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> unit(0, 1);
  Worst logarithm("log", 3e-16L), single("-2 log", 3e-7L), one_plus("log1p", 5e-16L);
  Worst power("exp", 4e-16L), single_power("exp of float", 2e-7L);
  Worst circle("the unit circle", 3e-7L), fine_circle("the unit circle in double", 5e-16L);
  for (int k = 0; k < 200000; ++k) {
    const double u = unit(random);
    const double wide = std::ldexp(0.5 + u / 2, k % 2000 - 1000);
    const auto f = static_cast<float>(std::ldexp(0.5 + u / 2, -(k % 33)));
    if (std::abs(std::log(wide)) > 1e-3)
      logarithm.add(random_log(wide), std::log(static_cast<long double>(wide)), wide);
    const auto exact = 0x1p-60L - 2 * std::log(static_cast<long double>(f));
    single.add(random_minus_2_log(f), exact, f);
    single.add(random_minus_2_log_64(f * 0x1p64F), exact, f);
    one_plus.add(random_log1p(-u / 2), std::log1p(static_cast<long double>(-u / 2)), -u / 2);
    const double x = (u - 0.5) * 1400;
    power.add(random_exp(x), std::exp(static_cast<long double>(x)), x);
    const auto y = static_cast<float>((u - 0.5) * 170);
    single_power.add(random_exp(y), std::exp(static_cast<long double>(y)), y);
    const auto bits = static_cast<unsigned>(random()), more = static_cast<unsigned>(random());
    const auto p = random_direction_32(bits, 0x3f800000);
    circle.add(std::hypot(static_cast<long double>(p.x), static_cast<long double>(p.y)), 1, bits);
    const auto q = random_direction(bits, more);
    fine_circle.add(std::hypot(static_cast<long double>(q.x), static_cast<long double>(q.y)), 1,
                    bits);
  }
}

void ends() {
  CHECK(random_exp(1000.0) == INFINITY && random_exp(100.0F) == INFINITY);
  CHECK(random_exp(-1000.0) == 0 && random_exp(-200.0F) == 0);
  CHECK(random_exp(-744.0) > 0 && random_exp(-103.0F) > 0);  // subnormal
  CHECK(std::isnan(random_exp(std::nan(""))));
  CHECK(random_minus_2_log(1.0F) == 0x1p-60F && random_log(1.0) == 0);
  CHECK(random_minus_2_log_64(0x1p64F) == 0x1p-60F);
  CHECK(std::abs(random_minus_2_log_64(0.25F) - 132 * std::log(2.0F)) < 1e-5F);
  CHECK((random_before<float, unsigned>(1.0F) == std::nextafter(1.0F, 0.0F)));
  CHECK((random_before<float, unsigned>(0.0F) == std::nextafter(0.0F, -1.0F)));
  CHECK((random_before<float, unsigned>(-0.0F) == std::nextafter(0.0F, -1.0F)));
  CHECK((random_before<float, unsigned>(-1.0F) == std::nextafter(-1.0F, -2.0F)));
  CHECK(random_positive(0) > 0 && random_positive(0, 0) > 0);
  CHECK(random_positive(0xffffffff) == 1 && random_positive(0xffffffff, 0xffffffff) == 1);
}

}  // namespace

int main() {
  philox_vectors();
  accuracy();
  ends();
  return check::result();
}
