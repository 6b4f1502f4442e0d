// Reductions of arrays that lie in pieces: partial results of each, combined in order, finished.
#include <array>

#include "core/error.hpp"
#include "kernel/reduction_job.hpp"

namespace gpuarr {
namespace {

constexpr std::array<const Array*, max_operands> no_arrays{};

// Elements of a result must follow each other, from piece to piece.
void check_order(const Binding& binding, int cut) {
  for (int axis = 0; axis < cut; ++axis)
    if (binding.axes().reduced[static_cast<size_t>(axis)] && binding.shape()[axis] > 1)
      fail(GPUARR_ERR_AXIS,
           "the piece is cut along axis {}, but axis {} is reduced too and comes before it, so the "
           "operator would not meet the elements in order; cut along axis {}",
           cut, axis, axis);
}

void check_piece(const Binding& binding, const Piece& piece) {
  const Dims& shape = binding.shape();
  if (binding.empty() && size_of(binding.out_shape()) > 0)
    fail(GPUARR_ERR_EMPTY, "the piece of shape {} has no elements; leave it out", to_string(shape));
  if (piece.axis == -1) return;
  if (piece.axis < -1 || piece.axis >= shape.size())
    fail(GPUARR_ERR_AXIS,
         "the piece is cut along axis {}, but the inputs have {} axes, counted from 0", piece.axis,
         shape.size());
  if (!binding.axes().reduced[static_cast<size_t>(piece.axis)])
    fail(GPUARR_ERR_AXIS,
         "the piece is cut along axis {}, which is not reduced; cut along one that is", piece.axis);
  if (piece.first < 0 || piece.first > piece.extent - shape[piece.axis])
    fail(GPUARR_ERR_SHAPE, "the piece has {} indices of axis {} from {} on, of {} in all",
         shape[piece.axis], piece.axis, piece.first, piece.extent);
}

void check_partials(const Array& partials, const Binding& binding, int64_t set_bytes) {
  const Dims& shape = partials.layout.shape;
  if (&partials.device() != binding.device())
    fail(GPUARR_ERR_DEVICE, "the partial results are on {}, but the inputs are on {}",
         partials.device().facts().name, binding.device()->facts().name);
  if (partials.dtype != DType::u8 || shape.size() != 2 || shape[0] < 1 || shape[1] != set_bytes ||
      !is_contiguous(partials.layout, Order::c))
    fail(GPUARR_ERR_SHAPE,
         "the partial results are {} of shape {}; they must be uint8 of shape (sets, {}), without "
         "gaps",
         name(partials.dtype), to_string(shape), set_bytes);
}

}  // namespace

int64_t Reduction::set_bytes(const Binding& binding) const {
  auto dtype = reduce_dtype(text_, generated_, binding);
  const int64_t results = size_of(binding.out_shape());
  const int64_t bytes = dtype ? size_of(*dtype) : most_partial_bytes;
  if (results > INT64_MAX / bytes)
    fail(GPUARR_ERR_SHAPE, "partial results of shape {}, of {} bytes, are more than can be",
         to_string(binding.out_shape()), bytes);
  return results * bytes;
}

Array Reduction::partial(const Part& part, Stream* given) {
  Binding binding(generated_.signature, part.inputs, {no_arrays.data(), output_count()}, part.axes);
  Stream& stream = binding.stream(given);
  check_piece(binding, part.piece);
  if (traits_.ordered) check_order(binding, part.piece.axis);
  Array out = Array::empty(stream, DType::u8, {1, set_bytes(binding)});
  if (out.size() == 0) return out;
  Workspace memory;
  memory.stage_out = out.data;
  run(Job(*this, binding, stream.device(), Stage::partial, part.piece), memory, stream);
  return out;
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
  check_partials(partials, binding, set_bytes(binding));
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
  check_partials(partials, binding, set_bytes(binding));
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

}  // namespace gpuarr
