// Random kernels cut at their barriers do what they do as fibers.
#include <fmt/format.h>

#include <random>
#include <set>

#include "core/text.hpp"
#include "seed.hpp"
#include "split_build.hpp"

using gpuarr::formatted;
using split_test::compare;

namespace {

/// Writes kernels that keep CUDA's rules: what one thread writes another one reads behind a
/// barrier, and all that are left agree where there is one.
class Writer {
 public:
  explicit Writer(uint64_t seed) : random_(seed) {}

  std::string kernel(int number) {
    own_ = {"a", "b"};
    agreed_ = {"u", "w"};
    loops_ = 0;
    budget_ = 22;
    out_ =
        formatted("extern \"C\" __global__ void k{}(int* out, const int* in, int n) {{\n", number);
    out_ +=
        "__shared__ unsigned s[256];\n"
        "unsigned t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);\n"
        "const unsigned size = blockDim.x * blockDim.y * blockDim.z;\n"
        "int i = t + size * (blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z));\n"
        "unsigned a = in[i], b = t * 7u, u = blockIdx.x + 2u, w = n;\n"
        "s[t] = a;\n__syncthreads();\n";
    statements(8);
    out_ += "__syncthreads();\n";
    return out_ + formatted("out[i] = {} + u * 31u + w;\n}}\n", hash());
  }

 private:
  size_t below(size_t n) { return random_() % n; }
  bool chance(size_t percent) { return below(100) < percent; }
  std::string pick(const std::vector<std::string>& from) { return from[below(from.size())]; }

  std::string hash() const {
    std::string out = "0u";
    for (const std::string& name : own_) out = formatted("({} * 5u + {})", out, name);
    return out;
  }

  // Of a thread's own.
  std::string value(int depth = 2) {
    if (depth == 0 || chance(30)) {
      switch (below(6)) {
        case 0:
          return formatted("{}u", below(20));
        case 1:
          return "t";
        case 2:
          return "threadIdx.x";
        case 3:
          return pick(agreed_);
        default:
          return pick(own_);
      }
    }
    const std::string a = value(depth - 1), b = value(depth - 1);
    static const std::vector<std::string> forms = {"({} + {})",      "({} ^ {})",
                                                   "({} * 3u - {})", "({} / (({} & 7u) + 1u))",
                                                   "min({}, {})",    "({} < {} ? 5u : 9u)"};
    return fmt::format(fmt::runtime(pick(forms)), a, b);
  }

  // The same for all threads.
  std::string common() {
    static const std::vector<std::string> forms = {"({} + {}u)", "({} ^ {}u)", "({} >> 1 | {}u)",
                                                   "({} % 5u + {}u)"};
    if (chance(15)) return formatted("(blockIdx.x + {}u)", below(5));
    return fmt::format(fmt::runtime(pick(forms)), pick(agreed_), below(9));
  }
  std::string condition() {
    return formatted("{} % 4u {} {}u", common(), pick({"<", "=="}), below(4));
  }

  void exchange() {
    out_ += formatted("s[t] = {};\n__syncthreads();\n", value());
    if (chance(30))
      out_ += formatted("{} = s[{} % size];\n", pick(agreed_), below(9));
    else
      out_ += formatted("{} += s[(t + {}u) % size];\n", pick(own_), below(9));
    out_ += "__syncthreads();\n";
  }

  void assign() {
    static const std::vector<std::string> signs = {"=", "+=", "^=", "-="};
    if (chance(25))
      out_ += formatted("{} {} {};\n", pick(agreed_), pick(signs), common());
    else
      out_ += formatted("{} {} {};\n", pick(own_), pick(signs), value());
  }

  void apart() {
    const std::string x = pick(own_);
    switch (below(4)) {
      case 0:
        out_ +=
            formatted("if ({} & 1u) {} = {}; else {{ {}++; }}\n", value(), x, value(), pick(own_));
        break;
      case 1:
        out_ +=
            formatted("for (unsigned k = 0; k < ({} & 7u); ++k) {{ if (k == 5u) break; ", value());
        out_ += formatted("if (k & 1u) continue; {} += k * {}; }}\n", x, value());
        break;
      case 2:
        out_ += formatted("{{ unsigned* p = &{}; *p += {}; }}\n", x, value());
        break;
      default:
        out_ += formatted("if ({} % 29u == 3u) {{ out[i] = {}; return; }}\n", value(), hash());
    }
  }

