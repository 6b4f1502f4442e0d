// fuzz TARGET FOLDER [COUNT]: runs a target over the files of a folder, and over as many changed
// ones, which are the same each time.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "targets.hpp"

namespace {

constexpr size_t longest = 1 << 10;  // bytes of a changed input

std::vector<std::string> read_folder(const std::string& folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) paths.push_back(entry);
  std::ranges::sort(paths);
  std::vector<std::string> out;
  for (const auto& path : paths) {
    std::ifstream file(path, std::ios::binary);
    out.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return out;
}

class Mutator {
 public:
  explicit Mutator(const std::vector<std::string>& seeds) : seeds_(seeds) {}

  std::string next() {
    std::string out = seeds_[below(seeds_.size())];
    for (size_t left = 1 + below(6); left > 0; --left) change(out);
    out.resize(std::min(out.size(), longest));
    return out;
  }

 private:
  size_t below(size_t end) { return end == 0 ? 0 : generator_() % end; }

  std::string piece(const std::string& of) {
    const size_t at = below(of.size() + 1);
    return of.substr(at, 1 + below(32));
  }

  void change(std::string& text) {
    const size_t at = below(text.size() + 1);
    switch (below(6)) {
      case 0:
        if (at < text.size()) text[at] = static_cast<char>(generator_());
        return;
      case 1:
        text.erase(at, 1 + below(16));
        return;
      case 2:
        text.insert(at, piece(seeds_[below(seeds_.size())]));
        return;
      case 3: {  // again and again
        const std::string part = piece(text);
        for (size_t k = below(200); k > 0; --k) text.insert(at, part);
        return;
      }
      case 4:
        if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
        return;
      default:
        text.insert(at, 1, "(){}[]<>,;:\"'\\#\n =*0"[below(20)]);
    }
  }

  const std::vector<std::string>& seeds_;
  std::mt19937 generator_{1};
};

}  // namespace

int main(int argc, char** argv) {
  const auto* target = std::ranges::find_if(fuzz::targets, [&](const fuzz::Target& t) {
    return argc > 2 && std::strcmp(t.name, argv[1]) == 0;
  });
  if (target == std::end(fuzz::targets)) {
    std::fputs("usage: fuzz TARGET FOLDER [COUNT]\n", stderr);
    return 2;
  }
  const std::vector<std::string> seeds = read_folder(argv[2]);
  for (const std::string& seed : seeds) target->run(seed);
  if (seeds.empty()) return 1;
  Mutator mutator(seeds);
  for (long left = argc > 3 ? std::atol(argv[3]) : 0; left > 0; --left) target->run(mutator.next());
  return 0;
}
