#include "expr/text.hpp"

#include "core/text.hpp"
#include "expr/group_writer.hpp"
#include "expr/statements.hpp"

namespace gpuarr::expr {
namespace {

// Elements of a result, where they are more than 32 bits count.
bool has_long_counts(const Group& group) {
  int64_t length = 1;
  for (int axis = 0; axis < group.space.size(); ++axis)
    if (group.axes >> axis & 1) length *= group.space[axis];
  return length > int64_t{1} << 32;
}

LoopText loop_text(GroupWriter& writer) {
  LoopText out;
  out.body = writer.values.statements(writer.needs.computed);
  out.body += writer.store(0, writer.group.outputs.size());
  return out;
}

class FoldsWriter {
 public:
  explicit FoldsWriter(GroupWriter& writer) : writer_(writer), values_(writer.values) {}

  FoldsText write() {
    const auto& folds = writer_.group.passes[0];
    several_ = folds.size() > 1;
    for (size_t k = 0; k < folds.size(); ++k) add(k, folds[k]);
    close_ = std::string(folds.size(), '}');
    write_map();
    if (several_) {
      type_ = folds_type(out_.folds);
      out_.reduce = "_type_reduce" + reduced_ + close_;
    } else {
      out_.folds.clear();
    }
    for (int k : writer_.needs.beside) values_.read_beside(k);
    out_.post = post_ + values_.statements(writer_.needs.posts);
    out_.post += writer_.store(0, writer_.group.outputs.size());
    return std::move(out_);
  }

  const std::string& type() const { return type_; }

 private:
  void add(size_t k, int fold) {
    const FoldWriter own(writer_, fold, several_);
    out_.folds.push_back(own.type);
    const std::string mapped = own.map(elements_of(fold));
    if (several_) {
      const std::string a = formatted("_fold<{}>(a)", k), b = formatted("_fold<{}>(b)", k);
      mapped_ += formatted("{}{}", k > 0 ? ", {" : "{", mapped);
      reduced_ += formatted("{}{}::reduce({}, {})", k > 0 ? ", {" : "{", own.space, a, b);
    } else {
      mapped_ = mapped;
      type_ = own.type.cxx;
      out_.reduce = formatted("{}::reduce(a, b)", own.space);
      if (own.has_identity) out_.identity = formatted("{}::identity()", own.space);
    }
    const std::string name = values_.fresh();
    post_ += constant(cxx(writer_.node(fold).dtype), name,
                      own.value(several_ ? formatted("_fold<{}>(a)", k) : "a"));
    values_.call(fold, name);
  }

  // What map takes: a function of arrays for each operand.
  std::string elements_of(int fold) {
    std::string out;
    for (int operand : folded_by(writer_.numbered, writer_.plan, fold)) {
      out += out.empty() ? "" : ", ";
      if (writer_.node(operand).kind == NodeKind::scalar)
        out += writer_.users_scalar(fold, operand);
      else
        out += values_.function(
            operand, needs_of(writer_.numbered, writer_.plan, writer_.group, {operand}).computed);
    }
    return out;
  }

  void write_map() { out_.map = several_ ? "_type_reduce" + mapped_ + close_ : mapped_; }

