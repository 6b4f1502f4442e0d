// The texts of a group of rows: its stages are the passes over a row, and the loop behind them.
#include "expr/group_writer.hpp"
#include "expr/statements.hpp"

namespace gpuarr::expr {
namespace {

constexpr int dear = 8;  // a weight from which a value is kept from stage to stage

class RowsWriter {
 public:
  explicit RowsWriter(GroupWriter& writer)
      : writer_(writer),
        values_(writer.values),
        kept_in_(writer.numbered.items.size(), -1),
        has_value_(writer.numbered.items.size()) {}

  RowsText write() {
    count_along();
    choose_kept();
    for (size_t stage = 0; stage < passes(); ++stage) {
      write_pass(stage);
      write_values(stage + 1);
    }
    const auto& outputs = writer_.group.outputs;
    choose_quotients();
    out_.body = values_.statements(needs_at(passes(), ends_of(passes())).computed);
    out_.body += writer_.store(0, out_.along);
    const std::vector<int> results(outputs.begin() + static_cast<std::ptrdiff_t>(out_.along),
                                   outputs.end());
    out_.finish = values_.statements(new_posts(needs_at(passes(), results)));
    out_.finish += writer_.store(out_.along, outputs.size());
    return std::move(out_);
  }

 private:
  size_t passes() const { return writer_.group.passes.size(); }
  int folded(int fold) const { return folded_by(writer_.numbered, writer_.plan, fold)[0]; }

  void count_along() {
    for (int k : writer_.group.outputs)
      if (writer_.plan.facts[as_index(k)].home < 0) ++out_.along;
  }

  // What a stage computes for each element: operands of its folds, or outputs along the row.
  std::vector<int> ends_of(size_t stage) const {
    std::vector<int> ends;
    if (stage < passes())
      for (int fold : writer_.group.passes[stage]) ends.push_back(folded(fold));
    else
      ends.assign(writer_.group.outputs.begin(),
                  writer_.group.outputs.begin() + static_cast<std::ptrdiff_t>(out_.along));
    return ends;
  }

  // Without what stages before this one have kept.
  Needs needs_at(size_t stage, const std::vector<int>& ends) const {
    std::vector<int> known;
    for (size_t k = 0; k < kept_in_.size(); ++k)
      if (kept_in_[k] >= 0 && kept_in_[k] < static_cast<int>(stage))
        known.push_back(static_cast<int>(k));
    return needs_of(writer_.numbered, writer_.plan, writer_.group, ends, known);
  }

  // Values that several stages want and that are dear: the last ones that are, not those below.
  void choose_kept() {
    for (int k = static_cast<int>(kept_in_.size()) - 1; k >= 0 && out_.kept.size() < most_kept;
         --k) {
      int first = -1;
      int users = 0;
      for (size_t stage = 0; stage <= passes(); ++stage) {
        const Needs needs = needs_at(stage, ends_of(stage));
        if (std::ranges::find(needs.computed, k) == needs.computed.end()) continue;
        if (users++ == 0) first = static_cast<int>(stage);
      }
      if (users < 2 || cost_of(static_cast<size_t>(first), k) < dear) continue;
      kept_in_[as_index(k)] = first;
      out_.kept.push_back({formatted("e{}", out_.kept.size()), writer_.node(k).dtype});
      kept_.push_back(k);
    }
  }

  int cost_of(size_t stage, int k) const {
    int cost = 0;
    for (int part : needs_at(stage, {k}).computed) cost += weight_of(writer_.node(part));
    return cost;
  }

  void write_pass(size_t stage) {
    RowPass pass;
    std::string keep;
    for (size_t e = 0; e < kept_.size(); ++e)
      if (kept_in_[as_index(kept_[e])] == static_cast<int>(stage)) {
        keep += set_to(out_.kept[e].name, function(stage, kept_[e]));
        values_.call(kept_[e], out_.kept[e].name);
      }
    pass.keep = keep;
    for (int fold : writer_.group.passes[stage]) pass.folds.push_back(fold_of(stage, fold));
    out_.passes.push_back(std::move(pass));
    for (size_t f = 0; f < writer_.group.passes[stage].size(); ++f)
      values_.call(writer_.group.passes[stage][f], out_.passes.back().folds[f].name);
  }

