// Arrays of random numbers. The numbers depend on the generator's place and on the index alone.
#pragma once

#include <array>
#include <span>

#include "kernel/binding.hpp"
#include "ops/random/generator.hpp"
#include "ops/random/texts.hpp"

namespace gpuarr {

/// The array that a draw fills: the given one, or a new one of the dtype and shape.
struct RandomTarget {
  const Array* given;  // or null; else its dtype and shape follow
  DType dtype;
  Dims shape;
};

/// Fills an array with numbers of a distribution; arguments are scalars, or arrays that broadcast.
/// Returns the array. A null stream is the current one of its device.
Array draw(Distribution distribution, Generator& generator, const RandomTarget& target,
           std::span<const Argument> arguments, Stream* stream);

/// Whole numbers from low to high - 1.
Array draw_integers(Generator& generator, const RandomTarget& target, const Scalar& low,
                    const Scalar& high, Stream* stream);

/// Where an array lies in a larger one, of whose numbers it gets its own.
struct PartOfDraw {
  int64_t first;  // its first element, in C order of the whole
  Dims steps;     // from there to the next along each axis
};

/// A draw whose arguments are scalars, and checked.
class ScalarDraw {
 public:
  ScalarDraw(Distribution distribution, DType dtype, std::span<const Scalar> arguments);
  /// Whole numbers from low to high - 1.
  static ScalarDraw integers(DType dtype, const Scalar& low, const Scalar& high);

  /// How far a draw of so many numbers moves a generator on.
  uint64_t steps(int64_t count) const;
  /// What a part gets of the draw that begins at a position of the generator.
  void fill(const Array& part, const PartOfDraw& where, const Generator& generator,
            uint64_t position, Stream& stream) const;
  /// All numbers of a draw, which moves the generator on.
  void fill(const Array& out, Generator& generator, Stream& stream) const;

 private:
  static constexpr size_t most_arguments = 3;
  using Arguments = std::array<Argument, most_arguments>;

  ScalarDraw() = default;
  Arguments arguments() const;

  Distribution distribution_ = {};
  DType dtype_ = {};
  size_t count_ = 0;  // of arguments
  std::array<Scalar, most_arguments> values_;
};

/// The target's array, made if it must be, and the stream to fill it in.
struct PreparedTarget {
  Array array;
  Stream& stream;
};
PreparedTarget prepare_target(const RandomTarget& target, const Generator& generator,
                              Stream* stream);

}  // namespace gpuarr
