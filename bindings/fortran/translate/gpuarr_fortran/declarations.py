"""Reads declarations: fills scopes with what a specification part declares."""
from fparser.two import Fortran2003 as f

from .constants import Constants, NotConstant
from .refusal import line_of
from .scope import DerivedType, Variable
from .tree import class_is, root_name, walk
from .types import Type


class Declarations:
    """Reads the specification parts of one scope after the other."""

    def __init__(self, files):
        self.files = files
        self.constants = Constants(files)

    def read(self, scope, part):
        for node in getattr(part, "content", None) or []:
            if isinstance(node, f.Implicit_Part):
                self.read(scope, node)
                continue
            reader = getattr(self, "read_" + type(node).__name__.lower(), None)
            if reader is not None:
                reader(scope, node)

    def read_use_stmt(self, scope, node):
        module = str(node.items[2]).lower()
        only, renamed = None, {}
        if node.items[3] is not None and "ONLY" in str(node.items[3]).upper():
            only = {}
        items = node.items[4].items if node.items[4] is not None else []
        for item in items:
            if isinstance(item, f.Rename):
                (only if only is not None else renamed)[str(item.items[1]).lower()] = \
                    str(item.items[2]).lower()
            elif only is not None:
                only[str(item).lower()] = str(item).lower()
        scope.uses.append((module, only, renamed, line_of(node)))

    def read_access_stmt(self, scope, node):
        word, names = str(node.items[0]).lower(), node.items[1]
        names = [str(name).lower() for name in names.items] if names is not None else []
        if word == "private" and not names:
            scope.private_by_default = True
        (scope.private if word == "private" else scope.public).update(names)

    def read_type_declaration_stmt(self, scope, node):
        type_ = self.type_of(scope, node.items[0])
        attributes, dims, intent = self.attributes(node.items[1])
        for entity in node.items[2].items:
            variable = self.variable(scope, entity, type_, dims, node)
            variable.attributes |= attributes
            variable.intent = intent or variable.intent
            if "private" in attributes:
                scope.private.add(variable.name)
            if "public" in attributes:
                scope.public.add(variable.name)
            scope.variables[variable.name] = variable

    def variable(self, scope, entity, type_, dims, node):
        name = str(entity.items[0]).lower()
        variable = scope.variables.get(name) or Variable(name, type_, line_of(node))
        variable.type = type_
        variable.owner = scope
        variable.line = line_of(node)
        spec = entity.items[1] if entity.items[1] is not None else dims
        if spec is not None:
            self.set_shape(variable, spec)
        init = entity.items[3] if len(entity.items) > 3 else None
        if init is not None:
            variable.init = init.items[1]
        return variable

    def set_shape(self, variable, spec):
        """The dims of an array, from the node that has them."""
        name = type(spec).__name__
        if name == "Assumed_Size_Spec":
            before = spec.items[0].items if spec.items[0] is not None else []
            variable.dims = [tuple(s.items) for s in before] + [(spec.items[1], None)]
            variable.shape = "size"
            return
        variable.dims = [tuple(s.items) for s in spec.items]
        if name.startswith("Explicit"):
            variable.shape = "explicit"
        elif name.startswith("Deferred"):
            variable.dims = [(None, None)] * len(spec.items)
            variable.shape = "deferred"
        else:
            variable.shape = "assumed"

    def attributes(self, specs):
        words, dims, intent = set(), None, ""
        for spec in specs.items if specs is not None else []:
            if isinstance(spec, f.Intent_Attr_Spec):
                intent = str(spec.items[1]).lower().replace(" ", "")
            elif isinstance(spec, f.Dimension_Attr_Spec):
                dims = spec.items[1]
            else:
                words.add(str(spec).lower())
        return words, dims, intent

    def type_of(self, scope, node):
        """The type that a declaration or a prefix names."""
        if isinstance(node, f.Declaration_Type_Spec):
            return self.derived_type(scope, node)
        if not isinstance(node, f.Intrinsic_Type_Spec):
            return None
        base, selector = node.items[0].lower(), node.items[1]
        if base == "character":
            return Type("character", 1)
        if base.replace(" ", "") == "doubleprecision":
            return Type("real", 8)
        if base.replace(" ", "") == "doublecomplex":
            return Type("complex", 8)
        kind = 4
        if selector is not None:
            kind = self.constants.kind(selector.items[1], scope)
            if selector.items[0] == "*" and base == "complex":
                kind //= 2
        if base == "logical":
            return Type("logical", 1, logical_kind=kind)
        return Type(base, kind)

    def derived_type(self, scope, node):
        name = str(node.items[1]).lower()
        found = scope.find("types", name, self.files)
        if found is None:
            found = DerivedType(name, None, line_of(node))
            found.refusal = "is not declared in the files that are translated"
        elif str(node.items[0]).lower() == "class":
            found = DerivedType(name, None, line_of(node))
            found.refusal = "is polymorphic (class); declare it as type"
        return Type("derived", 0, derived=found)

    def read_derived_type_def(self, scope, node):
        statement = node.content[0]
        name = str(statement.items[1]).lower()
        derived = DerivedType(name, scope, line_of(node))
        if statement.items[0] is not None:
            derived.attributes = {str(a).lower() for a in statement.items[0].items}
        for word, names in (("public", scope.public), ("private", scope.private)):
            if word in derived.attributes:
                names.add(name)
        scope.types[name] = derived
        for part in node.content[1:-1]:
            if isinstance(part, f.Component_Part):
                for component in part.content:
                    self.read_component(scope, derived, component)
            elif class_is(part, "Private_Components_Stmt"):
                derived.refusal = "has private components; make them public"
            elif class_is(part, "Type_Bound_Procedure_Part"):
                pass  # calls of them are refused where they are
        if any(word.startswith("extends") for word in derived.attributes):
            derived.refusal = "extends another type; write its components out"

    def read_component(self, scope, derived, node):
        if not isinstance(node, f.Data_Component_Def_Stmt):
            if class_is(node, "Private_Components_Stmt"):
                derived.refusal = "has private components; make them public"
            elif not class_is(node, "Comment"):
                derived.refusal = f"has '{node}', which the device cannot have"
            return
        type_ = self.type_of(scope, node.items[0])
        attributes, dims, _ = self.attributes(node.items[1])
        for entity in node.items[2].items:
            component = Variable(str(entity.items[0]), type_, line_of(node))
            spec = entity.items[1] if entity.items[1] is not None else dims
            component.init = entity.items[3].items[1] if entity.items[3] is not None else None
            if spec is not None or attributes & {"allocatable", "pointer"}:
                derived.refusal = (f"has the array '{component.name}'; components of types on the "
                                   "device are scalars, so pass the array itself")
            elif type_ is None or type_.base == "character":
                derived.refusal = f"has '{component.name}', which is no number or logical"
            elif type_.base == "derived" and type_.derived.refusal:
                derived.refusal = f"has {type_}, which {type_.derived.refusal}"
            derived.components.append(component)

    def read_parameter_stmt(self, scope, node):
        for item in node.items[1].items:
            variable = scope.variables.get(str(item.items[0]).lower())
            if variable is not None:
                variable.attributes.add("parameter")
                variable.init = item.items[1]

    def read_enum_def(self, scope, node):
        """Enumerators are constants, each one more than the one before."""
        before = -1
        for part in node.content[1:-1]:
            for item in part.items[1].items if class_is(part, "Enumerator_Def_Stmt") else []:
                value = self.constants.integer(item.items[2], scope) \
                    if class_is(item, "Enumerator") else before + 1
                name = str(item.items[0] if class_is(item, "Enumerator") else item).lower()
                variable = Variable(name, Type("integer", 4), line_of(part))
                variable.attributes.add("parameter")
                variable.owner, variable.value, before = scope, value, value
                scope.variables[name] = variable

    def read_save_stmt(self, scope, node):
        scope.saves_all |= node.items[1] is None
        for name in node.items[1].items if node.items[1] is not None else []:
            self.declared(scope, str(name).lower(), node).attributes.add("save")

    def read_data_stmt(self, scope, node):
        """What has a value from the beginning is saved."""
        for part in walk(node):
            if class_is(part, "Data_Stmt_Object_List"):
                for item in part.items:
                    self.declared(scope, root_name(item), node).attributes.add("save")

    def read_common_stmt(self, scope, node):
        self.share(scope, node, "Common_Block_Object_List", "common")

    def read_equivalence_stmt(self, scope, node):
        self.share(scope, node, "Equivalence_Set", "equivalence")

    def share(self, scope, node, lists, word):
        """Note that memory of variables is shared with others."""
        for part in walk(node):
            if class_is(part, lists):
                for item in walk(part):
                    if isinstance(item, f.Name):
                        self.declared(scope, item.string.lower(), node).attributes.add(word)

    def read_intent_stmt(self, scope, node):
        for name in node.items[1].items:
            variable = self.declared(scope, str(name).lower(), node)
            variable.intent = str(node.items[0]).lower().replace(" ", "")

    def read_dimension_stmt(self, scope, node):
        for name, spec in node.items[0]:
            self.set_shape(self.declared(scope, str(name).lower(), node), spec)

    def read_interface_block(self, scope, node):
        """Of generic interfaces the names of their procedures count."""
        name = node.content[0].items[-1] if node.content[0].items else None
        names = []
        for part in node.content[1:-1]:
            if class_is(part, "Procedure_Stmt"):
                names += [str(n).lower() for n in part.items[0].items]
        if name is not None and names:
            scope.generics[str(name).lower()] = names

    def declared(self, scope, name, node):
        if name not in scope.variables:
            scope.variables[name] = Variable(name, None, line_of(node))
            scope.variables[name].owner = scope
        return scope.variables[name]

    def extent(self, scope, bounds):
        """The constant lower bound and extent of a dim; NotConstant."""
        lower = 1 if bounds[0] is None else self.constants.integer(bounds[0], scope)
        if bounds[1] is None:
            raise NotConstant("extent")
        return lower, max(0, self.constants.integer(bounds[1], scope) - lower + 1)
