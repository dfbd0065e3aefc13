# SPDX-License-Identifier: MIT
"""What does `awaitc cc` cost beside the compiler alone? Ratios of processor and elapsed time.

usage: compile_cost.py AWAITC [--compilers gcc,clang-14] [--flags '-O2 -g'] [--runs N] [--keep DIR]

Three generated files: one of 1,600 lines with 200 async functions that await each other and leaves
of the runtime, with locals over awaits, loops, branches, arrays and structs; a small one with the usual
headers and three async functions; one of plain C. The base line is the same text with async and
await erased, compiled with the same flags. Of several runs, each compiler and command in turn, the
least counts: processor time (user and system, children included) says what a build farm pays, elapsed
time what one waits for at an idle machine. --instructions counts instructions by callgrind
(cc1 alone for gcc), which noise does not change.
"""
import argparse
import os
import random
import resource
import shutil
import subprocess
import tempfile
import time

HEAD = """#include <awaitc.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct item { int id; long weight; char name[24]; };
static long seen_%(n)d;
static int weigh(const struct item *it, int k) { return (int)(it->weight %% (k + 1)) + it->id; }
"""

# Each is 8 lines with the blank one; %(f)s is the function, %(g)s and %(h)s earlier ones.
SHAPES = [
    """async int %(f)s(int a, int b)
{
    int sum = a * %(k)d, i;
    for (i = 0; i < b; i++)
        sum += await %(g)s(i, sum);
    return sum - b;
}
""",
    """async int %(f)s(int fd, int n)
{
    char buf[64];
    ssize_t got = await aw_read(fd, buf, sizeof buf);
    if (got < 0) return (int)got;
    return await %(g)s(buf[0], n) + (int)got;
}
""",
    """static async int %(f)s(int a, int b)
{
    long t = a + %(k)dL * b;
    if (a > b) await aw_sleep_ms((unsigned)(t & 7));
    int x = await %(g)s(a, (int)t), y = await %(h)s(x, b);
    return x > y ? x : (int)t + y;
}
""",
    """async int %(f)s(int fd, int k)
{
    struct item it = { .id = fd, .weight = k * %(k)d };
    while (weigh(&it, k) < %(k)d && await %(g)s(it.id, k) > 0) it.id += 2;
    await aw_yield();
    return weigh(&it, 3) + (it.id > k ? await %(h)s(k, fd) : 0);
}
""",
    """static async int %(f)s(int a, int b)
{
    switch (await %(g)s(a, b)) {
    case 0: seen_0++; return await %(h)s(b, a);
    case 1: await aw_sleep_ms(1); break; }
    return a + b;
}
""",
]


def big_source(functions, seed=1):
    """Source text of `functions` async functions, 8 lines each."""
    rng = random.Random(seed)
    text = [HEAD % {"n": 0},
            "async int f0(int a, int b)\n{\n    if (a > b) await aw_yield();\n    return a ^ b;\n}\n"]
    for i in range(1, functions):
        shape = SHAPES[i % len(SHAPES)]
        near = [i - 1, max(0, i - rng.randint(1, 20))]
        text.append("\n" + shape % {"f": f"f{i}", "g": f"f{near[0]}", "h": f"f{near[1]}",
                                    "k": rng.randint(2, 99)})
    text.append(f"\nasync int main(void) {{ return await f{functions - 1}(1, 2) & 1; }}\n")
    return "".join(text)


def small_source():
    return ("#include <awaitc.h>\n#include <errno.h>\n#include <fcntl.h>\n"
            "#include <signal.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
            "#include <sys/socket.h>\n#include <unistd.h>\n\n"
            "static async int copy(int from, int to)\n{\n    char buf[512];\n    for (;;) {\n"
            "        ssize_t n = await aw_read(from, buf, sizeof buf);\n"
            "        if (n <= 0)\n            return (int)n;\n"
            "        if (await aw_write_all(to, buf, (size_t)n) < 0)\n            return -1;\n    }\n}\n\n"
            "static async void tick(int ms)\n{\n    for (int i = 0; i < 3; i++) {\n"
            "        await aw_sleep_ms((unsigned)ms);\n        printf(\"%d\\n\", i);\n    }\n}\n\n"
            "async int main(int argc, char **argv)\n{\n    int ms = argc > 1 ? atoi(argv[1]) : 1;\n"
            "    await tick(ms);\n    return await copy(0, 1) < 0;\n}\n")


