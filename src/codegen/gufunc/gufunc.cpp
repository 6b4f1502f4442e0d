#include "codegen/gufunc/gufunc.hpp"

#include "codegen/elementwise/elementwise.hpp"
#include "codegen/gufunc/parameters.hpp"
#include "codegen/gufunc/places.hpp"
#include "codegen/gufunc/staging.hpp"
#include "codegen/gufunc_text.hpp"
#include "codegen/layout_text.hpp"

namespace gpuarr {
namespace {

// All before the kernel but the prelude and the algorithm.
std::string declarations(const GufuncText& pieces, const GufuncVariant& variant,
                         std::span<const Letter> letters) {
  const char* const kinds[] = {"thread", "warp", "block"};
  std::string out;
  if (names_group(pieces)) {
    const std::string_view texts[] = {gufunc_parts::thread, gufunc_parts::warp,
                                      gufunc_parts::block};
    const auto group = static_cast<size_t>(variant.group);
    if (variant.group == Group::block) out += kernel_file("gufunc/warp", gufunc_parts::warp);
    out += kernel_file(formatted("gufunc/{}", kinds[group]), texts[group]);
  }
  return out + before_parameters(variant.operands, letters, pieces.defines, pieces.preamble) +
         parameter_struct(variant, pieces.cores);
}

std::string kernel_head(const GufuncText& pieces, int threads) {
  return formatted(
      "\nextern \"C\" __global__ void __launch_bounds__({})\n"
      "{}_kernel(const __grid_constant__ _params _p)",
      threads, pieces.name);
}

constexpr const char* none_there = "  if (_number >= _p._n) return;\n";

std::string at(int k) { return formatted("_at._data{}", k); }

}  // namespace

bool names_group(const GufuncText& text) {
  return text.body.has("group") || text.defines.may_define("group") ||
         text.preamble.may_define("group");
}

std::string gufunc_source(const GufuncText& pieces, const Target& target,
                          const GufuncVariant& variant, std::span<const OperandName> names,
                          std::span<const Letter> letters) {
  const UserText* const texts[] = {&pieces.defines, &pieces.preamble, &pieces.body};
  PreludeNeeds needs = needs_of(variant.operands, texts);
  needs.views = true;
  return target.prelude(needs) + target.gufunc.algorithm(variant) +
         declarations(pieces, variant, letters) + target.gufunc.kernel(pieces, variant, names);
}

std::string cuda_gufunc_algorithm(const GufuncVariant& variant) {
  std::string out;
  if (variant.divides_fast()) out += kernel_file("layout/divisor", layout_parts::divisor);
  out += kernel_file("layout/index", layout_parts::index);
  if (stages_any(variant)) out += kernel_file("gufunc/staged", gufunc_parts::staged);
  return out;
}

std::string cuda_gufunc(const GufuncText& pieces, const GufuncVariant& variant,
                        std::span<const OperandName> names) {
  PlacesWriter writer(pieces, variant, names);
  writer.write_places(writer.inner());
  const char* const index = writer.index_type();
  const int threads = variant.most_threads();
  const bool staged = stages_any(variant);
  std::string number = formatted("({})blockIdx.x * {} + threadIdx.x", index, threads);
  if (staged) number = formatted("({}) / 32 * 32", number);  // of the warp
  const std::string place =
      writer.constants() + writer.operands(at) + writer.body() + writer.stores(at);
  writer.out.function(kernel_head(pieces, threads),
                      constant(index, "_number", number) + none_there +
                          (staged ? staged_statements(writer, place)
                                  : constant("_place", "_at", "_at_row(_p, _number)") + place));
  return writer.out.take();
}

std::string gufunc_group_source(const GufuncText& pieces, const GufuncVariant& variant,
                                std::span<const OperandName> names, std::span<const Letter> letters,
                                int threads) {
  PlacesWriter writer(pieces, variant, names);
  writer.write_places(writer.inner());
  const char* const index = writer.index_type();
  const bool block = variant.group == Group::block;
  std::string text =
      block ? constant(index, "_number", "blockIdx.x")
            : constant(index, "_number",
                       formatted("({})blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32", index)) +
                  none_there;
  text += constant("_place", "_at", "_at_row(_p, _number)") + writer.constants() +
          writer.operands(at) + writer.body();
  if (const std::string stores = writer.stores(at); !stores.empty())
    text +=
        formatted("  if ({} == 0)", block ? "threadIdx.x" : "threadIdx.x % 32") + braced(stores);
  writer.out.function(kernel_head(pieces, threads > 0 ? threads : variant.most_threads()), text);
  return "#include <gpuarr.cuh>\n" + declarations(pieces, variant, letters) + writer.out.take();
}

}  // namespace gpuarr
