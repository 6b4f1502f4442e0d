// .npy files in boxes: random shapes, orders, boxes, strides and byte orders against whole files.
#include "array/npy_parts.hpp"

#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>

#include "array/npy_header.hpp"
#include "core/staged.hpp"
#include "file_boxes.hpp"
#include "processes.hpp"
#include "temporary_directory.hpp"

using namespace gpuarr;

namespace {

TemporaryDirectory folder;

constexpr auto no = Sync::no;

// The same elements in a file of the other byte order, or of another header's version.
void write_whole(const std::string& path, const FileArray& array, const HostArray& elements) {
  std::string bytes = elements.bytes_in(array.order);
  if (array.big_endian) reverse_parts(array.dtype, bytes);
  std::filesystem::remove(path);  // one that is made shorter is flushed by some file systems
  write_file(path, format_npy_header(array) + bytes);
}

void boxes_are_read(Draw& draw) {
  const FileArray array = draw.file_array();
  const HostArray all = draw.elements(array.dtype, array.shape);
  const std::string path = folder / "read.npy";
  write_whole(path, array, all);
  const NpyInput input(path);
  CHECK(input.array().shape == array.shape && input.array().order == array.order);
  CHECK(input.array().big_endian == array.big_endian || size_of(array.dtype) == 1);
  for (int i = 0; i < 4; ++i) {
    const Box box = draw.box(array.shape);
    HostBox part = draw.host_box(array.dtype, box.extents);
    input.read(box, part.first(), part.strides());
    CHECK(part.holds(all, box));
    CHECK(part.rest_is_untouched());
  }
}

// All of it, by boxes that lie beside each other, each by an object of its own.
void boxes_make_a_file(Draw& draw) {
  FileArray array = draw.file_array();
  array.big_endian = false;
  const HostArray all = draw.elements(array.dtype, array.shape);
  const Staged names = stage(folder / "written.npy", "7f");
  NpyOutput::create(names.temporary, array);
  for (const Box& box : draw.tiles(array.shape)) {
    HostBox part = draw.host_box(array.dtype, box.extents);
    part.take(all, box);
    NpyOutput output(names.temporary);
    output.write(box, part.first(), part.strides());
    output.finish(draw.below(1000) == 0 ? Sync::yes : no);
  }
  if (draw.below(50) != 0) std::filesystem::remove(names.path);
  names.publish_file(no);
  CHECK(read_file(names.path) == format_npy_header(array) + all.bytes_in(array.order));
  CHECK(!std::filesystem::exists(names.temporary));
}

// Four processes, each with the columns that are its own, whose bytes lie between those of others.
void processes_write_one_file(Draw& draw) {
  const FileArray array{DType::f64, false, Order::c, {300, 64}, 0};
  const HostArray all = draw.elements(array.dtype, array.shape);
  const Staged names = stage(folder / "shared.npy", "all");
  NpyOutput::create(names.temporary, array);
  std::vector<pid_t> children;
  for (int64_t rank = 0; rank < 4; ++rank)
    children.push_back(start_process([&] {
      const Staged same = stage(folder / "shared.npy", "all");
      NpyOutput output(same.temporary);
      for (int64_t column = rank; column < 64; column += 4) {
        const Box box{{0, column}, {300, 1}};
        HostBox part = draw.host_box(array.dtype, box.extents);
        part.take(all, box);
        output.write(box, part.first(), part.strides());
      }
      output.finish(no);
      return 0;
    }));
  for (const pid_t child : children) CHECK_EQ(end_process(child), 0);
  names.publish_file(no);
  CHECK(read_file(names.path) == format_npy_header(array) + all.bytes_in(array.order));
}

// Into a file of the other byte order.
void boxes_are_written_in_either_byte_order(Draw& draw) {
  FileArray array = draw.file_array();
  array.big_endian = true;
  HostArray all = draw.elements(array.dtype, array.shape);
  const std::string path = folder / "big.npy";
  write_whole(path, array, all);
  const Box box = draw.box(array.shape);
  const HostArray other = draw.elements(array.dtype, array.shape);
  HostBox part = draw.host_box(array.dtype, box.extents);
  part.take(other, box);
  NpyOutput(path).write(box, part.first(), part.strides());
  all.take(other, box);
  std::string expected = all.bytes_in(array.order);
  reverse_parts(array.dtype, expected);
  CHECK(read_file(path) == format_npy_header(array) + expected);
}

void check_both_ways(Draw& draw, const FileArray& array) {
  const HostArray all = draw.elements(array.dtype, array.shape);
  const std::string path = folder / "long.npy";
  write_whole(path, array, all);
  const Box box = draw.box(array.shape);
  HostBox part = draw.host_box(array.dtype, box.extents);
  NpyInput(path).read(box, part.first(), part.strides());
  CHECK(part.holds(all, box));
  const HostArray none(array.dtype, array.shape,
                       std::string(static_cast<size_t>(array.bytes()), 0));
  HostArray expected = none;
  expected.take(all, box);
  write_whole(path, array, none);
  NpyOutput(path).write(box, part.first(), part.strides());
  CHECK(read_file(path) == format_npy_header(array) + expected.bytes_in(array.order));
}

// Longer than the buffers, with gaps of all lengths, which are read along or passed over; and
// across the file's order.
void long_boxes_too(Draw& draw) {
  for (int64_t width : {1, 3, 300, 520, 4000, 40000, 70001})
    check_both_ways(draw, {draw.below(2) == 0 ? DType::f32 : DType::u8,
                           false,
                           draw.order(),
                           {400000 / width + 2, width},
                           0});
  for (const Dims& shape : {Dims{70, 40, 60}, Dims{3, 200, 150}, Dims{200, 2, 300}})
    check_both_ways(draw,
                    {draw.below(2) == 0 ? DType::f64 : DType::i16, false, draw.order(), shape, 0});
}

void bools_become_0_and_1() {
  FileArray array{DType::boolean, false, Order::c, {2, 3}, 0};
  write_file(folder / "bool.npy",
             format_npy_header(array) + std::string("\x00\x01\x02\x80\xff\x00", 6));
  char out[6];
  const NpyInput input(folder / "bool.npy");
  input.read({{0, 0}, {2, 3}}, out, {3, 1});
  CHECK(std::string(out, 6) == std::string("\x00\x01\x01\x01\x01\x00", 6));
  input.read({{0, 0}, {2, 3}}, out, {1, 2});  // through a buffer
  CHECK(std::string(out, 6) == std::string("\x00\x01\x01\x01\x01\x00", 6));
}

void boxes_must_lie_in_the_array() {
  FileArray array{DType::u8, false, Order::c, {2, 3}, 0};
  const std::string path = folder / "box.npy";
  NpyOutput::create(path, array);
  char data[16] = {};
  NpyOutput output(path);
  const Box wrong[] = {{{0, 1}, {2, 3}}, {{-1, 0}, {1, 1}}, {{0, 0}, {3, 1}},
                       {{0}, {1}},       {{0, 0}, {1, -1}}, {{1, 1}, {INT64_MAX, 1}}};
  for (const Box& box : wrong) {
    CHECK_FAILS(GPUARR_ERR_SHAPE, "does not lie in the shape (2, 3)", [&] {
      output.write(box, data, {3, 1});
    });
    CHECK_FAILS(GPUARR_ERR_SHAPE, "box.npy: the box of", [&] {
      NpyInput(path).read(box, data, {3, 1});
    });
  }
  CHECK_EQ(read_file(path).size(), format_npy_header(array).size() + 6);
}

void what_cannot_be_made_is_told() {
  const FileArray array{DType::u8, false, Order::c, {5}, 0};
  const std::string path = folder / "there.npy";
  NpyOutput::create(path, array);
  CHECK_FAILS(GPUARR_ERR_IO, "there.npy: it cannot be made: File exists",
              [&] { NpyOutput::create(path, array); });
  CHECK_FAILS(GPUARR_ERR_IO, "it cannot be made: No such file",
              [&] { NpyOutput::create(folder / "none/a.npy", array); });
  CHECK_FAILS(GPUARR_ERR_IO, "it cannot be opened", [&] { NpyInput{folder / "none.npy"}; });
  CHECK_FAILS(GPUARR_ERR_IO, "it cannot be opened", [&] { NpyOutput{folder / "none.npy"}; });
  CHECK_FAILS(GPUARR_ERR_DTYPE, "NumPy has no bfloat16; save the array as float32", [&] {
    NpyOutput::create(folder / "b.npy", {DType::bf16, false, Order::c, {5}, 0});
  });
  CHECK(!std::filesystem::exists(folder / "b.npy"));
  write_file(folder / "short.npy", format_npy_header(array) + "abc");
  CHECK_FAILS(GPUARR_ERR_FORMAT, "short.npy: it ends in its data: 3 of 5 bytes are there",
              [&] { NpyInput{folder / "short.npy"}; });
  CHECK_FAILS(GPUARR_ERR_FORMAT, "it ends in its data", [&] { NpyOutput{folder / "short.npy"}; });
  std::filesystem::create_symlink(path, folder / "link.npy");
  CHECK_FAILS(GPUARR_ERR_IO, "it cannot be opened", [&] { NpyOutput{folder / "link.npy"}; });
}

// The system's signal for that would end the process.
void files_beyond_the_limit_are_errors() {
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  FileArray array{DType::u8, false, Order::c, {1 << 20}, 0};
  const std::string path = folder / "limited.npy";
  NpyOutput::create(path, array);
  const rlimit limit{1 << 18, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &limit);
  const std::string data(1 << 20, 'x');
  CHECK_FAILS(GPUARR_ERR_IO, "limited.npy: it cannot be written: File too large", [&] {
    NpyOutput(path).write({{0}, {1 << 20}}, data.data(), {1});
  });
  CHECK_FAILS(GPUARR_ERR_IO, "it cannot be written: File too large",
              [&] { NpyOutput::create(folder / "too large.npy", array); });
  setrlimit(RLIMIT_FSIZE, &before);
  CHECK(!std::filesystem::exists(folder / "too large.npy"));
  CHECK_FAILS(GPUARR_ERR_IO, "endless.npy: it cannot be written: File too large", [&] {
    NpyOutput::create(folder / "endless.npy", {DType::u8, false, Order::c, {INT64_MAX}, 0});
  });
  CHECK(!std::filesystem::exists(folder / "endless.npy"));
}

void names_are_the_same_for_all() {
  const Staged names = stage("some/where/a.npy", "t-1_X");
  CHECK_EQ(names.path, "some/where/a.npy");
  CHECK_EQ(names.temporary, "some/where/.gpuarr-t-1_X.tmp");
  CHECK_EQ(stage("a.npy", "t").temporary, ".gpuarr-t.tmp");
  CHECK_EQ(stage("dir/a.zarr//", "t").path, "dir/a.zarr");
  for (const char* token : {"", "../x", "a b", "a/b", "\n"})
    CHECK_FAILS(GPUARR_ERR_ARGUMENT, "give 1 to 64 letters, digits, '-' and '_'",
                [&] { stage("a.npy", token); });
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "the token is", [&] { stage("a", std::string(65, 'a')); });
}

