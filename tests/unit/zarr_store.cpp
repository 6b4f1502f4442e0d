// Zarr arrays in directories: chunks of random arrays against the whole, and what is made, replaced
// and removed.
#include "array/zarr_store.hpp"

#include <sys/stat.h>

#include <cstring>

#include "file_boxes.hpp"
#include "processes.hpp"
#include "temporary_directory.hpp"
#include "zarr_documents.hpp"

using namespace gpuarr;
namespace fs = std::filesystem;

namespace {

TemporaryDirectory folder;

constexpr auto no = Sync::no;
constexpr auto refuse = Existing::refuse;
constexpr auto replace = Existing::replace;

ZarrArray draw_array(Draw& random) {
  ZarrArray out = new_zarr(2 + static_cast<int>(random.below(2)), random.dtype(), random.shape(),
                           {}, random.order());
  while (out.version == 2 && out.dtype == DType::bf16) out.dtype = random.dtype();
  for (int64_t extent : out.shape)
    out.chunk.push_back(random.below(4) == 0 ? extent + 1 : 1 + random.below(5));
  out.big_endian = size_of(out.dtype) > 1 && random.below(3) == 0;
  out.key_separator = random.below(2) == 0 ? '.' : '/';
  out.key_has_c = out.version == 3 && random.below(2) == 0;
  out.has_fill = random.below(4) != 0 || out.version == 3;
  out.fill.dtype = out.dtype;
  if (out.has_fill) {
    const std::string bytes = random.elements(out.dtype, {}).at({});
    std::memcpy(out.fill.bytes, bytes.data(), bytes.size());
  }
  return out;
}

std::string fill_of(const ZarrArray& array) {
  return {reinterpret_cast<const char*>(array.fill.bytes),
          static_cast<size_t>(size_of(array.dtype))};
}

HostArray filled(const ZarrArray& array, const Dims& shape) {
  std::string bytes;
  for (int64_t n = size_of(shape); n > 0; --n) bytes += fill_of(array);
  return {array.dtype, shape, bytes};
}

// What a chunk's file must have: the array's elements, and the fill value where it reaches beyond.
std::string expected_file(const ZarrArray& array, const HostArray& all, const Box& box) {
  HostArray chunk = filled(array, array.chunk);
  for_each_index(box.extents, [&](const Dims& index) {
    Dims in_all = index;
    for (int i = 0; i < index.size(); ++i) in_all[i] += box.start[i];
    chunk.set(index, all.at(in_all));
  });
  std::string bytes = chunk.bytes_in(array.order);
  if (array.big_endian) reverse_parts(array.dtype, bytes);
  return bytes;
}

// Writes about half of the chunks; the others remain fill values.
HostArray write_chunks(Draw& random, const std::string& directory, const ZarrArray& array) {
  const HostArray all = random.elements(array.dtype, array.shape);
  HostArray written = filled(array, array.shape);
  for_each_index(array.grid(), [&](const Dims& index) {
    if (random.below(2) == 0) return;
    const Box box = array.box(index);
    HostBox part = random.host_box(array.dtype, box.extents);
    part.take(all, box);
    write_zarr_chunk(directory, array, index, part.first(), part.strides(),
                     random.below(2000) == 0 ? Sync::yes : no);
    written.take(all, box);
    CHECK(read_file(directory + '/' + array.key(index)) == expected_file(array, all, box));
  });
  return written;
}

void chunks_are_written_and_read(Draw& random) {
  const std::string directory = folder / "random.zarr";
  const ZarrArray array = draw_array(random);
  create_zarr(directory, array, refuse, no);
  const HostArray all = write_chunks(random, directory, array);
  ZarrArray opened = open_zarr(directory);
  CHECK(opened.shape == array.shape && opened.chunk == array.chunk && opened.dtype == array.dtype);
  opened.fill = array.fill;  // version 2 does not keep the bits of a NaN
  for (int i = 0; i < 3; ++i) {
    const Box box = random.box(array.shape);
    HostBox part = random.host_box(array.dtype, box.extents);
    read_zarr(directory, opened, box, part.first(), part.strides());
    CHECK(part.holds(all, box));
    CHECK(part.rest_is_untouched());
  }
  remove_zarr(directory);
  CHECK(!fs::exists(directory));
}

// The chunk's own elements, those beyond the array as well.
void parts_of_chunks_are_read(Draw& random) {
  const std::string directory = folder / "parts.zarr";
  ZarrArray array = draw_array(random);
  create_zarr(directory, array, refuse, no);
  const HostArray all = write_chunks(random, directory, array);
  for_each_index(array.grid(), [&](const Dims& index) {
    HostArray chunk = filled(array, array.chunk);
    const Box valid = array.box(index);
    for_each_index(valid.extents, [&](const Dims& at) {
      Dims in_all = at;
      for (int i = 0; i < at.size(); ++i) in_all[i] += valid.start[i];
      chunk.set(at, all.at(in_all));
    });
    const Box box = random.box(array.chunk);
    HostBox part = random.host_box(array.dtype, box.extents);
    read_zarr_chunk(directory, array, index, box, part.first(), part.strides());
    CHECK(part.holds(chunk, box));
    CHECK(part.rest_is_untouched());
  });
  remove_zarr(directory);
}

// Four processes, which all need the same directories.
void processes_write_chunks(Draw& random) {
  const std::string directory = folder / "shared.zarr";
  const ZarrArray array = new_zarr(3, DType::i16, {30, 30}, {7, 2});
  const HostArray all = random.elements(array.dtype, array.shape);
  create_zarr(directory, array, refuse, no);
  std::vector<pid_t> children;
  for (int rank = 0; rank < 4; ++rank)
    children.push_back(start_process([&] {
      int next = 0;
      for_each_index(array.grid(), [&](const Dims& index) {
        if (next++ % 4 != rank) return;
        const Box box = array.box(index);
        HostBox part = random.host_box(array.dtype, box.extents);
        part.take(all, box);
        write_zarr_chunk(directory, array, index, part.first(), part.strides(), no);
      });
      return 0;
    }));
  for (const pid_t child : children) CHECK_EQ(end_process(child), 0);
  HostBox whole = random.host_box(array.dtype, array.shape);
  read_zarr(directory, array, whole_box(array.shape), whole.first(), whole.strides());
  CHECK(whole.holds(all, whole_box(array.shape)));
  remove_zarr(directory);
}

ZarrArray small(int version = 2) {
  ZarrArray array = new_zarr(version, DType::i32, {3, 5}, {2, 3});
  array.fill.bytes[0] = 7;
  return array;
}

void write_all(const std::string& directory, const ZarrArray& array, int value) {
  const std::vector<int> values(static_cast<size_t>(size_of(array.chunk)), value);
  for_each_index(array.grid(), [&](const Dims& index) {
    write_zarr_chunk(directory, array, index, values.data(), {array.chunk[1], 1}, no);
  });
}

int first_of(const std::string& directory) {
  int out = -1;
  read_zarr(directory, open_zarr(directory), {{0, 0}, {1, 1}}, &out, {1, 1});
  return out;
}

void large_chunks_are_padded_in_pieces() {
  const std::string directory = folder / "large.zarr";
  for (const Order order : {Order::c, Order::f}) {
    ZarrArray array = new_zarr(3, DType::f64, {700, 300}, {1000, 1000}, order);
    const double fill = 0.1;
    std::memcpy(array.fill.bytes, &fill, sizeof fill);
    std::vector<double> values(700 * 300);
    for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i);
    create_zarr(directory, array, refuse, no);
    write_zarr_chunk(directory, array, {0, 0}, values.data(), {300, 1}, no);
    std::vector<double> chunk(1000 * 1000);
    read_zarr_chunk(directory, array, {0, 0}, whole_box({1000, 1000}), chunk.data(), {1000, 1});
    bool same = true;
    for (size_t i = 0; i < chunk.size(); ++i) {
      const size_t row = i / 1000, column = i % 1000;
      same &= chunk[i] == (row < 700 && column < 300 ? values[row * 300 + column] : fill);
    }
    CHECK(same);
    remove_zarr(directory);
  }
}

