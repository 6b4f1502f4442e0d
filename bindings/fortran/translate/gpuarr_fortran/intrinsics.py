"""Fortran's own functions, as calls of CUDA's or of the prelude's."""
from .arguments import keyword_of
from .constants import REALS, NotConstant
from .types import INTEGER, LOGICAL, Type, promoted
from .values import PRIMARY, UNARY, Value, call, cast, elementwise, whole_number

# Functions of a real or complex argument, of its type: CUDA's name, and whether complex is taken.
FLOATS = {
    "sqrt": "sqrt", "exp": "exp", "log": "log", "sin": "sin", "cos": "cos", "tan": "tan",
    "sinh": "sinh", "cosh": "cosh", "tanh": "tanh", "asin": "asin", "acos": "acos",
    "atan": "atan", "asinh": "asinh", "acosh": "acosh", "atanh": "atanh",
}
REAL_ONLY = {
    "log10": "log10", "erf": "erf", "erfc": "erfc", "erfc_scaled": "erfcx", "gamma": "tgamma",
    "log_gamma": "lgamma", "bessel_j0": "j0", "bessel_j1": "j1", "bessel_y0": "y0",
    "bessel_y1": "y1",
}
TO_WHOLE_REAL = {"aint": "trunc", "anint": "round"}
TO_INTEGER = {"int": "", "nint": "gpuarr_fortran::nint", "floor": "gpuarr_fortran::floor",
              "ceiling": "gpuarr_fortran::ceiling"}
SAME_KIND = {  # of two numbers of one type
    "mod": "gpuarr_fortran::mod", "modulo": "gpuarr_fortran::modulo",
    "sign": "gpuarr_fortran::sign", "dim": "gpuarr_fortran::dim",
}
BITS = {"iand": "&", "ior": "|", "ieor": "^"}
BITS_OF_LITERALS = {"Binary_Constant": 2, "Octal_Constant": 8, "Hex_Constant": 16}
BIT_FUNCTIONS = {"ishft": 2, "shiftl": 2, "shiftr": 2, "shifta": 2, "ibset": 2, "ibclr": 2,
                 "ibits": 3, "ishftc": -2, "not": 1}
COUNTS = ("popcnt", "poppar", "leadz", "trailz")
INQUIRIES = ("huge", "tiny", "epsilon", "digits", "precision", "range", "radix", "bit_size",
             "kind", "maxexponent", "minexponent", "storage_size")
MODEL = ("exponent", "fraction", "spacing", "rrspacing")
PLACES = ("maxloc", "minloc")
FOLDS = ("sum", "product", "maxval", "minval", "any", "all", "count") + PLACES
KEYWORDS = {
    "merge": ("tsource", "fsource", "mask"), "atan2": ("y", "x"), "cmplx": ("x", "y", "kind"),
    "real": ("a", "kind"), "int": ("a", "kind"), "nint": ("a", "kind"),
    "floor": ("a", "kind"), "ceiling": ("a", "kind"), "aint": ("a", "kind"),
    "anint": ("a", "kind"), "mod": ("a", "p"), "modulo": ("a", "p"), "sign": ("a", "b"),
    "size": ("array", "dim", "kind"), "lbound": ("array", "dim", "kind"),
    "ubound": ("array", "dim", "kind"), "logical": ("l", "kind"), "ishft": ("i", "shift"),
    "btest": ("i", "pos"), "scale": ("x", "i"), "set_exponent": ("x", "i"),
    "nearest": ("x", "s"), "hypot": ("x", "y"), "dot_product": ("vector_a", "vector_b"),
    **dict.fromkeys(PLACES, ("array", "dim", "mask", "kind", "back")),
}
ALIASES = {  # specific names, and functions of gfortran and ieee_arithmetic
    "dsqrt": "sqrt", "dexp": "exp", "dlog": "log", "alog": "log", "dsin": "sin", "dcos": "cos",
    "dtan": "tan", "dabs": "abs", "iabs": "abs", "cabs": "abs", "amod": "mod", "dmod": "mod",
    "dsign": "sign", "isign": "sign", "amax1": "max", "amin1": "min", "max0": "max",
    "min0": "min", "dmax1": "max", "dmin1": "min", "idint": "int", "ifix": "int",
    "float": "real", "sngl": "real", "dfloat": "dble", "dnint": "anint", "dint": "aint",
    "idnint": "nint", "dimag": "aimag", "dconjg": "conjg", "datan": "atan", "datan2": "atan2",
    "dtanh": "tanh", "dgamma": "gamma", "and": "iand", "or": "ior", "xor": "ieor",
    "lshift": "shiftl", "rshift": "shifta",
}
OTHERS = {"abs", "aimag", "conjg", "real", "dble", "cmplx", "logical", "max", "min", "merge",
          "atan2", "hypot", "btest", "maskl", "maskr", "bessel_jn", "bessel_yn", "scale",
          "set_exponent", "nearest", "size", "lbound", "ubound", "isnan", "ieee_is_nan",
          "ieee_is_finite", "ieee_is_negative", "ieee_copy_sign", "ieee_is_normal",
          "dot_product", "norm2", "dprod", "transfer"}
