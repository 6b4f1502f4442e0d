#!/usr/bin/env python3
"""Draws the committed results as charts of bars, one SVG for each kind of work.

usage: plot.py [--check]: with --check nothing is written, and a chart that is out of date is an
error.
"""
import dataclasses
import json
import pathlib
import re
import sys

import peers_table

TOP = pathlib.Path(__file__).resolve().parents[1]
RESULTS, CHARTS = TOP / "benchmarks/results", TOP / "docs/speed"
COMPILED = "PyTorch, compiled"
# Of each library its color on white and on black; those that are not named are gray.
COLORS = {"libgpuarr": ("#2563eb", "#3b82f6"), "CuPy": ("#d97706", "#f59e0b"),
          "PyTorch": ("#be123c", "#fb7185"), COMPILED: ("#fda4af", "#9f1239"),
          "": ("#9ca3af", "#6b7280")}
CLASSES = {library: f"b{number}" for number, library in enumerate(COLORS)}
LEFT, WIDE, VALUES, BAR, GAP, TOP_EDGE = 218, 330, 212, 14, 9, 62
LETTER = 6.5  # the width of one, about


@dataclasses.dataclass
class Chart:
    """rows: of each its name, and for each library the length of its bar and what stands at it.
    If `mark` is set, a line marks the length 1, and `most` is the length of the whole width."""
    title: str
    subtitle: str
    rows: list
    mark: str = ""
    most: float = 1.0


def results(name):
    return json.loads((RESULTS / f"{name}.json").read_text("utf-8"))


def tables(name):
    """Of a page of results the rows of each section's table, as {"what dtype n": row}; a second one
    of the same name is "... again"."""
    found = {}
    for part in (RESULTS / f"{name}.md").read_text("utf-8").split("\n## ")[1:]:
        head, *rows = [[cell.strip() for cell in line.strip("|").split("|")]
                       for line in part.split("\n") if line.startswith("|") and "---" not in line]
        rows = [dict(zip(head, row)) for row in rows]
        section = found.setdefault(re.split(r"[,\n]", part)[0], {})
        for row in rows:
            key = " ".join(row[column] for column in ("what", "dtype", "n") if column in row)
            section[key + " again" if key in section else key] = row
    return found


def duration(us):
    for unit, size in (("s", 1e6), ("ms", 1e3), ("µs", 1)):
        if us >= size or unit == "µs":
            value = us / size
            return f"{value:.{max(0, 2 - len(str(int(value))) + (value < 100))}f} {unit}"


def beside_peers(name, title, topic, limit, rows):
    """Shares of the limit, beside CuPy and PyTorch in the same run."""
    figures = results(name)
    ratios = {(f["what"], f["dtype"], f["n"]): f["ratio"] for f in figures[topic]}
    times = peers_table.gather(figures)
    names = {"ours": "libgpuarr", "compiled": COMPILED}
    drawn = []
    for label, *key in rows:
        row = {names.get(who, who): us for who, us in times[tuple(key)].items()}
        best = row["libgpuarr"] * ratios[tuple(key)]
        drawn.append((label, {who: (best / row[who], duration(row[who]))
                              for who in COLORS if who in row}))
    return Chart(title, f"NVIDIA H200; speed as a share of {limit}; longer is better", drawn,
                 limit, 1.05)


def elementwise():
    square, n = "contiguous", 100000000
    return beside_peers(
        "2026-11-21-h200", "Elementwise kernel (x - y) * (x - y)", "elementwise",
        "the best hand-written kernel",
        [("int8, 10⁸ elements", square, "i8", n), ("float16, 10⁸", square, "f16", n),
         ("float32, 10⁸", square, "f32", n), ("float64, 10⁸", square, "f64", n),
         ("float32, a row broadcast, 16384²", "row broadcast", "f32", 16384**2),
         ("float32, one transposed, 16384²", "one transposed operand", "f32", 16384**2),
         ("float32, slices [:, :-1], 16384²", "[:, :-1] into [:, :-1]", "f32", 16384**2)])


def reductions():
    n = 16384**2
    return beside_peers(
        "2026-11-21-h200-reductions", "Reductions", "reduction", "the memory's read bandwidth",
        [("mean squared error, float64, 10⁸", "mean squared error", "f64", 100000000),
         ("mean squared error, float32, 10⁸", "mean squared error", "f32", 100000000),
         ("L2 norm, float32, 16384²", "l2 norm", "f32", n),
         ("L2 norm along axis 0", "l2 norm axis 0", "f32", n),
         ("L2 norm along axis 1", "l2 norm axis 1", "f32", n),
         ("argmax along axis 1", "argmax axis 1", "f32", n), ("variance", "var", "f32", n)])


def beside(other, row, text=duration):
    """A ratio is how many times as fast as the other the library is."""
    us, ratio = float(row["us"]), float(row["ratio"])
    return {"libgpuarr": (ratio, text(us)), other: (1, text(us * ratio))}


