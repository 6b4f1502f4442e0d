"""The text of the kernel that a marked nest becomes: a thread for each point."""
from .constants import NotConstant
from .expressions import Expressions
from .frame import Frame
from .loops import Loop
from .refusal import Refused
from .statements import Statements
from .text import Text
from .tree import walk
from .types import c_name_of
from .unit import Unit
from .variables import constant_texts, declaration

COMBINED = {"+": "a + b", "*": "a * b", "max": "gpuarr_fortran::max(a, b)",
            "min": "gpuarr_fortran::min(a, b)", "iand": "a & b", "ior": "a | b", "ieor": "a ^ b",
            ".and.": "a && b", ".or.": "a || b"}
IDENTITIES = {"+": "0", "*": "1", "iand": "-1", "ior": "0", "ieor": "0", ".and.": "true",
              ".or.": "false"}


class Kernel:
    """A nest's text, and what its launch passes to it, in this order: structs, arrays, scalars,
    lower bounds, loops, partial results."""

    def __init__(self, nest, name, files):
        self.nest = nest
        self.name = name
        self.unit = Unit(files)
        self.frame = Frame(self.unit, nest.procedure)
        self.frame.sees_modules = True
        self.frame.line = nest.line
        self.expressions = Expressions(self.frame)
        self.fastest = self.order_loops()
        self.frame.indices = {loop.name: loop for loop in nest.loops}
        self.private = {v.name: v for v in nest.private_arrays()}
        body = self.translate_body()
        self.sort_arguments()
        self.own_text = self.assemble(body)

    # Which loop is the fastest.

    def order_loops(self):
        """The loops from the fastest: first the one whose variable is a first subscript most
        often, since neighbours in memory differ there; the others from the innermost."""
        counts = dict.fromkeys(self.nest.names, 0)
        for part in [p for n in self.nest.body for p in walk(n)]:
            if type(part).__name__ != "Part_Ref" or part.items[1] is None:
                continue
            first = str(part.items[1].items[0]).lower().replace(" ", "")
            for name in counts:
                if first == name or first.startswith((name + "+", name + "-")):
                    counts[name] += 1
        loops = list(reversed(self.nest.loops))
        return sorted(loops, key=lambda loop: -counts[loop.name])[:1] + [
            loop for loop in loops
            if loop is not sorted(loops, key=lambda x: -counts[x.name])[0]]

    # The body.

    def translate_body(self):
        body = Text(self.nest.procedure.file.name)
        body.depth = 2 if self.nest.reductions else 1
        statements = Statements(self.frame, body)
        for loop in self.nest.loops:
            statements.loops.append(Loop(loop.label, is_nest=True))
        if self.nest.mask is not None:
            condition = statements.condition(self.nest.mask)
            body.statement(self.nest.line, f"if (!({condition})) return;")
        statements.translate(self.nest.body)
        return body

    def sort_arguments(self):
        """What the text uses, as arguments of its kinds."""
        own = set(self.nest.names) | set(self.nest.assigned) | set(self.private)
        used = [v for n, v in sorted(self.frame.used.items()) if n not in own]
        self.structs = [v for v in used if v.type.base == "derived" and not v.is_array]
        self.arrays = [v for v in used if v.is_array]
        self.scalars = [v for v in used if not v.is_array and v.type.base != "derived"]
        for array in self.arrays:
            if array.type.base == "derived":
                raise Refused(array.line, f"'{array.name}' is an array of {array.type.element}; "
                              "arrays on the device have numbers and logicals: pass an array for "
                              "each component")

    def lower_bound(self, array, dim):
        """A constant lower bound; None for one that the launch passes."""
        lower = array.dims[dim][0]
        if lower is None:
            return 1
        try:
            return self.frame.constants.integer(lower, array.owner)
        except NotConstant:
            return None

    def passed_bounds(self):
        """(array, dim) of the lower bounds that the launch passes."""
        return [(a, d) for a in self.arrays for d in range(a.rank)
                if self.lower_bound(a, d) is None]

    def constant_of(self, node):
        return self.frame.constants.integer_or_none(node, self.nest.procedure)

    def constant_step(self, loop):
        """The step of a loop where it is known; None for one that the launch passes."""
        return 1 if loop.step is None else self.constant_of(loop.step)

    # The text.

    def parameters(self):
        texts = [f"{v.type.c_name} {v.c_name}" for v in self.structs]
        texts += [f"gpuarr_view<{element_of(a)}, {a.rank}> {a.c_name}View" for a in self.arrays]
        texts += [f"{v.type.c_name} {v.c_name}" for v in self.scalars]
        texts += [f"long long {a.c_name}Lower{d + 1}" for a, d in self.passed_bounds()]
        for loop in self.fastest:
            name = loop.name
            is_cut = loop is self.fastest[0] and not self.nest.reductions
            count = "int" if is_cut else "long long"
            texts += [f"long long {name}First", f"{count} {name}Count"]
            if self.constant_step(loop) is None:
                texts.append(f"long long {name}Step")
        for name in sorted(self.nest.reductions):
            of = self.nest.assigned[name].type.c_name
            texts += [f"{of} {name}Before", f"{of}* {name}Partial"]
        return texts

    def assemble(self, body):
        nest, text = self.nest, Text(self.nest.procedure.file.name)
        text.open(nest.line, f'extern "C" __global__ void {self.name}('
                  f"{', '.join(self.parameters())}) {{")
        for array in self.arrays:
            lowers = [self.lower_bound(array, d) for d in range(array.rank)]
            bounds = ", ".join(f"{array.c_name}Lower{d + 1}" if low is None else str(low)
                               for d, low in enumerate(lowers))
            text.add(f"const gpuarr_fortran::array<{element_of(array)}, {array.rank}, UNIT_STRIDE> "
                     f'{array.c_name}({array.c_name}View, "{array.name}", {bounds});')
        own = [(v.line, declaration(self.frame, v)) for v in self.thread_variables()]
        for line, constant in constant_texts(self.frame, self.expressions):
            text.statement(line, constant)
        if nest.reductions:
            self.open_shares(text)
        else:
            self.open_plain(text)
        for line, variable in own:
            text.statement(line, variable)
        text.append(body)
        if nest.reductions:
            self.close_shares(text)
        text.close()
        return str(text)

    @property
    def text(self):
        """The whole text. Complex numbers need a header."""
        whole = self.unit.preamble() + self.own_text
        return ("#include <gpuarr.cuh>\n" if "complex" in whole else "") + whole

    def thread_variables(self):
        names = [n for n in sorted(self.nest.assigned) if n not in self.nest.reductions]
        scalars = [self.nest.assigned[n] for n in names if n in self.frame.used]
        return scalars + [self.private[n] for n in sorted(self.private)]

    def index_declarations(self):
        """i = iFirst + AtX: the variables of the loops."""
        texts = []
        for loop in self.fastest:
            step = self.constant_step(loop)
            by = {1: "", None: f" * {loop.name}Step"}.get(step, f" * {step}")
            place = self.place_of(loop)
            texts.append(f"{c_name_of(loop.name)} = {loop.name}First + {place}{by}")
        return "const long long " + ", ".join(texts) + ";"

    def place_of(self, loop):
        """Where the thread is along a loop. Those past the third share the grid's z."""
        k = self.fastest.index(loop)
        if k < 2 or len(self.fastest) <= 3:
            return f"At{'XYZ'[k]}"
        before = " * ".join(f"{x.name}Count" for x in self.fastest[2:k])
        quotient = f"AtZ / ({before})" if before else "AtZ"
        return f"({quotient})" if loop is self.fastest[-1] else \
            f"({quotient} % {loop.name}Count)"

    def count_of(self, axis):
        if axis < 2 or len(self.fastest) <= 3:
            return f"{self.fastest[axis].name}Count"
        return " * ".join(f"{x.name}Count" for x in self.fastest[2:])

    @property
    def axes(self):
        return min(3, len(self.fastest))

    def open_plain(self, text):
        text.add("const int AtX = blockIdx.x * blockDim.x + threadIdx.x;")
        for axis in range(1, self.axes):
            at, xyz = "XYZ"[axis], "xyz"[axis]
            text.add(f"const long long At{at} = (long long)blockIdx.{xyz} * blockDim.{xyz} + "
                     f"threadIdx.{xyz};")
        past = " || ".join(f"At{'XYZ'[a]} >= {self.count_of(a)}" for a in range(self.axes))
        text.add(f"if ({past}) return;")
        text.add(self.index_declarations())

    # Folds: each thread goes through a share of the points, and each block leaves what it has.

    def open_shares(self, text):
        names = sorted(self.nest.reductions)
        types = {n: self.nest.assigned[n].type for n in names}
        members = " ".join(f"{types[n].c_name} {n};" for n in names)
        neutral = ", ".join(identity(self.nest.reductions[n], types[n]) for n in names)
        text.add(f"struct Folds {{ {members} }};")
        text.add("Folds Partial[gpuarr_fortran::lanes];")
        text.add(f"for (Folds& Each : Partial) Each = {{{neutral}}};")
        of = ", ".join("{%s}" % ", ".join(f"{what}.{a}" for a in "xyz")
                       for what in ("blockIdx", "gridDim", "threadIdx", "blockDim"))
        text.add(f"const gpuarr_fortran::Grid Here = {{{of}}};")
        text.add(f"if (Here.is_first()) Partial[0] = {{{', '.join(f'{n}Before' for n in names)}}};")
        counts = [self.count_of(a) for a in range(self.axes)] + ["1", "1"]
        text.add(f"gpuarr_fortran::share(Partial, Here, {', '.join(counts[:3])},")
        text.add("    [&](long long AtX, long long AtY, long long AtZ, Folds& Own) {")
        text.depth += 1
        text.add("(void)AtX, (void)AtY, (void)AtZ;")
        text.add(self.index_declarations())
        for name in names:
            text.add(f"{types[name].c_name}& {self.nest.assigned[name].c_name} = Own.{name};")

    def close_shares(self, text):
        text.close("});")
        for name, operator in sorted(self.nest.reductions.items()):
            of = self.nest.assigned[name].type.c_name
            text.add(f"gpuarr_fortran::leave({name}Partial, Partial, &Folds::{name}, Here,")
            text.add(f"    []({of} a, {of} b) -> {of} {{ return {COMBINED[operator]}; }});")


def element_of(array):
    """What an array consists of; what is intent(in) is not written."""
    return ("const " if array.intent == "in" else "") + array.type.element.c_name


def identity(operator, type_):
    if operator in ("max", "min"):
        which = "least" if operator == "max" else "greatest"
        return f"gpuarr_fortran::{which}<{type_.c_name}>()"
    return IDENTITIES[operator]

