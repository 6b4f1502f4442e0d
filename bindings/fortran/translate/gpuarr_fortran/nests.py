"""Finds the marked loop nests of a procedure, and what each of their variables is."""
from fparser.two import Fortran2003 as f

from .arguments import keyword_of
from .flow import Flow, place_of
from .loops import LOOPS, Control, assigned_names, body_of, construct_name
from .refusal import Refused, line_of
from .source import Directive
from .tree import class_is, names_in, root_name, variables_in, walk


MOST_LOOPS, MOST_FOLDS = 8, 8  # as gpuarr_nest_loops and gpuarr_partials have room for


class NestLoop:
    """One loop of a nest, with the nodes of its bounds."""

    def __init__(self, name, bounds, line, label):
        self.name = name
        self.first, self.last = bounds[:2]
        self.step = bounds[2] if len(bounds) > 2 else None
        self.line = line
        self.label = label

    @property
    def bounds(self):
        return [b for b in (self.first, self.last, self.step) if b is not None]


class Nest:
    """A marked nest: its loops from the outermost, and its body."""

    def __init__(self, node, directive, procedure, files):
        self.node = node
        self.line = Control(node).line
        self.directive = directive
        self.procedure = procedure
        self.files = files
        self.loops = []
        self.mask = None
        self.collect()
        self.names = [loop.name for loop in self.loops]
        if len(self.loops) > MOST_LOOPS:
            raise Refused(self.line, f"{len(self.loops)} loops are one kernel; {MOST_LOOPS} are "
                          "the most")
        self.check_loops()
        self.assigned = self.assigned_scalars()
        self.reductions = {}
        self.find_reductions()

    # Loops.

    def collect(self):
        control = Control(self.node)
        if control.header is not None:
            self.collect_concurrent(control)
            return
        node, most = self.node, self.directive.collapse or MOST_LOOPS
        while True:
            control = Control(node)
            if control.variable is None or control.header is not None:
                raise Refused(self.line, "the marked loop must count: do i = first, last")
            self.loops.append(NestLoop(control.name, control.bounds, control.line,
                                       construct_name(node)))
            self.body = body_of(node)
            if len(self.loops) == most or not self.goes_on():
                break
            node = self.body[0]
        if self.directive.collapse > len(self.loops):
            raise Refused(self.line, f"collapse({self.directive.collapse}): only "
                          f"{len(self.loops)} loops stand in each other, with bounds of their own "
                          "and nothing between them")

    def collect_concurrent(self, control):
        triplets, self.mask = control.header.items
        label = construct_name(self.node)
        for triplet in triplets.items:
            name, first, last, step = triplet.items
            bounds = [first, last] + ([step] if step is not None else [])
            self.loops.append(NestLoop(str(name).lower(), bounds, control.line, label))
        self.body = body_of(self.node)

    def goes_on(self):
        """Whether the loop within is one more of the nest: nothing but it is there, its bounds do
        not depend on the loops around, and its iterations have elements of their own."""
        if len(self.body) != 1 or not class_is(self.body[0], *LOOPS):
            return False
        control = Control(self.body[0])
        if control.variable is None:
            return False
        outer = {loop.name for loop in self.loops} | {
            name for name in assigned_names(self.body, self.may_assign)
            if not self.is_shared_array(name)}
        if any(names_in(bound) & outer for bound in control.bounds):
            return False
        if self.directive.collapse > 0:
            return True
        return self.writes_apart(control.name, self.body[0], trusts=False) and \
            not self.reads_others(control.name, self.body[0])

    def reads_others(self, name, node):
        """Whether a loop reads an array that it writes at another element along its variable, as a
        sweep does: its iterations then have an order. Of the marked loop itself the user says that
        they have none."""
        places = {}  # of each array that is written: where, as texts
        for part in walk(node):
            if isinstance(part, f.Assignment_Stmt) and isinstance(part.items[0], f.Part_Ref):
                places.setdefault(root_name(part.items[0]), set()).add(str(part.items[0]).lower())
        return any(name in names_in(part) and str(part).lower() not in places[root_name(part)]
                   for part in walk(node) if isinstance(part, f.Part_Ref)
                   and root_name(part) in places)

    def writes_apart(self, name, node, trusts):
        """Whether all elements that are assigned in a loop have its variable in a subscript. What
        subscripts with scalars of the loop's own mean is taken as `trusts` says."""
        own = assigned_names(self.body)
        for part in walk(node):
            if isinstance(part, f.Assignment_Stmt) and not isinstance(part.items[0], f.Name):
                target = root_name(part.items[0])
                if target in self.directive.private or not self.is_shared_array(target):
                    continue
                names = names_in(part.items[0]) - {target}
                if name not in names and not (trusts and names & own):
                    return False
        return True

    def is_shared_array(self, name):
        variable = self.procedure.find("variables", name, self.files)
        return variable is not None and variable.is_array

    def check_loops(self):
        for loop in self.loops:
            variable = self.procedure.variables.get(loop.name)
            if variable is None and loop.name not in self.directive.types:
                variable = self.procedure.find("variables", loop.name, self.files)
            if variable is None or variable.type is None or variable.type.base != "integer":
                if loop.name not in self.directive.types:
                    raise Refused(loop.line, f"the variable of a loop, '{loop.name}', must be "
                                  "declared as an integer")
            if not self.writes_apart(loop.name, self.node, trusts=True):
                raise Refused(loop.line, f"iterations of '{loop.name}' write the same elements, so "
                              "they cannot run side by side; mark a loop within, or sum into a "
                              "scalar")

    # Variables.

    def assigned_scalars(self):
        """Scalars that the body assigns, but for the loops' own variables and those of blocks."""
        found = {}
        for name in assigned_names(self.body, self.may_assign):
            variable = self.procedure.find("variables", name, self.files)
            if variable is None or name in self.names:
                continue
            if not variable.is_array:
                found[name] = variable
        return found

    def may_assign(self, node, intents=("out", "inout")):
        """The arguments that a call may assign. Of a generic name any procedure may be meant."""
        name = str(node.items[0]).lower()
        find = self.procedure.find
        candidates = [find("procedures", n, self.files) for n in
                      [name] + (find("generics", name, self.files) or [])]
        found = []
        for procedure in [c for c in candidates if c is not None]:
            for place, argument in enumerate(node.items[1].items if node.items[1] else []):
                keyword, inner = keyword_of(argument)
                dummies = [d for k, d in enumerate(procedure.arguments)
                           if (d.name == keyword if keyword else k == place)]
                if dummies and dummies[0].intent in intents:
                    found.append(inner)
        return found

    def called(self, node):
        """What a call assigns for certain, as names or as p%x."""
        certain = {place_of(a) for a in self.may_assign(node, ("out",))}
        return certain - {place_of(a) for a in self.may_assign(node, ("inout",))} - {""}

    def find_reductions(self):
        carried = {}
        watched = set(self.assigned) - self.directive.private
        flow = Flow(watched, lambda name, node: carried.setdefault(name, node),
                    lambda name: self.procedure.find("variables", name, self.files), self.called)
        known = frozenset(self.names)
        if self.mask is not None:
            flow.reads(self.mask, known)
        flow.through(self.body, known)
        for name in self.directive.reduce:
            if name not in self.assigned:
                raise Refused(self.directive.line, f"reduce({name}): '{name}' is not assigned in "
                              "the loop, or is no scalar")
            carried.setdefault(name, self.node)
        for name, node in carried.items():
            self.reductions[name] = self.reduction(name, node)
        if len(self.reductions) > MOST_FOLDS:
            raise Refused(self.line, f"the loop folds {len(self.reductions)} scalars; {MOST_FOLDS} "
                          "are the most")

    def reduction(self, name, node):
        """The operator that the loop folds a scalar by."""
        wanted = self.directive.reduce.get(name)
        operators, counted = set(), 0
        for part in [p for n in self.body for p in walk(n)]:
            if isinstance(part, f.Assignment_Stmt) and str(part.items[0]).lower() == name:
                operator, inner = fold_of(part.items[2], name)
                operators.add(operator)
                counted += 1 + inner
        total = sum(1 for n in self.body for path, _ in variables_in(n)
                    if path.split("%")[0] == name)
        if len(operators) == 1 and None not in operators and counted == total:
            operator = operators.pop()
            if wanted in (None, operator):
                return operator
        line = line_of(node, self.line)
        if wanted is not None:
            raise Refused(self.directive.line, f"reduce({wanted}: {name}): every assignment must "
                          f"be {form_of(name, wanted)}, and nothing else may read '{name}' in the "
                          "loop")
        raise Refused(line, f"'{name}' carries a value from one iteration of the loop to the next; "
                      f"sum as {name} = {name} + ..., or fold by max, min, iand, .or. and the "
                      f"like; if each iteration has its own, say private({name})")

    def private_arrays(self):
        """Local arrays that each thread has of its own."""
        found = []
        for name in sorted(self.directive.private):
            variable = self.procedure.find("variables", name, self.files)
            if variable is None:
                raise Refused(self.directive.line, f"private({name}): '{name}' is not declared")
            if variable.is_array:
                found.append(variable)
        return found


