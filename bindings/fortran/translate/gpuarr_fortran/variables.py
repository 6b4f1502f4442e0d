"""Declares variables and named constants of a function in its text."""
import re

from .arguments import keyword_of
from .constants import NotConstant
from .declarations import Declarations
from .expressions import default_value
from .refusal import Refused
from .tree import class_is, root_name
from .values import cast


# Numbers, of which constants of C++ are made, with casts and operators.
NUMBERS = re.compile(r"([-+*/() ]|[\d.]+(e[-+]?\d+)?(f|LL)?|true|false|"
                     r"\((float|double|int|long long|short|signed char)\))+")


def declaration(frame, variable):
    """A local variable: a scalar, or an array of fixed size."""
    frame.check_usable(None, variable)
    if not variable.is_array:
        first = default_text(frame, variable.type.derived)
        return f"{variable.type.element.c_name} {variable.c_name}{first};"
    return f"{array_type(frame, variable)} {variable.c_name};"


def default_text(frame, derived):
    """{1.0, {}}: the values that a type gives to the components of new variables; "" of none."""
    if derived is None:
        return ""
    texts = []
    for component in derived.components:
        text = default_text(frame, component.type.derived)
        if component.init is not None:
            text = default_value(frame, derived, component).text
        texts.append(text or "{}")
    return "{" + ", ".join(texts) + "}" if any(text != "{}" for text in texts) else ""


def array_type(frame, variable, count=None):
    """gpuarr_fortran::local<double, 0, 3>: of the element, and of each dim the lower bound and
    extent. A constant with (*) has as many elements as its value, `count`."""
    declarations = Declarations(frame.files)
    numbers = []
    for bounds in variable.dims:
        try:
            if count is not None and bounds[1] is None and variable.rank == 1:
                lower = bounds[0] and declarations.constants.integer(bounds[0], variable.owner)
                numbers += [1 if lower is None else lower, count]
                continue
            numbers += declarations.extent(variable.owner, bounds)
        except NotConstant:
            raise Refused(variable.line, f"'{variable.name}' is an array whose size is not "
                          "constant; a thread's own arrays have fixed sizes") from None
    element = variable.type.element.c_name
    return f"gpuarr_fortran::local<{element}, {', '.join(map(str, numbers))}>"


def declared_extents(frame, node):
    """The extents that an array, or the dims of a section, are declared with; None where they are
    not constant."""
    variable = frame.find_variable(root_name(node))
    subscripts = node.items[1].items if class_is(node, "Part_Ref") else [None] * variable.rank
    try:
        return [Declarations(frame.files).extent(variable.owner, bounds)[1]
                for bounds, subscript in zip(variable.dims, subscripts)
                if subscript is None or class_is(subscript, "Subscript_Triplet")]
    except NotConstant:
        return None


def declare_block_variables(frame, text, expressions):
    """What a block declares, where it begins."""
    for variable in frame.scope.variables.values():
        if not variable.is_constant:
            check_local(variable)
            text.statement(variable.line, declaration(frame, variable))


def check_local(variable):
    shared = variable.attributes & {"common", "equivalence"}
    if shared:
        raise Refused(variable.line, f"'{variable.name}' shares its memory ({shared.pop()}), which "
                      "is not supported where kernels are; pass it as an argument")
    if "save" in variable.attributes or variable.init is not None or variable.owner.saves_all:
        raise Refused(variable.line, f"'{variable.name}' keeps its value from call to call "
                      "(save); pass it as an argument, or make it a parameter")


def constant_texts(frame, expressions):
    """Declarations of the named constants that the text uses, those first that others are made
    of."""
    lines, done = [], set()
    pending = list(frame.named_constants)
    while pending:
        variable = pending.pop(0)
        if variable in done:
            continue
        done.add(variable)
        text, needed = constant_text(frame, expressions, variable)
        inner = [v for v in needed if v not in done]
        if inner:
            done.discard(variable)
            pending = inner + [variable] + pending
            continue
        lines.append((variable.line, text))
    return lines


def constant_text(frame, expressions, variable):
    """A named constant, and the constants that it is made of."""
    before, frame.named_constants = frame.named_constants, {}
    scope, frame.scope = frame.scope, variable.owner
    try:
        text = constant_declaration(frame, expressions, variable)
        needed = list(frame.named_constants)
    finally:
        frame.scope, frame.named_constants = scope, before
    return text, needed


def constant_elements(frame, expressions, variable):
    """The elements of a named constant: of a list, of reshape of one, or all of one value."""
    node, count = variable.init, 1
    for bounds in variable.dims:
        try:
            count *= Declarations(frame.files).extent(variable.owner, bounds)[1]
        except NotConstant:  # (*)
            count = 0
    if type(node).__name__ == "Intrinsic_Function_Reference" and \
            str(node.items[0]).lower() == "reshape" and len(node.items[1].items) == 2:
        node = keyword_of(node.items[1].items[0])[1]
    value = expressions.translate(node)
    if value.at is None and count:
        return [value] * count
    found = value.extents[0] if value.at is not None else ""
    if not found.isdigit() or value.type.rank != 1 or (count and int(found) != count):
        raise Refused(variable.line, f"the value of '{variable.name}' must be a list, [1.0, 2.0], "
                      "or reshape of one, with as many elements as it is declared with")
    return [value.at([str(k)]) for k in range(int(found))]


def constant_declaration(frame, expressions, variable):
    if variable.init is None:
        raise Refused(variable.line, f"the value of '{variable.name}' is not known")
    if variable.is_array:
        elements = constant_elements(frame, expressions, variable)
        texts = [cast(element, variable.type.element).text for element in elements]
        # Of functions and other constants C++ makes no constexpr.
        word = "constexpr" if all(map(NUMBERS.fullmatch, texts)) else "const"
        return (f"{word} {array_type(frame, variable, len(texts))} "
                f"{frame.constant_name(variable)} = {{{{{', '.join(texts)}}}}};")
    value = cast(expressions.scalar(variable.init), variable.type)
    return f"const {variable.type.c_name} {frame.constant_name(variable)} = {value.text};"
