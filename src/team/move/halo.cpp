#include "team/move/halo.hpp"

#include "team/move/pieces.hpp"

namespace gpuarr::team {
namespace {

// Adds what a block of a place gets, as far as this process has an end of it.
void add_moves(std::vector<Move>& moves, std::vector<Fill>& fills, Blocked& blocked, int64_t number,
               int place) {
  Team& team = blocked.team();
  const Grid& grid = blocked.grid();
  Block* const target = blocked.find(number, place);
  const Box outer = blocked.halo().box(grid, grid.location(number));
  for (const Piece& piece : pieces_of_ghosts(blocked, number)) {
    if (piece.constant()) {
      if (target != nullptr) fills.push_back({place, piece.in_target(target->whole, outer)});
      continue;
    }
    const int64_t from_number = grid.number(piece.source);
    const int from = blocked.owners().everywhere() ? place : blocked.owners().of(from_number);
    if (target == nullptr && !team.is_local(from)) continue;
    Move& move = moves.emplace_back(Move{from, place, size_of(piece.box.extents()), {}, {}});
    if (target != nullptr) move.target = piece.in_target(target->whole, outer);
    if (Block* source = blocked.find(from_number, from); source != nullptr)
      move.source = piece.in_source(source->inner, grid.box(piece.source));
  }
}

Exchange& ghosts_of(Blocked& blocked) {
  if (blocked.ghosts != nullptr) return *blocked.ghosts;
  std::vector<Move> moves;
  std::vector<Fill> fills;
  const Owners& owners = blocked.owners();
  if (owners.everywhere())  // nothing is sent
    for (const Block& block : blocked.blocks())
      add_moves(moves, fills, blocked, block.number, block.place);
  else
    for (int64_t number = 0; number < blocked.grid().size(); ++number)
      add_moves(moves, fills, blocked, number, owners.of(number));
  auto made = std::make_shared<Exchange>(blocked.team(), blocked.dtype(), std::move(moves));
  for (Fill& fill : fills) made->add(std::move(fill), blocked.halo().fill);
  blocked.team().agree();
  blocked.ghosts = std::move(made);
  return *blocked.ghosts;
}

}  // namespace

bool has_begun_halo(const Blocked& blocked) {
  return blocked.ghosts != nullptr && blocked.ghosts->has_begun();
}

void exchange_halo(Blocked& blocked) { ghosts_of(blocked).run(); }

void begin_halo(Blocked& blocked) { ghosts_of(blocked).begin(); }

void end_halo(Blocked& blocked) { ghosts_of(blocked).end(); }

}  // namespace gpuarr::team
