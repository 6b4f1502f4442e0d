/** @file gpuarr_blocked.hpp  libgpuarr for C++17: teams and blocked arrays, their halos and files.
 *
 *  gpuarr_team.hpp includes it, and says what holds of them. */
#ifndef GPUARR_BLOCKED_HPP
#define GPUARR_BLOCKED_HPP

#include "gpuarr_random.hpp"

namespace gpuarr {
inline namespace wrapper {

/// Places, each a device of a process, that have the blocks of blocked arrays.
struct Team : Handle<gpuarr_team, gpuarr_team_retain, gpuarr_team_release> {
  /// Of devices of this process; of so many places: GPUs, or all on the CPU where they are too few.
  static Team local(const std::vector<Device>& devices) {
    std::vector<gpuarr_device*> list(devices.begin(), devices.end());
    list.reserve(1);  // for C, NULL is another request
    return get<Team>(gpuarr_team_local, list.data(), len(list));
  }
  static Team local(int32_t places) { return get<Team>(gpuarr_team_local, nullptr, places); }
  /// Of all processes that were started together; without a device, each takes one for itself.
  static Team world(gpuarr_device* device = nullptr) {
    return get<Team>(gpuarr_team_world, device);
  }
  /// Of a communicator: an MPI_Comm, and a Fortran handle.
  template <class Comm> static Team from_mpi(const Comm& comm, gpuarr_device* device = nullptr) {
    return get<Team>(gpuarr_team_from_mpi, &comm, int64_t{sizeof comm}, device);
  }
  static Team from_mpi_f(int32_t comm, gpuarr_device* device = nullptr) {
    return get<Team>(gpuarr_team_from_mpi_f, comm, device);
  }
  /// Of functions of the program's own that send, which C makes: gpuarr_transport_create().
  static Team from_transport(gpuarr_transport* transport, gpuarr_device* device = nullptr) {
    return get<Team>(gpuarr_team_from_transport, transport, device);
  }
  int32_t size() const noexcept { return gpuarr_team_size(*this); }    ///< number of places
  int32_t first() const noexcept { return gpuarr_team_first(*this); }  ///< this process's first one
  int32_t local_count() const noexcept { return gpuarr_team_local_count(*this); }  ///< how many
  /// Of a place of this process: its device, and the stream that it works in.
  Device device(int32_t place) const noexcept { return gpuarr_team_device(*this, place); }
  Stream stream(int32_t place) const { return get<Stream>(gpuarr_team_stream, *this, place); }
  std::string describe() const { return get<const char*>(gpuarr_team_describe, *this); }
  /// Sets how long calls wait for other places; action is GPUARR_TIMEOUT_...
  void set_timeout(double seconds, int32_t action = GPUARR_TIMEOUT_ABORT) const {
    check(gpuarr_team_set_timeout(*this, seconds, action));
  }
  /// Waits for all places; after it, all know whether any failed.
  void synchronize() const { check(gpuarr_team_synchronize(*this)); }
  /// What the profiles of all processes have counted, by place.
  std::string profile() const { return get<const char*>(gpuarr_team_profile, *this); }
  /// For other libraries: a place's ncclComm_t, or nullptr; the communicator's Fortran handle, or
  /// -1.
  void* nccl(int32_t place) const noexcept { return gpuarr_team_nccl(*this, place); }
  int32_t mpi_f() const noexcept { return gpuarr_team_mpi_f(*this); }
};

/// Calls a function with how far calls have come, as long as this lives; one at a time for a team.
struct Progress {
  /// Name of the C function, blocks of this process that are done, and all.
  using Function = std::function<void(const char*, int64_t, int64_t)>;
  Progress(const Team& t, Function f, double seconds = 1) : team(t), function(std::move(f)) {
    const auto run = [](const char* operation, int64_t done, int64_t total, void* user) {
      guarded(0, [&] { return (*static_cast<Function*>(user))(operation, done, total), 0; });
    };
    check(gpuarr_team_set_progress(team, run, &function, seconds));
  }
  Progress(const Progress&) = delete;
  ~Progress() { gpuarr_team_set_progress(team, nullptr, nullptr, 0); }
  const Team team;
  Function function;
};

/// Where blocks lie and what surrounds them: BlockedOptions().replicated(), by C's rules.
struct BlockedOptions : Handle<gpuarr_blocked_options, nullptr, gpuarr_blocked_options_release> {
  BlockedOptions& cyclic() { return placed(GPUARR_PLACEMENT_CYCLIC); }
  BlockedOptions& replicated() { return placed(GPUARR_PLACEMENT_REPLICATED); }
  BlockedOptions& owners(const std::vector<int32_t>& places) {
    const auto count = static_cast<int64_t>(places.size());
    return set(gpuarr_blocked_options_set_owners, places.data(), count);
  }
  /// Ghost cells before and behind a block, along each axis, and GPUARR_BOUNDARY_... of each axis.
  BlockedOptions& halo(const Shape& low, const Shape& high, const Axes& boundary = {}) {
    counted(high, len(low), "high");
    const int32_t* const kinds =
        boundary.empty() ? nullptr : counted(boundary, len(low), "boundary");
    return set(gpuarr_blocked_options_set_halo, len(low), low.data(), high.data(), kinds);
  }
  BlockedOptions& fill(Arg number) { return set(gpuarr_blocked_options_set_fill, number); }
  BlockedOptions& order(int32_t order) { return set(gpuarr_blocked_options_set_order, order); }

 private:
  BlockedOptions& placed(int32_t rule) { return set(gpuarr_blocked_options_set_placement, rule); }
  template <class F, class... V> BlockedOptions& set(F setter, const V&... values) {
    if (*this == nullptr) check(gpuarr_blocked_options_create(out()));
    return check(setter(*this, values...)), *this;
  }
};

/// Indices of a part of an array, the stops behind the last; none is all. A place is the one whose
/// process has the memory; -1 is all of them.
struct Region {
  Shape start = {}, stop = {};
  int32_t place = -1;
};

/// An array of up to 32 axes, divided into a grid of blocks, each of them an Array on a place.
struct Blocked : Handle<gpuarr_blocked, gpuarr_blocked_retain, gpuarr_blocked_release> {
  Blocked() = default;
  /// Uninitialised. Without extents of a block the first axis is divided by the number of places.
  Blocked(const Team& team, gpuarr_dtype dtype, const Shape& shape, const Shape& chunk = {},
          const BlockedOptions& options = {}) {
    const int64_t* const of_block = chunk.empty() ? nullptr : counted(chunk, len(shape), "chunk");
    check(gpuarr_blocked_empty(out(), team, dtype, len(shape), shape.data(), of_block, options));
  }
  /// Of an array of each place of this process, halo included, without a copy; grid has the number
  /// of blocks along each axis.
  static Blocked adopt(const Team& team, const Arrays& arrays, const Shape& grid,
                       const BlockedOptions& options = {}) {
    for (const Array& array : arrays) counted(grid, len(array.shape()), "grid");
    const std::vector<gpuarr_array*> list(arrays.begin(), arrays.end());
    return get<Blocked>(gpuarr_blocked_from_local, team, list.data(), len(list), grid.data(),
                        options);
  }
  /// With the same blocks, places and halo, uninitialised; 0 is the same dtype.
  Blocked like(gpuarr_dtype dtype = 0) const { return of(gpuarr_blocked_empty_like, dtype); }
  gpuarr_dtype dtype() const noexcept { return gpuarr_blocked_dtype(*this); }  ///< GPUARR_F32, ...
  Shape shape() const { return numbers(gpuarr_blocked_extent); }               ///< of the whole
  Shape grid() const { return numbers(gpuarr_blocked_count); }                 ///< blocks
  Shape start(int64_t block) const { return numbers(gpuarr_blocked_start, block); }
  Shape stop(int64_t block) const { return numbers(gpuarr_blocked_stop, block); }
  int32_t owner(int64_t block) const noexcept { return gpuarr_blocked_owner(*this, block); }
  int64_t size() const { return elements(shape()); }  ///< of elements
  /// Blocks of this process, by places, then by numbers: how many; number, place and array of one.
  int64_t local_count() const noexcept { return gpuarr_blocked_local_count(*this); }
  int64_t local_number(int64_t i) const noexcept { return gpuarr_blocked_local_number(*this, i); }
  int32_t local_place(int64_t i) const noexcept { return gpuarr_blocked_local_place(*this, i); }
  Array local(int64_t index, bool halo = false) const {
    return get<Array>(gpuarr_blocked_local, *this, index, halo);
  }
  /// Sets all elements: to a number; to start + step * k, by their index k in the whole; to those
  /// of an array in other blocks.
  void fill(Arg number) const { check(gpuarr_blocked_fill(*this, number)); }
  void arange(Arg start, Arg step) const { check(gpuarr_blocked_arange(*this, start, step)); }
  void redistribute_from(const Blocked& source) const { check(gpuarr_redistribute(*this, source)); }
  /// Sets them to random numbers, those of an undivided array: x.random(g, "normal", {0, 1}). All
  /// processes have generators that are alike.
  void random(const Generator& g, Text distribution, const Inputs& parameters) const {
    check(gpuarr_blocked_random(*this, g, distribution, parameters.begin(), len(parameters)));
  }
  /// Copies elements, of type T, in C order: from n in host memory; to it; to a vector.
  template <class T> void write(const T* p, int64_t n, const Region& r = {}) const {
    const int64_t bytes = n * int64_t{sizeof(T)};
    check(gpuarr_blocked_write(as<T>(), start(r), stop(r), r.place, p, bytes, nullptr));
  }
  template <class T> void read(T* p, int64_t n, const Region& r = {}) const {
    const int64_t bytes = n * int64_t{sizeof(T)};
    check(gpuarr_blocked_read(p, bytes, nullptr, as<T>(), start(r), stop(r), r.place));
  }
  template <class T>
  std::vector<T> to_vector(const Shape& from = {}, const Shape& behind = {}) const {
    Shape extents = behind.empty() ? shape() : behind;
    for (std::size_t k = 0; k < extents.size(); ++k)
      extents[k] = std::max<int64_t>(extents[k] - (k < from.size() ? from[k] : 0), 0);
    std::vector<T> list(static_cast<std::size_t>(std::min(elements(extents), size())));
    return read(list.data(), static_cast<int64_t>(list.size()), {from, behind}), std::move(list);
  }
  /// The only element; T is its type.
  template <class T> T item() const {
    if (size() == 1) return to_vector<T>().front();
    throw Error(GPUARR_ERR_SHAPE,
                "one element is asked for, and there are " + std::to_string(size()));
  }
  /// A view with the axes permuted, or reversed: the same blocks on the same places.
  Blocked transpose(const Axes& a = {}) const {
    return of(gpuarr_blocked_transpose, len(a), a.empty() ? nullptr : a.data());
  }
  /// Files, GPUARR_FILE_...: one of all of it; from and to a part of one, where its first element
  /// has the index start, or 0.
  static Blocked load(const Team& team, Text path, const Shape& chunk = {},
                      const BlockedOptions& options = {}) {
    const int64_t* const extents = chunk.empty() ? nullptr : chunk.data();
    return get<Blocked>(gpuarr_blocked_load, team, path, len(chunk), extents, options);
  }
  void save(Text path, int32_t format) const { check(gpuarr_blocked_save(path, *this, format)); }
  void load_part(Text path, const Shape& start = {}) const {
    check(gpuarr_blocked_load_part(*this, path, bound(start, "start")));
  }
  void save_part(Text path, const Shape& start = {}) const {
    check(gpuarr_blocked_save_part(path, *this, bound(start, "start")));
  }
  /// Brings ghost cells up to date.
  void exchange_halo() const { check(gpuarr_halo_exchange(*this)); }
  /// Reduces along axes, or all, by a name: sum, max, mean, norm_2 ...; the result is on all
  /// places.
  Blocked reduce(Text name, const Axes& a = {}, bool keep = false, double ddof = 0,
                 int32_t flags = 0) const {
    Blocked z;
    return reduce_into(z, name, a, keep, ddof, flags), z;
  }
  void reduce_into(Blocked& z, Text name, const Axes& a = {}, bool keep = false, double ddof = 0,
                   int32_t flags = 0) const {
    gpuarr_blocked* made = z;
    check(gpuarr_blocked_reduce(&made, name, *this, a.data(), along(a), keep, ddof, flags));
    if (z == nullptr) *z.out() = made;
  }
  /// Combines the copies of a replicated array, by GPUARR_COMBINE_...
  void all_reduce(int32_t how = GPUARR_COMBINE_SUM) const { check(gpuarr_all_reduce(*this, how)); }
  /// As an argument of a kernel that is called for each block: the block; with ghost cells; as a
  /// gpuarr_view; as one with ghost cells.
  operator Arg() const { return gpuarr_arg_blocked(*this, GPUARR_ARG_BLOCKED); }
  Arg halo() const { return gpuarr_arg_blocked(*this, GPUARR_ARG_BLOCKED_HALO); }
  Arg view() const { return gpuarr_arg_blocked(*this, GPUARR_ARG_BLOCKED_VIEW); }
  Arg halo_view() const { return gpuarr_arg_blocked(*this, GPUARR_ARG_BLOCKED_HALO_VIEW); }

 private:
  template <class F, class... A> Blocked of(F f, A... a) const {
    return get<Blocked>(f, *this, a...);
  }
  template <class F, class... A> Shape numbers(F f, A... a) const {
    Shape list(static_cast<std::size_t>(gpuarr_blocked_ndim(*this)));
    for (std::size_t axis = 0; axis < list.size(); ++axis)
      list[axis] = f(*this, a..., static_cast<int32_t>(axis));
    return list;
  }
  static int64_t elements(const Shape& extents) {
    int64_t count = 1;
    for (int64_t extent : extents) count *= extent;
    return count;
  }
  const int64_t* start(const Region& r) const { return bound(r.start, "start"); }
  const int64_t* stop(const Region& r) const { return bound(r.stop, "stop"); }
  const int64_t* bound(const Shape& list, const char* what) const {
    return list.empty() ? nullptr : counted(list, gpuarr_blocked_ndim(*this), what);
  }
  template <class T> const Blocked& as() const {
    if (dtype() == dtype_of<T>()) return *this;
    const std::string asked = gpuarr_dtype_name(dtype_of<T>()), there = gpuarr_dtype_name(dtype());
    throw Error(GPUARR_ERR_DTYPE, asked + " is asked for, but the array has " + there);
  }
};

/// Creates an array of zeros in a file, for parts; Zarr needs the extents of a chunk.
inline void file_create(const Team& team, Text path, int32_t format, gpuarr_dtype dtype,
                        const Shape& shape, const Shape& chunk = {}) {
  const int64_t* const of_chunk = chunk.empty() ? nullptr : counted(chunk, len(shape), "chunk");
  check(gpuarr_file_create(team, path, format, dtype, len(shape), shape.data(), of_chunk));
}

/// Numbers that say where a block is, as arguments of kernels: its first index along an axis, its
/// extent, its number of elements; int64.
inline Arg block_start(int32_t axis) { return gpuarr_arg_block(GPUARR_ARG_BLOCK_START, axis); }
inline Arg block_extent(int32_t axis) { return gpuarr_arg_block(GPUARR_ARG_BLOCK_EXTENT, axis); }
inline Arg block_size() { return gpuarr_arg_block(GPUARR_ARG_BLOCK_SIZE, 0); }

/// Ghost cells that are under way as long as this lives: until then work may read the blocks, and
/// neither write them nor touch ghost cells. end() throws what the destructor cannot.
struct HaloExchange {
  explicit HaloExchange(const Blocked& x) : blocked(x) { check(gpuarr_halo_begin(x)); }
  HaloExchange(const HaloExchange&) = delete;
  ~HaloExchange() {
    if (blocked != nullptr) gpuarr_halo_end(blocked);
  }
  void end() {
    const Blocked x = std::move(blocked);
    check(gpuarr_halo_end(x));
  }
  Blocked blocked;
};

}  // namespace wrapper
}  // namespace gpuarr
#endif
