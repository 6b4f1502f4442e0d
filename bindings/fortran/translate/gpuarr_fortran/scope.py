"""What names mean: variables, derived types, procedures and modules, as declared."""
from copy import copy

from .refusal import Refused
from .types import INTRINSIC_MODULES, Type, c_name_of


class Variable:
    """A variable, a dummy argument or a named constant."""

    def __init__(self, name, type_, line):
        self.name = name.lower()
        self.original = self.name  # what its module calls it, where use gives another name
        self.type = type_
        self.line = line
        self.dims = []  # of an array: (lower, upper), nodes or None
        self.shape = ""  # of an array: explicit, assumed, size, deferred
        self.intent = ""
        self.is_dummy = False
        self.attributes = set()  # parameter, optional, value, allocatable, pointer, save ...
        self.init = None
        self.value = None  # of a constant of an intrinsic module
        self.owner = None  # the procedure or module

    @property
    def is_constant(self):
        return "parameter" in self.attributes

    @property
    def is_array(self):
        return bool(self.dims)

    @property
    def rank(self):
        return len(self.dims)

    @property
    def c_name(self):
        return c_name_of(self.name)


class DerivedType:
    """A derived type: its components, and why it is none for the device, if so."""

    def __init__(self, name, module, line):
        self.name = name.lower()
        self.module = module
        self.line = line
        self.components = []  # Variables
        self.refusal = ""
        self.attributes = set()

    @property
    def c_name(self):
        return f"{self.module.namespace}::{c_name_of(self.name)}" if self.module else self.name

    def component(self, name):
        for component in self.components:
            if component.name == name:
                return component
        return None


class Scope:
    """What a module, a program or a procedure declares, inside of another scope."""

    def __init__(self, name, line, parent=None):
        self.name = name.lower()
        self.line = line
        self.parent = parent
        self.variables = {}
        self.types = {}
        self.procedures = {}
        self.generics = {}  # name: names of procedures
        self.uses = []  # (module's name, {local: its name} or None for all, renamed, line)
        self.private = set()
        self.public = set()
        self.private_by_default = False
        self.saves_all = False  # a statement save
        self.renamed = {}  # (Variable, name): the variable under a name that use gives it

    def own(self, table, name):
        return getattr(self, table).get(name)

    def find(self, table, name, files):
        """What the name means here: of `variables`, `types`, `procedures` or `generics`."""
        scope = self
        while scope is not None:
            found = scope.own(table, name) or scope.used(table, name, files)
            if found is not None:
                return found
            scope = scope.parent
        return None

    def used(self, table, name, files):
        for module, only, renamed, _ in self.uses:
            wanted = name
            if only is not None:
                if name not in only:
                    continue
                wanted = only[name]
            elif name in renamed:
                wanted = renamed[name]
            found = self.of_module(table, module, wanted, files)
            if found is not None:
                return self.under(name, found) if table == "variables" else found
        return None

    def under(self, name, variable):
        if variable.name == name:
            return variable
        if (variable, name) not in self.renamed:
            self.renamed[variable, name] = copy(variable)
            self.renamed[variable, name].name = name
        return self.renamed[variable, name]

    def of_module(self, table, module, name, files):
        if module in files.modules:
            other = files.modules[module]
            if not other.exports(name):
                return None
            return other.own(table, name) or other.used(table, name, files)
        if table == "variables" and module in INTRINSIC_MODULES:
            return intrinsic_constant(module, name)
        return None

    def exports(self, name):
        if name in self.public:
            return True
        return not (name in self.private or self.private_by_default)

    def uses_others(self, files):
        """Whether modules are used, here or around, that no file has, intrinsic ones too."""
        scope = self
        while scope is not None:
            if any(use[0] not in files.modules for use in scope.uses):
                return True
            scope = scope.parent
        return False

    def unknown_modules(self, files):
        """Modules that are used, here or around, and that no file has."""
        scope, names = self, []
        while scope is not None:
            names += [use[0] for use in scope.uses
                      if use[0] not in files.modules and use[0] not in INTRINSIC_MODULES]
            scope = scope.parent
        return names


def intrinsic_constant(module, name):
    value = INTRINSIC_MODULES[module].get(name)
    if value is None:
        return None
    variable = Variable(name, Type("integer", 4), 0)
    variable.attributes.add("parameter")
    variable.value = value
    return variable


class Block(Scope):
    """A block construct."""


class Module(Scope):
    """A module of a file."""

    def __init__(self, name, line, file):
        super().__init__(name, line)
        self.file = file

    @property
    def namespace(self):
        return f"module_{self.name}"


class Procedure(Scope):
    """A function or subroutine, of a module or inside of another."""

    def __init__(self, name, line, parent, kind):
        super().__init__(name, line, parent)
        self.kind = kind  # function, subroutine
        self.prefix = set()  # elemental, pure, recursive, impure
        self.dummies = []
        self.result = ""
        self.body = []
        self.last_line = line
        self.statement_line = line

    @property
    def module(self):
        scope = self.parent
        while scope is not None and not isinstance(scope, Module):
            scope = scope.parent
        return scope

    @property
    def file(self):
        return self.module.file

    @property
    def c_name(self):
        return c_name_of(self.name)

    @property
    def arguments(self):
        """The dummies as variables."""
        for name in self.dummies:
            if name not in self.variables:
                raise Refused(self.line, f"{self.name}: argument '{name}' is not declared; names "
                              "without a declaration are not read")
        return [self.variables[name] for name in self.dummies]

    @property
    def result_variable(self):
        return self.variables.get(self.result)

    @property
    def is_pure(self):
        if "impure" in self.prefix:
            return False
        return bool({"pure", "elemental"} & self.prefix)

    @property
    def is_elemental(self):
        return "elemental" in self.prefix


class Files:
    """All files of a translation: the modules that they have."""

    def __init__(self):
        self.sources = []
        self.modules = {}
