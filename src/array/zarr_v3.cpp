// Version 3 of the metadata: https://zarr-specs.readthedocs.io/en/latest/v3/core/index.html
#include "array/zarr_v3.hpp"

#include <algorithm>
#include <array>

#include "array/zarr_fill.hpp"
#include "core/error.hpp"
#include "core/json.hpp"

namespace gpuarr {
namespace {

// What the specification calls an extension: {"name": "bytes", "configuration": {...}}, or the name
// alone.
struct Extension {
  ZarrField field;
  std::string_view name;
  std::optional<ZarrField> configuration;

  std::optional<ZarrField> find(std::string_view key) const {
    return configuration ? configuration->find(key) : std::nullopt;
  }
  ZarrField get(std::string_view key) const {
    if (configuration) return configuration->get(key);
    field.refuse(GPUARR_ERR_FORMAT, formatted("it lacks \"{}\" in a \"configuration\"", key));
  }
};

Extension extension(const ZarrField& field) {
  if (field.value().kind == JsonValue::Kind::string) return {field, field.text(), std::nullopt};
  field.must_be_object();
  const ZarrField name = field.get("name");
  if (name.value().kind != JsonValue::Kind::string)
    name.refuse(GPUARR_ERR_FORMAT, "it must be a string");
  const auto configuration = field.find("configuration");
  if (configuration) configuration->must_be_object();
  return {field, name.text(), configuration};
}

void check_node(const ZarrField& document) {
  const ZarrField node = document.get("node_type");
  if (node.is("group"))
    node.refuse(GPUARR_ERR_UNSUPPORTED, "give the directory of an array in the group");
  if (!node.is("array")) node.refuse(GPUARR_ERR_FORMAT, "it must be \"array\"");
}

// What is not known must be understood, unless it says otherwise.
void check_keys(const ZarrField& document) {
  constexpr std::array<std::string_view, 11> known = {
      "zarr_format",         "node_type",  "shape",      "data_type",       "chunk_grid",
      "chunk_key_encoding",  "fill_value", "attributes", "dimension_names", "codecs",
      "storage_transformers"};
  for (const std::string& key : document.value().keys) {
    if (std::ranges::find(known, key) != known.end()) continue;
    const ZarrField field = document.get(key);
    const auto must = field.find("must_understand");
    if (!must || must->value().boolean() != false)
      field.refuse(GPUARR_ERR_UNSUPPORTED, "libgpuarr does not understand this key");
  }
  const auto transformers = document.find("storage_transformers");
  if (transformers && !transformers->must_be_array().empty())
    transformers->refuse(GPUARR_ERR_UNSUPPORTED, "save it without storage transformers");
}

DType read_data_type(const ZarrField& field) {
  const Extension type = extension(field);
  const auto rows = dtype_table();
  const auto found =
      std::ranges::find_if(rows, [&](const DTypeFacts& row) { return row.name == type.name; });
  if (found == rows.end() || (type.configuration && !type.configuration->value().keys.empty()))
    field.refuse(GPUARR_ERR_UNSUPPORTED,
                 "libgpuarr has bool, int8 to int64, uint8 to uint64, float16, bfloat16, float32, "
                 "float64, complex64 and complex128");
  return found->dtype;
}

void read_keys(const ZarrField& field, ZarrArray& array) {
  const Extension encoding = extension(field);
  array.key_has_c = encoding.name == "default";
  if (!array.key_has_c && encoding.name != "v2")
    field.refuse(GPUARR_ERR_UNSUPPORTED, "libgpuarr knows \"default\" and \"v2\"");
  array.key_separator = array.key_has_c ? '/' : '.';
  if (const auto separator = encoding.find("separator")) {
    if (!separator->is(".") && !separator->is("/"))
      separator->refuse(GPUARR_ERR_FORMAT, "it must be \".\" or \"/\"");
    array.key_separator = separator->text()[0];
  }
}

// Axes as they are, or the other way round, which is Fortran's order.
void read_transpose(const Extension& codec, ZarrArray& array) {
  const ZarrField order = codec.get("order");
  const Dims axes = order.integers(0);
  const int ndim = array.shape.size();
  bool same = axes.size() == ndim, reversed = same;
  uint64_t seen = 0;
  for (int i = 0; i < axes.size(); ++i) {
    if (axes[i] < ndim) seen |= uint64_t{1} << axes[i];
    same = same && axes[i] == i;
    reversed = reversed && axes[i] == ndim - 1 - i;
  }
  if (axes.size() != ndim || seen != (uint64_t{1} << ndim) - 1)
    order.refuse(GPUARR_ERR_FORMAT, formatted("it must have each of {} axes once", ndim));
  if (!same && !reversed)
    order.refuse(GPUARR_ERR_UNSUPPORTED,
                 "libgpuarr knows C and Fortran order: axes as they are, or all reversed");
  if (!same) array.order = array.order == Order::c ? Order::f : Order::c;
}

void read_bytes_codec(const Extension& codec, ZarrArray& array) {
  const auto endian = codec.find("endian");
  if (size_of(array.dtype) > 1 && !endian)
    codec.field.refuse(GPUARR_ERR_FORMAT, "its configuration lacks \"endian\"");
  if (!endian) return;
  if (!endian->is("little") && !endian->is("big"))
    endian->refuse(GPUARR_ERR_FORMAT, "it must be \"little\" or \"big\"");
  array.big_endian = endian->is("big") && size_of(array.dtype) > 1;
}

void read_codecs(const ZarrField& field, ZarrArray& array) {
  bool has_bytes = false;
  for (size_t i = 0; i < field.must_be_array().size(); ++i) {
    const Extension codec = extension(field.at(i));
    if (codec.name == "bytes" && !has_bytes) {
      has_bytes = true;
      read_bytes_codec(codec, array);
    } else if (codec.name == "transpose" && !has_bytes) {
      read_transpose(codec, array);
    } else if (codec.name == "sharding_indexed") {
      codec.field.refuse(GPUARR_ERR_UNSUPPORTED, "save it without shards");
    } else {
      codec.field.refuse(GPUARR_ERR_UNSUPPORTED,
                         "save it uncompressed: with the codec \"bytes\" alone, maybe after "
                         "\"transpose\"");
    }
  }
  if (!has_bytes) field.refuse(GPUARR_ERR_FORMAT, "it lacks the codec \"bytes\"");
}

Dims read_chunk_grid(const ZarrField& field) {
  const Extension grid = extension(field);
  if (grid.name != "regular")
    field.refuse(GPUARR_ERR_UNSUPPORTED, "libgpuarr knows \"regular\", chunks of one shape");
  return grid.get("chunk_shape").integers(1);
}

std::string format_extension(std::string_view name, std::string_view key,
                             const std::string& value) {
  return json_object({{"name", json_quoted(name)}, {"configuration", json_object({{key, value}})}});
}

std::string format_codecs(const ZarrArray& array) {
  const char* endian = array.big_endian ? R"("big")" : R"("little")";
  const std::string bytes = format_extension("bytes", "endian", endian);
  if (array.order != Order::f || array.shape.size() < 2) return '[' + bytes + ']';
  Dims axes;
  for (int i = array.shape.size(); i > 0; --i) axes.push_back(i - 1);
  return '[' + format_extension("transpose", "order", json_list(axes)) + ", " + bytes + ']';
}

}  // namespace

ZarrArray parse_zarr_v3(const ZarrField& document) {
  ZarrArray out;
  out.version = 3;
  check_node(document);
  check_keys(document);
  out.dtype = read_data_type(document.get("data_type"));
  out.shape = document.get("shape").integers(0);
  out.chunk = read_chunk_grid(document.get("chunk_grid"));
  read_keys(document.get("chunk_key_encoding"), out);
  read_codecs(document.get("codecs"), out);
  read_zarr_fill(document.get("fill_value"), out);
  return out;
}

std::string format_zarr_v3(const ZarrArray& array) {
  const std::string_view encoding = array.key_has_c ? "default" : "v2";
  const std::string separator = json_quoted({&array.key_separator, 1});
  return json_object(
             {{"zarr_format", "3"},
              {"node_type", R"("array")"},
              {"shape", json_list(array.shape)},
              {"data_type", json_quoted(name(array.dtype))},
              {"chunk_grid", format_extension("regular", "chunk_shape", json_list(array.chunk))},
              {"chunk_key_encoding", format_extension(encoding, "separator", separator)},
              {"fill_value", format_zarr_fill(array)},
              {"codecs", format_codecs(array)},
              {"attributes", "{}"}}) +
         '\n';
}

}  // namespace gpuarr
