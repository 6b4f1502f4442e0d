// CUDA C++ of a user's own, or its compiled form, as it is on each device.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "array/array.hpp"
#include "core/fork.hpp"
#include "kernel/cache/cache.hpp"
#include "kernel/text/options.hpp"

namespace gpuarr {

struct Target;

class UserModule : public std::enable_shared_from_this<UserModule> {
 public:
  /// `file` is what messages call the text, unless that begins with a #line; `directory` is where
  /// it lies, "" for nowhere.
  static std::shared_ptr<UserModule> from_source(std::string text, std::string file,
                                                 std::string directory,
                                                 const KernelOptions& options);
  static std::shared_ptr<UserModule> from_image(std::string image, int checks);
  static std::shared_ptr<UserModule> from_file(const char* path, const KernelOptions& options);

  /// Fails with GPUARR_ERR_NOT_FOUND where the text is known to have no such kernel. A template's
  /// instance will be compiled with the module.
  void ask_for(const std::string& kernel);

  void build(Device& device);
  /// Compiles for a processor that need not be here, and keeps nothing.
  void check(const std::string& architecture) const;
  std::shared_ptr<RawFunction> function(Device& device, const std::string& name);
  Array global(Device& device, const std::string& name, std::optional<DType> dtype);
  const std::vector<std::string>& kernels(Device& device);  // the list lives as long as this
  std::string listing(Device& device, Listing listing);

  const std::string& source() const { return text_; }  // "" if there is none
  int checks() const { return checks_; }

 private:
  UserModule() = default;

  // One compilation; the first for a device has the variables.
  struct Build {
    RawSource source;
    RawCode code;
    std::vector<std::string> kernels;
  };
  using Builds = std::vector<std::unique_ptr<Build>>;

  std::string whole_text() const;
  RawSource raw_source(const Target& target, std::vector<std::string> instances) const;
  [[noreturn]] void fail_compile(const CompileError& error, const std::string& where) const;
  std::unique_ptr<Build> compile(Device& device, std::vector<std::string> instances) const;
  Build& first_build(Device& device);
  Build& build_of(Device& device, const std::string& kernel);
  [[noreturn]] void fail_late(const std::string& instance) const;

  std::string name_;      // for the cache's list
  std::string text_;      // of a source
  std::string preamble_;  // to stand before it
  std::string image_;     // or what is compiled already
  std::string file_, directory_;
  std::vector<std::string> options_;
  int checks_ = 0;
  std::optional<double> time_limit_;

  ForkSafeMutex mutex_;  // of what follows; not held while a compiler runs
  std::vector<std::string> instances_;
  std::map<const Device*, Builds> builds_;
};

}  // namespace gpuarr
