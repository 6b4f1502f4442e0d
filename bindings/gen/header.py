"""Reads the public headers, which keep to a strict subset of C, into a description of the API.

The subset, one declaration to a statement, each with its comment above it:

    typedef struct gpuarr_array gpuarr_array;              a handle
    struct DLManagedTensor;                                somebody else's struct
    typedef int32_t gpuarr_status;                         a number
    typedef struct gpuarr_arg { TYPE NAME; ... } gpuarr_arg;
    typedef TYPE (*gpuarr_deleter)(PARAMETERS);            a callback
    enum { GPUARR_OK = 0, ... };                           constants, int32_t, each with its value
    #define GPUARR_NO_SIZE INT64_C(-1)                     a constant, int64_t
    GPUARR_API TYPE gpuarr_sum(PARAMETERS);                a function, thread-safety in its comment

Whatever is outside of it is an error that names the file and the line.
"""
import dataclasses
import re
import typing

NUMBERS = {"int8_t", "int16_t", "int32_t", "int64_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t",
           "float", "double"}


class OutsideTheSubset(Exception):
    """A declaration that bindings cannot be made of."""


@dataclasses.dataclass
class Type:
    """base is a number, "char", "void" or a name of ours; pointers are const or not, inside out:
    `const char** out` has the base char, const, and two pointers that are not."""
    base: str
    const: bool = False
    pointers: list[bool] = dataclasses.field(default_factory=list)
    nullable: bool = False

    @property
    def depth(self):
        return len(self.pointers)

    def __str__(self):
        text = f"const {self.base}" if self.const else self.base
        return text + "".join("* const" if const else "*" for const in self.pointers)


@dataclasses.dataclass
class Parameter:
    name: str
    type: Type
    doc: str = ""
    count: int = 0  # elements of a struct's array

    @property
    def is_out(self):
        """One value that the function sets. Other pointers to numbers, handles and arguments are
        to as many as the function takes."""
        return (self.type.depth > 0 and not self.type.nullable
                and re.fullmatch(r"out(_\w+)?", self.name) is not None)


@dataclasses.dataclass
class Constant:
    name: str
    value: int
    type: str
    doc: str = ""


@dataclasses.dataclass
class Declaration:
    """kind: handle, foreign, number, struct, callback or function."""
    kind: str
    name: str
    doc: str
    header: str
    type: typing.Optional[Type] = None
    parameters: list[Parameter] = dataclasses.field(default_factory=list)
    returns: str = ""
    threads: str = ""
    more: str = ""  # what the comment says behind the tags, of parameters that have none


@dataclasses.dataclass
class Api:
    constants: list[Constant] = dataclasses.field(default_factory=list)
    declarations: list[Declaration] = dataclasses.field(default_factory=list)

    def of(self, *kinds):
        return [d for d in self.declarations if d.kind in kinds]

    def find(self, name):
        return next((d for d in self.declarations if d.name == name), None)


# What a header may say to the preprocessor, besides constants. GPUARR_TEXT is for C alone.
DIRECTIVES = re.compile(
    r"#ifdef __FILE_NAME__|#define GPUARR_TEXT(_\w+_)?\b.*|"
    r'#(ifndef|define) GPUARR(_[A-Z]+)*_H|#include ("gpuarr/\w+\.h"|<stdint\.h>)|#endif|#else|'
    r"#ifdef __cplusplus|#if defined\(__GNUC__\)|#define GPUARR_(API|NULLABLE)\b.*")
CONSTANT = re.compile(r"#define (GPUARR_\w+) (\(?-?\d+\)?|INT64_C\(-?\d+\)|INT64_MIN)$")
TOKENS = re.compile(
    r"(?P<comment>/\*\*.*?\*/)|(?P<note>/\*.*?\*/)|(?P<directive>^#[^\n]*)|"
    r'(?P<linkage>^extern "C" \{|^\}$)|(?P<statement>[^\s/#][^;{/]*(?:\{.*?\}[^;{}]*)?;)',
    re.S | re.M)


def comment_text(comment):
    lines = re.sub(r"^/\*\*<?|\*/$", "", comment.strip()).split("\n")
    return "\n".join(re.sub(r"^\s*\* {0,2}", "", line).rstrip() for line in lines).strip()