  GroupWriter& writer_;
  Values& values_;
  bool several_ = false;
  std::string mapped_, reduced_, post_, close_, type_;
  FoldsText out_;
};

}  // namespace

GroupWriter::GroupWriter(const Numbered& all, const Plan& whole, const Group& own)
    : numbered(all), plan(whole), group(own), needs(needs_of(all, whole, own)), values(all) {
  for (int k : needs.read) values.read(k);
}

std::string GroupWriter::store(size_t from, size_t to) const {
  std::string out;
  for (size_t k = from; k < to; ++k)
    out += set_to(formatted("y{}", k), values.name(group.outputs[k]));
  return out;
}

// Up to four operations, so that a profile reads well.
std::string GroupWriter::kernel_name() const {
  std::string out = "expr";
  int count = 0;
  const auto add = [&](int k) {
    if (++count <= 4) out += formatted("_{}", name_of(node(k)));
  };
  std::ranges::for_each(needs.computed, add);
  for (const auto& pass : group.passes) std::ranges::for_each(pass, add);
  return out;
}

GroupText GroupWriter::take(std::variant<LoopText, FoldsText, RowsText, KernelText> parts,
                            std::string reduce_type) {
  GroupText out;
  out.inputs = std::move(values.inputs);
  out.in_params = std::move(values.in_params);
  for (size_t k = 0; k < group.outputs.size(); ++k)
    out.out_params.push_back(formatted("{} y{}", name(node(group.outputs[k]).dtype), k));
  out.parts = std::move(parts);
  out.options.preamble = values.functions.take() + values.made;
  out.options.parts = values.functions.parts;
  out.options.name = kernel_name();
  out.options.reduce_type = std::move(reduce_type);
  return out;
}

// A scalar that a user's reduction takes, as the dtype of its parameter.
std::string GroupWriter::users_scalar(int fold, int scalar) {
  const std::span<const int> all = operands(fold);
  const auto at = std::ranges::find(all, scalar) - all.begin();
  return values.scalar(scalar, node(fold).reduction().user->dtypes[static_cast<size_t>(at)]);
}

FoldWriter::FoldWriter(GroupWriter& writer, int fold, bool identity_enters) {
  if (writer.node(fold).kind == NodeKind::scan)
    take_scan(writer, fold);
  else if (const auto& user = writer.node(fold).reduction().user; user != nullptr)
    take_users(writer, *user, identity_enters);
  else
    take_ready(writer, fold, identity_enters);
}

void FoldWriter::take_ready(GroupWriter& writer, int fold, bool identity_enters) {
  const ReductionNode& own = writer.node(fold).reduction();
  const DType element = writer.node(folded_by(writer.numbered, writer.plan, fold)[0]).dtype;
  const bool long_counts = has_long_counts(writer.group);
  const bool is_scaled = writer.plan.facts[as_index(fold)].scale >= 0;
  const Reducer reducer = is_scaled ? Reducer::logsumexp : own.reducer;
  ReducerText text = reducer_text(reducer, element, long_counts);
  // Where the greatest element is infinite or no number, x - max(x) is none.
  if (is_scaled) text.spec.post = "out = a.re - a.re + a.im";
  has_identity = text.spec.identity.has_value();
  space =
      writer.values.functions.of_reducer(text, element, writer.node(fold).dtype, identity_enters);
  type = partial_of(reducer, element, long_counts);
  if (type.is_struct) type.cxx = space + "::P";
  if (own.reducer == Reducer::argmin || own.reducer == Reducer::argmax) numbered = "_J";
  const bool has_ddof = own.reducer == Reducer::var || own.reducer == Reducer::std;
  rest = formatted("n, gpuarr_results{{_out_ind.size()}}, {}",
                   has_ddof ? writer.values.scalar(fold, DType::f64, Input::ddof) : "0");
}

void FoldWriter::take_users(GroupWriter& writer, const UserReduction& user, bool identity_enters) {
  has_identity = user.text.identity.has_value();
  space = writer.values.functions.of_reducer(user, identity_enters);
  const auto dtype = find_dtype(user.text.reduce_type.text());
  type = {dtype ? cxx(*dtype) : space + "::P", 16, !dtype};
  rest = std::string(1, 'n');
}

// A scan has no number of elements to a result.
void FoldWriter::take_scan(GroupWriter& writer, int fold) {
  const DType element = writer.node(writer.operands(fold)[0]).dtype;
  const ScannerText text = scanner_text(writer.node(fold).scan().scanner, element);
  has_identity = true;
  space = writer.values.functions.of_reducer({text.spec, text.options}, element,
                                             writer.node(fold).dtype, false);
  type.cxx = text.options.reduce_type;
  rest = "1, gpuarr_results{1}, 0";
}

std::string FoldWriter::map(const std::string& operands) const {
  return formatted("{}::map({}, {})", space, operands, numbered);
}

std::string FoldWriter::value(const std::string& partial) const {
  return formatted("{}::value({}, {})", space, partial, rest);
}

std::string GroupText::outputs(size_t from, size_t to) const {
  std::string out;
  for (size_t k = from; k < to; ++k) out += (k > from ? ", " : "") + out_params[k];
  return out;
}

std::string GroupText::key() const {
  std::string out = in_params;
  const auto add = [&](std::string_view part) { out.append("\n").append(part); };
  add(outputs(0, out_params.size()));
  add(options.preamble);
  if (const auto* loop = std::get_if<LoopText>(&parts)) {
    add(loop->body);
  } else if (const auto* folds = std::get_if<FoldsText>(&parts)) {
    add(folds->map);
    add(folds->post);
  } else {
    const auto& rows = std::get<RowsText>(parts);
    for (const KeptValue& kept : rows.kept) add(kept.name);
    for (const RowPass& pass : rows.passes) {
      add(pass.keep);
      for (const RowFold& fold : pass.folds) add(fold.map), add(fold.post);
      for (const RowValue& value : pass.values) add(value.value);
    }
    add(rows.body);
    add(rows.finish);
    add(std::to_string(rows.along));
  }
  return out;
}

GroupText text_of(const Numbered& numbered, const Plan& plan, const Group& group) {
  GroupWriter writer(numbered, plan, group);
  if (group.kind == GroupKind::elementwise) return writer.take(loop_text(writer));
  if (group.kind == GroupKind::kernel) return writer.take(KernelText{});
  if (group.kind == GroupKind::row) return writer.take(rows_text(writer));
  FoldsWriter folds(writer);
  FoldsText text = folds.write();
  const std::string type = text.folds.empty() ? folds.type() : "";
  return writer.take(std::move(text), type);
}

}  // namespace gpuarr::expr
