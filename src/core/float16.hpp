// binary16 and bfloat16 on the host: what arguments and scalars need, not fast.
#pragma once

#include <cstdint>

namespace gpuarr {

// To nearest, ties to even, in one rounding; too large becomes infinite.
uint16_t to_float16(long double value);
uint16_t to_bfloat16(long double value);

float from_float16(uint16_t bits);
float from_bfloat16(uint16_t bits);

}  // namespace gpuarr
