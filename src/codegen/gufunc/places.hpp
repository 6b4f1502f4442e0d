// What writes a gufunc's text about places: where the operands are there, and the body.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "codegen/gufunc/gufunc.hpp"

namespace gpuarr {

struct PlacesWriter {
  const GufuncText& pieces;
  const GufuncVariant& variant;
  KernelWriter out;

  PlacesWriter(const GufuncText& pieces_, const GufuncVariant& variant_,
               std::span<const OperandName> names)
      : pieces(pieces_), variant(variant_), out(variant_.operands, names) {}

  int inner() const { return variant.ndim - 1; }
  const char* index_type() const;
  const char* offset_type() const;
  bool has_core(int k) const { return !pieces.cores.cores[as_index(k)].empty(); }

  /// struct _place, a step along an axis (_step), and _at_row: the place of a number that counts
  /// those of all axes from `last` outwards.
  void write_places(int last);

  // Statements. `data` says where an operand is, as text.
  using Data = std::function<std::string(int k)>;
  std::string constants() const;                 // scalars, and sizes under their names
  std::string operands(const Data& data) const;  // of a staged core its place in shared memory
  std::string body() const;
  std::string stores(const Data& data) const;  // of outputs without a core

  /// Of a core whose sizes the text has.
  int64_t elements(int k) const;
  /// Type of a set of these.
  const char* mask_type(int k) const;

 private:
  std::string size_of_dim(int dim) const;
  std::string product(std::span<const int> dims) const;
  std::string core_value(int k, const std::string& data) const;
  std::string core(int k, const Data& data) const;
};

}  // namespace gpuarr
