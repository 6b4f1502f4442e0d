"""Declares variables and named constants of a function in its text."""
from .constants import NotConstant
from .declarations import Declarations
from .refusal import Refused
from .values import cast


def declaration(frame, variable):
    """A local variable: a scalar, or an array of fixed size."""
    frame.check_usable(None, variable)
    if not variable.is_array:
        return f"{variable.type.element.c_name} {variable.c_name};"
    return f"{array_type(frame, variable)} {variable.c_name};"


def array_type(frame, variable):
    """gpuarr_fortran::local<double, 0, 3>: of the element, and of each dim the lower bound and
    extent."""
    declarations = Declarations(frame.files)
    numbers = []
    for bounds in variable.dims:
        try:
            numbers += declarations.extent(variable.owner, bounds)
        except NotConstant:
            raise Refused(variable.line, f"'{variable.name}' is an array whose size is not "
                          "constant; a thread's own arrays have fixed sizes") from None
    element = variable.type.element.c_name
    return f"gpuarr_fortran::local<{element}, {', '.join(map(str, numbers))}>"


def declare_block_variables(frame, text, expressions):
    """What a block declares, where it begins."""
    for variable in frame.scope.variables.values():
        if not variable.is_constant:
            check_local(variable)
            text.statement(variable.line, declaration(frame, variable))


def check_local(variable):
    if "save" in variable.attributes or variable.init is not None:
        raise Refused(variable.line, f"'{variable.name}' keeps its value from call to call "
                      "(save); pass it as an argument")


def constant_texts(frame, expressions):
    """Declarations of the named constants that the text uses, those first that others are made
    of."""
    lines, done = [], set()
    pending = list(frame.named_constants.values())
    while pending:
        variable = pending.pop(0)
        if variable.name in done:
            continue
        done.add(variable.name)
        text, needed = constant_text(frame, expressions, variable)
        inner = [v for v in needed if v.name not in done]
        if inner:
            done.discard(variable.name)
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
        needed = list(frame.named_constants.values())
    finally:
        frame.scope, frame.named_constants = scope, before
    return text, needed


def constant_declaration(frame, expressions, variable):
    if variable.init is None:
        raise Refused(variable.line, f"the value of '{variable.name}' is not known")
    if variable.is_array:
        value = expressions.translate(variable.init)
        if value.at is None or not value.extents[0].isdigit():
            raise Refused(variable.line, f"the value of '{variable.name}' must be a list: "
                          "[1.0, 2.0]")
        elements = [cast(value.at([str(k)]), variable.type.element).text
                    for k in range(int(value.extents[0]))]
        return (f"constexpr {array_type(frame, variable)} {variable.c_name} = "
                f"{{{{{', '.join(elements)}}}}};")
    value = cast(expressions.scalar(variable.init), variable.type)
    return f"const {variable.type.c_name} {variable.c_name} = {value.text};"
