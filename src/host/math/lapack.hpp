// The system's LAPACK, opened at run time: the one list of the functions that are used of it.
#pragma once

#include <cstddef>
#include <string>

#include "core/library.hpp"
#include "device/solver.hpp"

namespace gpuarr::host {

/// Functions come in four, for f32, f64, c64 and c128. Fortran takes everything by its address, and
/// behind that the lengths of texts. Its integers have 32 bits, or 64 if `wide`: either kind reads
/// the address of an int64_t that fits, and leaves in one that was 0 what it writes.
struct Lapack {
  Lapack();
  Lapack(const Lapack&) = delete;
  Lapack& operator=(const Lapack&) = delete;

  using Text = const char*;
  using Int = const int64_t*;
  using Info = int64_t*;

  using Potrf = void(Text, Int, void*, Int, Info, size_t);
  using Potrs = void(Text, Int, Int, const void*, Int, void*, Int, Info, size_t);
  using Getrf = void(Int, Int, void*, Int, void*, Info);
  using Getrs = void(Text, Int, Int, const void*, Int, const void*, void*, Int, Info, size_t);
  using Geqrf = void(Int, Int, void*, Int, void*, void*, Int, Info);
  using Orgqr = void(Int, Int, Int, void*, Int, const void*, void*, Int, Info);
  using RealGesdd = void(Text, Int, Int, void*, Int, void*, void*, Int, void*, Int, void*, Int,
                         void*, Info, size_t);
  using ComplexGesdd = void(Text, Int, Int, void*, Int, void*, void*, Int, void*, Int, void*, Int,
                            void*, void*, Info, size_t);
  using RealSyevd = void(Text, Text, Int, void*, Int, void*, void*, Int, void*, Int, Info, size_t,
                         size_t);
  using ComplexHeevd = void(Text, Text, Int, void*, Int, void*, void*, Int, void*, Int, void*, Int,
                            Info, size_t, size_t);
  using RealGeev = void(Text, Text, Int, void*, Int, void*, void*, void*, Int, void*, Int, void*,
                        Int, Info, size_t, size_t);
  using ComplexGeev = void(Text, Text, Int, void*, Int, void*, void*, Int, void*, Int, void*, Int,
                           void*, Info, size_t, size_t);
  using Trsm = void(Text, Text, Text, Text, Int, Int, const void*, const void*, Int, void*, Int,
                    size_t, size_t, size_t, size_t);

  template <class F>
  struct Four {
    F* of[4];
    F* operator[](DType dtype) const { return of[place_of_type(dtype)]; }
  };
  template <class R, class C>
  struct TwoAndTwo {  // real and complex ones take other arguments
    R* real[2];
    C* complex[2];
  };

  const Library library;
  bool wide;

  Four<Potrf> potrf = four<Potrf>("potrf");
  Four<Potrs> potrs = four<Potrs>("potrs");
  Four<Getrf> getrf = four<Getrf>("getrf");
  Four<Getrs> getrs = four<Getrs>("getrs");
  Four<Geqrf> geqrf = four<Geqrf>("geqrf");
  Four<Orgqr> orgqr = four<Orgqr>("orgqr", "ungqr");
  TwoAndTwo<RealGesdd, ComplexGesdd> gesdd = two_and_two<RealGesdd, ComplexGesdd>("gesdd", "gesdd");
  TwoAndTwo<RealSyevd, ComplexHeevd> syevd = two_and_two<RealSyevd, ComplexHeevd>("syevd", "heevd");
  TwoAndTwo<RealGeev, ComplexGeev> geev = two_and_two<RealGeev, ComplexGeev>("geev", "geev");
  Four<Trsm> trsm = four<Trsm>("trsm");

  /// Fails where an extent does not fit its integers.
  void check_extent(int64_t extent) const {
    if (extent > INT32_MAX && !wide) fail_extent(extent);
  }

 private:
  template <class F>
  F* find(char type, const std::string& name) const {
    return reinterpret_cast<F*>(address(type + name));
  }
  template <class F>
  Four<F> four(const char* real, const char* complex = nullptr) const {
    const char* other = complex != nullptr ? complex : real;
    return {find<F>('s', real), find<F>('d', real), find<F>('c', other), find<F>('z', other)};
  }
  template <class R, class C>
  TwoAndTwo<R, C> two_and_two(const char* real, const char* complex) const {
    return {{find<R>('s', real), find<R>('d', real)},
            {find<C>('c', complex), find<C>('z', complex)}};
  }
  void* address(const std::string& name) const;
  [[noreturn]] void fail_extent(int64_t extent) const;
};

/// $GPUARR_LAPACK, or what blas_library() opened if that has one, or the first that the loader
/// finds; fails with all that was tried and what to install. Kept as long as the process lives.
const Lapack& lapack();

}  // namespace gpuarr::host
