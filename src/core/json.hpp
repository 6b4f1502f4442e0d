// Text as JSON has it.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace gpuarr {

/// In quotes, with what may not stand in them written otherwise.
std::string json_quoted(std::string_view text);

/// An object of keys and values, which are JSON already.
std::string json_object(
    std::initializer_list<std::pair<std::string_view, std::string_view>> members);

}  // namespace gpuarr
