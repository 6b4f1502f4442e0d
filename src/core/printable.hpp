// Others' text in messages, without what could steer a terminal.
#pragma once

#include <string>
#include <string_view>

namespace gpuarr {

/// Control characters other than line ends and tabs, and bytes that are no UTF-8, become \x1b.
std::string printable(std::string_view text);

}  // namespace gpuarr
