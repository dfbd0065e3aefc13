# SPDX-License-Identifier: MIT
# ctest-timeout: 300
"""Does each header compile alone, without a warning, in gcc and in clang?"""
import os
import shutil
import subprocess

from lib_tree import ROOT, finish, problem, product_files, skip

FLAGS = ("-std=c11 -D_GNU_SOURCE -fsyntax-only -Wall -Wextra -Wpedantic -Wshadow -Wconversion"
         " -Wsign-conversion -Wstrict-prototypes -Wmissing-prototypes -Wundef -Wcast-qual"
         " -Wno-unused-function -Iruntime/include -I. -xc -").split()
# Set by the build to where the headers of libclang and tree-sitter were found.
FLAGS += ["-isystem", os.environ.get("AWAITC_CLANG_INCLUDE") or "/usr/lib/llvm-19/include"]
FLAGS += ["-isystem", os.environ.get("AWAITC_TREE_SITTER_INCLUDE")
          or "cmake/grammar/node_modules/tree-sitter/vendor/tree-sitter/lib/include"]
COMPILERS = [c for c in ("gcc", "clang-19", "clang") if shutil.which(c)][:2]

if not COMPILERS:
    skip("neither gcc nor clang is here")
for header in product_files(".h"):
    inside = header.removeprefix("runtime/include/")
    line = f"#include <{inside}>\n" if inside != header else f'#include "{header}"\n'
    for compiler in COMPILERS:
        result = subprocess.run([compiler] + FLAGS, cwd=ROOT, input=line, text=True,
                                capture_output=True)
        if result.stderr:
            problem(f"{header} does not compile alone ({compiler}):\n{result.stderr}")
finish()
