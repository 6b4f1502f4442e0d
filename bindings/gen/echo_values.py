"""The values that the test of the raw layers agrees on, for each argument of each function."""
import dataclasses
import typing

import header

BITS = {"int8_t": 8, "int16_t": 16, "int32_t": 32, "int64_t": 64, "uint8_t": 8, "uint16_t": 16,
        "uint32_t": 32, "uint64_t": 64}


@dataclasses.dataclass
class Value:
    """kind: number, struct, address, text (const char*), buffer (char*), and pointers to the first
    three: to_number, to_struct, to_address. A pointer to what the function may set is_set."""
    name: str
    place: int
    kind: str
    base: str  # the C type of the number, or what is pointed to
    seed: int
    is_set: bool = False
    type: typing.Any = None  # as the header has it
    api: typing.Any = None
    is_out: bool = False

    @property
    def is_callback(self):
        declared = self.api.find(self.base)
        return declared is not None and declared.kind == "callback"

    @property
    def is_scalar(self):
        """Whether Fortran passes a variable, not an array."""
        return self.kind in ("number", "struct", "address", "text", "buffer") or self.is_out

    def answer(self):
        """What the function sets it to."""
        return dataclasses.replace(self, seed=self.seed % 100 + 101)

    @property
    def text(self):
        return f'text "{self.seed}" \u00fc'

    @property
    def address(self):
        return 0x7F0000000000 + 64 * self.seed

    @property
    def number(self):
        """Something in every byte, and the first bit set as often as not."""
        if self.base in ("float", "double"):
            return self.seed + 0.25
        bits = BITS[self.base]
        value = (0x9E3779B97F4A7C15 * (self.seed + 1)) % 2**64 >> (64 - bits)
        if self.base.startswith("int") and value >= 2 ** (bits - 1):
            value -= 2**bits
        return value

    def c_number(self):
        if self.base in ("float", "double"):
            return f"static_cast<{self.base}>({self.number})"
        suffix = "ULL" if self.base == "uint64_t" else "LL"
        return f"static_cast<{self.base}>({self.number}{suffix})"


def value_of(api, parameter, place, seed):
    """What to give for a parameter, or to return."""
    word, base, is_set = kind_of(api, parameter.type)
    return Value(parameter.name, place, word, base, seed, is_set, parameter.type, api,
                 parameter.is_out)


def kind_of(api, type_):
    """(kind of the value, C type behind it, whether the function sets it)."""
    declared = api.find(type_.base)
    kind = declared.kind if declared else ""
    base = declared.type.base if kind == "number" else type_.base
    if kind == "callback":
        return "address", base, False
    if type_.depth == 0:
        return "struct" if kind == "struct" else "number", base, False
    if type_.base == "char" and type_.depth == 1:
        return "text" if type_.const else "buffer", base, False
    if type_.depth == 2:
        return "to_address", base, not type_.pointers[0]
    if type_.base == "void" or kind in ("handle", "foreign"):
        return "address", base, False
    return "to_struct" if kind == "struct" else "to_number", base, not type_.const


class Call:
    """A function with a value for each of its arguments and for its result."""

    def __init__(self, api, declared, number):
        self.declared = declared
        self.values = [value_of(api, p, place, (7 * number + 3 * place) % 100 + 1)
                       for place, p in enumerate(declared.parameters, 1)]
        self.result = None
        if str(declared.type) != "void":
            result = header.Parameter("result", declared.type)
            self.result = value_of(api, result, 0, number % 100 + 101)
            if declared.type.depth:  # whatever it points to, it is an address
                self.result.kind = "address"
