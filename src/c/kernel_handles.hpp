// The opaque types that have to do with kernels.
#pragma once

#include <cstring>

#include "c/handles.hpp"
#include "core/text_limits.hpp"
#include "kernel/elementwise.hpp"
#include "kernel/gufunc.hpp"
#include "kernel/raw/raw.hpp"
#include "kernel/reduction.hpp"
#include "kernel/scan.hpp"
#include "kernel/text/closed_text.hpp"

struct gpuarr_kernel_options : gpuarr::Handle<gpuarr_kernel_options, gpuarr::KernelOptions> {};
struct gpuarr_call : gpuarr::Handle<gpuarr_call, gpuarr::PreparedCall> {};
struct gpuarr_elementwise
    : gpuarr::Handle<gpuarr_elementwise, std::shared_ptr<gpuarr::Elementwise>> {};
struct gpuarr_gufunc : gpuarr::Handle<gpuarr_gufunc, std::shared_ptr<gpuarr::Gufunc>> {};
struct gpuarr_reduction : gpuarr::Handle<gpuarr_reduction, std::shared_ptr<gpuarr::Reduction>> {};
struct gpuarr_scan : gpuarr::Handle<gpuarr_scan, std::shared_ptr<gpuarr::Scan>> {};
struct gpuarr_module : gpuarr::Handle<gpuarr_module, std::shared_ptr<gpuarr::UserModule>> {};
struct gpuarr_raw : gpuarr::Handle<gpuarr_raw, std::shared_ptr<gpuarr::RawKernel>> {};

namespace gpuarr {

inline KernelOptions options_of(const gpuarr_kernel_options* options) {
  return options != nullptr ? deref(options, "options") : KernelOptions{};
}

inline const char* checked_text(const char* text, const char* argument) {
  if (text == nullptr) fail(GPUARR_ERR_ARGUMENT, "{} is NULL; give text", argument);
  check_text_size(std::strlen(text), argument);
  return text;
}

/// The same of C++.
inline const char* checked_source(const char* text, const char* argument) {
  text = without_mark(checked_text(text, argument)).data();
  check_source(text, argument);
  check_closed_text(text, argument);
  return text;
}

inline UserText checked_piece(const char* text, const char* argument) {
  UserText out = UserText::checked(without_mark(checked_text(text, argument)).data(), argument);
  check_closed_text(out, argument);
  return out;
}

inline MapReduceSpec spec_of(const char* in_params, const char* out_params, const char* map,
                             const char* reduce, const char* post, const char* identity) {
  MapReduceSpec spec{checked_text(in_params, "in_params"),
                     checked_text(out_params, "out_params"),
                     checked_piece(map, "map"),
                     checked_piece(reduce, "reduce"),
                     checked_piece(post, "post"),
                     {}};
  if (identity != nullptr) spec.identity = checked_piece(identity, "identity");
  return spec;
}

inline const char* checked_name(const char* name, const char* argument) {
  if (*checked_source(name, argument) == '\0')
    fail(GPUARR_ERR_ARGUMENT, "{} is \"\"; give a name", argument);
  return name;
}

}  // namespace gpuarr
