# SPDX-License-Identifier: MIT
"""Are functions that may block their thread marked in the calls view, by lint's facts and by its SARIF
log, and no others? By border and words first: colours are not looked at."""
import json
import os
import subprocess
import tempfile

from lib_graph import AWAITC, finish, flags, problem, run

HELPER = """#include <netdb.h>
#include <unistd.h>
int resolve(const char *name);
static int look_up(const char *name) { struct addrinfo *a = 0; return getaddrinfo(name, "80", 0, &a); }
int resolve(const char *name) { return look_up(name); }
"""
MAIN = """#include <awaitc.h>
#include <unistd.h>
int resolve(const char *name);
static int quick(int n) { return n + 1; }
static async int connects(const char *name) { int rc = resolve(name); await aw_yield(); return rc; }
static async int pooled(const char *name) { return await aw_blocking(resolve(name)); }
static async int calm(int fd) { await aw_yield(); return quick(fd); }
async int main(void) { int a, b, c; await aw_all(a = connects("x"), b = pooled("y"), c = calm(1)); return a + b + c; }
"""
EXPECTED = {"connects": "getaddrinfo"}


def lint(folder, *args):
    done = subprocess.run([AWAITC, "lint", *args, *flags()], cwd=folder, capture_output=True)
    if done.returncode not in (0, 1):
        problem(f"lint {args}: {done.stderr.decode()[:300]}")


def marked(folder, *args):
    done = run("main.c", "--view=calls", "--format=json", *args, *flags(), cwd=folder)
    nodes = json.loads(done.stdout)["calls"]["nodes"]
    return {n["name"]: n.get("blocks_in", "") for n in nodes if n["may_block"]}


def expect(what, found, wanted):
    if found != wanted:
        problem(f"{what}: {found}, not {wanted}")


with tempfile.TemporaryDirectory() as folder:
    for name, text in (("main.c", MAIN), ("helper.c", HELPER)):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as f:
            f.write(text)
    for name in ("main", "helper"):
        lint(folder, f"{name}.c", f"--facts-out={name}.facts")
    with open(os.path.join(folder, "all.facts"), "wb") as f:
        for name in ("main", "helper"):
            with open(os.path.join(folder, name + ".facts"), "rb") as part:
                f.write(part.read())
    lint(folder, "main.c", "helper.c", "--format=sarif", "--output=all.sarif")

    expect("without facts", marked(folder), {})
    expect("facts of one file", marked(folder, "--lint=main.facts"), {})
    expect("facts of all files", marked(folder, "--lint=all.facts"), EXPECTED)
    expect("SARIF", marked(folder, "--lint=all.sarif"), {"connects": ""})

    for kind, words in (("svg", "! may block in getaddrinfo"), ("mermaid", "! may block in getaddrinfo"),
                        ("text", "may block in getaddrinfo"), ("html", "! may block in getaddrinfo")):
        out = run("main.c", "--view=calls", f"--format={kind}", "--lint=all.facts", *flags(), cwd=folder).stdout.decode()
        expect(f"marks in {kind}", out.replace("&#160;", " ").replace("#33;", "!").count(words), 1)
    dot = run("main.c", "--view=calls", "--format=dot", "--lint=all.facts", *flags(), cwd=folder).stdout.decode()
    thick = [line for line in dot.splitlines() if 'BORDER="3"' in line]
    if len(thick) != 1 or "connects" not in thick[0]:
        problem(f"thick borders: {thick}")

    for name, text in (("empty", ""), ("prose", "no facts at all\n"), ("short", "{}")):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as f:
            f.write(text)
        done = run("main.c", f"--lint={name}", *flags(), cwd=folder, check=False)
        if done.returncode != 2 or f"{name}:1".encode() not in done.stderr:
            problem(f"{name}: status {done.returncode}, {done.stderr.decode()[:200]}")
finish("blocking")
