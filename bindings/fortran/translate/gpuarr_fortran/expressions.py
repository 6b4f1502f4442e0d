"""Translates expressions: names, literals, operators, elements, sections and calls."""
import struct

from fparser.two import Fortran2003 as f

from .arguments import keyword_of
from .constants import NotConstant
from .declarations import Declarations
from .intrinsics import call_intrinsic, is_intrinsic
from .refusal import Refused, line_of
from .tree import components_of
from .types import DOUBLE, INTEGER, LOGICAL, REAL, Type, promoted
from .values import (PRIMARY, UNARY, Value, arithmetic, call, cast, comparison, elementwise,
                     logical, whole_number)

COMPARISONS = {"==": "==", ".eq.": "==", "/=": "!=", ".ne.": "!=", "<": "<", ".lt.": "<",
               "<=": "<=", ".le.": "<=", ">": ">", ".gt.": ">", ">=": ">=", ".ge.": ">="}
CONNECTIVES = {".and.": "&&", ".or.": "||", ".eqv.": "==", ".neqv.": "!="}


class Expressions:
    """Translates within one function of the text. `frame` knows its variables."""

    def __init__(self, frame):
        self.frame = frame
        self.files = frame.files
        self.constants = frame.constants
        self.in_subscript = False
        self.kept = None  # of an array's assignment: declarations of single values
        self.target = ""  # the array that is assigned

    def keep(self, value):
        """A single value, in an assignment to an array under a name."""
        if self.kept is None:
            return value
        name = self.frame.new_counter().replace("At", "Kept")
        self.kept.append(f"const {value.type.c_name} {name} = {value.text};")
        return Value(name, value.type)

    def translate(self, node):
        method = getattr(self, "of_" + type(node).__name__.lower(), None)
        if method is not None:
            return method(node)
        items = getattr(node, "items", None)
        if items is not None and len(items) == 3 and isinstance(items[1], str):
            return self.binary(node)
        return self.refuse(node, f"'{node}' is not supported in a kernel")

    def refuse(self, node, message):
        raise Refused(line_of(node, self.frame.line), message)

    def scalar(self, node):
        value = self.translate(node)
        if value.type.rank:
            self.refuse(node, f"'{node}' is an array, where one value is wanted")
        return value

    # Literals.

    def of_int_literal_constant(self, node):
        digits, suffix = node.items
        return whole_number(int(digits), Type("integer", self.suffix_kind(node, suffix, 4)))

    def of_real_literal_constant(self, node):
        digits, suffix = node.items
        digits = digits.lower()
        kind = self.suffix_kind(node, suffix, 8 if "d" in digits else 4)
        text = digits.replace("d", "e")
        if kind not in (4, 8):
            self.refuse(node, f"'{node}' is real({kind}), which no device has; real(4) and "
                        "real(8) are there")
        if kind == 8:
            return Value(text, DOUBLE)
        # NVRTC rounds some numbers of many digits to the wrong neighbour, 16777217.0f for one.
        if sum(c.isdigit() for c in text) > 7:
            text = repr(struct.unpack("f", struct.pack("f", float(text)))[0])
        return Value(text + "f", REAL)

    of_signed_int_literal_constant = of_int_literal_constant  # parts of complex ones
    of_signed_real_literal_constant = of_real_literal_constant

    def suffix_kind(self, node, suffix, default):
        try:
            return self.constants.integer_of_suffix(suffix, self.frame.scope, default)
        except NotConstant:
            return self.refuse(node, f"kind '{suffix}' is not known")

    def of_logical_literal_constant(self, node):
        return Value("true" if "true" in node.items[0].lower() else "false", LOGICAL)

    def of_complex_literal_constant(self, node):
        parts = [self.scalar(item) for item in node.items]
        return complex_of(*parts)

    def of_char_literal_constant(self, node):
        return self.refuse(node, f"{node}: there is no text in kernels")

    def of_boz_literal_constant(self, node):
        return self.refuse(node, f"{node} stands alone; write int({node}), or its decimal number")

    of_hex_constant = of_binary_constant = of_octal_constant = of_boz_literal_constant

    # Operators.

    def of_parenthesis(self, node):
        value = self.translate(node.items[1])
        return elementwise([value], lambda v: Value(
            v[0].text, v[0].type, v[0].binds, constant=v[0].constant) if v[0].binds == PRIMARY
            else Value(f"({v[0].text})", v[0].type, PRIMARY, constant=v[0].constant))

    def binary(self, node):
        left, operator, right = node.items
        operator = operator.lower()
        if operator == "**":
            return self.power(node, left, right)
        in_subscript = operator in COMPARISONS or (
            self.in_subscript and operator in ("+", "-", "*"))
        values = [self.operand(n, in_subscript) for n in (left, right)]
        if operator in ("+", "-", "*", "/"):
            self.want(node, values, lambda t: t.is_number, "numbers")
            return elementwise(values, lambda v: arithmetic(v[0], operator, v[1]))
        if operator in COMPARISONS:
            self.want(node, values, lambda t: t.is_number, "numbers")
            return elementwise(values, lambda v: comparison(v[0], COMPARISONS[operator], v[1]))
        if operator in CONNECTIVES:
            self.want(node, values, lambda t: t.base == "logical", "logicals")
            return elementwise(values, lambda v: logical(v[0], CONNECTIVES[operator], v[1]))
        return self.refuse(node, f"operator {operator} is not supported in a kernel; call a pure "
                           "function")

    def operand(self, node, in_subscript):
        before, self.in_subscript = self.in_subscript, in_subscript
        try:
            return self.translate(node)
        finally:
            self.in_subscript = before

    def want(self, node, values, right, what):
        for value in values:
            if not right(value.type):
                hint = "; call the function that the operator stands for" \
                    if value.type.base == "derived" else ""
                self.refuse(node, f"'{node}': a value is {value.type}, where {what} are "
                            f"wanted{hint}")

    def power(self, node, left, right):
        base, exponent = self.operand(left, False), self.operand(right, False)
        self.want(node, [base, exponent], lambda t: t.is_number, "numbers")
        return elementwise([base, exponent], power)

    def of_level_2_unary_expr(self, node):
        sign, operand = node.items
        value = self.operand(operand, self.in_subscript)
        self.want(node, [value], lambda t: t.is_number, "numbers")
        if str(sign) == "+":
            return value

        def negative(v):
            type_ = v[0].type
            constant = -v[0].constant if v[0].constant is not None else None
            if type_.base == "integer" and type_.kind < 4:
                return Value(f"({type_.c_name})-{v[0].within(UNARY)}", type_, UNARY,
                             constant=constant)
            return Value(f"-{v[0].within(UNARY)}", type_, UNARY, constant=constant)

        return elementwise([value], negative)

    def of_and_operand(self, node):
        value = self.operand(node.items[1], False)
        self.want(node, [value], lambda t: t.base == "logical", "logicals")
        return elementwise([value], lambda v: Value(f"!{v[0].within(UNARY)}", LOGICAL, UNARY))

    # Names, elements, components.

    def of_name(self, node):
        return self.frame.variable_value(node, self.in_subscript)

    def of_data_ref(self, node):
        root, *parts = components_of(node)
        value = self.operand(root, False)
        for part in parts:
            value = self.component(node, value, part)
        return value

    of_proc_component_ref = of_data_ref

    def component(self, node, value, part):
        if value.type.base == "complex" and str(part).lower() in ("re", "im"):
            return Value(f"{value.within(PRIMARY)}.{str(part).lower()}",
                         Type("real", value.type.kind), names=value.names, is_place=value.is_place)
        if value.type.base != "derived" or not isinstance(part, f.Name):
            self.refuse(node, f"'{node}' is not supported in a kernel: components of types on the "
                        "device are scalars")
        component = value.type.derived.component(part.string.lower())
        if component is None:
            self.refuse(node, f"{value.type} has no component '{part}'")
        return Value(f"{value.within(PRIMARY)}.{component.c_name}", component.type,
                     names=value.names, is_place=value.is_place)

    def of_part_ref(self, node):
        name = str(node.items[0]).lower()
        variable = self.frame.find_variable(name)
        if variable is not None and variable.is_array:
            return self.frame.element(self, node, variable)
        if variable is not None:
            self.refuse(node, f"'{name}' is a scalar, not an array; in place of a statement "
                        "function write a pure one")
        return self.called(node, name, node.items[1].items if node.items[1] is not None else [])

    def of_structure_constructor(self, node):
        arguments = node.items[1].items if node.items[1] is not None else []
        return self.called(node, str(node.items[0]).lower(), arguments)

    of_function_reference = of_structure_constructor

    def of_intrinsic_function_reference(self, node):
        name = str(node.items[0]).lower()
        variable = self.frame.find_variable(name)
        if variable is not None and variable.is_array:
            return self.frame.element(self, node, variable)
        return self.called(node, name, node.items[1].items if node.items[1] is not None else [])

    def called(self, node, name, arguments):
        """A call of a function, or a structure constructor."""
        derived = self.frame.scope.find("types", name, self.files)
        if derived is not None:
            return self.constructed(node, derived, arguments)
        procedure = self.frame.find_procedure(name, node, arguments, self)
        if procedure is not None:
            return self.frame.function_call(self, node, procedure, arguments)
        if is_intrinsic(name):
            return call_intrinsic(self, node, name, arguments)
        missing = self.frame.scope.unknown_modules(self.files)
        hint = f"; give the file of module {' or '.join(missing)} too" if missing else \
            "; only pure functions of the same file and Fortran's own can be called"
        return self.refuse(node, f"function or array '{name}' is not known{hint}")

    def constructed(self, node, derived, arguments):
        type_ = Type("derived", 0, derived=derived)
        self.frame.use_type(derived, node)
        values = {}
        for place, argument in enumerate(arguments):
            name, argument = keyword_of(argument)
            if not name and place < len(derived.components):
                name = derived.components[place].name
            elif not name:
                self.refuse(node, f"{type_} has {len(derived.components)} components")
            component = derived.component(name)
            if component is None:
                self.refuse(node, f"{type_} has no component '{name}'")
            values[name] = cast(self.scalar(argument), component.type)
        for component in derived.components:
            if component.name not in values:
                if component.init is None:
                    self.refuse(node, f"'{node}' gives no value for component "
                                f"'{component.name}'")
                values[component.name] = default_value(self.frame, derived, component)
        texts = [values[component.name].text for component in derived.components]
        return Value(f"{type_.c_name}{{{', '.join(texts)}}}", type_)

    def of_array_constructor(self, node):
        values = constructor_values(self, node)
        if not values:
            self.refuse(node, f"'{node}' has no elements")
        type_ = values[0].type
        for value in values[1:]:
            type_ = promoted(type_, value.type) if type_.is_number else type_

        def at(counters):
            if counters[0].isdigit():
                return values[int(counters[0])]
            return self.refuse(node, "an array constructor can only be assigned to an array")

        return Value("", type_.of_rank(1), at=at, extents=[str(len(values))])

    def of_section_subscript_list(self, node):
        return self.refuse(node, f"'({node})' is not supported in a kernel")

    # Subscripts.

    def subscript(self, node):
        """A subscript as a text of an integer."""
        value = self.operand(node, True)
        if value.type.rank or value.type.base != "integer":
            self.refuse(node, f"subscript '{node}' is {value.type}, where one integer is wanted; "
                        "take the elements in a loop")
        return value

    def integer(self, node, what):
        value = self.scalar(node)
        if value.type.base != "integer":
            self.refuse(node, f"{what} '{node}' is {value.type}, where an integer is wanted")
        return value


