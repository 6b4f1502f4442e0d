#include "expr/number.hpp"

#include <algorithm>
#include <cstring>

#include "core/error.hpp"

namespace gpuarr::expr {
namespace {

constexpr int most_own_scalars = 16;

uint64_t mixed(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15U;
  return hash ^ hash >> 32;
}

uint64_t word_of(const void* pointer) { return reinterpret_cast<uintptr_t>(pointer); }

uint64_t hash_of(const Scalar& scalar) {
  uint64_t words[2];
  std::memcpy(words, scalar.bytes, sizeof words);
  return mixed(words[0], words[1]);
}

// Of what two equal nodes have in common.
uint64_t hash_of(const Item& item, bool joins_scalars) {
  const Node& node = *item.node;
  uint64_t hash = mixed(static_cast<uint64_t>(node.kind), static_cast<uint64_t>(node.dtype));
  switch (node.kind) {
    case NodeKind::array:
      return mixed(hash, word_of(node.array().data) + static_cast<uint64_t>(node.input));
    case NodeKind::scalar:
      return mixed(hash, joins_scalars ? hash_of(node.scalar()) : word_of(&node));
    case NodeKind::function:
      hash = mixed(hash, static_cast<uint64_t>(node.function().op));
      break;
    case NodeKind::reduction:
      hash = mixed(hash, node.reduction().axes);
      break;
    case NodeKind::kernel:
      hash = mixed(hash, node.kernel().kernel->generated().id);
      break;
    case NodeKind::indices:
      return mixed(hash, static_cast<uint64_t>(size_of(node.shape)));
    default:
      break;
  }
  for (int operand : item.all()) hash = mixed(hash, static_cast<uint64_t>(operand));
  return hash;
}

bool same_user(const ReductionNode& a, const ReductionNode& b) {
  if (a.user == nullptr || b.user == nullptr) return a.user == b.user;
  return a.user->kernel == b.user->kernel && a.user->output == b.user->output;
}

bool same_part(const Node& a, const Node& b, bool joins_scalars) {
  switch (a.kind) {
    case NodeKind::array:
      return a.array().buffer == b.array().buffer && a.array().data == b.array().data &&
             a.array().layout == b.array().layout && a.input == b.input;
    case NodeKind::scalar:
      return joins_scalars && a.input == b.input &&
             std::ranges::equal(a.scalar().bytes, b.scalar().bytes);
    case NodeKind::function:
      return a.function().op == b.function().op && a.function().computed == b.function().computed &&
             a.function().output == b.function().output;
    case NodeKind::reduction:
      return a.reduction().reducer == b.reduction().reducer &&
             a.reduction().axes == b.reduction().axes &&
             a.reduction().keepdims == b.reduction().keepdims &&
             a.reduction().ddof == b.reduction().ddof && same_user(a.reduction(), b.reduction());
    case NodeKind::kernel:
      return a.kernel().kernel == b.kernel().kernel && a.kernel().output == b.kernel().output;
    case NodeKind::scan:
      return a.scan().scanner == b.scan().scanner && a.scan().axis == b.scan().axis &&
             a.scan().exclusive == b.scan().exclusive;
    case NodeKind::convert:
    case NodeKind::matmul:
      return true;
    case NodeKind::indices:
      return a.shape == b.shape;
    case NodeKind::view:
      return a.view() == b.view();
    default:
      return false;
  }
}

bool same(const Item& a, const Item& b, bool joins_scalars) {
  return a.node == b.node ||
         (a.node->kind == b.node->kind && a.node->dtype == b.node->dtype &&
          a.node->count == b.node->count && std::ranges::equal(a.all(), b.all()) &&
          same_part(*a.node, *b.node, joins_scalars));
}

// Numbers by hash: the few of an ordinary expression one after another, more by open addressing.
class Places {
 public:
  // The number under the hash that `is_it` says yes to, or -1.
  template <class IsIt>
  int find(uint64_t hash, const IsIt& is_it) const {
    if (table_.empty()) {
      for (size_t k = 0; k < used_; ++k)
        if (few_[k].hash == hash && is_it(few_[k].number)) return few_[k].number;
      return -1;
    }
    for (size_t k = hash & mask(); table_[k].number >= 0; k = (k + 1) & mask())
      if (table_[k].hash == hash && is_it(table_[k].number)) return table_[k].number;
    return -1;
  }
  void insert(uint64_t hash, int number) {
    if (used_ < few_.size()) {
      few_[used_++] = {hash, number};
      return;
    }
    if (2 * ++used_ > table_.size()) grow();
    put({hash, number});
  }

