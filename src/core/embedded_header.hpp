// A header that the library carries, and that stays where it is.
#pragma once

namespace gpuarr {

struct EmbeddedHeader {
  const char* name;  // as #include has it
  const char* text;
};

}  // namespace gpuarr