def form_of(name, operator):
    if operator in ("+", "*", ".and.", ".or."):
        return f"{name} = {name} {operator} ..."
    return f"{name} = {operator}({name}, ...)"


def fold_of(node, name):
    """('+', 1) of `s + e` for s: the operator, and how often s is in it."""
    inner = sum(1 for path, _ in variables_in(node) if path == name)
    return (fold_operator(node, name) if inner == 1 else None), inner


def fold_operator(node, name):
    def is_it(n):
        return isinstance(n, f.Name) and n.string.lower() == name

    items = getattr(node, "items", ())
    if isinstance(node, f.Intrinsic_Function_Reference):
        word = str(items[0]).lower()
        if word in ("max", "min", "iand", "ior", "ieor") and any(map(is_it, items[1].items)):
            return word
        return None
    if len(items) != 3 or not isinstance(items[1], str):
        return None
    left, operator, right = items[0], items[1].lower(), items[2]
    same = {"+": "+", "-": "+", "*": "*", ".and.": ".and.", ".or.": ".or."}.get(operator)
    if same is None:
        return None
    if is_it(left) or (is_it(right) and operator != "-"):
        return same
    return same if same in ("+", "*") and fold_operator(left, name) == same else None


def nests_within(node, source):
    """The marked loops in a tree, outermost ones."""
    if class_is(node, *LOOPS):
        directive = directive_of(node, source)
        if directive is not None:
            return [(node, directive)]
    found = []
    for child in getattr(node, "content", None) or []:
        found += nests_within(child, source)
    return found


def directive_of(node, source):
    """What a loop is marked with; None for a loop of the host."""
    control = Control(node)
    directive = source.directives.get(control.line)
    if directive is not None and "host" in directive.words:
        return None
    if control.header is not None:
        return directive or Directive(control.line)
    if directive is not None and "kernel" in directive.words:
        return directive
    return None
