#include "kernel/text/parameter_type.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <span>

#include "core/error.hpp"
#include "core/tokens.hpp"

namespace gpuarr {
namespace {

using Tokens = std::span<const Token>;
using Kind = ParameterType::Kind;

bool is_name_token(const Token& t) { return t.kind == Token::Kind::identifier; }

constexpr auto qualifiers = std::to_array<std::string_view>(
    {"const", "volatile", "__restrict__", "__restrict", "restrict", "struct", "class", "enum",
     "typename", "__grid_constant__", "static", "inline", "extern", "alignas"});
constexpr auto builtin_words = std::to_array<std::string_view>(
    {"unsigned", "signed", "long", "short", "int", "char", "float", "double", "bool"});

struct Alias {
  std::string_view name;
  DType dtype;
};

constexpr auto aliases = std::to_array<Alias>({
    {"int8_t", DType::i8},
    {"int16_t", DType::i16},
    {"int32_t", DType::i32},
    {"int64_t", DType::i64},
    {"uint8_t", DType::u8},
    {"uint16_t", DType::u16},
    {"uint32_t", DType::u32},
    {"uint64_t", DType::u64},
    {"size_t", DType::u64},
    {"ptrdiff_t", DType::i64},
    {"uint", DType::u32},
    {"half", DType::f16},
    {"__half", DType::f16},
    {"nv_bfloat16", DType::bf16},
    {"__nv_bfloat16", DType::bf16},
    {"complex<float>", DType::c64},
    {"complex<double>", DType::c128},
    {"short_float<gpuarr_prelude::binary16>", DType::f16},
    {"short_float<gpuarr_prelude::brain16>", DType::bf16},
});

// "unsigned long int" in any order of its words; nothing if another word is among them.
std::optional<DType> builtin_dtype(std::string_view base) {
  int longs = 0;
  bool is_unsigned = false, is_short = false;
  std::string_view last;
  if (base.empty()) return std::nullopt;
  for (const Token& t : tokenize(base)) {
    if (!is_one_of(t.text, builtin_words)) return std::nullopt;
    longs += t.is("long") ? 1 : 0;
    is_unsigned |= t.is("unsigned");
    is_short |= t.is("short");
    if (t.is("char") || t.is("float") || t.is("double") || t.is("bool")) last = t.text;
  }
  if (last == "bool") return DType::boolean;
  if (last == "float") return DType::f32;
  if (last == "double") return longs == 0 ? std::optional(DType::f64) : std::nullopt;
  if (last == "char") return is_unsigned ? DType::u8 : DType::i8;
  if (is_short) return is_unsigned ? DType::u16 : DType::i16;
  if (longs > 0) return is_unsigned ? DType::u64 : DType::i64;
  return is_unsigned ? DType::u32 : DType::i32;
}

// Without the namespaces before the name: "cuda::std::complex<float>" is "complex<float>".
std::string_view unqualified(std::string_view base) {
  const size_t list = base.find('<');
  const size_t colons = base.substr(0, list).rfind("::");
  return colons == std::string_view::npos ? base : base.substr(colons + 2);
}

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> split_list(std::string_view list) {
  std::vector<std::string_view> parts;
  int depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i <= list.size(); ++i) {
    const char c = i < list.size() ? list[i] : ',';
    depth += c == '<' || c == '(' ? 1 : c == '>' || c == ')' ? -1 : 0;
    if (c != ',' || (depth > 0 && i < list.size())) continue;
    parts.push_back(trimmed(list.substr(begin, i - begin)));
    begin = i + 1;
  }
  return parts;
}

// "gpuarr_view<const float, 2, false>"
void read_view(ParameterType& out, std::string_view base) {
  const size_t open = base.find('<');
  const auto parts = split_list(base.substr(open + 1, base.rfind('>') - open - 1));
  // A view of views is none: they are not looked into, however deep.
  if (parts.size() < 2 || parts[0].find("gpuarr_view<") != std::string_view::npos) return;
  int ndim = 0;
  const char* end = parts[1].data() + parts[1].size();
  if (std::from_chars(parts[1].data(), end, ndim).ec != std::errc()) return;
  out.kind = Kind::view;
  const ParameterType element = parse_type(parts[0]);
  out.dtype = element.dtype;
  out.is_const = element.is_const;
  out.ndim = ndim;
  out.contiguous = parts.size() > 2 && parts[2] == "true";
}

struct Spelled {
  std::string base;
  int pointers = 0;
  bool is_const = false;  // what is pointed to
  bool plain = true;      // false: a reference, a pointer to a function
};

void append_word(std::string& base, const Token& t) {
  if (!base.empty() && is_name_token(t) && (std::isalnum(base.back()) != 0 || base.back() == '_'))
    base += ' ';
  base += t.text;
  if (t.is(",")) base += ' ';
}

Spelled read_spelling(Tokens tokens) {
  Spelled out;
  int depth = 0;
  for (const Token& t : tokens) {
    const bool inside = depth > 0 || t.is("<");
    depth += t.is("<") ? 1 : t.is(">") ? -1 : 0;
    const bool qualifier = is_name_token(t) && is_one_of(t.text, qualifiers);
    if (inside || t.is("::") || (is_name_token(t) && !qualifier)) {
      append_word(out.base, t);
    } else if (t.is("*") || t.is("[")) {
      ++out.pointers;
    } else if (t.is("&") || t.is("(")) {
      out.plain = false;
    } else if (t.is("const") && out.pointers == 0) {
      out.is_const = true;
    }
  }
  return out;
}

std::string as_written(Tokens tokens) {
  std::string out;
  for (const Token& t : tokens) append_word(out, t);
  return out;
}

ParameterType type_of(Tokens tokens) {
  const Spelled spelled = read_spelling(tokens);
  ParameterType out;
  out.spelling = spelled.plain
                     ? (spelled.is_const && spelled.pointers > 0 ? "const " : "") + spelled.base +
                           std::string(static_cast<size_t>(spelled.pointers), '*')
                     : as_written(tokens);
  if (!spelled.plain || spelled.base.empty()) return out;
  out.is_const = spelled.is_const && spelled.pointers <= 1;
  const std::string_view name = unqualified(spelled.base);
  if (spelled.pointers > 0) {
    out.kind = Kind::pointer;
    if (spelled.pointers == 1 && name != "void" && name != "char") out.dtype = element_dtype(name);
  } else if (name.starts_with("gpuarr_view<")) {
    read_view(out, name);
  } else if ((out.dtype = element_dtype(spelled.base))) {
    out.kind = Kind::value;
  }
  return out;
}

std::vector<Tokens> split_tokens(Tokens tokens) {
  std::vector<Tokens> parts;
  int depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i < tokens.size(); ++i) {
    const Token& t = tokens[i];
    depth += t.is("<") || t.is("(") || t.is("[") || t.is("{") ? 1 : 0;
    depth -= t.is(">") || t.is(")") || t.is("]") || t.is("}") ? 1 : 0;
    if (!t.is(",") || depth > 0) continue;
    parts.push_back(tokens.subspan(begin, i - begin));
    begin = i + 1;
  }
  if (begin < tokens.size() || !parts.empty()) parts.push_back(tokens.subspan(begin));
  return parts;
}

