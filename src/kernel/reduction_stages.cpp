// Reductions of arrays that lie in pieces: partial results of each, combined in order, finished.
#include <array>

#include "core/error.hpp"
#include "kernel/reduction_job.hpp"

namespace gpuarr {
namespace {

constexpr std::array<const Array*, max_operands> no_arrays{};

// Elements of a result must follow each other, from piece to piece.
void check_order(const Binding& binding, const Piece& piece) {
  int first = -1;  // reduced axis of more than one index
  for (int axis = 0; axis < piece.whole.size(); ++axis) {
    if (!binding.axes().reduced[as_index(axis)]) continue;
    if (first >= 0 && binding.shape()[axis] != piece.whole[axis])
      fail(GPUARR_ERR_AXIS,
           "the piece is cut along axis {}, but axis {} is reduced too and comes before it, so the "
           "operator would not meet the elements in order; cut along axis {}",
           axis, first, first);
    if (first < 0 && piece.whole[axis] > 1) first = axis;
  }
}

void check_piece(const Binding& binding, const Piece& piece) {
  const Dims& shape = binding.shape();
  if (binding.empty() && size_of(binding.out_shape()) > 0)
    fail(GPUARR_ERR_EMPTY, "the piece of shape {} has no elements; leave it out", to_string(shape));
  if (piece.whole.empty() && piece.first.empty()) return;
  if (piece.whole.size() != shape.size() || piece.first.size() != shape.size())
    fail(GPUARR_ERR_AXIS,
         "the piece begins at {} of a whole of shape {}, but the inputs have {} axes; give an "
         "index and an extent of each",
         to_string(piece.first), to_string(piece.whole), shape.size());
  for (int axis = 0; axis < shape.size(); ++axis)
    if (piece.first[axis] < 0 || piece.whole[axis] < shape[axis] ||
        piece.first[axis] > piece.whole[axis] - shape[axis])
      fail(GPUARR_ERR_SHAPE, "the piece has {} indices of axis {} from {} on, of {} in all",
           shape[axis], axis, piece.first[axis], piece.whole[axis]);
  check_size(piece.whole, "the whole's");
}

int64_t bytes_of_set(const Dims& results, int64_t each) {
  const int64_t count = size_of(results);
  if (count > INT64_MAX / each)
    fail(GPUARR_ERR_SHAPE, "partial results of shape {}, of {} bytes, are more than can be",
         to_string(results), each);
  return count * each;
}

}  // namespace

int64_t Reduction::partial_bytes(const Binding& binding) const {
  const auto dtype = reduce_dtype(text_, generated_, binding);
  return dtype ? size_of(*dtype) : struct_bytes_;
}

int64_t Reduction::set_bytes(const Binding& binding) const {
  return bytes_of_set(binding.out_shape(), partial_bytes(binding));
}

int64_t Reduction::set_bytes(const Part& part) const {
  return set_bytes(
      Binding(generated_.signature, part.inputs, {no_arrays.data(), output_count()}, part.axes));
}

void Reduction::check_partials(const Array& partials, const Binding& binding) const {
  const Dims& shape = partials.layout.shape;
  const int64_t one = partial_bytes(binding);
  const int64_t bytes = bytes_of_set(binding.out_shape(), one);
  if (&partials.device() != binding.device())
    fail(GPUARR_ERR_DEVICE, "the partial results are on {}, but the inputs are on {}",
         partials.device().facts().name, binding.device()->facts().name);
  if (partials.dtype != DType::u8 || shape.size() != 2 || shape[0] < 1 || shape[1] != bytes ||
      !is_contiguous(partials.layout, Order::c))
    fail(GPUARR_ERR_SHAPE,
         "the partial results are {} of shape {}; they must be uint8 of shape (sets, {}), without "
         "gaps",
         name(partials.dtype), to_string(shape), bytes);
  const int64_t alignment = one & -one;  // the size of any type is a multiple of its own
  if (reinterpret_cast<uintptr_t>(partials.data) % static_cast<uintptr_t>(alignment) != 0)
    fail(GPUARR_ERR_ARGUMENT, "the partial results are at {}; begin at a multiple of {} bytes",
         partials.data, alignment);
}

Array Reduction::partial(const Part& part, Stream* given) {
  Binding binding(generated_.signature, part.inputs, {no_arrays.data(), output_count()}, part.axes);
  Stream& stream = binding.stream(given);
  Array set = Array::empty(stream, DType::u8, {1, set_bytes(binding)});
  partial_into(set, binding, part.piece, stream);
  return set;
}

void Reduction::partial_into(const Array& set, const Part& part, Stream* given) {
  Binding binding(generated_.signature, part.inputs, {no_arrays.data(), output_count()}, part.axes);
  Stream& stream = binding.stream(given);
  check_partials(set, binding);
  if (set.layout.shape[0] != 1)
    fail(GPUARR_ERR_SHAPE, "there is room for {} sets of partial results; give that of one",
         set.layout.shape[0]);
  partial_into(set, binding, part.piece, stream);
}

void Reduction::partial_into(const Array& set, const Binding& binding, const Piece& piece,
                             Stream& stream) {
  check_piece(binding, piece);
  if (traits_.ordered) check_order(binding, piece);
  if (set.size() == 0) return;
  Workspace memory;
  memory.stage_out = set.data;
  set.buffer->used_in(stream);
  run(Job(*this, binding, stream.device(), Stage::partial, piece), memory, stream);
}

void Reduction::gather(const Array& partials, const Job& job, void* out, Stream& stream) {
  const Dims& shape = partials.layout.shape;
  Workspace memory;
  memory.stage_in = partials.data;
  memory.sets = shape[0];
  memory.set_bytes = shape[1];
  memory.stage_out = out;
  partials.buffer->used_in(stream);
  run(job, memory, stream);
}

Array Reduction::combine(const Array& partials, const Part& part, Stream* given) {
  Binding binding(generated_.signature, part.inputs, {no_arrays.data(), output_count()}, part.axes);
  Stream& stream = binding.stream(given);
  check_piece(binding, part.piece);
  check_partials(partials, binding);
  Array out = Array::empty(stream, DType::u8, {1, set_bytes(binding)});
  if (out.size() == 0) return out;
  Job job(*this, binding, stream.device(), Stage::combine, part.piece);
  gather(partials, job, out.data, stream);
  return out;
}

MadeOutputs Reduction::finish(const Array& partials, const Part& part,
                              std::span<const Array* const> outputs, Stream* given) {
  Binding binding(generated_.signature, part.inputs, outputs, part.axes);
  Stream& stream = binding.stream(given);
  check_piece(binding, part.piece);
  check_partials(partials, binding);
  binding.require_apart();
  binding.make_outputs(stream);
  if (size_of(binding.out_shape()) == 0) return binding.take_made();
  Job job(*this, binding, stream.device(), Stage::finish, part.piece);
  gather(partials, job, nullptr, stream);
  return binding.take_made();
}

Array stack(std::span<const Array> partials, Stream& stream) {
  int64_t sets = 0;
  for (const Array& one : partials) sets += one.layout.shape[0];
  Array out = Array::empty(stream, DType::u8, {sets, partials.front().layout.shape[1]});
  int64_t from = 0;
  for (const Array& one : partials) {
    if (one.size() == 0) continue;
    one.buffer->used_in(stream);
    stream.device().copy(static_cast<char*>(out.data) + from, one.data, one.size(), stream);
    from += one.size();
  }
  return out;
}

Array stand_in(const Array& other, DType dtype, const Dims& shape) {
  Array out = other;
  out.dtype = dtype;
  out.layout = {shape, Dims::filled(shape.size(), 0)};
  return out;
}

}  // namespace gpuarr
