// gpuarr/blocked_reduce.h: check, convert, call.
#include "gpuarr/blocked_reduce.h"

#include "c/blocked_arguments.hpp"
#include "c/guard.hpp"
#include "team/reduce/reduce.hpp"

using namespace gpuarr;
using team::Blocked;

namespace {

// The outputs of a reduction: those that are given, checked, and those that are made.
class Results {
 public:
  Results(gpuarr_blocked** outputs, size_t count, const team::ResultFacts& facts, const char* label)
      : outputs_(outputs), arrays_(count) {
    for (size_t k = 0; k < count; ++k) {
      if (outputs[k] == nullptr) continue;
      const std::string name = count == 1 ? label : formatted("{}[{}]", label, k);
      arrays_[k] = deref(outputs[k], name.c_str());
      team::check_result(facts, k, *arrays_[k], name);
    }
  }

  void check_team(const team::Team& team) const {
    for (const auto& array : arrays_)
      if (array != nullptr && &array->team() != &team)
        fail(GPUARR_ERR_ARGUMENT, "an output is of another team than the inputs");
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
         std::optional<Combine> fast = std::nullopt) {
  const team::ResultFacts facts = team::facts_of(call);
  Results results(outputs, count, facts, label);
  team::Team& team = arguments.over().team();
  results.check_team(team);
  collective(team, function, arguments.digest(), [&] {
    results.make(team, facts);
    call.alignment.fetch();
    team::reduce(call, facts, results.arrays(), fast);
  });
  results.hand_out();
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
