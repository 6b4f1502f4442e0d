// What reads text or bytes of others. A target does with its input what the library would, and
// lets out nothing but an Error, which it takes itself.
#pragma once

#include <span>
#include <string_view>

namespace fuzz {

struct Target {
  const char* name;
  void (*run)(std::string_view input);
};

void cache_entry(std::string_view input);
void diagnostics(std::string_view input);
void dlpack(std::string_view input);
void einsum(std::string_view input);
void expression(std::string_view input);
void image(std::string_view input);
void includes(std::string_view input);
void npy(std::string_view input);
void raw(std::string_view input);
void settings(std::string_view input);
void signature(std::string_view input);
void tokens(std::string_view input);
void type(std::string_view input);
void zarr(std::string_view input);

constexpr Target targets[] = {{"cache_entry", cache_entry},
                              {"diagnostics", diagnostics},
                              {"dlpack", dlpack},
                              {"einsum", einsum},
                              {"expression", expression},
                              {"image", image},
                              {"includes", includes},
                              {"npy", npy},
                              {"raw", raw},
                              {"settings", settings},
                              {"signature", signature},
                              {"tokens", tokens},
                              {"type", type},
                              {"zarr", zarr}};

/// Ends the process where something does not hold that must, so that a fuzzer notices.
void require(bool condition, const char* what);

/// The first line, taken off the text.
std::string_view take_line(std::string_view& text);

/// Runs the body; an Error is an answer like others.
template <class Body>
void survive(Body&& body);

}  // namespace fuzz

#include "core/error.hpp"

template <class Body>
void fuzz::survive(Body&& body) {
  try {
    body();
  } catch (const gpuarr::Error& error) {
    require(!error.message().empty(), "an error says something");
  }
}
