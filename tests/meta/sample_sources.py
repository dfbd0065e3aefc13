# SPDX-License-Identifier: MIT
# ctest-timeout: 120
"""Are the samples valid C as they stand, clean under the project's own warnings, and complete?"""
import os
import shutil
import subprocess

from lib_tree import ROOT, all_files, finish, problem

FLAGS = ("-std=gnu11 -fsyntax-only -Wall -Wextra -Wpedantic -Wshadow -Wconversion"
         " -Wsign-conversion -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wcast-qual -Wundef"
         " -Iruntime/include").split()
COMPILERS = [c for c in ("gcc", "clang", "clang-19") if shutil.which(c)]

folders = sorted({os.path.dirname(p) for p in all_files() if p.startswith("samples/")} - {"samples"})
for folder in folders:
    for name in ("README.md", "Makefile", "expected.txt", "check.sh"):
        if not os.path.exists(os.path.join(ROOT, folder, name)):
            problem(f"{folder} has no {name}")

for path in all_files(".c"):
    if path.startswith("samples/"):
        for compiler in COMPILERS:
            result = subprocess.run([compiler] + FLAGS + [path], cwd=ROOT, text=True,
                                    capture_output=True)
            if result.stderr:
                problem(f"{path} ({compiler}):\n{result.stderr}")
finish()
