// Metadata of Zarr arrays: documents of the specifications, fill values, and that what is written
// is read as the same.
#include "array/zarr.hpp"

#include <cstring>
#include <limits>

#include "check.hpp"
#include "file_boxes.hpp"
#include "zarr_documents.hpp"

using namespace gpuarr;

namespace {

template <class T>
std::string bytes_of(T value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}
std::string fill_of(const ZarrArray& array) {
  return {reinterpret_cast<const char*>(array.fill.bytes),
          static_cast<size_t>(size_of(array.dtype))};
}

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

void the_specifications_documents_are_read() {
  const ZarrArray two = parse_zarr(v2_document, 2);
  CHECK(two.version == 2 && two.dtype == DType::f64 && !two.big_endian && two.order == Order::c);
  CHECK(two.shape == Dims({10000, 10000}) && two.chunk == Dims({1000, 1000}));
  CHECK(two.has_fill && fill_of(two) == bytes_of(nan));
  CHECK(two.grid() == Dims({10, 10}));
  CHECK_EQ(two.key({3, 9}), "3.9");

  const ZarrArray three = parse_zarr(v3_document, 3);
  CHECK(three.version == 3 && three.dtype == DType::f64 && !three.big_endian);
  CHECK(three.shape == Dims({10000, 1000}) && three.chunk == Dims({1000, 100}));
  CHECK(three.order == Order::c && fill_of(three) == bytes_of(nan));
  CHECK_EQ(three.key({1, 0}), "c/1/0");
}

void version_2_has_more() {
  CHECK(parse_zarr(v2("\"C\"", "\"F\""), 2).order == Order::f);
  CHECK(parse_zarr(v2("<f8", ">f8"), 2).big_endian);
  CHECK(parse_zarr(v2("\"filters\": null", "\"filters\": []"), 2).order == Order::c);
  CHECK_EQ(parse_zarr(v2("{", R"({"dimension_separator": "/",)"), 2).key({3, 9}), "3/9");
  CHECK_EQ(parse_zarr(v2("{", R"({"dimension_separator": ".", "other": [{}],)"), 2).key({3, 9}),
           "3.9");  // readers are to ignore what they do not know
  const ZarrArray none = parse_zarr(v2("\"NaN\"", "null"), 2);
  CHECK(!none.has_fill && fill_of(none) == bytes_of(0.0));
  const std::string scalar = with(v2("[\n        1000,\n        1000\n    ]", "[]"),
                                  "[\n        10000,\n        10000\n    ]", "[]");
  CHECK_EQ(parse_zarr(scalar, 2).key({}), "0");
  CHECK(parse_zarr(scalar, 2).box({}).extents == Dims());
}

void version_3_has_more() {
  const std::string bytes = R"("name": "bytes")";
  CHECK_EQ(parse_zarr(v3("\"separator\": \"/\"", "\"separator\": \".\""), 3).key({1, 0}), "c.1.0");
  CHECK_EQ(parse_zarr(v3(R"("name": "default",
        "configuration": {
            "separator": "/"
        })",
                         R"("name": "default")"),
                      3)
               .key({1, 0}),
           "c/1/0");
  CHECK_EQ(parse_zarr(v3("\"default\"", "\"v2\""), 3).key({1, 0}), "1/0");
  CHECK_EQ(parse_zarr(v3(R"({
        "name": "default",
        "configuration": {
            "separator": "/"
        }
    })",
                         "\"v2\""),
                      3)
               .key({1, 0}),
           "1.0");
  CHECK(parse_zarr(v3("\"little\"", "\"big\""), 3).big_endian);
  CHECK(parse_zarr(v3("\"attributes\"", R"("x": {"must_understand": false}, "attributes")"), 3)
            .version == 3);
  CHECK(
      parse_zarr(v3("\"attributes\"", R"("storage_transformers": [], "attributes")"), 3).version ==
      3);
  CHECK(parse_zarr(v3("\"float64\"", R"({"name": "float64"})"), 3).dtype == DType::f64);
  CHECK(parse_zarr(v3("\"float64\"", R"("bfloat16")"), 3).dtype == DType::bf16);
  // https://zarr-specs.readthedocs.io/en/latest/v3/codecs/transpose/index.html
  const auto transposed = [](const std::string& order) {
    return v3("[{\n        \"name\"",
              R"([{"name": "transpose", "configuration": {"order": )" + order + "}}, {\"name\"");
  };
  CHECK(parse_zarr(transposed("[1, 0]"), 3).order == Order::f);
  CHECK(parse_zarr(transposed("[0, 1]"), 3).order == Order::c);
  for (const char* wrong : {"[0]", "[0, 0]", "[0, 2]", "[0, 1, 2]", "\"F\"", "[1.0, 0]", "[0, -1]",
                            "[9223372036854775807, 0]", "[0, 18446744073709551616]"})
    CHECK_FAILS(GPUARR_ERR_FORMAT, "codecs[0].configuration.order is ",
                [&] { parse_zarr(transposed(wrong), 3); });
  const std::string cube =
      with(with(transposed("[1, 0, 2]"), "[10000, 1000]", "[4, 4, 4]"), "[1000, 100]", "[2, 2, 2]");
  CHECK_FAILS(GPUARR_ERR_UNSUPPORTED,
              "codecs[0].configuration.order is [1, 0, 2]; libgpuarr knows C and Fortran order",
              [&] { parse_zarr(cube, 3); });
  CHECK(parse_zarr(with(cube, "[1, 0, 2]", "[2, 1, 0]"), 3).order == Order::f);
}

