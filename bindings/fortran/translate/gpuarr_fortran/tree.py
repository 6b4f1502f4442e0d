"""Ways through the tree that fparser makes."""
from fparser.two import Fortran2003 as f


def class_is(node, *names):
    return type(node).__name__ in names


def root_name(node):
    """u of u(i, j) and of u%x."""
    return str(node).split("(")[0].split("%")[0].strip().lower()


def walk(node):
    """All nodes of a tree, parents first."""
    yield node
    for child in nodes_of(getattr(node, "content", None) or getattr(node, "items", None) or ()):
        yield from walk(child)


def nodes_of(children):
    """The nodes among a node's children, those in lists too."""
    for child in children:
        if isinstance(child, (list, tuple)):
            yield from nodes_of(child)
        elif child is not None and not isinstance(child, str):
            yield child


def components_of(node):
    """p, r and x of p%r%x, which the parser takes for a procedure beside arguments that are
    literals."""
    if isinstance(node, f.Data_Ref):
        return [part for item in node.items for part in components_of(item)]
    if isinstance(node, f.Proc_Component_Ref):
        return components_of(node.items[0]) + [node.items[2]]
    return [node]


def variables_in(node):
    """What may be variables in a tree, with their nodes: as t and as p%r%x, which is one of p. The
    names of keywords are none."""
    inner = getattr(node, "content", None) or getattr(node, "items", None) or ()
    if isinstance(node, f.Name):
        yield node.string.lower(), node
        return
    if isinstance(node, (f.Data_Ref, f.Proc_Component_Ref)):
        parts = components_of(node)
        if all(isinstance(part, f.Name) for part in parts):
            yield "%".join(str(part).lower() for part in parts), node
            return
        inner = parts[:1] + [part for part in parts[1:] if not isinstance(part, f.Name)]
    elif isinstance(node, (f.Actual_Arg_Spec, f.Component_Spec)):
        inner = node.items[1:]
    own = str(node.items[1].items[0]).lower() if isinstance(node, f.Ac_Implied_Do) else ""
    for child in nodes_of(inner):
        yield from (found for found in variables_in(child) if found[0] != own)


def names_in(node):
    return {path.split("%")[0] for path, _ in variables_in(node)}
