#include "kernel/copy.hpp"

#include "kernel/elementwise.hpp"

namespace gpuarr {
namespace {

Builtin builtin_copy(const Array& target, const Array& source) {
  Builtin b = loop_over(Builtin::Kind::copy, target);
  b.source_dtype = source.dtype;
  b.source = source.data;
  b.source_strides = source.layout.strides;
  return b;
}

Elementwise* make_kernel(const char* name, const char* body) {
  KernelOptions options;
  options.name = name;
  return new Elementwise("S x", "T y", body, options);
}

// Never destroyed: a copy may still be asked for while the process ends.
Elementwise& kernel_for(DType target, DType source) {
  static Elementwise* const plain = make_kernel("convert", "y = (T)x;");
  static Elementwise* const to_bool = make_kernel("convert_to_bool", "y = x != S(0);");
  static Elementwise* const real_part = make_kernel("convert_real_part", "y = (T)x.real();");
  if (target == DType::boolean) return *to_bool;
  return is_complex(source) && !is_complex(target) ? *real_part : *plain;
}

}  // namespace

Builtin loop_over(Builtin::Kind kind, const Array& target) {
  Builtin loop;
  loop.kind = kind;
  loop.shape = target.layout.shape;
  loop.target_dtype = target.dtype;
  loop.target = target.data;
  loop.target_strides = target.layout.strides;
  return loop;
}

void convert(const Array& target, const Array& source, Stream& stream) {
  if (target.size() == 0) return;
  target.buffer->used_in(stream);
  source.buffer->used_in(stream);
  if (stream.device().run(builtin_copy(target, source), stream)) return;
  const Argument input{&source, nullptr};
  const Array* output = &target;
  kernel_for(target.dtype, source.dtype).call({&input, 1}, {&output, 1}, no_size, &stream);
}

}  // namespace gpuarr