def scans_and_sorting():
    pages = tables("2026-11-22-h200-operations")
    scans, sorts = pages["Scans and selection"], pages["Sorting and ranks"]
    rows = [("cumulative sum, float32, 10⁸", scans["cumsum, beside CUB's f32 1e+08"]),
            ("select 2 % by a mask, float32", scans["select 2 % beside CUB's f32 1e+08"]),
            ("select 50 % by a mask, float32", scans["select 50 % beside CUB's f32 1e+08"]),
            ("select 98 % by a mask, float32", scans["select 98 % beside CUB's f32 1e+08"]),
            ("sort, float32, 10⁸", sorts["sort f32 1e+08"]),
            ("sort, int64, 10⁸", sorts["sort i64 1e+08"]),
            ("argsort, float32, 10⁸", sorts["argsort f32 1e+08"]),
            ("sort, float32, 10⁶", sorts["sort f32 1e+06"])]
    return Chart("Scans, selection and sorting", "NVIDIA H200; speed relative to CUB, compiled "
                 "by nvcc; longer is better",
                 [(name, beside("CUB", row)) for name, row in rows], "CUB", 1.2)


def random_numbers():
    page = tables("2026-11-22-h200-operations")["Random numbers"]

    rows = [("uniform, float32, 10⁹", "uniform f32 1e+09", "by cuRAND's functions f32 1e+09"),
            ("uniform, float64, 5⋅10⁸", "uniform f64 5e+08", ""),
            ("normal, float32, 10⁹", "normal f32 1e+09", "by cuRAND's functions f32 1e+09 again"),
            ("normal, float64, 5⋅10⁸", "normal f64 5e+08", ""),
            ("exponential, float32, 10⁹", "exponential f32 1e+09", ""),
            ("integers below 1000, int32, 10⁹", "integers below 1000 i32 1e+09", "")]
    drawn = [(name, {who: (float(page[key]["ratio"]), duration(float(page[key]["us"])))
                     for who, key in (("libgpuarr", ours), ("cuRAND", other)) if key})
             for name, ours, other in rows]
    return Chart("Random numbers (Philox 4x32-10)", "NVIDIA H200; speed as a share of filling "
                 "as much memory; longer is better", drawn, "memory fill", 1.0)


def linear_algebra():
    pages = tables("2026-11-22-h200-operations")
    products, solvers = pages["Products of matrices"], pages["Factorisations and equations"]

    def rate(us):
        return f"{2 * 8192**3 / us / 1e6:.1f} TFLOP/s"

    rows = [(f"product, {name}, 8192²", beside("cuBLAS", products[f"x @ y, 8192{key}"], rate))
            for name, key in (("float32", " f32 6.71089e+07"), ("TF32", ", TF32 f32 6.71089e+07"),
                              ("float64", " f64 6.71089e+07"), ("float16", " f16 6.71089e+07"),
                              ("bfloat16", " bf16 6.71089e+07"))]
    rows += [(f"{name}, float64, {n}²", beside("cuSOLVER", solvers[f"{key} f64 {n}"]))
             for name, key, n in (("Cholesky", "cholesky", 4000), ("solve", "solve", 4000),
                                  ("QR", "qr", 4000), ("eigenvalues, vectors", "eigh", 4000),
                                  ("SVD", "svd", 1000))]
    return Chart("Linear algebra", "NVIDIA H200; speed relative to a direct call of NVIDIA's "
                 "library; longer is better", rows, "NVIDIA's library", 1.05)


def calls():
    figures, memory = results("2026-11-21-h200"), results("2026-11-22-h200-memory")
    launch = {f["what"]: f["us"] for f in figures["launch"]}
    graph = next(f for f in memory["graph"] if f["what"] == "graph of 20 kernels, the call")
    array = next(f for f in memory["memory"] if f["what"] == "array of 4 KiB made and released")

    def peers_of(run, what):
        times = peers_table.gather(run)[what, "f32", 1024]
        names = {"CuPy": "CuPy", "compiled": COMPILED,
                 "PyTorch": COMPILED if what == "new kernel" else "PyTorch"}
        return {names[who]: us for who, us in times.items() if who in names}

    driver = launch["cuLaunchKernel"]
    rows = [("elementwise kernel", {
                "libgpuarr": driver + launch["ordinary call, on top of it"],
                **peers_of(figures, "repeated call"), "driver's launch": driver}),
            ("prepared call", {"libgpuarr": driver + launch["prepared call, on top of it"],
                               "driver's launch": driver}),
            ("launch of a graph of 20 kernels", {"libgpuarr": graph["us"],
                                                 "driver's launch": graph["against_us"]}),
            ("create and release a 4 KiB array", {
                "libgpuarr": array["us"], **peers_of(memory, "an array of 4 KiB")}),
            ("compile a new kernel", {
                "libgpuarr": launch["new kernel f32, against NVRTC on an empty one"],
                **peers_of(figures, "new kernel")})]
    drawn = [(name, {who: (us / max(row.values()), duration(us)) for who, us in row.items()})
             for name, row in rows]
    return Chart("Overhead of calls", "CPU time beside an NVIDIA H200, each row to its own "
                 "scale; shorter is better", drawn)


