// The kernels and variables that CUDA C++ defines.
#pragma once

#include <string>
#include <vector>

#include "host/read/parsed.hpp"

namespace gpuarr::host {

class BarrierUse;

struct ScannedKernel {
  std::string name;   // "ns::scale"
  std::string scope;  // "ns::"
  TextPlace place;
  bool is_template = false;  // or one's specialisation
  bool is_special = false;   // template <>
  int threads = 0;           // as in gpuarr_kernel
  bool in_rows = false;      // whether several blocks along x may be run as if they were one
  std::string bounds;        // the threads in __launch_bounds__; "" if there are none, or if they
                             // depend on a template's parameters
  size_t end = 0;            // the token that closes its body
};

struct ScannedVariable {
  std::string name;
  TextPlace place;
};

struct Scan {
  std::vector<ScannedKernel> kernels;
  std::vector<ScannedVariable> variables;
};

Scan scan(const Parsed& parsed, const BarrierUse& barriers);

/// __global__, at namespace scope.
bool is_kernel(const Parsed& parsed, const Declaration& declaration);

/// A definition of __device__, __constant__ or __managed__ variables, at namespace scope.
bool is_variable(const Parsed& parsed, const Declaration& declaration);

}  // namespace gpuarr::host
