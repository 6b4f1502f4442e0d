"""Elemental procedures as elementwise kernels: a function is part of an expression, a subroutine is
called."""
from itertools import product

from .frame import Frame
from .launchers import check_added_arguments
from .refusal import Refused
from .types import C_NAMES_OF_DTYPES as C_NAMES
from .unit import Unit

MOST_MIXED = 4  # arguments of which each may be a scalar or an array; of more the last ones may


def is_map(procedure):
    """Whether a procedure is one for elementwise kernels: pure, of scalars only, with arguments and
    results that arrays can consist of. What gives a struct, or takes nothing else, is for others to
    call."""
    if not procedure.is_pure:
        return False
    arguments = [procedure.variables.get(d) for d in procedure.dummies]
    if not arguments or any(a is None or a.is_array for a in arguments):
        return False
    results = [a for a in arguments if a.intent in ("out", "inout")]
    if procedure.kind == "function":
        results.append(procedure.result_variable)
    return bool(results) and not any(
        r is None or r.is_array or is_struct(r) for r in results) and not all(
        is_struct(a) for a in arguments)


def is_struct(variable):
    return variable.type is not None and variable.type.base == "derived"


class Map:
    """The kernel of one elemental procedure, and the procedures that call it."""

    def __init__(self, procedure, files):
        self.procedure = procedure
        self.unit = Unit(files)
        frame = Frame(self.unit, procedure)
        self.inputs, self.outputs = [], []  # (type and name in the text, value in Fortran)
        self.before = []  # statements before the call
        self.actual = []
        self.variables = []  # inputs that may be arrays or scalars
        check_added_arguments(procedure)
        for dummy in procedure.arguments:
            frame.check_usable(None, dummy)
            self.add_argument(dummy)
        called = self.unit.use_function(procedure, None, frame)
        call = f"{called}({', '.join(self.actual)});"
        if procedure.kind == "function":
            result = procedure.result_variable
            frame.check_usable(None, result)
            call = f"{result.name}Out = {call}"
            self.outputs.append(f"{result.type.dtype} {result.name}Out")
        self.body = " ".join(self.before + [call])

    @property
    def name(self):
        return self.procedure.name

    def add_argument(self, dummy):
        if dummy.type.base == "derived":
            self.add_struct(dummy)
            return
        if dummy.intent == "in" or "value" in dummy.attributes:
            self.inputs.append((f"{dummy.type.dtype} {dummy.name}In", dummy.name))
            self.actual.append(f"{dummy.name}In")
            self.variables.append(dummy)
            return
        suffix = "Out" if dummy.intent == "out" else "InOut"
        self.outputs.append(f"{dummy.type.dtype} {dummy.name}{suffix}")
        if dummy.intent == "inout":
            self.inputs.append((f"{dummy.type.dtype} {dummy.name}{suffix}", dummy.name))
        self.actual.append(f"{dummy.name}{suffix}")

    def add_struct(self, dummy):
        """A struct comes as its components, which are scalars."""
        if dummy.intent != "in" and "value" not in dummy.attributes:
            raise Refused(dummy.line, f"'{dummy.name}' is {dummy.type} and intent({dummy.intent}); "
                          "arrays on the device have numbers and logicals: mark it !$gpuarr host")
        text = self.struct_text(dummy.type.derived, f"{dummy.name}_", f"{dummy.name}%")
        self.before.append(f"const {dummy.type.c_name} {dummy.name}In = {text};")
        self.actual.append(f"{dummy.name}In")

    def struct_text(self, derived, prefix, path):
        """Braces around the components, each of which becomes an input."""
        texts = []
        for component in derived.components:
            if component.type.base == "derived":
                texts.append(self.struct_text(component.type.derived, f"{prefix}{component.name}_",
                                              f"{path}{component.name}%"))
            else:
                name = f"{prefix}{component.name}In"
                self.inputs.append((f"{component.type.dtype} {name}", path + component.name))
                texts.append(name)
        return f"{{{', '.join(texts)}}}"

    # The generated Fortran.

    def texts(self):
        """Names and values of the named constants that have the texts."""
        inputs = ", ".join(text for text, _ in self.inputs)
        return {"inputs": inputs, "outputs": ", ".join(self.outputs), "body": self.body,
                "preamble": self.unit.preamble()}

    def element_text(self):
        """What an elementwise kernel does with an element, as a function."""
        parameters = {}
        for mark, texts in (("", [text for text, _ in self.inputs]), ("&", self.outputs)):
            for text in texts:
                dtype, name = text.split()
                parameters[name] = f"{C_NAMES[dtype]}{mark} {name}"
        return (f"__device__ inline void {self.name}_of_element({', '.join(parameters.values())}) "
                f"{{ {self.body} }}\n")

    def patterns(self):
        """Which arguments are arrays, for each of the procedures: True for an array."""
        count = len(self.variables)
        if count <= MOST_MIXED:
            found = [p for p in product((True, False), repeat=count)]
        else:
            found = [(True,) * k + (False,) * (count - k) for k in range(count, 0, -1)]
        if self.procedure.kind == "function":
            found = [p for p in found if any(p)]
        return found

    def specifics(self):
        return [f"{self.name}_of_{''.join('a' if p else 's' for p in pattern)}"
                if len(pattern) else f"{self.name}_on_device" for pattern in self.patterns()]

    def procedure_lines(self):
        lines = []
        for name, pattern in zip(self.specifics(), self.patterns()):
            lines += self.one(name, pattern) + [""]
        return lines

    def one(self, name, pattern):
        is_array = {v.name: p for v, p in zip(self.variables, pattern)}
        is_function = self.procedure.kind == "function"
        dummies = list(self.procedure.dummies)
        tail = [] if is_function else ["stream", "stat", "errmsg"]
        result = f" result({self.procedure.result})" if is_function else ""
        kind = "function" if is_function else "subroutine"
        lines = [f"  {kind} {name}({', '.join(dummies + tail)}){result}"]
        for dummy in self.procedure.arguments:
            lines.append("    " + self.dummy_declaration(dummy, is_array))
        if is_function:
            lines.append(f"    type(gpuarr_result) :: {self.procedure.result}")
        else:
            lines += ["    type(gpuarr_stream), intent(in), optional :: stream",
                      "    integer, intent(out), optional :: stat",
                      "    character(:), allocatable, intent(inout), optional :: errmsg"]
        lines += ["    type(gpuarr_map_call) :: gpuarr_job", "    type(c_ptr) :: gpuarr_kernel",
                  f"    call {self.name}_map%of(gpuarr_kernel, {self.name}_inputs, "
                  f'{self.name}_outputs, {self.name}_body, {self.name}_preamble, '
                  f'"{self.name}", gpuarr_job%state)']
        lines += self.function_call() if is_function else self.subroutine_call()
        return lines + [f"  end {kind}"]

    def dummy_declaration(self, dummy, is_array):
        if dummy.name in is_array:
            if is_array[dummy.name]:
                return f"class(gpuarr_operand), intent(in) :: {dummy.name}"
            return f"{dummy.type.fortran()}, intent(in) :: {dummy.name}"
        if dummy.type.base == "derived":
            return f"{dummy.type.fortran()}, intent(in) :: {dummy.name}"
        return f"type(gpuarr_array), intent(inout) :: {dummy.name}"

    def function_call(self):
        lines = [f"    call gpuarr_job%operand({value})" for _, value in self.inputs]
        return lines + [f"    call gpuarr_job%build({self.procedure.result}, gpuarr_kernel)"]

    def subroutine_call(self):
        outputs = [d.name for d in self.procedure.arguments if d.intent in ("out", "inout")
                   and d.type.base != "derived"]
        lines = [f"    call gpuarr_job%input({value})" for _, value in self.inputs]
        lines += [f"    call gpuarr_job%output({name})" for name in outputs]
        lines += ["    call gpuarr_job%run(gpuarr_kernel, stream)"]
        lines += [f"    call gpuarr_job%keep_output({k}, {name})"
                  for k, name in enumerate(outputs, 1)]
        return lines + ["    if (present(errmsg)) call gpuarr_tell(gpuarr_job%state, errmsg)",
                        "    call gpuarr_finish(gpuarr_job%state, stat)"]
