// Cooperative groups of raw kernels on the CPU, against what each thread should get.
#include <vector>

#include "check.hpp"
#include "raw_build.hpp"

using namespace gpuarr;

namespace {

constexpr int results = 24;

const char* groups_text = R"(
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;
__device__ int sum_of(const cg::thread_group& group, int* shared, int value) {
  const int rank = group.thread_rank();
  shared[rank] = value;
  group.sync();
  int sum = 0;
  for (unsigned i = 0; i < group.size(); ++i) sum += shared[i];
  group.sync();
  return sum;
}
extern "C" __global__ void groups(const int* x, int* out, int n) {
  __shared__ int shared[128], copied[128];
  cg::thread_block block = cg::this_thread_block();
  const int t = block.thread_rank();
  int* z = out + 24 * (blockIdx.x * block.size() + t);
  cg::memcpy_async(block, copied, x, sizeof(int) * n);
  cg::wait(block);
  const int v = copied[t];
  const cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
  const auto eight = cg::tiled_partition<8>(block);
  const auto two = cg::tiled_partition<2>(eight);
  *z++ = cg::reduce(tile, v, cg::plus<int>()); *z++ = cg::reduce(eight, v, cg::greater<int>());
  *z++ = cg::reduce(two, v, cg::bit_xor<int>());
  *z++ = cg::inclusive_scan(tile, v); *z++ = cg::exclusive_scan(eight, v, cg::plus<int>());
  *z++ = eight.meta_group_rank() + 100 * eight.meta_group_size();
  *z++ = two.meta_group_rank() + 100 * two.meta_group_size();
  *z++ = eight.shfl(v, 3); *z++ = eight.shfl_down(v, 2); *z++ = two.shfl_xor(v, 1);
  *z++ = eight.ballot(v & 1); *z++ = eight.any(v == 5) + 2 * eight.all(v >= 0);
  *z++ = eight.match_any(v & 1);
  const auto parity = cg::binary_partition(eight, v & 1);
  *z++ = parity.size() + 100 * parity.thread_rank();
  const auto kind = cg::labeled_partition(eight, v % 3);
  *z++ = cg::reduce(kind, v, cg::plus<int>());
  *z++ = sum_of(block, shared, v);
  *z++ = sum_of(cg::tiled_partition(block, 4), shared + (t & ~3), v);
  *z = -1;
  if (t % 3 == 0) {
    const cg::coalesced_group active = cg::coalesced_threads();
    *z = active.size() + 100 * active.thread_rank() + 10000 * active.shfl(v, 0);
  }
  ++z;
  *z++ = block.group_index().x + 10 * block.thread_index().y + 100 * block.dim_threads().x;
  const cg::grid_group grid = cg::this_grid();
  *z++ = grid.size(); *z++ = grid.thread_rank(); *z++ = grid.is_valid();
  *z++ = cg::this_cluster().num_blocks();
  const cg::thread_group any = tile;
  *z++ = any.size() + 100 * any.thread_rank();
}
)";

struct Model {
  const std::vector<int>& x;
  int t;
  int first(int n) const { return t / n * n; }
  template <class F>
  int fold(int n, int start, F f, int last = 1 << 30) const {
    for (int i = first(n); i < first(n) + n && i < static_cast<int>(x.size()) && i < last; ++i)
      start = f(start, x[static_cast<size_t>(i)]);
    return start;
  }
  int at(int i) const { return x[static_cast<size_t>(i)]; }
};

std::vector<int> expected(const std::vector<int>& x, int t, int block) {
  const Model m = {x, t};
  const int size = static_cast<int>(x.size()), v = m.at(t), eight = m.first(8), last = t % 8;
  const auto plus = [](int a, int b) { return a + b; };
  int bits = 0, same = 0, alike = 0, before = 0, kind = 0, active = 0, rank = 0;
  for (int i = 0; i < 8; ++i) {
    const int other = m.at(eight + i);
    bits |= (other & 1) << i;
    same |= static_cast<int>((other & 1) == (v & 1)) << i;
    alike += static_cast<int>((other & 1) == (v & 1));
    before += static_cast<int>((other & 1) == (v & 1) && i < last);
    kind += other % 3 == v % 3 ? other : 0;
  }
  int leader = -1;
  for (int i = m.first(32); i < m.first(32) + 32 && i < size; ++i)
    if (i % 3 == 0) {
      if (leader < 0) leader = m.at(i);
      ++active;
      rank += static_cast<int>(i < t);
    }
  const int lanes = std::min(32, size - m.first(32));
  return {m.fold(32, 0, plus),
          m.fold(8, 0, [](int a, int b) { return std::max(a, b); }),
          m.fold(2, 0, [](int a, int b) { return a ^ b; }),
          m.fold(32, 0, plus, t + 1),
          m.fold(8, 0, plus, t),
          t / 8 + 100 * (size / 8),
          last / 2 + 100 * 4,
          m.at(eight + 3),
          m.at(last < 6 ? t + 2 : t),
          m.at(t ^ 1),
          bits,
          m.fold(8, 0, [](int a, int b) { return a | static_cast<int>(b == 5); }) + 2,
          same,
          alike + 100 * before,
          kind,
          m.fold(size, 0, plus),
          m.fold(4, 0, plus),
          t % 3 == 0 ? active + 100 * rank + 10000 * leader : -1,
          block + 10 * (t / 52) + 100 * 52,
          2 * size,
          block * size + t,
          1,
          1,
          lanes + 100 * (t % 32)};
}

}  // namespace

int main() {
  const auto module = raw_module(raw_source(groups_text));
  constexpr int n = 104;  // the last warp has 8 threads
  std::vector<int> x(n), z(size_t{2} * n * results);
  for (int i = 0; i < n; ++i) x[static_cast<size_t>(i)] = (i * 7 + i / 5) % 23;
  launch(*module->function("groups"), {2}, {52, 2}, x.data(), z.data(), n);
  for (int i = 0; i < 2 * n && check::failures < 20; ++i) {
    const auto right = expected(x, i % n, i / n);
    for (size_t k = 0; k < results; ++k) {
      const int got = z[static_cast<size_t>(i) * results + k];
      if (got != right[k])
        check::report(__FILE__, __LINE__)
            << "result " << k << " of thread " << i << ": " << got << ", not " << right[k] << '\n';
    }
  }
  return check::result();
}
