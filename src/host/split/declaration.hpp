// The declarations in a kernel's body, for splitting it.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "host/read/parsed.hpp"

namespace gpuarr::host {

struct Variable {
  /// How a kernel that is split has it.
  enum class Kind {
    local,     // in one region only: as it was written
    uniform,   // one for all threads
    repeated,  // computed again from threadIdx and the like where it is needed
    stored     // an array with one element for each thread
  };

  Kind kind = Kind::local;
  std::string_view name;
  size_t place = 0;     // the token that names it where it is declared
  std::string type;     // with its pointers, and without a const of its own
  std::string suffix;   // "[4]"
  TokenRange init;      // with = or the brackets around it
  TokenRange visible;   // tokens that may mean it
  std::string storage;  // what it is called outside of the loops over threads
  bool is_const = false;
  bool is_pointer = false;
  bool is_scalar = false;   // a pointer or a number, as far as its type tells
  bool is_integer = false;  // or a pointer
  bool is_auto = false;
  bool is_odd = false;  // a reference or something else that has to stay where it is
  bool is_parameter = false;
  bool is_changed = false;  // after it was made
};

struct DeclarationStatement {
  bool is_declaration = false;
  bool is_fixed = false;  // one for all threads, as it is: shared arrays, names of types, constants
  bool is_constant = false;  // fixed, and known when it is compiled
  std::vector<Variable> variables;
};

/// `range` is a statement without its semicolon. Refuses a declaration that is not understood.
DeclarationStatement read_declaration(const Parsed& parsed, TokenRange range,
                                      const std::function<bool(size_t)>& is_variable);

/// One of a function's, without its comma.
Variable read_parameter(const Parsed& parsed, TokenRange range);

/// What the brackets or the = of an initialiser hold.
TokenRange value_of(const Parsed& parsed, TokenRange init);

bool is_type_word(std::string_view word);     // that is or names a number's type
bool is_integer_type(std::string_view word);  // also parts of one: "unsigned"

}  // namespace gpuarr::host
