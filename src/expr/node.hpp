// Expressions: immutable nodes, whose dtype and shape are known as soon as they are made.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "array/array.hpp"
#include "array/scalar.hpp"
#include "core/spare_blocks.hpp"
#include "ops/functions/functions.hpp"
#include "ops/reduce/reduce.hpp"
#include "ops/reduce/scan.hpp"

namespace gpuarr::expr {

struct Node;

/// A counted reference to a node. What nobody refers to any more is let go without recursion,
/// however deep it is.
class Expr {
 public:
  Expr() = default;
  explicit Expr(Node* made) : node_(made) {}  // takes over the first reference
  Expr(const Expr& other) noexcept;
  Expr(Expr&& other) noexcept : node_(std::exchange(other.node_, nullptr)) {}
  Expr& operator=(Expr other) noexcept {
    std::swap(node_, other.node_);
    return *this;
  }
  ~Expr();

  const Node& operator*() const { return *node_; }
  const Node* operator->() const { return node_; }
  const Node* get() const { return node_; }

 private:
  friend void release_all(Node* first) noexcept;
  Node* node_ = nullptr;
};

/// Expressions of a call's arguments, which its caller keeps: they are not counted.
class BorrowedExprs {
 public:
  explicit BorrowedExprs(size_t most)
      : many_(most > few ? std::make_unique<std::byte[]>(most * sizeof(Expr)) : nullptr) {}
  BorrowedExprs(BorrowedExprs&& other) noexcept
      : size_(other.size_), many_(std::move(other.many_)) {
    std::memcpy(few_, other.few_, sizeof few_);
  }
  BorrowedExprs& operator=(BorrowedExprs&&) = delete;

  void add(const Expr& expr) {  // which is never destroyed
    new (room() + size_++ * sizeof(Expr)) Expr(const_cast<Node*>(expr.get()));
  }
  std::span<const Expr> all() const {
    return {reinterpret_cast<const Expr*>(many_ != nullptr ? many_.get() : few_), size_};
  }

 private:
  static constexpr size_t few = 8;

  std::byte* room() { return many_ != nullptr ? many_.get() : few_; }

  size_t size_ = 0;
  std::unique_ptr<std::byte[]> many_;
  alignas(Expr) std::byte few_[few * sizeof(Expr)];
};

enum class NodeKind : uint8_t {
  array,
  scalar,
  function,   // of the elementwise catalogue
  convert,    // to another dtype
  reduction,  // ready-made, or a user's
  kernel,     // a user's elementwise kernel
  scan,       // cumulative, along an axis
  matmul,     // a product of matrices
  indices,    // along the one axis of the shape that may have more than one element
  view,       // of what has to be stored
  input,      // of a formula: what it stands for is not known yet
  open,       // of an input: to be made when that is known
};

/// A function: what computes it, as resolve() found, and which of its outputs this is.
struct FunctionNode {
  Op op;
  DType computed;
  Small output;
};

/// A user's kernel of elements, for operands of these dtypes.
struct KernelNode {
  std::shared_ptr<Elementwise> kernel;
  Small output;               // which of its outputs this is
  bool is_inlined;            // its text may stand among others
  std::vector<DType> dtypes;  // of operands, then of outputs
};

/// A user's reduction, likewise.
struct UserReduction {
  std::shared_ptr<Reduction> kernel;
  Small output;
  bool is_inlined;
  std::vector<DType> dtypes;
  ReductionText text;  // with its types
  Dims space;          // of its loop
};

struct ReductionNode {
  Reducer reducer;
  bool keepdims;
  uint32_t axes;    // a bit for each axis of the operand
  double ddof = 0;  // of var and std
  std::shared_ptr<const UserReduction> user = {};
};

struct ScanNode {
  Scanner scanner;
  int axis;
  bool exclusive;
};

/// What makes a view of an array, one step after another, with the numbers of the function's call.
struct ViewStep {
  enum Kind : uint8_t { broadcast, slice, index, expand, transpose, flip, reshape };
  Kind kind;
  std::vector<int64_t> numbers;
  bool operator==(const ViewStep&) const = default;
};
using ViewNode = std::vector<ViewStep>;

/// Makes the node of its operands.
struct OpenNode {
  const char* name;
  std::function<Expr(std::span<const Expr>)> make;
  bool reads_scalars = false;  // what a scalar is worth decides what is made
};

/// An array apart, so that nodes that are none stay small.
class ArrayNode {
 public:
  explicit ArrayNode(const Array& array) : array_(new (SpareBlocks<Array>::take()) Array(array)) {}
  ArrayNode(const ArrayNode& other) : ArrayNode(*other) {}
  ArrayNode(ArrayNode&& other) noexcept : array_(std::exchange(other.array_, nullptr)) {}
  ArrayNode& operator=(ArrayNode other) noexcept {
    std::swap(array_, other.array_);
    return *this;
  }
  ~ArrayNode() {
    if (array_ == nullptr) return;
    std::destroy_at(array_);
    SpareBlocks<Array>::give_back(array_);
  }

  const Array& operator*() const { return *array_; }

 private:
  Array* array_;
};

/// Its operands lie behind it.
struct Node {
  static constexpr size_t few_operands = most_function_inputs;  // only a user's kernel has more

  NodeKind kind;
  DType dtype;
  Small count = 0;           // of operands
  Device* device = nullptr;  // null for a scalar, and where an input is to come
  int32_t input = -1;        // of a formula, that this is or stands for
  std::atomic<int32_t> references{1};
  Node* next = nullptr;  // while it is let go
  Dims shape;
  std::variant<std::monostate, ArrayNode, Scalar, FunctionNode, KernelNode, ReductionNode, ScanNode,
               ViewNode, OpenNode>
      part;

  const Array& array() const { return *std::get<ArrayNode>(part); }
  const Scalar& scalar() const { return std::get<Scalar>(part); }
  const FunctionNode& function() const { return std::get<FunctionNode>(part); }
  const ViewNode& view() const { return std::get<ViewNode>(part); }
  const ReductionNode& reduction() const { return std::get<ReductionNode>(part); }
  const KernelNode& kernel() const { return std::get<KernelNode>(part); }
  const ScanNode& scan() const { return std::get<ScanNode>(part); }
  const OpenNode& open() const { return std::get<OpenNode>(part); }

  std::span<Expr> operands() { return {reinterpret_cast<Expr*>(this + 1), as_index(count)}; }
  std::span<const Expr> operands() const {
    return {reinterpret_cast<const Expr*>(this + 1), as_index(count)};
  }

  bool is_open() const { return kind == NodeKind::input || kind == NodeKind::open; }
};

/// A node with empty operands, which `out` refers to.
Node& make_node(Expr& out, NodeKind kind, DType dtype, size_t operands = 0);

/// Whether a user's kernel computes the node, or what multiplies matrices, and nothing with it.
bool runs_alone(const Node& node);

/// The operation's name: "add", "sum", "array".
const char* name_of(const Node& node);

/// "subtract(float32 (3, 4), sum(...))": the operation and what its operands are.
std::string describe(const Node& node);

}  // namespace gpuarr::expr
