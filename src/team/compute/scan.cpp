#include "team/compute/scan.hpp"

#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "array/views.hpp"
#include "ops/base/copy.hpp"
#include "team/compute/shared_memory.hpp"
#include "team/map/map.hpp"
#include "team/move/redistribute.hpp"

namespace gpuarr::team {
namespace {

Array at(const Array& array, int axis, int64_t index) {
  return slice(array, axis, index, index + 1, 1);
}

// What comes before each block: the totals of the blocks of its line, scanned. Lines are rows of
// blocks along the axis, known by their first block; a place has those that it has a block of. The
// last block's total is nobody's.
class Totals {
 public:
  Totals(Blocked& x, Scanner scanner, int axis);

  /// Brings them together. Collective.
  void scan();
  /// Null where nothing comes before.
  const Array* before(const Block& block);

 private:
  using Line = std::pair<int, int64_t>;  // place and first block

  int64_t along(int64_t number) const { return x_.grid().location(number)[axis_]; }
  int64_t line_of(int64_t number) const;
  void add_moves(std::vector<Move>& moves, int place, int64_t line);
  void add_sent(std::vector<Move>& moves, int place, int64_t line);
  Array find_total(int place, int64_t number);

  Blocked& x_;
  Scanner scanner_;
  int axis_;
  DType dtype_;
  int64_t count_;                // of a line's totals
  std::map<Line, Array> own_;    // by block, and not by line: of the blocks here
  std::map<Line, Array> lines_;  // totals of all of a line's blocks, and then their scan
  std::unique_ptr<Exchange> exchange_;
  Array before_;
};

// Memory for all of them is taken here.
Totals::Totals(Blocked& x, Scanner scanner, int axis)
    : x_(x),
      scanner_(scanner),
      axis_(axis),
      dtype_(total_dtype(scanner, x.dtype())),
      count_(x.grid().counts()[axis] - 1) {
  if (count_ == 0) return;
  for (const Block& block : x.blocks()) {
    if (along(block.number) == count_) continue;
    Dims shape = block.inner.layout.shape;
    shape[axis] = 1;
    Stream& stream = *x.team().local(block.place).stream;
    const Array total = Array::empty(stream, dtype_, shape);
    own_[{block.place, block.number}] = total;
    if (total.size() > 0) scan_total(scanner, total, block.inner, axis, stream);
  }
  std::set<Line> wanted;
  if (x.owners().everywhere())
    for (const Block& block : x.blocks()) wanted.insert({block.place, line_of(block.number)});
  else
    for (int64_t number = 0; number < x.grid().size(); ++number)
      wanted.insert({x.owners().of(number), line_of(number)});
  std::vector<Move> moves;
  for (auto [place, line] : wanted)
    if (x.team().is_local(place))
      add_moves(moves, place, line);
    else
      add_sent(moves, place, line);
  exchange_ = std::make_unique<Exchange>(x.team(), dtype_, std::move(moves));
}

int64_t Totals::line_of(int64_t number) const {
  Dims location = x_.grid().location(number);
  location[axis_] = 0;
  return x_.grid().number(location);
}

void Totals::add_moves(std::vector<Move>& moves, int place, int64_t line) {
  Team& team = x_.team();
  Dims location = x_.grid().location(line);
  Dims shape = x_.grid().box(location).extents();
  shape[axis_] = count_;
  Array& all = lines_[{place, line}];
  all = Array::empty(*team.local(place).stream, dtype_, shape);
  for (int64_t k = 0; k < count_; ++k) {
    location[axis_] = k;
    const int64_t number = x_.grid().number(location);
    const int from = x_.owners().everywhere() ? place : x_.owners().of(number);
    Move& move = moves.emplace_back(Move{from, place, size_of(shape) / count_, {}, {}});
    move.target = at(all, axis_, k);
    if (team.is_local(from)) move.source = own_.at({from, number});
  }
}

// What a place of another process gets of the blocks that are here.
void Totals::add_sent(std::vector<Move>& moves, int place, int64_t line) {
  for (const Block& block : x_.blocks()) {
    if (along(block.number) == count_ || line_of(block.number) != line) continue;
    const Array& total = own_.at({block.place, block.number});
    moves.push_back({block.place, place, total.size(), total, {}});
  }
}

void Totals::scan() {
  if (exchange_ == nullptr) return;
  exchange_->run();
  for (auto& [line, totals] : lines_) {
    Stream& stream = *x_.team().local(line.first).stream;
    if (totals.size() > 0) totals = *gpuarr::scan(scanner_, totals, nullptr, {axis_}, &stream);
  }
}

const Array* Totals::before(const Block& block) {
  const int64_t index = along(block.number);
  if (index == 0) return nullptr;
  before_ = at(lines_.at({block.place, line_of(block.number)}), axis_, index - 1);
  return &before_;
}

// The scan of x into equal blocks.
void scan_blocks(Blocked& out, Blocked& x, Scanner scanner, const ScanRequest& request) {
  Totals totals(x, scanner, request.axis);
  const bool apart = !are_same(out, x) && share_memory(out, x);
  std::vector<Array> results;
  for (const Block& block : out.blocks()) {
    Stream& stream = *x.team().local(block.place).stream;
    results.push_back(apart ? Array::empty(stream, out.dtype(), block.inner.layout.shape)
                            : block.inner);
  }
  x.team().agree();
  totals.scan();
  each_block(x, [&](const BlockCall& call) {
    const Block& block = *call.block;
    const Array& result = results[static_cast<size_t>(&block - x.blocks().data())];
    if (const Array* before = totals.before(block); before != nullptr)
      scan_after(scanner, result, block.inner, *before, request, *call.stream);
    else
      gpuarr::scan(scanner, block.inner, &result, request, call.stream);
  });
  for (size_t k = 0; apart && k < results.size(); ++k)
    assign(out.blocks()[k].inner, results[k], *x.team().local(out.blocks()[k].place).stream);
}

}  // namespace

void scan(Blocked& out, Blocked& x, Scanner scanner, const ScanRequest& request) {
  if (out.grid() == x.grid() && out.owners() == x.owners())
    return scan_blocks(out, x, scanner, request);
  BlockedLayout layout{out.dtype(), x.grid(), x.owners(), {}, x.layout().order};
  const auto apart = Blocked::create(x.shared_team(), std::move(layout));
  scan_blocks(*apart, x, scanner, request);
  redistribute(out, *apart);
}

}  // namespace gpuarr::team