// As gpuarr_npy_save() replaces files.
void links_are_followed_and_permissions_kept() {
  std::filesystem::create_directory(folder / "real");
  write_file(folder / "real/a.npy", "old");
  chmod((folder / "real/a.npy").c_str(), 0640);
  std::filesystem::create_symlink(folder / "real/a.npy", folder / "link");
  const Staged names = stage(folder / "link", "t");
  CHECK_EQ(names.temporary,
           std::filesystem::canonical(folder / "real").string() + "/.gpuarr-t.tmp");
  write_file(names.temporary, "new");
  names.publish_file(Sync::yes);
  CHECK_EQ(read_file(folder / "real/a.npy"), "new");
  CHECK(std::filesystem::is_symlink(folder / "link"));
  struct stat status {};
  CHECK(stat((folder / "real/a.npy").c_str(), &status) == 0 && (status.st_mode & 0777) == 0640);
  write_file(names.temporary, "newer");
  names.discard_file();
  CHECK(!std::filesystem::exists(names.temporary));
  CHECK_FAILS(GPUARR_ERR_IO, "a.npy: what replaces it cannot get its permissions: No such file",
              [&] { names.publish_file(no); });
  CHECK_FAILS(GPUARR_ERR_IO, "real: it is a directory; give a regular file",
              [&] { stage(folder / "real", "t").publish_file(no); });
  CHECK_FAILS(GPUARR_ERR_IO, "it cannot be put in its place: No such file",
              [&] { stage(folder / "new.npy", "t").publish_file(no); });
}

