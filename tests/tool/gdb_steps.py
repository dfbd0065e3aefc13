#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Does a debugger show a lowered program as its source? Steps in gdb through async functions whose
awaits are ready and that suspend: every stop is a line of the source, in order, and `bt` in an async
callee shows its callers. Usage: gdb_steps.py AWAITC (library and headers: AWAITC_STAGE)."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

SOURCE = """#include <awaitc.h>
#include <stdio.h>

static async int leaf(int x)
{
    int y = x * 2;
    y += 1;
    return y;
}

static async int middle(int n)
{
    int total = 0;
    int first = await leaf(n);
    total += first;
    await aw_yield();
    total += await leaf(total);
    return total;
}

async int main(void)
{
    int r = await middle(3);
    printf("%d\\n", r);
    return 0;
}
"""


def gdb(program, *commands):
    args = ["gdb", "-nx", "-batch", "-ex", "set width 0", "-ex", "set debuginfod enabled off"]
    for c in commands:
        args += ["-ex", c]
    run = subprocess.run(args + [program], text=True, stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, timeout=120)
    return run.stdout


def main():
    awaitc = os.path.abspath(sys.argv[1])
    stage = os.path.abspath(os.environ.get("AWAITC_STAGE") or os.path.dirname(os.path.dirname(awaitc)))
    if shutil.which("gdb") is None:
        print("skipped: no gdb")
        return 77
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "steps.c")
        with open(source, "w", encoding="utf-8") as f:
            f.write(SOURCE)
        for compiler in ("gcc", "clang"):
            if shutil.which(compiler) is None:
                continue
            program = os.path.join(folder, "steps-" + compiler)
            subprocess.run([awaitc, "cc", compiler, "-g", "-gdwarf-4", "-O0", "steps.c", "-o", program,
                            "-L" + os.path.join(stage, "lib"), "-lawaitc", "-lpthread"],
                           check=True, cwd=folder)
            failed += check(compiler, program)
    print("%d failed" % failed)
    return 1 if failed else 0


def expect(what, good, text):
    if good:
        return 0
    print("FAIL %s\n%s" % (what, text))
    return 1


def check(compiler, program):
    failed = 0
    text = gdb(program, "break middle__poll", "run", "bt")
    failed += expect(compiler + ": bt shows the caller", "main__poll" in text, text)
    text = gdb(program, "break steps.c:7", "run", "bt", "info locals")
    order = [text.find(name) for name in ("leaf__poll", "middle__poll", "main__poll")]
    failed += expect(compiler + ": bt in a callee", -1 not in order and order == sorted(order), text)
    failed += expect(compiler + ": locals keep their names", re.search(r"^y = 6$", text, re.M), text)
    text = gdb(program, "break steps.c:13", "run", "next", "next", "next")
    lines = [int(n) for n in re.findall(r"^(\d+)\t", text, re.M)]
    failed += expect(compiler + ": steps over a ready await", lines == [13, 14, 15, 16], text)
    text = gdb(program, "break steps.c:17", "run", "next", "print total")
    failed += expect(compiler + ": stops behind a suspension",
                     re.search(r"^17\t.*^18\t.*= 22", text, re.M | re.S), text)
    source_lines = SOURCE.splitlines()
    for number, shown in re.findall(r"^(\d+)\t(.*)$", text, re.M):
        failed += expect(compiler + ": line %s is the source's" % number,
                         source_lines[int(number) - 1].strip() == shown.strip(), text)
    return failed


if __name__ == "__main__":
    sys.exit(main())
