#include "host/translate/dynamic_shared.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace gpuarr::host {
namespace {

/// An array at file scope, as functions declare it.
struct FileArray {
  size_t declared = 0;  // the token behind it
  std::string_view name;
  std::string text;
};

class Rewriter {
 public:
  Rewriter(const Parsed& parsed, Edits& edits) : parsed_(parsed), edits_(edits) {}

  void run() {
    for (const Declaration& d : parsed_.outline.declarations) {
      if (d.has_body) {
        rewrite_body(d);
        declare_arrays(d);
      } else if (is_one(d.head)) {
        note_arrays(d.head);
      }
    }
  }

 private:
  bool is_one(TokenRange range) const {
    return parsed_.has(range, "__shared__") && parsed_.has(range, "extern");
  }

  void rewrite_body(const Declaration& d) {
    for (size_t k = d.body.first; k < d.body.last; ++k) {
      if (!parsed_.is(k, "__shared__")) continue;
      const TokenRange statement = statement_around(k, d.body);
      if (is_one(statement)) rewrite_statement(statement);
      k = std::max(k, statement.last);
    }
  }

  TokenRange statement_around(size_t at, TokenRange body) const {
    TokenRange out = {at, at};
    while (out.first > body.first && !is_end(out.first - 1)) --out.first;
    while (out.last < body.last && !is_end(out.last)) ++out.last;
    return out;
  }
  bool is_end(size_t at) const { return parsed_.is_any(at, ";", "{", "}", ":"); }

  // Takes the words and attributes away that a reference cannot have.
  void blank_specifiers(TokenRange range) {
    for (size_t k = range.first; k < range.last; ++k) {
      const size_t behind = parsed_.skip_attribute(k);
      if (behind > k || is_taken(k)) blank(k, std::max(behind, k + 1));
      k = std::max(behind, k + 1) - 1;
    }
  }
  bool is_taken(size_t at) const { return parsed_.is_any(at, "extern", "__shared__"); }
  void blank(size_t first, size_t last) {
    edits_.blank(parsed_.begin(first), parsed_.end(last - 1));
  }

  // The words of a type, without those and attributes.
  std::string bare(TokenRange range) const {
    std::string out;
    for (size_t k = range.first; k < range.last; ++k) {
      const size_t behind = parsed_.skip_attribute(k);
      if (behind == k && !is_taken(k)) out += parsed_.written({k, k + 1}) + ' ';
      k = std::max(behind, k + 1) - 1;
    }
    return out;
  }

  // ` = *reinterpret_cast<T *(*)[][32]>(...)`
  std::string value(const Declarators& all, const Declarator& one) const {
    return " = *reinterpret_cast<" + bare(all.type) + bare(one.pointers) + "(*)" +
           parsed_.written(one.suffix) + ">(gpuarr_dynamic_shared())";
  }

  void rewrite_statement(TokenRange statement) {
    const Declarators all = read_declarators(parsed_, statement);
    if (all.list.empty()) return;
    blank_specifiers(statement);
    for (const Declarator& one : all.list) {
      edits_.insert(parsed_.begin(one.name), "(&");
      edits_.insert(parsed_.end(one.name), ")");
      const size_t last = one.suffix.empty() ? one.name : one.suffix.last - 1;
      edits_.insert(parsed_.end(last), value(all, one));
    }
  }

  void note_arrays(TokenRange head) {
    const Declarators all = read_declarators(parsed_, head);
    if (all.list.empty()) return;
    blank(head.first, head.last);
    for (const Declarator& one : all.list) {
      const std::string_view name = parsed_.tokens[one.name].text;
      arrays_.push_back({head.last, name,
                         bare(all.type) + bare(one.pointers) + "(&" + std::string(name) + ")" +
                             parsed_.written(one.suffix) + value(all, one) + ";"});
    }
  }

  // In a block around the body's own, whose names may hide them.
  void declare_arrays(const Declaration& d) {
    std::string text;
    for (const FileArray& array : arrays_)
      if (array.declared < d.head.first && mentions(d.body, array.name) &&
          !mentions({d.parameters, d.body.first - 1}, array.name))
        text += array.text;
    if (text.empty()) return;
    edits_.insert(parsed_.begin(d.body.first - 1) + 1, text + "{");
    edits_.insert(parsed_.begin(d.body.last), "}");
  }
  bool mentions(TokenRange range, std::string_view name) const {
    for (size_t k = range.first; k < range.last; ++k)
      if (parsed_.is(k, name) && !parsed_.is_any(k - 1, ".", "->")) return true;
    return false;
  }

  const Parsed& parsed_;
  Edits& edits_;
  std::vector<FileArray> arrays_;
};

}  // namespace

void rewrite_dynamic_shared(const Parsed& parsed, Edits& edits) { Rewriter(parsed, edits).run(); }

}  // namespace gpuarr::host