// Bytes need no order where an element is one.
void single_bytes_need_no_order() {
  const std::string small = with(v3("\"float64\"", "\"uint8\""), "\"NaN\"", "7");
  CHECK(!parse_zarr(with(small, "\"little\"", "\"big\""), 3).big_endian);
  const std::string plain = with(small, R"([{
        "name": "bytes",
        "configuration": {
            "endian": "little"
        }
    }])",
                                 R"(["bytes"])");
  CHECK(parse_zarr(plain, 3).dtype == DType::u8);
  CHECK_FAILS(GPUARR_ERR_FORMAT, "codecs[0] is \"bytes\"; its configuration lacks \"endian\"",
              [&] { parse_zarr(with(plain, "\"uint8\"", "\"uint16\""), 3); });
}

void all_dtypes_have_names() {
  for (const DTypeFacts& row : dtype_table()) {
    const char* fill = is_complex(row.dtype)         ? "[0, 0]"
                       : row.dtype == DType::boolean ? "false"
                                                     : "0";
    const std::string three = with(v3("float64", row.name), "\"NaN\"", fill);
    CHECK(parse_zarr(three, 3).dtype == row.dtype);
    if (row.dtype == DType::bf16) continue;
    const std::string type = formatted("{}{}", row.npy_kind, row.size);
    const std::string two = v2("\"NaN\"", fill);
    CHECK(parse_zarr(with(two, "<f8", "<" + type), 2).dtype == row.dtype);
    CHECK_EQ(parse_zarr(with(two, "<f8", ">" + type), 2).big_endian, row.size > 1);
    if (row.size == 1) {
      CHECK(parse_zarr(with(two, "<f8", "|" + type), 2).dtype == row.dtype);
    }
  }
}

