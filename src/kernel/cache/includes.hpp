// Which files of the user's a source includes, so that a change in one makes another kernel.
#pragma once

#include <string>
#include <vector>

#include "device/compile.hpp"

namespace gpuarr {

struct IncludedFile {
  std::string path;
  std::string content;
};

struct IncludedFiles {
  std::vector<IncludedFile> files;
  bool complete = true;  // false: the source may depend on files that are not here
};

/// All files that the source's #include directives and options may mean, and those that these
/// include, whether or not a condition leaves them out. What lies nowhere along the user's -I
/// options is the compiler's own and no concern of the cache.
IncludedFiles included_files(const Source& source);
IncludedFiles included_files(const RawSource& source);  // those beside its own file as well

}  // namespace gpuarr