 private:
  struct Slot {
    uint64_t hash;
    int number;
  };
  size_t mask() const { return table_.size() - 1; }
  void put(const Slot& slot) {
    size_t k = slot.hash & mask();
    while (table_[k].number >= 0) k = (k + 1) & mask();
    table_[k] = slot;
  }
  void grow() {
    const std::vector<Slot> old =
        table_.empty() ? std::vector<Slot>(few_.begin(), few_.end()) : std::move(table_);
    table_.assign(std::max<size_t>(128, old.size() * 2), Slot{0, -1});
    for (const Slot& slot : old)
      if (slot.number >= 0) put(slot);
  }

  size_t used_ = 0;
  std::array<Slot, 24> few_;
  std::vector<Slot> table_;  // of all, once there are more
};

class Numbering {
 public:
  Numbering(bool joins_scalars, std::pmr::memory_resource* memory)
      : joins_scalars_(joins_scalars), items_(memory), operands_(memory), seen_(memory) {
    items_.reserve(24);
    seen_.reserve(24);
  }

  int number(const Node* root) {
    struct Step {
      const Node* node;
      int next = 0;  // operand to look at
    };
    std::pmr::vector<Step> steps(seen_.get_allocator());
    steps.reserve(16);
    steps.push_back({root});
    while (!steps.empty()) {
      Step& step = steps.back();
      while (step.next < step.node->count && find(operand(step.node, step.next)) >= 0) ++step.next;
      if (step.next < step.node->count) {
        steps.push_back({operand(step.node, step.next)});
        continue;
      }
      if (find(step.node) < 0) add(step.node);
      steps.pop_back();
    }
    return find(root);
  }

  Numbered numbered(std::span<const Expr> roots) {
    std::pmr::vector<int> numbers(items_.get_allocator());
    numbers.reserve(roots.size());
    for (const Expr& root : roots) numbers.push_back(number(root.get()));
    return {std::move(items_), std::move(operands_), std::move(numbers), joins_scalars_};
  }

 private:
  static const Node* operand(const Node* node, int k) {
    return node->operands()[as_index(k)].get();
  }

  int find(const Node* node) const {
    const int seen = by_node_.find(mixed(0, word_of(node)),
                                   [&](int at) { return seen_[as_index(at)].node == node; });
    return seen < 0 ? -1 : seen_[as_index(seen)].number;
  }

  void add(const Node* node) {
    int* const operands = operands_.take(as_index(node->count));
    for (int k = 0; k < node->count; ++k) operands[k] = find(operand(node, k));
    const Item item{node, operands};
    const uint64_t hash = hash_of(item, joins_scalars_);
    int number = by_value_.find(
        hash, [&](int at) { return same(items_[as_index(at)], item, joins_scalars_); });
    if (number < 0) {
      number = static_cast<int>(items_.size());
      items_.push_back(item);
      by_value_.insert(hash, number);
    }
    by_node_.insert(mixed(0, word_of(node)), static_cast<int>(seen_.size()));
    seen_.push_back({node, number});
  }

