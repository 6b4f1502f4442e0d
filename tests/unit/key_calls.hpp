// Random calls of each kind of kernel, of operands, dtypes, layouts, alignments and stages, on both
// targets: their keys and their texts.
#pragma once

#include <climits>
#include <span>
#include <string>
#include <vector>

#include "codegen/count/bins.hpp"
#include "codegen/count/runs.hpp"
#include "codegen/elementwise/elementwise.hpp"
#include "codegen/random/random.hpp"
#include "codegen/rank/cuda.hpp"
#include "codegen/rank/host.hpp"
#include "codegen/reduction/parameters.hpp"
#include "codegen/reduction/reduction.hpp"
#include "codegen/scan/parameters.hpp"
#include "codegen/scan/scan.hpp"
#include "codegen/select/select.hpp"
#include "codegen/sort/cuda.hpp"
#include "codegen/sort/host.hpp"
#include "codegen/targets.hpp"
#include "core/text.hpp"
#include "gufunc_case.hpp"
#include "ops/random/texts.hpp"
#include "random_loop.hpp"
#include "row_texts.hpp"

namespace gpuarr::key_calls {

struct Call {
  std::string kernel;   // and target: what is the same for all calls of one
  std::string variant;  // bytes
  std::string text;
};

template <class Variant>
std::string bytes_of(const Variant& variant) {
  const std::span<const std::byte> bytes = key_bytes(variant);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

template <class T>
const T& one_of(LoopMaker& maker, std::span<const T> all) {
  return all[static_cast<size_t>(maker.between(0, static_cast<int64_t>(all.size()) - 1))];
}

inline const Target& target_in(LoopMaker& maker) {
  return maker.one_in(2) ? cuda_target : host_target;
}

inline const char* name_of(const Target& target) { return target.suffix; }

inline DType dtype_in(LoopMaker& maker, bool complex = true) {
  DType dtype;
  do dtype = one_of(maker, dtype_table()).dtype;
  while (!complex && facts_of(dtype).kind == DTypeKind::complex);
  return dtype;
}

// Few of them, so that keys repeat, or any.
inline DType operand_dtype(LoopMaker& maker) {
  static constexpr DType few[] = {DType::i8, DType::f32, DType::f64};
  return maker.one_in(20) ? dtype_in(maker) : one_of(maker, std::span<const DType>(few));
}

inline RandomLoop loop_in(LoopMaker& maker) {
  maker.longest = int64_t{1} << maker.between(3, 17);
  RandomLoop loop = maker.draw(maker.one_in(4) ? 5 : 2, int64_t{1} << 34);
  for (Operand& o : loop.operands) o.dtype = operand_dtype(maker);
  return loop;
}

inline void add_array(RandomLoop& loop, Role role, DType dtype, const Dims& strides) {
  const auto where = static_cast<int64_t>(loop.operands.size() + 1) << 40;
  loop.layouts.push_back({loop.shape, strides});
  loop.operands.push_back(
      {role, dtype, reinterpret_cast<void*>(where), &loop.layouts.back(), nullptr});
}

// An input that lies along one of the two outer axes, which cannot be joined.
inline RandomLoop transposed_in(LoopMaker& maker) {
  RandomLoop loop;
  for (int axis = 0; axis < 3; ++axis) loop.shape.push_back(maker.between(10, 70));
  const auto across = static_cast<int>(maker.between(0, 1));
  Dims strides = Dims::filled(3, 1);
  strides[2] = loop.shape[across] + 1;
  strides[1 - across] = strides[2] * loop.shape[2] + 1;
  add_array(loop, Role::input, operand_dtype(maker), strides);
  add_array(loop, Role::output, operand_dtype(maker), dense_strides(loop.shape, Order::c));
  return loop;
}

// Of few elements or of so many that numbers take 64 bits, of results or of elements of one.
inline RandomLoop few_or_many_in(LoopMaker& maker) {
  RandomLoop loop;
  for (int axis = 0; axis < 2; ++axis)
    loop.shape.push_back(maker.one_in(2) ? 1 : 16 * maker.between(1, 20));
  if (maker.one_in(2)) loop.shape[static_cast<int>(maker.between(0, 1))] = int64_t{1} << 33;
  add_array(loop, Role::input, operand_dtype(maker), dense_strides(loop.shape, Order::c));
  return loop;
}

inline std::vector<OperandName> names_of(std::span<const Operand> operands) {
  std::vector<OperandName> names;
  for (size_t k = 0; k < operands.size(); ++k) names.push_back({formatted("x{}", k)});
  return names;
}

// What a signature would fix, which no key has.
inline std::string signature_of(std::span<const Operand> operands) {
  std::string out;
  for (const Operand& o : operands)
    out += is_raw(o.role) ? 'r' : o.role == Role::output ? 'o' : 'i';
  return out;
}

inline const ElementwiseText elementwise_texts[] = {
    {"k", "", "", "work()", ""},
    {"k", "", "", "if (x) return; work(i)", ""},
    {"k", "", "", "for (;;) work(_ind.get()[0])", ""},
    {"k", "", "prepare(_ind.size())", "work()", "after()"},
    {"k", "#define EACH i + _ind.get()[0]", "", "int own[3]; work(_ind.size())", "after()"},
};

// An output that starts as an input is the same parameter.
inline bool starts_as_first(LoopMaker& maker, std::vector<Operand>& operands,
                            std::vector<OperandName>& names) {
  const Role first = operands.front().role;
  if (!maker.one_in(3) || (first != Role::input && first != Role::scalar) ||
      operands.back().role != Role::output)
    return false;
  operands.back().dtype = operands.front().dtype;
  names.back().starts_as = 0;
  names.front().hidden = true;
  return true;
}

inline Call gufunc_call(LoopMaker& maker) {
  static const int64_t sizes[] = {1, 2, 3, 70, 2000};
  static const std::string signatures[] = {"(m),()->(m)", "(m,k),(k,n)->(m,n)", "(3,m)->()"};
  const Target& target = target_in(maker);
  GufuncCase c{one_of(maker, std::span<const std::string>(signatures)), "use(a, b, w, group);"};
  c.dtype = operand_dtype(maker);
  c.group = static_cast<Group>(maker.between(0, 2));
  c.order = maker.one_in(2) ? Order::f : Order::c;
  c.shape = {};
  for (int64_t axis = maker.between(0, 3); axis > 0; --axis)
    c.shape.push_back(maker.between(1, maker.one_in(9) ? int64_t{1} << 21 : 40));
  for (int k = 0; k < 3; ++k) c.sizes.push_back(one_of(maker, std::span<const int64_t>(sizes)));
  c.dense = maker.one_in(2);
  const GufuncCase::Call call = c.call(target);
  return {formatted("{} {} {}", name_of(target), c.signature, static_cast<int>(c.order)),
          bytes_of(call.plan.variant), call.source(target)};
}

inline Call elementwise_call(LoopMaker& maker) {
  RandomLoop loop = maker.one_in(8) ? transposed_in(maker) : loop_in(maker);
  std::vector<Operand>& operands = loop.operands;
  std::vector<OperandName> names = names_of(operands);
  const bool twin = starts_as_first(maker, operands, names);
  const auto& text = one_of(maker, std::span<const ElementwiseText>(elementwise_texts));
  const Target& target = target_in(maker);
  Plan plan;
  make_plan(plan, target, operands, loop.shape, traits_of(text));
  const Letter letters[] = {{'T', 0}};
  return {formatted("{} {} {} {} ", name_of(target), &text - elementwise_texts, twin,
                    signature_of(operands)),
          bytes_of(plan.variant), elementwise_source(text, target, plan.variant, names, letters)};
}

inline const ReductionText reduction_texts[] = {
    {"k", "", "float", "x", "a + b", "y = a", std::nullopt},
    {"k", "", "float", "x + i", "a + b", "y = a + i", "0"},
    {"k", "", "double", "x + _j + _in_ind.get()[0]", "a + b", "y = a + _out_ind.get()[0]", "0"},
    {"k", "struct pair {};", "pair", "x + _J + _in_ind.size()", "a + b", "y = a", std::nullopt},
    {"k", "#define ALL i + _out_ind.get()[0]", "pair", "x", "a + b", "y = a", "pair()"},
};

inline Call reduction_call(LoopMaker& maker) {
  RandomLoop loop = maker.one_in(8) ? few_or_many_in(maker) : loop_in(maker);
  std::erase_if(loop.operands, [](const Operand& o) {
    return o.role == Role::output || o.role == Role::raw_output;
  });
  Layout whole{loop.shape, dense_strides(loop.shape, Order::c)};
  if (loop.operands.empty() || maker.one_in(3))
    loop.operands.push_back({Role::input, operand_dtype(maker),
                             reinterpret_cast<void*>(int64_t{1} << 40), &whole, nullptr});
  ReducedAxes axes;
  axes.keepdims = maker.one_in(2);
  Dims kept;
  for (int axis = 0; axis < loop.shape.size(); ++axis) {
    const bool reduced = axes.reduced[as_index(axis)] = maker.one_in(2);
    if (!reduced || axes.keepdims) kept.push_back(reduced ? 1 : loop.shape[axis]);
  }
  const Layout results{kept, dense_strides(kept, maker.one_in(3) ? Order::f : Order::c)};
  loop.operands.push_back({Role::output, operand_dtype(maker),
                           reinterpret_cast<void*>((int64_t{9} << 40) + maker.between(0, 2) * 16),
                           &results, nullptr});
  const std::vector<Operand>& operands = loop.operands;
  const auto& text = one_of(maker, std::span<const ReductionText>(reduction_texts));
  ReductionTraits traits = traits_of(text);
  traits.ordered = maker.one_in(3);
  traits.is_struct = text.reduce_type.text() == "pair";
  traits.partial_bytes = traits.is_struct ? 16 : text.reduce_type.text() == "double" ? 8 : 4;
  const Target& target = target_in(maker);
  ReductionPlan plan;
  const auto stage = static_cast<Stage>(maker.one_in(2) ? 0 : maker.between(0, 4));
  plan.variant.stage = stage;
  Piece piece;
  const bool is_piece = stage != Stage::whole && stage != Stage::empty && maker.one_in(2);
  for (int axis = 0; axis < loop.shape.size() && is_piece; ++axis) {
    piece.first.push_back(3 * maker.between(0, 1));
    piece.whole.push_back(loop.shape[axis] + 10 * maker.between(0, 1));
  }
  make_reduction_plan(plan, target, operands, loop.shape, axes, traits, piece);
  const Letter letters[] = {{'T', 0}};
  return {formatted("{} {} {} {} ", name_of(target), &text - reduction_texts, traits.ordered,
                    signature_of(operands)),
          bytes_of(plan.variant),
          reduction_source(text, target, plan.variant, names_of(operands), letters)};
}

// Rows of one axis or two, of inputs that lie in any way.
inline RandomLoop rows_in(LoopMaker& maker, const row_texts::RowCase& c, const Signature& signature,
                          int along) {
  RandomLoop loop;
  const bool is_long = maker.one_in(4), many = maker.one_in(8);
  loop.shape = {many ? int64_t{1} << 33 : maker.between(1, 9000), maker.between(1, 3),
                maker.between(1, 4) * maker.between(1, is_long ? 60000 : 600)};
  const auto add = [&](const Parameter& p, Role role, const Dims& shape, const Dims& strides) {
    const int64_t where = (static_cast<int64_t>(loop.operands.size() + 1) << 44) +
                          (maker.one_in(4) ? size_of(*p.dtype) : 0);
    loop.layouts.push_back({shape, strides});
    loop.operands.push_back(
        {role, *p.dtype, reinterpret_cast<void*>(where), &loop.layouts.back(), nullptr});
  };
  const auto whole = [&] {
    Dims strides = dense_strides(loop.shape, Order::c);
    if (maker.one_in(6)) strides[2] = 2;
    if (maker.one_in(4)) strides[1] += maker.between(0, 4);
    for (int axis = 0; axis < 2; ++axis) strides[axis] *= strides[2];
    return strides;
  };
  static const double number = 2;
  for (size_t k = 0; k < signature.inputs.size(); ++k)
    if (c.lies[k] == row_texts::Lies::scalar)
      loop.operands.push_back(
          {Role::scalar, *signature.inputs[k].dtype, nullptr, nullptr, &number});
    else if (maker.one_in(4))
      add(signature.inputs[k], Role::input, loop.shape, {0, 0, maker.one_in(2) ? 1 : 0});
    else
      add(signature.inputs[k], Role::input, loop.shape, whole());
  for (int k = 0; k < static_cast<int>(signature.outputs.size()); ++k)
    if (k < along)
      add(signature.outputs[as_index(k)], Role::output, loop.shape, whole());
    else
      add(signature.outputs[as_index(k)], Role::output, {loop.shape[0], loop.shape[1]},
          {loop.shape[1], 1});
  return loop;
}

inline Call row_call(LoopMaker& maker) {
  static constexpr DType dtypes[] = {DType::f32, DType::f64, DType::f16};
  const auto make = one_of(maker, std::span<row_texts::Make* const>(row_texts::of_floats));
  const DType dtype = one_of(maker, std::span<const DType>(dtypes));
  const row_texts::RowCase c = make(dtype);
  const Signature signature = row_texts::signature_of(c);
  const int along = row_texts::outputs_along(c);
  RandomLoop loop = rows_in(maker, c, signature, along);
  std::vector<OperandName> names;
  for (const auto* list : {&signature.inputs, &signature.outputs})
    for (const Parameter& p : *list) names.push_back({p.name});
  const RowText text = row_texts::text_of(c);
  RowTraits traits = traits_of(text, names);
  traits.outputs_along = along;
  ReducedAxes axes;
  axes.reduced[2] = true;
  const Target& target = target_in(maker);
  const RowDevice device = maker.one_in(2) ? RowDevice{228 << 10, 132, 8} : RowDevice{164 << 10};
  RowPlan plan;
  if (make_row_plan(plan, target, device, loop.operands, loop.shape, axes, traits) != nullptr)
    return row_call(maker);
  return {
      formatted("{} {} {} {} ", name_of(target), c.name, name(dtype), signature_of(loop.operands)),
      bytes_of(plan.variant), row_source(text, target, plan.variant, names, {})};
}

inline const ReductionText scan_texts[] = {
    {"k", "", "float", "x", "a + b", "y = a", "0"},
    {"k", "", "double", "x + _J", "a + b", "y = a", "0"},
    {"k", "struct pair {};", "pair", "x", "a + b", "y = a", "pair()"},
};

inline Call scan_call(LoopMaker& maker) {
  RandomLoop loop = loop_in(maker);
  std::erase_if(loop.operands,
                [](const Operand& o) { return is_raw(o.role) || o.role == Role::output; });
  if (loop.shape.empty()) loop.shape.push_back(1);
  const Layout whole{loop.shape, dense_strides(loop.shape, maker.one_in(3) ? Order::f : Order::c)};
  const DType dtype = operand_dtype(maker);
  if (loop.operands.empty() || maker.one_in(2))
    loop.operands.assign(
        1, {Role::input, dtype, reinterpret_cast<void*>(int64_t{1} << 40), &whole, nullptr});
  loop.operands.push_back({Role::output, maker.one_in(2) ? dtype : operand_dtype(maker),
                           reinterpret_cast<void*>((int64_t{9} << 40) + maker.between(0, 2) * 8),
                           &whole, nullptr});
  const std::vector<Operand>& operands = loop.operands;
  const auto& text = one_of(maker, std::span<const ReductionText>(scan_texts));
  const int bytes = text.reduce_type.text() == "pair"     ? 16
                    : text.reduce_type.text() == "double" ? 8
                                                          : 4;
  const Target& target = target_in(maker);
  ScanPlan plan;
  const auto axis = static_cast<int>(maker.between(0, loop.shape.size() - 1));
  make_scan_plan(plan, target, operands, loop.shape, axis,
                 {maker.one_in(2), bytes, (maker.one_in(2) ? 228 : 164) << 10});
  cut_scan(plan, bytes, {maker.one_in(2) ? 132 : 20, 50 << 20});
  const Letter letters[] = {{'T', 0}};
  return {formatted("{} {} {} ", name_of(target), &text - scan_texts, signature_of(operands)),
          bytes_of(plan.variant),
          scan_source(text, target, plan.variant, names_of(operands), letters)};
}

inline Call select_call(LoopMaker& maker) {
  const auto selection = static_cast<Selection>(maker.between(0, 2));
  const DType mask = mask_alike(dtype_in(maker));
  const int bytes = selection == Selection::indices ? 8 : 1 << maker.between(0, 4);
  const Target& target = target_in(maker);
  const int pack = target.simt && maker.one_in(2) ? widest_pack(selection, mask, bytes) : 1;
  const SelectVariant variant{selection, mask, bytes, pack};
  return {name_of(target), bytes_of(variant), select_source(target, variant)};
}

inline Call sort_call(LoopMaker& maker) {
  SortVariant variant{dtype_in(maker, false), maker.one_in(2), maker.one_in(2)};
  variant.wide = variant.indexed && maker.one_in(2);
  variant.order_only = variant.indexed && maker.one_in(2);
  const int64_t n = maker.between(1, int64_t{1} << maker.between(1, 20));
  if (maker.one_in(3)) {
    variant = host_sort_variant(variant);
    return {"cpp", bytes_of(variant), host_sort_text(variant)};
  }
  if (const int threads = threads_of_few(n)) {
    variant = few_variant(variant, threads);
    return {"few", bytes_of(variant), cuda_sort_few_text(variant)};
  }
  if (const int items = maker.one_in(2) ? items_of_warp(variant, n) : 0) {
    variant = warp_variant(variant, items);
    return {"warp", bytes_of(variant), cuda_sort_warp_text(variant)};
  }
  const SortTile tile = tile_of_row(variant, n);
  if (tile.threads == 0) return {"sweep", bytes_of(variant), cuda_sort_sweep_text(variant)};
  variant = row_variant(variant, tile);
  return {"row", bytes_of(variant), cuda_sort_row_text(variant)};
}

inline Call rank_call(LoopMaker& maker) {
  const RankVariant variant{dtype_in(maker, false), maker.one_in(2), maker.one_in(2),
                            maker.one_in(2)};
  if (maker.one_in(3)) return {"cpp", bytes_of(variant), host_rank_text(variant)};
  if (maker.one_in(2)) return {"rows", bytes_of(variant), cuda_rank_rows_text(variant)};
  return {"cu", bytes_of(variant), cuda_rank_text(variant)};
}

inline Call count_call(LoopMaker& maker) {
  const Target& target = target_in(maker);
  const DType dtype = dtype_in(maker);
  if (maker.one_in(2))
    return {formatted("runs {} ", name_of(target)), bytes_of(dtype), run_text(target, dtype)};
  const auto bins = static_cast<Bins>(maker.between(0, 2));
  const BinVariant variant{dtype, bins, maker.one_in(2)};
  return {formatted("bins {} ", name_of(target)), bytes_of(variant), bin_text(target, variant)};
}

inline Call random_call(LoopMaker& maker) {
  const Target& target = target_in(maker);
  for (;;) {
    const auto distribution = static_cast<Distribution>(maker.between(0, distribution_count - 1));
    const DType dtype = dtype_in(maker);
    try {
      check_dtype(distribution, dtype);
    } catch (const Error&) {
      continue;
    }
    const RandomText text = random_text(distribution, dtype);
    const RandomVariant variant{distribution, dtype};
    return {name_of(target), bytes_of(variant), random_fill_source(target, text, dtype)};
  }
}

}  // namespace gpuarr::key_calls
