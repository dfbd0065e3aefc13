# SPDX-License-Identifier: MIT
# ctest-timeout: 300
"""Are offsets, sizes, needs and state numbers those that a compiler sees in the emitted text?

The lowered text of each program gets assertions made from the graph's JSON, and is compiled."""
import contextlib
import json
import os
import re
import subprocess
import tempfile

from lib_graph import AWAITC, CASE_FLAGS, finish, flags, lower_cases, problem, run, samples


def assertions(graph, text):
    """One static assertion for each fact, and how many there are."""
    out = []
    for f in graph["functions"]:
        name, frame = f["name"], f["frame"]
        if f"struct {name}__frame {{" not in text:
            continue
        out.append(f"sizeof(struct {name}__frame) == {frame['bytes']}")
        out.append(f"__alignof__(struct {name}__frame) == {frame['align']}")
        out.append(f"{name}__need == {frame['need_bytes']}")
        body = text.split(f"struct {name}__frame {{", 1)[1].split("\n};", 1)[0]
        names = [r["name"] for r in frame["rows"] if r["kind"] == "local"]
        for r in frame["rows"]:
            unique = r["kind"] == "local" and names.count(r["name"]) == 1
            if unique and re.search(rf"\b{re.escape(r['name'])}\b", body):
                field = f"struct {name}__frame, {r['name']}"
                out.append(f"__builtin_offsetof({field}) == {r['offset']}")
                out.append(f"sizeof(((struct {name}__frame *)0)->{r['name']}) == {r['size']}")
        states = [n for n in f["nodes"] if n["kind"] == "state"]
        for n in states:
            out.append(f"{name}__{n['title']} == {n['number']}")
        cases = set(re.findall(rf"case ({re.escape(name)}__[A-Z0-9_]+): goto", text))
        if len(cases) != len(states):
            problem(f"{name}: {len(states)} states drawn, {len(cases)} in the switch")
    return out


@contextlib.contextmanager
def flags_of_32_bits():
    """Flags to compile for 32 bits with the headers of this machine; the one that it lacks is empty."""
    triple = subprocess.run(["gcc", "-print-multiarch"], capture_output=True, text=True).stdout.strip()
    with tempfile.TemporaryDirectory() as folder:
        os.makedirs(os.path.join(folder, "gnu"))
        with open(os.path.join(folder, "gnu", "stubs-32.h"), "w", encoding="utf-8"):
            pass
        yield ("-m32", "-I" + folder, "-isystem", f"/usr/include/{triple}")


def check(folder, file, more):
    graph = run(file, "--format=json", *flags(*more), cwd=folder, check=False)
    lowered = subprocess.run([AWAITC, "lower", "--no-line", file, *flags(*more)], cwd=folder,
                             capture_output=True, text=True)
    if graph.returncode != 0 or lowered.returncode != 0:
        return 0
    facts = assertions(json.loads(graph.stdout), lowered.stdout)
    text = lowered.stdout + "".join(
        f"_Static_assert({fact}, \"{fact}\");\n" for fact in facts)
    done = subprocess.run(["gcc", "-x", "c", "-fsyntax-only", "-w", *flags(*more)[1:], "-I.", "-"],
                          input=text, cwd=folder, capture_output=True, text=True)
    for line in done.stderr.splitlines():
        if "error" in line:
            problem(f"{os.path.basename(file)}: {line}")
    return len(facts)


TRICKY = """#include <awaitc.h>
enum { WIDE = 32 };
#define PIECE 16
#pragma pack(push, 1)
struct pair { char c; long long n; };
async int packed(int fd)
{
    struct pair p = {1, 2};
    long long x = fd;
    char bytes[3];
    _Alignas(8) char lent[5];
    long long n = await aw_read(fd, bytes, 3);
    n += await aw_read(fd, lent, 3);
    return (int)(p.n + p.c + x + n);
}
#pragma pack(pop)
async int aligned(int fd)
{
    _Alignas(2 * 16) char a[3];
    char b[5] __attribute__((aligned(sizeof(long long) * 2)));
    _Alignas(WIDE) int c;
    _Alignas(struct pair *) char d[1];
    _Alignas(PIECE << 2) char e[9];
    long long n = await aw_read(fd, a, 3);
    n += await aw_read(fd, b, 3);
    n += await aw_read(fd, &c, 3);
    n += await aw_read(fd, d, 1);
    n += await aw_read(fd, e, 3);
    return (int)n + a[0] + b[0] + c + d[0] + e[0];
}
async int outer(int fd) { int a, b; await aw_all(a = aligned(fd), b = packed(fd)); return a + b + await aligned(fd); }
"""
count = 0
with tempfile.TemporaryDirectory() as folder, flags_of_32_bits() as narrow:
    with open(os.path.join(folder, "tricky.c"), "w", encoding="utf-8") as f:
        f.write(TRICKY)
    for more in ((), narrow, ("-O2",)):
        found = check(folder, "tricky.c", more)
        if found < 30:
            problem(f"tricky.c {' '.join(more)}: only {found} facts")
        count += found
    for sample, files in samples():
        for file in files:
            count += check(sample, file, narrow)
for folder, files in samples():
    for file in files:
        count += check(folder, file, ())
for case in lower_cases():
    count += check(os.path.dirname(case), os.path.basename(case), CASE_FLAGS)
if count < 500:
    problem(f"only {count} facts were compared")
finish(f"{count} facts")