void chunks_that_are_wrong_are_told() {
  const std::string directory = folder / "wrong.zarr";
  const ZarrArray array = small();
  create_zarr(directory, array, refuse, no);
  int out[6] = {};
  const auto read = [&] {
    read_zarr_chunk(directory, array, {0, 1}, whole_box({2, 3}), out, {3, 1});
  };
  read();
  CHECK(out[0] == 7 && out[5] == 7);
  for (const size_t bytes : {size_t{0}, size_t{23}, size_t{25}}) {
    write_file(directory + "/0.1", std::string(bytes, 'x'));
    CHECK_FAILS(
        GPUARR_ERR_FORMAT,
        formatted("wrong.zarr/0.1: it has {} bytes, and a chunk of (2, 3) int32 has 24: it is "
                  "damaged, or compressed",
                  bytes)
            .c_str(),
        read);
  }
  fs::remove(directory + "/0.1");
  fs::create_directory(directory + "/0.1");
  CHECK_FAILS(GPUARR_ERR_IO, "0.1: it is a directory; give a regular file", read);
  CHECK_FAILS(GPUARR_ERR_IO, "0.1: it is a directory", [&] {
    write_zarr_chunk(directory, array, {0, 1}, out, {3, 1}, no);
  });
  const auto box = [&](const Box& wrong) {
    read_zarr_chunk(directory, array, {1, 1}, wrong, out, {3, 1});
  };
  CHECK_FAILS(GPUARR_ERR_SHAPE,
              "1.1: the box of (2, 3) from (1, 0) on does not lie in the shape (2, 3)", [&] {
                box({{1, 0}, {2, 3}});
              });
  CHECK_FAILS(GPUARR_ERR_SHAPE, "there is no chunk (2, 0) in a grid of (2, 2)", [&] {
    read_zarr_chunk(directory, array, {2, 0}, whole_box({2, 3}), out, {3, 1});
  });
  CHECK_FAILS(GPUARR_ERR_SHAPE, "there is no chunk (0, -1)", [&] {
    write_zarr_chunk(directory, array, {0, -1}, out, {3, 1}, no);
  });
  CHECK_FAILS(GPUARR_ERR_SHAPE, "does not lie in the shape (3, 5)", [&] {
    read_zarr(directory, array, {{0, 0}, {3, 6}}, out, {6, 1});
  });
  // An array that is gone is not one of fill values.
  remove_zarr(directory);
  CHECK_FAILS(GPUARR_ERR_IO, "0.1: it is gone, and so are the array's metadata", read);
  CHECK_FAILS(GPUARR_ERR_IO, "0.1: no file can be made in its directory: No such file", [&] {
    write_zarr_chunk(directory, array, {0, 1}, out, {3, 1}, no);
  });
  ZarrArray nested = array;
  nested.key_separator = '/';
  CHECK_FAILS(GPUARR_ERR_IO, "0/1: its directory cannot be made: No such file", [&] {
    write_zarr_chunk(directory, nested, {0, 1}, out, {3, 1}, no);
  });
}

