#!/usr/bin/env python3
"""Merges a run's JSON lines into results.json, with what the machine was, and prints a short table.

usage: results.py DIRECTORY OUTPUT.json: also writes peers-table.md beside it, if peers were there
"""
import datetime
import json
import os
import pathlib
import platform
import re
import subprocess
import sys

import peers_table

GPU_TOPICS = ("elementwise", "reduction", "functions", "matmul", "moving", "random", "scan", "sort",
              "solver")
TIME_TOPICS = ("launch", "launch_reduction", "raw", "memory", "graph", "row", "expr", "host",
               "host_expr", "host_reduction", "host_row", "host_launch", "host_raw", "host_memory",
               "host_functions", "host_matmul", "host_moving", "host_random", "host_scan",
               "host_solver", "host_sort")
PEERS = (("CuPy", ""), ("PyTorch", ", eager"), ("PyTorch", ", compiled"))
ONE_OFF = ("all views one off", "one view one off")


def output(*command):
    """What a program prints; "" if it is not there."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=True)
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.strip()


def first_line(text):
    return text.split("\n")[0]


def numpy_version():
    python = os.environ.get("PYTHON", "python3")
    return output(python, "-c", "import numpy; print(numpy.__version__)")


def machine():
    gpu, _, driver = first_line(
        output("nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader")
    ).partition(", ")
    cpu = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text("utf-8"))
    cuda = re.search(r"release \S+ V(\S+)", output("nvcc", "--version"))
    return {
        "date": datetime.date.today().isoformat(),
        "commit": output("git", "describe", "--always", "--dirty"),
        "gpu": gpu,
        "driver": driver,
        "cuda": cuda[1] if cuda else "",
        "compiler": first_line(output(os.environ.get("GPUARR_CXX", "g++"), "--version")),
        "cpu": cpu[1] if cpu else platform.machine(),
        "threads": len(os.sched_getaffinity(0)),
        "load": round(os.getloadavg()[0], 1),
        "kernel": platform.release(),
        "numpy": numpy_version(),
    }


def read(directory, topic):
    path = directory / f"{topic}.jsonl"
    lines = path.read_text("ascii").splitlines() if path.exists() else []
    return [json.loads(line) for line in lines]


def missed(f):
    for number in ("error", "value"):
        if number in f:
            return f[number] > f.get("at_most", float("inf"))
    return f.get("ratio", 0) < f.get("demand", 0) or f["us"] > f.get("demand_us", float("inf"))


def write(path, header, figures):
    """One figure on each line, so that two runs can be compared."""
    with open(path, "w", encoding="ascii") as file:
        file.write('{\n"machine": ' + json.dumps(header, indent=2))
        for topic, rows in figures.items():
            lines = ",\n".join("  " + json.dumps(row) for row in rows)
            file.write(f',\n"{topic}": [\n{lines}\n]')
        file.write("\n}\n")


def duration(us):
    return f"{us:.3f} us" if us < 1000 else f"{us / 1000:.2f} ms"


def print_gpu(topic, rows, peers):
    theirs = {(p["peer"], p["what"], p["dtype"], p["n"]): p["us"] for p in peers}
    head = f"{'-- ' + topic:<37}{'dtype':<6}{'n':>10}{'us':>9}{'GB/s':>6}{'ratio':>7}{'demand':>7}"
    print(head, end="")
    print("".join(f"{text:>9}" for text in ("CuPy", "eager", "compiled")), "(us)")
    shown = [f for f in rows if f["what"] not in ONE_OFF]
    for n in sorted({f["n"] for f in rows if f["what"] in ONE_OFF}, reverse=True):
        group = [f for f in rows if f["what"] in ONE_OFF and f["n"] == n]
        worst = min(group, key=lambda f: f["ratio"])
        shown.append(worst | {"what": "the worst one off"})
    for f in shown:
        ours = f"{f['us']:>9.1f}{f['gbs']:>6.0f}{f['ratio']:>7.3f}{f['demand'] or '':>7}"
        keys = [(peer, f["what"] + form, f["dtype"], f["n"]) for peer, form in PEERS]
        others = "".join(f"{theirs[k]:>9.1f}" if k in theirs else f"{'':>9}" for k in keys)
        what = f"{f['what']:<37}{f['dtype']:<6}{f['n']:>10}"
        print(f"{what}{ours}{others}{' <--' * missed(f)}")


def print_times(rows):
    for f in rows:
        if "value" in f:
            demand = f"at most {f['at_most']:g}" if "at_most" in f else ""
            print(f"{f['what']:<52}{f['value']:>12.4g}{'':>20}  {demand}{' <--' * missed(f)}")
            continue
        against = duration(f["against_us"]) if "against_us" in f else ""
        ratio = f"{f['ratio']:.3f}" if "ratio" in f else ""
        demand = f.get("demand", "")
        if "demand_us" in f:
            demand = "at most " + duration(f["demand_us"])
        print(f"{f['what']:<52}{duration(f['us']):>12}{against:>12}{ratio:>8}  {demand}", end="")
        print(" <--" if missed(f) else "")


def print_errors(rows):
    print(f"{'-- accuracy':<52}{'device':<8}{'error':>10}")
    for f in rows:
        limit = f"at most {f['at_most']:.0e}"
        print(f"{f['what']:<52}{f['device']:<8}{f['error']:>10.1e}  {limit}{' <--' * missed(f)}")


def main(directory, path):
    topics = GPU_TOPICS + TIME_TOPICS + ("accuracy",)
    figures = {topic: read(pathlib.Path(directory), topic) for topic in (*topics, "peers")}
    header = machine()
    write(path, header, figures)
    title = "; ".join(f"{key} {value}" for key, value in header.items() if value != "")
    print(title)
    for topic in GPU_TOPICS:
        if figures[topic]:
            print_gpu(topic, figures[topic], figures["peers"])
    for topic in TIME_TOPICS:
        if figures[topic]:
            print(f"-- {topic}")
            print_times(figures[topic])
    if figures["accuracy"]:
        print_errors(figures["accuracy"])
    table = pathlib.Path(path).with_name("peers-table.md")
    if peers_table.write(table, title, figures):
        print(f"-- the peers: {table.name}")
    ours = [f for topic in topics for f in figures[topic]]
    judged = [f for f in ours if f.get("demand") or "demand_us" in f or "at_most" in f]
    print(f"{len(ours)} figures, {len(judged)} of them judged, {sum(map(missed, judged))} missed")


if len(sys.argv) != 3:
    sys.exit(__doc__)
main(*sys.argv[1:])
