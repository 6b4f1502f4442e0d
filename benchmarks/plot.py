#!/usr/bin/env python3
"""Our share of the limit beside the peers', of one run's figures, as an SVG of bars.

usage: plot.py RESULTS.json >docs/speed.svg
"""
import json
import sys

import peers_table

# What is drawn, one row for each kind: its name there, and the figure's.
ROWS = (
    ("(x - y) * (x - y), float16", ("contiguous", "f16", 100000000)),
    ("float32", ("contiguous", "f32", 100000000)),
    ("float64", ("contiguous", "f64", 100000000)),
    ("a row broadcast", ("row broadcast", "f32", 268435456)),
    ("one operand transposed", ("one transposed operand", "f32", 268435456)),
    ("slices [:, :-1]", ("[:, :-1] into [:, :-1]", "f32", 268435456)),
    ("mean squared error, float64", ("mean squared error", "f64", 100000000)),
    ("L2 norm", ("l2 norm", "f32", 268435456)),
    ("along axis 0", ("l2 norm axis 0", "f32", 268435456)),
    ("along axis 1", ("l2 norm axis 1", "f32", 268435456)),
    ("argmax along axis 1", ("argmax axis 1", "f32", 268435456)),
    ("variance", ("var", "f32", 268435456)),
)
COLORS = {"ours": "#2563eb", "CuPy": "#d97706", "PyTorch": "#b91c1c", "compiled": "#fca5a5"}
LEFT, WIDE, BAR, GAP = 210, 400, 9, 12


def shares(figures):
    """For each row its name and each library's share of the limit."""
    ratios = {(f["what"], f["dtype"], f["n"]): f["ratio"]
              for topic in ("elementwise", "reduction") for f in figures[topic]}
    times = peers_table.gather(figures)
    for name, key in ROWS:
        limit = times[key]["ours"] * ratios[key]
        yield name, {who: limit / us for who, us in times[key].items() if who in COLORS}


def text(x, y, what, anchor="start", size=11):
    return (f'<text x="{x}" y="{y}" font-size="{size}" text-anchor="{anchor}" '
            f'fill="#555">{what}</text>')


def draw(figures):
    machine = figures["machine"]
    out = [text(LEFT, 16, f"share of the memory's limit, {machine['gpu']}, {machine['date']}",
                size=13)]
    for k, (who, color) in enumerate(COLORS.items()):
        name = {"ours": "libgpuarr", "compiled": "PyTorch, compiled"}.get(who, who)
        out.append(f'<rect x="{LEFT + 105 * k}" y="26" width="10" height="10" fill="{color}"/>')
        out.append(text(LEFT + 105 * k + 14, 35, name))
    y = 50
    for name, row in shares(figures):
        out.append(text(LEFT - 8, y + BAR * len(row) / 2 + 4, name, "end"))
        for who in COLORS:
            if who not in row:
                continue
            wide = max(1, round(row[who] * WIDE))
            out.append(f'<rect x="{LEFT}" y="{y}" width="{wide}" height="{BAR - 1}" '
                       f'fill="{COLORS[who]}"><title>{who}: {row[who]:.2f}</title></rect>')
            y += BAR
        y += GAP
    out.append(f'<line x1="{LEFT + WIDE}" y1="44" x2="{LEFT + WIDE}" y2="{y - GAP + 4}" '
               'stroke="#999" stroke-dasharray="3 3"/>')
    head = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + WIDE + 40} {y}" '
            'font-family="sans-serif">')
    return "\n".join([head, *out, "</svg>"])


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        print(draw(json.load(file)))
