"""What of a procedure runs on the host around its nests: as Fortran again."""
from fparser.two import Fortran2003 as f

from .arguments import keyword_of
from .constants import NotConstant
from .intrinsics import split_arguments
from .refusal import Refused, line_of
from .scope import Module
from .tree import class_is, components_of, nodes_of

INQUIRIES = ("size", "lbound", "ubound")


class HostText:
    """Writes nodes back as Fortran of another module: arrays are on the device there, and named
    constants are declared anew, since they may be private."""

    def __init__(self, procedure, files, constants):
        self.procedure = procedure
        self.files = files
        self.constants = constants
        self.scope = procedure  # where names mean what they do
        self.parameters = {}  # named constants that the text needs: names and declarations
        self.imports = {}  # of other modules: the module's name, and its name for each
        self.names = set()  # variables of the procedure that the text has
        self.calls = {}  # procedures that get arrays of the device: where

    def of(self, node):
        """An expression or a statement."""
        if isinstance(node, f.Name):
            return self.name(node)
        if class_is(node, "Int_Literal_Constant", "Real_Literal_Constant"):
            return self.literal(node)
        if class_is(node, "Part_Ref", "Intrinsic_Function_Reference", "Structure_Constructor",
                    "Function_Reference"):
            name = str(node.items[0]).lower()
            variable = self.find(name)
            if name in INQUIRIES and variable is None and not self.is_constant(node):
                return self.inquiry(name, node)
            procedure = self.procedure.find("procedures", name, self.files)
            if variable is None and procedure is not None:
                return self.called(node, name, procedure)
            if variable is None and not class_is(node, "Intrinsic_Function_Reference"):
                self.check_known(node, name)
            if variable is not None and variable.is_array and not variable.is_constant:
                raise Refused(line_of(node, self.procedure.line), f"'{node}' is an element or a "
                              "section outside of a marked loop; what works with elements "
                              "belongs into one: !$gpuarr kernel before its do")
        if class_is(node, "Data_Ref", "Proc_Component_Ref"):
            root, *parts = components_of(node)
            return "%".join([self.of(root)] + [str(part) for part in parts])
        text, at = str(node), 0
        for child in self.children(node):
            before, after = str(child), self.of(child)
            place = text.find(before, at)
            if place < 0:
                continue
            text = text[:place] + after + text[place + len(before):]
            at = place + len(after)
        return text

    def literal(self, node):
        """A number, whose kind may be named by a constant."""
        digits, kind = node.items[:2]
        if kind is None:
            return digits
        variable = self.find(str(kind).lower())
        return f"{digits}_{self.constant(variable) if variable is not None else kind}"

    def called(self, node, name, procedure):
        """A function, which takes arrays of the device where it has loops of its own."""
        arguments = node.items[1].items if node.items[1] is not None else []
        texts, has_arrays = self.actual_arguments(arguments)
        line = line_of(node, self.procedure.line)
        if has_arrays:
            self.note_call(line, procedure)
            name = f"{procedure.name}_on_device"
        else:
            self.reach(line, name, procedure.name, procedure.parent)
        return f"{name}({', '.join(texts)})"

    def actual_arguments(self, arguments):
        """The arguments of a call as texts, and whether there are arrays among them."""
        texts, has_arrays = [], False
        for argument in arguments:
            keyword, inner = keyword_of(argument)
            variable = self.find(str(inner).lower())
            if variable is not None and variable.is_array and not variable.is_constant:
                has_arrays = True
                self.names.add(variable.name)
                text = variable.name
            else:
                text = self.of(inner)
            texts.append(f"{keyword}={text}" if keyword else text)
        return texts, has_arrays

    def note_call(self, line, procedure):
        """Arrays go to procedures of the same module that have loops of their own."""
        if procedure.module is not self.procedure.module or procedure is self.procedure:
            raise Refused(line, f"'{procedure.name}' gets arrays of the device, for which it must "
                          "be another procedure of the same module")
        self.calls.setdefault(procedure, line)

    def children(self, node):
        for child in nodes_of(getattr(node, "items", None) or ()):
            if class_is(child, "Intrinsic_Name"):
                continue
            if class_is(child, "Actual_Arg_Spec", "Component_Spec"):
                yield from nodes_of(child.items[1:])
                continue
            yield child

    def find(self, name):
        return self.scope.find("variables", name, self.files)

    def name(self, node):
        name = node.string.lower()
        variable = self.find(name)
        if variable is None:
            return name
        if variable.is_array and not variable.is_constant:
            raise Refused(line_of(node, self.procedure.line), f"the array '{name}' is used outside "
                          "of a marked loop; whole arrays and sections belong into one, element "
                          "by element")
        if variable.is_constant:
            return self.constant(variable)
        self.check_accessible(line_of(node, self.procedure.line), variable)
        self.names.add(name)
        return name

    def constant(self, variable):
        """The name that a constant is declared anew by."""
        if variable.owner is None:  # of an intrinsic module
            return variable.original
        if variable not in self.parameters:
            scope, self.scope = self.scope, variable.owner
            declared = self.constant_declaration(variable)
            self.scope = scope
            name, taken = variable.name, [known for known, _ in self.parameters.values()]
            visible = self.procedure.find("variables", name, self.files)
            if name in taken or visible not in (None, variable):
                name = f"gpuarr_{name[:40]}_{len(taken) + 1}"
            self.parameters[variable] = (name, declared)
        return self.parameters[variable][0]

    def constant_declaration(self, variable):
        """What stands before the name, and behind it."""
        init = self.of(variable.init) if variable.init is not None else variable.value
        dims = [":".join(self.of(bound) if bound is not None else "*" if k else ""
                         for k, bound in enumerate(bounds) if bound is not None or k)
                for bounds in variable.dims]
        shape = f"({', '.join(dims)})" if dims else ""
        return f"{variable.type.element.fortran()}, parameter :: ", f"{shape} = {init}"

    def check_accessible(self, line, variable):
        if variable.owner is not self.procedure and variable.owner is not None:
            self.reach(line, variable.name, variable.original, variable.owner)

    def reach(self, line, name, original, owner):
        """See that the generated module has what a module has under a name."""
        if not isinstance(owner, Module):
            raise Refused(line, f"'{original}' is inside of {owner.name}; the launches cannot see "
                          "it: move it into the module")
        if owner is self.procedure.module and not owner.exports(original):
            raise Refused(line, f"'{original}' is private in module {owner.name}; make it public, "
                          "so that the launches can use it")
        if owner is not self.procedure.module:
            self.imports[name] = (owner.name, original)

    def check_known(self, node, name):
        """See that a function or a type is what the generated module has too."""
        derived = self.scope.find("types", name, self.files)
        line = line_of(node, self.procedure.line)
        if derived is not None and derived.module is not None:
            self.reach(line, name, derived.name, derived.module)
        elif derived is None and not (self.procedure.module.exports(name)
                                      and self.procedure.uses_others(self.files)):
            raise Refused(line, f"'{name}' is not in the files that are translated; give its file "
                          "by --uses")

    def is_constant(self, node):
        """Whether an inquiry is about a named constant."""
        variable = self.find(str(node.items[1].items[0]).lower())
        return variable is not None and variable.is_constant

    def inquiry(self, name, node):
        """size(u, 1) and the like of an array that is on the device."""
        arguments = split_arguments(name, node.items[1].items)
        if len(arguments) > 2:  # a kind
            of = self.inquiry_of(name, node, arguments[:1] if arguments[1] is None
                                 else arguments[:2])
            return f"int({of}, {self.of(arguments[2])})"
        return self.inquiry_of(name, node, arguments)

    def inquiry_of(self, name, node, arguments):
        variable = self.find(str(arguments[0]).lower())
        if variable is None or not variable.is_array:
            raise Refused(line_of(node, self.procedure.line), f"{name}() takes a whole array")
        array = variable.name
        self.names.add(array)
        if len(arguments) == 1:
            if name != "size":
                raise Refused(line_of(node, self.procedure.line), f"{name}({array}) is an array; "
                              "give a dim")
            return f"gpuarr_extent({array})"
        try:
            dim = self.constants.integer(arguments[1], self.procedure)
        except NotConstant:
            raise Refused(line_of(node, self.procedure.line), f"{name}(): dim '{arguments[1]}' "
                          "must be a constant") from None
        extent = f"gpuarr_extent({array}, {dim})"
        lower = variable.dims[dim - 1][0] if dim <= variable.rank else None
        low = "1" if lower is None else self.of(lower)
        if name == "size":
            return extent
        return low if name == "lbound" else (extent if low == "1" else f"({low} + {extent} - 1)")

    def use_lines(self):
        """What comes from other modules, under the names that it has in the procedure."""
        return [f"use {module}, only: {name}" + ("" if name == original else f" => {original}")
                for name, (module, original) in self.imports.items()]

    def parameter_lines(self):
        """Declarations of the named constants, those first that others are made of."""
        return [f"{before}{name}{behind}" for name, (before, behind) in self.parameters.values()]
