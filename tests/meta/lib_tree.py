# SPDX-License-Identifier: MIT
"""The tree as the checks of this folder see it: which files there are, and how findings are told.

A check collects problems (one line each, with the place in front) and ends with finish().
"""
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

SKIPPED_FOLDERS = {".git", "build", "node_modules", ".cache", "__pycache__"}

# Sources of the product; tests and samples are checked where a check says so.
PRODUCT = ("analyzer/", "transforms/", "rules/", "runtime/")

# Programs that are input of the tool: they may be as ugly as the case needs.
TEST_INPUT = ("tests/lower/", "tests/rules/", "tests/passes/", "tests/queries/")

problems = []


def all_files(*suffixes):
    """Paths from the root, sorted; only those that end in one of the suffixes, if any are given."""
    found = []
    for folder, folders, names in os.walk(ROOT):
        folders[:] = sorted(f for f in folders if f not in SKIPPED_FOLDERS)
        for name in names:
            if name in SKIPPED_FOLDERS:  # a linked work tree has a file .git
                continue
            path = os.path.relpath(os.path.join(folder, name), ROOT)
            if not os.path.islink(os.path.join(ROOT, path)):
                if not suffixes or path.endswith(suffixes):
                    found.append(path)
    return sorted(found)


def product_files(*suffixes):
    return [p for p in all_files(*suffixes) if p.startswith(PRODUCT)]


def our_code(*suffixes):
    """Everything that we wrote to be read: the product, tests and samples, but no test input."""
    return [p for p in all_files(*suffixes)
            if p.startswith(PRODUCT + ("tests/", "samples/")) and not p.startswith(TEST_INPUT)]


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8", errors="replace") as f:
        return f.read()


def line_of(text, offset):
    return text.count("\n", 0, offset) + 1


def without_comments(text):
    """C text with comments and literals blanked out, lines kept."""
    pattern = r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\''

    def blank(match):
        kept = re.sub(r"[^\n]", " ", match.group())
        return kept if match.group().startswith("/") else match.group()[0] + kept[2:] + match.group()[0]

    return re.sub(pattern, blank, text, flags=re.S)


def problem(text):
    problems.append(text)


def finish(advice=""):
    """Prints what was found and ends the process."""
    for text in problems:
        print(text)
    if problems:
        print(f"\n{len(problems)} problem(s)." + (" " + advice if advice else ""))
        sys.exit(1)
    sys.exit(0)


def skip(reason):
    print("skipped: " + reason)
    sys.exit(77)
