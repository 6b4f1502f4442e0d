"""Evaluates constant expressions: kinds, extents, values of named constants."""
from fparser.two import Fortran2003 as f

from .arguments import keyword_of
from .refusal import Refused, line_of
from .types import Type

INTEGER_DIGITS = {1: 2, 2: 4, 4: 9, 8: 18, 16: 38}
REALS = {4: (6, 37, 24, 128), 8: (15, 307, 53, 1024), 16: (33, 4931, 113, 16384)}


class NotConstant(Exception):
    """An expression that is not known when it is translated."""


class Constants:
    """Evaluates nodes within a scope."""

    def __init__(self, files):
        self.files = files

    def integer(self, node, scope):
        """The value of a constant integer; raises NotConstant."""
        value = self.value(node, scope)
        if isinstance(value, bool) or not isinstance(value, int):
            raise NotConstant(str(node))
        return value

    def integer_or_none(self, node, scope):
        try:
            return self.integer(node, scope)
        except NotConstant:
            return None

    def kind(self, node, scope):
        """The value of a kind, refused where it is not known."""
        try:
            return self.integer(node, scope)
        except NotConstant:
            missing = scope.unknown_modules(self.files)
            hint = f"; give the file that has module {' or '.join(missing)} too" if missing else ""
            raise Refused(line_of(node), f"kind '{node}' is not known{hint}") from None

    def value(self, node, scope):
        if isinstance(node, f.Int_Literal_Constant):
            return int(node.items[0])
        if isinstance(node, f.Real_Literal_Constant):
            return float(node.items[0].lower().replace("d", "e"))
        if isinstance(node, f.Logical_Literal_Constant):
            return "true" in node.items[0].lower()
        if isinstance(node, f.Parenthesis):
            return self.value(node.items[1], scope)
        if isinstance(node, f.Name):
            return self.named(node.string.lower(), scope)
        if isinstance(node, (f.Level_2_Unary_Expr, f.And_Operand)):
            return self.unary(node, scope)
        if isinstance(node, (f.Structure_Constructor, f.Part_Ref, f.Intrinsic_Function_Reference)):
            return self.called(node, scope)
        if hasattr(node, "items") and len(node.items) == 3 and isinstance(node.items[1], str):
            return self.binary(node, scope)
        raise NotConstant(str(node))

    def named(self, name, scope):
        variable = scope.find("variables", name, self.files)
        if variable is None or not variable.is_constant or variable.is_array:
            raise NotConstant(name)
        if variable.value is None:
            if variable.init is None:
                raise NotConstant(name)
            value = self.value(variable.init, variable.owner)
            if variable.type is not None and variable.type.base == "integer":
                value = int(value)
            elif variable.type is not None and variable.type.base == "real":
                value = float(value)
            variable.value = value
        return variable.value

    def unary(self, node, scope):
        sign, operand = node.items
        value = self.value(operand, scope)
        sign = str(sign).lower()
        if sign == ".not.":
            return not value
        return -value if sign == "-" else value

    def binary(self, node, scope):
        left, right = self.value(node.items[0], scope), self.value(node.items[2], scope)
        operator = node.items[1].lower()
        try:
            return apply_operator(operator, left, right)
        except (KeyError, ZeroDivisionError, OverflowError, TypeError):
            raise NotConstant(str(node)) from None

    def called(self, node, scope):
        name = str(node.items[0]).lower()
        given = node.items[1].items if node.items[1] is not None else []
        if name in ("kind", "huge", "tiny", "epsilon", "bit_size", "digits", "precision", "range",
                    "storage_size"):
            return self.inquiry(name, self.type_of(given[0], scope))
        if name == "size" and len(given) == 1:
            return self.size(str(given[0]).lower(), scope)
        positional, named = [], {}
        for argument in given:
            keyword, inner = keyword_of(argument)
            if keyword:
                named[keyword] = self.value(inner, scope)
            else:
                positional.append(self.value(inner, scope))
        return call_function(name, positional, named, node)

    def size(self, name, scope):
        """How many elements an array of constant extents has."""
        variable = scope.find("variables", name, self.files)
        if variable is None or not variable.is_array:
            raise NotConstant(name)
        count = 1
        for lower, upper in variable.dims:
            if upper is None and variable.is_constant and variable.rank == 1:
                return listed(variable)
            if upper is None:
                raise NotConstant(name)
            first = 1 if lower is None else self.integer(lower, variable.owner)
            count *= max(0, self.integer(upper, variable.owner) - first + 1)
        return count

    def type_of(self, node, scope):
        """The type of a simple expression: of what inquiries are made of."""
        if isinstance(node, f.Int_Literal_Constant):
            return Type("integer", self.integer_of_suffix(node.items[1], scope, 4))
        if isinstance(node, f.Real_Literal_Constant):
            default = 8 if "d" in node.items[0].lower() else 4
            return Type("real", self.integer_of_suffix(node.items[1], scope, default))
        if isinstance(node, f.Logical_Literal_Constant):
            return Type("logical", 4)
        if isinstance(node, f.Name):
            variable = scope.find("variables", node.string.lower(), self.files)
            if variable is not None and variable.type is not None:
                return variable.type
        raise NotConstant(str(node))

    def integer_of_suffix(self, suffix, scope, default):
        """The kind behind a literal's underscore: a number or a name."""
        if suffix is None:
            return default
        if str(suffix).isdigit():
            return int(str(suffix))
        value = self.named(str(suffix).lower(), scope)
        if not isinstance(value, int):
            raise NotConstant(str(suffix))
        return value

    @staticmethod
    def inquiry(name, type_):
        bits = 8 * type_.kind
        if name == "kind":
            return type_.logical_kind if type_.base == "logical" else type_.kind
        if name in ("bit_size", "storage_size"):
            return 2 * bits if type_.base == "complex" else bits
        if type_.base == "integer":
            return {"huge": 2 ** (bits - 1) - 1, "digits": bits - 1,
                    "range": INTEGER_DIGITS[type_.kind]}[name]
        precision, range_, digits, most = REALS[type_.kind]
        return {"huge": (2.0 - 2.0 ** (1 - digits)) * 2.0 ** (most - 1) if most < 2000 else None,
                "tiny": 2.0 ** (2 - most) if most < 2000 else None, "epsilon": 2.0 ** (1 - digits),
                "digits": digits, "precision": precision, "range": range_}[name]