REFUSED = {
    "present": "optional arguments are not supported in kernels",
    "matmul": "write the product as a loop, or call gpuarr_matmul",
    "transpose": "exchange the subscripts in a loop",
    "reshape": "write the elements in a loop", "spread": "write the elements in a loop",
    "cshift": "write the subscript with modulo(i + shift - 1, n) + 1",
    "allocated": "arrays of the device always are", "random_number": "fill an array before",
    "associated": "there are no pointers in kernels",
}


def canonical(name):
    return ALIASES.get(name, name)


def is_intrinsic(name):
    name = canonical(name)
    return (name in OTHERS or name in REFUSED or name in INQUIRIES or name in COUNTS
            or name in MODEL or any(name in table for table in (
                FLOATS, REAL_ONLY, TO_WHOLE_REAL, TO_INTEGER, SAME_KIND, BITS, BIT_FUNCTIONS,
                FOLDS)))


def split_arguments(name, arguments):
    """Nodes by position, those with keywords put in their places."""
    nodes, names = [], KEYWORDS.get(name, ())
    for argument in arguments:
        keyword, inner = keyword_of(argument)
        if not keyword:
            nodes.append(inner)
            continue
        place = names.index(keyword) if keyword in names else len(nodes)
        nodes += [None] * (place + 1 - len(nodes))
        nodes[place] = inner
    return nodes


def call_intrinsic(expressions, node, written, arguments):
    """A call of one of Fortran's own functions."""
    name = canonical(written)
    if name in REFUSED:
        expressions.refuse(node, f"{written}(): {REFUSED[name]}")
    nodes = split_arguments(name, arguments)
    caller = Intrinsics(expressions, node, written)
    if name in INQUIRIES:
        return caller.inquiry(name, nodes)
    if name in ("size", "lbound", "ubound"):
        return caller.bounds(name, nodes)
    if name in FOLDS or name in ("dot_product", "norm2"):
        return expressions.frame.fold(expressions, node, name, nodes)
    kind = caller.kind_of(name, nodes)
    values = [caller.argument(name, nodes, n, kind) for n in nodes if n is not None]
    caller.check_count(name, values)
    return elementwise(values, lambda v: caller.of(name, v, kind))


COUNT_OF_ARGUMENTS = {
    **dict.fromkeys(FLOATS, 1), **dict.fromkeys(REAL_ONLY, 1), **dict.fromkeys(SAME_KIND, 2),
    **dict.fromkeys(BITS, 2), **dict.fromkeys(COUNTS, 1), **dict.fromkeys(MODEL, 1),
    "abs": 1, "aimag": 1, "conjg": 1, "dble": 1, "merge": 3, "atan2": 2, "hypot": 2, "btest": 2,
    "scale": 2, "set_exponent": 2, "nearest": 2, "ieee_copy_sign": 2, "dprod": 2,
    "bessel_jn": 2, "bessel_yn": 2, "isnan": 1, "ieee_is_nan": 1, "ieee_is_finite": 1,
}


