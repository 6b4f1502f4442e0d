// What cuBLAS and cuSOLVER have in common, as libraries that are opened at run time.
#pragma once

#include <string>

#include "core/library.hpp"

namespace gpuarr::cuda {

struct MathFacts;  // what is known of one before it is opened

/// Functions are declared in the words of the libraries' headers, which need not be there:
/// enumerations are ints. They say no more than that something failed; where a kernel faulted, the
/// driver says so.
struct MathLibrary {
  using Status = int;
  using Handle = void*;

  explicit MathLibrary(const MathFacts& its_facts);
  MathLibrary(const MathLibrary&) = delete;
  MathLibrary& operator=(const MathLibrary&) = delete;

  void* find(const char* name) const;
  void* find_optional(const char* name) const { return library.symbol(name); }
  [[noreturn]] void fail(const char* function, Status status) const;
  [[noreturn]] void fail_missing(const char* name, const char* toolkit) const;
  std::string description() const;  // "cuBLAS 13.0.0 (/usr/lib/libcublas.so.13)"

  const MathFacts& facts;
  const Library library;

  template <class F>
  using Fn = Call<MathLibrary, F>;
  const Fn<Status (*)(int, int*)> get_property;

  /// One for each of f32, f64, c64 and c128, with the type's letter in the place of "?"; that of
  /// the complex ones may have another name.
  template <class F>
  class Four {
   public:
    Four(const MathLibrary& owner, const char* real, const char* complex)
        : of_{{owner, name_for('S', real)},
              {owner, name_for('D', real)},
              {owner, name_for('C', complex)},
              {owner, name_for('Z', complex)}} {}
    Four(const MathLibrary& owner, const char* name) : Four(owner, name, name) {}
    const Fn<F>& operator[](int type) const { return of_[type]; }

   private:
    Fn<F> of_[4];
  };

 private:
  static const char* name_for(char type, std::string pattern);
};

}  // namespace gpuarr::cuda
