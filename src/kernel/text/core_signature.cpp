#include "kernel/text/core_signature.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "core/error.hpp"

namespace gpuarr {
namespace {

class CoreParser {
 public:
  explicit CoreParser(std::string_view text) : text_(text) {}

  CoreSignature read() {
    read_list();
    out_.inputs = static_cast<int>(out_.cores.size());
    if (!take("->")) refuse("\"->\"");
    read_list();
    if (at_ != text_.size()) refuse(out_.cores.empty() ? "\"(\"" : "\",\" or the end");
    return std::move(out_);
  }

 private:
  // Arguments, or none.
  void read_list() {
    skip();
    if (at_ == text_.size() || text_[at_] == '-') return;
    do read_core();
    while (take(","));
  }

  void read_core() {
    if (!take("(")) refuse("\"(\"");
    auto& core = out_.cores.emplace_back();
    if (take(")")) return;
    do core.push_back(read_dim());
    while (take(","));
    if (!take(")")) refuse("\",\" or \")\"");
  }

  int read_dim() {
    skip();
    const size_t begin = at_;
    while (at_ < text_.size() && is_name_sign(text_[at_])) ++at_;
    const std::string_view name = text_.substr(begin, at_ - begin);
    if (name.empty()) refuse("a dimension, such as n, 3 or n?");
    CoreDim dim{std::string(name), fixed_size(name), take("?")};
    for (size_t k = 0; k < out_.dims.size(); ++k) {
      if (out_.dims[k].name != dim.name) continue;
      if (out_.dims[k].optional != dim.optional)
        fail(GPUARR_ERR_SYNTAX,
             "signature \"{}\" has the dimension {} with \"?\" and without; give it one form",
             text_, name);
      return static_cast<int>(k);
    }
    if (out_.dims.size() == max_core_dims)
      fail(GPUARR_ERR_SYNTAX, "signature \"{}\" has more than {} different dimensions", text_,
           max_core_dims);
    out_.dims.push_back(std::move(dim));
    return static_cast<int>(out_.dims.size()) - 1;
  }

  int64_t fixed_size(std::string_view name) const {
    if (std::isdigit(static_cast<unsigned char>(name[0])) == 0) {
      if (name.starts_with('_') || is_keyword(name))
        fail(GPUARR_ERR_SYNTAX,
             "signature \"{}\" has a dimension \"{}\", which is {}; give it another name", text_,
             name,
             is_keyword(name) ? "a keyword of C++" : "reserved, as are all that begin with _");
      return -1;
    }
    int64_t size = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), size);
    if (error != std::errc() || end != name.data() + name.size() || size < 1)
      fail(GPUARR_ERR_SYNTAX,
           "signature \"{}\" has a dimension \"{}\"; it is a name, or a size of 1 or more", text_,
           name);
    return size;
  }

  static bool is_name_sign(char c) {
    return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0;
  }

  void skip() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }

  bool take(std::string_view sign) {
    skip();
    if (!text_.substr(at_).starts_with(sign)) return false;
    at_ += sign.size();
    skip();
    return true;
  }

  [[noreturn]] void refuse(const char* expected) const {
    fail(GPUARR_ERR_SYNTAX,
         "signature \"{}\" has {} at character {}, where {} should be; write it as in "
         "\"(m,k),(k,n)->(m,n)\"",
         text_, at_ == text_.size() ? "its end" : formatted("\"{}\"", text_.substr(at_, 1)),
         at_ + 1, expected);
  }

  std::string_view text_;
  size_t at_ = 0;
  CoreSignature out_;
};

void check_core_count(const char* what, size_t cores, const char* list, size_t parameters) {
  if (cores != parameters)
    fail(GPUARR_ERR_SYNTAX, "signature has {} {}{}, but {} names {}; give each a type and a name",
         cores, what, cores == 1 ? "" : "s", list, parameters);
}

}  // namespace

CoreSignature parse_cores(std::string_view text) { return CoreParser(text).read(); }

void check_cores(const CoreSignature& cores, const Signature& parameters) {
  const auto inputs = static_cast<size_t>(cores.inputs);
  check_core_count("input", inputs, "in_params", parameters.inputs.size());
  check_core_count("output", cores.cores.size() - inputs, "out_params", parameters.outputs.size());
  for (const auto* list : {&parameters.inputs, &parameters.outputs})
    for (const Parameter& p : *list) {
      if (p.raw)
        fail(GPUARR_ERR_SYNTAX,
             "parameter \"{}\" is raw; a gufunc sees whole arrays by their cores: give it one, "
             "such as (k)",
             p.name);
      for (const CoreDim& dim : cores.dims)
        if (dim.name == p.name || dim.name == std::string_view(&p.letter, 1))
          fail(GPUARR_ERR_SYNTAX,
               "\"{}\" is both a dimension of the signature and a {}; give one another name",
               dim.name, dim.name == p.name ? "parameter" : "placeholder");
    }
  for (size_t k = 0; k < parameters.outputs.size(); ++k)
    if (parameters.starts_as[k] >= 0)
      fail(GPUARR_ERR_SYNTAX, "\"{}\" is in both lists; give the output a name of its own",
           parameters.outputs[k].name);
}

}  // namespace gpuarr
