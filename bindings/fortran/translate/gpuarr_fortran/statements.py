"""Translates statements and constructs."""
import math

from fparser.two import Fortran2003 as f

from .declarations import Declarations
from .expressions import Expressions
from .loops import Loop, construct_name, translate_loop
from .refusal import Refused, line_of
from .tree import class_is, root_name, walk
from .values import Value, cast, converted
from .variables import declare_block_variables, declared_extents

MOST_COPIED = 1024  # elements of an array that a thread computes before it assigns them

REFUSED = {
    "Print_Stmt": "print is for the host; look at results there, or take the line out",
    "Write_Stmt": "write is for the host; look at results there",
    "Read_Stmt": "read is for the host; read before, and pass the values",
    "Stop_Stmt": "a thread cannot stop the program; set a flag that the caller looks at",
    "Error_Stop_Stmt": "a thread cannot stop the program; set a flag that the caller looks at",
    "Allocate_Stmt": "nothing can be allocated in a kernel; use an array of fixed size",
    "Deallocate_Stmt": "nothing can be deallocated in a kernel",
    "Goto_Stmt": "goto is not supported; use exit, cycle or if",
    "Pointer_Assignment_Stmt": "there are no pointers in kernels",
    "Nullify_Stmt": "there are no pointers in kernels",
    "Forall_Construct": "write forall as do concurrent",
    "Forall_Stmt": "write forall as do concurrent",
    "Where_Construct": "write where as a loop with if",
    "Where_Stmt": "write where as a loop with if",
    "Select_Type_Construct": "there are no polymorphic values in kernels",
    "Arithmetic_If_Stmt": "write the arithmetic if as if and else",
}


