"""Writes the ready-made operations for Fortran: gpuarr_NAME(out, x, ..., stream, stat, errmsg)."""
import json
import os
import textwrap

from fortran_expressions import catalogue
from fortran_kinds import MARK
from fortran_operations_table import OPERATIONS

HERE = os.path.dirname(os.path.abspath(__file__))
ENDING = ["if (present(errmsg)) call tell(state, errmsg)", "call finish(state, stat)"]
OPTIONS = ["integer, intent(out), optional :: stat",
           "character(:), allocatable, intent(inout), optional :: errmsg"]
STREAM = "type(gpuarr_stream), intent(in), optional :: stream"
OPERAND = "class(gpuarr_operand), intent(in)"
ARRAY = "type(gpuarr_array), intent(inout)"

HEAD = MARK + """\
{about}
module {module}
  use, intrinsic :: iso_c_binding
  use gpuarr_arguments
  use gpuarr_arrays
  use gpuarr_c
  use gpuarr_errors
  use gpuarr_expressions
  use gpuarr_formulas
  use gpuarr_scalars
  use gpuarr_streams
  implicit none
  private
"""


FUNCTIONS_ABOUT = (
    "Functions that work element by element, by their names in C. The result comes first and is "
    "made if it is not set; a failure can be asked for; and with `where`, an array of bools, an "
    "output that is set keeps what it holds where that is false. Arguments are arrays, results, "
    "and scalars but for those that are alone. Dtypes are as in gpuarr/arithmetic.h.")


def api():
    with open(os.path.join(HERE, "api.json"), encoding="utf-8") as file:
        return {function["name"]: function for function in json.load(file)["functions"]}


def continued(text, indent):
    lines = textwrap.wrap(text, 94 - len(indent), break_long_words=False,
                          break_on_hyphens=False)
    return indent + f" &\n{indent}    ".join(lines)


def comment(text):
    return textwrap.fill(text, 98, initial_indent="  !> ", subsequent_indent="  !> ")


class Argument:
    """What an argument is in Fortran and in C, by a token of the table such as "dim:dim=1"."""

    def __init__(self, token, operation):
        kind, _, rest = token.partition(":")
        self.name, _, self.default = rest.partition("=")
        self.local, self.first, self.before, self.after = [], [], [], []
        optional = kind.endswith("?") or self.default != ""
        getattr(self, kind.rstrip("?"))(operation, optional)

    def declare(self, declaration, optional, bounds=""):
        self.declaration = f"{declaration}{', optional' * optional} :: {self.name}{bounds}"

    def out(self, _operation, optional, counted=False):
        made = f"{self.name}_made"
        self.declare(ARRAY, optional)
        self.c = made if optional else f"{made}(1)"
        given = f"if (present({self.name})) " if optional else ""
        self.local = [f"type(c_ptr), allocatable :: {made}(:)" if optional else
                      f"type(c_ptr) :: {made}(1)"]
        self.before = [f"{given}{made} = [{self.name}%c_handle()]"]
        self.after = [f"{given}call keep({self.name}, {made}(1))"]
        if counted:
            self.after.insert(0, f"{given}call count_from_one({made}(1), state, stream)")

    def place(self, operation, optional):
        self.out(operation, optional, counted=True)

    def into(self, _operation, optional):
        self.declare("type(gpuarr_array), intent(in)", optional)
        self.c = f"{self.name}%c_handle()"

    def operand(self, _operation, optional):
        self.declare(OPERAND, optional)
        self.c = f"handle_of({self.name})" if optional else f"{self.name}%c_handle()"
        self.after = [f"call let_go({self.name})"]

    def index(self, _operation, _optional):
        self.declare(OPERAND, False)
        self.c = moved = f"{self.name}_moved"
        extent = f"extent_of({self.default or 'x'}, {'0' if self.default else 'dim_axis'})"
        self.local = [f"type(c_ptr) :: {moved}"]
        self.before = [f"call count_from_zero({moved}, {self.name}, {extent}, state, stream)"]
        self.after = [f"call gpuarr_array_release_c({moved})", f"call let_go({self.name})"]

    def value(self, _operation, optional):
        self.declare("class(*), intent(in)", optional)
        self.c = f"argument_of({self.name}{', ' + self.default if self.default else ''})"
        self.after = [f"call let_go({self.name})"]

    def dim(self, _operation, _optional):
        self.declare("integer, intent(in)", self.default != "")
        self.c = f"{self.name}_axis"
        self.local = [f"integer(c_int32_t) :: {self.c}"]
        self.first = [f"call to_axis({self.c}, {self.default}, {self.name}, state)"]

    def flag(self, _operation, _optional):
        self.declare("logical, intent(in)", True)
        self.c = f"flag_or(.{self.default}., {self.name})"

    def int(self, _operation, optional):
        self.declare("integer, intent(in)", optional)
        self.c = f"int_or({self.default}, {self.name})" if optional else self.name

    def real(self, _operation, _optional):
        self.declare("real(c_double), intent(in)", True)
        self.c = f"real_or({self.default}_c_double, {self.name})"

    def whole(self, operation, optional):
        self.declare("class(*), intent(in)", optional)
        self.c = f"{self.name}_number"
        self.local = [f"integer(c_int64_t) :: {self.c}"]
        self.before = [f"call whole({self.c}, {self.name}, {self.default or 0}_c_int64_t, "
                       f'"{operation}: {self.name}", state)']

    def from_one(self, operation, optional):
        self.whole(operation, optional)
        self.c += " - 1"

    def wholes(self, _operation, optional):
        self.declare("integer, intent(in)", optional, "(:)")
        self.c = f"int({self.name}, c_int64_t)"

    def dims(self, _operation, optional):
        self.declare("integer, intent(in)", optional, "(:)")
        self.c = f"{self.name} - 1"
        self.first = [f"call check_dims({self.name}, state)"]

    def reals(self, _operation, optional):
        self.declare("real(c_double), intent(in)", optional, "(:)")
        self.c = self.name

    def pair(self, _operation, optional):
        self.declare("real(c_double), intent(in)", optional, "(2)")
        self.c = self.name

    def text(self, _operation, optional):
        self.declare("character(*), intent(in)", optional)
        self.c = f"c_text({self.name})"


