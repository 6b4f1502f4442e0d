#include "linalg/products/einsum.hpp"

#include <algorithm>
#include <array>

#include "core/error.hpp"
#include "linalg/products/matmul.hpp"
#include "ops/base/result.hpp"

namespace gpuarr {
namespace {

constexpr int64_t ellipsis = -1;
constexpr int64_t first_dot_label = 256;  // of the ellipsis's last axis; letters are their codes

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// A list of letters and an ellipsis, and where in the text each stands.
struct EinsumTerm {
  Dims labels;
  std::array<int, max_ndim + 1> places;
  bool has_dots = false;
  int end = 0;
};

class Subscripts {
 public:
  explicit Subscripts(const std::string& text) : text_(text) {}

  // "subscripts "ij,j$->i": what is wrong", and below it the place.
  template <class... Args>
  [[noreturn]] void fail_at(int place, fmt::format_string<Args...> format, Args&&... args) const {
    fail(GPUARR_ERR_SYNTAX, "subscripts, character {}: {}\n  {}\n  {}^", place + 1,
         format_text(format, fmt::make_format_args(args...)), text_,
         std::string(static_cast<size_t>(place), ' '));
  }

  EinsumTerm term() {
    EinsumTerm t;
    for (;; ++at_) {
      skip_spaces();
      const int place = at_;
      if (text_.compare(static_cast<size_t>(at_), 3, "...") == 0) {
        if (t.has_dots) fail_at(place, "a second ellipsis in one term");
        t.has_dots = true;
        add(t, ellipsis, place);
        at_ += 2;
      } else if (is_letter(now())) {
        add(t, now(), place);
      } else {
        break;
      }
    }
    t.end = at_;
    return t;
  }

  bool take(const char* token) {
    skip_spaces();
    const std::string wanted = token;
    if (text_.compare(static_cast<size_t>(at_), wanted.size(), wanted) != 0) return false;
    at_ += static_cast<int>(wanted.size());
    return true;
  }

  void expect_end(const char* otherwise) {
    skip_spaces();
    if (now() != '\0') fail_at(at_, "'{}' is not expected here; {}", now(), otherwise);
  }

  int place() const { return at_; }

 private:
  char now() const { return static_cast<size_t>(at_) < text_.size() ? text_[at()] : '\0'; }
  size_t at() const { return static_cast<size_t>(at_); }
  void skip_spaces() {
    while (now() == ' ') ++at_;
  }
  void add(EinsumTerm& term, int64_t label, int place) {
    if (term.labels.size() > max_ndim - 1) fail_at(place, "more than {} axes", max_ndim);
    term.places[static_cast<size_t>(term.labels.size())] = place;
    term.labels.push_back(label);
  }