void fill_values_are_read() {
  struct Case {
    const char *dtype, *json;
    std::string bytes;
  };
  const Case both[] = {
      {"float64", "1.5", bytes_of(1.5)},
      {"float64", "-0.0", bytes_of(-0.0)},
      {"float64", "-0", bytes_of(-0.0)},
      {"float64", "3", bytes_of(3.0)},
      {"float64", "1e300", bytes_of(1e300)},
      {"float64", "\"Infinity\"", bytes_of(infinity)},
      {"float64", "\"-Infinity\"", bytes_of(-infinity)},
      {"float32", "\"NaN\"", bytes_of(uint32_t{0x7fc00000})},
      {"float32", "0.1", bytes_of(0.1F)},
      {"float16", "\"NaN\"", bytes_of(uint16_t{0x7e00})},
      {"float16", "1.5", bytes_of(uint16_t{0x3e00})},
      {"int8", "-128", bytes_of(int8_t{-128})},
      {"int64", "-9223372036854775808", bytes_of(INT64_MIN)},
      {"uint64", "18446744073709551615", bytes_of(UINT64_MAX)},
      {"uint16", "7", bytes_of(uint16_t{7})},
      {"bool", "true", bytes_of(true)},
      {"bool", "false", bytes_of(false)},
      {"complex64", "[1, \"NaN\"]",
       bytes_of(1.0F) + bytes_of(std::numeric_limits<float>::quiet_NaN())},
      {"complex128", "[\"-Infinity\", 2.5]", bytes_of(-infinity) + bytes_of(2.5)},
  };
  for (const Case& c : both) {
    const DTypeFacts& row = facts_of(*find_dtype(c.dtype));
    const std::string type = formatted("<{}{}", row.npy_kind, row.size);
    CHECK(fill_of(parse_zarr(with(v2("\"NaN\"", c.json), "<f8", type), 2)) == c.bytes);
    CHECK(fill_of(parse_zarr(with(v3("\"NaN\"", c.json), "float64", c.dtype), 3)) == c.bytes);
  }
  CHECK(fill_of(parse_zarr(with(v2("\"NaN\"", "0"), "<f8", "<c16"), 2)) == std::string(16, '\0'));
  // https://zarr-specs.readthedocs.io/en/latest/v3/data-types/index.html#permitted-fill-values
  const Case bits[] = {
      {"float32", "\"0x7fc00000\"", bytes_of(uint32_t{0x7fc00000})},
      {"float16", "\"0x7E01\"", bytes_of(uint16_t{0x7e01})},
      {"bfloat16", "\"0xffc1\"", bytes_of(uint16_t{0xffc1})},
      {"bfloat16", "1.5", bytes_of(uint16_t{0x3fc0})},
      {"float64", "\"0x7ff8000000000123\"", bytes_of(uint64_t{0x7ff8000000000123})},
      {"complex64", "[\"0x7fc00001\", 1]", bytes_of(uint32_t{0x7fc00001}) + bytes_of(1.0F)}};
  for (const Case& c : bits)
    CHECK(fill_of(parse_zarr(with(v3("\"NaN\"", c.json), "float64", c.dtype), 3)) == c.bytes);
}

void fill_values_are_written() {
  struct Case {
    DType dtype;
    std::string bytes;
    const char *two, *three;
  };
  const Case cases[] = {
      {DType::f64, bytes_of(-0.0), "-0.0", "-0.0"},  // Python would read -0 as 0
      {DType::f64, bytes_of(0.1), "0.1", "0.1"},
      {DType::f64, bytes_of(1e300), "1e+300", "1e+300"},
      {DType::f64, bytes_of(-infinity), "\"-Infinity\"", "\"-Infinity\""},
      {DType::f32, bytes_of(0.1F), "0.1", "0.1"},
      {DType::f32, bytes_of(16777216.0F), "16777216.0", "16777216.0"},
      {DType::f32, bytes_of(uint32_t{0x7fc00000}), "\"NaN\"", "\"NaN\""},
      {DType::f32, bytes_of(uint32_t{0xffc00001}), "\"NaN\"", "\"0xffc00001\""},
      {DType::f16, bytes_of(uint16_t{0x7e01}), "\"NaN\"", "\"0x7e01\""},
      {DType::f16, bytes_of(uint16_t{0x2e66}), "0.099975586", "0.099975586"},
      {DType::i8, bytes_of(int8_t{-128}), "-128", "-128"},
      {DType::u64, bytes_of(UINT64_MAX), "18446744073709551615", "18446744073709551615"},
      {DType::boolean, bytes_of(true), "true", "true"},
      {DType::c64, bytes_of(1.5F) + bytes_of(uint32_t{0x7fc00001}), "[1.5, \"NaN\"]",
       "[1.5, \"0x7fc00001\"]"},
  };
  for (const Case& c : cases)
    for (const int version : {2, 3}) {
      ZarrArray array = new_zarr(version, c.dtype, {4}, {2});
      std::memcpy(array.fill.bytes, c.bytes.data(), c.bytes.size());
      const std::string text = format_zarr(array);
      CHECK(text.find(formatted("\"fill_value\": {}, ", version == 2 ? c.two : c.three)) !=
            text.npos);
    }
  ZarrArray none = new_zarr(2, DType::f32, {4}, {2});
  none.has_fill = false;
  CHECK(format_zarr(none).find("\"fill_value\": null, ") != std::string::npos);
  none = new_zarr(3, DType::f32, {4}, {2});
  none.has_fill = false;  // which version 3 has no way to say
  CHECK(format_zarr(none).find("\"fill_value\": 0.0, ") != std::string::npos);
}

