// gpuarr/blocked_reduce.h: check, convert, call.
#include "gpuarr/blocked_reduce.h"

#include "c/blocked_arguments.hpp"
#include "c/blocked_result.hpp"
#include "c/reducer_names.hpp"
#include "gpuarr/map_blocks.h"
#include "team/reduce/all_reduce.hpp"
#include "team/reduce/reduce.hpp"

using namespace gpuarr;
using team::Blocked;

namespace {

// The outputs of a reduction: those that are given, checked, and those that are made.
class Results {
 public:
  Results(gpuarr_blocked** outputs, size_t count, const char* label, const team::Team& team,
          const team::ResultFacts& facts)
      : outputs_(outputs), arrays_(count) {
    for (size_t k = 0; k < count; ++k) {
      if (outputs[k] == nullptr) continue;
      const std::string name = count == 1 ? label : formatted("{}[{}]", label, k);
      arrays_[k] = deref(outputs[k], name.c_str());
      check_result(name, *arrays_[k], team, facts.dtypes[k], facts.grid.shape());
    }
  }

  /// Collective.
  void make(team::Team& team, const team::ResultFacts& facts) {
    bool any = false;
    for (size_t k = 0; k < arrays_.size(); ++k) {
      if (arrays_[k] != nullptr) continue;
      arrays_[k] = team::make_result(team, facts, k);
      made_.push_back(k);
      any = true;
    }
    if (any) team.agree();
  }

  std::span<const std::shared_ptr<Blocked>> arrays() const { return arrays_; }

  void hand_out() {
    std::vector<std::unique_ptr<gpuarr_blocked>> handles;
    for (size_t k : made_) handles.emplace_back(gpuarr_blocked::make(arrays_[k]));
    for (size_t k = 0; k < made_.size(); ++k) outputs_[made_[k]] = handles[k].release();
  }

 private:
  gpuarr_blocked** outputs_;
  std::vector<std::shared_ptr<Blocked>> arrays_;
  std::vector<size_t> made_;
};

void run(const char* function, const MapArguments& arguments, const team::ReductionCall& call,
         gpuarr_blocked** outputs, size_t count, const char* label,
         std::optional<team::FastCombine> fast = std::nullopt) {
  const team::ResultFacts facts = team::facts_of(call);
  team::Team& team = arguments.over().team();
  Results results(outputs, count, label, team, facts);
  collective(team, function, arguments.digest(), [&] {
    results.make(team, facts);
    call.alignment.fetch();
    team::reduce(call, facts, results.arrays(), fast);
  });
  results.hand_out();
}

Combine combine_of(const Blocked& blocked, int32_t how) {
  if (how < GPUARR_COMBINE_SUM || how > GPUARR_COMBINE_MAX)
    fail(GPUARR_ERR_ARGUMENT, "how is {}; give one of GPUARR_COMBINE_...", how);
  if (!blocked.owners().everywhere())
    fail(GPUARR_ERR_ARGUMENT,
         "blocked is not replicated, so there is one copy of each block; gpuarr_blocked_reduce "
         "reduces along axes");
  if (how >= GPUARR_COMBINE_MIN && is_complex(blocked.dtype()))
    fail(GPUARR_ERR_DTYPE, "blocked is {}, of which there is no least or largest",
         name(blocked.dtype()));
  return static_cast<Combine>(how - GPUARR_COMBINE_SUM);
}

// What the devices' own all-reduce does alike. Theirs may lose NaN, so minima and maxima are of
// integers.
std::optional<team::FastCombine> fast_combine(Reducer reducer, DType dtype) {
  const FoldType partial = partial_of(reducer, dtype);
  const auto type = partial.is_struct ? std::nullopt : find_dtype(partial.cxx);
  if (!type) return std::nullopt;
  if (reducer == Reducer::sum || reducer == Reducer::mean)
    return team::FastCombine{Combine::sum, *type};
  if (reducer == Reducer::prod) return team::FastCombine{Combine::prod, *type};
  if (is_inexact(dtype) || (reducer != Reducer::min && reducer != Reducer::max))
    return std::nullopt;
  return team::FastCombine{reducer == Reducer::min ? Combine::min : Combine::max, *type};
}

void run_reducer(gpuarr_blocked** out, Reducer reducer, gpuarr_blocked* x, const AxisRequest& axes,
                 double ddof, bool fast) {
  const gpuarr_arg args[] = {gpuarr_arg_blocked(x, GPUARR_ARG_BLOCKED), gpuarr_arg_f64(ddof)};
  const Blocked& array = *deref(x, "x");
  const StagedReducer staged(reducer, array.dtype(), array.shape(), axes, ddof);
  const MapArguments arguments(args, static_cast<int32_t>(staged.kernel().input_count()));
  team::Alignment alignment = arguments.alignment(team::Extents::broadcast);
  run("gpuarr_blocked_reduce", arguments, {staged.kernel(), alignment, arguments.inputs(), axes},
      out, 1, "out", fast ? fast_combine(reducer, array.dtype()) : std::nullopt);
}

}  // namespace

gpuarr_status gpuarr_blocked_reduction(gpuarr_reduction* kernel, gpuarr_blocked** outputs,
                                       int32_t output_count, const gpuarr_arg* inputs,
                                       int32_t input_count, const int32_t* axes, int32_t axis_count,
                                       int32_t keepdims) {
  return guard(__func__, [&] {
    Reduction& k = *deref(kernel, "kernel");
    check_counts(k, output_count, input_count, "kernel");
    if (outputs == nullptr)
      fail(GPUARR_ERR_ARGUMENT, "outputs is NULL; give {} of them", output_count);
    const MapArguments arguments(inputs, input_count);
    team::Alignment alignment = arguments.alignment(team::Extents::broadcast);
    run("gpuarr_blocked_reduction", arguments,
        {k, alignment, arguments.inputs(), axis_request(axes, axis_count, keepdims)}, outputs,
        k.output_count(), "outputs");
  });
}

gpuarr_status gpuarr_blocked_reduce(gpuarr_blocked** out, const char* name, gpuarr_blocked* x,
                                    const int32_t* axes, int32_t axis_count, int32_t keepdims,
                                    double ddof, int32_t flags) {
  return guard(__func__, [&] {
    if (out == nullptr) fail(GPUARR_ERR_ARGUMENT, "out is NULL; give the address of a variable");
    if ((flags & ~GPUARR_REDUCE_FAST) != 0)
      fail(GPUARR_ERR_ARGUMENT, "flags is {}; give 0 or GPUARR_REDUCE_FAST", flags);
    run_reducer(out, reducer_named(name), x, axis_request(axes, axis_count, keepdims), ddof,
                flags != 0);
  });
}

gpuarr_status gpuarr_all_reduce(gpuarr_blocked* blocked, int32_t how) {
  return guard(__func__, [&] {
    Blocked& b = *deref(blocked, "blocked");
    const Combine combine = combine_of(b, how);
    collective(b.team(), "gpuarr_all_reduce", b.digest() + static_cast<uint64_t>(how),
               [&] { team::all_reduce(b, combine); });
  });
}
