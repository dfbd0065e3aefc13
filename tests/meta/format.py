# SPDX-License-Identifier: MIT
# ctest-timeout: 300
"""Is all C formatted by .clang-format? Checked with one version: the outputs of others differ.

clang-format does not know `defer { ... }`; it is checked as if it were `if (1) { ... }`, or a call
where it stands on one line. With --fix, files without it are formatted.
"""
import os
import re
import shutil
import subprocess
import sys

from lib_tree import ROOT, finish, line_of, our_code, problem, read, skip

VERSION = "14"


def without_defer(text):
    text = re.sub(r"^(\s*)defer \{ (\S.*?) \}", r"\1deferred();", text, flags=re.M)
    return re.sub(r"^(\s*)defer \{$", r"\1if (1) {", text, flags=re.M)


def first_difference(text, formatted):
    for number, (is_now, wanted) in enumerate(zip(text.split("\n"), formatted.split("\n")), 1):
        if is_now != wanted:
            return number, is_now
    return min(line_of(text, len(text)), line_of(formatted, len(formatted))), "(end of the file)"


tool = shutil.which(f"clang-format-{VERSION}") or shutil.which("clang-format")
if tool is None:
    skip("clang-format is not here")
version = subprocess.run([tool, "--version"], text=True, capture_output=True).stdout
if not re.search(rf"version {VERSION}\.", version):
    skip(f"clang-format {VERSION} is not here, only: {version.strip()}")


def check_one(path, text):
    """A file that clang-format may only see after a change: through its standard input."""
    formatted = subprocess.run([tool, "--assume-filename=" + path], cwd=ROOT, text=True, check=True,
                               input=text, capture_output=True).stdout
    if formatted != text:
        number, line = first_difference(text, formatted)
        problem(f"{path}:{number}: not formatted: {line.strip()}")


def check_all(paths):
    """The rest in one run; a run a file takes minutes."""
    said = subprocess.run([tool, "--dry-run", *paths], cwd=ROOT, text=True, capture_output=True).stderr
    found = re.findall(r"^([^\s:]+):(\d+):\d+: warning: code should be clang-formatted", said, re.M)
    for path in sorted({path for path, _ in found}):
        if "--fix" in sys.argv:
            subprocess.run([tool, "-i", path], cwd=ROOT, check=True)
            continue
        number = next(int(line) for file, line in found if file == path)
        problem(f"{path}:{number}: not formatted: {read(path).split(chr(10))[number - 1].strip()}")
    if said and not found:
        problem(f"clang-format: {said[:400]}")


plain = []
for path in our_code(".c", ".h"):
    text = read(path)
    if without_defer(text) == text:
        plain.append(path)
    else:
        check_one(path, without_defer(text))
check_all(plain)
finish("To format: python3 tests/meta/format.py --fix")