void wrong_fill_values_are_told() {
  struct Case {
    const char *dtype, *json, *message;
  };
  const Case cases[] = {
      {"float64", "\"nan\"", "fill_value is \"nan\"; it must be one of float64: a number, \"NaN\""},
      {"float64", "true", "it must be one of float64"},
      {"float64", "[1, 2]", "fill_value is [1, 2]; it must be one of float64"},
      {"float32", "1e39", "fill_value is 1e39; it must be one of float32"},
      {"float64", "1e999", "it must be one of float64"},
      {"float32", "\"0x7fc0000\"", "it must be one of float32"},
      {"float32", "\"0x7fc00000000\"", "it must be one of float32"},
      {"float32", "\"0x7fc0000g\"", "it must be one of float32"},
      {"float32", "\"0x-fc00000\"", "it must be one of float32"},
      {"int8", "128", "fill_value is 128; it must be one of int8"},
      {"uint8", "-1", "it must be one of uint8"},
      {"uint64", "18446744073709551616", "it must be one of uint64"},
      {"int32", "1.5", "it must be one of int32"},
      {"int32", "\"NaN\"", "it must be one of int32"},
      {"int32", "true", "it must be one of int32"},
      {"int32", "\"0x00000001\"", "it must be one of int32"},
      {"bool", "2", "it must be one of bool"},
      {"bool", "\"true\"", "it must be one of bool"},
      {"complex64", "[1, 2, 3]",
       "fill_value is [1, 2, 3]; it must be a real and an imaginary part"},
      {"complex64", "[1, [2]]", "fill_value[1] is [2]; it must be one of float32"},
      {"complex64", "{}", "fill_value is {}; it must be"},
  };
  for (const Case& c : cases) {
    const DTypeFacts& row = facts_of(*find_dtype(c.dtype));
    const std::string type = formatted("<{}{}", row.npy_kind, row.size);
    CHECK_FAILS(GPUARR_ERR_FORMAT, c.message,
                [&] { parse_zarr(with(v3("\"NaN\"", c.json), "float64", c.dtype), 3); });
    if (c.json[0] == '{') continue;
    CHECK_FAILS(GPUARR_ERR_FORMAT, c.message,
                [&] { parse_zarr(with(v2("\"NaN\"", c.json), "<f8", type), 2); });
  }
  CHECK_FAILS(GPUARR_ERR_FORMAT, "fill_value is null; version 3 needs a value",
              [] { parse_zarr(v3("\"NaN\"", "null"), 3); });
  CHECK_FAILS(GPUARR_ERR_FORMAT, "fill_value is 0; it must be an array",
              [] { parse_zarr(with(v3("\"NaN\"", "0"), "float64", "complex64"), 3); });
}

ZarrArray draw(Draw& random) {
  ZarrArray out = new_zarr(2 + static_cast<int>(random.below(2)), random.dtype(), random.shape(),
                           {}, random.order());
  while (out.version == 2 && out.dtype == DType::bf16) out.dtype = random.dtype();
  for (int i = 0; i < out.shape.size(); ++i) out.chunk.push_back(1 + random.below(9));
  if (out.version == 3 && out.shape.size() < 2) out.order = Order::c;  // which says the same
  out.big_endian = size_of(out.dtype) > 1 && random.below(2) == 0;
  out.key_separator = random.below(2) == 0 ? '.' : '/';
  out.key_has_c = out.version == 3 && random.below(2) == 0;
  out.fill.dtype = out.dtype;
  const std::string bytes = random.elements(out.dtype, {}).at({});
  std::memcpy(out.fill.bytes, bytes.data(), bytes.size());
  if (out.version == 2 && random.below(4) == 0) {
    out.has_fill = false;
    out.fill = {};
  }
  return out;
}

