# SPDX-License-Identifier: MIT
# ctest-timeout: 900
"""Is every recorded run a path in the graph? Programs are lowered with -DAW_TRACE and run with AWAITC_TRACE:
the samples with their checks, the cases of tests/lower, and generated programs, each with leaves that are
ready, that suspend once, that suspend at random, on one thread and on several, and cancelled at some leaves.
lib_trace.py then compares what they did with what `awaitc graph` draws.

    runs.py AWAITC --kind csmith --count 1000 --seed 1      # by hand: more of them
    runs.py AWAITC --kind own --seed 17 --count 1 --keep DIR
"""
import argparse
import collections
import concurrent.futures
import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from lib_graph import AWAITC, INCLUDE, ROOT, STAGE, finish, problem
from lib_trace import Checker

sys.path.insert(0, os.path.join(ROOT, "tests", "lower"))
import run as lower  # noqa: E402  (how programs are found, made and built)

LEFT_OUT = {
    "cases/F03_deep_recursion": "a million frames, a trace of gigabytes",
    "cases/F03_deep_recursion_cancelled": "as F03_deep_recursion",
    "cases/P06_standards_c89": "awaitc graph has no flags of its own for an older C",
}
KINDS = {"samples": 0, "cases": 0, "multi": 0, "own": 24, "cancel": 12, "csmith": 12}
TRACED_BYTES = 64 << 20


class TracingBench(lower.Bench):
    """Builds programs with -DAW_TRACE."""

    def compile(self, variant, source, obj, std, flags):
        return super().compile(variant, source, obj, std, [*flags, "-DAW_TRACE"])


def options_for_lower():
    libs = glob.glob(os.path.join(STAGE, "lib", "libawaitc.a")) or [lower.find_library(AWAITC)]
    return argparse.Namespace(awaitc=AWAITC, lib=libs[0], include=INCLUDE, cc=["gcc"], opt=["1"],
                              warnings=False, fault=os.environ.get("AWAITC_FAULT", ""))


def graphs_of(sources, std, flags, folder):
    """What `awaitc graph` says of these files, one call each: they may be programs' own."""
    out = []
    for source in sources:
        done = subprocess.run([AWAITC, "graph", str(source), "--format=json", "--", f"-std={std}", "-I" + INCLUDE,
                               "-I", str(lower.SUPPORT), *flags], cwd=folder, capture_output=True)
        if done.returncode != 0:
            raise lower.Failed(f"graph {source}: status {done.returncode}: {done.stderr.decode()[:400]}")
        out.append(json.loads(done.stdout))
    return out


