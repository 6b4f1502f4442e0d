// What a scan's algorithms on a GPU expect (the .cuh files here), and the kernels that call them.
#include "codegen/layout_text.hpp"
#include "codegen/scan/scan.hpp"
#include "codegen/scan_text.hpp"
#include "core/text.hpp"

namespace gpuarr {
namespace {

// Functions that take apart the packs of all operands (packs.cuh), or the rows of one (staged.cuh).
class CudaScan {
 public:
  explicit CudaScan(const ScanVariant& variant) : p_(variant), out_(variant.operands) {}

  std::string write(const ReductionText& pieces) {
    if (p_.form == ScanForm::columns) {
      if (p_.chunked) {
        write_kernel(pieces, ScanStage::totals, "_totals");
        write_kernel(pieces, ScanStage::prefix, "_prefix");
      }
      write_kernel(pieces, ScanStage::scan, "_scan");
      return out_.take();
    }
    if (p_.chunked && p_.pack > 1) write_fetch();
    if (p_.staged) {
      write_ends();
      write_kernel(
          pieces, ScanStage::scan,
          formatted("_scan_staged<{}, {}>", out_.type(out_.inputs[0]), out_.type(out_.outputs[0])));
    } else {
      write_packs();
      write_loads();
      write_stores();
      write_kernel(pieces, ScanStage::scan,
                   p_.chunked ? "_scan_tiles<_read, _written>" : "_scan_rows<_read, _written>");
    }
    return out_.take();
  }

 private:
  // Asks for what the block of a later tile will read.
  void write_fetch() {
    out_.add("{} void _fetch(const _params& _p, const _place& _at, long long _k) {{\n", in_kernel);
    for (int k : out_.inputs)
      out_.add("  gpuarr_kernel::_fetch_ahead<{}>(_at._data{} + _k);\n",
               p_.lanes * p_.pack * p_.packs, k);
    out_.text += "}\n";
  }

  void write_ends() {
    for (int k : out_.arrays)
      out_.add("{} {}* {}(const _params& _p, const _place& _at) {{\n  return _at._data{};\n}}\n",
               in_kernel, out_.element_type(k), out_.is(k, Role::input) ? "_input" : "_output", k);
  }

  void write_packs() {
    const auto declare = [this](const char* name, const std::vector<int>& arrays) {
      out_.add("\nstruct {} {{\n", name);
      for (int k : arrays)
        out_.add("  gpuarr_kernel::_pack<{}, {}> _values{};\n", out_.type(k), p_.pack, k);
      out_.text += "};\n";
    };
    declare("_read", out_.inputs);
    declare("_written", out_.outputs);
  }

  void write_loads() {
    const char* const parameters = "const _params& _p, const _place& _at, long long _k, _read& _to";
    out_.add("{} void _load({}) {{\n", in_kernel, parameters);
    for (int k : out_.inputs)
      if (p_.pack > 1)
        out_.add("  _to._values{0}._load(_at._data{0} + _k);\n", k);
      else
        out_.add("  _to._values{0}._element[0] = _at._data{0}[{1}];\n", k, at(k));
    out_.add("}}\n{} void _load_one({}, int _element) {{\n", in_kernel, parameters);
    for (int k : out_.inputs)
      out_.add("  _to._values{0}._element[_element] = _at._data{0}[{1}];\n", k, at(k));
    out_.add(
        "}}\n{} _type_reduce _map_one(const _params& _p, const _read& _from, int _element, "
        "long long _k) {{\n  return _map(_p",
        in_kernel);
    for (int k : out_.inputs) out_.add(", _from._values{}._element[_element]", k);
    out_.text += ", _k);\n}\n";
  }

  void write_stores() {
    out_.add(
        "{} void _post_one(const _params& _p, const _type_reduce& _sum, _written& _to, "
        "int _element) {{\n  _post(_p, _sum",
        in_kernel);
    for (int k : out_.outputs) out_.add(", _to._values{}._element[_element]", k);
    out_.add(
        ");\n}}\n{} void _store(const _params& _p, const _place& _at, long long _k, "
        "const _written& _from) {{\n",
        in_kernel);
    for (int k : out_.outputs)
      if (p_.pack > 1)
        out_.add("  _from._values{0}._store(_at._data{0} + _k);\n", k);
      else
        out_.add("  _at._data{0}[{1}] = _from._values{0}._element[0];\n", k, at(k));
    out_.text += "}\n";
  }

  void write_kernel(const ReductionText& pieces, ScanStage stage, const std::string& algorithm) {
    out_.add(
        "\nextern \"C\" __global__ void __launch_bounds__({}) {}{}"
        "(const __grid_constant__ _params _p) {{\n  gpuarr_kernel::{}(_p);\n}}\n",
        p_.staged ? "256, 5" : "256", pieces.name, suffix(stage), algorithm);
  }

  std::string at(int k) const {
    return p_.unit(k) ? "_k" : formatted("_k * _p._stride{}[{}]", k, p_.scanned());
  }

  const ScanVariant& p_;
  KernelWriter out_;
};

}  // namespace

std::string cuda_scan_algorithms(const ScanVariant& variant) {
  namespace file = scan_parts;
  if (variant.form == ScanForm::columns) return kernel_file("scan/columns", file::columns);
  std::string out =
      kernel_file("layout/packs", layout_parts::packs) + kernel_file("scan/lanes", file::lanes);
  if (!variant.staged) out += kernel_file("scan/packs", file::packs);
  if (!variant.chunked) return out + kernel_file("scan/rows", file::rows);
  out += kernel_file("scan/chain", file::chain) + kernel_file("scan/ahead", file::ahead);
  return out + (variant.staged ? kernel_file("scan/staged", file::staged)
                               : kernel_file("scan/tiles", file::tiles));
}

std::string cuda_scan(const ReductionText& pieces, const ScanVariant& variant) {
  return CudaScan(variant).write(pieces);
}

}  // namespace gpuarr
