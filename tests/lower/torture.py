#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes existing C programs async, mechanically, and checks that they still do the same.

Takes self-contained programs (main returns 0, aborts, or prints). Every function that can be async
becomes async, every call of it is awaited where it stands, leaves are sprinkled between statements and
into conditions and arguments, and main calls by aw_block_on (or is async itself). clang's syntax tree
gives the places, so that nothing is guessed from the text. A program counts when its original gives the
same result under the compilers; then the lowered one must give it too, whether leaves suspend or not.

    torture.py DIR_OR_FILE... [--awaitc PATH] [--cc gcc,clang] [--opt 0,2] [--keep DIR] [--erased-only]
"""

from __future__ import annotations

import argparse
import collections
import concurrent.futures
import json
import os
import random
import re
import shutil
import subprocess
import sys
import threading
from pathlib import Path

from run import SUPPORT, TREE, Bench, Failed, Program, Variant, find_library, find_tool, tail
from run import run as run_command

LENIENT = ["-w", "-Wno-error=implicit-int", "-Wno-error=implicit-function-declaration",
           "-Wno-error=int-conversion", "-Wno-error=incompatible-function-pointer-types",
           "-Wno-error=return-mismatch", "-fno-strict-aliasing"]
# What an async function may not contain; it stays plain.
FORBIDDEN_CALLS = re.compile(r"^(?:_*sig|__builtin_)?_?(?:set|long)jmp$|^(?:__builtin_)?alloca"
                             r"|va_start$|va_end$|va_copy$|_address$|__builtin_apply|__builtin_return$"
                             r"|va_arg_pack|^v?fork$|stack_save|stack_restore|unwind_init|eh_return")
FORBIDDEN_ATTRS = {"ConstAttr", "PureAttr", "AliasAttr", "IFuncAttr", "ConstructorAttr",
                   "DestructorAttr", "GNUInlineAttr", "NakedAttr", "WeakRefAttr"}
# Functions of the C library that a program may define for itself: a compiler knows them.
LIBRARY = re.compile(r"^(?:_*(?:abort|exit|atexit|printf|fprintf|sprintf|puts|putchar|malloc|free|"
                     r"calloc|realloc|mem\w+|str\w+|bcopy|bzero|abs|labs|main|alloca|ffs\w*|"
                     r"link_error|(?:f|s)?scanf|v\w*printf|f?puts?c?|signal|isinf|isnan))$")


class NotForUs(Exception):
    """The program cannot be used; the text is the reason, for the statistics."""


class Func:
    def __init__(self, name: str) -> None:
        self.name = name
        self.begins: list[int] = []     # where each of its declarations starts
        self.defined = False
        self.reasons: set[str] = set()  # why it must stay plain
        self.callers: set[str] = set()
        self.calls: set[str] = set()


class Tree:
    """What clang says about one file: functions, calls, statements and conditions, by byte offset."""

    def __init__(self, path: Path, flags: list[str]) -> None:
        self.path = str(path)
        self.text = path.read_bytes()
        self.current = ""
        dump = subprocess.run(["clang-19", "-fsyntax-only", "-std=gnu11", *LENIENT, *flags, "-Xclang",
                               "-ast-dump=json", self.path], capture_output=True, timeout=60)
        if dump.returncode != 0:
            raise NotForUs("clang does not parse it")
        root = json.loads(dump.stdout, object_hook=self.note_file)
        self.funcs: dict[str, Func] = {}
        self.calls: list[tuple[str, str, int, int, bool]] = []  # caller, callee, range, in macro
        self.statements: list[tuple[str, int]] = []
        self.values: list[tuple[str, int, int]] = []
        self.shared_begin: dict[int, set[str]] = collections.defaultdict(set)
        self.walk(root, "", "")
        for name in re.findall(rb'alias(?:__)?\s*\(\s*"(\w+)"', self.text):
            self.func(name.decode()).reasons.add("has an alias")

    def note_file(self, node: dict) -> dict:
        # Locations come in the order of the text and name the file only where it changes.
        if "offset" in node:
            self.current = node.get("file", self.current)
            node["in"] = self.current
        return node

    def place(self, loc: dict, spelled: bool = True) -> int:
        """The offset in our file, or -1. Inside a macro: where the text was spelled or expanded."""
        if "spellingLoc" in loc:
            loc = loc["spellingLoc" if spelled else "expansionLoc"]
        return loc["offset"] if loc.get("in") == self.path and "offset" in loc else -1

    def end(self, loc: dict) -> int:
        at = self.place(loc)
        loc = loc.get("spellingLoc", loc)
        return at + loc.get("tokLen", 0) if at >= 0 else -1

    def is_old_style(self, name: int, parameter: int) -> bool:
        """Is the parameter at that offset declared behind the parentheses that follow the name?"""
        at, depth = self.text.find(b"(", name), 0
        while 0 <= at < len(self.text):
            depth += (self.text[at:at + 1] == b"(") - (self.text[at:at + 1] == b")")
            if depth == 0:
                return parameter > at
            at += 1
        return True

    def func(self, name: str) -> Func:
        return self.funcs.setdefault(name, Func(name))

    def walk(self, node: dict, inside: str, parent: str) -> None:
        kind = node.get("kind", "")
        inner = [kid for kid in node.get("inner", []) if kid]
        if kind == "FunctionDecl":
            inside = self.function(node, inner, inside)
        elif kind == "VarDecl" or kind == "FieldDecl":
            if kind == "VarDecl" and node["range"]["begin"]:
                self.shared_begin[self.place(node["range"]["begin"], False)].add("(variable)")
            if inside:
                type_ = node.get("type", {}).get("qualType", "")
                if "va_list" in type_:
                    self.func(inside).reasons.add("va_list")
                if any(kid.get("kind") == "AsmLabelAttr" for kid in inner):
                    self.func(inside).reasons.add("register variable")
        elif kind == "CallExpr":
            self.call(node, inner, inside)
            return
        elif kind == "DeclRefExpr":
            target = node.get("referencedDecl", {})
            if target.get("kind") == "FunctionDecl":
                self.func(target["name"]).reasons.add("address taken")
        elif kind in ("GCCAsmStmt",) and inside:
            self.func(inside).reasons.add("asm")
        elif kind in ("AddrLabelExpr", "VAArgExpr", "BlockExpr") and inside:
            if kind != "AddrLabelExpr":
                self.func(inside).reasons.add(kind)
        elif kind == "CompoundStmt" and inside:
            for kid in inner:
                begin = kid.get("range", {}).get("begin", {})
                if "spellingLoc" not in begin and self.place(begin) >= 0 \
                        and kid.get("kind") not in ("NullStmt", "AttributedStmt"):
                    self.statements.append((inside, self.place(begin)))
        if kind in ("IfStmt", "WhileStmt") and inside and inner:
            self.value(inner[0], inside)
        elif kind in ("BinaryOperator", "CompoundAssignOperator", "ArraySubscriptExpr", "ReturnStmt",
                      "ConditionalOperator") and inside:
            for kid in inner:
                if kid.get("castKind") == "LValueToRValue" or kid.get("kind") == "CallExpr":
                    self.value(kid, inside)
        for kid in inner:
            self.walk(kid, inside, kind)

    def value(self, node: dict, inside: str) -> None:
        """A condition or argument that may become `(await t_tick(), it)`."""
        begin, end = node["range"]["begin"], node["range"]["end"]
        if "spellingLoc" in begin or "spellingLoc" in end:
            return
        if node["kind"] in ("BinaryOperator", "CallExpr", "UnaryOperator") or \
                node["kind"] == "ImplicitCastExpr" and node.get("castKind") == "LValueToRValue":
            if self.place(begin) >= 0 and self.end(end) > self.place(begin):
                self.values.append((inside, self.place(begin), self.end(end)))

    def function(self, node: dict, inner: list[dict], inside: str) -> str:
        name = node["name"]
        func = self.func(name)
        begin = self.place(node["range"]["begin"], False)
        if begin < 0 or node.get("isImplicit"):
            func.reasons.add("declared elsewhere")
            return name
        func.begins.append(begin)
        self.shared_begin[begin].add(name)
        if "spellingLoc" in node["loc"]:
            func.reasons.add("made by a macro")
        type_ = node["type"]["qualType"]
        params = [kid for kid in inner if kid["kind"] == "ParmVarDecl"]
        if node.get("variadic"):
            func.reasons.add("variadic")
        untyped = params and params[0]["range"]["begin"].get("offset", -1) == \
            params[0]["loc"].get("offset", -2)
        if untyped or params and self.is_old_style(self.place(node["loc"]),
                                                   self.place(params[0]["loc"], False)):
            func.reasons.add("old-style definition")
        if node.get("inline") and node.get("storageClass") != "static":
            func.reasons.add("inline and not static")
        func.reasons |= {kid["kind"] for kid in inner} & FORBIDDEN_ATTRS
        if LIBRARY.match(name) and name != "main":
            func.reasons.add("name of the C library")
        if any(kid["kind"] == "CompoundStmt" for kid in inner):
            func.defined = True
            return name
        return inside

    def call(self, node: dict, inner: list[dict], inside: str) -> None:
        callee = inner[0]
        while callee["kind"] in ("ImplicitCastExpr", "ParenExpr") and callee.get("inner"):
            callee = callee["inner"][0]
        target = callee.get("referencedDecl", {})
        arguments = inner[1:]
        if callee["kind"] == "DeclRefExpr" and target.get("kind") == "FunctionDecl":
            name = target["name"]
            if FORBIDDEN_CALLS.search(name) and inside:
                self.func(inside).reasons.add(f"calls {name}")
            begin, end = node["range"]["begin"], node["range"]["end"]
            self.calls.append((inside, name, self.place(begin), self.end(end),
                               "spellingLoc" in begin))
            self.func(name).callers.add(inside)
            if inside:
                self.func(inside).calls.add(name)
            if name.startswith("__builtin") or name.startswith("__sync") or "__c11" in name:
                for kid in arguments:
                    self.walk(kid, inside, "CallExpr")
                return
        else:
            self.walk(inner[0], inside, "CallExpr")
        for kid in arguments:
            if inside:
                self.value(kid, inside)
            self.walk(kid, inside, "CallExpr")


def choose_async(tree: Tree) -> set[str]:
    chosen = {name for name, func in tree.funcs.items()
              if func.defined and not func.reasons and name != "main" and min(func.begins) >= 0}
    chosen -= {name.decode() for name in re.findall(rb"cleanup_*\s*\(\s*([\w$]+)", tree.text)}
    early = {callee for _, callee, begin, _, _ in tree.calls
             if callee in chosen and begin < min(tree.funcs[callee].begins)}
    chosen -= early  # declared by its call
    unplaced = {callee for _, callee, begin, end, _ in tree.calls if begin < 0 or end <= begin}
    chosen -= unplaced
    while True:
        drop = set()
        for name in chosen:
            if any(caller != "main" and caller not in chosen for caller in tree.funcs[name].callers):
                drop.add(name)
        for names in tree.shared_begin.values():
            if not names <= chosen:
                drop |= names & chosen
        if not drop:
            return chosen
        chosen -= drop


def transform(path: Path, flags: list[str], seed: int, main_how: str) -> tuple[str, int]:
    """The async text of a program, and how many of its functions are async."""
    if re.search(rb"__builtin_(frame|return)_address", path.read_bytes()):
        raise NotForUs("looks at stack frames")
    tree = Tree(path, flags)
    if main_how != "none" and not (tree.funcs.get("main") and tree.funcs["main"].defined):
        raise NotForUs("no main")
    chosen = choose_async(tree)
    if not chosen and main_how != "async":
        raise NotForUs("no function can be async")
    text = path.read_bytes()
    rng = random.Random(seed)
    edits: dict[tuple, bytes] = {}
    in_async = set(chosen)
    if main_how == "async":
        if tree.funcs["main"].reasons - {"name of the C library"}:
            raise NotForUs("main cannot be async")
        in_async.add("main")
        chosen = chosen | {"main"}
    for name in chosen:
        for begin in tree.funcs[name].begins:
            named = text[begin:begin + len(name)] == name.encode()  # no type: int
            edits[(begin, 1, 0, 0)] = b"async int " if named else b"async "
    word: dict[int, bytes] = {}
    for caller, callee, begin, end, _ in tree.calls:
        if callee not in chosen or callee == "main":
            continue
        left = b"(await " if caller in in_async else b"aw_block_on("
        if word.setdefault(begin, left) != left:
            raise NotForUs("a macro holds a call for main and for async functions")
        edits[(begin, 3, -end, 0)] = left
        edits[(end, 0, -begin, 0)] = b")"
    for inside, begin, end in tree.values:
        if inside in in_async and rng.random() < 0.12:
            edits[(begin, 3, -end, -1)] = b"(await t_tick(), "
            edits[(end, 0, -begin, 1)] = b")"
    for inside, begin in tree.statements:
        if inside in in_async and rng.random() < 0.3:
            edits[(begin, 2, 0, 0)] = b"await t_tick(); "
    # All edits stay on their line, so that they also hold inside a macro's definition.
    out, at = [], 0
    for key in sorted(edits):
        out.append(text[at:key[0]])
        out.append(edits[key])
        at = key[0]
    out.append(text[at:])
    head = f'#include <awaitc.h>\nasync void t_tick(void);\n#line 1 "{path.name}"\n'
    # last, since asm of file scope goes on in whatever section stands before it
    foot = "\nvoid t_init(void);\n" \
        "__attribute__((constructor)) static void t_start_(void) { t_init(); }\n"
    return head + b"".join(out).decode("latin-1") + foot, len(chosen)


def program_flags(path: Path) -> list[str]:
    """Options that a test of gcc states for itself."""
    text = path.read_text(errors="replace")
    flags: list[str] = []
    for options in re.findall(r"dg-(?:additional-)?options +\{? *\"([^\"]*)\"", text):
        flags += [word for word in options.split()
                  if re.match(r"-(?:f(?!dump|profile|compare|instrument|sanitize|split)|m(?!arch)|D|U|std=)", word)]
    return flags


def check_compiles(bench: Bench, path: Path, options: argparse.Namespace) -> tuple[str, str]:
    """A file that is only to be compiled: the lowered text must compile where the erased one does."""
    work = bench.scratch / re.sub(r"\W", "_", str(path))
    work.mkdir()
    flags = program_flags(path) + ["-I", str(path.parent)]
    try:
        text, count = transform(path, flags, options.seed, "none")
        source = work / path.name
        source.write_text(text, encoding="latin-1")
        for cc in options.cc:
            more = LENIENT[1:] if cc.startswith("clang") else []
            erased = bench.compile(Variant(cc, "0", lowered=False), source, work / "erased.o", "gnu11",
                                   flags + more)
            if erased.status != 0:
                raise NotForUs("the erased text does not compile")
            for opt in () if options.erased_only else options.opt:
                lowered = bench.compile(Variant(cc, opt), source, work / "lowered.o", "gnu11",
                                        flags + more)
                if lowered.status != 0:
                    found = lowered.err.decode(errors="replace")
                    ids = sorted(set(re.findall(r"\[(awaitc-[a-z-]+)\]", found)))
                    detail = f"{' '.join(ids)}\n  {tail(lowered.err)}"
                    return ("refused" if ids and ids != ["awaitc-internal"] else "fail"), detail
        return "pass", f"{count} functions"
    except NotForUs as why:
        return "skip", str(why)
    except subprocess.TimeoutExpired as why:
        return "fail", str(why)
    finally:
        if options.keep and (work / path.name).exists():
            Path(options.keep).mkdir(parents=True, exist_ok=True)
            shutil.copy(work / path.name, Path(options.keep) / path.name)
        shutil.rmtree(work, ignore_errors=True)


def check(bench: Bench, path: Path, options: argparse.Namespace) -> tuple[str, str]:
    """("pass"|"refused"|"fail"|"skip", detail)."""
    work = bench.scratch / re.sub(r"\W", "_", str(path))
    work.mkdir()
    flags = program_flags(path)
    try:
        program = Program(path.stem, [path], "", flags=flags + ["-I", str(path.parent), *LENIENT[1:]])
        original: dict[str, object] = {}
        for cc in dict.fromkeys([*options.cc, "clang-19"]):
            exe = work / f"original-{cc}"
            accepted = [f for f in LENIENT if cc.startswith("clang") or "error" not in f]
            built = run_command([cc, "-std=gnu11", "-O0", *accepted, *flags, "-I",
                                 str(path.parent), str(path), "-o", str(exe), "-lm", "-lpthread"])
            if built.status != 0:
                raise NotForUs(f"{cc} does not compile it")
            original[cc] = run_command([str(exe)], 10, cwd=path.parent)
        want = original[options.cc[0]]
        if any(not want.same(other) for other in original.values()):
            raise NotForUs("compilers disagree")
        if want.status < 0:
            raise NotForUs("the original dies or runs too long")
        how = options.main
        try:
            text, count = transform(path, flags, options.seed, how)
        except NotForUs:
            if how != "block_on":
                raise
            text, count = transform(path, flags, options.seed, "async")
        source = work / path.name
        source.write_text(text, encoding="latin-1")
        program.sources = [source]
        program.own_main = True
        program.flags = [f for f in flags] + ["-I", str(path.parent)]
        erased_flags = list(program.flags)

        def build(variant: Variant) -> Path:
            program.flags = erased_flags + (LENIENT if variant.cc.startswith("clang") else ["-fno-strict-aliasing"])
            return bench.build(variant, program, work)

        try:
            erased = bench.execute(build(Variant("clang-19", "0", lowered=False)), program, "ready")
        except Failed as why:
            if options.verbose:
                print(f"--- {path}: {why}")
            raise NotForUs("the erased text does not compile")
        if not erased.same(want):
            raise NotForUs("the erased text does something else")
        if options.erased_only:
            return "pass", f"{count} functions"
        for cc in options.cc:
            for opt in options.opt:
                variant = Variant(cc, opt)
                try:
                    exe = build(variant)
                except Failed as why:
                    ids = sorted(set(re.findall(r"\[(awaitc-[a-z-]+)\]", str(why))))
                    if ids:
                        return "refused", f"{' '.join(ids)}\n  {why}"
                    return "fail", f"build: {why}"
                for mode in ("ready", "once", "random:5"):
                    got = bench.execute(exe, program, mode)
                    if not got.same(want):
                        return "fail", f"{variant} {mode}: status {got.status}, expected " \
                            f"{want.status}\n{tail(got.err, 6)}"
        return "pass", f"{count} functions"
    except NotForUs as why:
        return "skip", str(why)
    except (Failed, subprocess.TimeoutExpired) as why:
        return "fail", f"{why}"
    finally:
        if options.keep and (work / path.name).exists():
            Path(options.keep).mkdir(parents=True, exist_ok=True)
            shutil.copy(work / path.name, Path(options.keep) / path.name)
        shutil.rmtree(work, ignore_errors=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--awaitc", default=find_tool())
    parser.add_argument("--lib", default="")
    parser.add_argument("--include", default=str(TREE / "runtime" / "include"))
    parser.add_argument("--cc", default="gcc")
    parser.add_argument("--opt", default="0,2")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--main", choices=["block_on", "async"], default="block_on")
    parser.add_argument("--match", default="", help="only files whose path matches")
    parser.add_argument("--every", type=int, default=1, help="only each N-th file")
    parser.add_argument("--offset", type=int, default=0)
    parser.add_argument("--keep", default="", help="directory for the transformed programs")
    parser.add_argument("--erased-only", action="store_true")
    parser.add_argument("--compile-only", action="store_true", help="files without a main")
    parser.add_argument("--fault", default="")
    parser.add_argument("-j", "--jobs", type=int, default=2)
    parser.add_argument("-v", "--verbose", action="store_true")
    options = parser.parse_args()
    options.cc, options.opt = options.cc.split(","), options.opt.split(",")
    options.lib = options.lib or find_library(options.awaitc)
    options.warnings = False
    files: list[Path] = []
    for name in options.paths:
        path = Path(name).resolve()
        files += sorted(path.rglob("*.c")) if path.is_dir() else [path]
    files = [f for f in files if re.search(options.match, str(f))][options.offset::options.every]
    options.keep = str(Path(options.keep).resolve()) if options.keep else ""
    for name in ("awaitc", "lib", "include"):
        setattr(options, name, str(Path(getattr(options, name)).resolve()))
    bench = Bench(options)
    os.chdir(bench.scratch)  # some programs write files
    counts: collections.Counter[str] = collections.Counter()
    skipped: collections.Counter[str] = collections.Counter()
    try:
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            work = check_compiles if options.compile_only else check
            for path, done in [(f, pool.submit(work, bench, f, options)) for f in files]:
                state, detail = done.result()
                counts[state] += 1
                if state == "skip":
                    skipped[re.sub(r"^\S+ does not compile", "a compiler does not compile", detail)] += 1
                if state in ("fail", "refused") or options.verbose:
                    print(f"{state.upper()} {path}: {detail}", flush=True)
    finally:
        os.chdir("/")
        shutil.rmtree(bench.scratch, ignore_errors=True)
    for reason, count in skipped.most_common():
        print(f"  {count:5} left out: {reason}")
    print(f"{counts['refused']} refused with an error of awaitc")
    print(f"{counts['pass']} passed, {counts['fail']} failed")
    return 1 if counts["fail"] else 0


if __name__ == "__main__":
    sys.setrecursionlimit(200000)
    threading.stack_size(512 * 1024 * 1024)
    sys.exit(main())