def listed(variable):
    """How many elements a list has that is the value of a constant."""
    items = getattr(getattr(variable.init, "items", [None, None])[1], "items", ())
    if not isinstance(variable.init, f.Array_Constructor) or any(
            isinstance(item, f.Ac_Implied_Do) for item in items):
        raise NotConstant(variable.name)
    return len(items)


def truncated(left, right):
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient


def apply_operator(operator, left, right):
    whole = isinstance(left, int) and isinstance(right, int)
    if operator == "/":
        return truncated(left, right) if whole else left / right
    if operator == "**":
        if whole and right < 0:
            return truncated(1, left ** -right)
        return left ** right
    return {
        "+": lambda: left + right, "-": lambda: left - right, "*": lambda: left * right,
        "==": lambda: left == right, ".eq.": lambda: left == right,
        "/=": lambda: left != right, ".ne.": lambda: left != right,
        "<": lambda: left < right, ".lt.": lambda: left < right,
        "<=": lambda: left <= right, ".le.": lambda: left <= right,
        ">": lambda: left > right, ".gt.": lambda: left > right,
        ">=": lambda: left >= right, ".ge.": lambda: left >= right,
        ".and.": lambda: left and right, ".or.": lambda: left or right,
        ".eqv.": lambda: left == right, ".neqv.": lambda: left != right,
    }[operator]()


def call_function(name, positional, named, node):
    """A function of constants that kinds and extents are made with."""
    if name == "selected_int_kind":
        wanted = (positional + list(named.values()))[0]
        return next((kind for kind, digits in INTEGER_DIGITS.items() if digits >= wanted), -1)
    if name == "selected_real_kind":
        p = positional[0] if positional else named.get("p", 0)
        r = positional[1] if len(positional) > 1 else named.get("r", 0)
        return next((kind for kind, (precision, range_, _, _) in REALS.items()
                     if precision >= p and range_ >= r), -1)
    functions = {
        "max": max, "min": min, "abs": abs, "int": lambda x, *_: int(x),
        "real": lambda x, *_: float(x), "dble": float, "mod": lambda a, p: a - truncated(a, p) * p,
        "merge": lambda a, b, mask: a if mask else b, "ishft": lambda a, n: a << n if n >= 0
        else a >> -n, "iand": lambda a, b: a & b, "ior": lambda a, b: a | b,
    }
    if name not in functions:
        raise NotConstant(str(node))
    try:
        return functions[name](*positional, *named.values())
    except (TypeError, ValueError, ZeroDivisionError):
        raise NotConstant(str(node)) from None
