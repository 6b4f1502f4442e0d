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


def variables_in(node):
    """What may be variables in a tree, with their nodes: as t and as p%r%x, which is one of p. The
    names of keywords are none."""
    inner = getattr(node, "content", None) or getattr(node, "items", None) or ()
    if isinstance(node, f.Name):
        yield node.string.lower(), node
        return
    if isinstance(node, f.Data_Ref):
        names = [str(i).lower() for i in node.items if isinstance(i, f.Name)]
        if len(names) == len(node.items):
            yield "%".join(names), node
            return
        inner = [i for k, i in enumerate(node.items) if k == 0 or not isinstance(i, f.Name)]
    elif isinstance(node, (f.Actual_Arg_Spec, f.Component_Spec)):
        inner = node.items[1:]
    own = str(node.items[1].items[0]).lower() if isinstance(node, f.Ac_Implied_Do) else ""
    for child in nodes_of(inner):
        yield from (found for found in variables_in(child) if found[0] != own)


def names_in(node):
    return {path.split("%")[0] for path, _ in variables_in(node)}
