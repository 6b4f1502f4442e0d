// The opaque type of expressions.
#pragma once

#include "c/handles.hpp"
#include "expr/node.hpp"

struct gpuarr_expr : gpuarr::Handle<gpuarr_expr, gpuarr::expr::Expr> {};
