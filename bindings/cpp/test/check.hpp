// Checks for the wrapper's test programs, which see gpuarr.hpp and nothing else of ours: they print
// where and what, and go on. main() ends with `return check::result();`, which wants no live
// object.
#pragma once

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iostream>
#include <string>
#include <vector>

#include "gpuarr.hpp"

namespace check {

inline int failures = 0;

inline std::ostream& report(const char* file, int line) {
  ++failures;
  return std::cerr << file << ':' << line << ": ";
}

template <class A, class B>
void equal(const A& actual, const B& expected, const char* text, const char* file, int line) {
  if (!(actual == expected))
    report(file, line) << text << " is " << actual << ", expected " << expected << '\n';
}

/// Elements that are equal, or for floats near each other.
template <class T>
void same(const std::vector<T>& actual, const std::vector<T>& expected, double tolerance,
          const char* file, int line) {
  if (actual.size() != expected.size()) {
    report(file, line) << actual.size() << " elements, expected " << expected.size() << '\n';
    return;
  }
  for (std::size_t i = 0; i < actual.size(); ++i)
    if (!(static_cast<double>(std::abs(actual[i] - expected[i])) <=
          tolerance * (1 + static_cast<double>(std::abs(expected[i]))))) {
      report(file, line) << "element " << i << " is " << +actual[i] << ", expected " << +expected[i]
                         << '\n';
      return;
    }
}

inline void fails(gpuarr_status status, const std::string& part, const std::function<void()>& body,
                  const char* file, int line) {
  try {
    body();
    report(file, line) << "expected " << gpuarr_status_name(status) << ", but it succeeded\n";
  } catch (const gpuarr::Error& error) {
    if (error.status != status || std::string(error.what()).find(part) == std::string::npos)
      report(file, line) << "expected " << gpuarr_status_name(status) << " with \"" << part
                         << "\", but got " << gpuarr_status_name(error.status) << ": "
                         << error.what() << '\n';
  }
}

/// How many kernels there are, as the last line of what explain() tells says.
inline int64_t kernels(const std::string& explained) {
  return std::stoll(explained.substr(explained.rfind('\n', explained.size() - 2) + 1));
}

/// Makes what the tests run on the default device.
inline void choose_device() {
  const char* device = std::getenv("GPUARR_TEST_DEVICE");
  setenv("GPUARR_DEVICE", device != nullptr ? device : "host", 1);
}

inline int result() {
  if (gpuarr_live_objects() != 0)
    report("at the end", 0) << gpuarr_live_objects() << " objects were not released\n";
  if (failures > 0) std::cerr << failures << " checks failed\n";
  return failures > 0 ? 1 : 0;
}

/// A number of 0 ... below - 1; GPUARR_TEST_SEED repeats a sequence, or draws one from the clock.
inline int64_t random(int64_t below) {
  static uint64_t state = [] {
    const char* wanted = std::getenv("GPUARR_TEST_SEED");
    uint64_t seed = 1;
    if (wanted != nullptr && std::strcmp(wanted, "clock") == 0)
      seed = static_cast<uint64_t>(std::time(nullptr));
    else if (wanted != nullptr)
      seed = std::strtoull(wanted, nullptr, 10);
    std::cout << "GPUARR_TEST_SEED=" << seed << std::endl;
    return seed;
  }();
  uint64_t z = state += 0x9e3779b97f4a7c15;  // splitmix64
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return static_cast<int64_t>((z ^ (z >> 31)) % static_cast<uint64_t>(below));
}

inline gpuarr::Shape random_shape(int64_t most_axes, int64_t most) {
  gpuarr::Shape shape(static_cast<std::size_t>(random(most_axes + 1)));
  for (int64_t& extent : shape) extent = random(most) + 1;
  return shape;
}

inline int64_t elements(const gpuarr::Shape& shape) {
  int64_t count = 1;
  for (int64_t extent : shape) count *= extent;
  return count;
}

template <class T> std::vector<T> random_elements(const gpuarr::Shape& shape) {
  std::vector<T> values(static_cast<std::size_t>(elements(shape)));
  for (T& value : values) value = static_cast<T>(random(100));
  return values;
}

/// The next index of a shape in C order; false behind the last.
inline bool next(gpuarr::Shape& index, const gpuarr::Shape& shape) {
  for (std::size_t d = shape.size(); d-- > 0;) {
    if (++index[d] < shape[d]) return true;
    index[d] = 0;
  }
  return false;
}

/// What a function gives for every index of a shape, in C order.
template <class T, class F> std::vector<T> over(const gpuarr::Shape& shape, F&& element) {
  std::vector<T> values;
  gpuarr::Shape index(shape.size());
  if (elements(shape) == 0) return values;
  do values.push_back(static_cast<T>(element(index)));
  while (next(index, shape));
  return values;
}

/// Random numbers as an array, and on the host: x({i, j}).
template <class T> struct Both {
  explicit Both(const gpuarr::Shape& s)
      : shape(s), values(random_elements<T>(s)), array(gpuarr::Array::from(values, s)) {}
  T operator()(const gpuarr::Shape& index) const {
    int64_t at = 0;
    for (std::size_t d = 0; d < shape.size(); ++d) at = at * shape[d] + index[d];
    return values[static_cast<std::size_t>(at)];
  }
  gpuarr::Shape shape;
  std::vector<T> values;
  gpuarr::Array array;
};

}  // namespace check

#define CHECK(condition) \
  ((condition) ? void() : void(check::report(__FILE__, __LINE__) << #condition << " is false\n"))
#define CHECK_EQ(actual, expected) check::equal((actual), (expected), #actual, __FILE__, __LINE__)
#define CHECK_SAME(actual, expected, tolerance) \
  check::same((actual), (expected), (tolerance), __FILE__, __LINE__)
#define CHECK_FAILS(status, part, ...) \
  check::fails((status), (part), __VA_ARGS__, __FILE__, __LINE__)
