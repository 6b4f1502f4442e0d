// The opaque types of expressions, and lists of them.
#pragma once

#include <vector>

#include "c/handles.hpp"
#include "core/spare_blocks.hpp"
#include "expr/formula.hpp"

struct gpuarr_expr : gpuarr::Handle<gpuarr_expr, gpuarr::expr::Expr> {
  static void* operator new(size_t) { return gpuarr::SpareBlocks<gpuarr_expr>::take(); }
  static void operator delete(void* handle) noexcept {
    gpuarr::SpareBlocks<gpuarr_expr>::give_back(handle);
  }
};
struct gpuarr_function
    : gpuarr::Handle<gpuarr_function, std::shared_ptr<const gpuarr::expr::Formula>> {};

namespace gpuarr {

/// `may_lack`: one may be NULL.
expr::BorrowedExprs exprs_of(const gpuarr_expr* const* list, int32_t count, const char* argument,
                             bool may_lack = false);

/// Arrays that a caller gave for results, null where one is to be made.
std::vector<const Array*> given_outputs(gpuarr_array* const* outputs, size_t count);

/// What was made of these goes to the caller.
void hand_out_made(gpuarr_array** outputs, std::vector<std::optional<Array>> made);

}  // namespace gpuarr
