// Captures and graphs of a GPU, on the stand-in for the driver, which ends a program that launches
// what is gone: what goes into a graph, what it keeps, and what costs a launch.
#include <cstring>
#include <memory>
#include <vector>

#include "cuda/backend.hpp"
#include "cuda/device/device.hpp"
#include "cuda_fake.hpp"
#include "device/capture.hpp"
#include "device/graph.hpp"
#include "device/pool.hpp"
#include "kernel/launch/workspace.hpp"
#include "ops/base/copy.hpp"
#include "ops/base/transfer.hpp"
#include "ops/index/select.hpp"
#include "ops/reduce/scan.hpp"

using namespace gpuarr;
using fake::Setting;

namespace {

const cuda::Driver& api(Device& device) {
  auto& gpu = static_cast<cuda::CudaDevice&>(device);
  gpu.enter();
  return gpu.api();
}

Scalar number(int32_t value) {
  Scalar scalar;
  scalar.dtype = DType::i32;
  std::memcpy(scalar.bytes, &value, sizeof value);
  return scalar;
}

Array filled(int32_t value, Stream& stream) {
  Array array = Array::empty(stream, DType::i32, {1000});
  fill(array, number(value), stream);
  return array;
}

int32_t first_of(const Array& array, Stream& stream) {
  std::vector<int32_t> data(1000);
  read(host_memory(DType::i32, {1000}, nullptr, data.data()), array, stream);
  return data[0];
}

void launches(Device& device) {
  auto stream = device.create_stream(0);
  Array x = filled(1, *stream);
  Array y = filled(2, *stream);
  stream->begin_capture();
  CHECK(stream->captures());
  CHECK(stream->is_capturing());
  fill(x, number(7), *stream);
  assign(y, x, *stream);
  auto graph = stream->end_capture();
  CHECK(!stream->captures());
  CHECK(!stream->is_capturing());
  CHECK_EQ(graph->nodes(), 2);
  CHECK_EQ(first_of(y, *stream), 2);
  auto exec = graph->instantiate();
  graph.reset();
  exec->launch(*stream);
  CHECK_EQ(first_of(y, *stream), 7);
  const char* functions[] = {"cuGraphLaunch", "cuCtxGetCurrent", "cuEventRecord", "cuEventCreate",
                             "cuStreamIsCapturing"};
  std::vector<int64_t> before;
  for (const char* f : functions) before.push_back(fake::calls(f));
  for (int k = 0; k < 10; ++k) exec->launch(*stream);
  for (size_t k = 0; k < before.size(); ++k)
    CHECK_EQ(fake::calls(functions[k]), before[k] + (k < 2 ? 10 : 0));
}

// What was used in a capture lives as long as an exec, or longer if that may still be under way.
void memory_is_kept(Device& device) {
  auto stream = device.create_stream(0);
  Pool& pool = device.pool();
  const int64_t used = pool.statistics().used;
  Array y = filled(0, *stream);
  Array x = filled(3, *stream);
  const void* address = x.data;
  stream->begin_capture();
  Array made = filled(4, *stream);
  assign(y, x, *stream);
  const void* of_graph = made.data;
  CHECK(find_memory(device, of_graph).state == MemoryFound::State::live);
  CHECK(pool.find(of_graph).state == MemoryFound::State::unknown);
  made = {};
  Array next = filled(5, *stream);
  CHECK(next.data == of_graph);  // in the order of the graph
  x = {};
  auto exec = stream->end_capture()->instantiate();
  for (int k = 0; k < 3; ++k) CHECK(filled(9, *stream).data != address);
  pool.trim();
  device.pool().trim();
  exec->launch(*stream);
  CHECK_EQ(first_of(y, *stream), 3);
  CHECK_EQ(first_of(next, *stream), 5);
  next = {};
  {
    Setting set("FAKE_CUDA_BUSY", "1");
    exec.reset();
    CHECK_EQ(pool.statistics().used, used + 2 * 4096);
  }
  clear_finished_graphs();
  CHECK_EQ(pool.statistics().used, used + 4096);
  y = {};
  CHECK_EQ(pool.statistics().used, used);
}

// Two graphs share memory; an array of a capture that came to nothing is free at once.
void memory_of_several(Device& device) {
  auto stream = device.create_stream(0);
  const int64_t used = device.pool().statistics().used;
  Array x = filled(3, *stream);
  std::shared_ptr<Graph> graphs[2];
  for (auto& graph : graphs) {
    stream->begin_capture();
    fill(x, number(1), *stream);
    graph = stream->end_capture();
  }
  x = {};
  graphs[0].reset();
  CHECK_EQ(device.pool().statistics().used, used + 4096);
  graphs[1].reset();
  CHECK_EQ(device.pool().statistics().used, used);
  x = filled(3, *stream);
  stream->begin_capture();
  fill(x, number(1), *stream);
  stream->end_capture();
  x = {};
  CHECK_EQ(device.pool().statistics().used, used);
}

// No event of ours goes into a capture, whatever is released meanwhile.
void releases_leave_no_trace(Device& device) {
  auto stream = device.create_stream(0);
  auto other = device.create_stream(0);
  Array x = filled(1, *stream);
  Array y = filled(2, *other);
  x.buffer->used_in(*other);
  y.buffer->used_in(*stream);
  stream->begin_capture();
  const int64_t records = fake::calls("cuEventRecord");
  x = {};
  y = {};
  Array third = filled(3, *other);  // takes none of a captured stream's
  CHECK_EQ(fake::calls("cuEventRecord"), records);
  CHECK_FAILS(GPUARR_ERR_UNSUPPORTED, "order them before", [&] { stream->let_wait(*other); });
  CHECK_FAILS(GPUARR_ERR_UNSUPPORTED, "order them before", [&] { other->let_wait(*stream); });
  CHECK_EQ(stream->end_capture()->nodes(), 0);
  filled(4, *stream);
  CHECK(fake::calls("cuEventRecord") > records);
}

void streams_join(Device& device, Device& other) {
  auto stream = device.create_stream(0);
  auto side = device.create_stream(0);
  auto far = other.create_stream(0);
  auto event = device.create_event(false);
  auto far_event = other.create_event(false);
  Array x = filled(1, *stream);
  Array there = filled(1, *far);
  for (bool joined : {false, true}) {
    stream->begin_capture();
    stream->record(*event);
    side->wait(*event);
    far->wait(*event);
    CHECK(side->captures() && far->captures());
    CHECK_FAILS(GPUARR_ERR_ARGUMENT, "began in another stream", [&] { side->end_capture(); });
    Array made = filled(2, *side);
    assign(there, x, *far);  // from another GPU, alike on both
    if (joined) {
      far->record(*far_event);
      stream->wait(*far_event);
      side->let_wait(*stream);  // within the capture this is an edge like any other
      CHECK_EQ(stream->end_capture()->nodes(), 2);
    } else {
      CHECK_FAILS(GPUARR_ERR_ARGUMENT, "its work is not waited for",
                  [&] { stream->end_capture(); });
    }
    CHECK(!side->captures() && !far->captures());
    CHECK_EQ(device.captures() + other.captures(), 0);
    side->synchronize();
  }
}

void what_is_refused(Device& device) {
  auto stream = device.create_stream(0);
  auto legacy = device.borrow_stream(nullptr);
  CHECK_FAILS(GPUARR_ERR_UNSUPPORTED, "legacy default stream", [&] { legacy->begin_capture(); });
  CHECK(!legacy->captures());
  auto outside = device.create_event(false);
  auto inside = device.create_event();
  stream->record(*outside);
  stream->begin_capture();
  stream->record(*inside);
  CHECK_FAILS(GPUARR_ERR_UNSUPPORTED, "outside of the capture", [&] { stream->wait(*outside); });
  CHECK_FAILS(GPUARR_ERR_UNSUPPORTED, "is being captured", [&] { inside->query(); });
  CHECK_FAILS(GPUARR_ERR_UNSUPPORTED, "is being captured", [&] { inside->synchronize(); });
  CHECK_FAILS(GPUARR_ERR_UNSUPPORTED, "is being captured",
              [&] { inside->microseconds_since(*inside); });
  CHECK_FAILS(GPUARR_ERR_UNSUPPORTED, "cannot be waited for", [&] { device.synchronize(); });
  auto second = device.create_stream(0);
  second->begin_capture();
  CHECK_FAILS(GPUARR_ERR_UNSUPPORTED, "of two captures", [&] { second->wait(*inside); });
  second->end_capture();
  CHECK_EQ(stream->end_capture()->nodes(), 0);  // none of this harmed it
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "has ended", [&] { stream->wait(*inside); });
  {
    Setting set("FAKE_CUDA_CAPTURES", "1");
    CHECK_FAILS(GPUARR_ERR_ARGUMENT, "by another library", [&] { stream->begin_capture(); });
  }
  stream->begin_capture();  // and now somebody calls the driver
  api(device).stream_synchronize.unchecked(static_cast<CUstream>(stream->native()));
  CHECK_FAILS(GPUARR_ERR_UNSUPPORTED, "no graph was created", [&] { stream->end_capture(); });
  stream->synchronize();
}