// Where a file system cannot exchange names.
void names_are_swapped_in_steps() {
  const std::string a = folder / "a", b = folder / "b";
  std::filesystem::create_directory(a);
  std::filesystem::create_directory(b);
  write_file(a + "/x", "of a");
  swap_names_in_steps(a, b);
  CHECK_EQ(read_file(b + "/x"), "of a");
  CHECK(std::filesystem::is_empty(a) && !std::filesystem::exists(a + ".old"));
  CHECK_FAILS(GPUARR_ERR_IO, "it cannot be put in its place: No such file",
              [&] { swap_names_in_steps(folder / "none", b); });
  CHECK_EQ(read_file(b + "/x"), "of a");
  CHECK_FAILS(GPUARR_ERR_IO, "it cannot be put in its place",
              [&] { swap_names_in_steps(a, folder / "none"); });
  CHECK(std::filesystem::exists(a));
}

}  // namespace

int main() {
  Draw draw(test_seed());
  for (int round = 0; round < (check::sanitized ? 150 : 600); ++round) {
    boxes_are_read(draw);
    boxes_make_a_file(draw);
    boxes_are_written_in_either_byte_order(draw);
  }
  for (int round = 0; round < (check::sanitized ? 1 : 4); ++round) long_boxes_too(draw);
  processes_write_one_file(draw);
  bools_become_0_and_1();
  boxes_must_lie_in_the_array();
  what_cannot_be_made_is_told();
  files_beyond_the_limit_are_errors();
  names_are_the_same_for_all();
  links_are_followed_and_permissions_kept();
  names_are_swapped_in_steps();
  return check::result();
}
