// A gufunc's call over made-up addresses, for tests of what is generated for it.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "codegen/gufunc/gufunc.hpp"
#include "codegen/gufunc/parameters.hpp"
#include "codegen/gufunc/staging.hpp"
#include "codegen/targets.hpp"
#include "kernel/text/core_signature.hpp"

namespace gpuarr {

struct GufuncCase {
  std::string signature;
  std::string body;
  DType dtype = DType::f32;
  Group group = Group::thread;
  Order order = Order::c;
  Dims shape = {1000};              // of the loop
  std::vector<int64_t> sizes = {};  // of the dimensions that have none, in order
  bool dense = true;                // cores and outer axes
  std::vector<int> scalars = {};    // inputs
  std::string preamble = "";
  std::vector<Dims> outer = {};  // strides of operands, by number; none for those of above
  std::vector<char*> data = {};  // of operands, if not made up
  bool stages = true;            // as far as it may

  // All that a source is made of.
  struct Call {
    GufuncText text;
    GufuncPlan plan;
    std::vector<OperandName> names;
    std::vector<Letter> letters;
    CoreAxes axes = {};
    std::vector<Operand> operands = {};
    std::string source(const Target& target) const {
      return plan.variant.group == Group::thread
                 ? gufunc_source(text, target, plan.variant, names, letters)
                 : gufunc_group_source(text, plan.variant, names, letters, 0);
    }
  };

  Call call(const Target& target) const {
    Call out{{"test", parse_cores(signature), preamble, body}, {}, {}, {{'T', 0}}};
    CoreSignature& cores = out.text.cores;
    cores.order = order;
    CoreAxes& axes = out.axes;
    size_t next = 0;
    for (size_t d = 0; d < cores.dims.size(); ++d)
      axes.sizes[d] = cores.dims[d].fixed >= 0 ? cores.dims[d].fixed : sizes.at(next++);
    axes.operands.resize(cores.cores.size());
    static const unsigned char value[16] = {};
    for (size_t k = 0; k < cores.cores.size(); ++k) {
      const int operand = static_cast<int>(k);
      const bool input = operand < cores.inputs;
      lay_out(cores, axes, operand);
      const bool scalar = std::ranges::find(scalars, operand) != scalars.end();
      auto* made_up = reinterpret_cast<char*>(0x7f0000000000 + (static_cast<intptr_t>(k) << 36));
      out.operands.push_back({scalar  ? Role::scalar
                              : input ? Role::input
                                      : Role::output,
                              dtype,
                              scalar            ? nullptr
                              : k < data.size() ? data[k]
                                                : made_up,
                              scalar ? nullptr : &axes.operands[k].outer,
                              scalar ? value : nullptr});
      out.names.push_back({std::string(
          1, static_cast<char>((input ? 'a' : 'w') + operand - (input ? 0 : cores.inputs)))});
      out.plan.largest = std::max(out.plan.largest, axes.elements(cores, operand));
    }
    out.plan.variant.group = group;
    make_plan(out.plan, target, out.operands, shape, cores, axes,
              stages ? touched_by(out.text, out.names) : Touched{});
    return out;
  }

 private:
  void lay_out(const CoreSignature& cores, CoreAxes& axes, int k) const {
    CoreAxes::Operand& o = axes.operands[static_cast<size_t>(k)];
    Dims core;
    for (const int d : cores.cores[static_cast<size_t>(k)])
      core.push_back(axes.sizes[static_cast<size_t>(d)]);
    const int64_t step = dense ? 1 : 2;
    o.strides = dense_strides(core, order);
    o.outer = {shape, dense_strides(shape, dense ? Order::c : Order::f)};
    for (int axis = 0; axis < core.size(); ++axis) o.strides[axis] *= step;
    for (int axis = 0; axis < shape.size(); ++axis)
      o.outer.strides[axis] *= step * std::max<int64_t>(1, size_of(core));
    if (const auto at = static_cast<size_t>(k); at < outer.size() && !outer[at].empty())
      o.outer.strides = outer[at];
  }
};

}  // namespace gpuarr
