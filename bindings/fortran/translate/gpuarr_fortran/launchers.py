"""The procedure that launches a procedure's nests: its host statements, with launches in place of
the nests."""
from .constants import Constants
from .flow import Flow
from .frame import check_kind
from .host import HostText
from .kernels import Kernel
from .loops import LOOPS
from .nests import Nest, directive_of, nests_within
from .refusal import Refused, line_of
from .tree import class_is, names_in
from .types import DTYPE_CONSTANTS

PLAIN = ("Assignment_Stmt", "Call_Stmt", "Return_Stmt", "Cycle_Stmt", "Exit_Stmt", "Continue_Stmt",
         "If_Stmt", "Comment")
CONSTRUCTS = ("If_Construct", "Case_Construct") + LOOPS


class Launcher:
    """Translates one procedure with marked loops."""

    def __init__(self, procedure, files):
        self.procedure = procedure
        self.files = files
        self.constants = Constants(files)
        self.host = HostText(procedure, files, self.constants)
        self.kernels = []
        self.lines = []
        self.depth = 2
        self.locals = {}  # declarations by name that launches need
        self.twins = {}  # derived types that are passed by value
        self.returns = False
        self.check_arguments()
        self.check_flow()
        self.statements(procedure.body)

    @property
    def name(self):
        return f"{self.procedure.name}_on_device"

    # Checks.

    def check_arguments(self):
        arrays = 0
        check_added_arguments(self.procedure)
        for dummy in self.procedure.arguments:
            if dummy.type is None or dummy.type.base == "character":
                raise Refused(dummy.line, f"argument '{dummy.name}' of {self.procedure.name} is "
                              "text, which kernels cannot have")
            if dummy.type.base != "derived":
                check_kind(dummy.line, dummy)
            if "optional" in dummy.attributes or "pointer" in dummy.attributes:
                word = "optional" if "optional" in dummy.attributes else "a pointer"
                raise Refused(dummy.line, f"argument '{dummy.name}' of {self.procedure.name} is "
                              f"{word}, which is not supported where loops are kernels")
            arrays += dummy.is_array
        if not arrays:
            raise Refused(self.procedure.line, f"{self.procedure.name} has marked loops and no "
                          "arguments that are arrays; pass the arrays that they work with")
        result = self.procedure.result_variable
        if self.procedure.kind == "function" and (result is None or result.is_array):
            raise Refused(self.procedure.line, f"{self.procedure.name} must return a scalar; make "
                          "the array an argument of a subroutine")

    def check_flow(self):
        """Refuse what a loop leaves in a scalar, and is read behind it."""
        nests = [n for node in self.procedure.body
                 for n in nests_within(node, self.procedure.file)]
        self.nests = {id(node): Nest(node, directive, self.procedure, self.files)
                      for node, directive in nests}
        flow = HostFlow(self)
        known = flow.through(self.procedure.body, frozenset())
        for name in flow.poisoned:
            variable = self.procedure.variables.get(name)
            goes_out = variable is not None and (
                variable.intent in ("out", "inout") or name == self.procedure.result)
            if goes_out and known is not None and not flow.leaves(name) <= known:
                raise Refused(flow.poisoned[name], f"'{name}' is assigned in the loop, and goes "
                              "out of the procedure: its value would be that of no iteration in "
                              "particular; fold it (reduce), or assign it behind the loop")

    # Statements of the host.

    def add(self, text):
        self.lines.append("  " * self.depth + text)

    def statements(self, nodes):
        for node in nodes:
            self.statement(node)

    def statement(self, node):
        line = line_of(node, self.procedure.line)
        if id(node) in self.nests:
            self.launch(self.nests[id(node)])
        elif class_is(node, *CONSTRUCTS):
            self.construct(node)
        elif class_is(node, "Call_Stmt"):
            self.call(node)
        elif class_is(node, "Return_Stmt"):
            self.returns = True
            self.add("exit gpuarr_launches")
        elif class_is(node, "If_Stmt") and class_is(node.items[1], "Return_Stmt", "Call_Stmt"):
            self.add(f"if ({self.host.of(node.items[0])}) then")
            self.depth += 1
            self.statement(node.items[1])
            self.depth -= 1
            self.add("end if")
        elif class_is(node, *PLAIN):
            if not class_is(node, "Comment"):
                self.add(self.host.of(node))
        else:
            word = str(node).strip().split("\n")[0][:50]
            raise Refused(line, f"'{word}' stands outside of the marked loops of "
                          f"{self.procedure.name}; assignments to scalars, if, select case, do "
                          "and calls are supported there: move it to the caller")

    def construct(self, node):
        for part in node.content:
            if class_is(part, "Nonlabel_Do_Stmt", "If_Then_Stmt", "Select_Case_Stmt"):
                name = getattr(getattr(part, "item", None), "name", None)
                text = self.host.of(part)
                prefix = f"{name}: " if name and not text.startswith(f"{name}:") else ""
                self.add(prefix + text)
                self.depth += 1
            elif class_is(part, "Else_If_Stmt", "Else_Stmt", "Case_Stmt"):
                self.depth -= 1
                self.add(self.host.of(part))
                self.depth += 1
            elif class_is(part, "End_Do_Stmt", "End_If_Stmt", "End_Select_Stmt"):
                self.depth -= 1
                self.add(str(part))
            elif class_is(part, "Label_Do_Stmt"):
                raise Refused(line_of(part), "a loop with a label around marked loops; write do "
                              "and end do")
            else:
                self.statement(part)

    def call(self, node):
        """A call of another procedure, which takes arrays of the device where it has kernels."""
        name = str(node.items[0]).lower()
        line = line_of(node, self.procedure.line)
        procedure = self.procedure.find("procedures", name, self.files)
        if procedure is None:
            raise Refused(line, f"call {name}: '{name}' is not in the files that are translated")
        arguments = node.items[1].items if node.items[1] is not None else []
        texts, has_arrays = self.host.actual_arguments(arguments)
        if not has_arrays:
            self.host.reach(line, name, procedure.name, procedure.parent)
            self.add(f"call {name}({', '.join(texts)})")
            return
        self.host.note_call(line, procedure)
        texts += ["stream=stream", "stat=gpuarr_job%state%status",
                  "errmsg=gpuarr_job%state%message"]
        call = f"call {procedure.name}_on_device({', '.join(texts)})"
        self.add(f"if (gpuarr_job%goes_on()) {call}")

    # Launches.

    def launch(self, nest):
        name = f"{self.procedure.name[:40]}_{nest.line}"
        kernel = Kernel(nest, name, self.files)
        self.kernels.append(kernel)
        for struct in kernel.structs:
            self.pass_struct(nest, struct)
        for array in kernel.arrays:
            self.host.names.add(array.name)
            self.add(f"call gpuarr_passed%array({array.name})")
        for scalar in kernel.scalars:
            self.pass_scalar(nest, scalar)
        for array, dim in kernel.passed_bounds():
            self.add(f"call gpuarr_passed%scalar({self.long(array.dims[dim][0])})")
        for loop in kernel.fastest:
            step = "1_int64" if loop.step is None else self.long(loop.step)
            passes = ".true." if kernel.constant_step(loop) is None else ".false."
            self.add(f"call gpuarr_job%loop({self.long(loop.first)}, {self.long(loop.last)}, "
                     f"{step}, {passes})")
        self.pass_folds(nest)
        self.add(f'call gpuarr_job%run({name}, {name}_text, "{name}")')
        self.take_folds(nest)

    def long(self, node):
        text = self.host.of(node)
        return f"{text}_int64" if text.isdigit() else f"gpuarr_long({text})"

    def pass_struct(self, nest, struct):
        derived = struct.type.derived
        self.note_twin(derived)
        self.host.names.add(struct.name)
        self.host.check_accessible(nest.line, struct)
        twin = f"{struct.name}_twin"
        self.locals[twin] = f"type({derived.name}_twin), target :: {twin}"
        self.add(f"{twin} = twin_of_{derived.name}({struct.name})")
        self.add(f"call gpuarr_passed%bytes(c_loc({twin}), c_sizeof({twin}))")

    def note_twin(self, derived):
        if derived.module is not None and not derived.module.exports(derived.name):
            raise Refused(derived.line, f"type({derived.name}) is private in module "
                          f"{derived.module.name}; make it public, so that the launch can pass it")
        for component in derived.components:
            if component.type.base == "derived":
                self.note_twin(component.type.derived)
        self.twins.setdefault(derived)

    def pass_scalar(self, nest, scalar):
        self.host.check_accessible(nest.line, scalar)
        self.host.names.add(scalar.name)
        text = scalar.name
        if scalar.type.base == "logical" and scalar.type.logical_kind != 4:
            text = f"logical({text})"
        self.add(f"call gpuarr_passed%scalar({text})")

    def pass_folds(self, nest):
        for name in sorted(nest.reductions):
            variable = nest.assigned[name]
            self.host.check_accessible(nest.line, variable)
            self.host.names.add(name)
            folded = f"{name}_folded"
            self.locals[folded] = f"{folded_type(variable.type)} :: {folded}"
            self.add(f"{folded} = {name}")
            text = f"logical({folded})" if variable.type.base == "logical" else folded
            self.add(f"call gpuarr_passed%scalar({text})")
            self.add(f"call gpuarr_job%fold({DTYPE_CONSTANTS[variable.type.dtype]})")

    def take_folds(self, nest):
        for k, name in enumerate(sorted(nest.reductions), 1):
            folded = f"{name}_folded"
            operator = nest.reductions[name]
            self.add(f'call gpuarr_job%folded_into({k}, "{operator}", {folded})')
            self.add(f"{name} = {folded}")

    # Arrays that the procedure declares itself.

    def local_arrays(self):
        """Work arrays: local ones that no loop has as private."""
        private = {n for nest in self.nests.values() for n in nest.directive.private}
        return [v for v in self.procedure.variables.values()
                if v.is_array and not v.is_dummy and not v.is_constant and v.name not in private
                and v.name in self.host.names]

    def shape_of(self, variable, unknown):
        """The extents of an array as its declaration has them."""
        extents = []
        for lower, upper in variable.dims:
            if upper is None or variable.shape in ("assumed", "deferred"):
                extents.append(unknown)
                continue
            if lower is None:
                extents.append(self.long(upper))
            else:
                low = self.host.of(lower)
                less = {"0": " + 1", "1": ""}.get(low, f" - ({low}) + 1")
                extents.append(f"gpuarr_long({self.host.of(upper)}{less})")
        return "[" + ", ".join(extents) + "]"