class Intrinsics:
    """One call: `of` makes the text from scalar arguments."""

    def __init__(self, expressions, node, written):
        self.expressions = expressions
        self.node = node
        self.written = written

    def refuse(self, message):
        return self.expressions.refuse(self.node, message)

    def check_count(self, name, values):
        wanted = COUNT_OF_ARGUMENTS.get(name)
        if wanted is not None and len(values) != wanted and not (name == "atan" and
                                                                 len(values) == 2):
            self.refuse(f"{self.written}() takes {wanted} arguments; {len(values)} are given")

    def argument(self, name, nodes, node, kind):
        """The value of an argument; z'ff' is an integer of the kind of what it goes with."""
        base = BITS_OF_LITERALS.get(type(node).__name__)
        if base is None or not (name == "int" or name in BITS):
            return self.expressions.operand(node, False)
        others = [self.expressions.operand(n, False).type for n in nodes
                  if type(n).__name__ not in BITS_OF_LITERALS]
        type_ = Type("integer", kind or (others[0].kind if others else 4))
        bits, number = 8 * type_.kind, int(str(node)[2:-1], base)
        if number >= 2 ** bits:
            self.refuse(f"{node} has more bits than an {type_}")
        number -= 2 ** bits if number >= 2 ** (bits - 1) else 0
        return whole_number(number, type_)

    def kind_of(self, name, nodes):
        """The value of the argument `kind`, which is taken out."""
        place = {"cmplx": 2, "real": 1, "int": 1, "nint": 1, "floor": 1, "ceiling": 1, "aint": 1,
                 "anint": 1, "logical": 1}.get(name)
        if place is None or len(nodes) <= place or nodes[place] is None:
            return None
        return self.expressions.constants.kind(nodes.pop(place), self.expressions.frame.scope)

    def of(self, name, v, kind):
        """The call with scalars v."""
        if name == "atan" and len(v) == 2:
            name = "atan2"
        for table, method in ((FLOATS, self.floats), (REAL_ONLY, self.real_only),
                              (TO_WHOLE_REAL, self.to_whole_real), (TO_INTEGER, self.to_integer),
                              (SAME_KIND, self.same_kind), (BITS, self.bits),
                              (BIT_FUNCTIONS, self.bit_function)):
            if name in table:
                return method(name, v, kind)
        if name in COUNTS:
            self.want(v[0], "integer")
            return call(f"gpuarr_fortran::{name}", v[0], type_=INTEGER)
        if name in MODEL:
            self.want(v[0], "real")
            type_ = INTEGER if name == "exponent" else v[0].type
            return call(f"gpuarr_fortran::{name}", v[0], type_=type_)
        return getattr(self, "of_" + name)(v, kind)

    def want(self, value, *bases):
        if value.type.base not in bases:
            self.refuse(f"{self.written}() of {value.type}; it takes {' or '.join(bases)}")

    def floats(self, name, v, _):
        self.want(v[0], "real", "complex")
        return call(FLOATS[name], v[0], type_=v[0].type)

    def real_only(self, name, v, _):
        self.want(v[0], "real")
        return call(REAL_ONLY[name], v[0], type_=v[0].type)

    def to_whole_real(self, name, v, kind):
        self.want(v[0], "real")
        result = call(TO_WHOLE_REAL[name], v[0], type_=v[0].type)
        return cast(result, Type("real", kind)) if kind else result

    def to_integer(self, name, v, kind):
        self.want(v[0], "integer", "real", "complex")
        type_ = Type("integer", kind or 4)
        if name == "int":
            return cast(v[0], type_)
        return Value(f"{TO_INTEGER[name]}<{type_.c_name}>({v[0].text})", type_)

    def same_kind(self, name, v, _):
        for value in v:
            self.want(value, "integer", "real")
        type_ = promoted(v[0].type, v[1].type) if name != "sign" else v[0].type
        return call(SAME_KIND[name], cast(v[0], type_), cast(v[1], type_), type_=type_)

    def bits(self, name, v, _):
        for value in v:
            self.want(value, "integer")
        type_ = promoted(v[0].type, v[1].type)
        text = f"{v[0].within(PRIMARY)} {BITS[name]} {v[1].within(PRIMARY)}"
        return Value(f"({text})", type_) if type_.kind >= 4 else \
            Value(f"({type_.c_name})({text})", type_, UNARY)

    def bit_function(self, name, v, _):
        for value in v:
            self.want(value, "integer")
        return call(f"gpuarr_fortran::{'bit_not' if name == 'not' else name}", *v,
                    type_=v[0].type)

    def of_btest(self, v, _):
        return call("gpuarr_fortran::btest", *v, type_=LOGICAL)

    def of_maskl(self, v, kind):
        return Value(f"gpuarr_fortran::maskl<int>({v[0].text})", INTEGER)

    def of_maskr(self, v, kind):
        return Value(f"gpuarr_fortran::maskr<int>({v[0].text})", INTEGER)

    def of_abs(self, v, _):
        self.want(v[0], "integer", "real", "complex")
        if v[0].type.base == "real":
            return call("fabs", v[0], type_=v[0].type)
        type_ = Type("real", v[0].type.kind) if v[0].type.base == "complex" else v[0].type
        name = "gpuarr_fortran::abs" if v[0].type.base == "integer" else "abs"
        return call(name, v[0], type_=type_)

    def of_aimag(self, v, _):
        self.want(v[0], "complex")
        return call("imag", v[0], type_=Type("real", v[0].type.kind))

    def of_conjg(self, v, _):
        self.want(v[0], "complex")
        return call("conj", v[0], type_=v[0].type)

    def of_real(self, v, kind):
        if self.written in ("float", "sngl"):
            kind = 4
        self.want(v[0], "integer", "real", "complex")
        if kind is None:
            kind = v[0].type.kind if v[0].type.base == "complex" else 4
        return cast(v[0], Type("real", kind))

    def of_dble(self, v, _):
        return cast(v[0], Type("real", 8))

    def of_cmplx(self, v, kind):
        type_ = Type("complex", kind or 4)
        part = Type("real", type_.kind)
        if v[0].type.base == "complex":
            return Value(f"{type_.c_name}({v[0].text})", type_)
        parts = [cast(value, part) for value in v] + ([Value("0", part)] if len(v) == 1 else [])
        return Value(f"{type_.c_name}({parts[0].text}, {parts[1].text})", type_)

    def of_logical(self, v, _):
        self.want(v[0], "logical")
        return v[0]

    def extremum(self, name, v):
        if len(v) < 2:
            self.refuse(f"{self.written}() takes at least two arguments")
        type_ = v[0].type
        for value in v:
            self.want(value, "integer", "real")
            type_ = promoted(type_, value.type)
        result = cast(v[0], type_)
        for value in v[1:]:
            result = call(f"gpuarr_fortran::{name}", result, cast(value, type_), type_=type_)
        return result

    def of_max(self, v, _):
        return self.extremum("max", v)

    def of_min(self, v, _):
        return self.extremum("min", v)

    def of_merge(self, v, _):
        self.want(v[2], "logical")
        if not v[0].type.is_same(v[1].type):
            self.refuse(f"merge() of {v[0].type} and {v[1].type}; both must be of one type")
        return Value(f"({v[2].within(40)} ? {v[0].within(40)} : {v[1].within(40)})", v[0].type,
                     PRIMARY)

    def two_reals(self, name, v):
        for value in v:
            self.want(value, "real")
        type_ = promoted(v[0].type, v[1].type)
        return call(name, cast(v[0], type_), cast(v[1], type_), type_=type_)

    def of_atan2(self, v, _):
        return self.two_reals("atan2", v)

    def of_hypot(self, v, _):
        return self.two_reals("hypot", v)

    def of_ieee_copy_sign(self, v, _):
        return call("gpuarr_fortran::sign", v[0], cast(v[1], v[0].type), type_=v[0].type)

    def of_dprod(self, v, _):
        double = Type("real", 8)
        return Value(f"{cast(v[0], double).text} * {cast(v[1], double).text}", double, 70)

    def of_bessel_jn(self, v, _):
        return call("jn", *v, type_=v[1].type)

    def of_bessel_yn(self, v, _):
        return call("yn", *v, type_=v[1].type)

    def of_scale(self, v, _):
        return call("gpuarr_fortran::scale", *v, type_=v[0].type)

    def of_set_exponent(self, v, _):
        return call("gpuarr_fortran::set_exponent", *v, type_=v[0].type)

    def of_nearest(self, v, _):
        return call("gpuarr_fortran::nearest", *v, type_=v[0].type)

    def of_isnan(self, v, _):
        self.want(v[0], "real")
        return call("gpuarr_fortran::is_nan", v[0], type_=LOGICAL)

    of_ieee_is_nan = of_isnan

    def of_ieee_is_finite(self, v, _):
        return call("gpuarr_fortran::is_finite", v[0], type_=LOGICAL)

    def of_ieee_is_negative(self, v, _):
        return call("gpuarr_fortran::is_negative", v[0], type_=LOGICAL)

    def of_ieee_is_normal(self, v, _):
        return call("gpuarr_fortran::is_normal", v[0], type_=LOGICAL)

    def of_transfer(self, v, _):
        if len(v) != 2 or v[0].type.kind != v[1].type.kind:
            self.refuse("transfer() is supported between numbers of one size")
        type_ = v[1].type
        return Value(f"gpuarr_fortran::transfer<{type_.c_name}>({v[0].text})", type_)

    def inquiry(self, name, nodes):
        """What is known of a type: huge(x), epsilon(1.0_wp)."""
        type_ = self.expressions.operand(nodes[0], False).type
        try:
            if name in ("huge", "tiny", "epsilon") and type_.base == "real":
                return Value(f"gpuarr_fortran::{name}<{type_.c_name}>()", type_.element)
            if name == "huge":
                result = Type("integer", type_.kind)
                number = 2 ** (8 * type_.kind - 1) - 1
                return Value(f"{number}" + ("LL" if type_.kind == 8 else ""), result,
                             constant=number)
            if name in ("maxexponent", "minexponent"):
                most = REALS[type_.kind][3]
                number = most if name == "maxexponent" else 3 - most
            else:
                number = 2 if name == "radix" else self.expressions.constants.inquiry(name, type_)
        except KeyError:
            return self.refuse(f"{self.written}() of {type_}")
        kind = Type("integer", type_.kind if name == "bit_size" else 4)
        return Value(str(number), kind, constant=number)

    def bounds(self, name, nodes):
        """size(x), size(x, 2), lbound(x, 1), ubound(x, 1)."""
        frame = self.expressions.frame
        variable = frame.find_variable(str(nodes[0]).lower()) if nodes else None
        if variable is None or not variable.is_array:
            self.refuse(f"{self.written}() takes a whole array")
        dim, kind = None, 4
        if len(nodes) > 2 and nodes[2] is not None:
            kind = self.expressions.constants.kind(nodes[2], frame.scope)
        if len(nodes) > 1 and nodes[1] is not None:
            try:
                dim = self.expressions.constants.integer(nodes[1], frame.scope)
            except NotConstant:
                self.refuse(f"{self.written}(): dim '{nodes[1]}' must be a constant")
            if not 1 <= dim <= variable.rank:
                self.refuse(f"{self.written}(): {variable.name} has {variable.rank} dims, not "
                            f"{dim}")
        found = frame.bound(self.expressions, self.node, name, variable, dim)
        return found if kind == 4 else cast(found, Type("integer", kind))