// Tiles that wait for each other meet in memory, which a graph of the driver's cannot keep.
void captures_of_others(Device& device) {
  constexpr int64_t count = 1 << 20;
  auto stream = device.create_stream(0);
  const Array x = Array::empty(*stream, DType::f32, {count});
  const Array mask = Array::empty(*stream, DType::boolean, {count});
  const Array out = Array::empty(*stream, DType::f32, {count});
  const Array number = Array::empty(*stream, DType::i64, {});
  auto* const native = static_cast<CUstream>(stream->native());
  api(device).stream_begin_capture(native, CU_STREAM_CAPTURE_MODE_RELAXED);
  const char* refusal =
      "captured with the driver's own functions, but the call needs memory that such a graph "
      "cannot keep; capture with gpuarr_stream_begin_capture";
  CHECK_FAILS(GPUARR_ERR_UNSUPPORTED, refusal,
              [&] { scan(Scanner::cumsum, x, &out, {}, stream.get()); });
  CHECK_FAILS(GPUARR_ERR_UNSUPPORTED, refusal,
              [&] { select_into(out, &number, x, mask, stream.get()); });
  CUgraph graph = nullptr;
  api(device).stream_end_capture(native, &graph);
  size_t nodes = 1;
  api(device).graph_get_nodes(graph, nullptr, &nodes);
  CHECK_EQ(nodes, 0u);
  api(device).graph_destroy(graph);
}

