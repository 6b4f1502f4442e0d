// Blocked arrays to and from files: each process has its own blocks.
#pragma once

#include "team/blocked/options.hpp"
#include "team/files/block_file.hpp"

namespace gpuarr::team {

// All collective.

void save(const std::string& path, Blocked& blocked, Format format);
void create_file(Team& team, const std::string& path, const BlockFile& wanted);

/// What is there, as the first process sees it.
BlockFile open_file(Team& team, const std::string& path);

/// The indices in the file of a block; `start` is where the array begins there.
Box in_file(const Blocked& blocked, int64_t number, const Dims& start);
/// Fails alike on all places where the array does not fit.
void check_part(const Blocked& blocked, const BlockFile& file, const Dims& start, bool writes);

void read_part(Blocked& blocked, const std::string& path, const BlockFile& file, const Dims& start);
void write_part(const std::string& path, const BlockFile& file, Blocked& blocked,
                const Dims& start);

}  // namespace gpuarr::team
