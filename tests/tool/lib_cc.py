# SPDX-License-Identifier: MIT
"""What the tests of `awaitc cc` share: compilers, sources and their erased twins, and a counter.

A test builds the same thing twice in the same place: with `awaitc cc COMPILER`, from the async
source, and with the bare compiler, from the source with the keywords erased.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

AWAITC = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else shutil.which("awaitc")
COMPILERS = [c for c in ("gcc", "clang-14", "clang-19") if shutil.which(c)] or ["cc"]
failures = 0
checks = 0


def include_dir():
    """Where the tool finds its headers: beside its bin folder, or in the source tree."""
    at = os.path.dirname(AWAITC)
    for _ in range(5):
        at = os.path.dirname(at)
        for place in ("include", "runtime/include"):
            if os.path.exists(os.path.join(at, place, "awaitc.h")):
                return os.path.join(at, place)
    return None


def check(condition, name, detail=""):
    """One check; says what went wrong if it fails."""
    global failures, checks
    checks += 1
    if condition:
        return True
    failures += 1
    print("not ok -", name)
    if detail:
        print("   ", str(detail).replace("\n", "\n    ")[:3000])
    return False


def equal(a, b, name):
    return check(a == b, name, "awaitc: %s\nerased: %s" % (a, b))


def finish():
    print("%d checks, %d failed" % (checks, failures))
    sys.exit(1 if failures else 0)


def erase(text):
    return re.sub(r"\b(?:aw_)?(?:async|await)\b ?", "", text)


class Place:
    """A temporary folder with files."""

    def __init__(self):
        self.dir = tempfile.mkdtemp(prefix="cc test ")

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        shutil.rmtree(self.dir, ignore_errors=True)

    def path(self, name):
        return os.path.join(self.dir, name)

    def write(self, files):
        for name, text in files.items():
            path = self.path(name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", newline="") as f:
                f.write(text)

    def read(self, name, mode="r"):
        with open(self.path(name), mode) as f:
            return f.read()

    def all_files(self):
        found = set()
        for root, _, names in os.walk(self.dir):
            for n in names:
                found.add(os.path.relpath(os.path.join(root, n), self.dir))
        return found

    def run(self, argv, **more):
        more.setdefault("capture_output", True)
        return subprocess.run(argv, cwd=self.dir, **more)


def build(place, compiler, flags, files, lowered, **more):
    """Writes the files, runs the compiler; (result, names of the files that it made)."""
    for name in place.all_files():
        os.remove(place.path(name))
    place.write(files if lowered else {k: erase(v) for k, v in files.items()})
    before = place.all_files()
    if lowered:
        argv = [AWAITC, "cc"] + compiler.split() + flags
    else:
        argv = compiler.split() + flags + ["-D__AWAITC__", "-isystem", include_dir()]
    result = place.run(argv, **more)
    return result, place.all_files() - before