def parse_type(text):
    """`const gpuarr_array* GPUARR_NULLABLE` and the like."""
    words = re.findall(r"\w+|\*|\S", text)
    type_ = Type("")
    for word in words:
        if word == "*":
            type_.pointers.append(False)
        elif word == "const" and type_.pointers:
            type_.pointers[-1] = True
        elif word == "const":
            type_.const = True
        elif word == "GPUARR_NULLABLE":
            type_.nullable = True
        elif word == "struct" and not type_.base:
            continue
        elif re.fullmatch(r"\w+", word) and not type_.base:
            type_.base = word
        else:
            raise OutsideTheSubset(f"the type '{text.strip()}'")
    return type_


def parse_parameter(text):
    found = re.fullmatch(r"(.*?[\s*])(\w+)(?:\[(\d+)\])?", text.strip(), re.S)
    if not found:
        raise OutsideTheSubset(f"the parameter '{text.strip()}'")
    return Parameter(found[2], parse_type(found[1]), count=int(found[3] or 0))


def parse_parameters(text):
    return [] if text.strip() == "void" else [parse_parameter(p) for p in text.split(",")]


class Reader:
    """One header's declarations, in order."""

    def __init__(self, api, name, text):
        self.api, self.name, self.text = api, name, text
        self.doc = ""

    def read(self):
        position = 0
        for found in TOKENS.finditer(self.text):
            self.refuse_between(position, found.start())
            position = found.end()
            try:
                getattr(self, found.lastgroup)(found[0])
            except OutsideTheSubset as problem:
                self.fail(found.start(), str(problem))
        self.refuse_between(position, len(self.text))

    def fail(self, position, what):
        line = self.text.count("\n", 0, position) + 1
        raise OutsideTheSubset(f"{self.name}:{line}: {what} is outside of the subset that bindings "
                               "are made of; bindings/gen/header.py says what is in it")

    def refuse_between(self, start, end):
        rest = self.text[start:end].strip()
        if rest:
            self.fail(start, f"'{rest}'")

    def doc_of(self):
        doc, self.doc = self.doc, ""
        unknown = re.search(r"@(?!(?:param|return|threadsafe|externalsync|p)\b)\S+", doc)
        if unknown:
            raise OutsideTheSubset(f"{unknown[0]}, which is no tag,")
        return doc

    def comment(self, text):
        self.doc = comment_text(text)

    def note(self, _):
        pass

    def linkage(self, _):
        pass

    def directive(self, line):
        found = CONSTANT.fullmatch(line)
        if found:
            word = found[2].strip("()")
            wide = "INT64" in word
            value = -2**63 if word == "INT64_MIN" else int(re.search(r"-?\d+(?=\D*$)", word)[0])
            kind = "int64_t" if wide else "int32_t"
            self.api.constants.append(Constant(found[1], value, kind, self.doc_of()))
        elif not DIRECTIVES.fullmatch(line):
            raise OutsideTheSubset(f"'{line}'")
        else:
            self.doc = ""

    def statement(self, text):
        if re.fullmatch(r"enum \{.*\};", text, re.S):
            return self.enum(text)
        docs = re.findall(r"(\w+)(?:\[\d+\])?; (/\*\*<.*?\*/)", text, re.S)
        text = re.sub(r"\s+", " ", re.sub(r"/\*.*?\*/", "", text, flags=re.S))
        forms = {
            r"typedef struct (\w+) \1;": self.handle,
            r"struct (\w+);": self.foreign,
            r"typedef (\w+) (\w+);": self.number,
            r"typedef struct (\w+) \{(.*)\} \1;": self.struct,
            r"typedef (.*?) ?\(\*(\w+)\)\((.*)\);": self.callback,
            r"GPUARR_API (.*?)(\w+)\((.*)\);": self.function,
        }
        for form, action in forms.items():
            found = re.fullmatch(form, text)
            if found:
                added = action(*found.groups())
                for name, doc in docs:
                    field = next(p for p in added.parameters if p.name == name)
                    field.doc = joined(comment_text(doc))
                return None
        raise OutsideTheSubset(f"'{text}'")

    def add(self, kind, name, type_=None, parameters=(), **more):
        if self.api.find(name):
            raise OutsideTheSubset(f"a second {name}")
        declaration = Declaration(kind, name, self.doc_of(), self.name, type_, list(parameters),
                                  **more)
        self.api.declarations.append(declaration)
        return declaration

    def handle(self, name):
        if not self.doc:
            raise OutsideTheSubset(f"{name} without a comment")
        return self.add("handle", name)

    def foreign(self, name):
        return self.add("foreign", name)

    def number(self, base, name):
        if base not in NUMBERS:
            raise OutsideTheSubset(f"{name}, which is another name of {base},")
        return self.add("number", name, parse_type(base))

    def struct(self, name, fields):
        return self.add("struct", name, None,
                        [parse_parameter(f) for f in fields.split(";") if f.strip()])

    def callback(self, result, name, parameters):
        return self.described(
            self.add("callback", name, parse_type(result), parse_parameters(parameters)))

    def function(self, result, name, parameters):
        added = self.described(
            self.add("function", name, parse_type(result), parse_parameters(parameters)))
        if not added.threads:
            raise OutsideTheSubset(f"{name} without @threadsafe or @externalsync")
        return added

    def described(self, declaration):
        """Takes a comment apart: what it is, its parameters, what it returns, its threads."""
        if not declaration.doc:
            raise OutsideTheSubset(f"{declaration.name} without a comment")
        declaration.doc = self.in_markdown(declaration.doc, declaration.parameters)
        text, *tags = re.split(r"(?:^|\s)@(?=(?:param|return|threadsafe|externalsync)\b)",
                               declaration.doc)
        declaration.doc = text.strip()
        for tag in tags:
            tag, *more = re.split(r"\n(?=\S)", tag.strip())
            declaration.more += " ".join(more)
            word, _, rest = tag.partition(" ")
            if word.startswith("param"):
                name, _, rest = rest.strip().partition(" ")
                of = [p for p in declaration.parameters if p.name == name]
                if not of:
                    raise OutsideTheSubset(f"@param {name}, which {declaration.name} has not,")
                of[0].doc = joined(rest)
            elif word == "return":
                declaration.returns = joined(rest)
            else:
                declaration.threads = joined(tag)
        return declaration

    def in_markdown(self, text, parameters):
        """`@p name` is `name` between backticks, which Rustdoc, FORD and Julia know."""
        for name in re.findall(r"@p (\w*)", text):
            if name not in [p.name for p in parameters]:
                raise OutsideTheSubset(f"@p {name}, which is no parameter there,")
        return re.sub(r"@p (\w+)", r"`\1`", text)

    def enum(self, text):
        self.doc = ""
        body = text[text.index("{") + 1 : text.rindex("}")]
        member = re.compile(r"\s*(?:(/\*.*?\*/)|(GPUARR_\w+) = (-?\d+),?)", re.S)
        position, before = 0, ""
        while body[position:].strip():
            found = member.match(body, position)
            if not found:
                rest = body[position:].strip().split("\n")[0]
                raise OutsideTheSubset(f"'{rest}' in an enum")
            position = found.end()
            if found[2]:
                self.api.constants.append(Constant(found[2], int(found[3]), "int32_t", before))
                before = ""
            elif found[1].startswith("/**<"):
                self.api.constants[-1].doc = joined(comment_text(found[1]))
            else:
                before = joined(comment_text(found[1])) if found[1].startswith("/**") else ""


def joined(text):
    return re.sub(r"\s+", " ", text).strip()


def check_names(api):
    """Every type that is used is declared, and what is declared begins as it must."""
    known = NUMBERS | {"char", "void"} | {d.name for d in api.declarations if d.kind != "function"}
    for declaration in api.declarations:
        types = [p.type for p in declaration.parameters]
        types += [declaration.type] if declaration.type else []
        for type_ in types:
            if type_.base not in known:
                raise OutsideTheSubset(f"{declaration.header}: {declaration.name} uses "
                                       f"{type_.base}, which no header declares, and")
        if declaration.kind != "foreign" and not declaration.name.startswith("gpuarr_"):
            raise OutsideTheSubset(f"{declaration.header}: the name {declaration.name}")


def read(include):
    """The API of all headers below a folder. Handles come first, since headers use each other's."""
    api = Api()
    for path in sorted(include.glob("gpuarr/*.h")):
        Reader(api, f"gpuarr/{path.name}", path.read_text()).read()
    check_names(api)
    return api
