// Checks for the plain test programs: they print where and what, and go on.
//
//   int main() {
//     CHECK(shape.size() == 2);
//     CHECK_EQ(element_count(shape), 6);
//     CHECK_FAILS(GPUARR_ERR_AXIS, "axis 3", [&] { normalize_axis(3, 2); });
//     return check::result();
//   }
#pragma once

#include <cstring>
#include <iostream>
#include <type_traits>

#include "core/error.hpp"

namespace check {

inline int failures = 0;

/// Where most of a test's time goes into compilers, into which no sanitizer looks, it does less.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

inline std::ostream& report(const char* file, int line) {
  ++failures;
  return std::cerr << file << ':' << line << ": ";
}

template <class T>
void print(const T& value) {
  if constexpr (std::is_enum_v<T>)
    std::cerr << +static_cast<std::underlying_type_t<T>>(value);
  else if constexpr (std::is_arithmetic_v<T>)
    std::cerr << +value;
  else if constexpr (requires { std::cerr << value; })
    std::cerr << value;
  else
    std::cerr << "(a value that does not print)";
}

template <class A, class B>
void equal(const A& actual, const B& expected, const char* text, const char* file, int line) {
  if (actual == expected) return;
  report(file, line) << text << " is ";
  print(actual);
  std::cerr << ", expected ";
  print(expected);
  std::cerr << '\n';
}

template <class Body>
void fails(gpuarr_status status, const char* part, Body&& body, const char* file, int line) {
  try {
    body();
    report(file, line) << "expected " << gpuarr::status_name(status) << ", but it succeeded\n";
  } catch (const gpuarr::Error& error) {
    if (error.status() != status || std::strstr(error.what(), part) == nullptr)
      report(file, line) << "expected " << gpuarr::status_name(status) << " with \"" << part
                         << "\", but got " << gpuarr::status_name(error.status()) << ": "
                         << error.what() << '\n';
  }
}

/// What main returns.
inline int result() {
  if (failures > 0) std::cerr << failures << " checks failed\n";
  return failures > 0 ? 1 : 0;
}

}  // namespace check

#define CHECK(condition) \
  ((condition) ? void() : void(check::report(__FILE__, __LINE__) << #condition << " is false\n"))
#define CHECK_EQ(actual, expected) check::equal((actual), (expected), #actual, __FILE__, __LINE__)
#define CHECK_FAILS(status, part, ...) \
  check::fails((status), (part), __VA_ARGS__, __FILE__, __LINE__)