  void declare() {
    const bool common_one = chance(30);
    const std::string init = common_one ? common() : value();
    // Perhaps one that there is in a block around this one, but not in its own value.
    std::string name = formatted("v{}", below(6));
    while (init.find(name) != std::string::npos || declared_.contains(name)) name += 'x';
    declared_.insert(name);
    out_ +=
        formatted("{}unsigned {} = {};\n", !common_one && chance(20) ? "const " : "", name, init);
    const bool constant = out_.compare(out_.rfind('\n', out_.size() - 2) + 1, 5, "const") == 0;
    std::erase(own_, name);
    std::erase(agreed_, name);
    if (!constant) (common_one ? agreed_ : own_).push_back(name);
  }

  void block(const std::string& head, int count, const std::string& tail = "") {
    const auto own = own_, agreed = agreed_;
    const auto declared = std::exchange(declared_, {});
    out_ += head + "{\n" + tail;
    statements(count);
    out_ += "}\n";
    own_ = own;
    agreed_ = agreed;
    declared_ = declared;
  }

  void loop() {
    ++loops_;
    const std::string k = formatted("k{}", counters_++);
    switch (below(5)) {
      case 0:
        block(formatted("for (int {0} = 0; {0} < 3; ++{0}) ", k), 4);
        break;
      case 1:
        block(formatted("for (unsigned {0} = {1} & 7u; {0} > 0u; {0} /= 2u) ", k, common()), 4);
        break;
      case 2:
        out_ += formatted("unsigned {} = {} % 3u;\n", k, common());
        block(formatted("while ({} < 4u) ", k), 4, formatted("++{};\n", k));
        break;
      case 3:
        out_ += formatted("int {} = 0;\ndo ", k);
        block("", 4, formatted("{} += 1;\n", k));
        out_ += formatted("while ({} < 3);\n", k);
        break;
      default:  // which cannot be told to be the same for all
        out_ += formatted("s[t] = {};\n__syncthreads();\n", value());
        out_ += formatted("unsigned {} = s[0] % 3u;\n__syncthreads();\n", k);
        block(formatted("for (; {0} < 4u; {0}++) ", k), 4);
    }
    --loops_;
  }

  void statements(int count) {
    for (int c = 0; c < count && budget_ > 0; ++c) {
      --budget_;
      switch (below(12)) {
        case 0:
        case 1:
        case 2:
          exchange();
          break;
        case 3:
        case 4:
          assign();
          break;
        case 5:
        case 6:
          apart();
          break;
        case 7:
          declare();
          break;
        case 8:
          block(formatted("if ({}) ", condition()), 3);
          if (chance(50)) block("else ", 3);
          break;
        case 9:
          if (loops_ > 0)
            out_ += formatted("if ({}) {};\n", condition(), pick({"break", "continue"}));
          else
            block("", 3);
          break;
        default:
          if (loops_ < 2)
            loop();
          else
            exchange();
      }
    }
  }

  std::mt19937_64 random_;
  std::string out_;
  std::vector<std::string> own_, agreed_;
  std::set<std::string> declared_;  // in this block
  int loops_ = 0, counters_ = 0, budget_ = 0;
};

}  // namespace

int main() {
  const uint64_t seed = test_seed();
  Writer writer(seed);
  std::string source;
  for (int k = 0; k < 5; ++k) source += writer.kernel(k);
  const split_test::Module module(source);
  for (const gpuarr_kernel& kernel : module.kernels()) {
    if (kernel.split == nullptr)
      check::report(__FILE__, __LINE__) << kernel.name << " was not cut\n";
    compare(kernel, {2, 1, 1}, {64, 1, 1}, seed);
    compare(kernel, {1, 2, 2}, {7, 3, 2}, seed);
  }
  if (check::failures > 0) std::cerr << source;
  return check::result();
}