def check_added_arguments(procedure):
    """A subroutine for the device has arguments besides."""
    for name in ("stream", "stat", "errmsg"):
        if procedure.kind == "subroutine" and name in procedure.variables:
            raise Refused(procedure.variables[name].line, f"{procedure.name} has a variable "
                          f"'{name}', as the argument that its kernel's interface has besides; "
                          "rename it")


def folded_type(type_):
    return "logical(c_bool)" if type_.base == "logical" else type_.fortran()


class HostFlow(Flow):
    """Goes through a procedure's host statements: what a nest assigns is no value afterwards."""

    def __init__(self, launcher):
        self.launcher = launcher
        self.poisoned = {}  # name: line of the nest
        names = set()
        for nest in launcher.nests.values():
            names |= set(nest.assigned) | set(nest.names)
        super().__init__(names, self.read_name, launcher.host.find)

    def read_name(self, name, node):
        if name in self.poisoned:
            raise Refused(line_of(node, self.poisoned[name]), f"'{name}' is assigned in the loop "
                          f"at line {self.poisoned[name]}, and read after it: its value would be "
                          "that of no iteration in particular; fold it, reduce(+: ...), or assign "
                          "it anew")

    def loop(self, node, known):
        nest = self.launcher.nests.get(id(node))
        if nest is None:
            if directive_of(node, self.launcher.procedure.file) is not None:
                return known
            super().loop(node, known)  # what one pass leaves, the next may read
            return super().loop(node, known)
        for loop in nest.loops:
            for bound in loop.bounds:
                self.reads(bound, known)
        for statement in nest.body:
            for name in names_in(statement) & set(self.poisoned):
                if not self.leaves(name) <= known and name not in nest.assigned and \
                        name not in nest.names:
                    self.read_name(name, statement)
        for name in (set(nest.assigned) - set(nest.reductions)) | set(nest.names):
            self.poisoned[name] = nest.line
            known = known - self.leaves(name)
        for name in nest.reductions:
            if name in self.poisoned and not self.leaves(name) <= known:
                self.read_name(name, nest.node)
        return known

