// Tests of cuda/compile/symbols.hpp: the names that people give kernels, and those that compilers
// do.
#include <random>

#include "check.hpp"
#include "cuda/compile/symbols.hpp"

using namespace gpuarr::cuda;

namespace {

void reads_names() {
  CHECK_EQ(readable("saxpy"), "saxpy");
  CHECK_EQ(readable("_Z5saxpyfPKfPfi"), "saxpy(float, float const*, float*, int)");
  CHECK_EQ(short_name("_Z5saxpyfPKfPfi"), "saxpy");
  CHECK_EQ(readable("_ZN2ns5scaleIfLi4EEEvPT_"), "ns::scale<float, 4>(float*)");
  CHECK_EQ(short_name("_ZN2ns5scaleIfLi4EEEvPT_"), "ns::scale<float, 4>");
  CHECK_EQ(readable("_Z5applyIPFiiEEvT_Pi"), "apply<int (*)(int)>(int (*)(int), int*)");
  CHECK_EQ(short_name("_Z5applyIPFiiEEvT_Pi"), "apply<int (*)(int)>");
  CHECK_EQ(readable("_ZN12_GLOBAL__N_16hiddenEPi"), "hidden(int*)");
  CHECK_EQ(readable("_ZN1a33_GLOBAL__N__00000000_7_prog_cu_ec6hiddenEPi"), "a::hidden(int*)");
  CHECK_EQ(readable("_ZN2ns5tableE"), "ns::table");
  CHECK_EQ(readable("_Znonsense"), "_Znonsense");
  for (const char* name : {"f", "x", "d", "PFviE"}) {  // which are types to the demangler
    CHECK_EQ(readable(name), name);
    CHECK_EQ(short_name(name), name);
    CHECK(is_called(name, name));
  }
  CHECK(!is_called("f", "float"));
}

void knows_who_is_called() {
  const std::string scale = "_ZN2ns5scaleIfLi4EEEvPT_";
  for (const char* name : {"ns::scale", "ns::scale<float,4>", "ns::scale< float, 4 >",
                           "ns::scale<float, 4>(float*)", "_ZN2ns5scaleIfLi4EEEvPT_"})
    CHECK(is_called(scale, name));
  for (const char* name : {"scale", "ns", "ns::scale<float>", "ns::scale<float, 4>(double*)", ""})
    CHECK(!is_called(scale, name));
  CHECK(is_called("saxpy", "saxpy"));
  CHECK(!is_called("saxpy", "sax"));
  CHECK(is_called("_Z4overPf", "over(float *)"));
}

void reads_ptx() {
  const char* ptx =
      "// .entry not_this\n"
      ".version 8.3\n.target sm_90a\n"
      ".visible .entry first(\n\t.param .u64 p\n)\n{ .reg .b32 r; }\n"
      ".entry _Z6secondv()\n"
      ".weak .entry third()\n"
      ".extern .entry fourth()\n"
      ".extern .shared .align 16 .b8 s[];\n"
      ".extern .global .align 4 .u32 elsewhere;\n"
      ".visible .global .align 4 .u32 counter = 7;\n"
      ".const .align 8 .b8 _ZN2ns5tableE[64];\n"
      ".global .align 1 .b8 $str[3] = {37, 102};\n"
      ".global .attribute(.managed) .align 4 .f32 x;\n"
      "\t.global .v4 .f32 wide;";
  Symbols symbols = read_symbols(ptx);
  CHECK_EQ(gpuarr::joined(symbols.kernels), "first, _Z6secondv, third, fourth");
  CHECK_EQ(gpuarr::joined(symbols.variables), "counter, _ZN2ns5tableE, x, wide");
  CHECK_EQ(read_made(ptx).processor, "90a");
  CHECK_EQ(read_made(ptx).ptx_version, "8.3");
  CHECK_EQ(read_made(".version").ptx_version, "");
  CHECK(read_symbols("int x;").kernels.empty());
}

// Whatever the tables say, nothing past the end is read: a sanitizer would tell.
void survives_damage() {
  std::mt19937 random(5);
  std::string elf(600, '\0');
  elf.replace(0, 4, "\177ELF");
  elf[18] = static_cast<char>(190);
  elf[40] = 64;  // sections
  elf[58] = 64;
  elf[60] = 4;
  for (int s = 0; s < 4; ++s) elf[static_cast<size_t>(64 + 64 * s + 4)] = s < 2 ? 2 : 3;
  elf[62] = 1;  // the section that has the names of all
  elf.replace(128 + 24, 2, "\x30\2");
  elf[128 + 32] = 40;
  elf.replace(560, 10, ".nv.info.k");
  elf[64] = elf[128] = elf[256] = 39;  // the others have none
  elf.replace(192 + 24, 2, "\x90\1");
  elf[192 + 32] = 16;
  elf.replace(400, 16, std::string("\4\x17\xc\0\0\0\0\0\0\0\0\0\0\0\x10\0", 16));
  const auto parameters = read_parameters(elf, "k");
  CHECK(parameters && parameters->size() == 1 && parameters->at(0).bytes == 4);
  CHECK(!read_parameters(elf, "j"));
  for (int round = 0; round < 20000; ++round) {
    std::string damaged = elf;
    for (int i = 0; i < 30; ++i) {
      size_t at = 40 + random() % (damaged.size() - 40);
      damaged[at] = static_cast<char>(random() % 4 ? random() % 70 : random());
    }
    read_symbols(damaged);
    read_parameters(damaged, round % 2 ? "k" : "");
    read_made(damaged.substr(0, random() % damaged.size()));
  }
}

}  // namespace

int main() {
  reads_names();
  knows_who_is_called();
  reads_ptx();
  survives_damage();
  return check::result();
}
