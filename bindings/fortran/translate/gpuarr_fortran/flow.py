"""Where variables are assigned and read: what a thread may keep to itself."""
from fparser.two import Fortran2003 as f

from .arguments import keyword_of
from .loops import LOOPS, Control, body_of
from .statements import split_cases
from .tree import class_is, variables_in, walk


class Flow:
    """Goes through statements in order. `read(name, node)` is told of each read of a name that
    is not certainly assigned before; names outside of `names` do not count. Of a variable of a
    derived type each component counts, as p%x; `find` gives variables by their names."""

    def __init__(self, names, read, find, called=None):
        self.names = names
        self.read = read
        self.find = find
        self.called = called or (lambda node: set())  # what a call assigns

    def leaves(self, path):
        """What must be assigned for p%r to be: p%r%x, p%r%y."""
        name, *inner = path.split("%")
        variable = self.find(name)
        for k, part in enumerate(inner):
            derived = variable.type.derived if variable is not None and variable.type else None
            if derived is None:  # a part of a complex number
                return {"%".join([name] + inner[:k])}
            variable = derived.component(part)
        if variable is None or variable.type is None or variable.type.derived is None:
            return {path}
        return {leaf for component in variable.type.derived.components
                for leaf in self.leaves(f"{path}%{component.name}")} or {path}

    def through(self, nodes, before):
        """The names that are assigned behind the statements; None where none gets there."""
        known = before
        for node in nodes:
            if known is None:
                return None
            known = self.one(node, known)
        return known

    def reads(self, node, known):
        for path, part in variables_in(node):
            name = path.split("%")[0]
            if name in self.names and not self.leaves(path) <= known:
                self.read(name, part)

    def one(self, node, known):
        if isinstance(node, f.Assignment_Stmt):
            return self.assignment(node, known)
        if isinstance(node, f.If_Stmt):
            self.reads(node.items[0], known)
            return self.joined([self.one(node.items[1], known), known])
        if isinstance(node, f.If_Construct):
            return self.if_construct(node, known)
        if isinstance(node, f.Case_Construct):
            return self.case_construct(node, known)
        if class_is(node, *LOOPS):
            return self.loop(node, known)
        if class_is(node, "Block_Construct"):
            return self.block(node, known)
        if class_is(node, "Associate_Construct"):
            self.reads(node.content[0], known)
            return self.through(node.content[1:-1], known)
        if class_is(node, "Cycle_Stmt", "Exit_Stmt", "Return_Stmt", "Stop_Stmt"):
            return None
        if isinstance(node, f.Call_Stmt):
            return self.call(node, known)
        self.reads(node, known)
        return known

    def joined(self, branches):
        """What is assigned on all ways that go on."""
        ways = [b for b in branches if b is not None]
        return frozenset.intersection(*ways) if ways else None

    def assignment(self, node, known):
        target, _, source = node.items
        self.reads(source, known)
        place = place_of(target)
        if place and not class_is(target, "Name") and self.leaves(place) == {
                place.rpartition("%")[0]}:
            self.reads(target, known)
        elif place:
            return known | self.leaves(place)
        subscripts = target.items[1:] if hasattr(target, "items") else []
        for part in subscripts:
            if part is not None and not isinstance(part, str):
                self.reads(part, known)
        return known

    def call(self, node, known):
        assigned = self.called(node)
        for argument in node.items[1].items if node.items[1] is not None else []:
            if place_of(keyword_of(argument)[1]) not in assigned:
                self.reads(argument, known)
        return known.union(*[self.leaves(path) for path in assigned])

    def if_construct(self, node, known):
        branches, body, has_else = [], [], False
        for part in node.content:
            if class_is(part, "If_Then_Stmt", "Else_If_Stmt", "Else_Stmt"):
                if not class_is(part, "If_Then_Stmt"):
                    branches.append(self.through(body, known))
                has_else = class_is(part, "Else_Stmt")
                if not has_else:
                    self.reads(part.items[0], known)
                body = []
            elif class_is(part, "End_If_Stmt"):
                branches.append(self.through(body, known))
            else:
                body.append(part)
        return self.joined(branches if has_else else branches + [known])

    def case_construct(self, node, known):
        self.reads(node.content[0], known)
        branches, default = split_cases(node)
        ways = [self.through(body, known) for _, body in branches]
        ways.append(self.through(default[1], known) if default is not None else known)
        return self.joined(ways)

    def loop(self, node, known):
        control = Control(node)
        inside = known
        for bound in control.bounds:
            self.reads(bound, known)
        if control.condition is not None:
            self.reads(control.condition, known)
        if control.variable is not None:
            inside = known = known | {control.name}
        if control.header is not None:
            own = frozenset(str(t.items[0]).lower() for t in control.header.items[0].items)
            inside = known | own
            self.reads(control.header, inside)
        self.through(body_of(node), inside)
        return self.once(body_of(node), known) if runs_once(control) else known

    def once(self, nodes, known):
        """What is assigned behind a loop that runs at least once: by the statements that no jump is
        before."""
        quiet = Flow(self.names, lambda name, node: None, self.find, self.called)
        for node in nodes:
            if any(class_is(part, "Cycle_Stmt", "Exit_Stmt", "Return_Stmt") for part in walk(node)):
                break
            known = quiet.one(node, known)
        return known

    def block(self, node, known):
        own = set()
        for part in node.content[1:-1]:
            if class_is(part, "Specification_Part"):
                own |= {n.string.lower() for d in walk(part) if isinstance(d, f.Entity_Decl)
                        for n in [d.items[0]]}
        inner = Flow(self.names - own, self.read, self.find, self.called)
        for part in node.content[1:-1]:
            if class_is(part, "Execution_Part"):
                known = inner.through(part.content, known)
            elif not class_is(part, "Specification_Part"):
                known = inner.one(part, known) if known is not None else None
        return known


def place_of(node):
    """t or p%x of a scalar variable; "" of anything else."""
    if not isinstance(node, (f.Name, f.Data_Ref, f.Proc_Component_Ref)):
        return ""
    paths = [path for path, part in variables_in(node) if part is node]
    return paths[0] if paths else ""


def runs_once(control):
    """Whether a loop runs at least once: an endless one, or one with numbers as bounds."""
    if control.variable is None:
        return control.condition is None and control.header is None
    return all(isinstance(b, f.Int_Literal_Constant) for b in control.bounds) and \
        len(control.bounds) == 2 and \
        int(control.bounds[0].items[0]) <= int(control.bounds[1].items[0])
