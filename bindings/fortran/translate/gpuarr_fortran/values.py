"""Expressions as C++ text with a type: how they are put together, element by element where they
are arrays."""
from dataclasses import dataclass, field

from .types import LOGICAL, promoted

# How tightly C++ binds, from `a.b` to `a || b`.
PRIMARY, UNARY, TIMES, PLUS, ORDER, EQUAL, AND, OR, LEAST = 100, 80, 70, 60, 50, 45, 35, 30, 0


@dataclass
class Value:
    """An expression. An array has no text, but `at`, which gives its element at counters from 0
    (one for each dim), and texts of its extents."""

    text: str
    type: object
    binds: int = PRIMARY
    at: object = None
    extents: list = field(default_factory=list)
    constant: object = None  # of a whole number that is known
    array: object = None  # of a whole array or a section: the text of its descriptor
    names: frozenset = frozenset()  # arrays that are read in it
    is_place: bool = False  # can be assigned to

    def within(self, binds):
        """The text as an operand of what binds so tightly."""
        return self.text if self.binds >= binds else f"({self.text})"


def whole_number(number, type_):
    """A number as an integer of that type."""
    suffix = "LL" if type_.kind == 8 else ""
    # The least number has no literal of its own.
    text = f"({number + 1}{suffix} - 1)" if number < 0 else f"{number}{suffix}"
    if type_.kind < 4:
        return Value(f"({type_.c_name}){text}", type_, UNARY, constant=number)
    return Value(text, type_, constant=number)


def elementwise(operands, build):
    """What `build` makes of scalars, for operands of which some may be arrays."""
    arrays = [v for v in operands if v.type.rank]
    names = frozenset().union(*[v.names for v in operands])
    if not arrays:
        result = build(operands)
        result.names |= names
        return result
    rank = arrays[0].type.rank

    def at(counters):
        return build([v.at(counters) if v.type.rank else v for v in operands])

    sample = at(["0"] * rank)
    extents = next((v.extents for v in arrays if v.extents[0].isdigit()), arrays[0].extents)
    return Value("", sample.type.of_rank(rank), at=at, extents=extents, names=names)


def arithmetic(left, operator, right):
    """A sum, difference, product or quotient of two scalars."""
    type_ = promoted(left.type, right.type)
    binds = TIMES if operator in "*/" else PLUS
    text = f"{left.within(binds)} {operator} {right.within(binds + 1)}"
    if type_.base == "integer" and type_.kind < 4:  # C++ computes it as an int
        return Value(f"({type_.c_name})({text})", type_, UNARY)
    return Value(text, type_, binds)


def comparison(left, operator, right):
    binds = EQUAL if operator in ("==", "!=") else ORDER
    text = f"{left.within(binds + 1)} {operator} {right.within(binds + 1)}"
    return Value(text, LOGICAL, binds)


def logical(left, operator, right):
    """&&, ||, == or != of two logicals; && within || gets parentheses, as compilers like it."""
    binds = {"&&": AND, "||": OR}.get(operator, EQUAL)
    inner = {"&&": AND, "||": AND + 1}.get(operator, EQUAL + 1)
    return Value(f"{left.within(inner)} {operator} {right.within(inner)}", LOGICAL, binds)


def call(name, *operands, type_):
    return Value(f"{name}({', '.join(v.text for v in operands)})", type_)


def cast(value, type_):
    """A scalar as another type, spelled out."""
    if value.type.is_same(type_):
        return value
    if value.type.base == "complex" and type_.base != "complex":
        return cast(Value(f"real({value.text})", value.type.__class__("real", value.type.kind)),
                    type_)
    if type_.base == "complex":
        return Value(f"{type_.c_name}({value.text})", type_)
    return Value(f"({type_.c_name}){value.within(UNARY)}", type_, UNARY)


def converted(value, type_):
    """A scalar as what it is assigned to: C++ does it as Fortran does, but for these."""
    if value.type.base == "complex" and type_.base not in ("complex", "derived"):
        return cast(value, type_)
    return value
