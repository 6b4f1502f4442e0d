// Prices of options by Black and Scholes: calls and puts of a whole market by one kernel.
#include <gpuarr_elementwise.hpp>

#include "example.hpp"

using gpuarr::Array, gpuarr::Expr;

namespace {

constexpr std::size_t count = 100000;
constexpr double rate = 0.03, volatility = 0.25;

// The normal distribution's share below x.
double below(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }
Expr below(const Expr& x) { return 0.5 * erfc(-x / std::sqrt(2.0)); }

}  // namespace

int main() try {
  std::vector<double> spot, strike, years;
  for (std::size_t k = 0; k < count; ++k) {
    spot.push_back(50 + static_cast<double>(k % 101));
    strike.push_back(60 + static_cast<double>(k % 89));
    years.push_back(0.1 + static_cast<double>(k % 37) / 12);
  }
  const Array s = Array::from(spot), x = Array::from(strike), t = Array::from(years);

  const auto spread = volatility * sqrt(t), value = x * exp(-rate * t);  // of the strike, today
  const auto d1 = (log(s / x) + (rate + volatility * volatility / 2) * t) / spread;
  const auto d2 = d1 - spread;
  const auto call = s * below(d1) - value * below(d2), put = value * below(-d2) - s * below(-d1);
  expect_kernels(gpuarr::explain(call, put), 1);
  const auto [calls, puts] = evaluate(call, put);  // together: what they share is computed once

  const auto call_prices = calls.to_vector<double>(), put_prices = puts.to_vector<double>();
  for (std::size_t k = 0; k < count; ++k) {
    const double deviation = volatility * std::sqrt(years[k]);
    const double now = strike[k] * std::exp(-rate * years[k]);
    const double a = std::log(spot[k] / now) / deviation + deviation / 2, b = a - deviation;
    expect(call_prices[k], spot[k] * below(a) - now * below(b), 1e-10, "call", k);
    expect(put_prices[k], now * below(-b) - spot[k] * below(-a), 1e-10, "put", k);
  }
  std::printf("the first: call %.4f, put %.4f\n", call_prices[0], put_prices[0]);
  std::printf("ok: prices of %d calls and puts in one kernel on %s\n", static_cast<int>(count),
              calls.device().name().c_str());
} catch (const std::exception& exception) {
  return failed(exception);
}