// The place of the last word if it can be a name: "float x", "float x[]", but not "unsigned int".
size_t name_place(Tokens item) {
  size_t at = item.size();
  while (at > 0 && (item[at - 1].is("]") || item[at - 1].is("["))) --at;
  if (at < 2 || !is_name_token(item[at - 1])) return item.size();
  const std::string_view word = item[at - 1].text;
  const Token& before = item[at - 2];
  const bool names = !is_one_of(word, builtin_words) && !is_one_of(word, qualifiers);
  const bool only_qualifiers = std::ranges::all_of(item.first(at - 1), [](const Token& t) {
    return is_name_token(t) && is_one_of(t.text, qualifiers);
  });
  return names && !before.is("::") && !only_qualifiers ? at - 1 : item.size();
}

NamedType named_type(Tokens item) {
  const size_t at = name_place(item);
  std::vector<Token> type(item.begin(), item.end());
  NamedType out;
  if (at < item.size()) {
    out.name = item[at].text;
    type.erase(type.begin() + static_cast<std::ptrdiff_t>(at));
  }
  out.type = type_of(type);
  return out;
}

std::vector<NamedType> named_types(Tokens list) {
  std::vector<NamedType> out;
  if (list.size() == 1 && list[0].is("void")) return out;
  for (Tokens item : split_tokens(list)) {
    const auto equals = std::ranges::find_if(item, [](const Token& t) { return t.is("="); });
    out.push_back(named_type(item.first(static_cast<size_t>(equals - item.begin()))));
  }
  return out;
}

// The place of the bracket that closes the one at `open`; the end if none does.
size_t closing(Tokens tokens, size_t open) {
  int depth = 0;
  for (size_t i = open; i < tokens.size(); ++i) {
    depth += tokens[i].is("(") ? 1 : tokens[i].is(")") ? -1 : 0;
    if (depth == 0) return i;
  }
  return tokens.size();
}

// The parameter list of the function that the words at `at` begin, if it has this name.
std::optional<Tokens> list_of(Tokens tokens, size_t at, std::string_view name) {
  for (size_t i = at; i + 1 < tokens.size(); ++i) {
    if (tokens[i].is(";") || tokens[i].is("{") || tokens[i].is("}")) return std::nullopt;
    if (!is_name_token(tokens[i]) || !tokens[i + 1].is("(")) continue;
    const size_t end = closing(tokens, i + 1);
    if (tokens[i].text.starts_with("__")) {  // __launch_bounds__(256)
      i = end;
      continue;
    }
    if (tokens[i].text != name || end == tokens.size()) return std::nullopt;
    return tokens.subspan(i + 2, end - i - 2);
  }
  return std::nullopt;
}

