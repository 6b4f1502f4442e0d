/* See fake_cuda.h: what is read of PTX and of cubins, as far as the stand-in has to know it. */
#include <ctype.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "state.h"

enum { PARAMETER_INFO = 0x17, PARAMETER_INFO_2 = 0x45 }; /* attributes in .nv.info.NAME */

static int is_elf(const char* image) { return memcmp(image, ELFMAG, SELFMAG) == 0; }
static int is_fatbin(const char* image) { return memcmp(image, "P\355U\272", 4) == 0; }

static Elf64_Ehdr header_of(const char* image) {
  Elf64_Ehdr header;
  memcpy(&header, image, sizeof header);
  return header;
}

static Elf64_Shdr section_of(const char* image, int index) {
  Elf64_Ehdr header = header_of(image);
  Elf64_Shdr section;
  memcpy(&section, image + header.e_shoff + (size_t)index * header.e_shentsize, sizeof section);
  return section;
}

static const char* section_name(const char* image, int index) {
  Elf64_Shdr names = section_of(image, header_of(image).e_shstrndx);
  return image + names.sh_offset + section_of(image, index).sh_name;
}

size_t code_bytes(const char* image) {
  if (is_fatbin(image)) {
    uint16_t head;
    uint64_t body;
    memcpy(&head, image + 6, sizeof head);
    memcpy(&body, image + 8, sizeof body);
    return head + (size_t)body;
  }
  if (!is_elf(image)) return strlen(image);
  Elf64_Ehdr header = header_of(image);
  size_t end = header.e_shoff + (size_t)header.e_shnum * header.e_shentsize;
  size_t segments = header.e_phoff + (size_t)header.e_phnum * header.e_phentsize;
  if (segments > end) end = segments;
  for (int i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr section = section_of(image, i);
    size_t last = section.sh_type == SHT_NOBITS ? 0 : section.sh_offset + section.sh_size;
    if (last > end) end = last;
  }
  return end;
}

int code_processor(const char* image) {
  if (is_elf(image)) {
    Elf64_Ehdr header = header_of(image);
    return (header.e_ident[EI_ABIVERSION] >= 8 ? header.e_flags >> 8 : header.e_flags) & 0xff;
  }
  const char* target = is_fatbin(image) ? NULL : strstr(image, ".target sm_");
  return target != NULL ? atoi(target + 11) : 0;
}

static int is_part(char c) { return isalnum((unsigned char)c) || c == '_' || c == '$'; }

static const char* find_word(const struct CUmod_st* module, const char* word) {
  size_t length = strlen(word);
  const char* end = module->image + module->bytes;
  for (const char* at = module->image; at + length <= end; ++at)
    if (memcmp(at, word, length) == 0 && (at == module->image || !is_part(at[-1])) &&
        (at + length == end || !is_part(at[length])))
      return at;
  return NULL;
}

int code_has(const struct CUmod_st* module, const char* name) {
  return find_word(module, name) != NULL;
}

/* Calls of each symbol of a type until one has the name; null asks for the kernel of an index. */
static int find_symbol(const char* image, int type, const char* name, int index, Elf64_Sym* out,
                       const char** found) {
  for (int s = 0; s < header_of(image).e_shnum; ++s) {
    Elf64_Shdr table = section_of(image, s);
    if (table.sh_type != SHT_SYMTAB) continue;
    const char* names = image + section_of(image, (int)table.sh_link).sh_offset;
    for (size_t at = 0; at < table.sh_size; at += sizeof *out) {
      memcpy(out, image + table.sh_offset + at, sizeof *out);
      *found = names + out->st_name;
      if (ELF64_ST_TYPE(out->st_info) != type || out->st_shndx == SHN_UNDEF) continue;
      if (type == STT_FUNC && (out->st_other & 0x10) == 0) continue;
      if (name != NULL ? strcmp(*found, name) == 0 : index-- == 0) return 1;
    }
  }
  return 0;
}

size_t code_variable_bytes(const struct CUmod_st* module, const char* name) {
  if (is_elf(module->image)) {
    Elf64_Sym symbol;
    const char* found;
    return find_symbol(module->image, STT_OBJECT, name, 0, &symbol, &found) ? symbol.st_size : 0;
  }
  const char* at = find_word(module, name);
  if (at == NULL) return 0;
  at += strlen(name);
  return at < module->image + module->bytes && *at == '[' ? (size_t)atol(at + 1) : 4;
}

