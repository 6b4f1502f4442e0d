// cuda_fp16.h on the host.
#pragma once

#include <gpuarr/half.cuh>

#define GPUARR_H __half
#define GPUARR_H2 __half2
#define GPUARR_RAW __half_raw
#define GPUARR_FORMAT gpuarr_prelude::binary16
#define GPUARR_NAME(before, after) before##half##after
#include <gpuarr/half_class.cuh>
#include <gpuarr/half_functions.cuh>
#undef GPUARR_H
#undef GPUARR_H2
#undef GPUARR_RAW
#undef GPUARR_FORMAT
#undef GPUARR_NAME

inline __half2 __half2half2(__half a) { return {a, a}; }

typedef __half half;
typedef __half2 half2;
typedef __half __nv_half;
typedef __half nv_half;
typedef __half2 nv_half2;

#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7C00U)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7FFFU)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001U)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7BFFU)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half((unsigned short)0x8000U)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000U)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3C00U)
