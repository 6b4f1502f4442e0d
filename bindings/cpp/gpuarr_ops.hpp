/** @file gpuarr_ops.hpp  libgpuarr for C++17: all operations of arrays, over gpuarr.hpp.
 *
 *      gpuarr::Generator random(7);
 *      gpuarr::Array x = random.normal({1000, 3}), y = 2.0 * x + gpuarr::exp(-x);
 *      gpuarr::Array best = gpuarr::take(x, gpuarr::argsort(gpuarr::norm(y, 2, {1})));
 *      auto [u, s, vh] = gpuarr::svd(x - gpuarr::mean(x, {0}));
 *      gpuarr::into(y, gpuarr_sqrt, gpuarr::abs(y));
 *
 *  Names      Those of the C functions, whose comments are the reference. Each creates its results
 *             in the thread's current stream; into() puts the result of any C function into a given
 *             array. Several results are a struct, which structured bindings take apart as above.
 *             Functions of elements and reductions return an Expr: gpuarr_expr.hpp.
 *  Headers    This one has all; each of those that it includes can be had alone.
 */
#ifndef GPUARR_OPS_HPP
#define GPUARR_OPS_HPP

#include "gpuarr_arrange.hpp"
#include "gpuarr_elementwise.hpp"
#include "gpuarr_function.hpp"
#include "gpuarr_linalg.hpp"
#include "gpuarr_order.hpp"
#include "gpuarr_random.hpp"

#endif
