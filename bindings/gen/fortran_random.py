"""Writes the draws of Fortran's gpuarr_generator from distributions, which are alike."""
import textwrap

from fortran_kinds import MARK

COMMON = """\
  !> @param x       the numbers: an array that is set is filled, of any layout on any device; else
  !>                one is made
  !> @param shape   its extents, integers; without it one that is made has no dims
  !> @param dtype   its dtype; without it one that is made is float32
  !> @param stream  stream to work in; the current one of the array's device without it
  !> Parameters are scalars, or arrays that broadcast to x. Fails with what gpuarr_random_uniform
  !> fails with.
"""

# Name, parameters with a default or none, whether there is a dtype, comment.
DRAWS = [
    ("uniform", [("low", "0"), ("high", "1")], True,
     "Draw real numbers from an interval, its end not included."),
    ("normal", [("mean", "0"), ("std", "1")], True, "Draw from the normal distribution."),
    ("lognormal", [("mean", "0"), ("std", "1")], True,
     "Draw numbers whose logarithm is normal."),
    ("exponential", [("scale", "1")], True, "Draw from the exponential distribution of a mean."),
    ("gamma", [("k", ""), ("scale", "1")], True, "Draw from the gamma distribution of shape k."),
    ("poisson", [("lam", "")], False, "Draw from the Poisson distribution of a mean, as int64."),
    ("binomial", [("trials", ""), ("p", "")], False,
     "Draw from the binomial distribution, as int64."),
    ("bernoulli", [("p", "")], False, "Draw bools, each true as likely as p."),
]


def continued(text):
    return "    " + " &\n        ".join(textwrap.wrap(text, 90, break_long_words=False))


def draw(name, parameters, has_dtype, about):
    needed = [p for p, default in parameters if not default]
    others = [p for p, default in parameters if default]
    dtype = ["dtype"] if has_dtype else []
    names = ", ".join(["self", "x", *needed, "shape", *others, *dtype, "stream", "stat", "errmsg"])
    lines = ["class(gpuarr_generator), intent(in) :: self",
             "type(gpuarr_array), intent(inout) :: x"]
    lines += [f"class(*), intent(in) :: {', '.join(needed)}"] if needed else []
    lines.append("class(*), intent(in), optional :: shape(:)")
    lines += [f"class(*), intent(in), optional :: {', '.join(others)}"] if others else []
    lines += ["integer(c_int32_t), intent(in), optional :: dtype"] if has_dtype else []
    lines += ["type(gpuarr_stream), intent(in), optional :: stream",
              "integer, intent(out), optional :: stat",
              "character(:), allocatable, intent(inout), optional :: errmsg",
              "type(call_state) :: state", "type(drawing) :: draw",
              f'call begin(draw, x, shape, "{name}", stream, state)']
    places = ["draw%a", "draw%b"][:len(parameters)]
    for place, (parameter, default) in zip(places, parameters):
        value = f"given({parameter}, {default})" if default else parameter
        lines.append(f"call set_parameter({place}, {value}, draw%rank, state)")
    passed = ["draw%array", "self%handle", *places,
              *(["int_or(dtype_for(x, GPUARR_F32), dtype)"] * has_dtype),
              "draw%rank", "draw%shape", "stream_handle(stream)"]
    lines += [f"if (is_ok(state)) state%status = gpuarr_random_{name}_c({', '.join(passed)})",
              *(f"call let_go({parameter})" for parameter, _ in parameters),
              "call done(draw, x, state)", "if (present(errmsg)) call tell(state, errmsg)",
              "call finish(state, stat)"]
    head = textwrap.wrap(f"subroutine generator_{name}({names})", 92)
    return (f"  !> {about}\n" + (COMMON if name == "uniform" else
                                "  !> Other parameters and errors as `uniform`.\n") +
            "  " + " &\n      ".join(head) + "\n" + "\n".join(continued(line) for line in lines) +
            "\n  end subroutine\n")


def draws_file():
    return MARK + "\n" + "\n".join(draw(*row) for row in DRAWS)


def names_file():
    return MARK + "".join(f"    procedure :: {row[0]} => generator_{row[0]}\n" for row in DRAWS)
