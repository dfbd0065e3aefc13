#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Do the generated programs notice a tool that lowers wrongly? Mutation tests of the lowering.

Plants each fault of transforms/faults.def in turn (the tool must be built with -DAWAITC_FAULTS=ON) and
runs generated programs, the kinds taking turns, until one fails. A program whose lowered text is the
same with the fault as without cannot show it, and is not built. Prints a table in markdown; exits with 1
if a fault was not found. faults.txt keeps which program found which fault; --rotate tries a few faults,
other ones each day, on those programs first.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import copy
import dataclasses
import re
import shutil
import sys
import threading
import time
from pathlib import Path

import run

FOUND = run.HERE / "faults.txt"
DEFINITIONS = run.TREE / "transforms" / "faults.def"


@dataclasses.dataclass
class Sample:
    """A generated program, what it must print, and what the unbroken tool makes of it."""

    program: run.Program | None = None  # None: no test
    want: run.Result | None = None
    base: run.Result | None = None
    texts: list[bytes] = dataclasses.field(default_factory=list)
    objects: list[Path] = dataclasses.field(default_factory=list)
    is_sound: bool | None = None  # does it pass with the unbroken tool?
    lock: threading.Lock = dataclasses.field(default_factory=threading.Lock)


class Hunt:
    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.bench = run.Bench(options)
        self.variant = run.Variant(options.cc[0], options.opt[0], options.sanitize)
        self.samples: dict[tuple[str, int], Sample] = {}
        self.guard = threading.Lock()
        self.unsound: list[str] = []
        self.deadline = time.monotonic() + (options.seconds or 1e9)

    def lower(self, bench: run.Bench, program: run.Program, source: Path) -> run.Result:
        command = [self.options.awaitc, "lower", str(source), "--", f"-std={program.std}", "-w",
                   "-I", str(run.SUPPORT), "-I", self.options.include, *program.flags]
        env = {"AWAITC_FAULT": bench.options.fault} if bench.options.fault else {}
        return run.run(command, 60, env)

    def sample(self, kind: str, seed: int) -> Sample:
        with self.guard:
            sample = self.samples.setdefault((kind, seed), Sample())
        with sample.lock:
            if not sample.texts and sample.is_sound is None:
                self.prepare(sample, kind, seed)
        return sample

    def prepare(self, sample: Sample, kind: str, seed: int) -> None:
        work = self.bench.scratch / f"{kind}-{seed}"
        work.mkdir()
        sample.is_sound = False
        try:
            program = run.generated_program(kind, seed, work)
            oracle = run.Variant(self.options.oracle, "0", lowered=False)
            exe = self.bench.build(oracle, program, work)
            want = self.bench.execute(exe, program, "ready", timeout_s=3)
        except (run.Skipped, run.Failed):
            return
        if want.status < 0:
            return
        if program.sweep:
            sample.base = self.bench.execute(exe, program, "ready", {"LEAF_MARKS": "1"})
        for source in program.sources:
            sample.texts.append(self.lower(self.bench, program, source).out)
            sample.objects.append(work / f"{source.stem}.o")
        program.timeout_s = self.options.timeout
        sample.program, sample.want, sample.is_sound = program, want, None

    def check(self, sample: Sample, objects: list[Path], exe: Path) -> str:
        """How the build differs from the erased one; "" if it does not."""
        program = sample.program
        command = [self.variant.cc, *self.variant.flags(), *map(str, objects)]
        command += [str(self.bench.support(self.variant, name)) for name in ("leaf", "main")
                    if name == "leaf" or not program.own_main]
        result = run.run([*command, "-o", str(exe), self.options.lib, "-lpthread", "-lm"])
        if result.status != 0:
            return "does not link"
        for mode, more in (("once", {}), ("random:8", {}), ("ready", {}),
                           ("random:3", {"LEAF_WORKERS": "0"})):
            got = self.bench.execute(exe, program, mode, more)
            if not got.same(sample.want):
                return f"LEAF_MODE={mode}: " + run.difference(sample.want, got)
        if sample.base is not None:
            try:
                run.sweep(self.bench, program, exe, sample.base, str(self.variant))
            except run.Failed as why:
                return str(why)
        return ""

    def sound(self, sample: Sample) -> bool:
        """Does the program pass with the unbroken tool? Builds its objects, too."""
        with sample.lock:
            if sample.is_sound is None:
                why = ""
                for source, obj in zip(sample.program.sources, sample.objects):
                    result = self.bench.compile(self.variant, source, obj, sample.program.std,
                                                sample.program.flags)
                    why = why or ("" if result.status == 0 else run.tail(result.err))
                exe = sample.objects[0].with_suffix(".exe")
                why = why or self.check(sample, sample.objects, exe)
                sample.is_sound = not why
                if why:
                    self.unsound.append(f"{sample.program.name}: {why}")
        return sample.is_sound

    def shows(self, bench: run.Bench, sample: Sample) -> str:
        """How the program shows the fault; "" if it does not."""
        if sample.program is None:
            return ""
        changed = [i for i, source in enumerate(sample.program.sources)
                   if self.lower(bench, sample.program, source).out != sample.texts[i]]
        if not changed or not self.sound(sample):
            return ""
        objects = list(sample.objects)
        place = f"{bench.options.fault}-{sample.program.name.replace('/', '-')}"
        for i in changed:
            source = sample.program.sources[i]
            objects[i] = self.bench.scratch / f"{place}-{i}.o"
            result = bench.compile(self.variant, source, objects[i], sample.program.std,
                                   sample.program.flags)
            if result.status != 0:
                return "does not compile: " + run.tail(result.err, 3)
        exe = self.bench.scratch / f"{place}.exe"
        why = self.check(sample, objects, exe)
        for path in [exe, *(objects[i] for i in changed)]:
            path.unlink(missing_ok=True)
        return why

    def find(self, fault: str, first: list[tuple[str, int]]) -> tuple[str, int, int, str]:
        """Kind and seed of the program that shows it, after how many, and how."""
        bench = copy.copy(self.bench)
        bench.options = argparse.Namespace(**{**vars(self.options), "fault": fault})
        kinds = self.options.kind.split(",")
        order = first + [(kinds[i % len(kinds)], self.options.seed + i // len(kinds))
                         for i in range(self.options.count)]
        for number, (kind, seed) in enumerate(order, 1):
            if time.monotonic() > self.deadline:
                return "", 0, 0, "not tried to the end: no time left"
            if why := self.shows(bench, self.sample(kind, seed)):
                return kind, seed, number, why
        return "", 0, len(order), ""


def definitions() -> dict[str, str]:
    return dict(re.findall(r'^FAULT\((\w+), "(.*)"\)$', DEFINITIONS.read_text(), re.M))


def found_before() -> dict[str, list[str]]:
    lines = FOUND.read_text().splitlines() if FOUND.exists() else []
    return {fields[0]: fields[1:] for fields in map(str.split, lines) if fields and fields[0] != "#"}


def has_faults(awaitc: str) -> bool:
    return run.run([awaitc, "lower", str(run.HERE / "cases" / "S02_while.c"), "--", "-I",
                    str(run.SUPPORT), "-I", str(run.TREE / "runtime" / "include")], 60,
                   {"AWAITC_FAULT": "none"}).status == 2


def shown(why: str) -> str:
    """The start of a finding, for a table's cell."""
    line = (why.strip().splitlines() or [""])[0][:70]
    return "".join(c if c.isprintable() and c != "|" else "?" for c in line)


def record(rows: dict[str, tuple[str, int, int]]) -> None:
    before = found_before()
    for name, (kind, seed, number) in rows.items():
        before[name] = [kind, str(seed), str(number)]
    lines = [f"{name} {' '.join(before[name])}" for name in definitions() if name in before]
    FOUND.write_text("# Which generated program finds which fault: name, kind, seed, after how many "
                     "programs.\n# Written by faults.py --record.\n" + "\n".join(lines) + "\n")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help="faults; default: all")
    parser.add_argument("--awaitc", default=run.find_tool(), help="a tool built with AWAITC_FAULTS")
    parser.add_argument("--lib", default="", help="libawaitc.a")
    parser.add_argument("--include", default=str(run.TREE / "runtime" / "include"))
    parser.add_argument("--kind", default="own,csmith,cancel")
    parser.add_argument("--count", type=int, default=300, help="programs for each fault, at most")
    parser.add_argument("--seed", type=int, default=1, help="the first seed")
    parser.add_argument("--cc", default="gcc")
    parser.add_argument("--opt", default="0")
    parser.add_argument("--oracle", default="clang-19")
    parser.add_argument("--sanitize", action="store_true")
    parser.add_argument("--timeout", type=int, default=10, help="seconds for one run")
    parser.add_argument("--rotate", type=int, default=0, help="so many faults, other ones each day")
    parser.add_argument("--seconds", type=int, default=0, help="stop then; what is left is no failure")
    parser.add_argument("--record", action="store_true", help="write faults.txt")
    parser.add_argument("-j", "--jobs", type=int, default=2)
    options = parser.parse_args()
    options.cc, options.opt = options.cc.split(","), options.opt.split(",")
    options.lib = options.lib or run.find_library(options.awaitc)
    options.fault, options.warnings, options.sweep_limit = "", False, 12
    if shutil.which(options.oracle) is None:
        options.oracle = "clang"
    if shutil.which("csmith") is None:
        options.kind = options.kind.replace(",csmith", "")
    if not has_faults(options.awaitc):
        print("faults.py: this awaitc was built without AWAITC_FAULTS", file=sys.stderr)
        return 77

    what, before = definitions(), found_before()
    names = options.names or list(what)
    if options.rotate:
        start = int(time.time() // 86400) * options.rotate
        known = [name for name in names if name in before]
        names = [known[(start + i) % len(known)] for i in range(min(options.rotate, len(known)))]
    hunt, started = Hunt(options), time.monotonic()
    rows: dict[str, tuple[str, int, int]] = {}
    untried: list[str] = []

    def one(name: str) -> None:
        known = before.get(name) if options.rotate else None
        kind, seed, number, why = hunt.find(name, [(known[0], int(known[1]))] if known else [])
        if kind:
            with hunt.guard:
                rows[name] = (kind, seed, number)
                if options.record:
                    record(rows)
        if why and not kind:
            untried.append(name)
        found = f"{kind} {seed} | {number}" if kind else f"**nothing** | {number}"
        print(f"| {name} | {what[name]} | {found} | {shown(why)} |",
              flush=True)

    print("| fault | what it breaks | found by | after programs | how |\n| --- | --- | --- | --- | --- |")
    try:
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for done in [pool.submit(one, name) for name in names]:
                done.result()
    finally:
        shutil.rmtree(hunt.bench.scratch, ignore_errors=True)
    for text in hunt.unsound:
        print(f"not sound with the unbroken tool: {text}")
    print(f"{time.monotonic() - started:.0f} s")
    missed = len(names) - len(rows) - len(untried)
    print(f"{len(rows)} faults found, {missed} not found, {len(untried)} not tried to the end")
    return 0 if missed == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