// But for the bits of NaNs, which version 2 has no way to write.
void what_is_written_is_read(Draw& random) {
  const ZarrArray array = draw(random);
  const std::string text = format_zarr(array);
  ZarrArray again = parse_zarr(text, array.version);
  if (array.version == 2 && text.find("NaN") != text.npos) again.fill = array.fill;
  CHECK(again == array);
  if (!(again == array)) std::cerr << text << fill_of(array).size() << '\n';
}

void what_cannot_be_an_array_is_told() {
  const ZarrArray good = new_zarr(2, DType::f32, {4, 4}, {2, 2});
  const auto refused = [&](gpuarr_status status, const char* message, auto&& change) {
    ZarrArray array = good;
    change(array);
    CHECK_FAILS(status, message, [&] { format_zarr(array); });
  };
  refused(GPUARR_ERR_DTYPE,
          "Zarr has bfloat16 in version 3 only; save it so, or the array as float32",
          [](ZarrArray& a) { a.dtype = DType::bf16; });
  refused(GPUARR_ERR_ARGUMENT, "the version of Zarr is 4; give 2 or 3",
          [](ZarrArray& a) { a.version = 4; });
  refused(GPUARR_ERR_ARGUMENT, "the separator of chunk keys is '-'; give '.' or '/'",
          [](ZarrArray& a) { a.key_separator = '-'; });
  refused(GPUARR_ERR_ARGUMENT, "chunk keys of version 2 begin with a number, not with \"c\"",
          [](ZarrArray& a) { a.key_has_c = true; });
  refused(GPUARR_ERR_SHAPE,
          "chunks of shape (2,) do not go with an array of shape (4, 4): give an extent each",
          [](ZarrArray& a) { a.chunk = {2}; });
  refused(GPUARR_ERR_SHAPE, "the chunks' shape is (2, 0); an extent must be 1 or more",
          [](ZarrArray& a) {
            a.chunk = {2, 0};
          });
  refused(GPUARR_ERR_SHAPE, "a chunk of (9223372036854775807, 2) with 4-byte elements is more than",
          [](ZarrArray& a) {
            a.chunk = {INT64_MAX, 2};
          });
  refused(GPUARR_ERR_SHAPE, "shape (-1, 4) with 4-byte elements", [](ZarrArray& a) {
    a.shape = {-1, 4};
  });
  for (const Dims& index : {Dims{2, 0}, Dims{0, -1}, Dims{0}, Dims{0, 0, 0}})
    CHECK_FAILS(GPUARR_ERR_SHAPE, "in a grid of (2, 2)", [&] { good.box(index); });
}

void chunks_cover_the_array() {
  const ZarrArray array = new_zarr(2, DType::f32, {5, 0, 4}, {2, 3, 4});
  CHECK(array.grid() == Dims({3, 0, 1}));
  const ZarrArray ragged = new_zarr(3, DType::f32, {5, 4}, {2, 9});
  CHECK(ragged.grid() == Dims({3, 1}));
  CHECK(ragged.box({2, 0}).start == Dims({4, 0}) && ragged.box({2, 0}).extents == Dims({1, 4}));
  CHECK_EQ(ragged.key({2, 0}), "c/2/0");
  CHECK_EQ(new_zarr(3, DType::f32, {}, {}).key({}), "c");
  CHECK_EQ(new_zarr(2, DType::f32, {}, {}).key({}), "0");
  const ZarrArray large = new_zarr(2, DType::u8, {INT64_MAX}, {INT64_MAX - 1});
  CHECK(large.grid() == Dims({2}) && large.box({1}).extents == Dims({1}));
}

}  // namespace

int main() {
  the_specifications_documents_are_read();
  version_2_has_more();
  version_3_has_more();
  single_bytes_need_no_order();
  all_dtypes_have_names();
  fill_values_are_read();
  fill_values_are_written();
  wrong_fill_values_are_told();
  Draw random(test_seed());
  for (int round = 0; round < 5000; ++round) what_is_written_is_read(random);
  what_cannot_be_an_array_is_told();
  chunks_cover_the_array();
  return check::result();
}