class Statements:
    """Translates the statements of one function or nest."""

    def __init__(self, frame, text):
        self.frame = frame
        self.text = text
        self.expressions = Expressions(frame)
        self.loops = []
        self.labels = 0
        self.on_return = None  # text of a return; None: not allowed

    def translate(self, nodes):
        for node in nodes:
            self.one(node)

    def one(self, node):
        name = type(node).__name__
        line = line_of(node, self.frame.line)
        self.frame.line = line
        if name in REFUSED:
            raise Refused(line, REFUSED[name])
        method = getattr(self, "of_" + name.lower(), None)
        if method is None:
            raise Refused(line, f"'{first_words(node)}' is not supported in a kernel")
        method(node, line)

    def of_comment(self, node, line):
        pass

    def of_continue_stmt(self, node, line):
        pass

    def of_format_stmt(self, node, line):
        pass

    # Assignments and calls.

    def of_assignment_stmt(self, node, line):
        target, _, source = node.items
        left = self.expressions.translate(target)
        if isinstance(target, f.Name) and target.string.lower() in self.frame.indices:
            raise Refused(line, f"'{target}' is the variable of a loop, and cannot be assigned")
        self.frame.check_not_input(target)
        if left.type.rank:
            self.assign_array(line, node, left)
            return
        right = self.expressions.translate(source)
        self.check_assignable(line, node, left, right)
        self.assign(line, left, right)

    def assign(self, line, left, right):
        type_ = left.type
        if right.type.base == "integer" and right.constant is None and type_.base == "integer" \
                and type_.kind < right.type.kind:
            right = cast(right, type_)
        self.text.statement(line, f"{left.text} = {converted(right, type_).text};")

    def check_assignable(self, line, node, left, right):
        if not left.type.rank and not left.is_place:
            raise Refused(line, f"'{node.items[0]}' cannot be assigned to")
        same = left.type.base == right.type.base if not left.type.is_number else \
            right.type.is_number
        if left.type.base == "derived":
            same = left.type.is_same(right.type)
        if not same:
            raise Refused(line, f"'{node}' assigns {right.type} to {left.type}")
        if right.type.rank and right.type.rank != left.type.rank:
            raise Refused(line, f"'{node}' assigns an array of rank {right.type.rank} to rank "
                          f"{left.type.rank}")

    def assign_array(self, line, node, left):
        """An array or a section. What the right side has of single values, sum(x) in
        x = x / sum(x), is computed before: once, and of the array as it was."""
        expressions = self.expressions
        expressions.kept, expressions.target = [], root_name(node.items[0])
        right, kept = expressions.translate(node.items[2]), expressions.kept
        expressions.kept, expressions.target = None, ""
        self.check_assignable(line, node, left, right)
        if kept:
            self.text.open(line, "{ " + " ".join(kept))
        self.assign_elements(line, node, left, right)
        if kept:
            self.text.close()

    def assign_elements(self, line, node, left, right):
        """A loop for each dim, the first innermost."""
        own = next(iter(left.names))
        name = own.split("|")[0] + "|"
        if any(key.startswith(name) and key != own for key in right.names):
            self.assign_by_copy(line, node, left, right)
            return
        if any(class_is(part, "Array_Constructor") for part in walk(node.items[2])) and \
                right.type.rank == 1 and right.extents[0].isdigit():
            for k in range(int(right.extents[0])):
                self.assign(line, left.at([str(k)]), right.at([str(k)]))
            return
        self.assign_each(line, left.extents, left, right)

    def assign_each(self, line, extents, left, right):
        counters = [self.frame.new_counter() for _ in extents]
        heads = [f"for (long long {c} = 0; {c} < {extent}; ++{c})"
                 for c, extent in reversed(list(zip(counters, extents)))]
        element = left.at(counters)
        value = right.at(counters) if right.type.rank else right
        self.text.statement(line, " ".join(heads) + f" {element.text} = "
                            f"{converted(value, element.type).text};")

    def assign_by_copy(self, line, node, left, right):
        """What reads other elements of the array that it assigns: all of it is computed before."""
        extents = declared_extents(self.frame, node.items[0])
        if extents is None or math.prod(extents) > MOST_COPIED:
            raise Refused(line, f"'{node}' reads other elements of the array that it assigns; "
                          "write it as a loop over elements")
        name, type_ = self.frame.new_counter().replace("At", "Copy"), left.type.element
        bounds = ", ".join(f"0, {extent}" for extent in extents)
        copy = Value("", left.type, at=lambda counters: Value(
            f"{name}({', '.join(counters)})", type_))
        self.text.open(line, f"{{ gpuarr_fortran::local<{type_.c_name}, {bounds}> {name};")
        self.assign_each(line, left.extents, copy, right)
        self.assign_each(line, left.extents, left, copy)
        self.text.close()

    def of_call_stmt(self, node, line):
        name = str(node.items[0]).lower()
        arguments = node.items[1].items if node.items[1] is not None else []
        if "%" in name:
            raise Refused(line, f"call of '{name}': procedures of types are not supported; call "
                          "a pure subroutine of the file")
        procedure = self.frame.find_procedure(name, node, arguments, self.expressions)
        if procedure is None:
            raise Refused(line, f"subroutine '{name}' is not known; only pure subroutines of the "
                          "same file can be called")
        if procedure.kind != "subroutine":
            raise Refused(line, f"'{name}' is a function")
        values = self.frame.actual_arguments(self.expressions, node, procedure, arguments)
        if any(v.type.rank for v in values):
            raise Refused(line, f"call of '{name}' for whole arrays; call it in a loop")
        called = self.frame.unit.use_function(procedure, node, self.frame)
        self.text.statement(line, f"{called}({', '.join(v.text for v in values)});")

    # Branches.

    def condition(self, node):
        value = self.expressions.scalar(node)
        if value.type.base != "logical":
            self.expressions.refuse(node, f"'{node}' is {value.type}, where a logical is wanted")
        return value.text

    def of_if_stmt(self, node, line):
        condition, statement = node.items
        self.text.open(line, f"if ({self.condition(condition)}) {{")
        before = len(self.text.lines)
        self.one(statement)
        self.text.close()
        self.text.join_if_short(before)

    def of_if_construct(self, node, line):
        self.named_block(node, lambda: self.if_branches(node, line))

    def if_branches(self, node, line):
        for part in node.content:
            name = type(part).__name__
            at = line_of(part, line)
            if name == "If_Then_Stmt":
                self.text.open(at, f"if ({self.condition(part.items[0])}) {{")
            elif name == "Else_If_Stmt":
                self.text.depth -= 1
                self.text.open(at, f"}} else if ({self.condition(part.items[0])}) {{")
            elif name == "Else_Stmt":
                self.text.depth -= 1
                self.text.open(at, "} else {")
            elif name != "End_If_Stmt":
                self.one(part)
        self.text.close()

    def of_case_construct(self, node, line):
        self.named_block(node, lambda: self.cases(node, line))

    def cases(self, node, line):
        """A chain of if: exit and cycle within mean the loop around."""
        selector = self.expressions.scalar(node.content[0].items[0])
        if selector.type.base not in ("integer", "logical"):
            raise Refused(line, "select case of text is not supported in a kernel")
        name = self.frame.new_counter().replace("At", "Case")
        self.text.open(line, f"{{ const {selector.type.c_name} {name} = {selector.text};")
        branches, default = split_cases(node)
        for k, (statement, body) in enumerate(branches):
            at = line_of(statement, line)
            conditions = " || ".join(self.case_condition(item, name)
                                     for item in statement.items[0].items[0].items)
            head = f"if ({conditions}) {{"
            if k:
                self.text.depth -= 1
                head = "} else " + head
            self.text.open(at, head)
            self.translate(body)
        if default is not None:
            statement, body = default
            if branches:
                self.text.depth -= 1
            self.text.open(line_of(statement, line), "} else {" if branches else "{")
            self.translate(body)
        if branches or default is not None:
            self.text.close()
        self.text.close()

    def case_condition(self, item, name):
        if class_is(item, "Case_Value_Range"):
            low, high = [None if n is None else self.expressions.scalar(n).text
                         for n in item.items]
            if low is None:
                return f"{name} <= {high}"
            if high is None:
                return f"{name} >= {low}"
            return f"({name} >= {low} && {name} <= {high})"
        return f"{name} == {self.expressions.scalar(item).text}"

    def named_block(self, node, translate):
        """A construct with a name may be left by exit."""
        name = construct_name(node)
        if not name:
            translate()
            return
        loop = Loop(name, is_block=True)
        self.loops.append(loop)
        translate()
        self.loops.pop()
        if loop.exit_label:
            self.text.add(f"{loop.exit_label}:;")

    def of_block_construct(self, node, line):
        self.named_block(node, lambda: self.block(node, line))

    def block(self, node, line):
        self.frame.enter_block(line)
        self.text.open(line, "{")
        for part in node.content[1:-1]:
            if class_is(part, "Specification_Part"):
                Declarations(self.frame.files).read(self.frame.scope, part)
                declare_block_variables(self.frame, self.text, self.expressions)
            elif class_is(part, "Execution_Part"):
                self.translate(part.content)
            else:
                self.one(part)
        self.text.close()
        self.frame.leave_block()

    def of_associate_construct(self, node, line):
        self.named_block(node, lambda: self.associated(node, line))

    def associated(self, node, line):
        statement = node.content[0]
        before = dict(self.frame.aliases)
        self.text.open(line, "{")
        for association in statement.items[1].items:
            self.associate(line, str(association.items[0]).lower(),
                           association.items[2])
        for part in node.content[1:-1]:
            self.one(part)
        self.text.close()
        self.frame.aliases = before

    def associate(self, line, name, node):
        value = self.expressions.scalar(node)
        if isinstance(node, f.Name):  # which scalars an iteration assigns is told by their names
            value.is_place = False
        own = f"{name}Here"
        # An element of an array that is only read is const.
        kind = "auto&" if value.is_place else f"const {value.type.c_name}"
        self.text.statement(line, f"{kind} {own} = {value.text};")
        self.frame.aliases[name] = Value(own, value.type, is_place=value.is_place)

    # Jumps.

    def of_cycle_stmt(self, node, line):
        loop = self.loop_of(node, line, "cycle")
        if loop.is_nest:
            self.text.statement(line, "return;")
        elif loop is self.innermost():
            self.text.statement(line, "continue;")
        else:
            loop.cycle_label = loop.cycle_label or self.new_label("Next")
            self.text.statement(line, f"goto {loop.cycle_label};")

    def of_exit_stmt(self, node, line):
        loop = self.loop_of(node, line, "exit")
        if loop.is_nest:
            raise Refused(line, "exit out of the marked loop: its iterations run side by side; "
                          "cycle instead, or test the condition in each")
        if loop is self.innermost():
            self.text.statement(line, "break;")
        else:
            loop.exit_label = loop.exit_label or self.new_label("End")
            self.text.statement(line, f"goto {loop.exit_label};")

    def loop_of(self, node, line, word):
        name = str(node.items[1]).lower() if node.items[1] is not None else ""
        for loop in reversed(self.loops):
            if (not name and not loop.is_block) or (name and loop.name == name):
                if loop.is_nest and loop.name != self.loops_name_of_nest(name):
                    raise Refused(line, f"{word} {name} leaves loops of the marked nest; its "
                                  "iterations run side by side")
                return loop
        raise Refused(line, f"{word} is in no loop" + (f" called {name}" if name else ""))

    def loops_name_of_nest(self, name):
        """The name that cycle may have for the nest: that of its innermost loop."""
        nests = [loop for loop in self.loops if loop.is_nest]
        return nests[-1].name if not name or nests[-1].name == name else None

    def innermost(self):
        """The loop that continue and break mean in C++."""
        loops = [loop for loop in self.loops if not loop.is_block]
        return loops[-1] if loops else None

    def new_label(self, word):
        self.labels += 1
        return f"{word}{self.labels}"

    def of_return_stmt(self, node, line):
        if self.on_return is None:
            raise Refused(line, "return in a marked loop; cycle ends an iteration")
        self.text.statement(line, self.on_return)

    # Loops.

    def of_block_nonlabel_do_construct(self, node, line):
        translate_loop(self, node, line)

    of_block_label_do_construct = of_block_nonlabel_do_construct
    of_action_term_do_construct = of_block_nonlabel_do_construct


def split_cases(node):
    """The cases of a construct with their statements, and the default one."""
    branches, default, body = [], None, []
    for part in node.content[1:-1]:
        if class_is(part, "Case_Stmt"):
            body = []
            if part.items[0].items[0] is None:
                default = (part, body)
            else:
                branches.append((part, body))
        else:
            body.append(part)
    return branches, default


def first_words(node):
    return str(node).strip().split("\n")[0][:60]
