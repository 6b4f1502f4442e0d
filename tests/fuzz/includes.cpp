// What a text includes: options on the first line, between blanks. And what compilers say they
// read.
#include "kernel/cache/includes.hpp"

#include <string>
#include <vector>

#include "host/compile/dependencies.hpp"
#include "targets.hpp"

void fuzz::includes(std::string_view input) {
  using namespace gpuarr;
  host::parse_dependencies(input);
  if (input.find("/dev") != std::string_view::npos) return;  // devices may do things when opened
  Source source;
  const std::string_view options = take_line(input);
  for (size_t at = 0; at < options.size();) {
    const size_t end = std::min(options.find(' ', at), options.size());
    source.options.emplace_back(options.substr(at, end - at));
    at = end + 1;
  }
  source.text = input;
  survive([&] { included_files(source); });
}