void directories_without_arrays_are_told() {
  const std::string directory = folder / "none";
  CHECK_FAILS(GPUARR_ERR_IO, "none: it cannot be opened: No such file",
              [&] { open_zarr(directory); });
  fs::create_directory(directory);
  CHECK_FAILS(GPUARR_ERR_FORMAT, "none: it is no Zarr array: it has neither .zarray nor zarr.json",
              [&] { open_zarr(directory); });
  write_file(directory + "/.zgroup", "{\"zarr_format\": 2}");
  CHECK_FAILS(GPUARR_ERR_UNSUPPORTED, "none: it is a group; give the directory of an array in it",
              [&] { open_zarr(directory); });
  write_file(folder / "a.zip", "PK");
  CHECK_FAILS(GPUARR_ERR_FORMAT,
              "a.zip: it is no directory, as a Zarr array is; unpack one in a .zip",
              [&] { open_zarr(folder / "a.zip"); });
  write_file(directory + "/.zarray",
             with(v2_document, "\"compressor\": null", "\"compressor\": {\"id\": \"blosc\"}"));
  CHECK_FAILS(
      GPUARR_ERR_UNSUPPORTED,
      "none/.zarray: compressor is {\"id\": \"blosc\"}; save it uncompressed: compressor=None",
      [&] { open_zarr(directory); });
  write_file(directory + "/zarr.json", v3_document);
  CHECK_EQ(open_zarr(directory).version, 3);
  CHECK_EQ(open_zarr(directory + "/").version, 3);
  write_file(directory + "/zarr.json", v3_document + std::string(1 << 20, ' '));
  CHECK_FAILS(GPUARR_ERR_FORMAT, "zarr.json: it has ", [&] { open_zarr(directory); });
  CHECK_FAILS(GPUARR_ERR_FORMAT, " bytes; 1048576 are the limit", [&] { open_zarr(directory); });
  fs::remove(directory + "/zarr.json");
  fs::create_directory(directory + "/zarr.json");
  CHECK_FAILS(GPUARR_ERR_IO, "zarr.json: it is a directory", [&] { open_zarr(directory); });
}

void arrays_are_replaced_only_if_asked() {
  const std::string directory = folder / "there.zarr";
  create_zarr(directory, small(2), refuse, Sync::yes);
  write_all(directory, small(2), 1);
  write_file(directory + "/.zattrs", "{}");
  write_file(directory + "/.gpuarr-1-1.tmp", "of a process that is gone");
  CHECK_FAILS(GPUARR_ERR_IO,
              "there.zarr: a Zarr array is there; give another directory, or ask to replace it",
              [&] { create_zarr(directory, small(3), refuse, no); });
  CHECK_EQ(first_of(directory), 1);
  create_zarr(directory, small(3), replace, no);
  CHECK_EQ(first_of(directory), 7);
  CHECK_EQ(std::distance(fs::directory_iterator(directory), fs::directory_iterator()), 1);
  write_all(directory, small(3), 2);
  create_zarr(directory, small(2), replace, no);
  CHECK_EQ(std::distance(fs::directory_iterator(directory), fs::directory_iterator()), 1);
  CHECK_EQ(open_zarr(directory).version, 2);
}

