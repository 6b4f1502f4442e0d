// A module that was compiled with checks, as it lies in this process.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "host/check/regions.hpp"
#include "host/check/symbols.hpp"
#include "host/glue/abi.cuh"

namespace gpuarr::host {

class CheckedModule {
 public:
  /// Null if the module was compiled without.
  static std::shared_ptr<const CheckedModule> find(void* handle, const std::string& image,
                                                   std::span<const gpuarr_global> globals);

  /// Adds the module's variables, with those that the calling thread has of its own.
  void add_regions(Regions& regions) const;

  /// Makes the module's code ask this one; null for none.
  void set_checker(gpuarr_checker* checker) const { *checker_ = checker; }

  /// Whether its variables may hold addresses of arrays.
  bool has_pointers() const { return has_pointers_; }
  bool allocates() const { return allocates_; }

  /// "k.cu:9" for each place in the code behind a call.
  std::vector<std::string> lines(const std::vector<const void*>& places) const;

 private:
  using Find = gpuarr_checker** (*)();
  CheckedModule(void* handle, Find find_checker, const std::string& image,
                std::span<const gpuarr_global> globals);

  void* handle_;
  Find find_checker_;
  gpuarr_checker** checker_;
  std::string image_;
  uintptr_t base_ = 0;
  std::vector<ModuleSymbol> variables_;
  bool has_pointers_;
  bool allocates_;
};

}  // namespace gpuarr::host
