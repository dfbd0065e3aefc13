# SPDX-License-Identifier: MIT
"""How fast is `awaitc lint`? Ratios of processor time, and times of generated programs.

usage: lint_speed.py AWAITC [--tidy CLANG_TIDY] [--files N] [--findings N] [DATABASE_FOLDER...]

For each compilation database: one process of clang-tidy with its one check that looks for calls
that are not for threads, and one of awaitc lint, cold and with a warm cache, over the same sources
and flags, each source once. Then, without sources: the join of the facts of N generated files, and a
report of N findings.

Processor time (user and system, children included) is compared, since it does not depend on who
else uses the machine; of three runs the least counts.
"""
import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time


def run(argv, folder, runs=3):
    """(least processor time in seconds, least elapsed time, peak in MB, the last result)."""
    cpu, wall = [], []
    for _ in range(runs):
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        result = subprocess.run(argv, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                stdin=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        wall.append(time.monotonic() - start)
        cpu.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(cpu), min(wall), after.ru_maxrss / 1024, result


def sources_once(folder, to):
    """Writes the database's C sources, each with one command, into `to`; their paths."""
    with open(os.path.join(folder, "compile_commands.json")) as f:
        entries = json.load(f)
    chosen = {}
    for e in entries:
        path = os.path.realpath(os.path.join(folder, e["directory"], e["file"]))
        if path.endswith(".c") and os.path.exists(path):
            chosen.setdefault(path, e)
    with open(os.path.join(to, "compile_commands.json"), "w") as f:
        json.dump(list(chosen.values()), f)
    return list(chosen)


def compare(awaitc, tidy, folder):
    with tempfile.TemporaryDirectory() as work:
        files = sources_once(folder, work)
        lint = [awaitc, "lint", "-p", work, "--jobs=1"]
        cold = run(lint + files, folder)[0]
        cached = lint + ["--cache=" + os.path.join(work, "cache")] + files
        run(cached, folder, 1)
        warm = run(cached, folder)[0]
        line = f"{folder}: {len(files)} files: cold {cold:.2f} s, warm {warm:.3f} s"
        if tidy:
            other = run([tidy, "-checks=-*,concurrency-mt-unsafe", "-p", work] + files, folder)[0]
            line += f", {os.path.basename(tidy)} {other:.2f} s: {other / cold:.1f} and {other / warm:.0f} times"
        print(line, flush=True)


def generated_source(i):
    """A source with a chain into another one, a callback and twelve small functions."""
    text = [f"#include <unistd.h>\n#include <stdlib.h>\n#include <string.h>\n"
            f"struct c{i} {{ int fd; char buf[64]; struct c{i} *next; void (*done)(struct c{i} *); }};\n"
            f"int work_{i + 1}(int);\n"]
    for k in range(12):
        text.append(f"static int f{k}(struct c{i} *c, int n)\n{{\n"
                    f"    if (n > {k}) {{ c->fd = n; memset(c->buf, 0, sizeof c->buf); }}\n"
                    f"    return n == 0 ? (int)strlen(c->buf) : "
                    f"{'f%d(c, n - 1)' % (k - 1) if k else 'abs(n)'};\n}}\n")
    text.append(f"int work_{i}(int n)\n{{\n    struct c{i} c = {{ .fd = n }};\n"
                f"    return f11(&c, n) + (n > 3 ? work_{i + 1}(n - 1) : 0);\n}}\n")
    return "".join(text)


def join_generated(awaitc, count):
    """Facts of one generated source, renamed into `count` files, and joined."""
    with tempfile.TemporaryDirectory() as work:
        marker = 987654
        with open(os.path.join(work, "a.c"), "w") as f:
            f.write(generated_source(marker))
        subprocess.run([awaitc, "lint", "--facts-out=a.facts", "a.c"], cwd=work, check=True)
        with open(os.path.join(work, "a.facts")) as f:
            facts = f.read()
        names = []
        for i in range(count):
            own = facts.replace(str(marker + 1), str(i + 1)).replace(str(marker), str(i))
            names.append(f"{i}.facts")
            with open(os.path.join(work, names[-1]), "w") as f:
                f.write(own.replace("a.c", f"dir{i % 100}/a{i}.c"))
        cpu, wall, peak, result = run([awaitc, "lint", "--facts"] + names, work, 1)
        print(f"join of {count} files, {len(facts) * count / 1e6:.0f} MB of facts: {wall:.1f} s, "
              f"{peak:.0f} MB, exit status {result.returncode}", flush=True)


def many_findings(awaitc, count):
    with tempfile.TemporaryDirectory() as work:
        per_file = 1000
        for i in range(0, count, per_file):
            lines = "".join(f"async int g{k}(int fd);\nasync int f{k}(int fd)\n{{\n"
                            f"    fsync(fd);\n    return await g{k}(fd);\n}}\n"
                            for k in range(i, i + per_file))
            with open(os.path.join(work, f"f{i}.c"), "w") as f:
                f.write("#include <awaitc.h>\n#include <unistd.h>\n" + lines)
        names = sorted(os.listdir(work))
        for form in ("text", "json", "sarif", "github", "html"):
            cpu, wall, peak, result = run([awaitc, "lint", "--format=" + form,
                                           "--cache=cache"] + names, work, 1)
            print(f"report of {count} findings, {form}: {cpu:.1f} s, {peak:.0f} MB, "
                  f"{len(result.stdout) / 1e6:.1f} MB", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("awaitc", type=os.path.abspath)
    parser.add_argument("folders", nargs="*")
    parser.add_argument("--tidy", default=shutil.which("clang-tidy-14"))
    parser.add_argument("--files", type=int, default=10000)
    parser.add_argument("--findings", type=int, default=30000)
    args = parser.parse_args()
    for folder in args.folders:
        compare(args.awaitc, args.tidy, os.path.abspath(folder))
    if args.files:
        join_generated(args.awaitc, args.files)
    if args.findings:
        many_findings(args.awaitc, args.findings)


if __name__ == "__main__":
    sys.exit(main())
