#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Does a lowered program do what the same text does with `async` and `await` removed?

Every program is built erased (support/erased stands in for <awaitc.h>; clang-19 gives the order of
evaluation) and lowered by `awaitc cc`, for several compilers and options; the lowered builds run with
leaves that never suspend, that suspend once, and that suspend at random. Output and exit status must be
equal in all of them. A program with a clean-up log is also cancelled at every leaf in turn. The programs
are the hand-written ones (cases, multi), those that must be refused, and generated ones (csmith, own,
cancel). Run `run.py --help` for the options; README.md says how to read a failure.
"""

from __future__ import annotations

import argparse
import collections
import concurrent.futures
import dataclasses
import os
import re
import resource
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
SUPPORT = HERE / "support"
TREE = HERE.parent.parent
KINDS = ["cases", "multi", "refused", "csmith", "own", "cancel"]
SANITIZE = ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]


@dataclasses.dataclass(frozen=True)
class Variant:
    """One way to compile: compiler, optimisation, sanitizers; `tool` empty means erased."""

    cc: str
    opt: str
    sanitize: bool = False
    lowered: bool = True

    def __str__(self) -> str:
        kind = "lowered" if self.lowered else "erased"
        name = self.cc.replace(" ", "")
        return f"{kind}-{name}-O{self.opt}" + ("-san" if self.sanitize else "")

    def flags(self) -> list[str]:
        return [f"-O{self.opt}", "-g0"] + (SANITIZE if self.sanitize else [])


@dataclasses.dataclass
class Program:
    """Sources and how they want to be built and run; the `// key: value` lines at a source's top."""

    name: str
    sources: list[Path]
    repro: str
    std: str = "gnu11"
    flags: list[str] = dataclasses.field(default_factory=list)
    erased: str = ""
    expected: Path | None = None
    own_main: bool = False
    sweep: bool = False
    stack_kib: int = 0
    only_cc: list[str] = dataclasses.field(default_factory=list)
    one_worker: bool = False
    sanitize: bool = True
    run_flags: list[str] = dataclasses.field(default_factory=list)
    timeout_s: int = 20
    native: bool = False

    def read_directives(self) -> None:
        text = self.sources[0].read_text(errors="replace")
        for key, value in re.findall(r"^// ([a-z-]+)(?:: *(.*))?$", text, re.M):
            value = value.strip()
            if key == "std":
                self.std = value
            elif key == "flags":
                self.flags += shlex.split(value)
            elif key == "erased":
                self.erased = value
            elif key == "own-main":
                self.own_main = True
            elif key == "cancel":
                self.sweep = value == "sweep"
            elif key == "stack-kib":
                self.stack_kib = int(value)
            elif key == "only-cc":
                self.only_cc = value.split()
            elif key == "one-worker":
                self.one_worker = True
            elif key == "native":
                self.native = True
            elif key == "no-sanitize":
                self.sanitize = False
            elif key == "args":
                self.run_flags = shlex.split(value)
            elif key == "timeout":
                self.timeout_s = int(value)
        out = self.sources[0].with_suffix(".out")
        if out.exists():
            self.expected = out


class Failed(Exception):
    """A program that did not pass; the text says how."""


class Skipped(Exception):
    """A generated program that is no test: it runs too long, say."""


@dataclasses.dataclass
class Result:
    status: int
    out: bytes
    err: bytes

    def same(self, other: Result) -> bool:
        return (self.status, self.out) == (other.status, other.out)


def run(command: list[str], timeout_s: float = 120, env: dict[str, str] | None = None,
        cwd: Path | None = None, stack_kib: int = 0) -> Result:
    full = dict(os.environ)
    full.update(env or {})

    def limit() -> None:
        if stack_kib:
            resource.setrlimit(resource.RLIMIT_STACK, (stack_kib * 1024, stack_kib * 1024))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=full,
                              stdin=subprocess.DEVNULL, timeout=timeout_s, cwd=cwd,
                              preexec_fn=limit)
    except subprocess.TimeoutExpired as late:
        return Result(-999, late.stdout or b"", b"timed out\n" + (late.stderr or b""))
    return Result(done.returncode, done.stdout, done.stderr)


