"""Files as modules and procedures: parses them and reads their declarations."""
import logging

from fparser.common.readfortran import FortranStringReader
from fparser.common.sourceinfo import FortranFormat
from fparser.two import Fortran2003 as f
from fparser.two.parser import ParserFactory
from fparser.two.utils import FortranSyntaxError

from .declarations import Declarations
from .loops import LOOPS
from .refusal import Refused, line_of
from .scope import Files, Module, Procedure, Variable
from .source import Source
from .tree import class_is


class FileRefused(Exception):
    """A refusal, with the file that it is in."""

    def __init__(self, name, refusal):
        super().__init__(refusal.message)
        self.text = f"{name}:{refusal.line}: {refusal.message}"


class Reader(FortranStringReader):
    """fparser's reader, which otherwise ends the program where it finds an error."""

    def error(self, message, item=None):
        line = item.span[0] if item is not None else max(1, self.linecount)
        raise Refused(line, f"not Fortran that can be read: {message}")


def read_files(paths):
    """All modules of all files, in their order."""
    logging.disable(logging.CRITICAL)
    files = Files()
    parser = ParserFactory().create(std="f2008")
    for path in paths:
        try:
            source = Source(path)
            files.sources.append(source)
            add_file(files, source, parse(parser, source))
        except Refused as refusal:
            raise FileRefused(path, refusal) from None
    return files


def parse(parser, source):
    reader = Reader(source.text, ignore_comments=True)
    reader.set_format(FortranFormat(not source.fixed, False))
    try:
        tree = parser(reader)
    except FortranSyntaxError as error:
        found = str(error)
        number = int(found.split("line ")[1].split()[0]) if "line " in found else 1
        wrong = found.split(">>>")[-1].strip().split("\n")[0] if ">>>" in found else found
        raise Refused(number, f"not Fortran that can be read: {wrong}; gfortran says more, and "
                      "what newer standards have may have to be written in other words") from None
    except (AssertionError, AttributeError, IndexError, TypeError, ValueError) as error:
        raise Refused(max(1, reader.linecount), "not Fortran that fparser can read, near this line:"
                      f" {error}; gfortran says more") from None
    marked = set(source.directives)
    nest_loops(tree, marked)
    for line in sorted(marked):
        raise Refused(source.directives[line].line, "no loop and no procedure is behind "
                      "!$gpuarr; put it on the line before do, subroutine or function")
    return tree


def nest_loops(node, marked):
    """Loops that end at one label, do 10 j ... do 10 i ... 10 continue, come as one loop with two
    heads: put the inner one where it belongs. Takes the lines of loops and procedures out of
    `marked`."""
    content = getattr(node, "content", None) or []
    inner = [k for k, part in enumerate(content) if k and class_is(part, "Label_Do_Stmt")]
    if inner and class_is(node, "Block_Label_Do_Construct", "Action_Term_Do_Construct"):
        made = object.__new__(type(node))
        made.parent, made.content = node, content[inner[0]:]
        for part in made.content:
            part.parent = made
        content[inner[0]:] = [made]
    if class_is(node, *LOOPS, "Function_Subprogram", "Subroutine_Subprogram"):
        marked.discard(line_of(node))
    for part in content:
        nest_loops(part, marked)


def add_file(files, source, tree):
    for unit in tree.content:
        if isinstance(unit, f.Module):
            add_module(files, source, unit)


def add_module(files, source, unit):
    name = str(unit.content[0].items[1]).lower()
    line = line_of(unit.content[0])
    if name in files.modules:
        raise Refused(line, f"there is another module {name} in {files.modules[name].file.name}")
    module = Module(name, line, source)
    files.modules[name] = module
    declarations = Declarations(files)
    for part in unit.content:
        if isinstance(part, f.Specification_Part):
            declarations.read(module, part)
        elif isinstance(part, f.Module_Subprogram_Part):
            add_procedures(files, declarations, module, part)


def add_procedures(files, declarations, scope, part):
    for unit in part.content:
        if isinstance(unit, (f.Function_Subprogram, f.Subroutine_Subprogram)):
            procedure = read_procedure(files, declarations, scope, unit)
            scope.procedures[procedure.name] = procedure


def read_procedure(files, declarations, scope, unit):
    statement = unit.content[0]
    is_function = isinstance(unit, f.Function_Subprogram)
    prefix, name, dummies, suffix = statement.items
    procedure = Procedure(str(name), line_of(statement), scope,
                          "function" if is_function else "subroutine")
    procedure.dummies = [str(d).lower() for d in dummies.items] if dummies is not None else []
    procedure.last_line = line_of(unit.content[-1], procedure.line)
    for part in unit.content:
        if isinstance(part, f.Specification_Part):
            declarations.read(procedure, part)
        elif isinstance(part, f.Execution_Part):
            procedure.body = part.content
        elif isinstance(part, f.Internal_Subprogram_Part):
            add_procedures(files, declarations, procedure, part)
    type_ = read_prefix(declarations, procedure, prefix)  # whose kind may be one of its own
    for dummy in procedure.dummies:
        if dummy in procedure.variables:
            procedure.variables[dummy].is_dummy = True
    if is_function:
        set_result(procedure, suffix, type_)
    return procedure


def read_prefix(declarations, procedure, prefix):
    """What stands before `function`: words, and a type."""
    found = None
    for item in prefix.items if prefix is not None else []:
        if class_is(item, "Prefix_Spec"):
            procedure.prefix.add(str(item).lower())
        else:
            found = declarations.type_of(procedure, item)
    return found


def set_result(procedure, suffix, type_):
    procedure.result = procedure.name
    if suffix is not None:
        names = [i for i in getattr(suffix, "items", []) if isinstance(i, f.Name)]
        if names:
            procedure.result = str(names[0]).lower()
    if procedure.result not in procedure.variables and type_ is not None:
        variable = Variable(procedure.result, type_, procedure.line)
        variable.owner = procedure
        procedure.variables[procedure.result] = variable
