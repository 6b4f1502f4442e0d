// cuda_bf16.h on the host.
#pragma once

#include <gpuarr/half.cuh>

#define GPUARR_H __nv_bfloat16
#define GPUARR_H2 __nv_bfloat162
#define GPUARR_RAW __nv_bfloat16_raw
#define GPUARR_FORMAT gpuarr_prelude::brain16
#define GPUARR_NAME(before, after) before##bfloat16##after
#include <gpuarr/half_class.cuh>
#include <gpuarr/half_functions.cuh>
#undef GPUARR_H
#undef GPUARR_H2
#undef GPUARR_RAW
#undef GPUARR_FORMAT
#undef GPUARR_NAME

inline __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a) { return {a, a}; }

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

#define CUDART_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7F80U)
#define CUDART_NAN_BF16 __ushort_as_bfloat16((unsigned short)0x7FFFU)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16((unsigned short)0x0001U)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16((unsigned short)0x7F7FU)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x8000U)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000U)
#define CUDART_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3F80U)
