// Results of functions on blocked arrays: given ones checked, missing ones made.
#pragma once

#include "c/guard.hpp"
#include "c/team_handles.hpp"

namespace gpuarr {

/// Fails, alike on all places, where the array that was given for a result cannot hold it.
inline void check_result(const std::string& label, const team::Blocked& given,
                         const team::Team& team, DType dtype, const Dims& shape) {
  if (&given.team() != &team)
    fail(GPUARR_ERR_ARGUMENT, "{} is of another team than the inputs", label);
  if (given.dtype() != dtype)
    fail(GPUARR_ERR_DTYPE, "{} is {}, but the result is {}; give such an array", label,
         name(given.dtype()), name(dtype));
  if (!(given.shape() == shape))
    fail(GPUARR_ERR_SHAPE, "{} has shape {}, but the result has {}; give such an array", label,
         to_string(given.shape()), to_string(shape));
}

/// A collective call with one result, which is made as `made` says where *out is NULL. Memory that
/// is missing on one place is told of on all.
template <class Work>
void with_result(const char* function, gpuarr_blocked** out,
                 const std::shared_ptr<team::Team>& team, const team::BlockedLayout& made,
                 uint64_t digest, Work&& work) {
  if (out == nullptr) fail(GPUARR_ERR_ARGUMENT, "out is NULL; give the address of a variable");
  const auto* given = deref_or_null(*out, "*out");
  if (given != nullptr) check_result("out", **given, *team, made.dtype, made.grid.shape());
  auto result = given != nullptr ? *given : nullptr;
  digest = digest * 3 + (given != nullptr ? (*given)->digest() : 1);
  collective(*team, function, digest, [&] {
    if (result == nullptr) result = team::Blocked::create(team, made);
    work(*result);
  });
  if (given == nullptr) *out = gpuarr_blocked::make(std::move(result));
}

}  // namespace gpuarr