constexpr auto variable_words =
    std::to_array<std::string_view>({"__device__", "__constant__", "__managed__"});

// The declaration of a variable that an annotation at `at` belongs to, up to its name; empty for a
// function.
Tokens variable_at(Tokens tokens, size_t at) {
  size_t begin = at + 1;
  for (size_t i = begin; i < tokens.size(); ++i) {
    const Token& t = tokens[i];
    if (t.is("(") || t.is("}")) return {};
    if (t.is(";") || t.is("=") || t.is("[") || t.is("{") || t.is(","))
      return tokens.subspan(begin, i - begin);
  }
  return {};
}

}  // namespace

std::optional<DType> element_dtype(std::string_view spelling) {
  if (auto builtin = builtin_dtype(spelling)) return builtin;
  const std::string_view name = unqualified(spelling);
  if (auto known = find_dtype(name)) return known;
  const auto* found = std::ranges::find(aliases, name, &Alias::name);
  return found != aliases.end() ? std::optional(found->dtype) : std::nullopt;
}

ParameterType parse_type(std::string_view spelling) { return type_of(tokenize(spelling)); }

std::vector<NamedType> parse_declared(std::string_view params) {
  const std::vector<Token> tokens = tokenize(params);
  for (const Token& t : tokens)
    if (t.kind == Token::Kind::string || t.is(";") || t.is("{"))
      fail(GPUARR_ERR_SYNTAX, "params has \"{}\"; it is a list such as \"const float* x, int n\"",
           t.text);
  std::vector<NamedType> out = named_types(tokens);
  for (size_t k = 0; k < out.size(); ++k)
    if (out[k].type.spelling.empty())
      fail(GPUARR_ERR_SYNTAX,
           "parameter {} of \"{}\" has no type; the list is such as \"const float* x, int n\"", k,
           params);
  return out;
}

std::optional<std::vector<NamedType>> parse_demangled(std::string_view function) {
  const std::vector<Token> tokens = tokenize(function);
  if (tokens.empty() || !tokens.back().is(")")) return std::nullopt;
  int depth = 0;
  for (size_t i = tokens.size(); i-- > 0;) {
    depth += tokens[i].is(")") ? 1 : tokens[i].is("(") ? -1 : 0;
    if (depth == 0) return named_types(Tokens(tokens).subspan(i + 1, tokens.size() - i - 2));
  }
  return std::nullopt;
}

std::optional<std::vector<NamedType>> parse_source(std::string_view source, std::string_view name) {
  const std::vector<Token> tokens = tokenize(source);
  std::optional<std::vector<NamedType>> found;
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (!tokens[i].is("__global__")) continue;
    const auto list = list_of(tokens, i + 1, unqualified(name));
    if (!list) continue;
    for (const Token& t : *list)
      if (t.kind == Token::Kind::directive) return std::nullopt;
    auto types = named_types(*list);
    const bool same =
        !found || std::ranges::equal(
                      *found, types, {}, [](const NamedType& t) { return t.type.spelling; },
                      [](const NamedType& t) { return t.type.spelling; });
    if (!same) return std::nullopt;
    found = std::move(types);
  }
  return found;
}

std::string variable_type(std::string_view source, std::string_view name) {
  const std::vector<Token> tokens = tokenize(source);
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (!is_one_of(tokens[i].text, variable_words)) continue;
    const Tokens words = variable_at(tokens, i);
    if (words.size() < 2 || words.back().text != unqualified(name)) continue;
    std::vector<Token> type;
    for (const Token& t : words.first(words.size() - 1))
      if (!is_one_of(t.text, variable_words)) type.push_back(t);
    return type_of(type).spelling;
  }
  return "";
}

bool has_variables(std::string_view source) {
  const std::vector<Token> tokens = tokenize(source);
  for (size_t i = 0; i < tokens.size(); ++i)
    if (is_one_of(tokens[i].text, variable_words) && variable_at(tokens, i).size() >= 2)
      return true;
  return false;
}

std::vector<std::string> kernels_of(std::string_view source) {
  const std::vector<Token> tokens = tokenize(source);
  std::vector<std::string> names;
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (!tokens[i].is("__global__")) continue;
    for (size_t k = i + 1; k + 1 < tokens.size(); ++k) {
      if (tokens[k].is(";") || tokens[k].is("{")) break;
      if (!is_name_token(tokens[k]) || !tokens[k + 1].is("(")) continue;
      if (tokens[k].text.starts_with("__")) {
        k = closing(tokens, k + 1);
        continue;
      }
      if (std::ranges::find(names, tokens[k].text) == names.end())
        names.emplace_back(tokens[k].text);
      break;
    }
  }
  return names;
}

}  // namespace gpuarr
