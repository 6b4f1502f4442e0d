#include "host/translate/translate.hpp"

#include <algorithm>
#include <unordered_set>

#include "core/line_name.hpp"
#include "core/text.hpp"
#include "core/text_limits.hpp"
#include "device/compile.hpp"
#include "host/read/barriers.hpp"
#include "host/read/definitions.hpp"
#include "host/read/edits.hpp"
#include "host/read/parsed.hpp"
#include "host/split/module.hpp"
#include "host/translate/check_edits.hpp"
#include "host/translate/dynamic_shared.hpp"
#include "host/translate/unsupported.hpp"

namespace gpuarr::host {
namespace {

void fail_to_translate(std::vector<Diagnostic> found) {
  std::string log;
  for (const Diagnostic& d : found)
    log += formatted("{}:{}: error: {}\n", d.file, d.line, d.message);
  throw CompileError(std::move(log), std::move(found));
}

// Of what macros and includes made: the text itself was looked at before.
void check_depth(const Parsed& parsed) {
  const auto found = find_too_deep(parsed.tokens);
  if (!found) return;
  const TextPlace place = parsed.lines.place(found->line);
  fail_to_translate({{place.file, place.line, 0, true, found->message}});
}

/// The end of a module's text.
class Table {
 public:
  Table(const Scan& scan, const BarrierUse& barriers, const SplitModule& split, Purpose purpose)
      : scan_(scan), barriers_(barriers), split_(split), purpose_(purpose) {}

  // A constant with a kernel's launch bounds stands behind it, where the names in it mean the same.
  static std::string bound_name(size_t kernel) { return formatted("gpuarr_bound_{}", kernel); }

  std::string write(const std::vector<std::string>& instances) {
    out_ = "\n#line 1 \"gpuarr/table\"\nstatic const gpuarr_kernel gpuarr_kernels[] = {\n";
    for (const ScannedKernel& kernel : scan_.kernels) add_kernel(kernel);
    for (const std::string& expression : instances) add_instance(expression);
    out_ += "{}};\nstatic const gpuarr_global gpuarr_globals[] = {\n";
    for (const ScannedVariable& variable : scan_.variables) {
      add(variable.place.line, variable.place.file,
          formatted("GPUARR_GLOBAL({}, ::{})", line_name(variable.name), variable.name));
    }
    return out_ + "{}};\nGPUARR_TABLE\n";
  }

 private:
  // An entry, which is said to be of a line of the user's.
  void add(int line, std::string_view file, const std::string& entry) {
    out_ += formatted("#line {} {}\n{}\n#line 1 \"gpuarr/table\"\n", line, line_name(file), entry);
  }

  bool is_overloaded(const ScannedKernel& kernel) const {
    return 1 < std::ranges::count(scan_.kernels, kernel.name, &ScannedKernel::name);
  }

  void add_kernel(const ScannedKernel& kernel) {
    if (kernel.is_template || is_overloaded(kernel)) return;
    add(kernel.place.line, kernel.place.file,
        entry(kernel.name, is_split(kernel), threads(kernel.threads, kernel.in_rows), bound(kernel),
              "::" + kernel.name));
    known_.insert(squeezed(kernel.name));
  }

  std::string bound(const ScannedKernel& kernel) const {
    if (kernel.bounds.empty()) return "0";
    const auto index = static_cast<size_t>(&kernel - scan_.kernels.data());
    return "::" + kernel.scope + bound_name(index);
  }

  void add_instance(const std::string& expression) {
    const std::string name = squeezed(expression);
    if (!known_.insert(name).second) return;
    const std::string written = host::written(tokenize(expression));
    int needed = barriers_.of(expression);
    bool in_rows = !barriers_.knows_its_block(expression);
    std::string bounds = "0";
    const bool plain =
        barriers_.of(written.substr(std::min(written.find('<'), written.size()))) == 0;
    bool split = false;
    for (const ScannedKernel& kernel : scan_.kernels) {
      if (!is_of(name, kernel)) continue;
      needed = std::max(needed, kernel.threads);
      in_rows = in_rows && kernel.in_rows;
      split = plain && is_split(kernel);
      if (!kernel.is_special) bounds = bound(kernel);
    }
    add(1, written,
        entry(written, split, threads(needed, in_rows && needed == 0), bounds, written));
  }

  // As GPUARR_KERNEL has it. Checks know each thread by its fiber.
  int threads(int needed, bool in_rows) const {
    if (purpose_ == Purpose::checks) return 2;
    return in_rows ? -1 : needed;
  }

  bool is_split(const ScannedKernel& kernel) const { return split_.kernels.contains(kernel.name); }

  static std::string entry(std::string_view name, bool split, int threads, std::string_view bounds,
                           std::string_view kernel) {
    if (split)
      return formatted("GPUARR_SPLIT_KERNEL({}, {}, {}, ({}), {})", line_name(name), threads,
                       bounds, split_expression(kernel), kernel);
    return formatted("GPUARR_KERNEL({}, {}, {}, {})", line_name(name), threads, bounds, kernel);
  }

  // Whether "ns::scale<float>" may be an instance of it: the names before the list end alike.
  static bool is_of(std::string_view instance, const ScannedKernel& kernel) {
    const std::string_view name = instance.substr(0, instance.find('<'));
    const std::string_view last = name.substr(name.rfind(':') + 1);
    return std::string_view(kernel.name).substr(kernel.scope.size()) == last;
  }

  const Scan& scan_;
  const BarrierUse& barriers_;
  const SplitModule& split_;
  Purpose purpose_;
  std::unordered_set<std::string> known_;
  std::string out_;
};

void rewrite_kernels(const Parsed& parsed, const Scan& found, Edits& edits) {
  for (const Declaration& d : parsed.outline.declarations) {
    if (!is_kernel(parsed, d)) continue;
    // An instantiation would be an inline one, which there cannot be; nobody could ask for it.
    if (d.is_instantiation) edits.blank(parsed.begin(d.head.first), parsed.end(d.head.last - 1));
    // __global__ has an `inline` of its own.
    for (size_t k = d.head.first; k < d.name; ++k)
      if (parsed.is(k, "inline")) edits.blank(parsed.begin(k), parsed.end(k));
  }
  for (size_t k = 0; k < found.kernels.size(); ++k) {
    const ScannedKernel& kernel = found.kernels[k];
    if (!kernel.bounds.empty())
      edits.insert(parsed.end(kernel.end), formatted(" constexpr int {} = static_cast<int>({});",
                                                     Table::bound_name(k), kernel.bounds));
  }
}

}  // namespace

Translation translate(std::string_view preprocessed, const std::vector<std::string>& instances,
                      Purpose purpose) {
  const Parsed parsed(preprocessed);
  check_depth(parsed);
  if (auto unsupported = find_unsupported(parsed); !unsupported.empty())
    fail_to_translate(std::move(unsupported));
  const BarrierUse barriers(parsed);
  const Scan found = scan(parsed, barriers);
  Edits edits(preprocessed);
  rewrite_kernels(parsed, found, edits);
  rewrite_dynamic_shared(parsed, edits);
  if (purpose == Purpose::checks) prepare_for_checks(parsed, edits);
  SplitModule split = {edits.apply(), {}};
  if (purpose == Purpose::speed) split = split_module(split.text);
  Table table(found, barriers, split, purpose);
  return {split.text + table.write(instances), !split.kernels.empty()};
}

}  // namespace gpuarr::host
