/* Prices of options by Black and Scholes: calls and puts of a whole market by one kernel. */
#include "formula.h"

enum { COUNT = 100000 };

static const double rate = 0.03, volatility = 0.25;
static double spot[COUNT], strike[COUNT], years[COUNT], call_prices[COUNT], put_prices[COUNT];

/* The normal distribution's share below x. */
static double below(double x) { return 0.5 * erfc(-x / sqrt(2)); }
static Expr share_below(Expr x) {
  return mul(num(0.5), call("erfc", quo(call("negative", x, NULL), num(sqrt(2))), NULL));
}

/* A call and a put; what they share is computed once. */
static void prices(Expr* out, Expr s, Expr x, Expr t) {
  Expr spread = mul(num(volatility), call("sqrt", keep(t), NULL));
  Expr value = mul(keep(x), call("exp", mul(num(-rate), keep(t)), NULL)); /* of the strike, today */
  Expr drift = mul(num(rate + volatility * volatility / 2), t);
  Expr d1 = quo(add(call("log", quo(keep(s), x), NULL), drift), keep(spread));
  Expr d2 = sub(keep(d1), spread);
  out[0] = sub(mul(keep(s), share_below(keep(d1))), mul(keep(value), share_below(keep(d2))));
  out[1] = sub(mul(value, share_below(call("negative", d2, NULL))),
               mul(s, share_below(call("negative", d1, NULL))));
}

int main(void) {
  for (int k = 0; k < COUNT; ++k) {
    spot[k] = 50 + k % 101;
    strike[k] = 60 + k % 89;
    years[k] = 0.1 + (k % 37) / 12.0;
  }
  gpuarr_device* device;
  gpuarr_array *in[3], *out[2] = {NULL, NULL};
  const double* const host[] = {spot, strike, years};
  int64_t shape[] = {COUNT};
  check(gpuarr_device_open(&device, NULL));
  for (int k = 0; k < 3; ++k)
    check(gpuarr_array_from_host(&in[k], device, GPUARR_F64, 1, shape, NULL, host[k], sizeof spot,
                                 NULL));

  Expr both[2];
  prices(both, of(in[0]), of(in[1]), of(in[2]));
  expect_kernels(both, 2, 1);
  evaluate(out, both, 2);
  check(gpuarr_array_read(call_prices, sizeof call_prices, NULL, out[0], NULL));
  check(gpuarr_array_read(put_prices, sizeof put_prices, NULL, out[1], NULL));

  for (int k = 0; k < COUNT; ++k) {
    double deviation = volatility * sqrt(years[k]), now = strike[k] * exp(-rate * years[k]);
    double a = log(spot[k] / now) / deviation + deviation / 2, b = a - deviation;
    expect(call_prices[k], spot[k] * below(a) - now * below(b), 1e-10, "call", k);
    expect(put_prices[k], now * below(-b) - spot[k] * below(-a), 1e-10, "put", k);
  }
  printf("the first: call %.4f, put %.4f\n", call_prices[0], put_prices[0]);
  printf("ok: prices of %d calls and puts in one kernel on %s\n", COUNT,
         gpuarr_device_name(device));
  for (int k = 0; k < 3; ++k) gpuarr_array_release(in[k]);
  for (int k = 0; k < 2; ++k) gpuarr_array_release(out[k]);
  return 0;
}
