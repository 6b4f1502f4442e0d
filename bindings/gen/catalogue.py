"""Reads src/ops/functions/catalogue, of elementwise functions; its README.md has the keys."""
import dataclasses
import pathlib
import re
import sys

try:
    import tomllib
except ImportError:
    print("skipped: the catalogue is read by Python 3.11 or newer")
    sys.exit(77)

TOP = pathlib.Path(__file__).resolve().parents[2]
FOLDER = "src/ops/functions/catalogue"
FAMILIES = ("arithmetic", "logic", "math", "special")  # in the order of the functions' numbers

KINDS = ("bool", "integer", "float", "complex")
PROMOTES = ("same", "number", "floating", "divided", "doubled")
GIVES = ("same", "truth", "part", "complex", "integer")
TEXTS = {"inputs", "outputs", "float16", "about", "does", "notes", "details", "returns", "preamble",
         "checked", "reference", "numpy", "oracle", "cpp", "rust", "fortran", "julia", "julia_is"}
KEYS = TEXTS | set(KINDS) | {"all", "name", "param", "promotes", "gives", "exact_16", "compares",
                             "native_half", "ulp", "around", "domain"}
INPUT = re.compile(r"(?:(array|own|int32|double|flag) )?(\w+)(\?)?(?: = (\S+))?")


class Mistake(Exception):
    """A row that nothing can be made of."""


@dataclasses.dataclass
class Input:
    """What a function is given: by C an array, an argument, or a number of its own."""
    name: str
    kind: str  # array, arg, int32, double, flag
    is_promoted: bool
    is_optional: bool = False
    default: str = ""

    @property
    def c(self):
        return {"array": "const gpuarr_array* ", "arg": "gpuarr_arg ", "int32": "int32_t ",
                "double": "double ", "flag": "int32_t "}[self.kind] + self.name


