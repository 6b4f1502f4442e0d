"""What names are within one function of the text: variables, arrays, functions that are called."""
from fparser.two import Fortran2003 as f

from .arguments import keyword_of
from .constants import Constants
from .intrinsics import PLACES
from .refusal import Refused, line_of
from .scope import Block, Module
from .tree import root_name
from .types import INTEGER, Type
from .values import PLUS, PRIMARY, UNARY, Value, arithmetic, call, cast, elementwise


class Frame:
    """The names of one function: of its procedure, and of blocks within."""

    def __init__(self, unit, procedure):
        self.unit = unit  # the text as a whole, which has functions and types
        self.files = unit.files
        self.constants = Constants(unit.files)
        self.scope = procedure
        self.procedure = procedure
        self.line = procedure.line
        self.indices = {}  # loop variables of the nest: names of 64-bit counters
        self.aliases = {}  # of associate: Values
        self.named_constants = {}  # Variables that the text uses
        self.constant_names = {}  # Variable: what it is called in the text
        self.sees_modules = False  # whether variables of modules come as arguments
        self.used = {}  # variables of the procedure that the text reads or writes
        self.spread = set()  # arrays of which more is used than elements
        self.counters = 0

    # Scopes.

    def enter_block(self, line):
        self.scope = Block("", line, self.scope)
        return self.scope

    def leave_block(self):
        self.scope = self.scope.parent

    def find_variable(self, name):
        return self.scope.find("variables", name, self.files)

    def new_counter(self):
        self.counters += 1
        return f"At{self.counters}"

    # Variables.

    def variable_value(self, node, in_subscript):
        name = node.string.lower()
        if name in self.aliases:
            return self.aliases[name]
        variable = self.find_variable(name)
        if variable is None:
            missing = self.scope.unknown_modules(self.files)
            hint = (f"; give the file of module {' or '.join(missing)} too" if missing else
                    "; names without a declaration are not read")
            raise Refused(line_of(node, self.line), f"'{name}' is not declared{hint}")
        self.check_usable(node, variable)
        if variable.is_array:
            return self.whole_array(node, variable)
        if name in self.indices and variable.type.base == "integer":
            if in_subscript:
                return Value(variable.c_name, variable.type)
            return cast(Value(variable.c_name, Type("integer", 8)), variable.type)
        if variable.is_constant:
            return self.constant_value(node, variable)
        self.reach(node, variable)
        return Value(variable.c_name, variable.type, is_place=True)

    def check_usable(self, node, variable):
        line = variable.line if node is None else line_of(node, self.line)
        type_ = variable.type
        if type_ is None:
            raise Refused(line, f"'{variable.name}' has no type; names without a declaration are "
                          "not read")
        if type_.base == "character":
            raise Refused(line, f"'{variable.name}' is text, which kernels cannot have")
        if type_.base == "derived":
            self.use_type(type_.derived, node)
        elif type_.base != "logical":
            check_kind(line, variable)
        for word, why in (("pointer", "a pointer"), ("allocatable", "allocatable"),
                          ("optional", "optional"), ("common", "in a common block"),
                          ("equivalence", "equivalent to another variable")):
            if word in variable.attributes and not (
                    word == "allocatable" and variable.is_dummy):
                raise Refused(line, f"'{variable.name}' is {why}, which kernels do not know; pass "
                              "it as a plain argument")

    def use_type(self, derived, node):
        if derived.refusal:
            raise Refused(line_of(node, self.line),
                          f"type({derived.name}) {derived.refusal}")
        self.unit.add_type(derived)

    def reach(self, node, variable):
        """Note a module's variable, which is no part of the procedure."""
        if not self.is_own(variable):
            self.check_outer(node, variable)
        if not isinstance(variable.owner, Block):
            self.used[variable.name] = variable

    def check_outer(self, node, variable):
        line = line_of(node, self.line)
        if not isinstance(variable.owner, Module):
            raise Refused(line, f"'{variable.name}' is a variable of {variable.owner.name}, which "
                          "functions on the device do not see; pass it as an argument")
        if not self.sees_modules:
            raise Refused(line, f"'{variable.name}' is a variable of module {variable.owner.name}, "
                          "which functions on the device do not see; pass it as an argument, or "
                          "make it a parameter")

    def is_own(self, variable):
        scope = self.scope
        while scope is not None and scope is not self.procedure.parent:
            if variable.owner is scope:
                return True
            scope = scope.parent
        return False

    def constant_value(self, node, variable):
        known = None
        if variable.type.base == "integer":
            known = self.constants.integer_or_none(node, self.scope)
        if variable.init is None and known is not None:  # an enumerator, or a kind
            return Value(str(known), INTEGER, constant=known)
        return Value(self.constant_name(variable), variable.type, constant=known)

    def constant_name(self, variable):
        """What a named constant that is used is called in the text: all are declared where the
        function begins, where its own name may mean something else."""
        self.named_constants.setdefault(variable)
        if variable not in self.constant_names:
            name = variable.c_name
            visible = self.procedure.find("variables", variable.name, self.files)
            if (isinstance(variable.owner, Block) or visible not in (None, variable)
                    or name in self.constant_names.values()):
                name += f"Constant{len(self.constant_names) + 1}"
            self.constant_names[variable] = name
        return self.constant_names[variable]

    # Arrays.

    def whole_array(self, node, variable):
        rank = variable.rank
        name = self.array_name(node, variable)
        self.spread.add(variable.name)

        def at(counters):
            subscripts = [plus(f"{name}.lower({d})", c) for d, c in enumerate(counters)]
            return Value(f"{name}({', '.join(subscripts)})", variable.type.element, is_place=True)

        extents = [f"{name}.extent({d})" for d in range(rank)]
        return Value("", variable.type.of_rank(rank), at=at, extents=extents, array=name,
                     names=frozenset([f"{variable.name}|"]))

    def array_name(self, node, variable):
        if variable.is_constant:
            return self.constant_name(variable)
        self.reach_array(node, variable)
        return variable.c_name

    def reach_array(self, node, variable):
        if not self.is_own(variable):
            where = "module " if isinstance(variable.owner, Module) else ""
            raise Refused(line_of(node, self.line), f"'{variable.name}' is an array of {where}"
                          f"{variable.owner.name}, which is in the host's memory; pass it as an "
                          "argument")
        if not isinstance(variable.owner, Block):
            self.used[variable.name] = variable

    def element(self, expressions, node, variable):
        """An element u(i, j), or a section u(:, j)."""
        self.check_usable(node, variable)
        subscripts = node.items[1].items if node.items[1] is not None else []
        if len(subscripts) != variable.rank:
            expressions.refuse(node, f"'{variable.name}' has {variable.rank} dims; "
                               f"{len(subscripts)} subscripts are given")
        name = self.array_name(node, variable)
        if any(isinstance(s, f.Subscript_Triplet) for s in subscripts):
            return self.section(expressions, variable, name, subscripts)
        values = [expressions.subscript(s) for s in subscripts]
        text = f"{name}({', '.join(v.text for v in values)})"
        key = f"{variable.name}|{', '.join(v.text for v in values)}"
        names = frozenset([key]).union(*[v.names for v in values])
        value = Value(text, variable.type.element, names=names, is_place=True)
        return expressions.keep(value) if variable.name == expressions.target else value

    def section(self, expressions, variable, name, subscripts):
        self.spread.add(variable.name)
        places, extents, ranges = [], [], []  # places: text, or (first, step)
        for dim, subscript in enumerate(subscripts):
            if not isinstance(subscript, f.Subscript_Triplet):
                text = expressions.subscript(subscript).text
                places.append(text)
                ranges.append(text)
                continue
            first, last, step = [None if n is None else expressions.subscript(n)
                                 for n in subscript.items]
            first = first or Value(f"{name}.lower({dim})", INTEGER)
            last = last or Value(f"{name}.upper({dim})", INTEGER)
            places.append((first, step))
            extents.append(extent_text(first, last, step))
            ranges.append(f"gpuarr_fortran::Range{{{first.text}, {last.text}, "
                          f"{step.text if step else 1}}}")

        def at(counters):
            left = list(counters)
            texts = []
            for place in places:
                if isinstance(place, str):
                    texts.append(place)
                else:
                    first, step = place
                    by = left.pop(0)
                    by = by if step is None else f"{by} * {step.within(UNARY)}"
                    texts.append(plus(first.within(PLUS), by))
            return Value(f"{name}({', '.join(texts)})", variable.type.element, is_place=True)

        key = f"{variable.name}|{', '.join(ranges)}"
        return Value("", variable.type.of_rank(len(extents)), at=at, extents=extents,
                     array=f"gpuarr_fortran::section({name}, {', '.join(ranges)})",
                     names=frozenset([key]))

    def bound(self, expressions, node, name, variable, dim):
        """size, lbound or ubound of an array."""
        value = self.whole_array(node, variable)
        if dim is None and name != "size":
            expressions.refuse(node, f"{name}({variable.name}) is an array; give a dim")
        method = {"size": "extent", "lbound": "lower", "ubound": "upper"}[name]
        if dim is not None:
            return Value(f"(int){value.array}.{method}({dim - 1})", INTEGER, UNARY)
        text = " * ".join(f"{value.array}.extent({d})" for d in range(variable.rank))
        return Value(f"(int)({text})", INTEGER, UNARY)

    def fold(self, expressions, node, name, nodes):
        """sum(), maxval() ... of a section or of an array's expression of one dim."""
        value = expressions.operand(nodes[0], False)
        if name == "dot_product":
            other = expressions.operand(nodes[1], False)
            if value.type.rank != 1 or other.type.rank != 1:
                expressions.refuse(node, "dot_product() takes two arrays of one dim")
            first = value

            def product(v):
                left = call("conj", v[0], type_=v[0].type) if first.type.base == "complex" else v[0]
                return arithmetic(left, "*", v[1])

            value = elementwise([value, other], product)
            name = "sum"
        elif name == "norm2":
            squares = elementwise([value], lambda v: Value(
                f"gpuarr_fortran::power<2>({v[0].text})", v[0].type))
            total = self.fold_of(expressions, node, "sum", squares)
            return expressions.keep(call("sqrt", total, type_=value.type.element))
        elif name in PLACES:
            if len(nodes) != 2 or self.constants.integer_or_none(nodes[1], self.scope) != 1:
                expressions.refuse(node, f"{name}(array, 1) gives a number, and without a dim an "
                                   "array; with a mask write it as a loop")
        elif len(nodes) > 1:
            expressions.refuse(node, f"{name}() with a dim or a mask; write it as a loop")
        return self.fold_of(expressions, node, name, value)

    def fold_of(self, expressions, node, name, value):
        if value.type.rank != 1:
            expressions.refuse(node, f"{name}() takes an array of one dim, such as a section "
                               f"u(:, j); write others as a loop")
        counter = self.new_counter()
        element = value.at([counter])
        logical = name in ("any", "all", "count")
        type_ = INTEGER if name in ("count", *PLACES) else element.type
        argument = "" if logical else f"<{element.type.c_name}>"
        text = (f"gpuarr_fortran::{name}{argument}({value.extents[0]}, "
                f"[&](long long {counter}) {{ return {element.text}; }})")
        return expressions.keep(Value(text, type_, PRIMARY, names=value.names))

    # Functions.

    def find_procedure(self, name, node, arguments, expressions):
        """The procedure that a call means: its own, or one of a generic name by its arguments."""
        procedure = self.scope.find("procedures", name, self.files)
        if procedure is not None:
            return procedure
        names = self.scope.find("generics", name, self.files)
        if names is None:
            return None
        kept, expressions.kept = expressions.kept, None
        types = [expressions.operand(keyword_of(a)[1], False).type for a in arguments]
        expressions.kept = kept
        for candidate in names:
            procedure = self.scope.find("procedures", candidate, self.files)
            if procedure is not None and fits(procedure, types):
                return procedure
        return expressions.refuse(node, f"no procedure of {name} takes ("
                                  + ", ".join(map(str, types)) + ")")

    def function_call(self, expressions, node, procedure, arguments):
        if procedure.kind != "function":
            expressions.refuse(node, f"'{procedure.name}' is a subroutine; call it")
        if procedure.result_variable is None or procedure.result_variable.is_array:
            expressions.refuse(node, f"'{procedure.name}' returns an array; write a pure "
                               "subroutine with an argument for it")
        values = self.actual_arguments(expressions, node, procedure, arguments)
        name = self.unit.use_function(procedure, node, self)
        type_ = procedure.result_variable.type
        if procedure.is_elemental:
            return elementwise(values, lambda v: call(name, *v, type_=type_))
        return expressions.keep(call(name, *values, type_=type_))

    def actual_arguments(self, expressions, node, procedure, arguments):
        """The arguments of a call in the order of the dummies, checked against them."""
        dummies = procedure.arguments
        given = dict(zip(procedure.dummies, [None] * len(dummies)))
        for place, argument in enumerate(arguments):
            name, argument = keyword_of(argument)
            if not name and place < len(dummies):
                name = procedure.dummies[place]
            if name not in given:
                expressions.refuse(node, f"{procedure.name}() takes {len(dummies)} arguments: "
                                   + ", ".join(procedure.dummies))
            given[name] = argument
        return [self.actual(expressions, node, procedure, dummy, given[dummy.name])
                for dummy in dummies]

    def actual(self, expressions, node, procedure, dummy, argument):
        if argument is None and "optional" in dummy.attributes:
            expressions.refuse(node, f"{procedure.name}(): argument '{dummy.name}' is optional, "
                               "which kernels do not know; give it in each call")
        if argument is None:
            expressions.refuse(node, f"{procedure.name}(): argument '{dummy.name}' is missing")
        value = expressions.operand(argument, False)
        if dummy.type is None or not value.type.is_same(dummy.type):
            expressions.refuse(node, f"{procedure.name}(): argument '{dummy.name}' is "
                               f"{dummy.type}; {value.type.element} is given")
        if dummy.is_array:
            if value.array is None or value.type.rank != dummy.rank:
                expressions.refuse(node, f"{procedure.name}(): argument '{dummy.name}' is an "
                                   f"array of rank {dummy.rank}; give one as a whole, or a "
                                   "section")
            return Value(value.array, value.type.element)
        if value.type.rank and not procedure.is_elemental:
            expressions.refuse(node, f"{procedure.name}(): argument '{dummy.name}' is a scalar")
        self.check_not_input(argument, dummy.intent)
        if dummy.intent in ("out", "inout") and not value.is_place:
            expressions.refuse(node, f"{procedure.name}(): argument '{dummy.name}' is "
                               f"intent({dummy.intent}); give a variable")
        return value


    def check_not_input(self, node, intent="out"):
        """Refuse that something is assigned which is intent(in)."""
        variable = self.find_variable(root_name(node))
        if variable is not None and variable.intent == "in" and intent in ("out", "inout"):
            raise Refused(line_of(node, self.line), f"'{variable.name}' is intent(in), and is "
                          "assigned")


def check_kind(line, variable):
    try:
        variable.type.c_name
    except KeyError:
        raise Refused(line, f"'{variable.name}' is {variable.type.element}, which no device "
                      "has; there are real(4) and real(8), integers of 1 to 8 bytes") from None


def fits(procedure, types):
    dummies = procedure.arguments
    return len(dummies) == len(types) and all(
        d.type is not None and d.type.is_same(t) and (procedure.is_elemental or d.rank == t.rank)
        for d, t in zip(dummies, types))


def plus(text, counter):
    return text if counter == "0" else f"{text} + {counter}"


def extent_text(first, last, step):
    """How many elements a triplet has."""
    if first.constant is not None and last.constant is not None and step is None:
        return str(max(0, last.constant - first.constant + 1))
    if step is None:
        return f"gpuarr_fortran::extent({first.text}, {last.text})"
    return f"gpuarr_fortran::extent({first.text}, {last.text}, {step.text})"
