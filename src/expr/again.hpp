// Evaluations done again for leaves and results that lie as they did: the same launches, one after
// another, each of which costs what a prepared call does.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "expr/program.hpp"
#include "kernel/repeat.hpp"

namespace gpuarr::expr {

/// What was launched, by step, and how what was made lies, in the order of the steps' outputs.
struct Launches {
  bool all = true;  // nothing else was done
  std::vector<Repeat> repeats;
  std::vector<Layout> made;
};

class Again {
 public:
  /// Of an evaluation of these nodes, and where its results are. Null where it cannot be done
  /// again.
  static std::unique_ptr<const Again> of(const Numbered& numbered, const Program& program,
                                         Launches launches, std::span<const Array* const> given,
                                         std::span<const std::optional<Array>> made);

  using Results = std::vector<std::optional<Array>>;

  /// As evaluate(), for nodes of the same plan; `leaf` gives what item k is. Nothing is returned
  /// where a result or a leaf is not as it was; then it has to be evaluated.
  template <class Leaf>
  std::optional<Results> run(const Leaf& leaf, std::span<const Array* const> given,
                             Stream& stream) const {
    std::array<Argument, most_leaves> leaves;
    for (size_t k = 0; k < leaves_.size(); ++k) leaves[k] = leaf(leaves_[k]);
    return run({leaves.data(), leaves_.size()}, given, stream);
  }

 private:
  static constexpr size_t most_leaves = 64;
  static constexpr size_t most_values = 64;
  static constexpr int none = -1;

  struct Source {  // of a launch's input: one of these, or what it was
    int leaf = none;
    int value = none;
  };
  struct Value {  // that a launch makes
    DType dtype;
    Layout layout;
    int root = none;  // whose result it is
  };
  struct Launch {
    Repeat repeat;
    std::vector<Source> inputs;
    size_t first;  // its values
    size_t count;
    std::vector<int> last;  // values that nobody reads after it
  };
  Again() = default;
  void add(const Numbered& numbered, const Step& step, Repeat repeat, std::span<const Layout> made);
  bool suits(std::span<const Argument> leaves, std::span<const Array* const> given,
             const Device& device) const;
  std::optional<Results> run(std::span<const Argument> leaves, std::span<const Array* const> given,
                             Stream& stream) const;
  static bool launched(const Launch& launch, std::span<const Argument> leaves,
                       std::span<const Array* const> values, Stream& stream);

  std::vector<int> leaves_;  // items
  std::vector<int> items_;   // of the values
  std::vector<Value> values_;
  std::vector<Launch> launches_;
  std::vector<size_t> results_;  // values, by root
};

}  // namespace gpuarr::expr