def subroutine(operation, arguments, body, local, has_stream, about):
    """The text of gpuarr_OPERATION, which ends as all procedures of the binding do."""
    last = (["stream"] if has_stream else []) + ["stat", "errmsg"]
    names = ", ".join([argument.name for argument in arguments] + last)
    lines = [argument.declaration for argument in arguments]
    lines += [STREAM] if has_stream else []
    lines += [*OPTIONS, "type(call_state) :: state", *local, *body, *ENDING]
    return "\n".join([comment(about), continued(f"subroutine {operation}({names})", "  "),
                      *(continued(line, "    ") for line in lines), "  end subroutine", "", ""])


def ready_made(row, declared):
    """A row of the table as a subroutine that calls C."""
    name, tokens, about = row[:3]
    operation = f"gpuarr_{name}"
    arguments = [Argument(token, operation) for token in tokens.split()]
    has_stream = any(p["name"] == "stream" for p in declared["parameters"])
    passed = ", ".join(argument.c for argument in arguments)
    if row[3:4] not in ((), (None,)):
        passed = row[3].format(**{a.name: a.c for a in arguments})
    passed += ", stream_handle(stream)" if has_stream else ""
    body = ["call check_stream(stream, state)"] if has_stream else []
    body += [line for argument in arguments for line in argument.first]
    body += [f'call check_sizes("{operation}: {what}", {sizes}, state)'
             for what, sizes in row[4:5]]
    body += [line for argument in arguments for line in argument.before]
    body.append(f"if (is_ok(state)) state%status = {operation}_c({passed})")
    body += [line for argument in arguments for line in argument.after]
    local = [line for argument in arguments for line in argument.local]
    return subroutine(operation, arguments, body, local, has_stream, about)


def given_value(argument):
    """What `apply` gets, which takes operands and values as they are."""
    if "optional" in argument.declaration and "class(*)" in argument.declaration:
        return f"given({argument.name})"
    return argument.name if "argument_of" in argument.c or "handle" in argument.c else argument.c


TOKENS = {"array": "operand", "arg": "value", "int32": "int", "double": "real", "flag": "flag"}


def token_of(row):
    """An input of the catalogue as one of the table's tokens."""
    default = row["default"]
    if row["kind"] == "flag":
        default = {"0": "false", "1": "true"}[default]
    return (TOKENS[row["kind"]] + "?" * row["optional"] + ":" + row["name"]
            + f"={default}" * (default != ""))


def elementwise(function, row):
    """A function of gpuarr_apply as a subroutine, with a mask."""
    name, outs = row["name"], row["outputs"]
    tokens = [f"out:{out}" for out in outs] + list(map(token_of, row["inputs"]))
    inputs = [given["name"] for given in row["inputs"]]
    tokens.append("operand?:where")
    arguments = [Argument(token, function["name"]) for token in tokens]
    passed = [given_value(a) for a in arguments]
    given = [p for a, p in zip(arguments, passed) if a.name in inputs]
    made = [f"{out}_made(1)" for out in outs]
    both = "outs" if len(outs) > 1 else f"{outs[0]}_made"
    body = [line for a in arguments for line in a.before]
    body += [f"outs = [{', '.join(made)}]"] * (len(outs) > 1)
    body.append(f'call apply(state, {both}, "{name}", {", ".join(given)}, where=where, '
                "stream=stream)")
    body += [f"{own} = outs({k})" for k, own in enumerate(made, 1)] * (len(outs) > 1)
    body += [line for a in arguments for line in a.after
             if "keep" in line or "given" in given_value(a)]
    local = [line for a in arguments for line in a.local]
    local += [f"type(c_ptr) :: outs({len(outs)})"] * (len(outs) > 1)
    return subroutine(function["name"], arguments, body, local, True, function["doc"])


def module(name, about, procedures):
    """A module of procedures by their names."""
    about = textwrap.fill(about, 98, initial_indent="!> ", subsequent_indent="!> ")
    return (HEAD.format(about=about, module=name) +
            continued("public :: " + ", ".join(procedures), "  ") + "\n\ncontains\n\n" +
            "".join(procedures.values()) + "end module\n")


def functions_file():
    declared = api()
    return module("gpuarr_functions", FUNCTIONS_ABOUT,
                  {f"gpuarr_{row['name']}": elementwise(declared[f"gpuarr_{row['name']}"], row)
                   for row in catalogue()})


def operations_file(name):
    about, rows = OPERATIONS[name]
    declared = api()
    return module(name, about, {f"gpuarr_{row[0]}": ready_made(row, declared[f"gpuarr_{row[0]}"])
                                for row in rows})
