#include "kernel/text/signature.hpp"

#include <algorithm>
#include <cctype>

#include "codegen/elementwise/plan.hpp"
#include "core/error.hpp"

namespace gpuarr {
namespace {

constexpr std::string_view keywords[] = {"alignas",       "alignof",     "and",
                                         "and_eq",        "asm",         "auto",
                                         "bitand",        "bitor",       "bool",
                                         "break",         "case",        "catch",
                                         "char",          "char16_t",    "char32_t",
                                         "char8_t",       "class",       "co_await",
                                         "co_return",     "co_yield",    "compl",
                                         "concept",       "const",       "const_cast",
                                         "consteval",     "constexpr",   "constinit",
                                         "continue",      "decltype",    "default",
                                         "delete",        "do",          "double",
                                         "dynamic_cast",  "else",        "enum",
                                         "explicit",      "export",      "extern",
                                         "false",         "float",       "for",
                                         "friend",        "goto",        "if",
                                         "inline",        "int",         "long",
                                         "mutable",       "namespace",   "new",
                                         "noexcept",      "not",         "not_eq",
                                         "nullptr",       "operator",    "or",
                                         "or_eq",         "private",     "protected",
                                         "public",        "register",    "reinterpret_cast",
                                         "requires",      "return",      "short",
                                         "signed",        "sizeof",      "static",
                                         "static_assert", "static_cast", "struct",
                                         "switch",        "template",    "this",
                                         "thread_local",  "throw",       "true",
                                         "try",           "typedef",     "typeid",
                                         "typename",      "union",       "unsigned",
                                         "using",         "virtual",     "void",
                                         "volatile",      "wchar_t",     "while",
                                         "xor",           "xor_eq"};

constexpr std::string_view type_list =
    "bool, int8 ... int64, uint8 ... uint64, float16, bfloat16, float32, float64, complex64, "
    "complex128, or one letter for a placeholder";

std::vector<std::string_view> split(std::string_view text, std::string_view separators,
                                    bool keep_empty) {
  std::vector<std::string_view> parts;
  for (size_t begin = 0;;) {
    size_t end = text.find_first_of(separators, begin);
    std::string_view part = text.substr(begin, end - begin);
    if (keep_empty || !part.empty()) parts.push_back(part);
    if (end == std::string_view::npos) return parts;
    begin = end + 1;
  }
}

constexpr std::string_view blanks = " \t\r\n";

void check_name(std::string_view name, std::string_view item, const char* list) {
  if (!is_identifier(name))
    fail(GPUARR_ERR_SYNTAX, "{} has \"{}\": \"{}\" is not a name; use letters, digits and _", list,
         item, name);
  if (name == "i" || name.starts_with('_'))
    fail(GPUARR_ERR_SYNTAX,
         "{} has \"{}\": \"{}\" is reserved, as are i and names that begin with _", list, item,
         name);
  if (is_keyword(name))
    fail(GPUARR_ERR_SYNTAX, "{} has \"{}\": \"{}\" is a keyword of C++", list, item, name);
  if (find_dtype(name))
    fail(GPUARR_ERR_SYNTAX, "{} has \"{}\": \"{}\" is the name of a type", list, item, name);
}

void set_type(Parameter& p, std::string_view type, std::string_view item, const char* list) {
  if (type.size() == 1) {
    if (std::isalpha(static_cast<unsigned char>(type[0])) == 0 || type == "i" || type == "n")
      fail(GPUARR_ERR_SYNTAX, "{} has \"{}\": a placeholder is a letter other than i and n", list,
           item);
    p.letter = type[0];
    return;
  }
  for (auto [ambiguous, choices] : {std::pair{"float", "float32 or float64"},
                                    {"int", "int32 or int64"},
                                    {"long", "int32 or int64"},
                                    {"complex", "complex64 or complex128"},
                                    {"double", "float64"},
                                    {"char", "int8 or uint8"}})
    if (type == ambiguous)
      fail(GPUARR_ERR_TYPE, "{} has \"{}\": type \"{}\" is not the same everywhere; say {}", list,
           item, type, choices);
  p.dtype = find_dtype(type);
  if (!p.dtype)
    fail(GPUARR_ERR_TYPE, "{} has \"{}\": \"{}\" is not a type; types are {}", list, item, type,
         type_list);
}

Parameter parse_item(std::string_view item, const char* list, bool is_output) {
  std::vector<std::string_view> words = split(item, blanks, false);
  if (words.empty())
    fail(GPUARR_ERR_SYNTAX, "{} has an empty item; write \"TYPE NAME, TYPE NAME\"", list);
  Parameter p;
  size_t next = 0;
  for (; next < words.size() && (words[next] == "raw" || words[next] == "const"); ++next) {
    if (words[next] == "const" && is_output)
      fail(GPUARR_ERR_SYNTAX, "{} has \"{}\": an output cannot be const", list, item);
    p.raw |= words[next] == "raw";
  }
  if (words.size() - next < 2)
    fail(GPUARR_ERR_SYNTAX, "{} has \"{}\", which lacks a {}; write \"TYPE NAME\"", list, item,
         words.size() == next ? "type and a name" : "name");
  if (words.size() - next > 2)
    fail(GPUARR_ERR_SYNTAX,
         "{} has \"{}\": \"{}\" is not understood; only raw and const may stand before TYPE NAME",
         list, item, words[next]);
  set_type(p, words[next], item, list);
  check_name(words[next + 1], item, list);
  p.name = words[next + 1];
  return p;
}

std::vector<Parameter> parse_list(std::string_view text, const char* list, bool is_output) {
  std::vector<Parameter> parameters;
  if (text.find_first_not_of(blanks) == std::string_view::npos) return parameters;
  for (std::string_view item : split(text, ",", true)) {
    size_t begin = std::min(item.find_first_not_of(blanks), item.size());
    size_t end = item.find_last_not_of(blanks) + 1;
    parameters.push_back(
        parse_item(begin < end ? item.substr(begin, end - begin) : "", list, is_output));
    for (size_t k = 0; k + 1 < parameters.size() && k < max_operands; ++k)
      if (parameters[k].name == parameters.back().name)
        fail(GPUARR_ERR_SYNTAX, "{} has two parameters called \"{}\"", list,
             parameters.back().name);
  }
  return parameters;
}

std::string spelled(const Parameter& p) {
  return p.dtype ? name(*p.dtype) : std::string(1, p.letter);
}

int twin_of(const Parameter& output, const std::vector<Parameter>& inputs) {
  for (size_t k = 0; k < inputs.size(); ++k) {
    if (inputs[k].name != output.name) continue;
    if (inputs[k].raw || output.raw)
      fail(GPUARR_ERR_SYNTAX, "\"{}\" is in both lists, so neither can be raw", output.name);
    if (spelled(inputs[k]) != spelled(output))
      fail(GPUARR_ERR_SYNTAX, "\"{}\" is in both lists, as {} and as {}; give it one type",
           output.name, spelled(inputs[k]), spelled(output));
    return static_cast<int>(k);
  }
  return -1;
}

void check_letters(const Signature& s) {
  for (const auto* list : {&s.inputs, &s.outputs})
    for (const Parameter& p : *list)
      for (const auto* other : {&s.inputs, &s.outputs})
        for (const Parameter& q : *other)
          if (p.letter != 0 && q.name == std::string_view(&p.letter, 1))
            fail(GPUARR_ERR_SYNTAX, "\"{}\" is both a placeholder and a parameter's name", q.name);
}

}  // namespace

bool is_identifier(std::string_view text) {
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text[0])) == 0 &&
         std::ranges::all_of(
             text, [](unsigned char c) { return (std::isalnum(c) != 0 && c < 128) || c == '_'; });
}

bool is_keyword(std::string_view text) {
  return std::ranges::find(keywords, text) != std::end(keywords);
}

Signature parse_signature(std::string_view in_params, std::string_view out_params) {
  Signature s;
  s.inputs = parse_list(in_params, "in_params", false);
  s.outputs = parse_list(out_params, "out_params", true);
  size_t count = s.inputs.size() + s.outputs.size();
  if (count == 0)
    fail(GPUARR_ERR_SYNTAX, "in_params and out_params are both empty; name at least one parameter");
  if (count > max_operands)
    fail(GPUARR_ERR_SYNTAX, "in_params and out_params name {} parameters; at most {} are possible",
         count, max_operands);
  for (const Parameter& output : s.outputs) s.starts_as.push_back(twin_of(output, s.inputs));
  check_letters(s);
  return s;
}

}  // namespace gpuarr
