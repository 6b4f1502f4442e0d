#include "host/read/global_index.hpp"

#include <algorithm>

namespace gpuarr::host {
namespace {

// Of types as wide as an index at least. A sum of floats would depend on how it is made up.
constexpr std::string_view type_words[] = {
    "int",      "unsigned", "signed",   "long", "size_t", "ptrdiff_t", "int32_t",
    "uint32_t", "int64_t",  "uint64_t", "uint", "std",    "::"};

// In front of a sum, and behind one, where nothing binds its parts more tightly. In front, "+" and
// "-" would.
constexpr std::string_view before_sum[] = {"=", "(", "{", "}", ",", "[", ";",
                                           "<", ">", "?", ":", "|", "^", "return"};
constexpr std::string_view behind_sum[] = {")", "}", ",", "]", ";", "<", ">", "?",
                                           ":", "&", "|", "^", "=", "!", "+", "-"};

constexpr size_t most_parentheses = 8;  // in a row

class SumReader {
 public:
  explicit SumReader(const Parsed& parsed) : parsed_(parsed), marks_(parsed.tokens.size()) {}

  std::vector<bool> run() {
    for (size_t k = 1; k < marks_.size(); ++k)
      if (may_begin(k)) read(k);
    return std::move(marks_);
  }

 private:
  bool may_begin(size_t at) const {
    if (parsed_.is(at - 1, "&")) return at > 1 && parsed_.is(at - 2, "&");  // && and no address
    return is_one_of(parsed_.tokens[at - 1].text, before_sum);
  }

  void read(size_t first) {
    for (const bool product_first : {true, false}) {
      at_ = first;
      found_.clear();
      const bool whole = product_first ? product() && take("+") && name("threadIdx")
                                       : name("threadIdx") && take("+") && product();
      if (!whole || !ends()) continue;
      for (const size_t at : found_) marks_[at] = true;
    }
  }

  bool ends() const {
    if (at_ >= marks_.size() || !is_one_of(parsed_.tokens[at_].text, behind_sum)) return false;
    const bool doubled = parsed_.is(at_ + 1, parsed_.tokens[at_].text);  // ++ and --
    return !doubled || !parsed_.is_any(at_, "+", "-");
  }

  bool product() {
    const size_t first = at_;
    if (take("(") && factors() && take(")")) return true;
    back_to(first);
    return factors();
  }

  bool factors() {
    const size_t first = at_;
    if (name("blockIdx") && take("*") && name("blockDim")) return true;
    back_to(first);
    return name("blockDim") && take("*") && name("blockIdx");
  }

  // threadIdx.x, (threadIdx.x), or one of them behind (int), or in int(...) or
  // static_cast<int>(...)
  bool name(std::string_view word) {
    const size_t first = at_;
    if (take("(") && type() && take(")") && bare(word)) return true;
    back_to(first);
    if (type() && parenthesised(word)) return true;
    back_to(first);
    if (take("static_cast") && take("<") && type() && take(">") && parenthesised(word)) return true;
    back_to(first);
    return bare(word);
  }

  // Behind parentheses: as many close behind it.
  bool bare(std::string_view word) {
    size_t open = 0;
    while (open < most_parentheses && take("(")) ++open;
    if (!parsed_.is(at_, word) || !parsed_.is(at_ + 1, ".") || !parsed_.is(at_ + 2, "x"))
      return false;
    found_.push_back(at_);
    at_ += 3;
    while (open > 0 && take(")")) --open;
    return open == 0;
  }

  bool parenthesised(std::string_view word) { return parsed_.is(at_, "(") && bare(word); }

  bool type() {
    const size_t first = at_;
    while (at_ < marks_.size() && is_one_of(parsed_.tokens[at_].text, type_words)) ++at_;
    return at_ > first;
  }

  bool take(std::string_view what) {
    if (!parsed_.is(at_, what)) return false;
    ++at_;
    return true;
  }

  void back_to(size_t at) {
    at_ = at;
    std::erase_if(found_, [&](size_t one) { return one >= at; });
  }

  const Parsed& parsed_;
  std::vector<bool> marks_;
  size_t at_ = 0;
  std::vector<size_t> found_;  // names of the sum that is read
};

}  // namespace

std::vector<bool> mark_global_indices(const Parsed& parsed) { return SumReader(parsed).run(); }

}  // namespace gpuarr::host