def constructor_values(expressions, node):
    """The elements of [1.0, 2.0], of [real(wp) :: 1, 2] and of [(2 * k, k = 1, 3)]."""
    spec, type_ = node.items[1], None
    if type(spec).__name__ == "Ac_Spec":
        spec, named = spec.items[1], spec.items[0]
        type_ = Declarations(expressions.files).type_of(expressions.frame.scope, named)
    values = elements_of(expressions, spec) if spec is not None else []
    return [cast(value, type_) for value in values] if type_ is not None else values


def elements_of(expressions, spec):
    values = []
    for item in spec.items if type(spec).__name__.endswith("List") else [spec]:
        if type(item).__name__ == "Ac_Implied_Do":
            values += implied_values(expressions, item)
        else:
            values.append(expressions.scalar(item))
    return values


def implied_values(expressions, node):
    """(2 * k, k = 1, 3): its elements, with a number for k in each."""
    inner, (name, bounds) = node.items[0], node.items[1].items
    limits = [expressions.integer(b, "bound").constant for b in bounds] + [1]
    if None in limits or limits[2] == 0:
        expressions.refuse(node, f"'{node}' in an array constructor, with bounds that are not "
                           "constant; assign the elements in a loop")
    aliases, key = expressions.frame.aliases, str(name).lower()
    before, values = aliases.get(key), []
    for k in range(limits[0], limits[1] + (1 if limits[2] > 0 else -1), limits[2]):
        aliases[key] = Value(str(k), INTEGER, PRIMARY if k >= 0 else UNARY, constant=k)
        values += elements_of(expressions, inner)
    aliases.pop(key, None)
    if before is not None:
        aliases[key] = before
    return values


def default_value(frame, derived, component):
    """What a component begins with, in the scope of its type."""
    scope, frame.scope = frame.scope, derived.module
    try:
        return cast(Expressions(frame).scalar(component.init), component.type)
    finally:
        frame.scope = scope


def complex_of(real, imaginary, kind=None):
    """A complex number of two real ones."""
    parts = [v.type.kind for v in (real, imaginary) if v.type.base == "real"]
    type_ = Type("complex", kind or (max(parts) if parts else 4))
    return Value(f"{type_.c_name}({real.text}, {imaginary.text})", type_)


def power(v):
    """base ** exponent of scalars."""
    base, exponent = v
    type_ = promoted(base.type, exponent.type)
    if exponent.type.base == "integer":
        type_ = base.type if base.type.base != "integer" else type_
        if exponent.constant is not None and 0 <= exponent.constant <= 64:
            return Value(f"gpuarr_fortran::power<{exponent.constant}>({base.text})", type_)
        return call("gpuarr_fortran::power", cast(base, type_), exponent, type_=type_)
    return call("pow", cast(base, type_), cast(exponent, type_), type_=type_)