int code_is_loose(const struct CUmod_st* module, const char* name) {
  const char* at = is_elf(module->image) ? NULL : find_word(module, name);
  const char* type = ".align 1 .b8 ";
  ptrdiff_t length = (ptrdiff_t)strlen(type);
  return at != NULL && at - module->image > length &&
         memcmp(at - length, type, (size_t)length) == 0;
}

static int cubin_parameters(const char* image, const char* name, struct parameter* out) {
  int count = 0;
  for (int s = 0; s < header_of(image).e_shnum; ++s) {
    const char* title = section_name(image, s);
    if (strncmp(title, ".nv.info.", 9) != 0 || strcmp(title + 9, name) != 0) continue;
    Elf64_Shdr section = section_of(image, s);
    const unsigned char* at = (const unsigned char*)image + section.sh_offset;
    const unsigned char* end = at + section.sh_size;
    while (at + 4 <= end) {
      uint16_t length = 0;
      if (at[0] == 4) memcpy(&length, at + 2, sizeof length);
      if (at[0] == 4 && (at[1] == PARAMETER_INFO || at[1] == PARAMETER_INFO_2)) {
        uint16_t ordinal, offset;
        uint32_t bytes;
        memcpy(&ordinal, at + 8, sizeof ordinal);
        memcpy(&offset, at + 10, sizeof offset);
        memcpy(&bytes, at + 12, sizeof bytes);
        if (ordinal < MOST_PARAMETERS) {
          out[ordinal].offset = offset;
          out[ordinal].bytes = at[1] == PARAMETER_INFO ? bytes >> 18 : bytes;
          if (ordinal >= count) count = ordinal + 1;
        }
      }
      at += 4 + length;
    }
  }
  return count;
}

/* ".param .align 8 .b8 name[24]", ".param .u64 .ptr .global name" */
static int ptx_parameters(const struct CUmod_st* module, const char* name, struct parameter* out) {
  int count = 0;
  size_t offset = 0;
  const char* at = find_word(module, name) + strlen(name);
  if (*at != '(') return 0;
  for (const char* close = strchr(at, ')'); count < MOST_PARAMETERS; ++count) {
    const char* next = strstr(at, ".param ");
    if (next == NULL || next > close) break;
    at = next + 7;
    size_t align = 0, bytes = 1;
    if (sscanf(at, ".align %zu", &align) != 1) align = 0;
    const char* end = at + strcspn(at, ",)");
    for (const char* c = at; c < end; ++c)
      if (c[0] == '.' && strchr("bufs", c[1]) != NULL && isdigit((unsigned char)c[2]))
        bytes = (size_t)atoi(c + 2) / 8;
    if (align == 0) align = bytes;
    const char* bracket = memchr(at, '[', (size_t)(end - at));
    if (bracket != NULL) bytes *= (size_t)atol(bracket + 1);
    offset = (offset + align - 1) / align * align;
    out[count] = (struct parameter){offset, bytes};
    offset += bytes;
  }
  return count;
}

int code_parameters(const struct CUmod_st* module, const char* name, struct parameter* out) {
  if (is_elf(module->image)) return cubin_parameters(module->image, name, out);
  if (is_fatbin(module->image) || find_word(module, name) == NULL) return -1;
  return ptx_parameters(module, name, out);
}

int code_entries(const struct CUmod_st* module, char names[][64], int most) {
  int count = 0;
  Elf64_Sym symbol;
  const char* found;
  if (is_elf(module->image)) {
    while (count < most && find_symbol(module->image, STT_FUNC, NULL, count, &symbol, &found))
      snprintf(names[count++], sizeof *names, "%s", found);
    return count;
  }
  const char* end = module->image + module->bytes;
  for (const char* at = module->image; at + 8 < end && count < most; ++at)
    if (memcmp(at, ".entry ", 7) == 0 && sscanf(at + 7, "%63[A-Za-z0-9_$]", names[count]) == 1)
      ++count;
  return count;
}
