#!/usr/bin/env python3
"""Compares runs of the benchmarks row by row: how long each takes, as a multiple of before.

usage: compare.py BEFORE.json[,MORE.json...] AFTER.json[,MORE.json...]

Files are what results.py writes. Of several runs of one side each row counts with its median. The
last column is the largest distance between two runs of one side: what differs less is noise.
"""
import json
import pathlib
import statistics
import sys

# Everything else of a row says what was measured.
MEASURED = {"us", "gbs", "ratio", "demand", "demand_us", "against_us", "error", "value", "at_most"}
SHOWN = 5  # of the slowest rows of a topic


def read(paths):
    """{topic: {row: [us of each run]}}"""
    found = {}
    for path in paths.split(","):
        for topic, rows in json.loads(pathlib.Path(path).read_text("ascii")).items():
            if topic == "machine":
                continue
            for row in rows:
                if "us" not in row:
                    continue
                what = tuple((k, v) for k, v in sorted(row.items()) if k not in MEASURED)
                found.setdefault(topic, {}).setdefault(what, []).append(row["us"])
    return found


def spread(times):
    return max(times) / min(times) if min(times) > 0 else 1.0


def compare(before, after):
    """[(ratio, spread, row)], the slowest first; rows that one side lacks are left out."""
    rows = []
    for what in before.keys() & after.keys():
        old, new = before[what], after[what]
        if statistics.median(old) > 0:
            ratio = statistics.median(new) / statistics.median(old)
            rows.append((ratio, max(spread(old), spread(new)), what))
    return sorted(rows, key=lambda row: -row[0])


def main():
    before, after = read(sys.argv[1]), read(sys.argv[2])
    for topic in sorted(before.keys() & after.keys()):
        rows = compare(before[topic], after[topic])
        if not rows:
            continue
        ratios = [row[0] for row in rows]
        print(f"{topic}: {len(rows)} rows, median {statistics.median(ratios):.4f}, "
              f"{min(ratios):.3f} to {max(ratios):.3f}")
        for ratio, noise, what in rows[:SHOWN]:
            if ratio > 1.01:
                print(f"  {ratio:.3f} (runs differ by {noise:.3f})  "
                      + " ".join(str(value) for _, value in what))


if __name__ == "__main__":
    main()
