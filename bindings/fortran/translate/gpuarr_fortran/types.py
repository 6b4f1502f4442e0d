"""Types of Fortran, with their kinds as numbers of bytes, and what they are called in C++."""
from dataclasses import dataclass, replace

C_NAMES = {
    ("integer", 1): "signed char", ("integer", 2): "short", ("integer", 4): "int",
    ("integer", 8): "long long", ("real", 4): "float", ("real", 8): "double",
    ("complex", 4): "complex64", ("complex", 8): "complex128", ("logical", 1): "bool",
}
DTYPES = {
    ("integer", 1): "int8", ("integer", 2): "int16", ("integer", 4): "int32",
    ("integer", 8): "int64", ("real", 4): "float32", ("real", 8): "float64",
    ("complex", 4): "complex64", ("complex", 8): "complex128", ("logical", 1): "bool",
}
C_NAMES_OF_DTYPES = {dtype: C_NAMES[key] for key, dtype in DTYPES.items()}
DTYPE_CONSTANTS = {
    "int8": "GPUARR_I8", "int16": "GPUARR_I16", "int32": "GPUARR_I32", "int64": "GPUARR_I64",
    "float32": "GPUARR_F32", "float64": "GPUARR_F64", "complex64": "GPUARR_C64",
    "complex128": "GPUARR_C128", "bool": "GPUARR_BOOL",
}


@dataclass(frozen=True)
class Type:
    """A type of one element, and how many dims there are. A logical is a bool, of whatever kind
    its variable is; `kind` then is 1, and `logical_kind` what the host has."""

    base: str  # integer, real, complex, logical, derived, character
    kind: int = 4
    derived: object = None  # a DerivedType
    rank: int = 0
    logical_kind: int = 4

    @property
    def element(self):
        return replace(self, rank=0)

    def of_rank(self, rank):
        return replace(self, rank=rank)

    @property
    def is_number(self):
        return self.base in ("integer", "real", "complex")

    @property
    def c_name(self):
        if self.base == "derived":
            return self.derived.c_name
        return C_NAMES[self.base, self.kind]

    @property
    def dtype(self):
        return DTYPES[self.base, self.kind]

    def fortran(self):
        """As a declaration has it, with kinds of iso_fortran_env and iso_c_binding."""
        if self.base == "derived":
            return f"type({self.derived.name})"
        if self.base == "logical":
            return f"logical({self.logical_kind})"
        suffix = "int" if self.base == "integer" else "real"
        return f"{self.base}({suffix}{8 * self.kind})"

    def __str__(self):
        if self.base == "derived":
            text = f"type({self.derived.name})"
        elif self.base == "logical":
            text = "logical"
        else:
            text = f"{self.base}({self.kind})"
        return text + (f", rank {self.rank}" if self.rank else "")

    def is_same(self, other):
        """Whether an argument of one may stand for the other, but for the rank."""
        if self.base != other.base:
            return False
        if self.base == "derived":
            return self.derived is other.derived
        return self.kind == other.kind


INTEGER = Type("integer", 4)
LONG = Type("integer", 8)
REAL = Type("real", 4)
DOUBLE = Type("real", 8)
LOGICAL = Type("logical", 1)


def promoted(a, b):
    """What numbers of two types are computed in together."""
    rank = max(a.rank, b.rank)
    order = ["integer", "real", "complex"]
    if a.base == b.base:
        return Type(a.base, max(a.kind, b.kind), rank=rank)
    wide, narrow = (a, b) if order.index(a.base) > order.index(b.base) else (b, a)
    kind = wide.kind if narrow.base == "integer" else max(a.kind, b.kind)
    return Type(wide.base, kind, rank=rank)


# Kinds of the modules that every compiler has: a number of bytes.
INTRINSIC_MODULES = {
    "iso_fortran_env": {
        "int8": 1, "int16": 2, "int32": 4, "int64": 8, "real32": 4, "real64": 8, "real128": 16,
        "logical_kinds": None,
    },
    "iso_c_binding": {
        "c_int": 4, "c_short": 2, "c_long": 8, "c_long_long": 8, "c_signed_char": 1,
        "c_size_t": 8, "c_int8_t": 1, "c_int16_t": 2, "c_int32_t": 4, "c_int64_t": 8,
        "c_intptr_t": 8, "c_ptrdiff_t": 8, "c_float": 4, "c_double": 8, "c_long_double": 16,
        "c_float_complex": 4, "c_double_complex": 8, "c_bool": 1,
    },
    "ieee_arithmetic": {}, "ieee_exceptions": {}, "ieee_features": {}, "omp_lib": {},
    "openacc": {},
}

# Names that C++ has, and those of CUDA's functions that the text calls.
RESERVED = set("""
alignas alignof and and_eq asm atomic auto bitand bitor bool break case catch char class compl
concept const consteval constexpr constinit const_cast continue co_await co_return co_yield decltype
default delete do double dynamic_cast else enum explicit export extern false float for friend goto
if inline int long mutable namespace new noexcept not not_eq nullptr operator or or_eq private
protected public register reinterpret_cast requires return short signed sizeof static static_assert
static_cast struct switch template this thread_local throw true try typedef typeid typename union
unsigned using virtual void volatile wchar_t while xor xor_eq
int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 bfloat16 float32 float64 complex64
complex128 half complex dim3 assert linux unix printf main std size_t errno stdin stdout stderr
abs acos acosh asin asinh atan atan2 atanh conj cos cosh erf erfc erfcx exp fabs hypot imag j0 j1 jn
lgamma log log10 pow real round sin sinh sqrt tan tanh tgamma trunc y0 y1 yn
""".split())


def c_name_of(name):
    """A name of the source in the text: its own, unless C++ or the text itself have it."""
    name = name.lower()
    return name + "_" if name in RESERVED or name.startswith("gpuarr") else name
