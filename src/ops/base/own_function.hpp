// Kernels whose texts are the library's own: compiled when first asked for, then found without a
// lock.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "array/array.hpp"
#include "device/device.hpp"
#include "kernel/cache/cache.hpp"
#include "kernel/launch/profile.hpp"
#include "kernel/launch/table.hpp"

namespace gpuarr {

struct OwnLabel {
  const char* name;
  const char* types;
};

/// The functions of one kind of text, by function and by variant: what the text depends on. Never
/// destroy it: it may be asked for while the process ends.
class OwnFunctions {
 public:
  template <class Variant, class MakeSource>
  const std::shared_ptr<Function>& get(Device& device, std::string_view function,
                                       const Variant& variant, const MakeSource& source) {
    Key key(device.index(), variant);
    key.add(std::as_bytes(std::span(function)));
    return find_or_make(table_, key, [&] {
      return cached_module(device, source())->function(std::string(function));
    });
  }

  /// Launches one, which profiles call by `label` and the types of its arrays.
  template <class Variant, class Parameters, class MakeSource>
  void launch(std::string_view name, const OwnLabel& label, const Variant& variant,
              const MakeSource& source, const LaunchShape& shape, const Parameters& parameters,
              Stream& stream) {
    const auto& function = get(stream.device(), name, variant, source);
    launch_noted(
        stream,
        [&] {
          return LaunchLabel{label.name, label.types, {}, {}};
        },
        [&] { function->launch(shape, &parameters, sizeof parameters, stream); });
  }

 private:
  FunctionTable table_;
};

/// One of the functions for variants of a kind, and how it is launched.
template <class Variant>
struct OwnFunction {
  Source (*source)(const Variant& variant);
  const char* name;
  LaunchShape shape;
};

template <class Variant, class Parameters>
void launch_own(const Variant& variant, const OwnFunction<Variant>& function,
                const Parameters& parameters, Stream& stream) {
  static auto* const functions = new OwnFunctions;
  functions->launch(
      function.name, {function.name, name(variant.dtype)}, variant,
      [&] { return function.source(variant); }, function.shape, parameters, stream);
}

/// Memory of the stream's, for what is no array of numbers.
inline Array bytes_for(int64_t count, Stream& stream) {
  return Array::empty(stream, DType::u8, Dims{count});
}

}  // namespace gpuarr
