// The statements of a kernel, as far as splitting it at its barriers needs them.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "host/read/parsed.hpp"

namespace gpuarr::host {

/// Fails with GPUARR_ERR_UNSUPPORTED: the kernel cannot be cut.
[[noreturn]] void refuse(const char* reason);

struct Statement {
  enum class Kind {
    simple,   // an expression or a declaration, with its semicolon
    barrier,  // __syncthreads();
    block,    // {...}
    branch,   // if: children are what is done if the condition holds, and if not
    loop,     // children: the body
    jump,     // return; break; continue;
    choice    // switch: children: the body
  };
  enum class Loop { for_loop, while_loop, do_loop };

  Kind kind = Kind::simple;
  TokenRange range;  // all of it
  Loop loop = Loop::for_loop;
  TokenRange init, condition, step;  // without semicolons
  bool is_constexpr = false;         // if constexpr
  struct Stride {
    size_t counter;  // a token that names it
    TokenRange by;
  };
  std::optional<Stride> stride;  // of a loop; see split_strides.hpp
  std::vector<Statement> children;
  bool has_barrier = false;
  bool breaks = false;  // a loop: `break` leaves it from a statement that has no barrier, or none
  bool continues = false;  // `continue` does
};

/// The statements between the braces of a body, as a block. Refuses what is not
/// understood, and barriers where they cannot be a place to split at; `waits` tells of a token
/// whether it stands for waiting.
Statement read_statements(const Parsed& parsed, TokenRange body,
                          const std::function<bool(size_t)>& waits);

}  // namespace gpuarr::host
