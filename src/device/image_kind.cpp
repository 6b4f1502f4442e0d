// Telling CUDA C++ text and its compiled forms apart.
#include "device/image_kind.hpp"

#include <elf.h>

#include <cstdint>

#include "core/text.hpp"

namespace gpuarr {
namespace {

constexpr uint32_t fatbin_magic = 0xba55ed50;
constexpr uint16_t elf_for_cuda = 190;  // EM_CUDA, which not every elf.h has

struct FatbinHeader {
  uint32_t magic;
  uint16_t version;
  uint16_t header_bytes;
  uint64_t bytes;  // behind the header
};

bool is_elf(std::string_view image) { return image.starts_with(ELFMAG); }

std::string_view without_nuls(std::string_view text) {
  return text.substr(0, text.find_last_not_of('\0') + 1);
}

// Past blanks and comments; what begins there says whether it is PTX.
std::string_view after_comments(std::string_view text) {
  for (;;) {
    size_t blanks = text.find_first_not_of(" \t\r\n\f\v");
    if (blanks == std::string_view::npos) return {};
    text.remove_prefix(blanks);
    bool is_line = text.starts_with("//");
    if (!is_line && !text.starts_with("/*")) return text;
    size_t end = is_line ? text.find('\n') : text.find("*/", 2);
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + (is_line ? 1 : 2));
  }
}

bool reaches_past(uint64_t offset, uint64_t bytes, size_t size) {
  return offset > size || bytes > size - offset;
}

// Whether the tables of an ELF file, and what they point to, are inside it.
bool is_whole_elf(std::string_view image) {
  Elf64_Ehdr header;
  if (!read_image(image, 0, header)) return false;
  if (reaches_past(header.e_shoff, uint64_t{header.e_shnum} * header.e_shentsize, image.size()) ||
      reaches_past(header.e_phoff, uint64_t{header.e_phnum} * header.e_phentsize, image.size()))
    return false;
  for (int i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr section;
    if (!read_image(image, header.e_shoff + size_t(i) * header.e_shentsize, section)) return false;
    if (section.sh_type != SHT_NOBITS &&
        reaches_past(section.sh_offset, section.sh_size, image.size()))
      return false;
  }
  return true;
}

bool is_whole_fatbin(std::string_view image) {
  FatbinHeader header;
  return read_image(image, 0, header) && header.header_bytes >= sizeof header &&
         !reaches_past(header.header_bytes, header.bytes, image.size());
}

// Of a header that is cut short, what there is decides.
bool is_cubin(std::string_view image) {
  Elf64_Ehdr header;
  return is_elf(image) && (!read_image(image, 0, header) || header.e_machine == elf_for_cuda);
}

}  // namespace

ImageKind image_kind(std::string_view image) {
  if (is_cubin(image)) return ImageKind::cubin;
  if (is_elf(image)) return ImageKind::unknown;
  uint32_t magic = 0;
  if (read_image(image, 0, magic) && magic == fatbin_magic) return ImageKind::fatbin;
  std::string_view text = without_nuls(image);
  if (text.find('\0') != std::string_view::npos) return ImageKind::unknown;
  return after_comments(text).starts_with(".version") ? ImageKind::ptx : ImageKind::text;
}

std::string image_fault(std::string_view image) {
  switch (image_kind(image)) {
    case ImageKind::ptx:
      return "";
    case ImageKind::cubin:
      return is_whole_elf(image) ? ""
                                 : formatted("the cubin of {} bytes is cut short", image.size());
    case ImageKind::fatbin:
      return is_whole_fatbin(image)
                 ? ""
                 : formatted("the fatbin of {} bytes is cut short", image.size());
    case ImageKind::text:
      return formatted("the {} bytes are text, but no PTX, which begins with .version",
                       image.size());
    case ImageKind::unknown:
      break;
  }
  if (is_elf(image))
    return formatted("the ELF file of {} bytes is not for a GPU of NVIDIA", image.size());
  return formatted("the {} bytes are neither PTX, nor a cubin, nor a fatbin", image.size());
}

}  // namespace gpuarr
