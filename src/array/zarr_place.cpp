// Where Zarr arrays are made and removed: of what a directory has, which files are theirs.
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <vector>

#include "array/zarr_store.hpp"
#include "core/error.hpp"
#include "core/json_reader.hpp"
#include "core/printable.hpp"

namespace gpuarr {
namespace {

namespace fs = std::filesystem;

bool is_metadata(std::string_view name) {
  return name == ".zarray" || name == ".zattrs" || name == "zarr.json";
}

// "0.1", "c.0.1", of keys with slashes each part: "c", "0"; or one that is being written.
bool is_of_chunks(std::string_view name) {
  if (name == "c") return true;
  if (name.starts_with(".gpuarr-")) return name.ends_with(".tmp");
  if (name.starts_with("c.")) name.remove_prefix(2);
  return !name.empty() && name[0] != '.' && name.find_first_not_of("0123456789.") == name.npos;
}

bool is_directory(const fs::directory_entry& entry) {
  return entry.symlink_status().type() == fs::file_type::directory;
}

bool is_of_array(const fs::directory_entry& entry, int depth) {
  const std::string name = entry.path().filename().string();
  if (is_directory(entry)) return depth <= max_ndim && is_of_chunks(name);
  return entry.symlink_status().type() == fs::file_type::regular &&
         (is_of_chunks(name) || (depth == 0 && is_metadata(name)));
}

// Calls visit(entry) for all of an array's files, for directories after what is in them. Returns
// the path of something else, if there is any.
template <class Visit>
std::string for_each_file(const fs::path& directory, int depth, Visit&& visit) {
  std::string other;
  std::vector<fs::directory_entry> entries;  // all, since visit() may remove them
  for (const auto& entry : fs::directory_iterator(directory)) entries.push_back(entry);
  for (const fs::directory_entry& entry : entries) {
    if (!is_of_array(entry, depth)) {
      other = entry.path().string();
      continue;
    }
    if (is_directory(entry))
      if (std::string deeper = for_each_file(entry.path(), depth + 1, visit); !deeper.empty())
        other = std::move(deeper);
    visit(entry);
  }
  return other;
}

// What the system refuses on the way is GPUARR_ERR_IO.
template <class Body>
auto in_directory(const std::string& directory, Body&& body) {
  return about(directory.c_str(), [&] {
    try {
      return body();
    } catch (const fs::filesystem_error& error) {
      errno = error.code().value();
      fail_errno("it cannot be read");
    }
  });
}

bool is_group(const std::string& directory) {
  try {
    const JsonValue metadata =
        parse_json(read_text((directory + "/zarr.json").c_str(), most_zarr_metadata));
    const JsonValue* node = metadata.find("node_type");
    return node != nullptr && node->is("group");
  } catch (const Error&) {
    return false;  // it has none, or they are damaged: no reason to keep them
  }
}

void remove_file(const fs::path& path) {
  if (unlink(path.c_str()) != 0 && errno != ENOENT) fail_errno("a file of it cannot be removed");
}

// The metadata first: an array without chunks would be one of fill values.
void remove_files(const std::string& directory) {
  for (const char* name : {".zarray", "zarr.json"}) remove_file(fs::path(directory) / name);
  for_each_file(directory, 0, [](const fs::directory_entry& entry) {
    if (!is_directory(entry))
      remove_file(entry.path());
    else
      rmdir(entry.path().c_str());  // not where something else is in it
  });
}

}  // namespace

void check_zarr_place(const std::string& directory, Existing existing) {
  in_directory(directory, [&] {
    struct stat status {};
    if (stat(directory.c_str(), &status) != 0) {
      if (errno == ENOENT) return;
      fail_errno("it cannot be looked at");
    }
    if (!S_ISDIR(status.st_mode)) fail(GPUARR_ERR_IO, "it is no directory; give another name");
    int64_t count = 0;
    const std::string other =
        for_each_file(directory, 0, [&](const fs::directory_entry&) { ++count; });
    if (!other.empty())
      fail(GPUARR_ERR_IO, "{} is no part of a Zarr array; give another directory",
           printable(other));
    if (is_group(directory)) fail(GPUARR_ERR_IO, "it is a group; give another directory");
    if (count > 0 && existing == Existing::refuse)
      fail(GPUARR_ERR_IO, "a Zarr array is there; give another directory, or ask to replace it");
  });
}

void create_zarr(const std::string& directory, const ZarrArray& array, Existing existing,
                 Sync sync) {
  const std::string metadata = format_zarr(array);
  check_zarr_place(directory, existing);
  in_directory(directory, [&] {
    if (mkdir(directory.c_str(), 0777) != 0 && errno != EEXIST) fail_errno("it cannot be made");
    if (existing == Existing::replace) remove_files(directory);
    OutputFile file((directory + '/' + zarr_metadata_name(array.version)).c_str());
    file.write(metadata.data(), static_cast<int64_t>(metadata.size()));
    file.commit(sync);
    if (sync == Sync::yes) sync_directory(directory);
  });
}

void publish_zarr(const Staged& names, Existing existing, Sync sync) {
  check_zarr_place(names.path, existing);
  in_directory(names.temporary, [&] {
    if (sync == Sync::no) return;
    for_each_file(names.temporary, 0, [](const fs::directory_entry& entry) {
      if (is_directory(entry)) sync_directory(entry.path().string());
    });
    sync_directory(names.temporary);
  });
  if (names.publish_directory(sync)) remove_zarr(names.temporary);
}

void remove_zarr(const std::string& directory) {
  in_directory(directory, [&] {
    remove_files(directory);
    if (rmdir(directory.c_str()) != 0 && errno != ENOTEMPTY && errno != EEXIST)
      fail_errno("it cannot be removed");
  });
}

}  // namespace gpuarr