def plain_source():
    return ("#include <errno.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
            "#include <unistd.h>\n\nint main(int argc, char **argv)\n{\n"
            "    for (int i = 1; i < argc; i++)\n        printf(\"%s\\n\", argv[i]);\n"
            "    return argc > 3;\n}\n")


def timed(argv, folder):
    """(processor time, elapsed time) of one run, in seconds."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    result = subprocess.run(argv, cwd=folder, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
    wall = time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if result.returncode != 0:
        raise SystemExit(f"{' '.join(argv)}:\n{result.stderr.decode()[:2000]}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall


def least(commands, folder, runs):
    """The least times of each command, run in turn so that all meet the same noise."""
    best = [(9e9, 9e9)] * len(commands)
    for _ in range(runs):
        for i, argv in enumerate(commands):
            cpu, wall = timed(argv, folder)
            best[i] = min(best[i][0], cpu), min(best[i][1], wall)
    return best


def instructions(argv, folder):
    """Instructions of a command and its children, in millions, by callgrind."""
    for old in os.listdir(folder):
        if old.startswith("counts."):
            os.remove(os.path.join(folder, old))
    subprocess.run(["valgrind", "--tool=callgrind", "--trace-children=yes",
                    "--callgrind-out-file=counts.%p"] + argv,
                   cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    total = 0
    for name in os.listdir(folder):
        if name.startswith("counts."):
            with open(os.path.join(folder, name)) as f:
                for line in f:
                    if line.startswith(("summary:", "totals:")):
                        total += int(line.split()[1])
                        break
    return total / 1e6


def compare(args, compiler, flags, folder):
    """One line a file: the erased compile, and by how much awaitc cc is above it."""
    common = [compiler] + flags.split() + ["-c"]
    erased = ["-D__AWAITC__", "-D__AWAITC_ERASED__", "-isystem", args.include]
    for name in args.only.split(","):
        base = common + (erased if name != "plain" else []) + [name + ".c", "-o", "base.o"]
        lowered = [args.awaitc, "cc"] + common + [name + ".c", "-o", "lowered.o"]
        line = f"{compiler:9} {flags:16} {name:6}"
        if args.instructions:
            a, b = instructions(base, folder), instructions(lowered, folder)
            print(f"{line} {a:9.1f} M instructions, lowered {b:9.1f} M: {b / a:5.2f} times", flush=True)
            continue
        (a, a_wall), (b, b_wall) = least([base, lowered], folder, args.runs)
        print(f"{line} CPU {a * 1e3:7.0f} ms, lowered {b * 1e3:7.0f} ({b / a:4.2f} times, "
              f"{(b - a) * 1e3:+6.0f} ms); elapsed {a_wall * 1e3:7.0f}, {b_wall * 1e3:7.0f} "
              f"({b_wall / a_wall:4.2f} times)", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("awaitc", type=os.path.abspath)
    parser.add_argument("--compilers", default="gcc,clang-14,clang-19")
    parser.add_argument("--flags", action="append", help="a set of flags; may be repeated")
    parser.add_argument("--only", default="big,small,plain", help="which files")
    parser.add_argument("--functions", type=int, default=200, help="async functions of the big file")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--instructions", action="store_true")
    parser.add_argument("--keep", metavar="DIR", help="write the sources here and leave them")
    args = parser.parse_args()
    here = os.path.dirname(os.path.abspath(__file__))
    args.include = os.path.join(here, "..", "..", "runtime", "include")
    folder = args.keep or tempfile.mkdtemp(prefix="compile-cost.")
    os.makedirs(folder, exist_ok=True)
    sources = {"big": big_source(args.functions), "small": small_source(), "plain": plain_source()}
    for name, text in sources.items():
        with open(os.path.join(folder, name + ".c"), "w") as f:
            f.write(text)
    for compiler in args.compilers.split(","):
        for flags in args.flags or ["-O0 -g", "-O2 -g"]:
            if shutil.which(compiler):
                compare(args, compiler, flags, folder)
    if not args.keep:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
