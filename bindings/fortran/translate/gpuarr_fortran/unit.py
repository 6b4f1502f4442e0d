"""The text of one kernel: the types and functions that it uses, each once, before it is used."""
from .expressions import Expressions
from .frame import Frame
from .refusal import Refused, line_of
from .statements import Statements
from .text import Text
from .types import INTEGER, c_name_of
from .values import Value, arithmetic
from .variables import check_local, constant_texts, declaration, default_text


class Unit:
    """Collects what stands before a kernel."""

    def __init__(self, files):
        self.files = files
        self.types = {}  # DerivedType: its text
        self.functions = {}  # Procedure: its text
        self.active = []  # functions that are being translated

    def add_type(self, derived):
        if derived in self.types:
            return
        self.types[derived] = ""
        for component in derived.components:
            if component.type.base == "derived":
                self.add_type(component.type.derived)
        order = self.types.pop(derived)
        self.types[derived] = order or type_text(derived)

    def use_function(self, procedure, node, frame):
        """The name of a function in the text, which is translated where it is new."""
        line = line_of(node, frame.line)
        if not procedure.is_pure:
            raise Refused(line, f"'{procedure.name}' is neither pure nor elemental; declare it "
                          "pure, and it can be called in kernels")
        if procedure in self.active:
            raise Refused(line, f"'{procedure.name}' calls itself; recursion is not supported in "
                          "kernels: write it as a loop")
        if procedure not in self.functions:
            self.active.append(procedure)
            text = function_text(self, procedure)
            self.active.pop()
            self.functions[procedure] = text
        return function_name(procedure)

    def parts(self):
        """Its types and functions, each as text."""
        return list(self.types.values()) + [
            f"namespace {procedure.module.namespace} {{\n{text}}}\n"
            for procedure, text in self.functions.items()]

    def preamble(self):
        """All of it as text."""
        return "".join(self.parts())


def function_name(procedure):
    return f"{procedure.module.namespace}::{local_name(procedure)}"


def local_name(procedure):
    """Of an internal procedure with that of its host, since two may have one of one name."""
    if procedure.parent is procedure.module:
        return procedure.c_name
    return f"{procedure.parent.name}_{procedure.name}"


def type_text(derived):
    components = " ".join(f"{c.type.c_name} {c.c_name};" for c in derived.components)
    return (f"namespace {derived.module.namespace} {{\nstruct {c_name_of(derived.name)} "
            f"{{ {components} }};\n}}\n")


def function_text(unit, procedure):
    """A device function of a pure procedure."""
    frame = Frame(unit, procedure)
    if "recursive" in procedure.prefix:
        raise Refused(procedure.line, f"'{procedure.name}' is recursive, which is not supported in "
                      "kernels: write it as a loop")
    body = Text(procedure.file.name)
    body.depth = 1
    statements = Statements(frame, body)
    result = procedure.result_variable
    if procedure.kind == "function":
        if result is None or result.is_array:
            raise Refused(procedure.line, f"'{procedure.name}' must return a scalar; write a "
                          "subroutine with an argument for an array")
        statements.on_return = f"return {result.c_name};"
    else:
        statements.on_return = "return;"
    statements.translate(procedure.body)
    text = Text(procedure.file.name)
    parameters, templates = parameter_texts(frame, procedure)
    if templates:
        text.statement(procedure.line, "template <" + ", ".join(templates) + ">")
    of = result.type.element.c_name if procedure.kind == "function" else "void"
    head = f"__device__ inline {of} {local_name(procedure)}({', '.join(parameters)}) {{"
    text.open(procedure.line, head)
    declared = rebased_arrays(frame, procedure) + declarations_of(frame, procedure)
    for line, declaration_text in constant_texts(frame, Expressions(frame)) + declared:
        text.statement(line, declaration_text)
    text.append(body)
    if procedure.kind == "function":
        text.statement(procedure.last_line, statements.on_return)
    text.close()
    return str(text)


def declarations_of(frame, procedure):
    """Lines and declarations of a function's variables; what is intent(out) begins anew too."""
    found = []
    for variable in procedure.variables.values():
        if variable.is_constant or variable.type is None:
            continue
        if not variable.is_dummy:
            if variable is not procedure.result_variable:
                check_local(variable)
            found.append((variable.line, declaration(frame, variable)))
        elif variable.intent == "out" and default_text(frame, variable.type.derived):
            first = default_text(frame, variable.type.derived)
            found.append((variable.line,
                          f"{variable.c_name} = {variable.type.element.c_name}{first};"))
    return found


def parameter_texts(frame, procedure):
    """The parameters of a function, and those of its template: arrays are of any kind."""
    parameters, templates = [], []
    for dummy in procedure.arguments:
        frame.check_usable(None, dummy)
        if dummy.is_array:
            name = f"Array{len(templates) + 1}"
            templates.append(f"class {name}")
            parameters.append(f"const {name}& {dummy.c_name}Given")
        elif "value" in dummy.attributes or dummy.intent == "in":
            parameters.append(f"{dummy.type.element.c_name} {dummy.c_name}")
        elif dummy.intent in ("out", "inout"):
            parameters.append(f"{dummy.type.element.c_name}& {dummy.c_name}")
        else:
            raise Refused(dummy.line, f"argument '{dummy.name}' of {procedure.name} has no intent")
    return parameters, templates


def rebased_arrays(frame, procedure):
    """Within a function an array has the bounds of its own declaration: lines and declarations."""
    expressions = Expressions(frame)
    found = []
    for dummy in procedure.arguments:
        if not dummy.is_array:
            continue
        lowers = ["1" if lower is None else expressions.integer(lower, "bound").text
                  for lower, _ in dummy.dims]
        given = f"{dummy.c_name}Given"
        if dummy.shape == "explicit" and dummy.name in frame.spread:
            ones = ", ".join("1" for _ in lowers)
            whole = f"{dummy.c_name}Whole"
            found.append((dummy.line,
                          f"auto {whole} = gpuarr_fortran::rebased({given}, {ones});"))
            given = declared_part(expressions, dummy, whole)
        found.append((dummy.line, f"const auto {dummy.c_name} = gpuarr_fortran::rebased("
                      f"{given}, {', '.join(lowers)});"))
    return found


def declared_part(expressions, dummy, whole):
    """Of an array what a declared shape says, which may be less than what is given."""
    ranges = []
    for dim, (lower, upper) in enumerate(dummy.dims):
        last = expressions.integer(upper, "bound")
        if lower is not None:
            last = arithmetic(arithmetic(last, "-", expressions.integer(lower, "bound")), "+",
                              Value("1", INTEGER))
        ranges.append(f"gpuarr_fortran::Range{{1, gpuarr_fortran::min<long long>("
                      f"{whole}.extent({dim}), {last.text}), 1}}")
    return f"gpuarr_fortran::section({whole}, {', '.join(ranges)})"
