// .npy files that were changed at random: each loads or is refused, and nothing else happens. Run
// under the sanitizers, this is what keeps the reader from touching what is not its own.
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

#include "array/npy.hpp"
#include "array/npy_header.hpp"
#include "backends.hpp"
#include "check.hpp"

using namespace gpuarr;

namespace {

std::mt19937_64 generator(1);

size_t below(size_t end) { return std::uniform_int_distribution<size_t>(0, end - 1)(generator); }

constexpr std::array<const char*, 24> pieces = {"'descr': ",
                                                "'fortran_order': ",
                                                "'shape': ",
                                                "True",
                                                "False",
                                                "'<f8'",
                                                "'|O'",
                                                "(3, 4)",
                                                "()",
                                                "(",
                                                ")",
                                                ",",
                                                "}",
                                                "{",
                                                "'",
                                                "-1",
                                                "0",
                                                "9223372036854775807",
                                                "9999999999999999999999",
                                                "[('a', '<i4')]",
                                                "\n",
                                                "\\",
                                                "\"",
                                                "4294967296"};

std::string valid_file() {
  FileArray header;
  auto rows = dtype_table();
  do header.dtype = rows[below(rows.size())].dtype;
  while (facts_of(header.dtype).npy_kind == 0);
  header.order = below(2) == 0 ? Order::c : Order::f;
  header.big_endian = below(2) == 0;
  for (size_t n = below(4); n > 0; --n) header.shape.push_back(static_cast<int64_t>(below(5)));
  std::string out = format_npy_header(header);
  for (int64_t i = 0; i < header.bytes(); ++i) out += static_cast<char>(below(256));
  return out;
}

void mutate(std::string& file) {
  switch (below(6)) {
    case 0:
      file.resize(below(file.size() + 1));
      break;
    case 1:
      if (!file.empty()) file[below(file.size())] = static_cast<char>(below(256));
      break;
    case 2:
      if (!file.empty())
        file[below(std::min<size_t>(file.size(), 12))] ^= static_cast<char>(1 << below(8));
      break;
    case 3:
      file.insert(below(file.size() + 1), pieces[below(pieces.size())]);
      break;
    case 4:
      file.erase(below(file.size() + 1), below(8));
      break;
    default:
      if (file.size() > 20)
        file.replace(10 + below(file.size() - 10), 1 + below(9), pieces[below(pieces.size())]);
  }
}

void write(const std::string& path, const std::string& bytes) {
  unlink(path.c_str());  // a file that is made shorter is flushed to disk by some file systems
  std::FILE* file = std::fopen(path.c_str(), "wb");
  CHECK(file != nullptr && std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size());
  std::fclose(file);
}

// Whether it loads; a failure must be one of those that the header promises, with the file's name.
bool loads(const std::string& path) {
  try {
    Array array = load_npy(path.c_str(), current_stream(host_device()));
    CHECK(array.size() * array.itemsize() <= 4096);
    return true;
  } catch (const Error& e) {
    CHECK(e.status() == GPUARR_ERR_FORMAT || e.status() == GPUARR_ERR_DTYPE ||
          e.status() == GPUARR_ERR_SHAPE);
    CHECK(e.message().find(path) == 0);
    for (char c : e.message()) CHECK(c >= ' ' && c <= '~');
    return false;
  }
}

}  // namespace

int main() {
  const char* place = std::getenv("TMPDIR");
  std::string folder = std::string(place != nullptr ? place : "/tmp") + "/gpuarr-test-XXXXXX";
  CHECK(mkdtemp(folder.data()) != nullptr);
  std::string path = folder + "/hostile.npy";
  int loaded = 0;
  int refused = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string file = valid_file();
    write(path, file);
    if (round % 100 == 0) CHECK(loads(path));
    for (size_t n = 1 + below(3); n > 0; --n) mutate(file);
    write(path, file);
    ++(loads(path) ? loaded : refused);
  }
  CHECK(loaded > 500);
  CHECK(refused > 5000);
  unlink(path.c_str());
  CHECK_EQ(rmdir(folder.c_str()), 0);
  return check::result();
}
