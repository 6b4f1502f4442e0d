// Loading a user's own module, and finding what is in it.
#include "cuda/device/raw_module.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "cuda/device/loader.hpp"
#include "cuda/device/raw_function.hpp"

namespace gpuarr::cuda {
namespace {

using Strings = std::vector<std::string>;

// gpuarr_check_report of the prelude's language/checks.cuh.
struct CheckReport {
  uint32_t state = 0, is_index = 0;
  char text[400] = {};
};

// For code that names cannot be read from, the driver may know them.
Strings ask_driver(const Driver& api, CUmodule module) {
  Strings names;
  if (!api.module_count_functions || !api.module_list_functions || !api.function_get_name)
    return names;
  unsigned count = 0;
  api.module_count_functions(&count, module);
  std::vector<CUfunction> functions(count);
  if (count != 0) api.module_list_functions(functions.data(), count, module);
  for (CUfunction function : functions) {
    const char* name = nullptr;
    api.function_get_name(&name, function);
    names.emplace_back(name);
  }
  return names;
}

Strings those_called(const Strings& symbols, const std::string& name) {
  Strings found;
  std::ranges::copy_if(symbols, std::back_inserter(found),
                       [&](const std::string& symbol) { return is_called(symbol, name); });
  return found;
}

// "ns::table" is _ZN2ns5tableE whatever else there is in the module.
std::string mangled_variable(const std::string& name) {
  std::string parts;
  for (size_t begin = 0; begin <= name.size();) {
    size_t end = std::min(name.find("::", begin), name.size());
    parts += formatted("{}{}", end - begin, name.substr(begin, end - begin));
    begin = end + 2;
  }
  return "_ZN" + parts + "E";
}

Strings readable_names(const Strings& symbols) {
  Strings names;
  for (const std::string& symbol : symbols) names.push_back(readable(symbol));
  return names;
}

std::string listed(const char* what, const Strings& names) {
  return names.empty() ? ""
                       : formatted("; the {} there {} {}", what, names.size() > 1 ? "are" : "is",
                                   joined(names));
}

// Symbols beside what is meant by them, since the readable names may differ in nothing.
[[noreturn]] void fail_ambiguous(const std::string& name, const Strings& symbols) {
  Strings both;
  for (const std::string& symbol : symbols)
    both.push_back(formatted("{} ({})", readable(symbol), symbol));
  fail(GPUARR_ERR_NOT_FOUND, "\"{}\" matches several kernels; use one of these: {}", name,
       joined(both));
}

}  // namespace

CudaRawModule::CudaRawModule(CudaDevice& device, Image image)
    : device_(device),
      module_(load_code(device, image.code)),
      instances_(std::move(image.instances)),
      symbols_(read_symbols(image.code)) {
  Strings& kernels = symbols_.kernels;
  if (kernels.empty()) kernels = ask_driver(device.api(), module_.get());
  // Drivers before CUDA 12.4 do not tell.
  if (!device.api().function_get_parameter)
    for (const std::string& kernel : kernels)
      if (auto parameters = read_parameters(image.code, kernel))
        parameters_.emplace(kernel, std::move(*parameters));
}

std::string CudaRawModule::kernel_symbol(const std::string& name) {
  auto instance = std::ranges::find(instances_, name, &Instance::expression);
  if (instance != instances_.end()) return instance->symbol;
  if (std::ranges::find(symbols_.kernels, name) != symbols_.kernels.end()) return name;
  Strings found = those_called(symbols_.kernels, name);
  if (found.size() > 1) fail_ambiguous(name, found);
  return found.empty() ? name : found[0];
}

std::shared_ptr<RawFunction> CudaRawModule::function(const std::string& name) {
  device_.enter();
  std::string symbol = kernel_symbol(name);
  CUfunction function = find_function(device_.api(), module_.get(), symbol);
  if (function == nullptr)
    fail(GPUARR_ERR_NOT_FOUND, "the module has no kernel \"{}\"{}", name,
         listed(symbols_.kernels.size() > 1 ? "kernels" : "kernel", kernels()));
  return std::make_shared<CudaRawFunction>(device_, function, name, std::move(symbol),
                                           shared_from_this());
}

std::optional<std::vector<RawParameter>> CudaRawModule::parameters(
    const std::string& symbol) const {
  auto found = parameters_.find(symbol);
  return found != parameters_.end() ? std::optional(found->second) : std::nullopt;
}

bool CudaRawModule::has_global(const std::string& symbol, RawGlobal& global) {
  CUdeviceptr address = 0;
  size_t bytes = 0;
  if (!device_.api().module_get_global.succeeds_unless(CUDA_ERROR_NOT_FOUND, &address, &bytes,
                                                       module_.get(), symbol.c_str()))
    return false;
  global = {reinterpret_cast<void*>(address), static_cast<int64_t>(bytes), ""};
  return true;
}

RawGlobal CudaRawModule::global(const std::string& name) {
  device_.enter();
  RawGlobal global;
  if (has_global(name, global)) return global;
  for (const Instance& instance : instances_)
    if (instance.expression == '&' + name && has_global(instance.symbol, global)) return global;
  if (name.find("::") != std::string::npos && has_global(mangled_variable(name), global))
    return global;
  Strings found = those_called(symbols_.variables, name);
  if (found.size() == 1 && has_global(found[0], global)) return global;
  fail(GPUARR_ERR_NOT_FOUND, "the module has no variable \"{}\"{}", name,
       listed(symbols_.variables.size() > 1 ? "variables" : "variable",
              readable_names(symbols_.variables)));
}

void CudaRawModule::tell_report(const std::string& kernel, Stream& stream) {
  RawGlobal global;
  if (!has_global("gpuarr_check_reported", global)) return;
  CheckReport report;
  device_.copy(&report, global.address, sizeof report, stream);
  stream.synchronize();
  if (report.state == 0) return;
  const CheckReport none;
  device_.copy(global.address, &none, sizeof none, stream);
  stream.synchronize();
  fail(report.is_index != 0 ? GPUARR_ERR_FAULT : GPUARR_ERR_ASSERT, "kernel \"{}\"{}", kernel,
       report.text);
}

// Instances as they were asked for, others by their short names where that is enough.
Strings CudaRawModule::kernels() {
  Strings names;
  for (const Instance& instance : instances_)
    if (std::ranges::find(symbols_.kernels, instance.symbol) != symbols_.kernels.end())
      names.push_back(instance.expression);
  for (const std::string& symbol : symbols_.kernels) {
    if (std::ranges::find(instances_, symbol, &Instance::symbol) != instances_.end()) continue;
    std::string name = short_name(symbol);
    names.push_back(those_called(symbols_.kernels, name).size() == 1 ? name : readable(symbol));
  }
  return names;
}

}  // namespace gpuarr::cuda
