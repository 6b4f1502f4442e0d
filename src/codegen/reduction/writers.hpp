// What a reduction's source has for either target: the algorithm before the user's texts, from the
// .cuh files of cuda/ and host/, and behind them what differs from call to call, with the kernel.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "codegen/reduction/reduction.hpp"

namespace gpuarr {

/// Whether each result is made for itself, of partial results or of nothing.
inline bool gathers(const ReductionPlan& plan) {
  return plan.stage != Stage::whole && plan.stage != Stage::partial;
}

std::string cuda_algorithm(const ReductionPlan& plan);
std::string host_algorithm(const ReductionPlan& plan);

/// Declarations in _params that the algorithm asks for.
std::string cuda_constants(const ReductionPlan& plan);
std::string host_constants(const ReductionPlan& plan);

/// Everything after the functions of reduction_functions().
std::string cuda_reduction(const ReductionText& text, const ReductionPlan& plan,
                           std::span<const Operand> operands);
std::string host_reduction(const ReductionText& text, const ReductionPlan& plan,
                           std::span<const Operand> operands);

}  // namespace gpuarr
