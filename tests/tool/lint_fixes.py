# SPDX-License-Identifier: MIT
# ctest-timeout: 180
"""Does --fix leave code that compiles and lints clean, and is its diff one that patch takes?"""
import os
import shutil
import subprocess

from lib_cc import COMPILERS, include_dir
from lib_fixable import FIXABLE
from lib_lint import AWAITC, PROJECT, Project, check, equal, finish, findings

SOURCES = sorted(FIXABLE) + ["a.c", "b.c"]


def compiles(p, name):
    for compiler in COMPILERS[:2]:
        r = subprocess.run([AWAITC, "cc", compiler, "-c", "-o", "/dev/null", "-I", include_dir(), name],
                           cwd=p.dir, capture_output=True, text=True)
        check(r.returncode == 0, f"{name} compiles by {compiler}", r.stderr + p.read(name))


with Project({**PROJECT, **FIXABLE}) as p:
    before = {n: p.read(n, "rb") for n in SOURCES}
    for name in FIXABLE:
        compiles(p, name) if name != "missing.c" else None
    first = p.lint(*SOURCES)
    count = len(findings(first.stdout))
    check(count >= 9, "there is something to mend", first.stdout)
    dry = p.lint("--fix-dry-run", *SOURCES)
    equal({n: p.read(n, "rb") for n in SOURCES}, before, "--fix-dry-run changes nothing")
    check(dry.returncode == 1 and dry.stdout.startswith("--- a/"), "it prints a diff", dry.stdout)

    with Project({}) as q:
        shutil.copytree(p.dir, q.dir, dirs_exist_ok=True)
        raw = subprocess.run([AWAITC, "lint", "--fix-dry-run", *SOURCES], cwd=p.dir, stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
        r = subprocess.run(["patch", "-p1", "--binary"], cwd=q.dir, input=raw, capture_output=True)
        check(r.returncode == 0, "patch -p1 takes the diff", r.stdout.decode() + r.stderr.decode())
        p.lint("--fix", *SOURCES)
        for name in SOURCES:
            equal(q.read(name, "rb"), p.read(name, "rb"), "--fix does what the diff says, " + name)

    for _ in range(4): # fixes that overlapped are made one at a time
        r = p.lint("--fix", *SOURCES)
        if not findings(r.stdout):
            break
    r = p.lint(*SOURCES)
    check(r.returncode == 0 and findings(r.stdout) == [], "what is mended lints clean", r.stdout + r.stderr)
    for name in SOURCES:
        compiles(p, name)
    check(b"\n" not in p.read("crlf.c", "rb").replace(b"\r\n", b""), "CR LF are kept")
    check(not p.read("no_end.c").endswith("\n"), "a missing last line end is kept")

with Project() as p:
    os.chmod(p.path("a.c"), 0o754)
    r = p.lint("--fix", "a.c", "b.c")
    check("1 fix applied in 1 file" in r.stderr, "what was done is said", r.stderr)
    equal(os.stat(p.path("a.c")).st_mode & 0o777, 0o754, "the file's mode is kept")
    equal(p.all_files(), {"a.c", "b.c", "b.h"}, "nothing else is left")

with Project() as p:
    p.write({"a.c": PROJECT["a.c"].replace("flush(fd);", "flush(fd); // NOLINT")})
    equal(p.lint("--fix-dry-run", "a.c", "b.c").stdout, "", "what is silenced is not mended")
    p.write({"a.c": PROJECT["a.c"]})
    p.lint("--baseline=known", "--write-baseline", "a.c", "b.c")
    equal(p.lint("--fix-dry-run", "--baseline=known", "a.c", "b.c").stdout, "", "nor what is known")

finish()
