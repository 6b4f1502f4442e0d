// Which files a compiler read, as it tells them to make.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gpuarr::host {

/// The files behind the colon of a rule such as "x.o: a.h b\ c.h \". Any text gives something.
std::vector<std::string> parse_dependencies(std::string_view rule);

/// Those that are not the compiler's own: not in its directories or in those of the system, nor in
/// `scratch`.
std::vector<std::string> files_of_user(const std::vector<std::string>& read,
                                       const std::string& compiler, const std::string& scratch);

}  // namespace gpuarr::host