def modes_of(program, leaves):
    """Environments to run it in: leaves ready, suspending, several threads, cancels."""
    modes = [("ready", {}), ("once", {}), ("random:7", {})]
    if not program.one_worker:
        modes.append(("random:11", {"LEAF_WORKERS": "0"}))
    if program.own_main:
        return modes
    cancels = [number for number in sorted({1, 2, 3, 5, 8, leaves // 2, leaves} - {0}) if number <= leaves]
    for i, number in enumerate(cancels):
        modes.append(("park" if i % 2 else "ready", {"LEAF_CANCEL": str(number)}))
    return modes


def is_too_long(result, trace):
    return result.status == -999 or (os.path.exists(trace) and os.path.getsize(trace) > TRACED_BYTES)


def lines_of(path):
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        return file.readlines()


def leaf_count(bench, exe, program):
    marked = bench.execute(exe, program, "ready", {"LEAF_MARKS": "1"})
    return sum(line.startswith("@") for line in marked.out.decode(errors="replace").splitlines())


def check_program(bench, program, work, is_generated):
    """All runs of one program; (problems, checker)."""
    sources = [*program.sources, lower.SUPPORT / "leaf.c"]
    if not program.own_main:
        sources.append(lower.SUPPORT / "main.c")
    variant = lower.Variant("gcc", "1")
    exe = bench.build(variant, program, work)
    checker = Checker(graphs_of(sources, program.std, program.flags, work))
    found = []
    leaves = 0 if program.own_main else leaf_count(bench, exe, program)
    for mode, more in modes_of(program, leaves):
        trace = work / "trace.jsonl"
        trace.unlink(missing_ok=True)
        result = bench.execute(exe, program, mode, {"AWAITC_TRACE": str(trace), **more})
        setting = " ".join([f"LEAF_MODE={mode}", *(f"{k}={v}" for k, v in more.items())])
        if is_too_long(result, trace):
            if is_generated and mode == "ready" and not more:
                raise lower.Skipped("runs too long")
            found.append(f"{setting}: runs too long")
            break
        if result.status < 0:
            found.append(f"{setting}: died of signal {-result.status}")
        lines = lines_of(trace)
        if not lines:
            found.append(f"{setting}: there is no trace")
        found += [f"{setting}: {text}" for text in checker.check(lines)[:3]]
        if found:
            shutil.copy(trace, work / "problem.jsonl")
            break
    return found, checker


def check_sample(folder, work):
    """Builds a sample by its Makefile and runs its check; servers are killed at the end."""
    copy = work / os.path.basename(folder)
    shutil.copytree(folder, copy)
    shutil.copy(os.path.join(ROOT, "samples", "lib_check.sh"), work)
    path = os.pathsep.join([os.path.join(STAGE, "bin"), os.environ["PATH"]])
    environment = dict(os.environ, PATH=path, AWAITC_TRACE=str(work / "trace.%p"))
    made = subprocess.run(["make", "CC=awaitc cc gcc -DAW_TRACE"], cwd=copy, env=environment, capture_output=True)
    if made.returncode != 0:
        raise lower.Failed("does not build: " + made.stderr.decode()[-400:])
    ran = subprocess.run(["bash", "check.sh"], cwd=copy, env=environment, capture_output=True, timeout=120)
    if ran.returncode != 0:
        raise lower.Failed("its check fails: " + (ran.stdout + ran.stderr).decode()[-400:])
    checker = Checker(graphs_of(sorted(copy.glob("*.c")), "gnu11", [], copy))
    found = []
    for trace in sorted(work.glob("trace.*")):
        found += [f"{trace.name}: {text}" for text in checker.check(lines_of(trace), may_be_cut=True)[:3]]
    if checker.counts["started"] == 0:
        found.append("there is no trace")
    return found, checker


def one(bench, kind, item, keep):
    """(name, problems, checker or None, why it was left out)"""
    name = item.name if isinstance(item, lower.Program) else f"{kind}/{os.path.basename(str(item))}"
    if name in LEFT_OUT:
        return name, [], None, LEFT_OUT[name]
    work = Path(tempfile.mkdtemp(dir=bench.scratch))
    try:
        if kind == "samples":
            found, checker = check_sample(item, work)
        else:
            is_generated = not isinstance(item, lower.Program)
            program = lower.generated_program(kind, item, work) if is_generated else item
            found, checker = check_program(bench, program, work, is_generated)
        return name, found, checker, ""
    except lower.Skipped as why:
        return name, [], None, str(why)
    except lower.Failed as why:
        return name, [str(why)], None, ""
    finally:
        if keep:
            shutil.copytree(work, os.path.join(keep, name.replace("/", "-")), dirs_exist_ok=True)
        shutil.rmtree(work, ignore_errors=True)


def items_of(kind, options):
    if kind == "samples":
        return sorted(glob.glob(os.path.join(ROOT, "samples", "*", "")) and
                      [os.path.dirname(f) for f in glob.glob(os.path.join(ROOT, "samples", "*", "check.sh"))])
    if kind in ("cases", "multi"):
        return lower.written_programs(kind, options.names)
    if kind == "csmith" and shutil.which("csmith") is None:
        print("note: csmith is not installed; its programs are left out")
        return []
    return range(options.seed, options.seed + (options.count or KINDS[kind]))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("awaitc")
    parser.add_argument("names", nargs="*", help="regular expressions over KIND/NAME, for cases and multi")
    parser.add_argument("--kind", default=",".join(KINDS))
    parser.add_argument("--count", type=int, default=0, help="generated programs of each kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", default="", help="directory for the files of each program")
    options = parser.parse_args()
    bench = TracingBench(options_for_lower())
    totals, edges, taken, programs = collections.Counter(), 0, 0, 0
    try:
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            jobs = [pool.submit(one, bench, kind, item, options.keep)
                    for kind in options.kind.split(",") for item in items_of(kind, options)]
            for job in jobs:
                name, found, checker, why = job.result()
                for text in found:
                    problem(f"{name}: {text}")
                if why:
                    print(f"left out {name}: {why}")
                if checker is None:
                    continue
                programs += 1
                totals.update(checker.counts)
                edges += checker.edges()
                taken += len(checker.taken)
    finally:
        shutil.rmtree(bench.scratch, ignore_errors=True)
    for event in ("ready", "resumed", "unwinding", "cancelled", "returned"):
        if totals[event] == 0 and options.kind == ",".join(KINDS):
            problem(f"no run has a step '{event}'")
    if programs == 0:
        problem("nothing was checked")
    steps = ", ".join(f"{count} {event}" for event, count in sorted(totals.items()))
    finish(f"{programs} programs ({steps}); {taken} of {edges} edges taken")


if __name__ == "__main__":
    main()
