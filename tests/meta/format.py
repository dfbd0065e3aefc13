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

for path in our_code(".c", ".h"):
    text = without_defer(read(path))
    formatted = subprocess.run([tool, "--assume-filename=" + path], cwd=ROOT, text=True, check=True,
                               input=text, capture_output=True).stdout
    if formatted != text:
        number, line = first_difference(text, formatted)
        if "--fix" in sys.argv and text == read(path):
            with open(os.path.join(ROOT, path), "w", encoding="utf-8") as f:
                f.write(formatted)
            continue
        problem(f"{path}:{number}: not formatted: {line.strip()}")
finish("To format: python3 tests/meta/format.py --fix")