def on_the_cpu():
    pages = tables("2026-11-22-cpu-operations")
    rows = [("x + y, float32, 10⁷", "Functions of elements", "f32 x+y"),
            ("exp, float32", "Functions of elements", "f32 exp(x)"),
            ("sum, float32", "Reductions", "f32 sum"),
            ("cumulative sum, float32", "Running sums and masks", "f32 cumsum"),
            ("select by a mask, float32", "Running sums and masks", "f32 x[mask]"),
            ("sort, float32", "Sorting", "f32 sort of 10000000"),
            ("sort, int64", "Sorting", "i64 sort of 10000000"),
            ("normal numbers, float32", "Random numbers", "f32 normal"),
            ("product, float32, 2000²", "Products of matrices", "f32 x @ y, 2000"),
            ("SVD, float64, 1000²", "Factorisations", "f64 svd 1000")]

    def time(text):
        number, unit = text.split()
        return float(number) * {"us": 1, "ms": 1000}[unit]

    drawn = []
    for name, section, key in rows:
        row = pages[section][key]
        drawn.append((name, {"libgpuarr": (float(row["ratio"]), duration(time(row["ours"]))),
                             "NumPy": (1, duration(time(row["NumPy"])))}))
    return Chart("The CPU device, two cores", "speed relative to NumPy 1.24 with the same "
                 "OpenBLAS; longer is better", drawn, "NumPy", 15.3)


ALL = {"elementwise": elementwise, "reductions": reductions, "sorting": scans_and_sorting,
       "random": random_numbers, "linalg": linear_algebra, "calls": calls, "cpu": on_the_cpu}


def text(x, y, what, style="", anchor="start"):
    what = what.replace("&", "&amp;").replace("<", "&lt;")
    return f'<text x="{x}" y="{y}" class="{style}" text-anchor="{anchor}">{what}</text>'


def style():
    def rules(which, ink, soft):
        bars = "".join(f".{CLASSES[who]}{{fill:{colors[which]}}}" for who, colors in COLORS.items())
        return f"text{{fill:{ink}}}.soft{{fill:{soft}}}line{{stroke:{soft}}}{bars}"
    return ("<style>text{font:11px sans-serif}.title{font-size:14px;font-weight:bold}"
            f"{rules(0, '#1f2937', '#6b7280')}"
            f"@media (prefers-color-scheme:dark){{{rules(1, '#e5e7eb', '#9ca3af')}}}</style>")


def draw(chart):
    scale = WIDE / chart.most
    out = [style(), text(8, 20, chart.title, "title"), text(8, 37, chart.subtitle, "soft")]
    y, mark = TOP_EDGE, LEFT + round(scale) if chart.mark else 0
    for name, bars in chart.rows:
        out.append(text(LEFT - 8, y + BAR * len(bars) / 2 + 3, name, anchor="end"))
        for who, (length, value) in bars.items():
            wide = max(1, round(length * scale))
            color = CLASSES.get(who, CLASSES[""])
            out.append(f'<rect x="{LEFT}" y="{y}" width="{wide}" height="{BAR - 2}" '
                       f'class="{color}"/>')
            label, x = f"{who} {value}", LEFT + wide + 5
            if x < mark + 5 < x + LETTER * len(label):
                x = mark + 5  # not across the line
            out.append(text(x, y + BAR - 4, label))
            y += BAR
        y += GAP
    if chart.mark:
        out.append(f'<line x1="{mark}" y1="{TOP_EDGE - 6}" x2="{mark}" y2="{y - GAP + 4}" '
                   'stroke-dasharray="3 3"/>')
        out.append(text(mark, TOP_EDGE - 10, chart.mark, "soft", "middle"))
    head = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + WIDE + VALUES} {y}" '
            f'width="{LEFT + WIDE + VALUES}" height="{y}">')
    return "\n".join([head, *out, "</svg>"]) + "\n"


def main():
    stale = []
    for name, chart in ALL.items():
        path, drawn = CHARTS / f"{name}.svg", draw(chart())
        if path.exists() and path.read_text("utf-8") == drawn:
            continue
        stale.append(path.name)
        if "--check" not in sys.argv:
            path.parent.mkdir(exist_ok=True)
            path.write_text(drawn, "utf-8")
    print(f"{len(ALL)} charts, {len(stale)} of them new")
    if "--check" in sys.argv and stale:
        sys.exit(f"docs/speed/{', '.join(stale)}: not what benchmarks/plot.py draws")


if __name__ == "__main__":
    main()
