/* Steps of the optimiser Adam: parameters and both moments in place, by one kernel a step, which
 * reads four arrays and writes three. */
#include "formula.h"

enum { COUNT = 10000, STEPS = 200 };

static const double rate = 0.05, kept = 0.9, kept_squares = 0.999, epsilon = 1e-8;
static float target[COUNT], result[COUNT];

/* The next parameters and moments: numbers change from step to step, the kernel does not. */
static void next(Expr* out, const gpuarr_array* const* state, const gpuarr_array* gradient,
                 int step) {
  Expr g = of(gradient);
  Expr first = add(mul(num(kept), of(state[1])), mul(num(1 - kept), keep(g)));
  Expr second = add(mul(num(kept_squares), of(state[2])),
                    mul(num(1 - kept_squares), call("square", g, NULL)));
  Expr spread = call("sqrt", quo(keep(second), num(1 - pow(kept_squares, step))), NULL);
  Expr change = quo(mul(num(rate / (1 - pow(kept, step))), keep(first)), add(spread, num(epsilon)));
  out[0] = sub(of(state[0]), change);
  out[1] = first;
  out[2] = second;
}

/* The same for one parameter, by a plain loop. */
static double by_loop(double wanted) {
  double x = 0, first = 0, second = 0;
  for (int step = 1; step <= STEPS; ++step) {
    double gradient = x - wanted;
    first = kept * first + (1 - kept) * gradient;
    second = kept_squares * second + (1 - kept_squares) * gradient * gradient;
    x -= rate / (1 - pow(kept, step)) * first /
         (sqrt(second / (1 - pow(kept_squares, step))) + epsilon);
  }
  return x;
}

int main(void) {
  for (int k = 0; k < COUNT; ++k) target[k] = (float)sin(k);
  gpuarr_device* device;
  gpuarr_array *wanted, *gradient = NULL, *state[3];
  int64_t shape[] = {COUNT};
  check(gpuarr_device_open(&device, NULL));
  check(gpuarr_array_from_host(&wanted, device, GPUARR_F32, 1, shape, NULL, target, sizeof target,
                               NULL));
  for (int k = 0; k < 3; ++k)
    check(gpuarr_array_zeros(&state[k], device, GPUARR_F32, 1, shape, GPUARR_ORDER_C, NULL));

  /* What is to become least is the sum of (p - target)^2 / 2. */
  for (int step = 1; step <= STEPS; ++step) {
    check(gpuarr_subtract(&gradient, gpuarr_arg_array(state[0]), gpuarr_arg_array(wanted), NULL));
    Expr all[3];
    next(all, (const gpuarr_array* const*)state, gradient, step);
    expect_kernels(all, 3, 1);
    evaluate(state, all, 3); /* all are read before one is written */
  }

  check(gpuarr_array_read(result, sizeof result, NULL, state[0], NULL));
  for (int k = 0; k < COUNT; ++k) {
    expect(result[k], by_loop(target[k]), 1e-3, "parameter", k);
    expect(result[k], target[k], 0.05, "parameter and target", k);
  }
  printf("ok: %d steps of Adam with %d parameters, one kernel each, on %s\n", STEPS, COUNT,
         gpuarr_device_name(device));
  for (int k = 0; k < 3; ++k) gpuarr_array_release(state[k]);
  gpuarr_array_release(gradient);
  gpuarr_array_release(wanted);
  return 0;
}
