// What a reduction's source has for either target: the algorithm before the user's texts, from the
// .cuh files of cuda/ and host/, and behind them what differs from call to call, with the kernel.
#pragma once

#include <string>

#include "codegen/reduction/reduction.hpp"

namespace gpuarr {

std::string cuda_algorithm(const ReductionVariant& variant);
std::string host_algorithm(const ReductionVariant& variant);

/// Declarations in _params that the algorithm asks for.
std::string cuda_constants(const ReductionVariant& variant);
std::string host_constants(const ReductionVariant& variant);

/// Bytes of an element of all inputs that lie side by side along a row; 0 if there is no such
/// number, or an element is not one number.
int element_bytes(const OperandVariants& operands);

/// Everything after the functions of reduction_functions().
std::string cuda_reduction(const ReductionText& text, const ReductionVariant& variant);
std::string host_reduction(const ReductionText& text, const ReductionVariant& variant);

/// Sets what the blocks need to know; `resident` of them run on the device side by side. The CPU's
/// stands in host/cut.hpp.
void cut_for_cuda(const ReductionPlan& plan, int64_t resident, ReductionGeometry& geometry);

}  // namespace gpuarr
