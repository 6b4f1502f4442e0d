// What a row kernel's source has for either target; see RowWriter.
#pragma once

#include <string>

#include "codegen/row/row.hpp"

namespace gpuarr {

std::string cuda_row_algorithm(const RowText& text, const RowVariant& variant);
std::string cuda_row_constants(const RowVariant& variant);
std::string cuda_row(const RowText& text, const RowVariant& variant,
                     std::span<const OperandName> names);
std::string host_row_algorithm(const RowText& text, const RowVariant& variant);
std::string host_row_constants(const RowVariant& variant);
std::string host_row(const RowText& text, const RowVariant& variant,
                     std::span<const OperandName> names);

}  // namespace gpuarr