  // What has one value for a row, and that a stage's elements use, is computed once, behind the
  // pass before: compilers would not take it out of the loop of each.
  void write_values(size_t stage) {
    for (int k : new_posts(needs_at(stage, ends_of(stage)))) {
      std::string value = values_.named(k);
      out_.passes.back().values.push_back({values_.name(k), writer_.node(k).dtype, value});
      has_value_[as_index(k)] = 1;
    }
  }

  // Doubles that the CPU divides by one for the row: a reciprocal takes half the time. It looks at
  // what is divided before, which should not be dear, nor tell that it is computed twice.
  void choose_quotients() {
    const Needs needs = needs_at(passes(), ends_of(passes()));
    const auto is_users = [&](int k) { return writer_.node(k).kind == NodeKind::kernel; };
    if (std::ranges::any_of(needs.computed, is_users)) return;
    for (int k : needs.computed) {
      if (!is_quotient(k) || !writer_.node(k).device->has_host_memory()) continue;
      const std::string divisor = values_.name(writer_.operands(k)[1]), name = values_.fresh();
      out_.passes.back().values.push_back(
          {name, DType::f64, formatted("gpuarr_kernel::row_reciprocal({})", divisor)});
      values_.divide_by(k, name);
    }
  }

  bool is_quotient(int k) const {
    const Node& node = writer_.node(k);
    if (node.kind != NodeKind::function || node.function().op != Op::divide) return false;
    const std::span<const int> operands = writer_.operands(k);
    const auto is_double = [&](int o) {
      return writer_.node(o).kind != NodeKind::scalar && writer_.node(o).dtype == DType::f64;
    };
    return std::ranges::all_of(operands, is_double) && is_one_for_row(operands[1]) &&
           cost_of(passes(), operands[0]) < dear;
  }

  bool is_one_for_row(int k) const {
    const std::string& name = values_.name(k);
    const auto is_it = [&](const auto& result) { return result.name == name; };
    return std::ranges::any_of(out_.passes, [&](const RowPass& pass) {
      return std::ranges::any_of(pass.folds, is_it) || std::ranges::any_of(pass.values, is_it);
    });
  }

  std::vector<int> new_posts(Needs needs) const {
    std::erase_if(needs.posts, [&](int k) { return has_value_[as_index(k)] != 0; });
    return std::move(needs.posts);
  }

  // What is kept by this very stage is known behind its keep.
  std::string function(size_t stage, int k) {
    std::vector<int> known;
    for (size_t item = 0; item < kept_in_.size(); ++item)
      if (kept_in_[item] >= 0 && kept_in_[item] <= static_cast<int>(stage) &&
          !values_.name(static_cast<int>(item)).empty() && static_cast<int>(item) != k)
        known.push_back(static_cast<int>(item));
    const Needs needs = needs_of(writer_.numbered, writer_.plan, writer_.group, {k}, known);
    return values_.function(k, needs.computed);
  }

  RowFold fold_of(size_t stage, int fold) {
    const FoldWriter own(writer_, fold, false);
    const int operand = folded(fold);
    const bool is_kept =
        kept_in_[as_index(operand)] >= 0 && kept_in_[as_index(operand)] <= static_cast<int>(stage);
    const std::string element = is_kept ? values_.name(operand) : function(stage, operand);
    RowFold out;
    out.name = formatted("m{}", results_++);
    out.dtype = writer_.node(fold).dtype;
    out.type = own.type.cxx;
    out.bytes = own.type.bytes;
    out.map = own.map(element);
    out.reduce = formatted("{}::reduce(a, b)", own.space);
    if (own.has_identity) out.identity = formatted("{}::identity()", own.space);
    out.post = own.value("a");
    return out;
  }

  GroupWriter& writer_;
  Values& values_;
  RowsText out_;
  std::vector<int> kept_in_;     // by node: the stage that keeps it, or -1
  std::vector<int> kept_;        // nodes, in the order of out_.kept
  std::vector<char> has_value_;  // by node: whether a pass leaves it
  int results_ = 0;
};

}  // namespace

RowsText rows_text(GroupWriter& writer) { return RowsWriter(writer).write(); }

}  // namespace gpuarr::expr