def find_tool() -> str:
    for pattern in ("build/release/bin/awaitc", "build/release/awaitc", "build/*/bin/awaitc",
                    "build/*/awaitc", "bin/awaitc"):
        for path in sorted(TREE.glob(pattern)):
            if path.is_file() and os.access(path, os.X_OK):
                return str(path)
    return shutil.which("awaitc") or ""


def find_library(tool: str) -> str:
    if tool:
        near = Path(tool).resolve().parent
        for base in (near, near.parent):
            for path in sorted(base.glob("**/libawaitc.a")):
                return str(path)
    for path in sorted(TREE.glob("build/*/**/libawaitc.a")):
        return str(path)
    return ""


class Bench:
    """Builds and runs programs; keeps the support objects of each variant, compiled once."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.emulator: list[str] = []  # what runs programs that are for another machine
        self.scratch = Path(tempfile.mkdtemp(prefix="awaitc-lower-"))
        self.locks: dict[tuple[str, str], threading.Lock] = {}
        self.guard = threading.Lock()

    def compile(self, variant: Variant, source: Path, obj: Path, std: str,
                flags: list[str]) -> Result:
        include = ["-I", str(SUPPORT)]
        if variant.lowered:
            command = [self.options.awaitc, "cc", *shlex.split(variant.cc)]
            include += ["-I", self.options.include]
        else:
            command = shlex.split(variant.cc)
            include = ["-I", str(SUPPORT / "erased")] + include
        warn = [] if self.options.warnings else ["-w"]
        command += [f"-std={std}", *warn, *variant.flags(), *include, *flags,
                    "-c", str(source), "-o", str(obj)]
        env = {"AWAITC_FAULT": self.options.fault} if self.options.fault else {}
        result = run(command, 180, env)
        result.err = b"$ " + shlex.join(command).encode() + b"\n" + result.err
        return result

    def support(self, variant: Variant, name: str) -> Path:
        """The object of support/NAME.c for this variant."""
        key = (str(variant), name)
        with self.guard:
            lock = self.locks.setdefault(key, threading.Lock())
        obj = self.scratch / f"{variant}-{name}.o"
        with lock:
            if not obj.exists():
                result = self.compile(variant, SUPPORT / f"{name}.c", obj, "gnu11", [])
                if result.status != 0:
                    raise Failed(f"support/{name}.c does not compile ({variant})\n"
                                 + result.err.decode(errors="replace"))
        return obj

    def build(self, variant: Variant, program: Program, work: Path) -> Path:
        objects = []
        for source in program.sources:
            obj = work / f"{source.stem}-{variant}.o"
            result = self.compile(variant, source, obj, program.std, program.flags)
            if result.status != 0:
                raise Failed(f"{variant}: {source.name} does not compile (status "
                             f"{result.status})\n" + tail(result.err))
            objects.append(obj)
        objects.append(self.support(variant, "leaf"))
        if not program.own_main:
            objects.append(self.support(variant, "main"))
        exe = work / f"run-{variant}"
        command = [*shlex.split(variant.cc), *variant.flags(), *map(str, objects), "-o", str(exe)]
        if variant.lowered:
            command += [self.options.lib]
        command += ["-lpthread", "-lm"]
        result = run(command)
        if result.status != 0:
            raise Failed(f"{variant}: does not link\n$ {shlex.join(command)}\n" + tail(result.err))
        return exe

    def execute(self, exe: Path, program: Program, mode: str, more: dict[str, str] | None = None,
                timeout_s: float | None = None) -> Result:
        env = {"LEAF_MODE": mode, "ASAN_OPTIONS": "detect_stack_use_after_return=0",
               "UBSAN_OPTIONS": "print_stacktrace=0"}
        env.update(more or {})
        return run([*self.emulator, str(exe), *program.run_flags], timeout_s or program.timeout_s, env,
                   stack_kib=program.stack_kib)


def tail(text: bytes, lines: int = 25) -> str:
    shown = text.decode(errors="replace").splitlines()
    return "\n".join(shown[:3] + ["..."] + shown[-lines:] if len(shown) > lines + 3 else shown)


def difference(want: Result, got: Result) -> str:
    parts = []
    if want.status != got.status:
        parts.append(f"status {got.status}, expected {want.status}")
    a = want.out.decode(errors="replace").splitlines()
    b = got.out.decode(errors="replace").splitlines()
    for i in range(max(len(a), len(b))):
        left = a[i] if i < len(a) else "(end)"
        right = b[i] if i < len(b) else "(end)"
        if left != right:
            before = " | ".join(a[max(0, i - 3):i])
            parts.append(f"line {i + 1}: {right!r}, expected {left!r}; before it: {before}")
            break
    if got.err:
        parts.append("stderr: " + tail(got.err, 12))
    return "; ".join(parts)


def log_lines(result: Result) -> list[str]:
    lines = result.out.decode(errors="replace").splitlines()
    return [line for line in lines if not line.startswith("hash ")]


def cancelled_log(base: list[str], number: int) -> list[str]:
    """What a run that is cancelled at leaf `number` must log: all up to it, then the resources that
    are held there, given back in reverse order."""
    log: list[str] = []
    held: list[str] = []
    for line in base:
        log.append(line)
        if re.fullmatch(r"\+-?\d+", line):
            held.append(line[1:])
        elif re.fullmatch(r"--?\d+", line):
            last = len(held) - 1 - held[::-1].index(line[1:])
            del held[last]
        if line == f"@{number}":
            break
    return log + ["-" + name for name in reversed(held)] + ["cancelled"]


def sweep(bench: Bench, program: Program, exe: Path, base: Result, label: str) -> None:
    lines = [line for line in log_lines(base) if not line.startswith("returned")]
    leaves = sum(1 for line in lines if re.fullmatch(r"@\d+", line))
    step = max(1, leaves // bench.options.sweep_limit)
    for number in range(1, leaves + 1, step):
        want = cancelled_log(lines, number)
        for mode in ("ready", "park"):
            got = bench.execute(exe, program, mode,
                                {"LEAF_MARKS": "1", "LEAF_CANCEL": str(number)})
            if log_lines(got) != want or got.status != 0:
                expected = Result(0, "\n".join(want).encode() + b"\n", b"")
                shown = Result(got.status, "\n".join(log_lines(got)).encode() + b"\n", got.err)
                raise Failed(f"{label}, LEAF_MODE={mode} LEAF_MARKS=1 LEAF_CANCEL={number}: "
                             + difference(expected, shown))


def check_program(bench: Bench, program: Program, variants: list[Variant], work: Path,
                  generated: bool) -> int:
    """Builds and runs everything that belongs to one program; returns the number of runs."""
    options = bench.options
    erased_cc = program.erased or options.oracle
    if bench.emulator:
        if program.native:
            raise Skipped("not for other machines")
        if erased_cc == "gcc":
            erased_cc = options.cc[0]
    want: Result | None = None
    base: Result | None = None
    if erased_cc != "none":
        oracle = Variant(erased_cc, "0", lowered=False)
        exe = bench.build(oracle, program, work)
        want = bench.execute(exe, program, "ready", timeout_s=3 if generated else None)
        if generated and want.status == -999:
            raise Skipped("runs too long")
        if want.status < 0:
            raise Failed(f"{oracle}: died of signal {-want.status}\n" + tail(want.err))
        if program.sweep:
            base = bench.execute(exe, program, "ready", {"LEAF_MARKS": "1"})
    if program.expected is not None:
        text = program.expected.read_bytes()
        stated = re.match(rb"status (\d+)\n", text)
        status = int(stated.group(1)) if stated else 0
        fixed = Result(status, text[stated.end():] if stated else text, b"")
        if want is not None and not fixed.same(want):
            raise Failed("the erased program disagrees with the expected output: "
                         + difference(fixed, want))
        want = fixed
    if want is None:
        raise Failed("neither an erased run nor an expected output")
    runs = 0
    for variant in variants:
        if program.only_cc and not any(variant.cc.startswith(cc) for cc in program.only_cc):
            continue
        if variant.sanitize and not program.sanitize:
            continue
        if not variant.lowered and program.erased not in ("", variant.cc):
            continue
        exe = bench.build(variant, program, work)
        modes: list[tuple[str, dict[str, str]]]
        modes = [("ready", {}), ("once", {}), (f"random:{options.seed + 7}", {})]
        if not program.one_worker:
            modes.append(("once", {"LEAF_WORKERS": "0"}))
        for mode, more in modes:
            got = bench.execute(exe, program, mode, more)
            runs += 1
            if not got.same(want):
                setting = " ".join(f"{k}={v}" for k, v in more.items())
                raise Failed(f"{variant}, LEAF_MODE={mode} {setting}: " + difference(want, got))
        if base is not None and (variant.sanitize or variant.opt == "2"):
            sweep(bench, program, exe, base, str(variant))
    return runs


# The stand-in runs the forms by other text than <awaitc.h> does: what it says of that text is not
# missed. Its own names start with t_ and end with _.
FORMS = re.compile(r"\b(?:aw_(?:try_)?all|aw_race|aw_timeout|aw_cancel|defer|spawn)\b")
FORM_WARNINGS = ("[-Wsequence-point]", "[-Wunsequenced]", "[-Wmaybe-uninitialized]",
                 "[-Wunused-function]", "[-Wshadow]")
STATEMENT_WARNING = "[-Wgnu-statement-expression"


def warning_lines(result: Result) -> collections.Counter[str]:
    """Every warning as "file:line [-Wname]"; those inside the stand-in for <awaitc.h> are its own."""
    text = result.err.decode(errors="replace")
    found = re.findall(r"^\S*?([^/\s:]+:\d+):(?:\d+:)? warning: (.*?)(\[-W[^\]]+\])?$", text, re.M)
    return collections.Counter(f"{place} {name}" for place, what, name in found
                               if not place.startswith("awaitc.h:")
                               and not re.search(r"\bt_\w+_\b", what))


def check_warnings(bench: Bench, program: Program, work: Path) -> int:
    """Lowered and erased text must warn equally often at the same places, under strict flags."""
    strict = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Wsign-conversion",
              "-Wstrict-prototypes", "-Wcast-qual", "-Wcast-align", "-Wwrite-strings", "-Wundef",
              "-Wimplicit-fallthrough", "-Wformat=2", "-Wnull-dereference", "-Wold-style-definition"]
    count = 0
    for cc in bench.options.cc:
        if program.only_cc and not any(cc.startswith(want) for want in program.only_cc):
            continue
        for source in program.sources:
            obj = work / "warn.o"
            plain = bench.compile(Variant(cc, "2", lowered=False), source, obj, program.std,
                                  program.flags + strict)
            if plain.status != 0 or (program.erased and b"implicit-function-decl" in plain.err):
                continue  # it does not build erased
            ours = bench.compile(Variant(cc, "2"), source, obj, program.std,
                                 program.flags + strict)
            more = warning_lines(ours) - warning_lines(plain)
            less = warning_lines(plain) - warning_lines(ours)
            less = {line: n for line, n in less.items() if STATEMENT_WARNING not in line}
            if FORMS.search(source.read_text()):
                less = {line: n for line, n in less.items() if not line.endswith(FORM_WARNINGS)}
            if more or less or ours.status != 0:
                raise Failed(f"{cc}: only lowered warns: {sorted(more)}; only erased warns: "
                             f"{sorted(less)}\n" + tail(ours.err, 15))
            count += 1
    return count


def check_refused(bench: Bench, program: Program, work: Path) -> int:
    """awaitc must exit with 1, write nothing, and report exactly the errors that the text states."""
    source = program.sources[0]
    want: list[tuple[int, set[str]]] = []  # a line, and the ids that are right there
    for number, line in enumerate(source.read_text().splitlines(), 1):
        for idents in re.findall(r"expect-error: *([a-z|-]+)", line):
            want.append((number, set(idents.split("|"))))
    compilers = [cc for cc in bench.options.cc
                 if not program.only_cc or any(cc.startswith(c) for c in program.only_cc)]
    for cc in compilers:
        obj = work / f"refused-{cc}.o"
        result = bench.compile(Variant(cc, "0"), source, obj, program.std, program.flags)
        text = result.err.decode(errors="replace")
        got = {(int(line), ident) for line, ident in re.findall(
            rf"{re.escape(source.name)}:(\d+):(?:\d+:)? error: .*\[(awaitc-[a-z-]+)\]", text)}
        if result.status != 1:
            raise Failed(f"{cc}: status {result.status}, expected 1\n{tail(result.err)}")
        if obj.exists():
            raise Failed(f"{cc}: wrote an object file in spite of the errors")
        missing = [entry for entry in want if not any((entry[0], i) in got for i in entry[1])]
        unexpected = [(line, ident) for line, ident in got
                      if not any(line == at and ident in idents for at, idents in want)]
        if missing or unexpected:
            raise Failed(f"{cc}: missing {sorted((n, '|'.join(sorted(i))) for n, i in missing)}, "
                         f"unexpected {sorted(unexpected)}\n" + tail(result.err))
        for ident in sorted({ident for _, ident in got}):
            if bench.options.explain and not run([bench.options.awaitc, "explain", ident]).out:
                raise Failed(f"awaitc explain {ident} says nothing")
    return len(compilers)


def written_programs(kind: str, names: list[str]) -> list[Program]:
    programs = []
    if kind == "multi":
        groups = [(d.name, sorted(d.glob("*.c"))) for d in sorted((HERE / kind).iterdir())
                  if d.is_dir()]
    else:
        groups = [(path.stem, [path]) for path in sorted((HERE / kind).glob("*.c"))]
    for stem, sources in groups:
        if names and not any(re.search(name, f"{kind}/{stem}") for name in names):
            continue
        program = Program(f"{kind}/{stem}", sources, f"run.py --kind {kind} {kind}/{stem}$")
        program.read_directives()
        if kind == "multi":
            program.flags += ["-I", str(sources[0].parent)]
        programs.append(program)
    return programs


def generated_program(kind: str, seed: int, work: Path) -> Program:
    script = HERE / ("generate.py" if kind == "csmith" else "generate_own.py")
    command = [sys.executable, str(script), "--seed", str(seed), "--out", str(work)]
    if kind == "cancel":
        command.append("--cancel")
    made = run(command, 60)
    if made.status == 77:
        raise Skipped(made.err.decode(errors="replace").strip())
    if made.status != 0:
        raise Failed(f"{script.name} failed: {tail(made.err)}")
    program = Program(f"{kind}/{seed}", sorted(work.glob("*.c")),
                      f"run.py --kind {kind} --seed {seed} --count 1")
    program.read_directives()
    if kind == "csmith":
        for place in sorted(Path("/usr/include").glob("csmith*/")):
            program.flags += ["-I", str(place)]
        if "#pragma pack" in program.sources[0].read_text():
            program.sanitize = False  # csmith takes addresses of unaligned members itself
    program.flags += ["-I", str(work)]
    return program


def variants_for(options: argparse.Namespace, index: int, full: bool) -> list[Variant]:
    compilers, opts = options.cc, options.opt
    everything = [Variant(cc, opt) for cc in compilers for opt in opts]
    if options.sanitize or full:
        everything += [Variant(cc, "1", sanitize=True) for cc in compilers]
    if full or options.matrix == "full":
        return everything
    few = [variant for variant in everything if variant.cc == compilers[0]
           and not variant.sanitize]
    if options.matrix == "rotate":
        rest = [variant for variant in everything + [Variant(cc, "1", True) for cc in compilers]
                if variant not in few]
        if rest:
            few.append(rest[index % len(rest)])
    return few


def set_target(bench: Bench, target: str) -> None:
    """Everything for another machine: its compilers, a runtime built for it, and an emulator."""
    options, build = bench.options, bench.scratch / "runtime"
    options.matrix = "quick"  # its one compiler, without sanitizers
    options.cc = [f"{target}-gcc"]
    options.oracle = f"{options.oracle} --target={target}"
    bench.emulator = ["qemu-" + target.split("-")[0], "-L", f"/usr/{target}"]
    configure = ["cmake", "-S", str(TREE), "-B", str(build), f"-DCMAKE_C_COMPILER={target}-gcc",
                 "-DCMAKE_SYSTEM_NAME=Linux", "-DCMAKE_BUILD_TYPE=Release", "-DAWAITC_TESTS=OFF"]
    for command in (configure, ["cmake", "--build", str(build), "--target", "awaitc_runtime"]):
        result = run(command, 600)
        if result.status != 0:
            raise Failed(f"no runtime for {target}\n$ {shlex.join(command)}\n"
                         + tail(result.out + result.err))
    options.lib = str(next(build.glob("**/libawaitc.a")))


def keep_files(options: argparse.Namespace, program_name: str, work: Path, why: str,
               repro: str) -> str:
    if not options.keep:
        return ""
    place = Path(options.keep) / program_name.replace("/", "-")
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(work, place, ignore=lambda d, names: [n for n in names if n.endswith(".o")])
    (place / "why.txt").write_text(f"{repro}\n{why}\n")
    return f"\n  files: {place}"


def one(bench: Bench, kind: str, item: Program | int, index: int) -> tuple[str, str]:
    """Runs one program. Returns ("pass"|"fail"|"skip", what to print)."""
    options = bench.options
    name = item.name if isinstance(item, Program) else f"{kind}/{item}"
    work = bench.scratch / name.replace("/", "-")
    work.mkdir(parents=True)
    repro = ""
    try:
        generated = not isinstance(item, Program)
        repro = item.repro if isinstance(item, Program) else \
            f"run.py --kind {kind} --seed {item} --count 1"
        if isinstance(item, Program):
            program = item
            if options.keep:
                for source in program.sources:
                    shutil.copy(source, work)
        else:
            program = generated_program(kind, item, work)
        if kind == "refused":
            check_refused(bench, program, work)
        elif options.warnings:
            check_warnings(bench, program, work)
        else:
            key = item if isinstance(item, int) else index
            full = options.matrix == "full" or (kind in ("cases", "multi")
                                                and options.matrix == "rotate")
            check_program(bench, program, variants_for(options, key, full), work, generated)
    except Skipped as why:
        return "skip", f"SKIP {name}: {why}"
    except Failed as why:
        text = str(why)
        where = keep_files(options, name, work, text, repro)
        return "fail", f"FAIL {name}\n  {text}\n  again: {repro}{where}"
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return "pass", f"ok   {name}"


def self_test(bench: Bench) -> tuple[str, str]:
    """Proves that a difference is noticed: a leaf that adds one while it suspends must fail."""
    broken = bench.scratch / "broken.c"
    broken.write_text('#include <stdlib.h>\n#include "leaf.h"\n'
                      'async int test_main(void) { const char *m = getenv("LEAF_MODE");\n'
                      '  say("v %d", await t_int(3) + (m && m[0] != \'r\')); return 0; }\n')
    program = Program("self-test/broken", [broken], "run.py --self-test")
    cc = bench.options.cc[0]
    lowered = bool(bench.options.awaitc) and not bench.options.erased_only
    exe = bench.build(Variant(cc, "0", lowered=lowered), program, bench.scratch)
    want = bench.execute(exe, program, "ready")
    got = bench.execute(exe, program, "once")
    if want.same(got) or want.status != 0 or got.status != 0:
        return "fail", "FAIL self-test: a broken program was not noticed"
    return "pass", "ok   self-test: a broken program is noticed"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help="regular expressions over KIND/NAME")
    parser.add_argument("--awaitc", default=find_tool(), help="the awaitc binary")
    parser.add_argument("--lib", default="", help="libawaitc.a")
    parser.add_argument("--include", default=str(TREE / "runtime" / "include"))
    parser.add_argument("--kind", default="cases,multi,refused", help=",".join(KINDS) + " or all")
    parser.add_argument("--count", type=int, default=100, help="generated programs of each kind")
    parser.add_argument("--seed", type=int, default=1, help="the first seed")
    parser.add_argument("--cc", default="gcc,clang")
    parser.add_argument("--opt", default="0,2")
    parser.add_argument("--oracle", default="clang-19", help="compiler of the erased program")
    parser.add_argument("--target", default="", metavar="TRIPLE",
                        help="for another machine: TRIPLE-gcc, run by qemu")
    parser.add_argument("--sanitize", action="store_true", help="also with ASan and UBSan")
    parser.add_argument("--matrix", choices=["quick", "rotate", "full"], default="rotate",
                        help="quick: first compiler only; rotate: one more build each, and all of "
                             "them for written cases; full: everything")
    parser.add_argument("--keep", default="", help="directory for the files of failures")
    parser.add_argument("--fault", default="", help="AWAITC_FAULT for the tool: a planted fault")
    parser.add_argument("--warnings", action="store_true",
                        help="compare warnings of lowered and erased text instead of running")
    parser.add_argument("--explain", action="store_true", help="refused: `awaitc explain` too")
    parser.add_argument("--sweep-limit", type=int, default=40, help="cancel points of one program")
    parser.add_argument("--erased-only", action="store_true",
                        help="no tool: compares erased builds with each other")
    parser.add_argument("--self-test", action="store_true", help="prove that it can fail")
    parser.add_argument("-j", "--jobs", type=int, default=2)
    parser.add_argument("-v", "--verbose", action="store_true")
    parser.add_argument("--stop-after", type=int, default=0, help="failures after which to stop")
    options = parser.parse_args()
    options.cc = options.cc.split(",")
    options.opt = options.opt.split(",")
    if shutil.which(options.oracle) is None:
        options.oracle = "clang"
    options.lib = options.lib or find_library(options.awaitc)
    if not options.erased_only and (not options.awaitc or not options.lib):
        print("run.py: no awaitc or no libawaitc.a; see --awaitc, --lib", file=sys.stderr)
        return 2
    kinds = KINDS if options.kind == "all" else options.kind.split(",")

    bench = Bench(options)
    if options.target:
        try:
            set_target(bench, options.target)
        except Failed as why:
            print(why, file=sys.stderr)
            shutil.rmtree(bench.scratch, ignore_errors=True)
            return 1
    if options.erased_only:
        def erased_variants(_: argparse.Namespace, index: int, full: bool) -> list[Variant]:
            return [Variant(cc, opt, san, False) for cc in options.cc for opt, san in
                    [(o, False) for o in options.opt] + [("1", True)] * options.sanitize]
        globals()["variants_for"] = erased_variants
        globals()["sweep"] = lambda *_: None

    items: list[tuple[str, Program | int, int]] = []
    for kind in kinds:
        if kind not in KINDS:
            parser.error(f"unknown kind {kind}")
        if kind in ("csmith", "own", "cancel"):
            if kind == "csmith" and shutil.which("csmith") is None:
                print("note: csmith is not installed; its programs are left out")
                continue
            items += [(kind, options.seed + i, i) for i in range(options.count)]
        elif kind != "refused" or not options.erased_only:
            items += [(kind, program, i)
                      for i, program in enumerate(written_programs(kind, options.names))]

    counts = {"pass": 0, "fail": 0, "skip": 0}
    started = time.monotonic()
    try:
        if options.self_test:
            state, text = self_test(bench)
            counts[state] += 1
            print(text, flush=True)
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            waiting = [pool.submit(one, bench, *item) for item in items]
            for done in waiting:
                state, text = done.result()
                counts[state] += 1
                if state == "fail" or options.verbose:
                    print(text, flush=True)
                if options.stop_after and counts["fail"] >= options.stop_after:
                    for rest in waiting:
                        rest.cancel()
                    break
    finally:
        shutil.rmtree(bench.scratch, ignore_errors=True)
    if counts["skip"]:
        print(f"{counts['skip']} programs left out (no test: too long, too few calls, or for this machine only)")
    print(f"{time.monotonic() - started:.0f} s")
    print(f"{counts['pass']} passed, {counts['fail']} failed")
    return 1 if counts["fail"] or not counts["pass"] else 0


if __name__ == "__main__":
    sys.exit(main())
