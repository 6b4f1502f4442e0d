// A lambda that captures a variable, which the compiler has to refuse.
#include <gpuarr_lambda.hpp>

int main() {
  const float scale = 2;
  const auto scaled = GPUARR_LAMBDA([=](float x) { return x * scale; });
  return scaled(1.f) > 3 ? 0 : 1;
}