  const std::string& text_;
  int at_ = 0;
};

// How many axes the ellipsis of a term stands for.
int dots_of(const Subscripts& text, const EinsumTerm& term, const Array& x, const char* argument) {
  const int letters = term.labels.size() - (term.has_dots ? 1 : 0);
  if (letters > x.ndim() || (!term.has_dots && letters < x.ndim()))
    text.fail_at(term.end, "the term has {} letter{}, but {} has shape {}", letters,
                 letters == 1 ? "" : "s", argument, to_string(x.layout.shape));
  return x.ndim() - letters;
}

// The labels with the ellipsis written out, its last axes in common with other terms.
Dims written_out(const EinsumTerm& term, int dots) {
  Dims labels;
  for (int64_t label : term.labels) {
    if (label != ellipsis) labels.push_back(label);
    for (int k = dots - 1; label == ellipsis && k >= 0; --k) labels.push_back(first_dot_label + k);
  }
  return labels;
}

// Extents of the labels that were seen; 0 and more, else none.
using Extents = std::array<int64_t, first_dot_label + max_ndim>;

void note_extents(const Subscripts& text, const EinsumTerm& term, const Labelled& x,
                  Extents& extents) {
  for (int axis = 0; axis < x.labels.size(); ++axis) {
    int64_t& known = extents[static_cast<size_t>(x.labels[axis])];
    const int64_t extent = x.array.layout.shape[axis];
    if (known >= 0 && known != extent && known != 1 && extent != 1) {
      if (x.labels[axis] >= first_dot_label)
        text.fail_at(term.end, "an axis of the ellipsis has extent {} here, but {} before", extent,
                     known);
      const auto* found = std::find(term.labels.begin(), term.labels.end(), x.labels[axis]);
      text.fail_at(term.places[static_cast<size_t>(found - term.labels.begin())],
                   "'{}' has extent {} here, but {} before", static_cast<char>(x.labels[axis]),
                   extent, known);
    }
    if (known < 0 || known == 1) known = extent;
  }
}

// A letter twice in one term stands for a diagonal: its extents must be equal.
void check_diagonals(const Subscripts& text, const EinsumTerm& term, const Labelled& x) {
  for (int axis = 0; axis < x.labels.size(); ++axis)
    for (int other = 0; other < axis; ++other)
      if (x.labels[axis] == x.labels[other] &&
          x.array.layout.shape[axis] != x.array.layout.shape[other])
        text.fail_at(term.end, "'{}' stands for extents {} and {} in one term",
                     static_cast<char>(x.labels[axis]), x.array.layout.shape[other],
                     x.array.layout.shape[axis]);
}

// Without "->": the ellipsis, then the letters that are there once, in the order of their codes.
Dims implied(std::span<const Labelled> operands, int dots) {
  std::array<int, first_dot_label> count{};
  for (const Labelled& operand : operands)
    for (int64_t label : operand.labels)
      if (label < first_dot_label) ++count[static_cast<size_t>(label)];
  Dims labels;
  for (int k = dots - 1; k >= 0; --k) labels.push_back(first_dot_label + k);
  for (int64_t label = 0; label < first_dot_label; ++label)
    if (count[static_cast<size_t>(label)] == 1) labels.push_back(label);
  return labels;
}

Dims result_labels(const Subscripts& text, const EinsumTerm& term, int dots,
                   const Extents& extents) {
  if (dots > 0 && !term.has_dots)
    text.fail_at(term.end, "the result leaves out the axes of the ellipsis; write \"...\"");
  for (int k = 0; k < term.labels.size(); ++k) {
    const int64_t label = term.labels[k];
    const int place = term.places[static_cast<size_t>(k)];
    if (label == ellipsis) continue;
    if (extents[static_cast<size_t>(label)] < 0)
      text.fail_at(place, "'{}' is in no operand", static_cast<char>(label));
    if (std::find(term.labels.begin(), term.labels.begin() + k, label) != term.labels.begin() + k)
      text.fail_at(place, "'{}' is twice in the result", static_cast<char>(label));
  }
  return written_out(term, dots);
}

struct EinsumPlan {
  Labelled x;
  std::optional<Labelled> y;
  Dims labels;
};

EinsumPlan plan_of(const std::string& subscripts, const Array& x, const Array* y) {
  Subscripts text(subscripts);
  Extents extents;
  extents.fill(-1);
  const char* names[] = {"x", "y"};
  const Array* arrays[] = {&x, y};
  std::array<Labelled, 2> operands;
  const int count = y != nullptr ? 2 : 1;
  int dots = 0;
  for (int k = 0; k < count; ++k) {
    const auto i = static_cast<size_t>(k);
    if (k > 0 && !text.take(",")) text.fail_at(text.place(), "a ',' is expected, and a term for y");
    const EinsumTerm term = text.term();
    const int own = dots_of(text, term, *arrays[i], names[i]);
    dots = std::max(dots, own);
    operands[i] = {*arrays[i], written_out(term, own)};
    check_diagonals(text, term, operands[i]);
    note_extents(text, term, operands[i], extents);
  }
  const std::span<const Labelled> all(operands.data(), static_cast<size_t>(count));
  EinsumPlan plan{operands[0], std::nullopt, {}};
  if (y != nullptr) plan.y = operands[1];
  if (text.take("->")) {
    plan.labels = result_labels(text, text.term(), dots, extents);
    text.expect_end("the result is a list of letters and \"...\"");
  } else {
    text.expect_end(count == 1 ? "there is one operand; a term is a list of letters and \"...\""
                               : "there are two operands; terms are lists of letters and \"...\"");
    plan.labels = implied(all, dots);
  }
  return plan;
}

}  // namespace

std::optional<Array> einsum(const Array* out, const std::string& subscripts, const Array& x,
                            const Array* y, int32_t flags, Stream* given) {
  const ProductOptions options = checked_flags(flags);
  Stream& stream = y != nullptr ? stream_for(x, *y, given) : stream_for(given, x.device());
  const EinsumPlan plan = plan_of(subscripts, x, y);
  const DType dtype = y != nullptr ? common_dtype(x, *y) : x.dtype;
  return contract(out, plan.x, plan.y ? &*plan.y : nullptr, plan.labels, dtype, options, stream);
}

}  // namespace gpuarr
