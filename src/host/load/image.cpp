#include "host/load/image.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/error.hpp"
#include "core/scratch.hpp"

namespace gpuarr::host {
namespace {

#if defined(__x86_64__)
constexpr int this_machine = EM_X86_64;
#elif defined(__aarch64__)
constexpr int this_machine = EM_AARCH64;
#elif defined(__powerpc64__)
constexpr int this_machine = EM_PPC64;
#elif defined(__riscv)
constexpr int this_machine = EM_RISCV;
#endif

[[noreturn]] void bad_image(const std::string& image, const char* why) {
  fail(GPUARR_ERR_LOAD,
       "compiled code of {} bytes cannot be loaded: {}; it must be a shared object of this machine",
       image.size(), why);
}

template <class T>
T read_at(const std::string& image, uint64_t offset, const char* what) {
  T value;
  if (offset > image.size() || image.size() - offset < sizeof value) bad_image(image, what);
  std::memcpy(&value, image.data() + offset, sizeof value);
  return value;
}

// The loader trusts what it maps: a file that is cut short would kill the process.
void check_image(const std::string& image) {
  const auto header = read_at<Elf64_Ehdr>(image, 0, "it is too short");
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) bad_image(image, "it is not ELF");
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_machine != this_machine)
    bad_image(image, "it is for another kind of processor");
  if (header.e_type != ET_DYN || header.e_phentsize != sizeof(Elf64_Phdr))
    bad_image(image, "it is not a shared object");
  bool dynamic = false;
  for (int i = 0; i < header.e_phnum; ++i) {
    const auto segment = read_at<Elf64_Phdr>(
        image, header.e_phoff + static_cast<uint64_t>(i) * sizeof(Elf64_Phdr), "it is cut short");
    if (segment.p_offset > image.size() || image.size() - segment.p_offset < segment.p_filesz)
      bad_image(image, "it is cut short");
    dynamic |= segment.p_type == PT_DYNAMIC;
  }
  if (!dynamic) bad_image(image, "it is not a shared object");
}

// A name that was never used before: the loader takes an equal name for the same library, though
// the number of a closed file comes back. A count would be another copy's of this library too, so
// the name is random. "./" and "//" in between change the name, not the place.
std::string unique_path(int fd) {
  std::string path = "/proc/self/fd/";
  for (uint64_t bits = random_word(); bits != 0; bits >>= 1) path += (bits & 1) != 0 ? "./" : ".//";
  return path + std::to_string(fd);
}

int open_memory() {
#ifdef MFD_EXEC
  if (int fd = memfd_create("gpuarr", MFD_CLOEXEC | MFD_EXEC); fd >= 0) return fd;
#endif
  return memfd_create("gpuarr", MFD_CLOEXEC);
}

void* open_from_memory(const std::string& image, std::string& why, std::string& no_file) {
  File file(open_memory());
  if (!file || !file.write(image)) {
    no_file =
        formatted("no file for {} bytes of compiled code: {}", image.size(), errno_text(errno));
    return nullptr;
  }
  void* handle = dlopen(unique_path(file.fd()).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) why = dlerror();
  return handle;
}

// For machines without /proc, or where memory may not be executed.
void* open_from_file(const std::string& image, std::string& why) {
  for (const std::string& parent : scratch_parents()) {
    ScratchDirectory directory(parent);
    if (!directory) continue;
    const std::string path = formatted("{}/{:016x}.so", directory.path(), random_word());
    File file(open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0700));
    if (!file || !file.write(image)) continue;
    if (void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) return handle;
    if (why.empty()) why = dlerror();
  }
  return nullptr;
}

void* open_image(const std::string& image) {
  check_image(image);
  std::string why, no_file;
  void* handle = open_from_memory(image, why, no_file);
  if (handle == nullptr) handle = open_from_file(image, why);
  if (handle == nullptr && why.empty()) throw Error(GPUARR_ERR_IO, no_file);
  if (handle == nullptr) fail(GPUARR_ERR_LOAD, "compiled code cannot be loaded: {}", why);
  return handle;
}

}  // namespace

Image::Image(const std::string& bytes) : handle_(open_image(bytes)) {}

Image::~Image() {
  if (!kept_) dlclose(handle_);
}

void* Image::symbol(const char* name) const { return dlsym(handle_, name); }

}  // namespace gpuarr::host
