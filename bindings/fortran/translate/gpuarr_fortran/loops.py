"""Translates the loops that a thread runs itself."""
from dataclasses import dataclass

from fparser.two import Fortran2003 as f

from .arguments import keyword_of
from .refusal import Refused, line_of
from .tree import class_is, names_in, root_name, walk
from .values import ORDER, PLUS

@dataclass
class Loop:
    """A loop that statements are in: where cycle and exit of it lead."""

    name: str
    is_nest: bool = False  # the marked nest: an iteration is a thread's work
    cycle_label: str = ""
    exit_label: str = ""
    is_block: bool = False  # a named construct that is no loop


def construct_name(node):
    """The name before a construct's first statement; "" without one."""
    statement = node.content[0]
    item = getattr(statement, "item", None)
    name = getattr(item, "name", None) or ""
    return name.lower()


LOOPS = ("Block_Nonlabel_Do_Construct", "Block_Label_Do_Construct", "Action_Term_Do_Construct")


class Control:
    """What stands behind `do`: a variable with its bounds, a condition, indices, or nothing."""

    def __init__(self, node):
        self.statement = next(p for p in node.content if not class_is(p, "Comment"))
        self.line = line_of(self.statement)
        control = next((i for i in self.statement.items if isinstance(i, f.Loop_Control)), None)
        self.variable = None
        self.bounds = []
        self.condition = None
        self.header = None
        if control is None:
            return
        condition, counted, _, header = (list(control.items) + [None] * 4)[:4]
        if header is not None:
            self.header = header
        elif condition is not None:
            self.condition = condition
        elif counted is not None:
            self.variable, self.bounds = counted[0], list(counted[1])

    @property
    def name(self):
        return str(self.variable).lower()


def body_of(node):
    """The statements within a loop."""
    first = next(k for k, p in enumerate(node.content) if not class_is(p, "Comment"))
    inner = node.content[first + 1:]
    if inner and class_is(inner[-1], "End_Do_Stmt", "Continue_Stmt"):
        inner = inner[:-1]
    return [p for p in inner if not class_is(p, "Comment")]


def assigned_names(nodes, called=None):
    """Names that are assigned anywhere in these statements. `called` tells which arguments a call
    may assign; without it all."""
    names = set()
    for node in nodes:
        for part in walk(node):
            if isinstance(part, f.Assignment_Stmt):
                names.add(root_name(part.items[0]))
            elif isinstance(part, f.Call_Stmt) and part.items[1] is not None:
                names |= {root_name(keyword_of(a)[1]) for a in (
                    called(part) if called is not None else part.items[1].items)}
            elif class_is(part, *LOOPS):
                control = Control(part)
                if control.variable is not None:
                    names.add(control.name)
    return names


def translate_loop(statements, node, line):
    """A loop of the thread's own, of whatever kind."""
    control = Control(node)
    if control.header is not None:
        translate_concurrent(statements, node, control, line)
        return
    loop = Loop(construct_name(node))
    statements.loops.append(loop)
    braces = 1
    if control.variable is not None:
        braces = open_counted(statements, node, control, line)
    elif control.condition is not None:
        statements.text.open(line, f"while ({statements.condition(control.condition)}) {{")
    else:
        statements.text.open(line, "for (;;) {")
    statements.translate(body_of(node))
    close_loop(statements, loop, braces)


def close_loop(statements, loop, braces):
    if loop.cycle_label:
        statements.text.label(loop.cycle_label)
    statements.text.close()
    statements.loops.pop()
    for _ in range(braces - 1):
        statements.text.close()
    if loop.exit_label:
        statements.text.add(f"{loop.exit_label}:;")


def open_counted(statements, node, control, line):
    """`do k = first, last, step`; returns how many braces it opens."""
    expressions, frame = statements.expressions, statements.frame
    if control.name in frame.indices:
        raise Refused(line, f"'{control.name}' is the variable of the marked loop around this one")
    frame.check_not_input(control.variable)
    counter = expressions.translate(control.variable)
    if counter.type.base != "integer" or counter.type.rank:
        raise Refused(line, f"the variable of a loop, '{control.name}', must be an integer")
    bounds = [expressions.integer(b, "bound") for b in control.bounds]
    first, last = bounds[:2]
    step = bounds[2] if len(bounds) > 2 else None
    braces = 1
    changed = assigned_names(body_of(node)) | {control.name}
    if last.constant is None and not is_steady(control.bounds[1], changed):
        name = frame.new_counter().replace("At", "Last")
        statements.text.open(line, f"{{ const {last.type.c_name} {name} = {last.text};")
        last.text, last.binds, braces = name, 100, 2
    if step is None or step.constant is not None:
        by = 1 if step is None else step.constant
        if by == 0:
            raise Refused(line, "a loop with a step of 0 never ends")
        advance = {1: f"++{counter.text}", -1: f"--{counter.text}"}.get(
            by, f"{counter.text} += {by}" if by > 0 else f"{counter.text} -= {-by}")
        compare = "<=" if by > 0 else ">="
        statements.text.open(line, f"for ({counter.text} = {first.text}; {counter.text} {compare} "
                             f"{last.within(PLUS if by > 0 else ORDER + 1)}; {advance}) {{")
        return braces
    by, left = (frame.new_counter().replace("At", w) for w in ("By", "Left"))
    statements.text.open(line, f"{{ const {step.type.c_name} {by} = {step.text}; "
                         f"{counter.text} = {first.text};")
    statements.text.open(line, f"for (long long {left} = gpuarr_fortran::extent({counter.text}, "
                         f"{last.text}, {by}); {left} > 0; --{left}, {counter.text} += {by}) {{")
    return braces + 1


def is_steady(node, changed):
    """Whether a bound has the same value in each pass: then it need not be kept."""
    if any(class_is(n, "Part_Ref", "Function_Reference", "Structure_Constructor",
                    "Intrinsic_Function_Reference") for n in walk(node)):
        return False
    return not names_in(node) & changed


def translate_concurrent(statements, node, control, line):
    """do concurrent within a marked loop: the thread runs it, in order."""
    expressions = statements.expressions
    triplets, mask = control.header.items
    loop = Loop(construct_name(node))
    statements.loops.append(loop)
    braces = 0
    for triplet in reversed(triplets.items):
        counter = expressions.translate(triplet.items[0])
        first, last, step = [None if b is None else expressions.integer(b, "bound")
                             for b in triplet.items[1:4]]
        by = 1 if step is None else step.constant
        if not by:
            raise Refused(line, "the step of do concurrent must be a constant here")
        compare = "<=" if by > 0 else ">="
        statements.text.open(line, f"for ({counter.text} = {first.text}; {counter.text} {compare} "
                             f"{last.within(PLUS)}; {counter.text} += {by}) {{")
        braces += 1
    if mask is not None:
        statements.text.statement(line, f"if (!({statements.condition(mask)})) continue;")
    statements.translate(body_of(node))
    close_loop(statements, loop, braces)
