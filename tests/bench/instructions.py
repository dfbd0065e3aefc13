#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Instructions per operation, by callgrind: (I(n2) - I(n1)) / (n2 - n1).

    instructions.py [NAME=]PROGRAM ... [--base NAME] [--only TEXT]

Each PROGRAM is a peer program (README.md): awaitc-bench-gcc, awaitc-bench-clang, Rust's, ... A cell is
'-' where a program has no such scenario. With --base a ratio to that program's cell follows.
"""
import argparse
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

UNSUPPORTED = 3
BASE_ENV = dict(os.environ, LC_ALL="C")

# label, scenario and parameters, n1, n2, operations by n (None: n)
ROWS = [
    ("ready, inlined, depth 1", "call-ready depth=1 inline=1"),
    ("ready, inlined, depth 3", "call-ready depth=3 inline=1"),
    ("ready, depth 1", "call-ready depth=1 inline=0"),
    ("ready, depth 3", "call-ready depth=3 inline=0"),
    ("ready, inlined, leaf could wait, depth 3", "call-ready depth=3 inline=1 leaf=could"),
    ("ready, leaf could wait, depth 1", "call-ready depth=1 inline=0 leaf=could"),
    ("ready, leaf could wait, depth 3", "call-ready depth=3 inline=0 leaf=could"),
    ("ready, by pointer, depth 1", "call-ready depth=1 via=pointer"),
    ("ready, by pointer, depth 3", "call-ready depth=3 via=pointer"),
    ("resume, depth 1", "depth kind=boxed d=1"),
    ("resume, depth 1000", "depth kind=boxed d=1000"),
    ("resume, static, depth 10", "depth kind=static d=10"),
    ("yield, 1 task", "yield tasks=1 workers=1"),
    ("yield, 100 tasks", "yield tasks=100 workers=1"),
    ("spawn and await", "spawn mode=await workers=1"),
    ("spawn, batch", "spawn mode=batch workers=1"),
    ("hot loop, a pass", "hot code=async"),
    ("hot loop, a pass, plain C", "hot code=plain"),
    ("hot loop, own buffer", "hot code=async buf=own"),
    ("hot loop, own buffer, plain C", "hot code=plain buf=own"),
]
LEVELS = [ # cost of a level: (depth 3 - depth 1) / 2
    ("ready, a level", "ready, depth 1", "ready, depth 3"),
    ("ready, leaf could wait, a level", "ready, leaf could wait, depth 1", "ready, leaf could wait, depth 3"),
    ("ready, by pointer, a level", "ready, by pointer, depth 1", "ready, by pointer, depth 3"),
]
# Keys that are this project's own; a peer that does not know them must not be asked.
OWN_KEYS = ("leaf=", "via=", "buf=")
SIZES = {"hot": (200, 400), "depth": (20000, 40000)}
DEFAULT_SIZES = (20000, 40000)


def instructions(program, arguments):
    """Instructions of one run; None: no such scenario."""
    with tempfile.TemporaryDirectory() as folder:
        run = subprocess.run(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out", program, *arguments],
            capture_output=True, text=True, env=BASE_ENV, check=False)
    if run.returncode == UNSUPPORTED:
        return None
    found = re.search(r"Collected : (\d+)", run.stderr)
    if run.returncode != 0 or not found:
        sys.exit(f"{program} {' '.join(arguments)}: status {run.returncode}\n{run.stderr[-600:]}")
    return int(found.group(1))


def operations(scenario, n):
    """A warm-up of n/10 precedes what n counts, except where a scenario has none."""
    warm = scenario.startswith(("call-ready", "depth")) or "mode=await" in scenario
    if scenario.startswith("yield"):
        tasks = int(re.search(r"tasks=(\d+)", scenario).group(1))
        return (n // tasks + n // tasks // 10 + 1) * tasks
    if scenario.startswith("hot"):
        return n
    return n + n // 10 if warm else n


def cell(program, scenario, knows_own_keys):
    if not knows_own_keys and any(key in scenario for key in OWN_KEYS):
        return None
    small, large = SIZES.get(scenario.split()[0], DEFAULT_SIZES)
    counts = [instructions(program, [*scenario.split(), f"n={n}"]) for n in (small, large)]
    if None in counts:
        return None
    return (counts[1] - counts[0]) / (operations(scenario, large) - operations(scenario, small))


def print_table(names, rows, base):
    print("| instructions | " + " | ".join(names) + " |")
    print("|---|" + "---:|" * len(names))
    for label, cells in rows:
        texts = []
        for name in names:
            value = cells.get(name)
            text = "-" if value is None else f"{value:.1f}"
            if base and name != base and value is not None and cells.get(base):
                text += f" ({value / cells[base]:.2f}x)"
            texts.append(text)
        print(f"| {label} | " + " | ".join(texts) + " |")


def with_levels(rows):
    by_label = dict(rows)
    for label, shallow, deep in LEVELS:
        if shallow not in by_label or deep not in by_label:
            continue
        cells = {name: (by_label[deep][name] - value) / 2
                 for name, value in by_label[shallow].items()
                 if value is not None and by_label[deep].get(name) is not None}
        rows.append((label, cells))
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", nargs="+", metavar="[NAME=]PROGRAM")
    parser.add_argument("--base", help="the program that ratios refer to")
    parser.add_argument("--only", help="only rows whose label contains this")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    programs = {}
    for text in options.program:
        name, _, path = text.rpartition("=")
        programs[name or os.path.basename(path)] = os.path.abspath(path)
    owns = {name: '"hot"' in subprocess.run([path, "list"], capture_output=True, text=True, check=True).stdout
            for name, path in programs.items()}
    chosen = [row for row in ROWS if not options.only or options.only in row[0]]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        jobs = {(label, name): pool.submit(cell, path, scenario, owns[name])
                for label, scenario in chosen for name, path in programs.items()}
    rows = [(label, {name: jobs[label, name].result() for name in programs}) for label, _ in chosen]
    print_table(list(programs), with_levels(rows), options.base)


if __name__ == "__main__":
    main()
