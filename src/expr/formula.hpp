// Expressions of inputs, made once and called with arrays: planned for each kind of inputs.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <span>
#include <string>
#include <vector>

#include "expr/frame.hpp"

namespace gpuarr::expr {

class Formula {
 public:
  explicit Formula(std::vector<Expr> roots);

  size_t input_count() const { return inputs_; }
  size_t output_count() const { return roots_.size(); }

  /// As evaluate(), with `inputs` in place of the expressions' inputs. Any thread.
  std::vector<std::optional<Array>> call(std::span<const Argument> inputs,
                                         std::span<const Array* const> outputs,
                                         Stream* stream) const;

  /// All outputs are given; none of several kernels reads one that another writes.
  PreparedCall prepare(std::span<const Argument> inputs,
                       std::span<const Array* const> outputs) const;

  std::string explain(std::span<const Argument> inputs) const;

 private:
  std::shared_ptr<const Frame> frame_for(std::span<const Argument> inputs) const;

  static constexpr size_t most_frames = 256;  // then all are forgotten: their kernels stay

  const std::vector<Expr> roots_;
  const size_t inputs_;
  const std::vector<char> reads_;  // by input: what it is worth counts, if it is a scalar
  mutable std::shared_mutex mutex_;
  mutable std::map<std::string, std::shared_ptr<const Frame>, std::less<>> frames_;
};

}  // namespace gpuarr::expr
