// Documents of the specifications of Zarr, and what is made of them.
#pragma once

#include <string>

#include "check.hpp"

// https://zarr-specs.readthedocs.io/en/latest/v2/v2.0.html#metadata, uncompressed and unfiltered
inline const std::string v2_document = R"({
    "chunks": [
        1000,
        1000
    ],
    "compressor": null,
    "dtype": "<f8",
    "fill_value": "NaN",
    "filters": null,
    "order": "C",
    "shape": [
        10000,
        10000
    ],
    "zarr_format": 2
})";

// https://zarr-specs.readthedocs.io/en/latest/v3/core/index.html#example
inline const std::string v3_document = R"({
    "zarr_format": 3,
    "node_type": "array",
    "shape": [10000, 1000],
    "dimension_names": ["rows", "columns"],
    "data_type": "float64",
    "chunk_grid": {
        "name": "regular",
        "configuration": {
            "chunk_shape": [1000, 100]
        }
    },
    "chunk_key_encoding": {
        "name": "default",
        "configuration": {
            "separator": "/"
        }
    },
    "codecs": [{
        "name": "bytes",
        "configuration": {
            "endian": "little"
        }
    }],
    "fill_value": "NaN",
    "attributes": {
        "foo": 42,
        "bar": "apples",
        "baz": [1, 2, 3, 4]
    }
})";

inline std::string with(std::string document, const std::string& before, const std::string& after) {
  const size_t at = document.find(before);
  CHECK(at != document.npos);
  return document.replace(at, before.size(), after);
}
inline std::string v2(const std::string& before, const std::string& after) {
  return with(v2_document, before, after);
}
inline std::string v3(const std::string& before, const std::string& after) {
  return with(v3_document, before, after);
}