void what_is_no_array_is_never_removed() {
  const std::string directory = folder / "mine";
  fs::create_directory(directory);
  create_zarr(directory, small(), refuse, no);  // an empty one is as good as none
  write_all(directory, small(), 1);
  const auto refused = [&](const char* message) {
    CHECK_FAILS(GPUARR_ERR_IO, message, [&] { create_zarr(directory, small(), replace, no); });
    CHECK_FAILS(GPUARR_ERR_IO, message, [&] { create_zarr(directory, small(), refuse, no); });
    CHECK_EQ(first_of(directory), 1);
  };
  const char* names[] = {"thesis.tex", "0.1.txt", "c0", ".zgroup", ".hidden", "-1"};
  for (const std::string name : names) {
    write_file(directory + '/' + name, "mine");
    refused(("mine/" + name + " is no part of a Zarr array; give another directory").c_str());
    CHECK_EQ(read_file(directory + '/' + name), "mine");
    fs::remove(directory + '/' + name);
  }
  fs::create_directories(directory + "/5/6");
  write_file(directory + "/5/6/zarr.json",
             v3_document);  // an array in a group, whose name is a number
  refused("mine/5/6/zarr.json is no part of a Zarr array");
  fs::remove_all(directory + "/5");
  fs::create_symlink("/etc/hostname", directory + "/1.0.0");
  refused("1.0.0 is no part of a Zarr array");
  fs::remove(directory + "/1.0.0");
  write_file(directory + "/zarr.json", R"({"zarr_format": 3, "node_type": "group"})");
  CHECK_FAILS(GPUARR_ERR_IO, "mine: it is a group; give another directory",
              [&] { create_zarr(directory, small(), replace, no); });
  write_file(directory + "/zarr.json", "damaged");
  create_zarr(directory, small(), replace, no);
  CHECK_EQ(first_of(directory), 7);
  write_file(directory + "/x", "mine");
  remove_zarr(directory);  // all but that
  CHECK_EQ(std::distance(fs::directory_iterator(directory), fs::directory_iterator()), 1);
  write_file(folder / "file", "mine");
  CHECK_FAILS(GPUARR_ERR_IO, "file: it is no directory; give another name",
              [&] { create_zarr(folder / "file", small(), replace, no); });
  CHECK_FAILS(GPUARR_ERR_IO, "it cannot be made: No such file",
              [&] { create_zarr(folder / "no/where", small(), refuse, no); });
  ZarrArray wrong = small();
  wrong.chunk = {0, 0};
  CHECK_FAILS(GPUARR_ERR_SHAPE, "an extent must be 1 or more",
              [&] { create_zarr(folder / "new", wrong, refuse, no); });
  CHECK(!fs::exists(folder / "new"));
}

void arrays_are_published_whole() {
  const Staged names = stage(folder / "result.zarr", "ab12");
  for (const Sync sync : {Sync::no, Sync::yes}) {
    const int value = sync == Sync::yes ? 2 : 1;
    ZarrArray array = small(sync == Sync::yes ? 3 : 2);
    create_zarr(names.temporary, array, refuse, sync);
    write_all(names.temporary, array, value);
    if (value == 2) CHECK_EQ(first_of(names.path), 1);
    publish_zarr(names, value == 2 ? replace : refuse, sync);
    CHECK_EQ(first_of(names.path), value);
    CHECK(!fs::exists(names.temporary));
    CHECK_EQ(open_zarr(names.path).version, array.version);
    chmod(names.path.c_str(), 0710);
  }
  struct stat status {};
  CHECK(stat(names.path.c_str(), &status) == 0 && (status.st_mode & 0777) == 0710);
  create_zarr(names.temporary, small(), refuse, no);
  CHECK_FAILS(GPUARR_ERR_IO, "result.zarr: a Zarr array is there; give another",
              [&] { publish_zarr(names, refuse, no); });
  CHECK_EQ(first_of(names.path), 2);
  remove_zarr(names.temporary);
  CHECK_FAILS(GPUARR_ERR_IO, "No such file", [&] { publish_zarr(names, replace, no); });
  CHECK_EQ(first_of(names.path), 2);
  CHECK_FAILS(GPUARR_ERR_IO, "it cannot be put in its place: No such file",
              [&] { publish_zarr(stage(folder / "other.zarr", "x"), refuse, no); });
}

}  // namespace

int main() {
  Draw random(test_seed());
  for (int round = 0; round < (check::sanitized ? 60 : 120); ++round) {
    chunks_are_written_and_read(random);
    parts_of_chunks_are_read(random);
  }
  processes_write_chunks(random);
  large_chunks_are_padded_in_pieces();
  chunks_that_are_wrong_are_told();
  directories_without_arrays_are_told();
  arrays_are_replaced_only_if_asked();
  what_is_no_array_is_never_removed();
  arrays_are_published_whole();
  return check::result();
}
