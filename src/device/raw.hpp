// Modules and kernels as a user wrote them, as every backend has them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/dtype.hpp"
#include "device/stream.hpp"

namespace gpuarr {

struct Dim3 {
  uint32_t x = 1, y = 1, z = 1;
  int64_t count() const { return int64_t{x} * y * z; }
};

/// An array among the arguments, for what a check has to say.
struct ArraySpan {
  int argument = 0;  // its index
  DType dtype = DType::u8;
  const void* data = nullptr;   // the element with all indices 0
  const void* begin = nullptr;  // the first byte that the array's elements take up
  const void* end = nullptr;    // behind the last one
  std::string shape;            // "(3, 4)"
  std::string name;             // of the parameter; "" if it is not known
};

struct RawLaunch {
  Dim3 grid;
  Dim3 block;
  Dim3 cluster = {0, 0, 0};  // 0: none
  int64_t shared_bytes = 0;  // dynamic
  bool cooperative = false;
  int checks = 0;                     // GPUARR_CHECK_..., as the module was compiled
  std::span<const ArraySpan> arrays;  // of the arguments, if there are checks
  bool pointers = false;              // there are addresses among the arguments, or structs
};

struct RawParameter {
  int64_t offset = 0;  // in the packed arguments
  int64_t bytes = 0;
  std::string type;  // as C++ spells it; "" where the backend does not know
};

struct RawFacts {
  std::string name;                                     // as it was asked for
  std::string symbol;                                   // mangled, if it is C++'s; else the same
  std::optional<std::vector<RawParameter>> parameters;  // none: the driver cannot tell
  int max_threads = 1024;                               // of a block
  int64_t static_shared_bytes = 0;
  int64_t max_dynamic_shared_bytes = 0;  // that the device can give it
};

class RawFunction {
 public:
  virtual ~RawFunction() = default;
  virtual const RawFacts& facts() const = 0;

  /// Runs after the stream's earlier work. `arguments` are packed as the parameters say, and read
  /// before the call returns.
  virtual void launch(const RawLaunch& launch, const void* arguments, size_t bytes,
                      Stream& stream) = 0;

  virtual int64_t attribute(int32_t attribute);  // GPUARR_ATTRIBUTE_...
  virtual void set_attribute(int32_t attribute, int64_t value);
  /// Of a processor.
  virtual int resident_blocks(int /*threads*/, int64_t /*shared_bytes*/) { return 1; }
  virtual int best_block(int64_t /*shared_bytes*/) { return facts().max_threads; }  // threads
};

struct RawGlobal {
  void* address = nullptr;
  int64_t bytes = 0;
  std::string type;  // of its elements, as C++ spells it; "" where the backend does not know
};

class RawModule {
 public:
  virtual ~RawModule() = default;
  // Both fail with GPUARR_ERR_NOT_FOUND. A kernel keeps its module.
  virtual std::shared_ptr<RawFunction> function(const std::string& name) = 0;
  virtual RawGlobal global(const std::string& name);
  virtual std::vector<std::string> kernels() = 0;  // their names
};

}  // namespace gpuarr
