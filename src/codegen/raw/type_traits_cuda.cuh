// The header type_traits of C++ for NVRTC: what kernels use of it.
#pragma once

namespace std {

template <class T, T v>
struct integral_constant {
  static constexpr T value = v;
  typedef T value_type;
  typedef integral_constant type;
  constexpr operator T() const { return v; }
};
template <bool v>
using bool_constant = integral_constant<bool, v>;
typedef bool_constant<true> true_type;
typedef bool_constant<false> false_type;

template <bool, class T = void>
struct enable_if {};
template <class T>
struct enable_if<true, T> {
  typedef T type;
};
template <bool condition, class T = void>
using enable_if_t = typename enable_if<condition, T>::type;
template <bool, class T, class F>
struct conditional {
  typedef T type;
};
template <class T, class F>
struct conditional<false, T, F> {
  typedef F type;
};
template <bool condition, class T, class F>
using conditional_t = typename conditional<condition, T, F>::type;
template <class...>
using void_t = void;

#define GPUARR_CHANGE(name, From, To) \
  template <class T>                  \
  struct name {                       \
    typedef T type;                   \
  };                                  \
  template <class T>                  \
  struct name<From> {                 \
    typedef To type;                  \
  };                                  \
  template <class T>                  \
  using name##_t = typename name<T>::type;
GPUARR_CHANGE(remove_const, const T, T)
GPUARR_CHANGE(remove_volatile, volatile T, T)
GPUARR_CHANGE(remove_pointer, T*, T)
GPUARR_CHANGE(remove_reference, T&, T)
GPUARR_CHANGE(remove_extent, T[], T)
#undef GPUARR_CHANGE
template <class T>
struct remove_reference<T&&> {
  typedef T type;
};
template <class T, size_t n>
struct remove_extent<T[n]> {
  typedef T type;
};
template <class T>
struct remove_cv : remove_const<remove_volatile_t<T>> {};
template <class T>
using remove_cv_t = typename remove_cv<T>::type;
template <class T>
struct remove_cvref : remove_cv<remove_reference_t<T>> {};
template <class T>
using remove_cvref_t = typename remove_cvref<T>::type;
template <class T>
struct decay : remove_cvref<T> {};
template <class T>
struct decay<T[]> {
  typedef T* type;
};
template <class T, size_t n>
struct decay<T[n]> {
  typedef T* type;
};
template <class T>
using decay_t = typename decay<T>::type;
template <class T>
T&& declval() noexcept;

#define GPUARR_TRAIT(name, ...)                  \
  template <class T>                             \
  struct name : bool_constant<(__VA_ARGS__)> {}; \
  template <class T>                             \
  inline constexpr bool name##_v = name<T>::value;
template <class T, class U>
inline constexpr bool is_same_v = false;
template <class T>
inline constexpr bool is_same_v<T, T> = true;
template <class T, class U>
struct is_same : bool_constant<is_same_v<T, U>> {};
template <class T, class... Us>
inline constexpr bool gpuarr_is_any = (is_same_v<remove_cv_t<T>, Us> || ...);
GPUARR_TRAIT(is_void, gpuarr_is_any<T, void>)
GPUARR_TRAIT(is_floating_point, gpuarr_is_any<T, float, double, long double>)
GPUARR_TRAIT(is_integral, gpuarr_is_any<T, bool, char, signed char, unsigned char, wchar_t,
                                        char16_t, char32_t, short, unsigned short, int, unsigned,
                                        long, unsigned long, long long, unsigned long long>)
GPUARR_TRAIT(is_arithmetic, is_integral<T>::value || is_floating_point<T>::value)
GPUARR_TRAIT(is_pointer, !is_same_v<remove_pointer_t<remove_cv_t<T>>, remove_cv_t<T>>)
GPUARR_TRAIT(is_const, !is_same_v<remove_const_t<T>, T>)
GPUARR_TRAIT(is_reference, !is_same_v<remove_reference_t<T>, T>)
GPUARR_TRAIT(is_enum, __is_enum(T))
GPUARR_TRAIT(is_class, __is_class(T))
GPUARR_TRAIT(is_union, __is_union(T))
GPUARR_TRAIT(is_empty, __is_empty(T))
GPUARR_TRAIT(is_trivially_copyable, __is_trivially_copyable(T))
#undef GPUARR_TRAIT
template <class T, bool = is_arithmetic_v<T>>
struct is_signed : bool_constant<(T(-1) < T(0))> {};
template <class T>
struct is_signed<T, false> : false_type {};
template <class T>
inline constexpr bool is_signed_v = is_signed<T>::value;
template <class T>
struct is_unsigned : bool_constant<is_integral_v<T> && !is_signed_v<T>> {};
template <class T>
inline constexpr bool is_unsigned_v = is_unsigned<T>::value;
template <class Base, class T>
struct is_base_of : bool_constant<__is_base_of(Base, T)> {};
template <class Base, class T>
inline constexpr bool is_base_of_v = is_base_of<Base, T>::value;

#define GPUARR_SIGNS(name, From, To) \
  template <>                        \
  struct name<From> {                \
    typedef To type;                 \
  };
#define GPUARR_BOTH_SIGNS(S, U)     \
  GPUARR_SIGNS(make_signed, S, S)   \
  GPUARR_SIGNS(make_signed, U, S)   \
  GPUARR_SIGNS(make_unsigned, S, U) \
  GPUARR_SIGNS(make_unsigned, U, U)
template <class T>
struct make_signed;
template <class T>
struct make_unsigned;
GPUARR_BOTH_SIGNS(signed char, unsigned char)
GPUARR_BOTH_SIGNS(short, unsigned short)
GPUARR_BOTH_SIGNS(int, unsigned)
GPUARR_BOTH_SIGNS(long, unsigned long)
GPUARR_BOTH_SIGNS(long long, unsigned long long)
GPUARR_SIGNS(make_signed, char, signed char)
GPUARR_SIGNS(make_unsigned, char, unsigned char)
#undef GPUARR_BOTH_SIGNS
#undef GPUARR_SIGNS
template <class T>
using make_signed_t = typename make_signed<T>::type;
template <class T>
using make_unsigned_t = typename make_unsigned<T>::type;

}  // namespace std
