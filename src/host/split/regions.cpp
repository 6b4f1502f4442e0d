#include "host/split/regions.hpp"

#include <algorithm>
#include <unordered_set>

#include "core/text.hpp"

namespace gpuarr::host {
namespace {

using VariableKind = Variable::Kind;

constexpr int room = 1024 + 16;  // of an array; not a power of two, for the sake of caches

std::string array_of(size_t v) { return formatted("gpuarr_s{}", v); }

}  // namespace

// --- Variables

void RegionWriter::write_parameters() {
  std::string kept;
  for (const size_t p : names_.parameters) {
    const Variable& v = names_.variables[p];
    if (v.kind != VariableKind::stored) continue;
    out_ += formatted("auto& gpuarr_a{} = {};\n", p, v.storage);
    add_storage(p, v.type);
    kept += formatted("gpuarr_glue::keep({}[gpuarr_thread], gpuarr_a{});\n", array_of(p), p);
  }
  if (!kept.empty()) out_ += "GPUARR_SPLIT_THREADS\n" + kept + "GPUARR_SPLIT_END\n";
}

// What is outside of a region of what is declared in it.
void RegionWriter::declare(const Declared& declared) {
  for (const size_t v : declared.variables) {
    const Variable& variable = names_.variables[v];
    if (variable.kind == VariableKind::uniform) declare_scalar(v);
    if (variable.kind == VariableKind::stored) add_storage(v, variable.type);
  }
}

void RegionWriter::declare_scalar(size_t v) {
  const Variable& variable = names_.variables[v];
  out_ += mark(variable.place) +
          (variable.is_const && variable.storage == variable.name ? "const " : "");
  out_ += variable.type + ' ' + variable.storage + ' ' + scalar(variable.init) + ";\n";
}

void RegionWriter::add_storage(size_t v, const std::string& type) {
  const std::string name = array_of(v);
  out_ += formatted("{} {}[{}]{};\n", type, name, room, names_.variables[v].suffix);
  out_ += formatted("static_assert(gpuarr_glue::storable<decltype({})>);\n", name);
  const std::string bytes = formatted("gpuarr_bytes{}", bytes_.size());
  out_ += formatted("constexpr unsigned long {} = {} + sizeof {};\n", bytes, bytes_.back(), name);
  out_ += formatted("static_assert({} <= gpuarr_glue::most_stored);\n", bytes);
  bytes_.push_back(bytes);
}

// The declarations that a region's body, or another one's head, needs of variables from outside.
std::string RegionWriter::bind(const std::vector<TokenRange>& region) const {
  std::set<size_t> wanted;
  for (const TokenRange range : region) want(range, region, wanted);
  std::string out;
  std::unordered_set<std::string_view> bound;
  for (const size_t v : wanted) {
    if (!bound.insert(names_.variables[v].name).second) refuse("a name used twice");
    out += binding(v);
  }
  return out;
}

void RegionWriter::want(TokenRange range, const std::vector<TokenRange>& region,
                        std::set<size_t>& out) const {
  for (size_t k = range.first; k < range.last; ++k) {
    const auto v = names_.meaning(k);
    if (!v) continue;
    const Variable& variable = names_.variables[*v];
    const bool own = !variable.is_parameter && std::ranges::any_of(region, [&](TokenRange r) {
      return r.contains(variable.place);
    });
    if (own || variable.kind == VariableKind::local || !out.insert(*v).second) continue;
    if (variable.kind == VariableKind::repeated) want(variable.init, region, out);
  }
}

std::string RegionWriter::binding(size_t v) const {
  const Variable& variable = names_.variables[v];
  const std::string name(variable.name);
  switch (variable.kind) {
    case VariableKind::uniform:
      if (variable.storage == name) return "";
      return (variable.is_scalar ? "const auto " : "const auto& ") + name + " = " +
             variable.storage + ";\n";
    case VariableKind::repeated:
      return repeated(variable) + "\n";
    default:
      return reference(v) + "\n";
  }
}

std::string RegionWriter::reference(size_t v) const {
  const Variable& variable = names_.variables[v];
  return formatted("{}auto& {} = {}[gpuarr_thread];", variable.is_const ? "const " : "",
                   variable.name, array_of(v));
}

std::string RegionWriter::repeated(const Variable& v) const {
  const std::string type = v.is_pointer ? v.type + " const" : "const " + v.type;
  return type + ' ' + std::string(v.name) + ' ' + parsed_.written(v.init) + ';';
}

// --- Text of the user's

std::string RegionWriter::mark(size_t token) const { return line_mark(parsed_.place(token)); }

std::string RegionWriter::scalar(TokenRange range) const {
  std::string out;
  for (size_t k = range.first; k < range.last; ++k) {
    const auto v = names_.meaning(k);
    if (k > range.first && parsed_.begin(k) != parsed_.end(k - 1)) out += ' ';
    out += v ? names_.variables[*v].storage : std::string(parsed_.tokens[k].text);
  }
  return out;
}

// As it is written, with jumps out of the region turned into such that leave it.
std::string RegionWriter::copy(TokenRange range) const {
  if (range.empty()) return "";
  std::string out;
  size_t from = parsed_.begin(range.first);
  for (size_t k = range.first; k < range.last; ++k) {
    const auto jump = plan_.jumps.find(k);
    if (jump == plan_.jumps.end()) continue;
    out += parsed_.text.substr(from, parsed_.begin(k) - from);
    out += leave(jump->second.level);
    k = jump->second.last - 1;
    from = parsed_.end(k);
  }
  return out += parsed_.text.substr(from, parsed_.end(range.last - 1) - from);
}

std::string RegionWriter::leave(int level) const {
  const std::string out = formatted("goto gpuarr_end{};", region_);
  return level == 0 ? out : formatted("{{ gpuarr_state[gpuarr_thread] = {}; {} }}", level, out);
}

std::string RegionWriter::as_written(const Variable& v, std::string_view name) const {
  std::string type = v.type;
  if (v.is_const) type = v.is_pointer ? type + " const" : "const " + type;
  return type + ' ' + std::string(name) + v.suffix + ' ' + copy(v.init) + ';';
}

// --- Regions

size_t RegionWriter::open_block() {
  out_ += "{\n";
  return bytes_.size();
}

void RegionWriter::close_block(size_t opened) {
  bytes_.resize(opened);
  out_ += "}\n";
}

void RegionWriter::begin(const std::vector<TokenRange>& ranges, std::string_view loop) {
  if (loop.empty()) loop = plan_.has_state ? "GPUARR_SPLIT_ACTIVE" : "GPUARR_SPLIT_THREADS";
  ++region_;
  out_ += formatted("{}\n{}{{\n", loop, bind(ranges));
  begin_ = out_.size();
}

void RegionWriter::end() {
  out_ += "\n}\n";
  if (out_.find(formatted("goto gpuarr_end{};", region_), begin_) != std::string::npos)
    out_ += formatted("gpuarr_end{}:;\n", region_);
  out_ += "GPUARR_SPLIT_END\n";
}

void RegionWriter::write(const std::vector<const Statement*>& statements) {
  std::vector<const Statement*> inside;
  std::vector<TokenRange> ranges;
  bool works = false;
  for (const Statement* s : statements) {
    const Declared* declared = names_.declared_at(s->range.first);
    if (declared != nullptr && declared->is_fixed) {
      out_ += mark(s->range.first) + copy(s->range) + '\n';
      continue;
    }
    if (declared != nullptr) declare(*declared);
    works |= does_work(*s);
    inside.push_back(s);
    ranges.push_back(s->range);
  }
  if (!works) return;
  begin(ranges);
  for (const Statement* s : inside) write_inside(*s);
  end();
}

// Nothing is left to do of what was declared outside, or is computed where it is needed.
bool RegionWriter::does_work(const Statement& s) const {
  if (s.range.last == s.range.first + 1) return false;
  const Declared* declared = names_.declared_at(s.range.first);
  if (declared == nullptr) return true;
  return std::ranges::any_of(declared->variables, [&](size_t v) {
    const Variable& variable = names_.variables[v];
    return variable.kind == VariableKind::stored ? !variable.init.empty()
                                                 : variable.kind == VariableKind::local;
  });
}

void RegionWriter::write_init(TokenRange init) {
  const Declared* declared = names_.declared_at(init.first);
  if (init.empty() || declared == nullptr) {
    write_expression(init);
    return;
  }
  declare(*declared);
  begin({init});
  out_ += mark(init.first);
  write_declaration(*declared);
  end();
}

void RegionWriter::write_expression(TokenRange expression) {
  if (expression.empty()) return;
  begin({expression});
  out_ += mark(expression.first) + copy(expression) + ";\n";
  end();
}

void RegionWriter::write_condition(TokenRange condition, int level) {
  if (condition.empty()) return;
  begin({condition});
  out_ += formatted("gpuarr_state[gpuarr_thread] = (\n{}{}\n) ? 0 : {};\n", mark(condition.first),
                    copy(condition), level);
  end();
}

// Whether another pass is wanted is asked in the one before, or each loop would end with one for
// nothing. Counters are as wide as addresses until the body has them, so that the compiler sees
// that they do not wrap, and that elements lie in a row.
void RegionWriter::write_strides(const Statement& loop) {
  const Statement& body = loop.children[0];
  const Variable& counter = names_.variables[*names_.meaning(loop.stride->counter)];
  const TokenRange first = value_of(parsed_, counter.init);
  const std::string pass = formatted("gpuarr_pass{}", region_),
                    more = formatted("gpuarr_more{}", region_);
  const std::string condition = '\n' + mark(loop.condition.first) + copy(loop.condition) + '\n';
  const std::vector<TokenRange> head = {loop.init, loop.condition, loop.step};
  std::vector<TokenRange> all = head;
  all.push_back(body.range);
  const bool rows = is_row(first);
  out_ += formatted("GPUARR_SPLIT_PASSES({}, {})\n", pass, more);
  // The first of a row's threads speaks for all of them.
  if (rows)
    out_ += "GPUARR_SPLIT_ROWS\nthreadIdx.x = 0;\n" + bind(head);
  else
    begin(all);
  out_ += formatted("GPUARR_SPLIT_COUNTER({}, ({}), ({}), {})\n", counter.type,
                    parsed_.written(first), parsed_.written(loop.stride->by), pass);
  out_ += formatted("{{ const gpuarr_wide {} = gpuarr_at + gpuarr_by; {} |= ({}) ? 1 : 0; }}\n",
                    counter.name, more, condition);
  if (rows) begin(all, "GPUARR_SPLIT_ROW");
  out_ += formatted("const gpuarr_wide {} = gpuarr_at;\nif ({}) {{\n", counter.name, condition);
  out_ += formatted("const {0} {1} = gpuarr_at;\nif ({1} != gpuarr_at) __builtin_unreachable();\n",
                    counter.type, counter.name);
  if (body.kind == Statement::Kind::block)
    for (const Statement& s : body.children) write_inside(s);
  else
    write_inside(body);
  out_ += "}\n";
  end();
  out_ += formatted("if ({} == 0) break;\n}}\n", more);
}

// Whether a value grows by one from thread to thread: threadIdx.x, and what is added to it.
bool RegionWriter::is_row(TokenRange value) const {
  const auto named = names_.meaning(value.first);
  if (named && value.last == value.first + 1)
    return names_.variables[*named].kind == Variable::Kind::repeated &&
           is_row(value_of(parsed_, names_.variables[*named].init));
  size_t threads = 0;
  for (size_t k = value.first; k < value.last; ++k) {
    const size_t close = parsed_.match[k];
    if (close > k) {
      if (parsed_.has({k, close}, "threadIdx")) return false;
      k = close;
    } else if (parsed_.is(k, "threadIdx")) {
      const bool alone = k == value.first || parsed_.is(k - 1, "+");
      const bool ends = k + 3 == value.last || parsed_.is(k + 3, "+") || parsed_.is(k + 3, "-");
      if (!parsed_.is(k + 2, "x") || !alone || !ends) return false;
      ++threads;
    } else if (const auto v = names_.meaning(k)) {
      if (names_.variables[*v].kind != Variable::Kind::uniform) return false;
    } else if (parsed_.tokens[k].kind == Token::Kind::punctuation &&
               std::string_view(".+-*/%").find(parsed_.tokens[k].text) == std::string_view::npos) {
      return false;
    }
  }
  return threads == 1;
}

void RegionWriter::write_inside(const Statement& s) {
  const Declared* declared = names_.declared_at(s.range.first);
  out_ += mark(s.range.first);
  if (declared != nullptr && !is_local(*declared))
    write_declaration(*declared);
  else
    out_ += copy(s.range) + '\n';
}

bool RegionWriter::is_local(const Declared& declared) const {
  return std::ranges::all_of(declared.variables, [&](size_t v) {
    return names_.variables[v].kind == VariableKind::local;
  });
}

void RegionWriter::write_declaration(const Declared& declared) {
  for (const size_t v : declared.variables) {
    const Variable& variable = names_.variables[v];
    switch (variable.kind) {
      case VariableKind::local:
        out_ += as_written(variable, variable.name);
        break;
      case VariableKind::stored:
        write_stored(v);
        break;
      default:
        out_ += binding(v);
    }
  }
  out_ += '\n';
}

void RegionWriter::write_stored(size_t v) {
  const Variable& variable = names_.variables[v];
  if (variable.init.empty()) {
    out_ += reference(v);
    return;
  }
  const std::string made = formatted("gpuarr_i{}", v);
  out_ += as_written(variable, made);
  out_ += formatted(" {}auto& {} = gpuarr_glue::keep({}[gpuarr_thread], {});",
                    variable.is_const ? "const " : "", variable.name, array_of(v), made);
}

}  // namespace gpuarr::host
