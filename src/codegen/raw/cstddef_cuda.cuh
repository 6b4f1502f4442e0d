// What cstddef adds to NVRTC's own names.
#pragma once

namespace std {
using ::ptrdiff_t;
using ::size_t;
typedef decltype(nullptr) nullptr_t;
}  // namespace std
