// What a scan's algorithms on a GPU expect (the .cuh files here), and the kernels that call them.
#include "codegen/layout/cuda_packs.hpp"
#include "codegen/scan/scan.hpp"
#include "codegen/scan_text.hpp"
#include "core/text.hpp"

namespace gpuarr {
namespace {

const char* const inlined_on_gpu = "static __device__ __forceinline__ ";

// Functions that take apart the packs of all operands (packs.cuh), or the rows of one (staged.cuh).
class CudaScan {
 public:
  CudaScan(const ScanPlan& plan, std::span<const Operand> operands)
      : p_(plan), operands_(operands) {}

  std::string write_packs() {
    write_pack_structs();
    write_loads();
    write_stores();
    return std::move(out_);
  }

  // Asks for what the block of a later tile will read.
  std::string write_fetch() {
    add("{}void _fetch(const _params& _p, const _at& _r, long long _e) {{\n", inlined_on_gpu);
    for (size_t k = 0; k < operands_.size(); ++k)
      if (is(k, Role::input))
        add("  gpuarr_kernel::_fetch_ahead<{}>(_r._p{} + _e);\n", p_.lanes * p_.pack * p_.packs, k);
    out_ += "}\n";
    return std::move(out_);
  }

  std::string write_ends() {
    for (size_t k = 0; k < operands_.size(); ++k) {
      if (is(k, Role::input))
        add("{}const {}* _input(const _params& _p, const _at& _r) {{ return _r._p{}; }}\n",
            inlined_on_gpu, type(k), k);
      if (is(k, Role::output))
        add("{}{}* _output(const _params& _p, const _at& _r) {{ return _r._p{}; }}\n",
            inlined_on_gpu, type(k), k);
    }
    return std::move(out_);
  }

  /// "float32, int64": of the only input and output.
  std::string types() const {
    std::string in;
    std::string out;
    for (size_t k = 0; k < operands_.size(); ++k) {
      if (is(k, Role::input)) in = type(k);
      if (is(k, Role::output)) out = type(k);
    }
    return in + ", " + out;
  }

 private:
  template <class... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    out_ += format_text(format, fmt::make_format_args(args...));
  }
  const char* type(size_t k) const { return facts_of(operands_[k].dtype).cxx; }
  bool is(size_t k, Role role) const { return operands_[k].role == role; }
  std::string place(size_t k, const std::string& e) const {
    return p_.unit[k] ? e : formatted("({}) * _p._s{}_{}", e, k, p_.scanned());
  }

  void write_pack_structs() {
    for (Role role : {Role::input, Role::output}) {
      add("struct {} {{\n", role == Role::input ? "_read" : "_written");
      for (size_t k = 0; k < operands_.size(); ++k)
        if (is(k, role)) add("  _pack<{}, {}> _v{};\n", type(k), p_.pack, k);
      out_ += "};\n";
    }
  }

  void write_loads() {
    std::string packs;
    std::string singles;
    std::string elements;
    for (size_t k = 0; k < operands_.size(); ++k) {
      if (!is(k, Role::input)) continue;
      packs += p_.pack > 1 ? formatted("  _v._v{0} = *(const _pack<{1}, {2}>*)(_r._p{0} + _e);\n",
                                       k, type(k), p_.pack)
                           : formatted("  _v._v{0}._v[0] = _r._p{0}[{1}];\n", k, place(k, "_e"));
      singles += formatted("  _v._v{0}._v[_k] = _r._p{0}[{1}];\n", k, place(k, "_e"));
      elements += formatted(", _v._v{}._v[_k]", k);
    }
    const char* const parameters = "(const _params& _p, const _at& _r, long long _e, _read& _v";
    add("{}void _load{}) {{\n{}}}\n", inlined_on_gpu, parameters, packs);
    add("{}void _load_one{}, int _k) {{\n{}}}\n", inlined_on_gpu, parameters, singles);
    add("{}_type_scan _map_one(const _params& _p, const _read& _v, int _k, long long _e) {{\n"
        "  return _map(_p{}, _e);\n}}\n",
        inlined_on_gpu, elements);
  }

  void write_stores() {
    std::string stores;
    std::string elements;
    for (size_t k = 0; k < operands_.size(); ++k) {
      if (!is(k, Role::output)) continue;
      stores += p_.pack > 1 ? formatted("  *(_pack<{1}, {2}>*)(_r._p{0} + _e) = _v._v{0};\n", k,
                                        type(k), p_.pack)
                            : formatted("  _r._p{0}[{1}] = _v._v{0}._v[0];\n", k, place(k, "_e"));
      elements += formatted(", _v._v{}._v[_k]", k);
    }
    add("{}void _post_one(const _params& _p, const _type_scan& _a, _written& _v, int _k) {{\n"
        "  _post(_p, _a{});\n}}\n",
        inlined_on_gpu, elements);
    add("{}void _store(const _params& _p, const _at& _r, long long _e, const _written& _v) {{\n"
        "{}}}\n",
        inlined_on_gpu, stores);
  }

  const ScanPlan& p_;
  std::span<const Operand> operands_;
  std::string out_;
};

std::string cuda_scan_kernel(const ScanText& pieces, ScanStage stage, const char* bounds,
                             const std::string& algorithm) {
  return formatted(
      "extern \"C\" __global__ void __launch_bounds__({}) {}{}(const __grid_constant__ _params _p) "
      "{{\n  gpuarr_kernel::{}(_p);\n}}\n",
      bounds, pieces.name, suffix(stage), algorithm);
}

}  // namespace

std::string cuda_scan_algorithms(const ScanPlan& plan) {
  if (plan.form == ScanForm::columns) return std::string(scan_parts::columns);
  std::string out = cuda_pack_text;
  out += scan_parts::lanes;
  if (!plan.staged) out += scan_parts::packs;
  if (!plan.chunked) return out.append(scan_parts::rows);
  out.append(scan_parts::chain).append(scan_parts::ahead);
  return out.append(plan.staged ? scan_parts::staged : scan_parts::tiles);
}

std::string cuda_scan(const ScanText& pieces, const ScanPlan& plan,
                      std::span<const Operand> operands) {
  if (plan.form == ScanForm::columns) {
    std::string out;
    if (plan.chunked)
      out = cuda_scan_kernel(pieces, ScanStage::totals, "256", "_totals") +
            cuda_scan_kernel(pieces, ScanStage::prefix, "256", "_prefix");
    return out + cuda_scan_kernel(pieces, ScanStage::scan, "256", "_scan");
  }
  CudaScan parts(plan, operands);
  std::string out;
  if (plan.chunked && plan.pack > 1) out += parts.write_fetch();
  if (plan.staged)
    return out + parts.write_ends() +
           cuda_scan_kernel(pieces, ScanStage::scan, "256, 5",
                            "_scan_staged<" + parts.types() + ">");
  out += parts.write_packs();
  return out + cuda_scan_kernel(
                   pieces, ScanStage::scan, "256",
                   plan.chunked ? "_scan_tiles<_read, _written>" : "_scan_rows<_read, _written>");
}

}  // namespace gpuarr