  struct Seen {
    const Node* node;
    int number;
  };
  const bool joins_scalars_;
  std::pmr::vector<Item> items_;
  Numbers operands_;
  std::pmr::vector<Seen> seen_;
  Places by_node_, by_value_;
};

void add_bytes(std::string& key, const void* data, size_t bytes) {
  key.append(static_cast<const char*>(data), bytes);
}

void add_dims(std::string& key, const Dims& dims) {
  add_bytes(key, dims.data(), as_index(dims.size()) * sizeof(int64_t));
}

// The number and the output of a user's kernel; 0 where there is none.
std::pair<uint64_t, int> user_kernel(const Node& node) {
  if (node.kind == NodeKind::kernel)
    return {node.kernel().kernel->generated().id, node.kernel().output};
  if (node.kind != NodeKind::reduction || node.reduction().user == nullptr) return {};
  const UserReduction& user = *node.reduction().user;
  return {user.kernel->generated().id, user.output};
}

void add_item(std::string& key, const Item& item) {
  const Node& node = *item.node;
  struct {
    NodeKind kind;
    DType dtype;
    uint8_t ndim, more;
    uint32_t number;
  } head{node.kind, node.dtype, static_cast<uint8_t>(node.shape.size()), 0, 0};
  if (node.kind == NodeKind::function) {
    head.more = static_cast<uint8_t>(node.function().output);
    head.number = static_cast<uint32_t>(node.function().op) << 8 |
                  static_cast<uint32_t>(node.function().computed);
  } else if (node.kind == NodeKind::reduction) {
    head.more = static_cast<uint8_t>(static_cast<int>(node.reduction().reducer) << 1 |
                                     static_cast<int>(node.reduction().keepdims));
    head.number = node.reduction().axes;
  } else if (node.kind == NodeKind::array) {
    head.more = is_contiguous(node.array().layout, Order::c);
  } else if (node.kind == NodeKind::scan) {
    head.more = static_cast<uint8_t>(static_cast<int>(node.scan().scanner) << 1 |
                                     static_cast<int>(node.scan().exclusive));
    head.number = static_cast<uint32_t>(node.scan().axis);
  }
  add_bytes(key, &head, sizeof head);
  if (const auto [id, output] = user_kernel(node); id != 0) {
    add_bytes(key, &id, sizeof id);
    key += static_cast<char>(output);
  }
  add_bytes(key, item.operands, item.all().size_bytes());
  if (node.kind == NodeKind::view)
    for (const ViewStep& step : node.view()) {
      key += static_cast<char>(step.kind);
      key += static_cast<char>(step.numbers.size());
      add_bytes(key, step.numbers.data(), step.numbers.size() * sizeof(int64_t));
    }
  if (node.kind != NodeKind::array && node.kind != NodeKind::indices) return;
  add_dims(key, node.shape);
  if (node.kind == NodeKind::array && head.more == 0) add_dims(key, node.array().layout.strides);
}

}  // namespace

int* Numbers::take(size_t count) {
  constexpr size_t block = 64;
  if (blocks_.empty() || blocks_.back().capacity() - blocks_.back().size() < count)
    blocks_.emplace_back().reserve(std::max(block, count));
  auto& last = blocks_.back();
  last.resize(last.size() + count);
  return last.data() + (last.size() - count);
}

void check_roots(std::span<const Expr> roots) {
  for (size_t r = 0; r < roots.size(); ++r) {
    if (roots[r]->is_open())
      fail(GPUARR_ERR_ARGUMENT,
           "exprs[{}] has inputs that stand for nothing; make a gpuarr_function of it, and call "
           "that",
           r);
    if (roots[r]->device == nullptr)
      fail(GPUARR_ERR_ARGUMENT, "exprs[{}] is a scalar; give an expression of an array", r);
    if (roots[r]->device != roots[0]->device)
      fail(GPUARR_ERR_DEVICE, "exprs[{}] is on {}, but exprs[0] is on {}; evaluate each alone", r,
           roots[r]->device->facts().name, roots[0]->device->facts().name);
  }
}

Numbered number(std::span<const Expr> roots, std::pmr::memory_resource* memory) {
  Numbered out = Numbering(false, memory).numbered(roots);
  const auto is_scalar = [](const Item& item) { return item.node->kind == NodeKind::scalar; };
  if (std::ranges::count_if(out.items, is_scalar) <= most_own_scalars) return out;
  return Numbering(true, memory).numbered(roots);
}

std::string plan_key(const Numbered& numbered, const Device& device) {
  std::string key;
  key.reserve(numbered.items.size() * 24 + 64);
  for (const Item& item : numbered.items) add_item(key, item);
  add_bytes(key, numbered.roots.data(), numbered.roots.size() * sizeof(int));
  const int index = device.index();
  add_bytes(key, &index, sizeof index);
  return key;
}

}  // namespace gpuarr::expr
