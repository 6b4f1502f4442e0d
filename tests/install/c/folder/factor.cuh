// What a kernel file includes.
#pragma once

__device__ inline float factor() { return 2; }
