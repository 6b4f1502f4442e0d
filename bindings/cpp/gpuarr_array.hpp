/** @file gpuarr_array.hpp  libgpuarr for C++17: errors, handles, devices, streams, arrays.
 *
 *  What the other headers stand on; gpuarr.hpp includes it and says what holds of all of them. */
#ifndef GPUARR_ARRAY_HPP
#define GPUARR_ARRAY_HPP

#include <complex>
#include <cstring>
#include <functional>
#include <future>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "gpuarr.h"

namespace gpuarr {
inline namespace wrapper {  // the library, which may be in the program, has a gpuarr::Error as well

/// A call that failed: what() is the library's message.
struct Error : std::runtime_error {
  Error(gpuarr_status code, const std::string& message, int32_t behind = 0)
      : std::runtime_error(message), status(code), native(behind) {}
  gpuarr_status status;  ///< GPUARR_ERR_SHAPE or another
  int32_t native;        ///< the driver's or the system's own code, or 0
};

/// What a callback on this thread threw, until check() throws it again.
inline thread_local std::exception_ptr* pending = nullptr;

/// Throws if a status is a failure: Error, or the exception of a callback.
inline void check(gpuarr_status status) {
  if (status == GPUARR_OK && pending == nullptr) return;
  if (std::unique_ptr<std::exception_ptr> thrown{std::exchange(pending, nullptr)})
    std::rethrow_exception(*thrown);
  throw Error(status, gpuarr_last_error(), gpuarr_last_native_error());
}

/// Runs a callback for C, and returns `failed` if it throws.
template <class R, class F> R guarded(R failed, F&& callback) noexcept try {
  return callback();
} catch (...) {
  if (pending == nullptr) pending = new (std::nothrow) auto(std::current_exception());
  return failed;
}

/// What a C function is given for an argument: the argument, unless it is an Expr.
template <class T> const T& passed(const T& argument) { return argument; }

/// The first output of a C function: a handle, a number or a pointer.
template <class R, class F, class... A> R get(F function, const A&... arguments) {
  R result{};
  if constexpr (std::is_class_v<R>)
    check(function(result.out(), passed(arguments)...));
  else
    check(function(&result, passed(arguments)...));
  return result;
}

/// A reference to an object of the library, or none.
template <class T, auto Retain, auto Release> class Handle {
 public:
  Handle() noexcept = default;
  Handle(const Handle& other) noexcept : object_(Retain(other.object_)) {}
  Handle(Handle&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Handle& operator=(Handle other) noexcept { return std::swap(object_, other.object_), *this; }
  ~Handle() { reset(); }
  /// Drops the reference now; a second time does nothing.
  void reset() noexcept {
    if (object_ != nullptr) Release(std::exchange(object_, nullptr));
  }
  operator T*() const& noexcept { return object_; }  ///< for C functions; still this handle's
  operator T*() && = delete;                         ///< a temporary's would dangle
  T** out() noexcept { return reset(), &object_; }   ///< where a C function puts a new object

 private:
  T* object_ = nullptr;
};

using Shape = std::vector<int64_t>;  ///< extents
using Axes = std::vector<int32_t>;   ///< from 0, or from the last as -1; none is all of them
template <class List> int32_t len(const List& list) { return static_cast<int32_t>(list.size()); }
inline int32_t along(const Axes& axes) { return axes.empty() ? GPUARR_ALL_AXES : len(axes); }

/// A string or a literal as a parameter.
struct Text {
  Text(const char* text) noexcept : pointer(text) {}
  Text(const std::string& text) noexcept : pointer(text.c_str()) {}
  operator const char*() const noexcept { return pointer; }
  const char* pointer;
};

/// The dtype of bool, an integer, float, double or a std::complex of these two; 0 of other types.
template <class T> constexpr gpuarr_dtype dtype_of() {
  constexpr int log2 = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
  if (std::is_same_v<T, bool>) return GPUARR_BOOL;
  if (std::is_integral_v<T>) return (std::is_signed_v<T> ? GPUARR_I8 : GPUARR_U8) + log2;
  if (std::is_floating_point_v<T>) return log2 == 2 ? GPUARR_F32 : sizeof(T) == 8 ? GPUARR_F64 : 0;
  if (std::is_same_v<T, std::complex<float>>) return GPUARR_C64;
  return std::is_same_v<T, std::complex<double>> ? GPUARR_C128 : 0;
}

/// A device. It is never freed: a Device is a pointer to it.
struct Device {
  /// "host", "cuda" or "cuda:N"; by default $GPUARR_DEVICE, else the first GPU, else the CPU.
  Device(const char* name = nullptr) : pointer(get<gpuarr_device*>(gpuarr_device_open, name)) {}
  Device(gpuarr_device* device) noexcept : pointer(device) {}       ///< what C functions give
  operator gpuarr_device*() const noexcept { return pointer; }      ///< what C functions take
  std::string name() const { return gpuarr_device_name(pointer); }  ///< "host" or "cuda:N"
  void synchronize() const { check(gpuarr_device_synchronize(pointer)); }  ///< waits for its work
  /// Its memory: a statistic, GPUARR_MEMORY_...; a limit of what the library holds, in bytes.
  int64_t memory(int what) const { return get<int64_t>(gpuarr_memory_statistic, pointer, what); }
  void limit_memory(int64_t bytes) const { check(gpuarr_memory_set_limit(pointer, bytes)); }
  gpuarr_device* pointer;
};

/// A point in a stream.
struct Event : Handle<gpuarr_event, gpuarr_event_retain, gpuarr_event_release> {
  explicit Event(Device device, int flags = 0) { check(gpuarr_event_create(out(), device, flags)); }
  void synchronize() const { check(gpuarr_event_synchronize(*this)); }  ///< waits for it
  /// Microseconds from another event to this one.
  double since(const Event& start) const { return get<double>(gpuarr_event_elapsed, start, *this); }
};

/// An executable graph of captured work.
struct Graph : Handle<gpuarr_graph_exec, gpuarr_graph_exec_retain, gpuarr_graph_exec_release> {};

/// A queue of work on one device; an empty handle means the thread's current stream.
struct Stream : Handle<gpuarr_stream, gpuarr_stream_retain, gpuarr_stream_release> {
  Stream() = default;
  explicit Stream(Device d) { check(gpuarr_stream_create(out(), d, 0, 0)); }
  Device device() const noexcept { return gpuarr_stream_device(*this); }       ///< where it runs
  void synchronize() const { check(gpuarr_stream_synchronize(*this)); }        ///< waits for all
  void wait(const Event& e) const { check(gpuarr_stream_wait(*this, e)); }     ///< goes on after it
  void record(const Event& e) const { check(gpuarr_event_record(e, *this)); }  ///< its end so far
  void launch(const Graph& g) const { check(gpuarr_graph_exec_launch(g, *this)); }  ///< once more
  /// Calls a function when the work so far is done; the future has its end, or its exception.
  std::future<void> call(std::function<void()> function) const {
    using Task = std::packaged_task<void()>;
    if (get<int32_t>(gpuarr_stream_is_capturing, *this) != 0)
      throw Error(GPUARR_ERR_UNSUPPORTED, "Stream::call: a graph would call the function often");
    auto task = std::make_unique<Task>(std::move(function));
    std::future<void> end = task->get_future();
    const auto run = [](void* user) { (*std::unique_ptr<Task>(static_cast<Task*>(user)))(); };
    const gpuarr_status status = gpuarr_stream_host_function(*this, run, task.get());
    if (status == GPUARR_OK) (void)task.release();
    return check(status), std::move(end);
  }
  /// Captures the work that a function submits to this stream, as a graph.
  template <class F> Graph capture(F&& function) const {
    Handle<gpuarr_graph, gpuarr_graph_retain, gpuarr_graph_release> graph;
    check(gpuarr_stream_begin_capture(*this));
    guarded(0, [&] { return function(), 0; });
    check(gpuarr_stream_end_capture(graph.out(), *this));  // throws what the function threw, too
    return get<Graph>(gpuarr_graph_instantiate, graph);
  }
};

/// Makes a stream the thread's current one as long as this lives.
struct StreamScope {
  explicit StreamScope(const Stream& s) : last(get<Stream>(gpuarr_stream_current, s.device())) {
    check(gpuarr_stream_set_current(s.device(), s));
  }
  StreamScope(const StreamScope&) = delete;
  ~StreamScope() { gpuarr_stream_set_current(last.device(), last); }
  const Stream last;  ///< what was current before
};

using ArrayHandle = Handle<gpuarr_array, gpuarr_array_retain, gpuarr_array_release>;
struct Expr;  // gpuarr_expr.hpp

/// An argument of a kernel: an array, a number or an expression, converted implicitly.
struct Arg : gpuarr_arg {
  Arg(const gpuarr_arg& arg) noexcept : gpuarr_arg(arg) {}
  Arg(const ArrayHandle& x) noexcept : gpuarr_arg{x, 0, 0, {}} {}
  Arg(const Expr& x);  ///< computes it
  template <class T, class = std::enable_if_t<dtype_of<T>() != 0>>
  Arg(const T& number) noexcept : gpuarr_arg{nullptr, dtype_of<T>(), 0, {}} {
    std::memcpy(value, &number, sizeof number);
  }
  ArrayHandle own = {};  ///< what was computed for this argument alone
};

/// An array of up to 32 axes; several may share the same memory.
struct Array : ArrayHandle {
  /// A copy of elements in host memory, in C order; bytes is the size of that memory.
  static Array from(gpuarr_dtype dtype, const void* p, int64_t n, const Shape& s, Device d = {}) {
    return get<Array>(gpuarr_array_from_host, d, dtype, len(s), s.data(), nullptr, p, n, nullptr);
  }
  /// A copy of a vector, in a shape of as many elements; one extent may be -1 and is computed.
  template <class T> static Array from(const std::vector<T>& v, Shape s = {-1}, Device d = {}) {
    const auto n = static_cast<int64_t>(v.size());
    return from(dtype_of<T>(), v.data(), n * int64_t{sizeof(T)}, {n}, d).reshape(s);
  }
  /// The array in a .npy file; writes such a file.
  static Array load(Text p, Device d = {}) { return get<Array>(gpuarr_npy_load, d, p, nullptr); }
  void save(Text path) const { check(gpuarr_npy_save(path, *this, nullptr)); }
  int64_t size() const noexcept { return gpuarr_array_size(*this); }         ///< of elements
  gpuarr_dtype dtype() const noexcept { return gpuarr_array_dtype(*this); }  ///< GPUARR_F32, ...
  Device device() const noexcept { return gpuarr_array_device(*this); }      ///< where it lives
  void* data() const noexcept { return gpuarr_array_data(*this); }           ///< on the device
  Shape shape() const { return numbers(gpuarr_array_shape(*this)); }         ///< extents
  Shape strides() const { return numbers(gpuarr_array_strides(*this)); }     ///< in elements
  /// Views: a slice of an axis, by Python's rules; one index of it; the axes permuted, or reversed;
  /// the elements, in C order, in another shape, of which one extent may be -1; broadcast to a
  /// shape, along new axes and those of extent 1.
  Array slice(int axis, int64_t start, int64_t stop = GPUARR_NONE, int64_t step = 1) const {
    return of(gpuarr_array_slice, axis, start, stop, step);
  }
  Array select(int axis, int64_t index) const { return of(gpuarr_array_select, axis, index); }
  Array transpose(const Axes& a = {}) const { return of(gpuarr_array_transpose, len(a), a.data()); }
  Array reshape(const Shape& s) const { return of(gpuarr_array_reshape, len(s), s.data()); }
  Array broadcast(const Shape& s) const { return of(gpuarr_array_broadcast, len(s), s.data()); }
  /// Copies: in a memory order; converted to another dtype, by C's rules; on another device.
  Array copy(int order = GPUARR_ORDER_K) const { return of(gpuarr_array_copy, order, nullptr); }
  Array astype(gpuarr_dtype dtype) const { return of(gpuarr_array_astype, dtype, nullptr); }
  Array to_device(Device d) const { return of(gpuarr_array_to_device, d, nullptr); }
  /// Sets all elements: to those of another array, or of an expression, which is computed in place,
  /// broadcast and converted; to a number.
  void assign(const Array& source) const { check(gpuarr_array_assign(*this, source, nullptr)); }
  void assign(const Expr& source) const;
  void fill(Arg number) const { check(gpuarr_array_fill(*this, number, nullptr)); }
  /// Copies all elements, of type T, in C order: from n in host memory; to it; to a vector.
  template <class T> void write(const T* p, int64_t n) const {
    check(gpuarr_array_write(as<T>(), nullptr, p, n * int64_t{sizeof(T)}, nullptr));
  }
  template <class T> void read(T* p, int64_t n) const {
    check(gpuarr_array_read(p, n * int64_t{sizeof(T)}, nullptr, as<T>(), nullptr));
  }
  template <class T> std::vector<T> to_vector() const {
    std::vector<T> elements(static_cast<std::size_t>(size()));
    return read(elements.data(), size()), std::move(elements);
  }
  /// The only element; T is its type.
  template <class T> T item() const {
    T only{};
    return reshape({}).read(&only, 1), only;
  }

 private:
  template <class F, class... A> Array of(F f, A... a) const { return get<Array>(f, *this, a...); }
  Shape numbers(const int64_t* p) const { return Shape(p, p + gpuarr_array_ndim(*this)); }
  template <class T> const Array& as() const {
    if (dtype() == dtype_of<T>()) return *this;
    const std::string asked = gpuarr_dtype_name(dtype_of<T>()), there = gpuarr_dtype_name(dtype());
    throw Error(GPUARR_ERR_DTYPE, asked + " is asked for, but the array has " + there + ": astype");
  }
};

/// New arrays in C order: uninitialised; zeros; ones; filled with a number.
template <class Function, class... Number> struct Filled {
  Array operator()(gpuarr_dtype t, const Shape& s, Number... number, Device d = {}) const {
    return get<Array>(function, d, t, len(s), s.data(), GPUARR_ORDER_C, number..., nullptr);
  }
  Function* function;
};
inline constexpr Filled<decltype(gpuarr_array_empty)> empty{gpuarr_array_empty},
    zeros{gpuarr_array_zeros}, ones{gpuarr_array_ones};
inline constexpr Filled<decltype(gpuarr_array_full), Arg> full{gpuarr_array_full};

/// {x, 1.5f}, as C takes them during a call.
struct Inputs {
  Inputs(std::initializer_list<Arg> list) : count(list.size()), many(count > 8 ? count : 0) {
    gpuarr_arg* p = first;
    for (const Arg& arg : list) *p++ = arg;
  }
  Inputs(const Inputs&) = delete;
  const gpuarr_arg* begin() const noexcept { return first; }
  std::size_t size() const noexcept { return count; }

 private:
  std::size_t count;
  std::vector<gpuarr_arg> many;
  gpuarr_arg few[8], *first = many.empty() ? few : many.data();
};

using Outputs = std::initializer_list<std::reference_wrapper<Array>>;  ///< {z}; an empty z is made

/// Outputs as C takes them during a call; those that it creates go into their handles.
struct Pointers {
  explicit Pointers(Outputs out) : list(out), many(out.size() > 8 ? out.size() : 0) {
    gpuarr_array** p = first;
    for (const Array& array : list) *p++ = array;
  }
  ~Pointers() {
    for (Array& array : list)
      if (gpuarr_array* made = *first++; made != array) *array.out() = made;
  }
  const Outputs list;
  std::vector<gpuarr_array*> many;
  gpuarr_array *few[8], **first = many.empty() ? few : many.data();
};

}  // namespace wrapper
}  // namespace gpuarr
#endif
