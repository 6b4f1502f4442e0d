"""Arguments of calls: by place, or by a keyword."""
from fparser.two import Fortran2003 as f


def keyword_of(argument):
    """('x', node) of `x = ...`, ('', node) of what has no keyword. What the parser takes for a
    structure constructor has components in place of arguments."""
    if isinstance(argument, (f.Actual_Arg_Spec, f.Component_Spec)):
        return str(argument.items[0]).lower(), argument.items[1]
    return "", argument
