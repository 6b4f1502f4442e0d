// Metadata of Zarr arrays that are wrong or not supported: each message says where and why.
#include "array/zarr.hpp"
#include "check.hpp"
#include "zarr_documents.hpp"

using namespace gpuarr;

namespace {

struct Refused {
  std::string text;
  gpuarr_status status;
  const char* message;
};

constexpr auto format = GPUARR_ERR_FORMAT;
constexpr auto unsupported = GPUARR_ERR_UNSUPPORTED;

void wrong_documents_of_version_2_are_told() {
  const std::string shape = "[\n        10000,\n        10000\n    ]";
  const std::string chunks = "[\n        1000,\n        1000\n    ]";
  const std::string compressor = "\"compressor\": null";
  std::string many = "[1";
  for (int i = 0; i < 32; ++i) many += ", 1";
  many += "]";
  const Refused cases[] = {
      {"", format, "it is not JSON: expected a value"},
      {"[]", format, "it is []; metadata are an object"},
      {"{}", format, "it lacks the key \"zarr_format\""},
      {v2("_format\": 2", "_format\": 3"), format,
       "zarr_format is 3; in a file of this name it is 2"},
      {v2("_format\": 2", "_format\": \"2\""), format, "zarr_format is \"2\"; in a file"},
      {v2("_format\": 2", "_format\": 1"), format, "zarr_format is 1"},
      {v2("\"shape\"", "\"shapes\""), format, "it lacks the key \"shape\""},
      {v2("\"chunks\"", "\"chunk\""), format, "it lacks the key \"chunks\""},
      {v2("\"dtype\"", "\"type\""), format, "it lacks the key \"dtype\""},
      {v2("\"order\"", "\"odor\""), format, "it lacks the key \"order\""},
      {v2("\"fill_value\"", "\"fill\""), format, "it lacks the key \"fill_value\""},
      {v2("\"compressor\"", "\"compress\""), format, "it lacks the key \"compressor\""},
      {v2("\"filters\"", "\"filter\""), format, "it lacks the key \"filters\""},
      {v2("\"order\"", "\"shape\": [1], \"order\""), format, "it has the key \"shape\" twice"},
      // https://zarr-specs.readthedocs.io/en/latest/v2/v2.0.html#metadata
      {v2(compressor,
          R"("compressor": {"id": "blosc", "cname": "lz4", "clevel": 5, "shuffle": 1})"),
       unsupported,
       "compressor is {\"id\": \"blosc\", \"cname\": \"lz4\", \"clevel\": 5, \"shuffle\": 1}; save "
       "it uncompressed: compressor=None"},
      {v2("\"filters\": null", R"("filters": [{"id": "delta", "dtype": "<f8", "astype": "<f4"}])"),
       unsupported,
       "filters is [{\"id\": \"delta\", \"dtype\": \"<f8\", \"astype\": \"<f4\"}]; save it "
       "without: filters=None"},
      {v2("\"filters\": null", "\"filters\": {}"), format, "filters is {}; it must be an array"},
      {v2("\"C\"", "\"A\""), format, "order is \"A\"; it must be \"C\" or \"F\""},
      {v2("\"C\"", "1"), format, "order is 1; it must be"},
      {v2("{", R"({"dimension_separator": "/../",)"), format,
       "dimension_separator is \"/../\"; it must be \".\" or \"/\""},
      {v2("{", R"({"dimension_separator": "",)"), format, "dimension_separator is \"\""},
      {v2("{", R"({"dimension_separator": null,)"), format, "dimension_separator is null"},
      {v2("\"<f8\"", R"([["r", "|u1"], ["g", "|u1"]])"), unsupported,
       "dtype is [[\"r\", \"|u1\"], [\"g\", \"|u1\"]]; save the fields of structures as separate "
       "arrays"},
      {v2("<f8", "|S10"), unsupported, "dtype is \"|S10\"; libgpuarr has numbers"},
      {v2("<f8", "<U10"), unsupported, "dtype is \"<U10\""},
      {v2("<f8", "|O"), unsupported, "dtype is \"|O\""},
      {v2("<f8", "<M8[ns]"), unsupported, "dtype is \"<M8[ns]\""},
      {v2("<f8", "<V2"), unsupported, "dtype is \"<V2\""},
      {v2("<f8", "bfloat16"), unsupported, "dtype is \"bfloat16\""},
      {v2("<f8", "<f16"), unsupported, "dtype is \"<f16\""},
      {v2("<f8", "f8"), unsupported, "dtype is \"f8\""},
      {v2("<f8", "|f8"), unsupported, "dtype is \"|f8\""},
      {v2("<f8", "="), unsupported, "dtype is \"=\""},
      {v2("<f8", ""), unsupported, "dtype is \"\""},
      {v2("\"<f8\"", "8"), unsupported, "dtype is 8"},
      {v2("\"<f8\"", "null"), unsupported, "dtype is null"},
      {v2(shape, "[-1, 1]"), format,
       "shape is [-1, 1]; its items must be integers from 0 to 2^63 - 1"},
      {v2(shape, "[1.0, 1]"), format, "shape is [1.0, 1]; its items must be integers"},
      {v2(shape, "[9223372036854775808, 1]"), format, "its items must be integers from 0"},
      {v2(shape, "[\"1\", 1]"), format, "its items must be integers from 0"},
      {v2(shape, "[true, 1]"), format, "its items must be integers from 0"},
      {v2(shape, "10000"), format, "shape is 10000; it must be an array"},
      {v2(shape, "[1]"), format,
       "chunks of shape (1000, 1000) do not go with an array of shape (1,)"},
      {v2(shape, many), format, "it has 33 axes, of at most 32"},
      {v2(shape, "[4611686018427387904, 4]"), format,
       "shape (4611686018427387904, 4) with 8-byte elements is more than 2^63 - 1 bytes"},
      {v2(chunks, "[0, 1]"), format,
       "chunks is [0, 1]; its items must be integers from 1 to 2^63 - 1"},
      {v2(chunks, "[-5, 1]"), format, "chunks is [-5, 1]; its items must be integers from 1"},
      {v2(chunks, "null"), format, "chunks is null; it must be an array"},
      {v2(chunks, "[4611686018427387904, 4]"), format,
       "a chunk of (4611686018427387904, 4) with 8-byte"},
      {v2("\"C\"", "\"\\u001b[31m\\u009b\""), format,
       "order is \"\\u001b[31m\\xc2\\x9b\"; it must"},
  };
  for (const Refused& c : cases) CHECK_FAILS(c.status, c.message, [&] { parse_zarr(c.text, 2); });
}

void wrong_documents_of_version_3_are_told() {
  const std::string codecs =
      v3_document.substr(v3_document.find("\"codecs\""),
                         v3_document.find("\"fill_value\"") - v3_document.find("\"codecs\""));
  const auto codec = [&](const std::string& list) {
    return v3(codecs, "\"codecs\": " + list + ", ");
  };
  const std::string bytes = R"({"name": "bytes", "configuration": {"endian": "little"}})";
  const char* uncompressed = "save it uncompressed: with the codec \"bytes\" alone";
  const Refused cases[] = {
      {v3("_format\": 3", "_format\": 2"), format,
       "zarr_format is 2; in a file of this name it is 3"},
      {v3("\"array\"", "\"group\""), unsupported,
       "node_type is \"group\"; give the directory of an array in the group"},
      {v3("\"array\"", "\"tree\""), format, "node_type is \"tree\"; it must be \"array\""},
      {v3("\"node_type\"", "\"node\""), format, "it lacks the key \"node_type\""},
      {v3("\"data_type\"", "\"dtype\""), unsupported,
       "dtype is \"float64\"; libgpuarr does not understand this key"},
      {v3("\"attributes\"", R"("x": {"must_understand": true}, "attributes")"), unsupported,
       "x is {\"must_understand\": true}; libgpuarr does not"},
      {v3("\"attributes\"", R"("x": [], "attributes")"), unsupported,
       "x is []; libgpuarr does not"},
      {v3("\"attributes\"", R"("storage_transformers": [{"name": "t"}], "attributes")"),
       unsupported,
       "storage_transformers is [{\"name\": \"t\"}]; save it without storage transformers"},
      // the second example of the specification
      {v3("\"float64\"", R"({"name": "urn:example:datetime", "configuration": {"unit": "ns"}})"),
       unsupported,
       "data_type is {\"name\": \"urn:example:datetime\", \"configuration\": {\"unit\": \"...; "
       "libgpuarr has bool,"},
      {v3("\"float64\"", R"({"name": "float64", "configuration": {"unit": "m"}})"), unsupported,
       "data_type is "},
      {v3("\"float64\"", "\"r16\""), unsupported,
       "data_type is \"r16\"; libgpuarr has bool, int8 to int64"},
      {v3("\"float64\"", "\"string\""), unsupported, "data_type is \"string\""},
      {v3("\"float64\"", "\"f64\""), unsupported, "data_type is \"f64\""},
      {v3("\"float64\"", "64"), format, "data_type is 64; it must be an object"},
      {v3("\"float64\"", "{\"name\": 1}"), format, "data_type.name is 1; it must be a string"},
      {v3("\"float64\"", "{}"), format, "data_type is {}; it lacks the key \"name\""},
      {v3("\"regular\"", "\"rectilinear\""), unsupported,
       "libgpuarr knows \"regular\", chunks of one shape"},
      {v3("\"chunk_shape\"", "\"shape\""), format,
       "chunk_grid.configuration is {\"shape\": [1000, 100]}; it lacks the key \"chunk_shape\""},
      {v3("[1000, 100]", "[1000, 0]"), format,
       "chunk_grid.configuration.chunk_shape is [1000, 0]; its items must be integers from 1"},
      {v3("[1000, 100]", "[1000]"), format, "chunks of shape (1000,) do not go with"},
      {v3("{\n            \"chunk_shape\": [1000, 100]\n        }", "7"), format,
       "chunk_grid.configuration is 7; it must be an object"},
      {v3("\"default\"", "\"fancy\""), unsupported, "libgpuarr knows \"default\" and \"v2\""},
      {v3("\"separator\": \"/\"", "\"separator\": \"-\""), format,
       "chunk_key_encoding.configuration.separator is \"-\"; it must be \".\" or \"/\""},
      {codec("[]"), format, "codecs is []; it lacks the codec \"bytes\""},
      {codec("7"), format, "codecs is 7; it must be an array"},
      {codec("[" + bytes + R"(, {"name": "gzip", "configuration": {"level": 1}}])"), unsupported,
       "codecs[1] is {\"name\": \"gzip\", \"configuration\": {\"level\": 1}}; save it "
       "uncompressed"},
      {codec("[" + bytes + ", \"crc32c\"]"), unsupported, uncompressed},
      {codec("[" + bytes + ", " + bytes + "]"), unsupported, uncompressed},
      {codec(R"([{"name": "blosc"}, )" + bytes + "]"), unsupported, uncompressed},
      {codec("[" + bytes + R"(, {"name": "transpose", "configuration": {"order": [1, 0]}}])"),
       unsupported, uncompressed},
      {codec(R"([{"name": "sharding_indexed", "configuration": {"chunk_shape": [10, 10]}}])"),
       unsupported, "save it without shards"},
      {codec("[\"transpose\", " + bytes + "]"), format,
       "codecs[0] is \"transpose\"; it lacks \"order\" in a \"configuration\""},
      {codec(R"([{"name": "bytes"}])"), format, "its configuration lacks \"endian\""},
      {codec(R"([{"name": "bytes", "configuration": {"endian": "middle"}}])"), format,
       "codecs[0].configuration.endian is \"middle\"; it must be \"little\" or \"big\""},
      {codec("[1]"), format, "codecs[0] is 1; it must be an object"},
      // what was in drafts
      {codec(R"([{"name": "endian", "configuration": {"endian": "little"}}])"), unsupported,
       uncompressed},
  };
  for (const Refused& c : cases) CHECK_FAILS(c.status, c.message, [&] { parse_zarr(c.text, 3); });
}

}  // namespace

int main() {
  wrong_documents_of_version_2_are_told();
  wrong_documents_of_version_3_are_told();
  return check::result();
}
