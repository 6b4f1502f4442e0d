"""Our figures of a run beside CuPy's and PyTorch's of the same run, as a table in Markdown."""

# Variants of a peer's that do what one kernel of ours does.
VARIANTS = (", undivided", ", as an expression", ", fused by cupy.fuse")
FORMS = (", eager", ", compiled")
COLUMNS = ("ours", "CuPy", "PyTorch", "compiled")

# Calls on the CPU: the peers' name for them, our topic, and the row in it. What is said to be "on
# top of it" is on top of cuLaunchKernel.
CALLS = (
    ("repeated call", "launch", "ordinary call, on top of it"),
    ("repeated call, array made", "launch", "ordinary call, array made, on top of it"),
    ("x + y", "launch", "ordinary call, array made, on top of it"),
    ("x + y into an array", "launch", "ordinary call, on top of it"),
    ("an array of 4 KiB", "launch", "an array of 4 KiB made and released"),
    (
        "an array of 4 KiB, its memory alone",
        "memory",
        "allocate and free 4 KiB, against the driver's pool",
    ),
    ("DLPack, there and back", "launch", "DLPack, there and back"),
    ("new kernel", "launch", "new kernel f32, against NVRTC on an empty one"),
    ("repeated reduction, array made", "launch_reduction", "reduction, array made, on top of it"),
    ("new reduction", "launch_reduction", "new reduction, f32 sum"),
)


def our_times(figures):
    """Times in us by (what, dtype, n)."""
    times = {
        (f["what"], f["dtype"], f["n"]): f["us"]
        for topic in ("elementwise", "reduction")
        for f in figures.get(topic, ())
    }
    for what, topic, row in CALLS:
        rows = {f["what"]: f["us"] for f in figures.get(topic, ()) if "us" in f}
        if row in rows:
            base = rows["cuLaunchKernel"] if row.endswith("on top of it") else 0
            times[what, "f32", 1024] = base + rows[row]
    return times


def without(endings, text):
    for ending in endings:
        text = text.removesuffix(ending)
    return text


def gather(figures):
    """Times by row and column; rows in the order in which the peers did them."""
    ours = our_times(figures)
    table = {}
    for p in figures["peers"]:
        key = (without(FORMS, p["what"]), p["dtype"], p["n"])
        column = "compiled" if p["what"].endswith(", compiled") else p["peer"]
        row = table.setdefault(key, {})
        row[column] = p["us"]
        kernel = (without(VARIANTS, key[0]), *key[1:])
        if kernel in ours:
            row["ours"] = ours[kernel]
    return table


def duration(us):
    if us is None:
        return "-"
    digits = 2 if us < 100 else 1
    return f"{us:.{digits}f} us" if us < 1000 else f"{us / 1000:.{digits}f} ms"


def count(n):
    return f"{n:,}".replace(",", " ")


def write(path, title, figures):
    """Writes the table; False if no peer was there."""
    table = gather(figures)
    if not table:
        return False
    versions = dict.fromkeys(f"{p['peer']} {p['version']}" for p in figures["peers"])
    lines = [
        "# Ours and the peers' times, from one run",
        "",
        f"{title}; {', '.join(versions)}. `-`: not there. The last column is the fastest",
        "peer's time as a multiple of ours.",
        "",
        "| what | dtype | n | " + " | ".join(COLUMNS) + " | times |",
        "|---|---|---:|" + "---:|" * (len(COLUMNS) + 1),
    ]
    for (what, dtype, n), row in table.items():
        times = [duration(row.get(column)) for column in COLUMNS]
        theirs = min(us for column, us in row.items() if column != "ours") if row else 0
        ratio = f"{theirs / row['ours']:.2f}" if "ours" in row else "-"
        lines.append(f"| {what} | {dtype} | {count(n)} | {' | '.join(times)} | {ratio} |")
    with open(path, "w", encoding="ascii") as file:
        file.write("\n".join(lines) + "\n")
    return True
