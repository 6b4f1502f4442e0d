// What sorts on a GPU compiles, on a machine without one.
#include <algorithm>
#include <bit>
#include <iostream>

#include "check.hpp"
#include "codegen/count/bins.hpp"
#include "codegen/count/runs.hpp"
#include "codegen/rank/cuda.hpp"
#include "codegen/sort/cub/cub.hpp"
#include "codegen/sort/cuda.hpp"
#include "codegen/targets.hpp"
#include "cuda/compile/compiler.hpp"
#include "cuda_text.hpp"

using namespace gpuarr;

namespace {

void compile([[maybe_unused]] cuda::Compiler& compiler, const std::string& text) {
#ifdef __SANITIZE_ADDRESS__
  CHECK(text.find("__global__") != std::string::npos);
#else
  Source source{"sort", text, cub_options()};
  source.embedded = cub_headers();
  CHECK(compiler.compile(source).size() > 500);
#endif
}

void compile_form(cuda::Compiler& compiler, const SortVariant& variant, int64_t n) {
  const SortTile tile = tile_of_row(variant, n);
  try {
    compile(compiler, tile.threads > 0 ? cuda_sort_row_text(row_variant(variant, tile))
                                       : cuda_sort_sweep_text(variant));
  } catch (const Error& e) {
    check::report(__FILE__, __LINE__)
        << name(variant.dtype) << ", " << n << ": " << e.what() << "\n";
  }
}

// What needs no CUB: a few elements, runs of equal elements, and bins.
void compile_counts(cuda::Compiler& compiler) {
  for (DType dtype : {DType::boolean, DType::f16, DType::f64})
    CHECK(compiles(compiler, "sort", cuda_sort_few_text(few_variant({dtype, true}, 16))));
  for (const SortVariant& variant :
       {SortVariant{DType::f32}, {DType::f16, true}, {DType::i64, false, true}})
    CHECK(compiles(compiler, "sort",
                   cuda_sort_warp_text(warp_variant(variant, items_of_warp(variant, 250)))));
  for (DType dtype : {DType::f16, DType::u8, DType::f32, DType::c128})
    CHECK(compiles(compiler, "unique", run_text(cuda_target, dtype)));
  for (Bins bins : {Bins::even, Bins::edges})
    for (DType dtype : {DType::bf16, DType::i64})
      CHECK(compiles(compiler, "bins", bin_text(cuda_target, {dtype, bins, false})));
  for (bool weighted : {false, true})
    CHECK(compiles(compiler, "bins", bin_text(cuda_target, {DType::u8, Bins::self, weighted})));
}

// The cache is warmed with rows of powers of two.
void powers_of_two_have_all_texts() {
  constexpr uint64_t least = 8, most = 8192;
  for (const DTypeFacts& r : dtype_table())
    for (bool indexed : {false, true}) {
      if (r.kind == DTypeKind::complex) continue;
      const SortVariant variant{r.dtype, false, indexed};
      CHECK_EQ(tile_of_row(variant, most + 1).threads, 0);
      for (uint64_t n = 1; n <= most; ++n) {
        const auto row = static_cast<int64_t>(n);
        const auto warmed = static_cast<int64_t>(std::max(least, std::bit_ceil(n)));
        CHECK_EQ(threads_of_few(row), threads_of_few(warmed));
        CHECK_EQ(items_of_warp(variant, row), items_of_warp(variant, warmed));
        CHECK_EQ(tile_of_row(variant, row).size(), tile_of_row(variant, warmed).size());
      }
    }
}

void compile_ranks(cuda::Compiler& compiler, const RankVariant& variant) {
  CHECK(compiles(compiler, "rank", cuda_rank_text(variant)));
  CHECK(compiles(compiler, "rank", cuda_rank_rows_text(variant)));
}

}  // namespace

int main(int argc, char** /*argv*/) {
  if (cub_headers().empty()) {
    std::cerr << "built without CUB\n";
    return 77;
  }
  powers_of_two_have_all_texts();
  cuda::Compiler compiler(90, 13);
  try {
    std::cerr << compiler.description() << '\n';
  } catch (const Error& error) {
    std::cerr << error.what() << '\n';
    return 77;
  }
  compile_counts(compiler);
  for (const RankVariant& variant :
       {RankVariant{DType::f32, true}, {DType::f64, false, true, true}})
    compile_ranks(compiler, variant);
  constexpr int64_t long_row = 100000;
  compile_form(compiler, {DType::u32}, long_row);
  compile_form(compiler, {DType::f32, true, true, false, true}, long_row);
  compile_form(compiler, {DType::i64, false, true, true}, long_row);
  compile_form(compiler, {DType::boolean, true}, 8192);
  compile_form(compiler, {DType::f64, false, true}, 4096);
  for (const DTypeFacts& r : dtype_table())
    for (int k = 0; argc > 1 && k < 8 && r.kind != DTypeKind::complex; ++k)
      compile_ranks(compiler, {r.dtype, k % 2 == 1, k / 2 % 2 == 1, k / 4 == 1});
  if (argc > 1)  // everything, which takes minutes
    for (const DTypeFacts& r : dtype_table())
      for (int k = 0; k < 8 && r.kind != DTypeKind::complex; ++k)
        for (int64_t n : {100, 500, 2000, 4000, 8000, 100000})
          compile_form(compiler, {r.dtype, k % 2 == 1, k / 2 % 2 == 1, k / 4 == 1}, n);
  return check::result();
}
