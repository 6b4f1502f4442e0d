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

 private:
  FunctionTable table_;
};

/// Launches one, which profiles call by a name and the types of its arrays.
inline void launch_own(Function& function, const char* name, const char* types,
                       const LaunchShape& shape, const void* parameters, size_t bytes,
                       Stream& stream) {
  launch_noted(
      stream,
      [&] {
        return LaunchLabel{name, types, {}, {}};
      },
      [&] { function.launch(shape, parameters, bytes, stream); });
}

/// Memory of the stream's, for what is no array of numbers.
inline Array bytes_for(int64_t count, Stream& stream) {
  return Array::empty(stream, DType::u8, Dims{count});
}

}  // namespace gpuarr
