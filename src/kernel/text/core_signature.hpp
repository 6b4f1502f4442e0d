// The grammar of a gufunc's signature, which is NumPy's: "(m?,k),(k,n?)->(m?,n?)".
#pragma once

#include <string_view>

#include "codegen/gufunc/cores.hpp"
#include "kernel/text/signature.hpp"

namespace gpuarr {

/// Fails with GPUARR_ERR_SYNTAX.
CoreSignature parse_cores(std::string_view text);

/// That the parameters are as many as the signature's, and that no two things have one name.
void check_cores(const CoreSignature& cores, const Signature& parameters);

}  // namespace gpuarr