@dataclasses.dataclass
class Function:
    """A row: what its keys say, and what follows from them."""
    op: str
    family: str
    row: dict

    def __post_init__(self):
        unknown = sorted(self.row.keys() - KEYS)
        if unknown:
            self.fail(f"'{unknown[0]}' is no key")
        for key in TEXTS & self.row.keys():
            if not isinstance(self.row[key], str) or not self.row[key]:
                self.fail(f"{key} is no text")
        self.name = self.row.get("name", self.op)
        self.is_step = "name" in self.row  # of another function, and not called by users
        self.outputs = self.row.get("outputs", "out").split(", ")
        self.inputs = self.read_inputs(self.row.get("inputs", "x"))
        self.preamble = self.read_preamble()
        self.promotes = self.one_of("promotes", PROMOTES)
        gives = self.row.get("gives", "same")
        self.gives = gives if isinstance(gives, list) else [gives] * len(self.outputs)
        self.expressions = self.read_expressions()
        if len(self.gives) != len(self.outputs) or set(self.gives) - set(GIVES):
            self.fail(f"gives is {gives}; give one of {', '.join(GIVES)} for each output")
        if not self.is_step and "about" not in self.row:
            self.fail("about is missing; give one sentence without its verb")
        self.check_promoted()
        if not self.is_step and "checked" not in self.row and not isinstance(self.get("ulp"), int):
            self.fail(f"ulp is {self.get('ulp') or 'missing'}; give the largest error in units in "
                      "the last place, 0 for none, or in checked the test that looks at it")

    def check_promoted(self):
        if not self.promoted_count:
            self.fail("no input is promoted; one has to tell the dtype")
        if any(i.is_promoted for i in self.inputs[self.first_promoted + self.promoted_count:]):
            self.fail("inputs that are promoted stand together")

    def fail(self, what):
        raise Mistake(f"{FOLDER}/{self.family}.toml: {self.op}: {what}")

    def get(self, key, default=""):
        return self.row.get(key, default)

    def one_of(self, key, values):
        value = self.row[key]
        if value not in values:
            self.fail(f"{key} is {value}; give one of {', '.join(values)}")
        return value

    def read_inputs(self, text):
        inputs = []
        for item in text.split(", "):
            found = INPUT.fullmatch(item)
            if not found:
                self.fail(f"the input '{item}'; give [array|own|int32|double|flag] NAME")
            word, name, optional, default = found.groups()
            kind = word if word not in (None, "own") else "array" if text == name else "arg"
            inputs.append(Input(name, kind, word in (None, "array"), optional is not None,
                                default or ""))
        return inputs

    def read_preamble(self):
        if "preamble" not in self.row:
            return ""
        path = TOP / f"src/ops/functions/preambles/{self.row['preamble']}.cuh"
        if not path.exists():
            self.fail(f"preamble is {self.row['preamble']}; give the name of a file of preambles/")
        return path.read_text(encoding="utf-8")

    def read_expressions(self):
        """For each output, expressions by kind."""
        found = []
        for k, output in enumerate(self.outputs):
            by_kind = {}
            for kind in KINDS:
                value = self.row.get(kind, self.row.get("all"))
                if value is not None:
                    value = value if isinstance(value, list) else [value]
                    if len(value) != len(self.outputs):
                        self.fail(f"{kind} has {len(value)} expressions; give one for {output}")
                    by_kind[kind] = value[k]
            found.append(by_kind)
        if not found[0]:
            self.fail(f"no expression; give one of {', '.join(KINDS)}, all")
        return found

    @property
    def first_promoted(self):
        return next(k for k, i in enumerate(self.inputs) if i.is_promoted)

    @property
    def promoted_count(self):
        return sum(i.is_promoted for i in self.inputs)

    @property
    def is_plain(self):
        """Whether it has one array or two arguments, and one result."""
        return (len(self.outputs) == 1 and len(self.inputs) <= 2
                and all(i.is_promoted and not i.is_optional for i in self.inputs))

    @property
    def takes(self):
        """Kinds of inputs, those that become others included."""
        kinds = set(self.expressions[0])
        if self.promotes in ("floating", "divided", "doubled"):
            kinds |= {"bool", "integer"}
        elif self.promotes == "number" and "integer" in kinds:
            kinds.add("bool")
        return [kind for kind in KINDS if kind in kinds]

    @property
    def dtypes(self):
        """Which dtypes it takes, in words."""
        missing = [kind for kind in KINDS if kind not in self.takes]
        if not missing:
            return "any dtype"
        if len(missing) == 1:
            return f"any dtype but {missing[0]}"
        words = {"bool": "bools", "integer": "integers", "float": "floats"}
        return " or ".join(words[kind] for kind in self.takes)

    @property
    def result(self):
        """The dtype of the first result, in words."""
        made = {"truth": "bool", "complex": "complex", "integer": "int32"}.get(self.gives[0])
        if made:
            return made
        common = {"same": "the common dtype", "number": "the common dtype, int8 of bools",
                  "floating": "float or complex", "divided": "float or complex",
                  "doubled": "float64 or complex128"}[self.promotes]
        if self.takes[-1] != "complex":
            common = common.removesuffix(" or complex")
        if self.gives[0] == "part":
            return "float" if self.promotes == "floating" else f"{common}, of complex its parts'"
        return common

    @property
    def sentence(self):
        verb = "Tell" if self.row["about"].startswith("whether") else "Compute"
        return self.get("does") or f"{verb} {self.row['about']}."

    @property
    def summary(self):
        """What it does, in a paragraph of one line."""
        return joined(f"{self.sentence} {self.get('notes')}")

    @property
    def called(self):
        """The function of CUDA's that it is of floats, "sin" where sin(x) is computed, or ""."""
        names = ", ".join(i.name for i in self.inputs)
        found = re.fullmatch(r"(\w+)\((.*)\)", self.expressions[0].get("float", ""))
        if not found or found[2] != names:
            return ""
        return "" if re.search(rf"^static .*\b{found[1]}\(", self.preamble, re.M) else found[1]


def joined(text):
    return " ".join(text.split())


def read(top=TOP):
    """All functions, those that others are made of last."""
    functions = []
    for family in FAMILIES:
        with open(top / FOLDER / f"{family}.toml", "rb") as file:
            rows = tomllib.load(file)
        defaults = {key: rows.pop(key) for key in list(rows) if not isinstance(rows[key], dict)}
        functions += [Function(op, family, {**defaults, **row}) for op, row in rows.items()]
    return sorted(functions, key=lambda function: function.is_step)