void updates(Device& device) {
  auto stream = device.create_stream(0);
  Array x = filled(1, *stream);
  Array y = filled(1, *stream);
  auto captured = [&](int32_t value, bool copies) {
    stream->begin_capture();
    fill(x, number(value), *stream);
    if (copies) assign(y, x, *stream);
    return stream->end_capture();
  };
  auto exec = captured(5, false)->instantiate();
  exec->launch(*stream);
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "it has other nodes", [&] { captured(6, true)->update(*exec); });
  exec->launch(*stream);
  CHECK_EQ(first_of(x, *stream), 5);
  captured(7, false)->update(*exec);
  exec->launch(*stream);
  CHECK_EQ(first_of(x, *stream), 7);
}

// Blocks that share a result meet in memory of the graph.
void workspaces(Device& device) {
  auto stream = device.create_stream(0);
  ReductionGeometry shared;
  shared.partials = 100;
  shared.counters = 3;
  stream->begin_capture();
  const void* memory = nullptr;
  {
    WorkspaceLease lease(shared, 64, *stream);
    memory = lease.get().partials;
    CHECK(device.pool().find(memory).state == MemoryFound::State::unknown);
  }
  CHECK(WorkspaceLease(shared, 64, *stream).get().partials == memory);
  CHECK_EQ(stream->end_capture()->nodes(), 2);  // the counters are cleared each time
  CHECK(stream->counters.load() == nullptr);
}

void functions(Device& device) {
  auto stream = device.create_stream(0);
  int count = 0;
  stream->begin_capture();
  stream->call([](void* user) { ++*static_cast<int*>(user); }, &count);
  auto inner = stream->end_capture()->instantiate();
  stream->begin_capture();
  inner->launch(*stream);
  inner->launch(*stream);
  auto outer = stream->end_capture()->instantiate();
  inner.reset();
  outer->launch(*stream);
  outer->launch(*stream);
  CHECK_EQ(count, 4);
}

// The owner of a stream gets it back, even if it was let go of in the middle of a capture.
void borrowed(Device& device) {
  CUstream native = nullptr;
  api(device).stream_create(&native, CU_STREAM_NON_BLOCKING, 0);
  auto stream = device.borrow_stream(native);
  stream->begin_capture();
  filled(1, *stream);
  stream.reset();
  CHECK_EQ(device.captures(), 0);
  api(device).stream_synchronize(native);
  stream = device.borrow_stream(native);
  stream->begin_capture();
  filled(1, *stream);
  CHECK_EQ(stream->end_capture()->nodes(), 1);
  stream.reset();
  api(device).stream_destroy(native);
}

void failures(Device& device) {
  auto stream = device.create_stream(0);
  stream->begin_capture();
  auto graph = stream->end_capture();
  auto exec = graph->instantiate();
  auto check = [&](const char* function, auto&& body) {
    Setting set("FAKE_CUDA_FAIL", std::string(function) + ":201");
    CHECK_FAILS(GPUARR_ERR_DRIVER, function, body);
  };
  check("cuStreamBeginCapture", [&] { stream->begin_capture(); });
  check("cuGraphGetNodes", [&] { graph->nodes(); });
  check("cuGraphInstantiateWithFlags", [&] { graph->instantiate(); });
  check("cuGraphExecUpdate", [&] { graph->update(*exec); });
  check("cuGraphLaunch", [&] { exec->launch(*stream); });
  stream->begin_capture();
  check("cuStreamEndCapture", [&] { stream->end_capture(); });
  CHECK(!stream->captures());
  stream->synchronize();
}

}  // namespace

int main() {
  fake::require();
  Setting set("FAKE_CUDA_DEVICES", "2");
  Device& device = cuda::open_device(0);
  Device& other = cuda::open_device(1);
  launches(device);
  memory_is_kept(device);
  memory_of_several(device);
  releases_leave_no_trace(device);
  streams_join(device, other);
  what_is_refused(device);
  captures_of_others(device);
  updates(device);
  workspaces(device);
  functions(device);
  borrowed(device);
  failures(device);
  CHECK_EQ(device.captures() + other.captures(), 0);
  return check::result();
}
