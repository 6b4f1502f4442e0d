// What a Zarr array is: https://zarr-specs.readthedocs.io/en/latest/v2/v2.0.html
#include "array/zarr.hpp"

#include <algorithm>
#include <cstring>

#include "array/byte_order.hpp"
#include "array/zarr_fill.hpp"
#include "array/zarr_v3.hpp"
#include "core/error.hpp"
#include "core/json.hpp"

namespace gpuarr {
namespace {

// "<f4": byte order, kind, bytes.
void read_v2_dtype(const ZarrField& field, ZarrArray& array) {
  if (field.value().kind == JsonValue::Kind::array)
    field.refuse(GPUARR_ERR_UNSUPPORTED, "save the fields of structures as separate arrays");
  const std::string_view text = field.text();
  const char byte_order = text.empty() ? '\0' : text[0];
  const auto is_it = [&](const DTypeFacts& row) {
    return row.npy_kind != 0 && text.substr(1) == formatted("{}{}", row.npy_kind, row.size) &&
           (byte_order == '<' || byte_order == '>' || (byte_order == '|' && row.size == 1));
  };
  const auto rows = dtype_table();
  const auto found = byte_order == '\0' ? rows.end() : std::ranges::find_if(rows, is_it);
  if (field.value().kind != JsonValue::Kind::string || found == rows.end())
    field.refuse(GPUARR_ERR_UNSUPPORTED,
                 "libgpuarr has numbers of 1 to 8 bytes, as \"<f4\", and complex ones");
  array.dtype = found->dtype;
  array.big_endian = byte_order == '>' && found->size > 1;
}

ZarrArray parse_v2(const ZarrField& document) {
  ZarrArray out;
  read_v2_dtype(document.get("dtype"), out);
  out.shape = document.get("shape").integers(0);
  out.chunk = document.get("chunks").integers(1);
  if (const auto compressor = document.get("compressor"); !compressor.is_null())
    compressor.refuse(GPUARR_ERR_UNSUPPORTED, "save it uncompressed: compressor=None");
  if (const auto filters = document.get("filters");
      !filters.is_null() && !filters.must_be_array().empty())
    filters.refuse(GPUARR_ERR_UNSUPPORTED, "save it without: filters=None");
  const auto order = document.get("order");
  if (!order.is("C") && !order.is("F"))
    order.refuse(GPUARR_ERR_FORMAT, "it must be \"C\" or \"F\"");
  out.order = order.is("F") ? Order::f : Order::c;
  read_zarr_fill(document.get("fill_value"), out);
  if (const auto separator = document.find("dimension_separator")) {
    if (!separator->is(".") && !separator->is("/"))
      separator->refuse(GPUARR_ERR_FORMAT, "it must be \".\" or \"/\"");
    out.key_separator = separator->text()[0];
  }
  return out;
}

std::string format_v2(const ZarrArray& array) {
  std::string dtype = typestr(array.dtype);
  if (array.dtype == DType::bf16)
    fail(GPUARR_ERR_DTYPE,
         "Zarr has bfloat16 in version 3 only; save it so, or the array as float32");
  if (size_of(array.dtype) > 1) dtype[0] = array.big_endian ? '>' : '<';
  return json_object({{"zarr_format", "2"},
                      {"shape", json_list(array.shape)},
                      {"chunks", json_list(array.chunk)},
                      {"dtype", json_quoted(dtype)},
                      {"compressor", "null"},
                      {"fill_value", format_zarr_fill(array)},
                      {"order", array.order == Order::f ? R"("F")" : R"("C")"},
                      {"filters", "null"},
                      {"dimension_separator", json_quoted({&array.key_separator, 1})}}) +
         '\n';
}

void check_key_names(const ZarrArray& array) {
  if (array.version != 2 && array.version != 3)
    fail(GPUARR_ERR_ARGUMENT, "the version of Zarr is {}; give 2 or 3", array.version);
  if (array.key_separator != '.' && array.key_separator != '/')
    fail(GPUARR_ERR_ARGUMENT, "the separator of chunk keys is '{}'; give '.' or '/'",
         array.key_separator);
  if (array.version == 2 && array.key_has_c)
    fail(GPUARR_ERR_ARGUMENT, "chunk keys of version 2 begin with a number, not with \"c\"");
}

void check_extents(const ZarrArray& array, gpuarr_status status) {
  const auto bytes_fit = [&](const char* what, const Dims& extents) {
    try {
      checked_bytes(extents, size_of(array.dtype));
    } catch (const Error&) {
      fail(status, "{} {} with {}-byte elements is more than 2^63 - 1 bytes", what,
           to_string(extents), size_of(array.dtype));
    }
  };
  if (array.chunk.size() != array.shape.size())
    fail(status, "chunks of shape {} do not go with an array of shape {}: give an extent each",
         to_string(array.chunk), to_string(array.shape));
  for (int64_t extent : array.chunk)
    if (extent < 1)
      fail(status, "the chunks' shape is {}; an extent must be 1 or more", to_string(array.chunk));
  bytes_fit("shape", array.shape);
  bytes_fit("a chunk of", array.chunk);
}

}  // namespace

std::string json_list(const Dims& dims) {
  std::string out;
  for (int64_t n : dims) out += formatted("{}{}", out.empty() ? "" : ", ", n);
  return '[' + out + ']';
}

Dims ZarrArray::grid() const {
  Dims out;
  for (int i = 0; i < shape.size(); ++i)
    out.push_back(shape[i] / chunk[i] + (shape[i] % chunk[i] != 0 ? 1 : 0));
  return out;
}

std::string ZarrArray::key(const Dims& index) const {
  std::string out = key_has_c ? "c" : "";
  for (int64_t i : index) {
    if (!out.empty()) out += key_separator;
    out += formatted("{}", i);
  }
  return out.empty() ? "0" : out;
}

Box ZarrArray::box(const Dims& index) const {
  const Dims chunks = grid();
  bool fits = index.size() == chunks.size();
  for (int i = 0; fits && i < chunks.size(); ++i) fits = index[i] >= 0 && index[i] < chunks[i];
  if (!fits)
    fail(GPUARR_ERR_SHAPE, "there is no chunk {} in a grid of {}", to_string(index),
         to_string(chunks));
  Box out;
  for (int i = 0; i < index.size(); ++i) {
    out.start.push_back(index[i] * chunk[i]);
    out.extents.push_back(std::min(chunk[i], shape[i] - out.start[i]));
  }
  return out;
}

bool ZarrArray::operator==(const ZarrArray& other) const {
  return version == other.version && dtype == other.dtype && big_endian == other.big_endian &&
         order == other.order && shape == other.shape && chunk == other.chunk &&
         key_has_c == other.key_has_c && key_separator == other.key_separator &&
         has_fill == other.has_fill &&
         std::memcmp(fill.bytes, other.fill.bytes, static_cast<size_t>(size_of(dtype))) == 0;
}

ZarrArray new_zarr(int version, DType dtype, const Dims& shape, const Dims& chunk, Order order) {
  ZarrArray out;
  out.version = version;
  out.dtype = out.fill.dtype = dtype;
  out.big_endian = native_is_big;
  out.order = order;
  out.shape = shape;
  out.chunk = chunk;
  if (version == 3) {
    out.key_has_c = true;
    out.key_separator = '/';
  }
  return out;
}

const char* zarr_metadata_name(int version) { return version == 2 ? ".zarray" : "zarr.json"; }

ZarrArray parse_zarr(std::string_view text, int version) {
  const JsonValue parsed = parse_json(text);
  const ZarrField document(parsed);
  if (const auto format = document.get("zarr_format"); format.value().integer() != version)
    format.refuse(GPUARR_ERR_FORMAT, formatted("in a file of this name it is {}", version));
  ZarrArray out = version == 2 ? parse_v2(document) : parse_zarr_v3(document);
  check_extents(out, GPUARR_ERR_FORMAT);
  return out;
}

std::string format_zarr(const ZarrArray& array) {
  check_key_names(array);
  check_extents(array, GPUARR_ERR_SHAPE);
  return array.version == 2 ? format_v2(array) : format_zarr_v3(array);
}

}  // namespace gpuarr
